"""What fixes the shape of a finder and a comparator, known without PyTorch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from predinet_prolog.neural.model import relations_of

Shapes = dict[str, tuple[int, ...]]
"""Of weights, by their names."""
STRIDE = 2
"""Pixels from one of the finder's places to the next."""
REACH = 16
"""Pixels of a place on the finder's coarsest level: sides of pictures are multiples of it."""
FINDER_INPUTS = 6
"""Channels: red, green, blue, and the difference of each from the ground."""
FINDER_HEADS = 8
"""Channels: salience, own, votes (2), extent (4)."""
BLOCKS = (1, 2, 2, 2)
"""How many the finder has on the way down, on each of its four levels."""
FINE = 16
"""The finder's boxes lie on so many lines to a pixel: what it says between them hangs on the processor."""
SIDE = 32
"""Pixels along a side of a glimpse."""
MARGIN = 1.25
"""A glimpse shows this many times the long side of the thing's box."""
GLIMPSE_INPUTS = 7
"""Channels: those of the finder, and whether the pixel is in the thing's box."""
MASK_WIDTHS = (12, 32, 48)
"""Channels of the comparator's mask on its three levels, the finest first."""
COLOUR_WIDTH = 32
"""Of both layers that see a pixel's colour."""
PATTERN_WIDTHS = (24, 48, 96)
"""Channels where shape and look are seen, each half as fine as the one before."""
FEATURES = 128
"""E, of shape and look."""
KNOWN = ("colour", "shape", "look")
"""Groups of relations that every world has."""
GRAPH_VERSION = 6
"""Of what the graphs compute: those of another version are made again."""
NUMBER = "number"
"""The group of one relation, the last, on whose axis things lie at how many things are on them."""


@dataclass(frozen=True)
class GlimpseConfig:
    """The shape of both networks."""

    widths: tuple[int, int, int, int] = (16, 48, 96, 128)
    """Channels of the finder on its four levels, the finest first."""
    groups: Mapping[str, int] = field(default_factory=lambda: {"colour": 4, "shape": 16, "look": 16})
    """How many relations each group of the comparator has, in their order."""
    inside: bool = False
    """Whether things are told by what is on them, and how many that are."""

    @property
    def axes(self) -> Mapping[str, int]:
        """All groups, with NUMBER if that is told."""
        return {**self.groups, NUMBER: 1} if self.inside else self.groups

    @property
    def relations(self) -> int:
        return sum(self.axes.values())

    def of_group(self, name: str) -> tuple[int, ...]:
        """The numbers of a group's relations; KeyError if there is none of that name."""
        return relations_of(self.axes, name)


def key_of(group: str) -> str:
    """What a group's network is called. PyTorch keeps some names, such as type, to itself: none that begins so."""
    return group if group in KNOWN else f"of_{group}"


def weight_shapes(config: GlimpseConfig) -> Shapes:
    """Every weight of both networks, by its name: those of the finder after `finder.`, of the comparator after
    `comparator.`."""
    weights = {f"finder.{name}": shape for name, shape in _finder(config.widths).items()}
    weights |= {f"comparator.{name}": shape for name, shape in _mask().items()}
    for group, relations in config.groups.items():
        inputs = 1 if group == "shape" else GLIMPSE_INPUTS
        network = _colour(relations) if group == "colour" else _patterns(inputs, relations)
        weights |= {f"comparator.groups.{key_of(group)}.{name}": shape for name, shape in network.items()}
    return weights


def _finder(widths: tuple[int, int, int, int]) -> Shapes:
    a, b, c, d = widths
    levels = {"places": (FINDER_INPUTS, a, 5), "halves": (a, b, 3), "quarters": (b, c, 3), "eighths": (c, d, 3)}
    weights: Shapes = {}
    for (level, shape), blocks in zip(levels.items(), BLOCKS, strict=True):
        weights |= _conv(f"{level}.0", *shape)
        for block in range(blocks):
            weights |= _block(f"{level}.{block + 2}", shape[1])
    for level, coarse, fine in (("quarters", d, c), ("halves", c, b), ("places", b, a)):
        weights |= _conv(f"to_{level}", coarse, fine, 1)
    weights |= _block("at_quarters", c) | _block("at_halves.0", b) | _block("at_halves.1", b) | _block("at_places", a)
    return weights | _conv("heads", a, FINDER_HEADS, 1) | _conv("doubt", d, 1, 1)


def _mask() -> Shapes:
    a, b, c = MASK_WIDTHS
    weights = _conv("fine.0", GLIMPSE_INPUTS, a, 3) | _conv("middle.0.0", a, b, 3) | _conv("middle.1.0", b, b, 3)
    weights |= _conv("coarse.0.0", b, c, 3) | _conv("coarse.1.0", c, c, 3) | _conv("coarse.2.0", c, c, 3)
    weights |= _conv("to_middle", c, b, 1) | _conv("to_fine", b, a, 1)
    return weights | _conv("at_middle.0", b, b, 3) | _conv("at_fine.0", a, a, 3) | _conv("mask", a, 1, 1)


def _colour(relations: int) -> Shapes:
    first, second = _linear("first", FINDER_INPUTS, COLOUR_WIDTH), _linear("second", COLOUR_WIDTH, COLOUR_WIDTH)
    return first | second | {"W_S.weight": (relations, 2 * COLOUR_WIDTH)}


def _patterns(inputs: int, relations: int) -> Shapes:
    weights = pattern_shapes("layers", inputs) | _linear("features", PATTERN_WIDTHS[-1] * (SIDE // 8) ** 2, FEATURES)
    return weights | {"W_S.weight": (relations, FEATURES)}


def pattern_shapes(name: str, inputs: int, widths: tuple[int, int, int] = PATTERN_WIDTHS) -> Shapes:
    """The weights of the comparator's `pattern_layers`, called `name`."""
    a, b, c = widths
    weights = _conv(f"{name}.0", inputs, a, 5) | _conv(f"{name}.2", a, b, 3)
    return weights | _conv(f"{name}.4", b, b, 3) | _conv(f"{name}.6", b, c, 3)


def _conv(name: str, before: int, width: int, size: int) -> Shapes:
    return {f"{name}.conv.weight": (width, before, size, size), f"{name}.conv.bias": (width,)}


def _block(name: str, width: int) -> Shapes:
    return _conv(f"{name}.first", width, width, 3) | _conv(f"{name}.second", width, width, 3)


def _linear(name: str, before: int, width: int) -> Shapes:
    return {f"{name}.weight": (width, before), f"{name}.bias": (width,)}


def graph_digest(config: GlimpseConfig) -> str:
    """Of all that fixes the graphs, which have it among their metadata."""
    return sha256(repr((GRAPH_VERSION, tuple(config.widths), tuple(config.groups.items()))).encode()).hexdigest()
