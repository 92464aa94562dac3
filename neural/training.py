"""Training: one visible loop, resumable, that stops at the first bad loss."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from predinet_prolog.domains import load_domain
from predinet_prolog.domains.domain import Spoilt, board
from predinet_prolog.neural.attribute_loss import AttributeLoss
from predinet_prolog.neural.auxiliary_losses import auxiliary_loss
from predinet_prolog.neural.checkpoint import Model, load_model, save_model
from predinet_prolog.neural.config import NetworkConfig
from predinet_prolog.neural.errors import OtherRunError
from predinet_prolog.neural.network import RelationsNetwork
from predinet_prolog.neural.optimiser import Optimiser
from predinet_prolog.neural.recipes import RELATIONS, TrainingConfig, task_offsets
from predinet_prolog.neural.states import alone, diverged, going_on_from, read_state, save_step, tell_going_on
from predinet_prolog.neural.threads import fastest_device, one_thread

STATE_FILE = "state.safetensors"
MODEL_FILE = "model.safetensors"
STEPS_PER_CHUNK = 50
"""Training images are made this many batches at a time."""
STEPS_PER_SAVE = 500
TEST_SEED = 1_000_003
"""Images that measure a model come from seeds that no training run uses."""
TEST_IMAGES = 5_000


@dataclass(frozen=True)
class Progress:
    """Where a run is, reported after every chunk of steps."""

    step: int
    steps: int
    loss: float
    """Mean cross entropy over the last chunk."""
    accuracy: float
    """Share of right answers over the last chunk's training images."""


@one_thread()
@alone
def train(
    network_config: NetworkConfig,
    config: TrainingConfig,
    folder: Path,
    *,
    report: Callable[[Progress], None] = lambda progress: None,
) -> Model:
    """Trains one network and writes `folder`/model.safetensors.

    While it runs, `folder`/state.safetensors holds all that is needed to go on. A run that was interrupted goes
    on from there, and on the same machine ends with the same weights as one that was not.

    Raises TrainingDivergedError if the loss becomes NaN or infinite (the last good state stays), and
    CheckpointError if the folder holds a run of another configuration.
    """
    where = fastest_device()
    network = RelationsNetwork(network_config, generator=torch.Generator().manual_seed(config.seed)).to(where)
    learner = Learner(network, config)
    state = folder / STATE_FILE
    step = _resume(state, learner, network_config, config)

    network.train()
    while step < config.steps:
        losses, right = list[float](), 0
        for images, task_ids, labels in _batches(config, step, where):
            judged = learner.learn(step, images, task_ids, labels)
            if not np.isfinite(judged.loss):
                raise diverged(f"the loss became {judged.loss} at step {step + 1}", state)
            step += 1
            losses.append(judged.cross_entropy)
            right += judged.right
        if step % STEPS_PER_SAVE == 0 or step == config.steps:
            save_step(state, _state_metadata(network_config, config), step, learner.optimiser.state())
        report(Progress(step, config.steps, sum(losses) / len(losses), right / len(losses) / config.batch))

    network.eval()
    accuracies = measure(network, config)
    path = folder / MODEL_FILE
    save_model(path, network, config, accuracies)
    return load_model(path)


@dataclass(frozen=True)
class Judged:
    """What a network made of a batch, before it learned from it."""

    loss: float
    cross_entropy: float
    """The part of the loss that is the paper's."""
    right: int
    """Images answered right."""


class Learner:
    """Trains a network batch by batch, as a TrainingConfig says; what requires no gradient stays as it is."""

    def __init__(self, network: RelationsNetwork, config: TrainingConfig) -> None:
        self._network, self._config = network, config
        self.optimiser = Optimiser(network, config.optimiser, {RELATIONS: config.relations_rate})
        self._attributes = None
        if config.attribute_loss:
            domain = board(load_domain(config.domain))
            self._attributes = AttributeLoss(network, domain, config.objects, augmented=config.augmented)

    def learn(self, step: int, images: Tensor, task_ids: Tensor, labels: Tensor) -> Judged:
        """Takes step number `step` on images (B, S, S, 3), 0–255, task ids and labels (B,). After a bad loss the
        weights may be anything."""
        network, config = self._network, self._config
        output = network(images, task_ids)
        loss = cross_entropy = functional.cross_entropy(output.logits, labels)
        if config.coverage or config.centring:
            blank = network.encoder.blank_features()
            loss = loss + auxiliary_loss(output, blank, coverage=config.coverage, centring=config.centring)
        if self._attributes:
            loss = loss + config.attribute_loss * self._attributes((config.seed, step), 1 - step / config.steps)
        network.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimiser.step(_learning_rate(config, step))
        return Judged(loss.item(), cross_entropy.item(), int((output.logits.argmax(1) == labels).sum()))


