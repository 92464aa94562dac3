"""Colours of things: what their pixels tell, and the words for it. One source for the programs of all models.

Of boards, red, green and blue could also be read linearly off the relations that tell colour. On fresh boards that
is off by 4.3 of 255 levels in the mean, by 5.7 for colours held back from the fit, and by 51 where the model was never
taught colours; the inner pixels of the box that was seen are off by 0.0, whatever the model. After noise it is 5.8 and
4.1, after JPEG 13.5 and 13.1, resized 4.1 and 2.9, and in darkness, which neither can know, 30 and 26. So pixels it is.
"""

import numpy as np

from predinet_prolog.bridge.clauses import Section, clause_of, section_of
from predinet_prolog.bridge.extents import SHARE, contrast
from predinet_prolog.bridge.scene import FloatArray, IntArray
from predinet_prolog.bridge.vocabulary import rows_of
from predinet_prolog.domains.domain import Pixels


def mean_colours(images: Pixels, image: IntArray, boxes: FloatArray) -> IntArray:
    """(o, 3): the mean colour, 0–255, of what the `boxes` (o, 4) show; `image` (o,) says in which of `images` (b, H, W,
    3) each is.

    Pixels at the edge of a thing are mixed with the background's colour: they count where there are no others.
    """
    corners = np.clip(boxes.astype(np.int64).reshape(-1, 2, 2), 0, images.shape[2:0:-1])
    start, end = corners.swapaxes(0, 1)  # (o, 2): x, y
    most = int((end - start).max(initial=1))
    columns, rows = (start[:, axis, None] + np.arange(most) for axis in (0, 1))  # (o, P)
    boxed = (rows < end[:, 1:])[:, :, None] & (columns < end[:, :1])[:, None]  # (o, P, P)
    at = (
        image[:, None, None],
        rows.clip(0, images.shape[1] - 1)[:, :, None],
        columns.clip(0, images.shape[2] - 1)[:, None],
    )
    differing = np.where(boxed, contrast(images)[at], 0)
    lit = differing > SHARE * differing.max(axis=(1, 2), keepdims=True)
    around = np.pad(lit, ((0, 0), (1, 1), (1, 1)))
    inner = lit & around[:, :-2, 1:-1] & around[:, 2:, 1:-1] & around[:, 1:-1, :-2] & around[:, 1:-1, 2:]
    visible = inner
    for other in (lit, boxed):
        visible = np.where(visible.any(axis=(1, 2), keepdims=True), visible, other)
    sums = (images[at] * visible[..., None]).sum(axis=(1, 2), dtype=np.float64)
    return np.asarray((sums / np.maximum(visible.sum(axis=(1, 2)), 1)[:, None]).round().astype(np.int64))


_SHADES = (clause_of(f"palette({', '.join(row.values())})") for row in rows_of("palette.csv"))
COLOURS: Section = (*section_of("colours"), *_SHADES)
