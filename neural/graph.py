"""The trained PrediNet without PyTorch's start: what is needed to see what is in an image.

`Looking` is what a look at images asks of the network; `export_graph` writes it as an ONNX graph, which `Graph` runs on
onnxruntime, in double precision. A graph holds no weights: they come from the checkpoint beside it, and every network
of one configuration has the same graph.

Shapes: B images of S × S pixels, a grid of s × s windows (n = s²), k heads, j relations.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from domains.domain import Pixels
from neural.config import NetworkConfig
from neural.errors import NeuralError

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
