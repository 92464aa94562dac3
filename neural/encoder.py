"""Input networks: an image becomes the matrix L of feature vectors with their co-ordinates.

Shapes: B images of S × S pixels, a grid of s × s windows (n = s²) of F × F pixels, f filters, m = f + 2.
"""

import math

import torch
from torch import Tensor, nn

from predinet_prolog.neural.config import PIXEL_SCALE, NetworkConfig

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

    - features: (B, n, f) = relu(conv(images / 256)), VALID, stride `stride`; pictures that are not on 0 are taken less
      their ground
    - L: (B, n, m), row-major over windows; the last two columns are x/s (column) and y/s (row).

    What an encoder of another kind changes is `foreground`, `frames`, `frame_weight` and `wholeness`.
    """

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.image_size, self.filter_size = config.image_size, config.filter_size
        self.stride, self.side = config.stride, config.side
        self.ground = tuple(float(level) for level in config.background.to_bytes(3))
        self.weight = new_weight(config.filters, 3, config.filter_size, config.filter_size, generator=generator)
        self.bias = nn.Parameter(torch.full((config.filters,), BIAS))

    def forward(self, images: Tensor) -> Tensor:
        """L (B, n, m) of `images` (B, S, S, 3), any dtype, 0–255."""
        return with_places(self.features(self.foreground(images)), self.side, self.side)

    def foreground(self, images: Tensor) -> Tensor:
        """`images` (B, H, W, 3), any dtype, 0–255, less their background: single precision, exact for whole numbers."""
        if not any(self.ground):
            return images.float()
        return images.float() - torch.tensor(self.ground, device=images.device)

    def features(self, foreground: Tensor) -> Tensor:
        """The filters' outputs (B, w, f) for all w windows of a `foreground` (B, H, W, 3)."""
        windows = self.frames(foreground).flatten(2).to(self.weight.dtype) / PIXEL_SCALE
        return (windows @ self.frame_weight().flatten(1).T + self.bias).relu()

    def filtered(self, windows: Tensor) -> Tensor:
        """The filters' outputs (N, f) for single windows (N, 3, F, F), 0–255 less their background."""
        return self.features(windows.permute(0, 2, 3, 1))[:, 0]

    def blank_features(self) -> Tensor:
        """The filters' outputs (f,) for a window that shows only background."""
        return self.bias.relu()

    def frames(self, foreground: Tensor) -> Tensor:
        """What the filters see of each window: (B, w, rows, columns, 3)."""
        windows = foreground.unfold(1, self.filter_size, self.stride).unfold(2, self.filter_size, self.stride)
        return windows.permute(0, 1, 2, 4, 5, 3).flatten(1, 2)

    def frame_weight(self) -> Tensor:
        """The filters' weights (f, rows, columns, 3) for what they see."""
        return self.weight.permute(0, 2, 3, 1)

    def wholeness(self, foreground: Tensor) -> Tensor:
        """How far each window of `foreground` (B, S, S, 3) shows one thing and no halves of two: (B, n), 0–1."""
        return torch.ones(foreground.shape[0], self.side**2, dtype=self.weight.dtype, device=foreground.device)


def with_places(features: Tensor, rows: int, columns: int) -> Tensor:
    """L (B, n, f + 2) of the `features` (B, n, f) of a grid of n = rows · columns windows, row by row: behind each
    window's features its x and y, which are its column and row divided by how many there are (authors' notebook)."""
    index = torch.arange(rows * columns, device=features.device)
    x, y = (index % columns).to(features.dtype) / columns, (index // columns).to(features.dtype) / rows
    return torch.cat([features, torch.stack([x, y], dim=1).expand(features.shape[0], -1, -1)], dim=2)


def content(features: Tensor, blank: Tensor) -> Tensor:
    """How far each window's `features` (B, n, f) lie from those of an empty window, `blank` (f,): (B, n), 0 for
    background, rising. Training's auxiliary losses go by it.

    Divided by √f so that networks of different width compare.
    """
    # The root has no slope at 0, where blank windows are: a tiny term keeps gradients finite, and is taken off again.
    squares = (features - blank).square().sum(-1) / blank.shape[0]
    return (squares + TINY).sqrt() - math.sqrt(TINY)


def objectness(features: Tensor, blank: Tensor, wholeness: Tensor) -> Tensor:
    """How far each window shows a whole thing: (B, n), its `content` times its `wholeness` (B, n). Symbols are found by
    it: of overlapping windows the one with most shows the thing."""
    return content(features, blank) * wholeness
