"""Many runs at once: networks of one configuration that differ in seed and data, trained as one batched program.

Every weight of the R networks is one tensor with a leading run dimension, and a step is a few dozen batched
operations, forwards and backwards, whatever R is. A single run is R = 1: the fast way to train one network too.
"""

from collections.abc import Collection, Mapping, Sequence

import torch
from torch import Tensor

from neural.auxiliary_losses import Led, lead
from neural.config import PIXEL_SCALE, NetworkConfig
from neural.descent import descent
from neural.encoder import window_places
from neural.errors import CheckpointError, NeuralError
from neural.network import OutputMLP, RelationsNetwork
from neural.recipes import RELATIONS
from neural.runs_central import CENTRAL_RUNS, relu_gradient

IMAGES_AT_ONCE = 32
"""Images that `represent` shows every run at once: a relation net keeps 2 MB for each of them and run."""
MOMENTS = "moments."


class Runs:
    """R networks of `config`, run r with the initial weights of a RelationsNetwork of seeds[r].

    Shapes: R runs, B images a batch, S pixels a side.
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
        device: torch.device | str | None = None,
    ) -> None:
        """`optimiser` is `sgd` or `adam`. A PrediNet's W_S learns at `relations_rate` times the learning rate;
        `coverage` and `centring` are the weights of the terms of `neural.auxiliary_losses`, for a PrediNet as well.
        `device` is a GPU if there is one, unless told."""
        if config.aligned or config.background:
            raise NeuralError("runs at once have the paper's encoder only, not the aligned one, and on black")
        if (coverage or centring or relations_rate != 1) and config.architecture != "predinet":
            raise NeuralError("only a PrediNet has masks and relations to be led")
        if not seeds:
            raise NeuralError("no seed, so no run")
        self.config = config
        self.device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        states = [
            RelationsNetwork(config, generator=torch.Generator().manual_seed(seed)).state_dict() for seed in seeds
        ]
        self._weights = {name: torch.stack([state[name] for state in states]).to(self.device) for name in states[0]}
        # A window's pixels lie in memory row by row with their channels inside, so the filters' weights do as well; by
        # their name in the network they are seen in the network's order.
        filters = self._weights["encoder.weight"].movedim(2, -1).contiguous()  # (R, f, F, F, 3)
        self._weights["encoder.weight"] = filters.movedim(-1, 2)
        self._filters = filters.flatten(2)  # (R, f, p)
        self._runs = len(states)
        self._coverage, self._centring = coverage, centring
        self._terms = torch.zeros(len(states))
        learned = {**self._weights, "encoder.weight": self._filters}
        self._descent = descent(optimiser, learned, learning_rate, {RELATIONS: relations_rate})
        self._central = CENTRAL_RUNS[config.architecture](config, self._weights)
        self._one_hot = torch.eye(config.task_ids, device=self.device)
        self._one_label = torch.eye(config.labels, device=self.device)
        self._places = window_places(config.side).to(self.device)  # (n, 2)

    def __len__(self) -> int:
        return self._runs

    @property
    def learning_rate(self) -> float:
        """Of the steps to come."""
        return self._descent.learning_rate

    @learning_rate.setter
    def learning_rate(self, rate: float) -> None:
        self._descent.learning_rate = rate

    @torch.no_grad()
    def step(self, images: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        """One step of every run on its own batch; each run's cross entropy (R,), before the step.

        `images` (R, B, S, S, 3), 0–255, `task_ids` and `labels` (R, B) int64, each on the runs' device.
        """
        patches = self._patches(images)  # (R, B·n, p)
        L = self._encode(patches, labels.shape[1])  # (R, B, n, m)
        losses, dflat = self._learn_output(self._central.forward(L), task_ids, labels)
        if dflat is not None:
            led = self._lead(L)
            dL = self._central.backward(dflat, self._descent, wants_dL=self._learns("encoder"), led=led)
            if dL is not None:
                self._learn_encoder(L, patches, dL, led)
        self._descent.finish()
        return losses

    @torch.no_grad()
    def step_output(self, flat: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        """As `step`, of the images that `flat` (R, B, d) represents, for runs whose output MLP alone learns."""
        if self._learns("encoder") or self._learns("central"):
            raise NeuralError("only frozen runs learn from representations")
        losses, _ = self._learn_output(flat, task_ids, labels)
        self._descent.finish()
        return losses

    def _learn_output(self, flat: Tensor, task_ids: Tensor, labels: Tensor) -> tuple[Tensor, Tensor | None]:
        """Tells the descent the output MLP's gradients; the losses (R,), and the gradient of `flat` (R, B, d) if what
        comes before learns too."""
        descent, weights = self._descent, self._weights
        inputs = self._output_inputs(flat, task_ids)  # (R, B, d + task ids)
        hidden, logits = self._output(inputs)
        self._judged = logits, labels
        log_shares, wanted = logits.log_softmax(2), self._one_label[labels]  # (R, B, labels)
        B = labels.shape[1]
        losses = (log_shares * wanted).sum((1, 2)) / -B

        dlogits = log_shares.exp_().sub_(wanted).div_(B)
        dhidden = relu_gradient(hidden, torch.bmm(dlogits, weights["output.label_weight"].transpose(1, 2)))
        dflat = None
        if self._learns("central") or self._learns("encoder"):
            dinputs = torch.bmm(dhidden, weights["output.hidden_weight"].transpose(1, 2))
            dflat = dinputs[:, :, : -self.config.task_ids].contiguous()
        descent.product("output.label_weight", hidden, dlogits)
        descent.whole("output.label_bias", dlogits.sum(1))
        descent.product("output.hidden_weight", inputs, dhidden)
        descent.whole("output.hidden_bias", dhidden.sum(1))
        return losses, dflat

    def _learn_encoder(self, L: Tensor, patches: Tensor, dL: Tensor, led: Led | None) -> None:
        """Tells the descent the encoder's gradients."""
        f = self.config.filters
        dfeatures = relu_gradient(L[..., :f], dL[..., :f] if led is None else led.features.add_(dL[..., :f]))
        dfeatures = dfeatures.view(len(self), -1, f)
        dbias = dfeatures.sum(1)
        if led is not None:
            dbias += relu_gradient(self._weights["encoder.bias"], led.blank)
        self._descent.product("encoder.weight", dfeatures, patches)
        self._descent.whole("encoder.bias", dbias)

    def _lead(self, L: Tensor) -> Led | None:
        """The terms that lead masks and windows; None if there are none."""
        if not (self._coverage or self._centring):
            return None
        blank = self._weights["encoder.bias"].relu()
        features = L[..., : self.config.filters]
        led = lead(features, blank, self._central.masks, coverage=self._coverage, centring=self._centring)
        self._terms = led.loss
        return led

    def terms(self) -> float:
        """What the terms that lead masks and windows added to the last step's losses, all runs together."""
        return self._terms.sum().item()

    def right(self) -> Tensor:
        """How many answers of every run (R,) were right in the last step's batch, before that step."""
        logits, labels = self._judged
        return (logits.argmax(2) == labels).sum(1)

    @torch.no_grad()
    def represent(self, images: Tensor) -> Tensor:
        """What every run's central module makes of its `images` (R, N, S, S, 3): (R, N, d)."""
        flats = []
        for start in range(0, images.shape[1], IMAGES_AT_ONCE):
            part = images[:, start : start + IMAGES_AT_ONCE]
            flats.append(self._central.forward(self._encode(self._patches(part), part.shape[1])))
        return torch.cat(flats, dim=1)

    @torch.no_grad()
    def accuracy(self, flat: Tensor, task_ids: Tensor, labels: Tensor) -> Tensor:
        """Every run's share (R,) of right answers about the images that `flat` (R, N, d) represents; `task_ids` and
        `labels` (R, N)."""
        _, logits = self._output(self._output_inputs(flat, task_ids))
        return (logits.argmax(2) == labels).sum(1) / labels.shape[1]

    def _learns(self, part: str) -> bool:
        return self._descent.learns(self._central.prefix if part == "central" else "encoder.")

    def freeze(self, parts: Collection[str]) -> None:
        """Only what is not among `parts`, of `encoder` and `central`, learns from now on. Frozen parts cost no work
        backwards; {} thaws all."""
        prefixes = {"encoder": "encoder.", "central": self._central.prefix}
        if unknown := set(parts) - set(prefixes):
            raise NeuralError(f"cannot freeze {', '.join(sorted(unknown))}: choose from encoder and central")
        self._descent.frozen = tuple(prefixes[part] for part in parts)

    def reset_output(self, seeds: Sequence[int]) -> None:
        """Gives every run's output MLP new weights, run r's drawn from seeds[r]."""
        for run, seed in enumerate(self._one_each(seeds)):
            fresh = OutputMLP(self.config, generator=torch.Generator().manual_seed(seed))
            for name, tensor in fresh.state_dict().items():
                self._weights[f"output.{name}"][run] = tensor
        self._descent.forget("output.")

    def network(self, index: int) -> RelationsNetwork:
        """Run `index` as a plain network on the CPU, with a copy of its weights."""
        network = RelationsNetwork(self.config)
        network.load_state_dict({name: weight[index] for name, weight in self._weights.items()})
        return network

    def state(self) -> dict[str, Tensor]:
        """All that is needed to go on: every weight by its name in the network, (R, ...), and Adam's moments."""
        moments = {MOMENTS + name: tensor for name, tensor in self._descent.state().items()}
        return {name: tensor.detach().to("cpu", copy=True) for name, tensor in (self._weights | moments).items()}

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Goes on from a `state`; CheckpointError if it is of other runs. What is frozen stays so."""
        for name, weight in self._weights.items():
            if name not in state:
                raise CheckpointError(f"not a state of these runs: no {name}")
            if state[name].shape != weight.shape:
                found, wanted = tuple(state[name].shape), tuple(weight.shape)
                raise CheckpointError(f"not a state of these runs: {name} is {found}, these have {wanted}")
        for name, weight in self._weights.items():
            weight.copy_(state[name])
        self._descent.load({key.removeprefix(MOMENTS): state[key] for key in state if key.startswith(MOMENTS)})

    def _one_each(self, seeds: Sequence[int]) -> Sequence[int]:
        if len(seeds) != len(self):
            raise NeuralError(f"{len(seeds)} seeds for {len(self)} runs")
        return seeds

    def _patches(self, images: Tensor) -> Tensor:
        """The pixels (R, B·n, p) of every window of `images` (R, B, S, S, 3), 0–1: row, column, channel."""
        size, stride = self.config.filter_size, self.config.stride
        rows = images.flatten(3)  # (R, B, S, 3S): a row of a window is one piece of a row of the image
        windows = rows.unfold(2, size, stride).unfold(3, 3 * size, 3 * stride)  # (R, B, s, s, F, 3F)
        # Copied as bytes, of which there are a quarter as many, and turned into numbers after.
        patches = windows.reshape(len(images), -1, size * size * 3)
        return patches.to(torch.float32).mul_(1 / PIXEL_SCALE)

    def _encode(self, patches: Tensor, B: int) -> Tensor:
        """L (R, B, n, m) of `patches` (R, B·n, p)."""
        R, n, f = len(patches), len(self._places), self.config.filters
        bias = self._weights["encoder.bias"][:, None]
        features = torch.baddbmm(bias, patches, self._filters.transpose(1, 2)).relu_()  # (R, B·n, f)
        return torch.cat([features.view(R, B, n, f), self._places.expand(R, B, -1, -1)], dim=3)

    def _output_inputs(self, flat: Tensor, task_ids: Tensor) -> Tensor:
        """`flat` (R, B, d) with the one-hot `task_ids` (R, B) behind it."""
        return torch.cat([flat, self._one_hot[task_ids]], dim=2)

    def _output(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Hidden units (R, B, h) and logits (R, B, labels) of the output MLP."""
        weights = self._weights
        hidden = torch.baddbmm(weights["output.hidden_bias"][:, None], inputs, weights["output.hidden_weight"]).relu_()
        return hidden, torch.baddbmm(weights["output.label_bias"][:, None], hidden, weights["output.label_weight"])
