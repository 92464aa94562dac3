"""States: what a training that was interrupted goes on from. Files as checkpoints are, of PyTorch's tensors."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from neural.checkpoint import read_arrays, write_arrays


def read_state(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Metadata and tensors, on the CPU; CheckpointError if the file is foreign, damaged or of another format."""
    metadata, arrays = read_arrays(path)
    return metadata, {name: torch.from_numpy(array) for name, array in arrays.items()}


def write_state(path: Path, metadata: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Writes `tensors` and `metadata` so that `path` is always a whole file."""
    write_arrays(path, metadata, {name: tensor.detach().cpu().numpy() for name, tensor in tensors.items()})
