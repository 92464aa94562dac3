"""Frames of games as pictures."""

import matplotlib
import numpy as np

from predinet_prolog.domains.domain import Pixels


def coloured(frame: Pixels) -> Pixels:
    """A `frame` (H, W, channels) as (H, W, 3): RGB as it is, else a colour for each channel."""
    if frame.shape[2] == 3:
        return frame
    picture = np.zeros((*frame.shape[:2], 3), np.uint8)
    for channel, colour in enumerate(matplotlib.colormaps["tab10"](np.arange(frame.shape[2]), bytes=True)[:, :3]):
        picture[frame[..., channel] > 0] = colour
    return picture
