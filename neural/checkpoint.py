"""Checkpoints: one safetensors file with the weights and, in its header, all that made them.

The file's metadata has one key of ours, `predinet-prolog`, whose value is a JSON object:

- `format`: 1
- `network`: the fields of NetworkConfig
- `training`: the fields of TrainingConfig
- `accuracies`: {object set: {task: share of right answers}}, measured when training ended
"""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from neural import models
from neural.errors import CheckpointError, ModelNotFoundError, NeuralError
from neural.network import NetworkConfig, RelationsNetwork
from neural.recipes import TrainingConfig, task_offsets

FORMAT = 1
METADATA_KEY = "predinet-prolog"


@dataclass(frozen=True)
class Model:
    """A trained network and what is known of it."""

    name: str
    """A shipped model's name, else the file's name without its ending."""
    path: Path
    network: RelationsNetwork
    training: TrainingConfig
    accuracies: Mapping[str, Mapping[str, float]]
    """{object set: {task: accuracy 0–1}}, measured when training ended."""
    sha256: str
    """Of the checkpoint's bytes, 64 hexadecimal digits."""

    @property
    def config(self) -> NetworkConfig:
        """The network's shape."""
        return self.network.config

    @cached_property
    def precise(self) -> RelationsNetwork:
        """The network in double precision: the digits that are printed of an image do not depend on the other images
        of its batch, nor, but for the rarest rounding, on the machine."""
        return deepcopy(self.network).double()

    @cached_property
    def task_offsets(self) -> Mapping[str, int]:
        """The one-hot place of each trained task's first id."""
        return task_offsets(self.training.tasks)

    def task_offset(self, task: str) -> int:
        """Where `task`'s ids begin in the one-hot task id; NeuralError if it was not trained."""
        try:
            return self.task_offsets[task]
        except KeyError:
            known = ", ".join(self.training.tasks)
            raise NeuralError(f"the model {self.name} was never trained on {task}; its tasks are {known}") from None


def shipped_models() -> dict[str, Path]:
    """The checkpoints that come with the project, by name."""
    folder = Path(models.__file__).parent
    return {path.stem: path for path in sorted(folder.glob("*.safetensors"))}


def load_model(name_or_path: str | Path) -> Model:
    """The shipped model of that name, or the one in that file.

    Raises ModelNotFoundError where there is neither, CheckpointError where the file is not a sound checkpoint.
    """
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
    return _read(path)


def _read(path: Path) -> Model:
    metadata, tensors = read_tensors(path)
    try:
        config = NetworkConfig(**metadata["network"])
        training = TrainingConfig(**{**metadata["training"], "tasks": tuple(metadata["training"]["tasks"])})
        accuracies = metadata["accuracies"]
        network = RelationsNetwork(config)
        network.load_state_dict(tensors)
    except (KeyError, TypeError, ValueError, RuntimeError, ArithmeticError) as error:
        detail = str(error).splitlines()[0]
        raise CheckpointError(f"{path} does not hold the network its header describes: {detail}") from error
    network.eval().requires_grad_(False)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Model(path.stem, path, network, training, accuracies, digest)


def save_model(
    path: Path,
    network: RelationsNetwork,
    training: TrainingConfig,
    accuracies: Mapping[str, Mapping[str, float]],
) -> None:
    """Writes a checkpoint, whole or not at all. Same weights, same configuration: same bytes."""
    metadata = {
        "network": asdict(network.config),
        "training": asdict(training),
        "accuracies": accuracies,
    }
    write_tensors(path, metadata, dict(network.state_dict()))


def read_tensors(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Our metadata and all tensors of a file; CheckpointError if it is foreign, damaged or of another format."""
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 (not a dict)
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path} is not a safetensors file, or a damaged one: {error}") from error
    if METADATA_KEY not in header:
        raise CheckpointError(f"{path} is a safetensors file of another program: no '{METADATA_KEY}' in its header")
    try:
        metadata = json.loads(header[METADATA_KEY])
        version = metadata["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} has a damaged '{METADATA_KEY}' entry in its header") from error
    if version != FORMAT:
        raise CheckpointError(f"{path} is of format {version}; this program reads format {FORMAT}")
    return metadata, tensors


def write_tensors(path: Path, metadata: Mapping[str, Any], tensors: dict[str, Tensor]) -> None:
    """Writes `tensors` and `metadata` so that `path` is always a whole file: beside it first, then renamed."""
    text = json.dumps({"format": FORMAT, **metadata}, sort_keys=True)
    whole = {key: tensor.detach().cpu().contiguous() for key, tensor in tensors.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(save(whole, metadata={METADATA_KEY: text}))
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise
