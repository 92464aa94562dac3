"""The trained networks without PyTorch: graphs on onnxruntime that are given their weights when they are loaded."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from domains.writing import write_atomically
from neural.glimpses.config import REACH, STRIDE, GlimpseConfig
from neural.glimpses.ground import field

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Floats = NDArray[np.float32]
VERSION = 1
"""Of what the graphs compute: those of another version are made again."""
FATAL = 4
"""onnxruntime's level of messages that are written; its errors are raised as well."""


class GlimpseGraph:
    """Finds and compares with trained networks, on one thread."""

    def __init__(self, config: GlimpseConfig, weights: Mapping[str, NDArray[np.floating]], path: Path | None) -> None:
        """`weights` by their names, those of the finder after `finder.`, of the comparator after `comparator.`. Graphs
        that are not beside `path`, the checkpoint's, are made by PyTorch and written there if that can be done."""
        self._sessions = [_session(_graph(kind, config, path), kind, weights) for kind in ("finder", "comparator")]

    def find(self, picture: NDArray[np.uint8], plane: NDArray[np.floating]) -> tuple[Floats, Floats]:
        """The finder's heads (8, h, w) and its doubt (rows, columns), as logits and pixels, of `picture` (H, W, 3)
        whose ground is `plane` (3, 3). Places beyond the picture are cut off."""
        height, width = picture.shape[:2]
        beyond = ((0, -height % REACH), (0, -width % REACH), (0, 0))
        pixels = np.pad(picture, beyond, mode="edge").astype(np.float32)
        ground = np.pad(field(plane, height, width), beyond, mode="edge")
        inputs = np.concatenate([pixels / 128 - 1, (pixels - ground) / 64], axis=2).transpose(2, 0, 1)[None]
        heads, doubt = self._sessions[0].run(None, {"inputs": np.ascontiguousarray(inputs)})
        return heads[0, :, : -(-height // STRIDE), : -(-width // STRIDE)], doubt[0]

    def compare(self, glimpses: Floats) -> tuple[Floats, Floats]:
        """Masks (G, SIDE, SIDE), as logits, and co-ordinates (G, j) of `glimpses` (G, 7, SIDE, SIDE)."""
        mask, coordinates = self._sessions[1].run(None, {"inputs": glimpses})
        return mask, coordinates


def graph_path(path: Path, kind: str) -> Path:
    """Where the graph of the finder or the comparator lies, beside the checkpoint `path`."""
    return path.with_suffix(f".{kind}.onnx")


def digest(config: GlimpseConfig) -> str:
    """Of all that fixes the graphs, which have it among their metadata."""
    return sha256(repr((VERSION, tuple(config.widths), tuple(config.groups.items()))).encode()).hexdigest()


def _graph(kind: str, config: GlimpseConfig, path: Path | None) -> bytes:
    """The graph beside `path`; made anew where there is none of that configuration."""
    mark = b"\n" + digest(config).encode()
    if path:
        with suppress(OSError):
            kept = graph_path(path, kind).read_bytes()
            if kept.endswith(mark):
                return kept.removesuffix(mark)
    # PyTorch takes a second and more to import: who has the graphs does without.
    from neural.glimpses import export

    make: Callable[[GlimpseConfig], bytes] = getattr(export, f"{kind}_graph")
    graph = make(config)
    if path:
        with suppress(OSError):
            write_atomically(graph_path(path, kind), graph + mark)
    return graph


def _session(graph: bytes, kind: str, weights: Mapping[str, NDArray[Any]]) -> "InferenceSession":
    import onnxruntime  # it takes a while to import: who looks at nothing does without

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # work is shared between processes
    options.log_severity_level = FATAL
    names = [name for name in weights if name.startswith(f"{kind}.")]
    values = [
        onnxruntime.OrtValue.ortvalue_from_numpy(np.ascontiguousarray(weights[name], dtype=np.float32))
        for name in names
    ]
    options.add_external_initializers(names, values)
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
