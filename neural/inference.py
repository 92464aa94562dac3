"""The trained PrediNet in double precision and without PyTorch: what is needed to see what is in an image.

Training is PyTorch's; a program that only looks at images starts in a fraction of the time without it. The equations
are those of `neural.encoder`, `neural.alignment` and `neural.predinet`, whose letters are used here, and tests hold
the two together. Most windows of an image show nothing but background and are never computed.

Shapes: B images of S × S pixels, a grid of s × s windows (n = s²) of F × F pixels, f filters, m = f + 2 features,
k heads, j relations.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from domains.pixels import rim_colour
from domains.relations_game.objects import FRAME, MARGIN
from neural.config import PIXEL_SCALE, NetworkConfig
from neural.errors import NeuralError
from neural.frames import FAINT, HOME, LINES, REACH, TIE

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Pixels = NDArray[np.uint8]


class PreciseNetwork:
    """A PrediNet and its encoder. Numbers that are printed of an image do not depend on the other images of its batch,
    nor, but for the rarest rounding, on the machine."""

    def __init__(self, config: NetworkConfig, weights: Mapping[str, NDArray[np.floating]]) -> None:
        """`weights` by their names in the network, of the shapes that `weight_shapes` gives."""
        self.config = config
        own = {name: np.asarray(weight, dtype=np.float64) for name, weight in weights.items()}
        filters = own["encoder.weight"].transpose(2, 3, 1, 0)  # (F, F, 3, f)
        if config.aligned:
            inside = slice(MARGIN, MARGIN + FRAME)
            filters = filters[inside, inside]
        self._filters = np.ascontiguousarray(filters.reshape(-1, config.filters)) / PIXEL_SCALE
        self._bias = own["encoder.bias"]
        self._W_K, self._W_S = own["predinet.W_K"], own["predinet.W_S"]
        self._W_Q = np.concatenate([own["predinet.W_Q1"], own["predinet.W_Q2"]], axis=1)
        rows, columns = np.divmod(np.arange(config.side**2), config.side)
        self._places = np.stack([columns, rows], axis=1) / config.side  # (n, 2): x, y
        self._blank = np.maximum(self._bias, 0)
        """(f,): the filters' outputs for a window that shows only background."""

    def encode(self, images: Pixels) -> tuple[Floats, Floats]:
        """L (B, n, m) of `images` (B, S, S, 3), and the objectness (B, n) of each window.

        A window's objectness is its content, how far its features lie from those of background, times its wholeness.
        NeuralError for images of another size.
        """
        config = self.config
        if images.shape[1:] != (wanted := (config.image_size, config.image_size, 3)):
            raise NeuralError(f"the network sees images of {wanted}, not of {images.shape[1:]}")
        L = np.empty((len(images), config.side**2, config.features))
        L[..., : config.filters] = self._blank
        L[..., config.filters :] = self._places
        shown = self._aligned(images) if config.aligned else self._fixed(images)
        features = np.maximum(shown.pixels @ self._filters + self._bias, 0)
        L[shown.image, shown.window, : config.filters] = features
        content = np.sqrt(np.square(features - self._blank).sum(axis=1) / config.filters)
        objectness = np.zeros((len(images), config.side**2))
        objectness[shown.image, shown.window] = content * shown.wholeness
        return L, objectness

    def background(self, images: Pixels) -> Pixels:
        """The colour (B, 3) of what is no object in `images` (B, S, S, 3): the median of the outermost pixels where
        the encoder is aligned, else black."""
        if not self.config.aligned:
            return np.zeros((len(images), 3), dtype=np.uint8)
        return rim_colour(images)

    def attend(self, L: Floats) -> Floats:
        """Attention masks (B, k, 2, n) of `L` (B, n, m)."""
        B, n, _ = L.shape
        k = self.config.heads
        Q = (L.reshape(B, -1) @ self._W_Q).reshape(B, 2 * k, -1)
        scores = Q @ (L @ self._W_K).transpose(0, 2, 1)  # (B, 2k, n)
        scores -= scores.max(axis=-1, keepdims=True)
        masks = np.exp(scores, out=scores)
        masks /= masks.sum(axis=-1, keepdims=True)
        both: Floats = masks.reshape(B, 2, k, n).swapaxes(1, 2)
        return both

    def values(self, L: Floats, attention: Floats) -> Floats:
        """D (B, k, j): what the relations say of the pairs that the masks `attention` (B, k, 2, n) pick from `L`."""
        return (attention[:, :, 0] - attention[:, :, 1]) @ (L @ self._W_S)

    def coordinates(self, L: Floats) -> Floats:
        """Each window's appearance co-ordinate (B, n, j) in every relation's 1-D space.

        The part of L·W_S that comes from the filters. Two windows' relation value is the difference of
        their co-ordinates plus `slopes` times the difference of their places.
        """
        return L[..., :-2] @ self._W_S[:-2]

    def slopes(self) -> Floats:
        """How much of every relation's value is place (j, 2): the last two rows of W_S, for x and for y."""
        return self._W_S[-2:].T

    def _fixed(self, images: Pixels) -> "_Shown":
        """What an encoder shows whose windows stay where they are."""
        size = self.config.filter_size
        image, window, place = self._drawn(images)
        pixels = sliding_window_view(images, (size, size), axis=(1, 2))[place]  # (w, 3, F, F)
        return _Shown(image, window, np.ones(len(image)), _flat(pixels))

    def _aligned(self, images: Pixels) -> "_Shown":
        """What an aligned encoder shows: the frame that lines up with a window's edges, less the background."""
        size = self.config.filter_size
        rest = images - self.background(images).astype(np.int16)[:, None, None]  # whole numbers: exact, and short
        image, window, place = self._drawn(rest)
        ink = sliding_window_view(_edges(rest), (size, size), axis=(1, 2))[place]  # (w, F, F)
        across = sliding_window_view(_edges(np.diff(rest, axis=2)), (size, size - 1), axis=(1, 2))[place]
        down = sliding_window_view(_edges(np.diff(rest, axis=1)), (size - 1, size), axis=(1, 2))[place]
        by_column, by_row = ink.sum(axis=1), ink.sum(axis=2)  # (w, F)
        # What reaches a window's rim has an edge there, for the neighbours' pixels are not its own.
        right = _best_slides(np.hstack([by_column[:, :1], across.sum(axis=1), by_column[:, -1:]]))
        lower = _best_slides(np.hstack([by_row[:, :1], down.sum(axis=2), by_row[:, -1:]]))
        # What reaches two opposite sides is halves of two objects, and a frame that slides onto both may show more
        # than either.
        cut = np.minimum(by_row[:, 0], by_row[:, -1]) + np.minimum(by_column[:, 0], by_column[:, -1])
        whole = by_row.sum(axis=1) / size  # a row's or column's mean ink
        wholeness = np.divide(whole, whole + cut, out=np.ones_like(whole), where=whole > 0)
        around = np.pad(rest, ((0, 0), (REACH, REACH), (REACH, REACH), (0, 0)))
        _, top, left = place
        corner = REACH + MARGIN
        frames = sliding_window_view(around, (FRAME, FRAME), axis=(1, 2))[
            image, top + corner + lower, left + corner + right
        ]
        return _Shown(image, window, wholeness, _flat(frames))

    def _drawn(self, rest: NDArray[np.integer]) -> tuple[Integers, Integers, tuple[Integers, Integers, Integers]]:
        """The windows that show more than background: their images and numbers (w,), and where they begin."""
        size, stride, side = self.config.filter_size, self.config.stride, self.config.side
        drawn = (rest[..., 0] | rest[..., 1] | rest[..., 2]) != 0
        for axis in (1, 2):
            views = sliding_window_view(drawn, size, axis=axis)
            drawn = views[(slice(None),) * axis + (slice(None, None, stride),)].any(axis=3)
        image, window = drawn.reshape(len(rest), -1).nonzero()
        row, column = np.divmod(window, side)
        return image, window, (image, row * stride, column * stride)


