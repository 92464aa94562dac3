"""The trained PrediNet without PyTorch's start: what is needed to see what is in an image.

What a look at images asks of the network is `neural.looking`'s, in PyTorch; exported as an ONNX graph, it runs here on
onnxruntime, in double precision. A graph holds no weights: they come from the checkpoint beside it, and every network
of one configuration has the same graph.

Shapes: B images of S × S pixels, a grid of s × s windows (n = s²), k heads, j relations.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.config import INPUTS, OUTPUTS, NetworkConfig, graph_digest
from predinet_prolog.neural.sessions import open_session

Floats = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Look:
    """What the network makes of B images in one pass."""

    attention: Floats
    """(B, k, 2, n): the masks of each head."""
    objectness: Floats
    """(B, n): how far each window shows a whole thing."""
    coordinates: Floats
    """(B, n, j): each window's appearance co-ordinate in every relation's 1-D space."""


class Graph:
    """Sees with a trained PrediNet. An image's numbers do not depend on the other images of its batch, nor, but for the
    rarest rounding, on the machine."""

    def __init__(self, config: NetworkConfig, weights: Mapping[str, NDArray[np.floating]], path: Path | None) -> None:
        """`weights` are by their names in the network, of the shapes that `weight_shapes` gives. Where no graph of that
        configuration lies at `path`, PyTorch makes it, and it is written there if that can be done."""
        self.config = config
        self._session = open_session(path, graph_digest(config), lambda: _make(config))
        self._weights: dict[str, Floats] = {}
        for name in {given.name for given in self._session.get_inputs()}.difference(INPUTS):
            weight = weights[name.replace("parametrizations.", "").removesuffix(".original")]
            self._weights[name] = (weight if name in weights else weight.T).astype(np.float64, order="C")
        rows, columns = np.divmod(np.arange(config.windows), config.side)
        self.places: Floats = np.stack([columns, rows], axis=1) / config.side
        """(n, 2): x and y of the windows in the network's own co-ordinates."""
        self.slopes: Floats = weights["predinet.W_S"][-2:].T.astype(np.float64)
        """(j, 2): how much of every relation's value is place, for x and for y."""

    def look(self, images: Pixels, blanked: BoolArray | None = None, least: Floats | None = None) -> Look:
        """One pass over `images` (B, S, S, 3), 0–255.

        The pixels of the windows `blanked` (B, n) are made background first. Images that have no window of more
        objectness than `least` (B,) are not attended: their masks are 0.
        """
        if blanked is None:
            blanked = np.zeros((len(images), self.config.windows), dtype=np.bool_)
        if least is None:
            least = np.full(len(images), -1.0)
        inputs = dict(zip(INPUTS, (images, blanked, least), strict=True))
        return Look(*self._session.run(OUTPUTS, inputs | self._weights))


def _make(config: NetworkConfig) -> bytes:
    # PyTorch takes a second and more to import: who has the graph does without.
    from predinet_prolog.neural.looking import graph_bytes

    return graph_bytes(config)
