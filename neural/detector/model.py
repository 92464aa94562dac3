"""A trained detector, and its checkpoint: weights in half precision, in the header what made them.

The file's metadata has the key of every checkpoint, whose value is a JSON object:

- `format`: that of every checkpoint
- `detector`: fields of DetectorConfig: `words` as pairs of attribute and words, in their order, `long`, `fine` and
  `widths`
- `training`: what made it; `domain` is the name of the domain
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains import load_domain
from predinet_prolog.domains.data import Floats, Pixels
from predinet_prolog.neural.checkpoint import Weights, check_weights, read_arrays, write_arrays
from predinet_prolog.neural.detector.config import MIRRORED, DetectorConfig, graph_digest, kinds, weight_shapes
from predinet_prolog.neural.errors import CheckpointError, NeuralError
from predinet_prolog.neural.glimpses.graph import finder_inputs, open_graph
from predinet_prolog.neural.model import FreeModel

if TYPE_CHECKING:
    from predinet_prolog.neural.detector.reader import Reader
    from predinet_prolog.neural.glimpses.finder import Finder

KEY = "detector"
"""Which checkpoints of detectors alone have in their metadata."""
PLACES = "places"
TERMS = 10
"""Of a polynomial of the third degree in two variables."""


@dataclass(frozen=True)
class DetectorModel(FreeModel):
    """A trained finder and reader."""

    config: DetectorConfig
    places: Floats | None
    """(kinds, TERMS, 2): of things of each kind, what tells where things stand; None: nobody taught it."""

    def __repr__(self) -> str:  # without the weights
        return f"{self.name}: a detector of {', '.join(self.config.words)}"

    kind: ClassVar[str] = "detector"

    @cached_property
    def graph(self) -> "DetectorGraph":
        return DetectorGraph(self.config, self.weights, self.path)


class DetectorGraph:
    """Finds and reads with trained networks, without PyTorch, on one thread."""

    def __init__(self, config: DetectorConfig, weights: Weights, path: Path | None) -> None:
        """Graphs that are not beside `path`, the checkpoint's, are made by PyTorch and written there if that can be
        done."""
        self._splits = np.cumsum([len(words) for words in config.words.values()])[:-1]
        digest = graph_digest(config)
        self._finder = open_graph("finder", config.finder, digest, weights, path)
        self._reader = open_graph("reader", config, digest, weights, path)

    def find(self, picture: Pixels, plane: NDArray[np.floating]) -> NDArray[np.float32]:
        """The finder's heads (8, h, w) of `picture` (H, W, 3), whose sides are multiples of REACH and whose ground is
        `plane` (3, 3)."""
        heads: NDArray[np.float32] = self._finder.run(["heads"], {"inputs": finder_inputs(picture, plane)})[0][0]
        return heads

    def read(self, glimpses: NDArray[np.float32], frames: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """By attribute the logits (n, words) of `glimpses` (n, INPUTS, SIDE, SIDE) and `frames` (n, FRAME): the mean of
        those of each thing and of its mirror image, which has the same words."""
        views = (glimpses, frames), (np.ascontiguousarray(glimpses[..., ::-1]), frames * MIRRORED)
        logits = [self._reader.run(None, {"inputs": x, "frames": frame})[0] for x, frame in views]
        return np.split(np.mean(logits, axis=0), self._splits, axis=1)


def places_row(middles: Floats, height: int, width: int) -> Floats:
    """(n, TERMS): of where middles (n, 2) show in a picture of that size, what weights are for."""
    x, y = ((middles - np.array([width, height]) / 2) / max(height, width)).T
    return np.stack([x**i * y**j for i in range(4) for j in range(4 - i)], axis=1)


def load_detector(path: Path) -> DetectorModel:
    """The detector in that file; CheckpointError where it is not sound."""
    metadata, arrays = read_arrays(path)
    try:
        shape, training = metadata[KEY], metadata["training"]
        words = {str(name): tuple(map(str, values)) for name, values in shape["words"]}
        first, second, third, fourth = shape["widths"]
        config = DetectorConfig(words, int(shape["long"]), int(shape["fine"]), (first, second, third, fourth))
        load_domain(training["domain"])
        places = arrays.pop(PLACES, None)
        check_weights(arrays, weight_shapes(config), "float16")
        if places is not None:
            check_weights({PLACES: places}, {PLACES: (kinds(words), TERMS, 2)}, "float64")
    except (KeyError, TypeError, ValueError, AttributeError, NeuralError) as error:
        raise CheckpointError(f"{path} does not hold the networks its header describes: {error}") from error
    weights = {name: array.astype(np.float32) for name, array in arrays.items()}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return DetectorModel(path.stem, path, weights, training, digest, config, places)


def save_detector(
    path: Path,
    config: DetectorConfig,
    finder: "Finder",
    reader: "Reader",
    places: Floats | None,
    training: Mapping[str, Any],
) -> None:
    """Writes a checkpoint, whole or not at all, of networks that are folded."""
    arrays: dict[str, NDArray[Any]] = {} if places is None else {PLACES: places}
    for name, network in (("finder", finder), ("reader", reader)):
        for weight, value in network.state_dict().items():
            arrays[f"{name}.{weight}"] = value.detach().cpu().numpy().astype(np.float16)
    shape = {"words": list(config.words.items()), "long": config.long, "fine": config.fine}
    shape["widths"] = config.widths
    write_arrays(path, {KEY: shape, "training": dict(training)}, arrays)
