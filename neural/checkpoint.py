"""Checkpoints: one safetensors file with the weights and, in its header, all that made them.

The file's metadata has one key of this program, `predinet-prolog`, whose value is a JSON object:

- `format`: 1
- `network`: the fields of NetworkConfig
- `training`: the fields of TrainingConfig
- `accuracies`: {kind of things: {task: share of right answers}}, measured when training ended
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from predinet_prolog.domains import load_domain
from predinet_prolog.domains.domain import Board, board
from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.neural import models
from predinet_prolog.neural.config import ARCHITECTURES, NetworkConfig, weight_shapes
from predinet_prolog.neural.errors import CheckpointError, ModelNotFoundError, NeuralError
from predinet_prolog.neural.graph import Graph
from predinet_prolog.neural.model import Model as AnyModel
from predinet_prolog.neural.recipes import RENAMED, TrainingConfig, task_offsets

if TYPE_CHECKING:
    from torch import Tensor

    from predinet_prolog.neural.network import RelationsNetwork

Weights = Mapping[str, NDArray[Any]]
"""Arrays by their names, those of PyTorch's tensors."""
SUFFIX = ".safetensors"
GRAPH_SUFFIX = ".onnx"
"""Of the graph beside a checkpoint."""
FORMAT = 1
METADATA_KEY = "predinet-prolog"


@dataclass(frozen=True)
class Model(AnyModel):
    name: str
    path: Path
    config: NetworkConfig
    weights: Weights
    """Of the shapes that `weight_shapes(config)` gives, and of parts that other packages bring."""
    training: TrainingConfig
    accuracies: Mapping[str, Mapping[str, float]]
    sha256: str

    def __repr__(self) -> str:  # without the weights
        return f"{self.name}: {self._kind}, trained on {', '.join(self.training.tasks)}"

    @property
    def _kind(self) -> str:
        return ARCHITECTURES.get(self.config.architecture, self.config.architecture)

    @cached_property
    def domain(self) -> Board:
        return board(load_domain(self.training.domain))

    @cached_property
    def graph(self) -> Graph:
        """The network that looks at images, in double precision: for all but its answers to tasks.

        NeuralError if it is one of the paper's baselines: they have no attention masks that pick objects.
        """
        if self.config.architecture != "predinet":
            raise NeuralError(
                f"the model {self.name} is a {self._kind}: it has no propositions to export; "
                "choose a model that is a PrediNet"
            )
        # The graph of a brought encoder is of the code that is installed: a file of it might be of another.
        path = None if self.config.brought_encoder else self.path.with_suffix(GRAPH_SUFFIX)
        return Graph(self.config, self.weights, path)

    kind: ClassVar[str] = "windows"

    @property
    def place(self) -> str:
        """How it counts places: its windows, each a stride after the one before, from 0 on to below 1."""
        config = self.config
        return f"({config.image_size}*Px/W - {config.filter_size / 2:g})/{config.stride * config.side}"

    @property
    def axes(self) -> Mapping[str, int]:
        """Its relations, which nobody told what to compare by."""
        return {"": self.config.relations}

    @property
    def tasks(self) -> Sequence[str]:
        return self.training.tasks

    @property
    def heads(self) -> int:
        """k of a PrediNet; the paper's baselines pick no pairs."""
        return self.config.heads if self.config.architecture == "predinet" else 0

    @property
    def slopes(self) -> NDArray[np.float64]:
        """(j, 2): what x and y weigh in each relation."""
        return self.graph.slopes

    @cached_property
    def network(self) -> "RelationsNetwork":
        # PyTorch takes a second and more to import: who only looks at images does without.
        import torch

        from predinet_prolog.neural.network import RelationsNetwork

        network = RelationsNetwork(self.config)
        try:
            network.load_state_dict({name: torch.from_numpy(weight) for name, weight in self.weights.items()})
        except RuntimeError as error:
            raise CheckpointError(
                f"{self.path} has other weights than the parts that packages bring: {error}"
            ) from error
        return network.eval().requires_grad_(False)

    def task_offset(self, task: str) -> int:
        """Where `task`'s ids begin in the one-hot task id; NeuralError if it was not trained."""
        if task not in self.training.tasks:
            names = ", ".join(self.training.tasks)
            raise NeuralError(f"the model {self.name} was never trained on {task}; its tasks are {names}")
        return task_offsets(self.domain, self.training.tasks)[task]