def measure(network: RelationsNetwork, config: TrainingConfig) -> dict[str, dict[str, float]]:
    """Accuracy of the network's own answers on fresh images: {kind of things: {task: 0–1}}."""
    domain = board(load_domain(config.domain))
    return {
        kind: {
            task: float(np.mean(predict(network, drawn.images, drawn.task_ids + offset) == drawn.labels))
            for task, offset in task_offsets(domain, config.tasks).items()
            if kind in domain.task(task).kinds
            for drawn in [domain.generate(task, TEST_IMAGES, kind=kind, seed=TEST_SEED)]
        }
        for kind in domain.kinds
    }


@one_thread()
def predict(network: RelationsNetwork, images: np.ndarray, task_ids: np.ndarray) -> np.ndarray:
    """The network's labels (N,) for `images` (N, S, S, 3), 0–255, and one-hot places `task_ids` (N,)."""
    where = network.encoder.weight.device
    labels = []
    with torch.inference_mode():
        for start in range(0, len(images), 500):
            batch = torch.from_numpy(images[start : start + 500]).to(where)
            ids = torch.from_numpy(task_ids[start : start + 500]).to(where)
            labels.append(network(batch, ids).logits.argmax(1).cpu().numpy())
    return np.concatenate(labels) if labels else np.zeros(0, dtype=np.int64)


def _batches(config: TrainingConfig, step: int, where: torch.device) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Images, task ids and labels of the batches from `step` to the end of its chunk.

    A chunk depends on the seed and its own number alone, so that a resumed run sees the same images.
    """
    chunk, first = divmod(step, STEPS_PER_CHUNK)
    last = min(STEPS_PER_CHUNK, config.steps - chunk * STEPS_PER_CHUNK)
    images, task_ids, labels = (torch.from_numpy(array).to(where) for array in _chunk(config, chunk))
    for index in range(first, last):
        batch = slice(index * config.batch, (index + 1) * config.batch)
        yield images[batch], task_ids[batch], labels[batch]


def _chunk(config: TrainingConfig, chunk: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Images, task ids and labels of a whole chunk, the tasks mixed in equal parts."""
    total = STEPS_PER_CHUNK * config.batch
    tasks = len(config.tasks)
    share = -(-total // tasks)
    parts = []
    domain = board(load_domain(config.domain))
    spoilt: Spoilt = "mixed" if config.augmented else None
    for task, offset in task_offsets(domain, config.tasks).items():
        seed = (config.seed, chunk, offset)
        drawn = domain.generate(task, share, kind=config.objects, seed=seed, spoilt=spoilt)
        parts.append((drawn.images, drawn.task_ids + offset, drawn.labels))
    images, task_ids, labels = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    order = np.random.default_rng((config.seed, chunk)).permutation(len(images))[:total]
    return images[order], task_ids[order], labels[order]


def _learning_rate(config: TrainingConfig, step: int) -> float:
    if not config.decay:
        return config.learning_rate
    return config.learning_rate * 0.5 * (1 + float(np.cos(np.pi * step / config.steps)))


def _resume(path: Path, learner: Learner, network_config: NetworkConfig, config: TrainingConfig) -> int:
    """Lets `learner` go on from the saved state, if there is one; the number of steps it had done."""
    if not path.exists():
        return 0
    with going_on_from(path):
        metadata, tensors = read_state(path)
        expected = json.loads(json.dumps(_state_metadata(network_config, config)))
        for part, values in expected.items():
            for name, value in values.items():
                value_there = metadata[part].get(name, "not said")
                if value_there != value:
                    raise OtherRunError(
                        f"{path} is of another run ({name} was {value_there}, now {value}): "
                        "train with the same options and version to go on with it, or into another folder"
                    )
        learner.optimiser.load(tensors)
        step = int(metadata["step"])
    tell_going_on(path, step, config.steps)
    return step


def _state_metadata(network_config: NetworkConfig, config: TrainingConfig) -> dict[str, Mapping[str, object]]:
    return {"network": asdict(network_config), "training": asdict(config)}
