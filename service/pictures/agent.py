"""The pictures of agents: `agent show`, frames of a game and below each where some heads look; `agent play`, a film."""

import io
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.agents.playing import Moment, Watched
from predinet_prolog.service.episodes import coloured

HEIGHT = 210
"""Of a frame in the picture, in pixels, at least."""
GAP = 6
DIM = 0.35
"""What is left of a frame's light where no mask lies."""
LINE = 16
"""Height of the score below a frame, in pixels."""
MASKS = ((1.0, 0.35, 0.1), (0.1, 0.55, 1.0))
"""The light of a head's first mask and of its second, red, green, blue."""


def draw(watched: Watched, heads: Sequence[int]) -> bytes:
    """A PNG with a column for every frame, as the paper's figure S22: the frame, and below it for each of the `heads`
    the same with its two masks over it, orange and blue, a window as bright as the root of its share."""
    frames = [coloured(frame) for frame in watched.frames]
    factor = -(-HEIGHT // frames[0].shape[0])
    attended = list(zip(frames, watched.attention, strict=True))
    rows = [frames, *([_lit(frame, masks[head]) for frame, masks in attended] for head in heads)]
    gap = (0, GAP), (0, GAP), (0, 0)
    framed = [[np.pad(_enlarged(cell, factor), gap, constant_values=255) for cell in row] for row in rows]
    buffer = io.BytesIO()
    Image.fromarray(np.concatenate([np.concatenate(row, 1) for row in framed])).save(buffer, "PNG")
    return buffer.getvalue()


def film(moments: Iterable[Moment], *, milliseconds: int) -> bytes:
    """A GIF of the moments' frames, each shown so long, with its score below it."""
    pictures = []
    for moment in moments:
        enlarged = _enlarged(coloured(moment.frame), -(-HEIGHT // moment.frame.shape[0]))
        picture = Image.fromarray(np.pad(enlarged, ((0, LINE), (0, 0), (0, 0))))
        ImageDraw.Draw(picture).text((2, enlarged.shape[0] + 2), f"score {moment.score:g}", fill=(255, 255, 255))
        pictures.append(picture)
    buffer = io.BytesIO()
    pictures[0].save(buffer, "GIF", save_all=True, append_images=pictures[1:], duration=milliseconds, loop=0)
    return buffer.getvalue()


def _lit(frame: Pixels, masks: npt.NDArray[np.float32]) -> Pixels:
    """The `frame` (H, W, 3) dimmed, with `masks` (2, rows, columns) in their colours over it."""
    light = frame * DIM
    for mask, colour in zip(masks, MASKS, strict=True):
        rows, columns = (_windows(*sides) for sides in zip(frame.shape[:2], mask.shape, strict=True))
        light += 255 * (1 - DIM) * np.sqrt(mask)[rows][:, columns, None] * np.array(colour)
    return light.clip(0, 255).astype(np.uint8)


def _windows(pixels: int, windows: int) -> npt.NDArray[np.int64]:
    """The window nearest to each of so many pixels in a row: window i has its middle at pixel i times the stride."""
    stride = -(-pixels // windows)
    return np.minimum((np.arange(pixels) + stride // 2) // stride, windows - 1)


def _enlarged(frame: Pixels, factor: int) -> Pixels:
    return frame.repeat(factor, 0).repeat(factor, 1)