def shipped_models() -> dict[str, Path]:
    """The checkpoints that come with the project, by name."""
    folder = Path(models.__file__).parent
    return {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))}


def load_model(name_or_path: str | Path) -> Model:
    """The shipped model of that name, or the one in that file.

    Raises ModelNotFoundError where there is neither, CheckpointError where the file is not a sound checkpoint.
    """
    return _read(checkpoint_path(name_or_path))


def checkpoint_path(name_or_path: str | Path) -> Path:
    """The file of the shipped model of that name, or the file itself; errors as those of `load_model`, but for what is
    in it."""
    shipped = shipped_models()
    path = shipped.get(str(name_or_path), Path(name_or_path))
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        is_folder = is_file = False
    if is_folder:
        raise CheckpointError(f"{path} is a folder; name the .safetensors file in it")
    if not is_file:
        raise ModelNotFoundError(f"no model {name_or_path}: neither a file nor a shipped model ({', '.join(shipped)})")
    return path


def _read(path: Path) -> Model:
    metadata, weights = read_arrays(path)
    if "network" not in metadata and metadata.keys() & {"glimpses", "detector"}:
        raise CheckpointError(f"{path} is a model for pictures of any size: it is no PrediNet")
    try:
        config = NetworkConfig(**metadata["network"])
        _check_types(config)
        fields = {RENAMED.get(name, name): value for name, value in metadata["training"].items()}
        training = TrainingConfig(**{**fields, "tasks": tuple(_tasks(fields["tasks"]))})
        _check_types(training)
        domain = board(load_domain(training.domain))
        _check_network(config, domain)
        _check_room(config, training, domain)
        accuracies = metadata["accuracies"]
        _check_accuracies(accuracies)
        brought = {name: array.shape for name, array in weights.items() if name.startswith(config.brought)}
        check_weights(weights, weight_shapes(config) | brought, "float32")
    except (KeyError, TypeError, ValueError, ArithmeticError, NeuralError) as error:
        raise CheckpointError(f"{path} does not hold the network its header describes: {error}") from error
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Model(path.stem, path, config, weights, training, accuracies, digest)


def _check_network(config: NetworkConfig, domain: Board) -> None:
    """Raises ValueError for a shape that no network on pictures of the domain can have."""
    for field in fields(config):
        if field.type is int and getattr(config, field.name) < (field.name not in ("background", "margin")):
            raise ValueError(f"{field.name} is {getattr(config, field.name)}")
    if config.image_size != domain.picture.height:
        size = domain.picture.height
        raise ValueError(f"image_size is {config.image_size}; pictures of {domain.name} have {size} pixels")
    if config.aligned and config.filter_size < (least := config.alignment.margin + config.alignment.frame):
        raise ValueError(f"filter_size is {config.filter_size}; an aligned encoder needs {least}")


def _check_types(config: NetworkConfig | TrainingConfig) -> None:
    """Raises TypeError if a field is not of its type: 6.0 would do for 6 until something is counted."""
    for field in fields(config):
        value = getattr(config, field.name)
        kinds = (int, float) if field.type is float else (field.type, tuple)  # no JSON value is a tuple: it is ours
        if type(value) not in kinds:
            raise TypeError(f"{field.name} is {value!r}")


def _tasks(value: object) -> list[str]:
    """`value`, if it is names of tasks; else TypeError."""
    if not isinstance(value, list) or not value or not all(isinstance(task, str) for task in value):
        raise TypeError(f"tasks is {value!r}")
    return value


