"""How a picture is laid before it is looked at: the same way, however it was enlarged, turned or mirrored."""

import math
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.glimpses.scales import SMALLEST

MOST = 4
"""Times that a picture is taken for enlarged, at most: worlds of cells of 8 pixels and more are read better as they
are, of 168 all rather than 162."""
Kind = TypeVar("Kind", bound=np.generic)


class Pose(NamedTuple):
    """One of the eight ways a picture can lie."""

    across: bool
    down: bool
    """Whether left and right, top and bottom change sides."""
    swapped: bool
    """Whether rows then become columns."""

    def laid(self, picture: NDArray[Kind]) -> NDArray[Kind]:
        """`picture` (rows, columns, …) as it lies in the pose."""
        picture = picture[:: -1 if self.down else 1, :: -1 if self.across else 1]
        return np.ascontiguousarray(picture.swapaxes(0, 1) if self.swapped else picture)

    def restored(self, picture: NDArray[Kind]) -> NDArray[Kind]:
        """What `laid` made of it, as it was."""
        picture = picture.swapaxes(0, 1) if self.swapped else picture
        return picture[:: -1 if self.down else 1, :: -1 if self.across else 1]

    @property
    def straightened(self) -> "Pose":
        """What is left of it in what was laid on its long side: mirrored or not."""
        return Pose(across=(self.across + self.down + self.swapped) % 2 == 1, down=False, swapped=False)

    def laid_boxes(self, boxes: FloatArray, height: int, width: int) -> FloatArray:
        """Boxes (n, 4) in a picture of that size, as they lie in what `laid` makes of it."""
        there = self._replace(swapped=False).restored_boxes(boxes, height, width)
        return there[:, [1, 0, 3, 2]] if self.swapped else there

    def restored_boxes(self, boxes: FloatArray, height: int, width: int) -> FloatArray:
        """Boxes (n, 4) in what `laid` made of a picture of that size, as they lie in the picture."""
        left, top, right, bottom = (boxes[:, [1, 0, 3, 2]] if self.swapped else boxes).T
        if self.across:
            left, right = width - right, width - left
        if self.down:
            top, bottom = height - bottom, height - top
        return np.stack([left, top, right, bottom], axis=1)


def pose_of(picture: Pixels) -> Pose:
    """That in which `picture` (H, W, 3) is brighter on the right than on the left, less so below than above; of those
    in which that is so, the one whose bytes come first. Whole numbers decide: a picture that was mirrored or turned by
    quarters is laid to the same pixels."""
    lines = picture.reshape(len(picture), -1)  # faster than to add up all of it over two axes
    bright = lines.sum(axis=0, dtype=np.int64).reshape(-1, 3).sum(axis=1), lines.sum(axis=1, dtype=np.int64)
    right, below = (int(line @ np.arange(1 - len(line), len(line), 2)) for line in bright)
    ways = (right, below, abs(right) - abs(below))
    poses = [Pose(*way) for way in product(*((way < 0,) if way else (False, True) for way in ways))]
    return poses[0] if len(poses) == 1 else min(poses, key=lambda pose: pose.laid(picture).tobytes())


def block_of(picture: Pixels) -> int:
    """How many times `picture` (H, W, 3) was enlarged, each pixel to so many squared: 1, 2 or 4. The one before, if not
    too small, says as much and is looked at in its place. What is made of larger squares was drawn so."""
    block, small = 1, picture
    while (
        block <= MOST
        and not (small.shape[0] % 2 or small.shape[1] % 2)
        and np.array_equal(small[::2], small[1::2])
        and np.array_equal(small[:, ::2], small[:, 1::2])
    ):
        small, block = small[::2, ::2], 2 * block
    if block > MOST:
        return 1
    while block > 1 and math.prod(picture.shape[:2]) < (block * SMALLEST) ** 2:
        block //= 2
    return block
