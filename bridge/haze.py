"""Haze: how far a picture is from the game's clean squares, which is how far apart its equal objects come to lie.

Noise, JPEG and blur move the co-ordinates of equal objects apart, the more the more there is of them; in a clean
picture objects that look the same lie at exactly the same point, also if all of them are darker or moved. So
thresholds are told for clean pictures, with what to add for each unit of haze.
"""

import numpy as np
from numpy.typing import NDArray

from bridge.novelty import left_over
from neural.relations_game.objects import FRAME


def haze(images: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The haze (N,) of `images` (N, 36, 36, 3), one at least, 0–255: 0 for a clean one, at most 100.

    The root mean square, in hundredths of the brightest, of what squares of one colour leave over in the frame of the
    cell that has most of it. Noise of 0.05 on black gives about 4. Raises BridgeError for images of another size.
    """
    worst = left_over(images)[:, :9].max(axis=1).astype(np.float64)
    return np.asarray(np.sqrt(np.maximum(worst, 0) / (FRAME**2 * 3)) / 2.55)
