"""What a reader sees of the things of a picture: glimpses, and where each is."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.detector.config import INPUTS
from predinet_prolog.neural.glimpses.config import REACH, SIDE
from predinet_prolog.neural.glimpses.cutting import Floats, cut, resampled, squares_of


def looked(picture: Pixels, long: int) -> Pixels:
    """`picture` (H, W, 3) with about `long` pixels along its long side, multiples of REACH along both."""
    sides = (max(REACH, round(side * long / max(picture.shape) / REACH) * REACH) for side in picture.shape[1::-1])
    return np.asarray(Image.fromarray(picture).resize(tuple(sides), Image.Resampling.BILINEAR, reducing_gap=2.0))


def cut_glimpses(fine: Pixels, plane: NDArray[np.floating], boxes: NDArray[np.floating], owner: Pixels) -> Floats:
    """(n, INPUTS, SIDE, SIDE) of what `boxes` (n, 4) hold in a picture whose ground is `plane` (3, 3); `owner` (H, W)
    has the number of each pixel's thing, from 1 in the order of the boxes, which are in pixels of it; 0 is ground.
    `fine` (H', W', 3) is the same picture, as it is read."""
    (height, width), (rows, columns) = owner.shape, fine.shape[:2]
    boxes = boxes * np.tile([columns / width, rows / height], 2)
    owner = owner[np.arange(rows) * height // rows][:, np.arange(columns) * width // columns]
    glimpses = np.empty((len(boxes), INPUTS, SIDE, SIDE), dtype=np.float32)
    glimpses[:, :7] = cut(fine, plane, boxes)
    for number, square in enumerate(squares_of(boxes), start=1):
        layers = np.stack([owner == number, (owner > 0) & (owner != number)], axis=2).astype(np.uint8) * 255
        for channel in range(2):
            layer = np.ascontiguousarray(layers[..., channel])
            glimpses[number - 1, 6 + channel] = resampled(layer, square[None])[0] / 255
    return glimpses


def frames_of(boxes: NDArray[np.floating], middles: NDArray[np.floating], height: int, width: int) -> Floats:
    """(n, FRAME): where things with those `boxes` (n, 4) and `middles` (n, 2) are in a picture of that size, in its
    long sides from its middle."""
    long, middle = max(height, width), np.array([width, height]) / 2
    sizes = np.log(np.maximum(boxes[:, 2:] - boxes[:, :2], 1) / long)
    of_box = ((boxes[:, 2:] + boxes[:, :2]) / 2 - middle) / long
    return np.concatenate([(middles - middle) / long, of_box, sizes], axis=1).astype(np.float32)
