"""What fixes the shape of a finder and a comparator, known without PyTorch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

STRIDE = 2
"""Pixels from one of the finder's places to the next."""
REACH = 16
"""Pixels of a place on the finder's coarsest level: sides of pictures are multiples of it."""
FINDER_INPUTS = 6
"""Channels: red, green, blue, and the difference of each from the ground."""
SIDE = 32
"""Pixels along a side of a glimpse."""
MARGIN = 1.25
"""A glimpse shows this many times the long side of the thing's box."""
GLIMPSE_INPUTS = 7
"""Channels: those of the finder, and whether the pixel is in the thing's box."""


@dataclass(frozen=True)
class GlimpseConfig:
    """The shape of both networks."""

    widths: tuple[int, int, int, int] = (16, 48, 96, 128)
    """Channels of the finder on its four levels, the finest first."""
    groups: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({"colour": 4, "shape": 16, "look": 16}))
    """How many relations each group has, in their order."""

    @property
    def relations(self) -> int:
        """j, of all groups together."""
        return sum(self.groups.values())

    def of_group(self, name: str) -> tuple[int, ...]:
        """The numbers of a group's relations; KeyError if there is none of that name."""
        names = list(self.groups)
        first = sum(self.groups[before] for before in names[: names.index(name)])
        return tuple(range(first, first + self.groups[name]))
