"""What is seen in a picture of any size, in symbols."""

from dataclasses import dataclass

from bridge.scene import FloatArray
from domains.domain import Inspection


@dataclass(frozen=True, eq=False)
class SeenObject:
    """One thing, or a part of one. Places are pixels of the picture, x to the right, y down."""

    name: str
    """`ob_0`, `ob_1`, …; of a part, `pa_0`, `pa_1`, …"""
    box: FloatArray
    """(4,): left, top, right, bottom; right and bottom are outside of it."""
    colour: tuple[int, int, int]
    """Mean of its pixels, 0–255, red, green, blue."""
    coordinates: FloatArray
    """(j,): where it lies on each relation's axis; (0,) of a part."""
    parts: tuple["SeenObject", ...] = ()
    """The pieces of one colour that it is made of, where there are several; none of them is an object."""

    @property
    def x(self) -> float:
        """Of the middle of its box."""
        return float(self.box[0] + self.box[2]) / 2

    @property
    def y(self) -> float:
        """Of the middle of its box."""
        return float(self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, eq=False)
class SeenScene:
    """Everything the bridge knows of one picture of any size."""

    objects: tuple[SeenObject, ...]
    """From top to bottom, then from left to right."""
    touching: tuple[tuple[int, int], ...]
    """Pairs of objects, as indices, the first the lower, that lie against each other."""
    inspection: Inspection
    """What speaks against trusting it: score, reason, noise level."""
    width: int
    height: int
    """Pixels of the picture."""

    @property
    def noise_level(self) -> float:
        """How spoiled the picture is, 0 or more: co-ordinates of equal objects differ by the more."""
        return self.inspection.noise_level
