"""The trained networks without PyTorch: graphs on onnxruntime that are given their weights when they are loaded."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.neural.glimpses.config import REACH, SIDE, STRIDE, GlimpseConfig, graph_digest
from predinet_prolog.neural.glimpses.ground import field
from predinet_prolog.neural.sessions import open_session

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Weights = Mapping[str, NDArray[np.floating]]
KINDS = ("finder", "comparator")
EXPORT = {"finder": "glimpses", "comparator": "glimpses", "reader": "detector"}
"""Where in `neural` the export is that makes the graph of each."""
PRECISION = {"finder": np.float32, "comparator": np.float64, "reader": np.float32}
"""What each computes in."""
BATCH = 8
"""Glimpses that are compared at once. onnxruntime keeps the memory that the most ever took, 1.1 MiB a glimpse; more at
once take longer, not less."""

UPRIGHT = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
"""The pixels of a glimpse by their numbers."""


class GlimpseGraph:
    """Finds and compares with trained networks, on one thread; several threads may ask at once."""

    def __init__(self, config: GlimpseConfig, weights: Weights, path: Path | None) -> None:
        """`weights` are those of `weight_shapes`. Graphs that are not beside `path`, the checkpoint's, are made by
        PyTorch and written there if that can be done."""
        self._relations = sum(config.groups.values())
        self._finder, self._comparator = (
            open_graph(kind, config, graph_digest(config), weights, path) for kind in KINDS
        )

    def find(self, picture: NDArray[np.uint8], plane: NDArray[np.floating]) -> tuple[Floats, Floats]:
        """The finder's heads (8, h, w) and its doubt (rows, columns), as logits and pixels, of `picture` (H, W, 3)
        whose ground is `plane` (3, 3). Places beyond the picture are cut off."""
        height, width = picture.shape[:2]
        heads, doubt = self._finder.run(None, {"inputs": finder_inputs(picture, plane)})
        return heads[0, :, : -(-height // STRIDE), : -(-width // STRIDE)], doubt[0]

    def compare(
        self, glimpses: Singles, upright: NDArray[np.int64] = UPRIGHT, evidence: Singles | float = 0.0
    ) -> tuple[Floats, Floats]:
        """Masks (G, SIDE, SIDE), as logits, and co-ordinates (G, j) of `glimpses` (G, 7, SIDE, SIDE), whose pixels
        `upright` (SIDE, SIDE) lie as in their picture; `evidence` as the comparator has it."""
        evidence = np.broadcast_to(np.float32(evidence), (len(glimpses), SIDE, SIDE))
        masks, coordinates = np.empty((len(glimpses), SIDE, SIDE)), np.empty((len(glimpses), self._relations))
        for start in range(0, len(glimpses), BATCH):
            batch = slice(start, start + BATCH)
            inputs = {"inputs": glimpses[batch], "upright": upright.ravel(), "evidence": evidence[batch]}
            masks[batch], coordinates[batch] = self._comparator.run(None, inputs)
        return masks, coordinates


def finder_inputs(picture: NDArray[np.uint8], plane: NDArray[np.floating]) -> NDArray[np.float32]:
    """(1, 6, H, W): what a finder looks at, of `picture` (H, W, 3) whose ground is `plane` (3, 3); its edges go on
    until its sides are multiples of REACH."""
    height, width = picture.shape[:2]
    beyond = ((0, -height % REACH), (0, -width % REACH), (0, 0))
    pixels = np.pad(picture, beyond, mode="edge").astype(np.float32)
    ground = np.pad(field(plane, height, width), beyond, mode="edge")
    inputs = np.concatenate([pixels / 128 - 1, (pixels - ground) / 64], axis=2).transpose(2, 0, 1)[None]
    return np.ascontiguousarray(inputs)


def logistic(x: NDArray[np.floating]) -> Floats:
    """Probabilities of logits."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x.astype(np.float64)))


def graph_path(path: Path, kind: str) -> Path:
    """Where the graph of the finder or the comparator lies, beside the checkpoint `path`."""
    return path.with_suffix(f".{kind}.onnx")


def open_graph(kind: str, config: object, digest: str, weights: Weights, path: Path | None) -> Any:
    """The graph beside `path`, opened with the weights of its `kind`; made anew, as `config` says, where there
    is none of that digest."""

    def make() -> bytes:
        # PyTorch takes a second and more to import: who has the graphs does without.
        export = import_module(f"predinet_prolog.neural.{EXPORT[kind]}.export")
        graph: bytes = getattr(export, f"{kind}_graph")(config, digest)
        return graph

    names = [name for name in weights if name.startswith(f"{kind}.")]
    arrays = {name: np.ascontiguousarray(weights[name], dtype=PRECISION[kind]) for name in names}
    return open_session(path and graph_path(path, kind), digest, make, arrays)
