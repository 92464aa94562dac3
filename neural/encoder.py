"""Input networks: an image becomes the matrix L of feature vectors with their co-ordinates.

Shapes: B images of S × S pixels, a grid of s × s windows (n = s²) of F × F pixels, f filters, m = f + 2.
"""

import math

import torch
from torch import Tensor, nn

from neural.config import PIXEL_SCALE, NetworkConfig

TINY = 1e-12
WEIGHT_STD = 0.1
BIAS = 0.1


def new_weight(*shape: int, generator: torch.Generator | None = None) -> nn.Parameter:
    """A weight drawn from a normal of std 0.1 that is cut at two standard deviations (authors' notebook)."""
    weight = nn.Parameter(torch.empty(shape))
    with torch.no_grad():
        nn.init.trunc_normal_(weight, std=WEIGHT_STD, a=-2 * WEIGHT_STD, b=2 * WEIGHT_STD, generator=generator)
    return weight


class Encoder(nn.Module):
    """One convolution with ReLU, its filters' outputs joined by each window's place (section 2).

    - features: (B, n, f) = relu(conv(images / 256)), VALID, stride `stride`
    - L: (B, n, m), row-major over windows; the last two columns are x/s (column) and y/s (row).

    What an encoder of another kind changes is `background`, `frames` and `wholeness`.
    """

    starts: Tensor
    """(s,): the first row, or column, of pixels of each row, or column, of windows."""

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.filter_size, self.side = config.filter_size, config.side
        self.weight = new_weight(config.filters, 3, config.filter_size, config.filter_size, generator=generator)
        self.bias = nn.Parameter(torch.full((config.filters,), BIAS))
        self.register_buffer("starts", torch.arange(config.side) * config.stride, persistent=False)

    def forward(self, images: Tensor) -> Tensor:
        """L (B, n, m) of `images` (B, S, S, 3), any dtype, 0–255."""
        return self.matrix(self.features(images))

    def matrix(self, features: Tensor) -> Tensor:
        """L (B, n, m) of the windows' `features` (B, n, f)."""
        return torch.cat([features, self.places().expand(features.shape[0], -1, -1)], dim=2)

    def features(self, images: Tensor) -> Tensor:
        """The filters' outputs (B, n, f) for every window of `images` (B, S, S, 3), any dtype, 0–255."""
        return self.seen(self.foreground(images))

    def seen(self, foreground: Tensor) -> Tensor:
        """The filters' outputs (B, n, f) for every window of `foreground` (B, S, S, 3), an image less its background."""
        return self._filtered(self.frames(foreground, self.starts))

    def filtered(self, windows: Tensor) -> Tensor:
        """The filters' outputs (N, f) for single windows (N, 3, F, F), floats 0–255, on black."""
        return self._filtered(self.frames(windows.movedim(1, -1), self.starts[:1]))[:, 0]

    def foreground(self, images: Tensor) -> Tensor:
        """`images` (B, S, S, 3), any dtype, 0–255, less their background."""
        return images.to(self.weight.dtype) - self.background(images)[:, None, None]

    def places(self) -> Tensor:
        """Co-ordinates (n, 2) of every window."""
        return window_places(self.side).to(self.weight)

    def blank_features(self) -> Tensor:
        """The filters' outputs (f,) for a window that shows only background."""
        return self.bias.relu()

    def background(self, images: Tensor) -> Tensor:
        """The colour (B, 3), 0–255, of what is no object in `images` (B, S, S, 3)."""
        return torch.zeros(images.shape[0], 3, dtype=self.weight.dtype, device=images.device)

    def frames(self, foreground: Tensor, starts: Tensor) -> Tensor:
        """What the filters see (B, w², rows, columns, 3) of the windows of `foreground` (B, H, W, 3) that begin at the
        rows and columns `starts` (w,)."""
        return cropped(foreground, starts.new_zeros(foreground.shape[0], 1, 1, 2), starts, self.filter_size)

    def wholeness(self, foreground: Tensor) -> Tensor:
        """How far each window of `foreground` (B, S, S, 3) shows one thing and no halves of two: (B, n), 0–1."""
        return foreground.new_ones(foreground.shape[0], self.side**2)

    def seen_weight(self) -> Tensor:
        """The part (f, 3, rows, columns) of the filters' weights that is used."""
        return self.weight

    def _filtered(self, frames: Tensor) -> Tensor:
        """(B, w, f) of what the filters see: `frames` (B, w, rows, columns, 3)."""
        weight = self.seen_weight().permute(2, 3, 1, 0).flatten(0, 2)  # (rows·columns·3, f)
        return (frames.flatten(2) / PIXEL_SCALE @ weight + self.bias).relu()


def window_places(side: int) -> Tensor:
    """Co-ordinates (side², 2) of every window, x then y, each index divided by `side` (authors' notebook)."""
    index = torch.arange(side * side)
    return torch.stack([index % side, index // side], dim=1).double() / side


def cropped(images: Tensor, offsets: Tensor, starts: Tensor, size: int) -> Tensor:
    """Squares (B, w², size, size, c) of `images` (B, H, W, c): at each row and column of `starts` (w,), moved down and
    right by `offsets` (B, w, w, 2), whole pixels; lengths of 1 are repeated."""
    count, height, width, channels = images.shape
    along = torch.arange(size, device=images.device)
    image = torch.arange(count, device=images.device)[:, None, None]
    rows = image * height + starts[:, None] + offsets[..., 0]  # (B, w, w), of all images one below the other
    columns = starts + offsets[..., 1]
    pixels = (rows[..., None, None] + along[:, None]) * width + columns[..., None, None] + along
    return images.reshape(-1, channels)[pixels].flatten(1, 2)


def content(features: Tensor, blank: Tensor) -> Tensor:
    """How far each window's `features` (B, n, f) lie from those of an empty window, `blank` (f,): (B, n), 0 for
    background, rising. Training's auxiliary losses go by it.

    Divided by √f so that networks of different width compare.
    """
    # The root has no slope at 0, where blank windows are: a tiny term keeps gradients finite, and is taken off again.
    squares = (features- blank).square().sum(-1) / blank.shape[0]
    return (squares + TINY).sqrt() - math.sqrt(TINY)


def objectness(features: Tensor, blank: Tensor, wholeness: Tensor) -> Tensor:
    """How far each window shows a whole thing: (B, n), its `content` times its `wholeness` (B, n). Symbols are found by
    it: of overlapping windows the one with most shows the thing."""
    return content(features, blank) * wholeness
