"""Many runs at once: networks of one configuration that differ in seed and data, trained as one batched program.

Every weight of the R networks is one tensor with a leading run dimension, and a step is a few dozen batched
operations, forwards and backwards, whatever R is: `torch.func` maps the network over the runs, and the step is traced
once. A single run is R = 1: the fast way to train one network too.
"""

from collections.abc import Callable, Collection, Sequence

import torch
from torch import Tensor
from torch.func import functional_call, vmap
from torch.nn import functional

from predinet_prolog.neural.auxiliary_losses import auxiliary_loss
from predinet_prolog.neural.baselines import RelationNet
from predinet_prolog.neural.config import NetworkConfig
from predinet_prolog.neural.descent import Descent
from predinet_prolog.neural.errors import CheckpointError, NeuralError
from predinet_prolog.neural.network import RelationsNetwork
from predinet_prolog.neural.recipes import RELATIONS
from predinet_prolog.neural.tracing import Gradients, Weights

IMAGES_AT_ONCE = 32
"""Images that `represent` shows every run at once: a relation net keeps 2 MB for each of them and run."""
MOMENTS = "moments."
_Loss = Callable[[Weights, Tensor, Tensor, Tensor], tuple[Tensor, tuple[Tensor, ...]]]
PARTS = ("encoder", "central")
"""What can be frozen."""


