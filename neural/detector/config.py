"""What fixes the shape of a detector, known without PyTorch."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from predinet_prolog.domains.data import Integers
from predinet_prolog.neural.glimpses.config import SIDE, GlimpseConfig, Shapes, key_of, pattern_shapes
from predinet_prolog.neural.glimpses.config import weight_shapes as glimpse_shapes

INPUTS = 8
"""Channels of what is read of a thing: red, green, blue, the difference of each from the ground, which pixels are the
thing's, and which are other things'."""
GREY_INPUTS = 4
"""Channels of the same without colour: how far grey is from the thing's mean, the thing's grey, and those two."""
GREY_WIDTHS = 32, 64, 128
"""Channels where that is seen, each half as fine as the one before."""
FRAME = 6
"""Numbers that tell where a thing is: its middle, its box's middle, and the logarithms of its width and height."""
MIRRORED = np.array([-1, 1, -1, 1, 1, 1], dtype=np.float32)
"""What they are multiplied by in a mirrored picture."""
DROPPED = 0.3
"""Share of what is read in grey that is left out in training: few things teach, and they were learned by heart."""
FEATURES, HIDDEN, COLOURS = 192, 96, 32
"""Widths of what is read in grey, of that with the frame, and of what is read of colours."""
COLOURED = frozenset(("color", "colour"))
"""Attributes that are read of a thing's colours in any order: they see no shape."""
GREY = frozenset(("shape", "material", "size"))
"""Attributes that are read in grey: they see no colour, so that a cube of a colour that no cube had is a cube."""
HEIGHTS = "size", "shape"
"""Attributes that tell how high a thing's middle is: of things of one kind they show on a plane, to a camera."""
GRAPH_VERSION = 2
"""Of what the graphs compute: those of another version are made again."""


Words = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class DetectorConfig:
    """The shape of finder and reader."""

    words: Words
    """By attribute the words that it tells, in their order."""
    long: int = 240
    """Pixels along the long side of a picture as things are found in it: the smallest of CLEVR have 14 then, and a look
    takes a quarter of one at 480."""
    fine: int = 480
    """The same where they are read: a reader takes little, and of small things every pixel counts."""
    widths: tuple[int, int, int, int] = (16, 48, 96, 128)
    """Channels of the finder on its four levels: those of the models for pictures of any size, to begin with theirs."""

    @property
    def finder(self) -> GlimpseConfig:
        return GlimpseConfig(self.widths, {})


def reads(attribute: str) -> int:
    """How many numbers an attribute's word is told by."""
    return HIDDEN * (attribute not in COLOURED) + 2 * COLOURS * (attribute not in GREY)


def kinds_of(words: Words, values: Mapping[str, Integers], n: int) -> Integers:
    """(n,): the number of each thing's kind among those that HEIGHTS tell apart, of the numbers of its words, (n,)."""
    kinds = np.zeros(n, dtype=np.int64)
    for name in HEIGHTS:
        if name in words:
            kinds = kinds * len(words[name]) + values[name]
    return kinds


def kinds(words: Words) -> int:
    """How many kinds those are."""
    return math.prod(len(words[name]) for name in HEIGHTS if name in words)


def weight_shapes(config: DetectorConfig) -> Shapes:
    """Every weight by its name: of the finder after `finder.`, of the reader after `reader.`."""
    shapes = {name: shape for name, shape in glimpse_shapes(config.finder).items() if name.startswith("finder.")}
    shapes |= pattern_shapes("reader.grey", GREY_INPUTS, GREY_WIDTHS)
    layers = {
        "features": (GREY_WIDTHS[-1] * (SIDE // 8) ** 2, FEATURES),
        "framed": (FEATURES + FRAME, HIDDEN),
        "first": (INPUTS - 2, COLOURS),
        "second": (COLOURS, COLOURS),
        **{f"words.{key_of(name)}": (reads(name), len(words)) for name, words in config.words.items()},
    }
    for name, (before, width) in layers.items():
        shapes |= {f"reader.{name}.weight": (width, before), f"reader.{name}.bias": (width,)}
    return shapes


def graph_digest(config: DetectorConfig) -> str:
    """Of all that fixes the graphs, which have it among their metadata."""
    words = tuple((name, len(words)) for name, words in config.words.items())
    return sha256(repr((GRAPH_VERSION, config.widths, words)).encode()).hexdigest()
