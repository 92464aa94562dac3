"""What this project asks of safetensors, which is no pure Python: files of tensors are read."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}


class SafetensorError(Exception):
    """The file is none, or a damaged one."""


class safe_open:  # noqa: N801 (the name there)
    """A file: eight bytes with the length of a header, the header, which is JSON, and the tensors' bytes."""

    def __init__(self, path: Path, framework: str) -> None:
        data = path.read_bytes()
        start = 8 + int.from_bytes(data[:8], "little")
        self._header = json.loads(data[8:start])
        self._metadata = self._header.pop("__metadata__", None)
        self._data = data[start:]

    def __enter__(self) -> "safe_open":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def metadata(self) -> dict[str, str] | None:
        return self._metadata

    def keys(self) -> Iterable[str]:
        return self._header

    def get_tensor(self, name: str) -> NDArray[Any]:
        told = self._header[name]
        start, end = told["data_offsets"]
        return np.frombuffer(self._data[start:end], _TYPES[told["dtype"]]).reshape(told["shape"])
