"""The input network: an image becomes the matrix L of feature vectors with their co-ordinates."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from neural.config import PIXEL_SCALE

TINY = 1e-12
WEIGHT_STD = 0.1
BIAS = 0.1


def initialise_weight(weight: Tensor, generator: torch.Generator | None = None) -> None:
    """Fills `weight` in place from a normal of std 0.1 cut at two standard deviations (authors' notebook)."""
    with torch.no_grad():
        nn.init.trunc_normal_(weight, std=WEIGHT_STD, a=-2 * WEIGHT_STD, b=2 * WEIGHT_STD, generator=generator)


class Encoder(nn.Module):
    """One convolution with ReLU, its filters' outputs joined by each window's place (section 2).

    Shapes: B images of S × S pixels, a grid of s × s windows (n = s²), f filters, m = f + 2.

    - filters: (B, f, s, s) = relu(conv(images / 256)), VALID, stride `stride`
    - L: (B, n, m), row-major over windows; the last two columns are x/s (column) and y/s (row).
    """

    place: Tensor  # (n, 2)

    def __init__(
        self,
        *,
        image_size: int,
        filters: int,
        filter_size: int,
        stride: int,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.filter_size = filter_size
        self.stride = stride
        self.side = (image_size - filter_size) // stride + 1
        self.weight = nn.Parameter(torch.empty(filters, 3, filter_size, filter_size))
        self.bias = nn.Parameter(torch.full((filters,), BIAS))
        initialise_weight(self.weight, generator)
        self.register_buffer("place", window_places(self.side), persistent=False)

    def forward(self, images: Tensor) -> Tensor:
        """L (B, n, m) of `images` (B, S, S, 3), any dtype, 0–255."""
        features = self.features(images)
        place = self.place.expand(len(features), -1, -1)
        return torch.cat([features, place], dim=2)  # (B, n, m)

    def features(self, images: Tensor) -> Tensor:
        """The filters' outputs (B, n, f) for every window of `images` (B, S, S, 3), any dtype, 0–255."""
        pixels = images.movedim(-1, 1).to(self.weight.dtype) / PIXEL_SCALE  # (B, 3, S, S)
        maps = functional.conv2d(pixels, self.weight, self.bias, stride=self.stride).relu()  # (B, f, s, s)
        return maps.flatten(2).transpose(1, 2)

    def filtered(self, windows: Tensor) -> Tensor:
        """The filters' outputs (N, f) for single windows (N, 3, F, F), floats 0–255, on black."""
        return (windows.flatten(1) / PIXEL_SCALE @ self.weight.flatten(1).T + self.bias).relu()

    def blank_features(self) -> Tensor:
        """The filters' outputs (f,) for a window that shows only background."""
        return self.bias.relu()


def window_places(side: int) -> Tensor:
    """Co-ordinates (side², 2) of every window, x then y, each index divided by `side` (authors' notebook)."""
    index = torch.arange(side * side)
    return torch.stack([index % side, index // side], dim=1) / side


def content(L: Tensor, blank: Tensor) -> Tensor:
    """How far each window's features lie from those of an empty window: (B, n), 0 for background, rising.

    `L` is (B, n, m), `blank` (f,). Divided by √f so that networks of different width compare.
    """
    features = L[..., : len(blank)]
    # The root has no slope at 0, where blank windows are: a tiny term keeps gradients finite, and is taken off again.
    squares = (features - blank).square().sum(-1) / len(blank)
    return (squares + TINY).sqrt() - math.sqrt(TINY)