def _check_room(config: NetworkConfig, training: TrainingConfig, domain: Board) -> None:
    """Raises ValueError if the network cannot be asked, or cannot answer, what it was trained on."""
    infos = [domain.task(task) for task in training.tasks]
    if sum(info.task_ids for info in infos) > config.task_ids or max(info.labels for info in infos) > config.labels:
        raise ValueError(
            f"task_ids is {config.task_ids} and labels {config.labels}, too few for {', '.join(training.tasks)}"
        )


def _check_accuracies(value: object) -> None:
    """Raises TypeError if `value` is not as Model.accuracies."""
    if not isinstance(value, dict) or not all(isinstance(tasks, dict) for tasks in value.values()):
        raise TypeError(f"accuracies is {value!r}")
    for share in chain.from_iterable(tasks.values() for tasks in value.values()):
        if type(share) not in (int, float):
            raise TypeError(f"an accuracy is {share!r}")


def check_weights(weights: Weights, shapes: Mapping[str, tuple[int, ...]], precision: str) -> None:
    """Raises ValueError if the weights are not those of `shapes` in that precision, or not all numbers."""
    for name in sorted(shapes.keys() | weights.keys()):
        if name not in weights or name not in shapes:
            raise ValueError(f"{name} is {'missing' if name in shapes else 'of no use there'}")
        array, wanted = weights[name], shapes[name]
        if array.shape != wanted:
            raise ValueError(f"{name} is {array.shape}, not {wanted}")
        if array.dtype != precision:
            raise ValueError(f"{name} is {array.dtype}, not {precision}")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} has values that are no numbers: its training went astray")


def save_model(
    path: Path, network: "RelationsNetwork", training: TrainingConfig, accuracies: Mapping[str, Mapping[str, float]]
) -> None:
    """Writes a checkpoint, whole or not at all. Its graph is made and written beside it when it is first asked for.

    Same weights, same configuration: same bytes.
    """
    metadata = {"network": asdict(network.config), "training": asdict(training), "accuracies": accuracies}
    write_arrays(path, metadata, weights_of(network))


def weights_of(network: "RelationsNetwork") -> Weights:
    return {name: weight.cpu().numpy() for name, weight in network.state_dict().items()}


def read_arrays(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Our metadata and all arrays of a file; CheckpointError if it is foreign, damaged or of another format."""
    try:
        with safe_open(path, framework="np") as file:
            header = file.metadata() or {}
            if METADATA_KEY not in header:
                raise CheckpointError(
                    f"{path} is a safetensors file of another program: no '{METADATA_KEY}' in its header"
                )
            arrays = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 (not a dict)
    except SafetensorError as error:
        hint = "" if path.suffix == SUFFIX else f": name a {SUFFIX} file or a shipped model"
        raise CheckpointError(f"{path} is not a safetensors file, or a damaged one{hint}") from error
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}") from error
    except (TypeError, AttributeError) as error:
        raise CheckpointError(f"{path} has numbers of a kind that is not read here: {error}") from error
    try:
        metadata = json.loads(header[METADATA_KEY])
        version = metadata["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CheckpointError(f"{path} has a damaged '{METADATA_KEY}' entry in its header") from error
    if version != FORMAT:
        raise CheckpointError(f"{path} is of format {version}; this program reads format {FORMAT}")
    return metadata, arrays


def write_arrays(path: Path, metadata: Mapping[str, Any], arrays: Weights) -> None:
    """Writes `arrays` and `metadata` so that `path` is always a whole file."""
    text = json.dumps({"format": FORMAT, **metadata}, sort_keys=True)
    whole = {key: np.asarray(array, order="C") for key, array in arrays.items()}
    write_atomically(path, save(whole, metadata={METADATA_KEY: text}))


def part_of(weights: Weights, network: str) -> "dict[str, Tensor]":
    """The weights of a `network`, which its name and a dot go before, as PyTorch has them."""
    import torch

    prefix = f"{network}."
    parts = {name.removeprefix(prefix): value for name, value in weights.items() if name.startswith(prefix)}
    return {name: torch.from_numpy(value.copy()) for name, value in parts.items()}