@dataclass(frozen=True)
class _Shown:
    """What is shown to the filters, of the w windows that show more than background."""

    image: Integers
    """(w,)"""
    window: Integers
    """(w,): its number in the image, 0 to n - 1."""
    wholeness: Floats
    """(w,): how far it shows one thing and no halves of two, 0–1."""
    pixels: Floats
    """(w, p): rows, columns, channels, 0–255."""


def _flat(pixels: NDArray[np.integer]) -> Floats:
    """(w, height·width·3) of (w, 3, height, width)."""
    _, channels, height, width = pixels.shape
    return pixels.transpose(0, 2, 3, 1).reshape(-1, height * width * channels).astype(np.float64)


def _edges(differences: NDArray[np.int16]) -> Floats:
    """How far the clearest channel of `differences` (B, h, w, 3) is from FAINT: (B, h, w), 0 if it is fainter."""
    red, green, blue = np.abs(differences).transpose(3, 0, 1, 2)
    edges: Floats = np.maximum(np.maximum(np.maximum(red, green), blue) / PIXEL_SCALE - FAINT, 0)
    return edges


def _best_slides(edges: Floats) -> Integers:
    """(w,): each window's slide, -REACH to REACH, whose lines meet most of its `edges` (w, F + 1) along an axis."""
    steps = np.arange(-REACH, REACH + 1)
    places = np.array(LINES) + steps[:, None] + REACH  # (steps, lines)
    met = np.pad(edges, ((0, 0), (REACH, REACH)))[:, places].sum(axis=2)  # (w, steps)
    way = HOME * np.abs(steps) * (1 + edges.sum(axis=1, keepdims=True)) + TIE * steps
    best: Integers = steps[(met - way).argmax(axis=1)]
    return best