class Runs:
    """R networks of `config`, run r with the initial weights of a RelationsNetwork of seeds[r].

    Shapes: R runs, B images a batch, S pixels a side, d length of the central module's output.
    """

    def __init__(
        self,
        config: NetworkConfig,
        seeds: Sequence[int],
        *,
        optimiser: str = "sgd",
        learning_rate: float = 0.01,
        relations_rate: float = 1.0,
        coverage: float = 0.0,
        centring: float = 0.0,
        bfloat16: bool = False,
        device: torch.device | str | None = None,
    ) -> None:
        """`optimiser` is `sgd` or `adam`. A PrediNet's W_S learns at `relations_rate` times the learning rate;
        `coverage` and `centring` are the weights of the terms of `neural.auxiliary_losses`, for a PrediNet as well.
        With `bfloat16` a relation net multiplies its pairs in that precision, see `RelationNet.products`; weights and
        checkpoints stay float32. `device` is a GPU if there is one, unless named."""
        if config.aligned:
            raise NeuralError("runs at once have the paper's encoder only, not the aligned one")
        if (coverage or centring or relations_rate != 1) and config.architecture != "predinet":
            raise NeuralError("only a PrediNet has masks and relations, which the auxiliary losses and W_S's rate need")
        if bfloat16 and config.architecture != "relation_net":
            raise NeuralError("only a relation net multiplies in bfloat16")
        if not seeds:
            raise NeuralError("no seed, so no run")
        self.config = config
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        networks = [RelationsNetwork(config, generator=torch.Generator().manual_seed(seed)) for seed in seeds]
        states = [network.state_dict() for network in networks]
        self._weights = {name: torch.stack([state[name] for state in states]).to(self.device) for name in states[0]}
        self._network = networks[0].to(self.device).requires_grad_(False)  # its weights are never looked at
        if isinstance(self._network.central, RelationNet) and bfloat16:
            self._network.central.products = torch.bfloat16
        self._coverage, self._centring = coverage, centring
        self._descent = Descent(optimiser, self._weights, learning_rate, {RELATIONS: relations_rate})
        self._frozen: tuple[str, ...] = ()
        self._steps: dict[object, Gradients] = {}

    def __len__(self) -> int:
        return len(self._weights["encoder.bias"])

    @property
    def learning_rate(self) -> float:
        """Of the steps to come."""
        return self._descent.learning_rate

    @learning_rate.setter
    def learning_rate(self, rate: float) -> None:
        self._descent.learning_rate = rate

    def step(self, images: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        """One step of every run on its own batch; each run's cross entropy (R,), before the step.

        `images` (R, B, S, S, 3), 0–255, `task_ids` and `labels` (R, B) int64, each on the runs' device.
        """
        return self._take(self._loss_of_images, images, task_ids, labels)

    def step_output(self, flat: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        """As `step`, of the images that `flat` (R, B, d) represents, for runs whose output MLP alone learns."""
        if len(self._frozen) < len(PARTS):
            raise NeuralError("only frozen runs learn from representations")
        return self._take(self._loss_of_representations, flat, task_ids, labels)

    @torch.no_grad()
    def _take(self, loss: _Loss, images: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        frozen = {name: weight for name, weight in self._weights.items() if name.startswith(self._frozen)}
        learned = {name: weight for name, weight in self._weights.items() if name not in frozen}
        inputs = images, task_ids, labels
        key = loss.__name__, self._frozen, images.shape
        if key not in self._steps:

            def all_runs(learned: Weights, frozen: Weights, *inputs: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
                losses, wanted = vmap(loss)({**learned, **frozen}, *inputs)
                return losses.sum(), wanted

            self._steps[key] = Gradients(all_runs, learned, frozen, inputs)
        gradients, (cross_entropies, self._terms, self._right) = self._steps[key](learned, frozen, inputs)
        self._descent.take(gradients)
        return cross_entropies

    def _loss_of_images(
        self, weights: Weights, images: Tensor, task_ids: Tensor, labels: Tensor
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """One run's loss, and what is wanted beside it: cross entropy, the other terms, right answers."""
        network = self._network
        output = functional_call(network, dict(weights), (images, task_ids))
        cross_entropy, right = _judge(output.logits, labels)
        terms = torch.zeros_like(cross_entropy)
        if self._coverage or self._centring:
            blank = weights["encoder.bias"].relu()
            terms = auxiliary_loss(output, blank, coverage=self._coverage, centring=self._centring)
        return cross_entropy + terms, (cross_entropy, terms, right)

    def _loss_of_representations(
        self, weights: Weights, flat: Tensor, task_ids: Tensor, labels: Tensor
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        cross_entropy, right = _judge(self._logits(weights, flat, task_ids), labels)
        return cross_entropy, (cross_entropy, torch.zeros_like(cross_entropy), right)

    def _logits(self, weights: Weights, flat: Tensor, task_ids: Tensor) -> Tensor:
        """One run's logits (B, labels) for what `flat` (B, d) represents."""
        output = {
            name.removeprefix("output."): weight for name, weight in weights.items() if name.startswith("output.")
        }
        logits: Tensor = functional_call(self._network.output, output, (flat, task_ids))
        return logits

    def terms(self) -> float:
        """What the auxiliary losses added to the last step's losses, all runs together."""
        return self._terms.sum().item()

    def right(self) -> Tensor:
        """How many answers of every run (R,) were right in the last step's batch, before that step."""
        return self._right

    @torch.no_grad()
    def represent(self, images: Tensor) -> Tensor:
        """What every run's central module makes of its `images` (R, N, S, S, 3): (R, N, d)."""

        def flat(weights: Weights, images: Tensor) -> Tensor:
            ids = torch.zeros(len(images), dtype=torch.int64, device=images.device)  # of no use to the central module
            output: Tensor = functional_call(self._network, dict(weights), (images, ids)).flat
            return output

        parts = torch.split(images, IMAGES_AT_ONCE, dim=1)
        return torch.cat([vmap(flat)(self._weights, part) for part in parts], dim=1)

    @torch.no_grad()
    def accuracy(self, flat: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        """Every run's share (R,) of right answers about the images that `flat` (R, N, d) represents; `task_ids` and
        `labels` (R, N)."""
        logits = vmap(self._logits)(self._weights, flat, task_ids)
        return (logits.argmax(2) == labels).sum(1) / labels.shape[1]

    def freeze(self, parts: Collection[str]) -> None:
        """Only what is not among `parts`, of PARTS, learns from now on. Frozen parts cost no work backwards; {} thaws
        all."""
        if unknown := set(parts) - set(PARTS):
            raise NeuralError(f"cannot freeze {', '.join(sorted(unknown))}: choose from {' and '.join(PARTS)}")
        prefixes = {"encoder": "encoder.", "central": f"{self.config.architecture}."}
        self._frozen = tuple(prefixes[part] for part in sorted(parts))

    def network(self, index: int) -> RelationsNetwork:
        """Run `index` as a plain network on the CPU, with a copy of its weights."""
        network = RelationsNetwork(self.config)
        network.load_state_dict({name: weight[index] for name, weight in self._weights.items()})
        return network

    def state(self) -> dict[str, Tensor]:
        """All that is needed to go on: every weight by its name in the network, (R, ...), and Adam's moments."""
        moments = {MOMENTS + name: tensor for name, tensor in self._descent.state().items()}
        return {name: tensor.detach().to("cpu", copy=True) for name, tensor in (self._weights | moments).items()}

    def load(self, state: Weights) -> None:
        """Goes on from a `state`; CheckpointError if it is of other runs. What is frozen stays so."""
        for name, weight in self._weights.items():
            if name not in state:
                raise CheckpointError(f"not a state of these runs: no {name}")
            if state[name].shape != weight.shape:
                shape, wanted = tuple(state[name].shape), tuple(weight.shape)
                raise CheckpointError(f"not a state of these runs: {name} is {shape}, these have {wanted}")
        for name, weight in self._weights.items():
            weight.copy_(state[name])
        self._descent.load({key.removeprefix(MOMENTS): state[key] for key in state if key.startswith(MOMENTS)})


def _judge(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Cross entropy, and how many answers are right, of a batch's `logits` (B, labels)."""
    return functional.cross_entropy(logits, labels), (logits.argmax(1) == labels).sum()
