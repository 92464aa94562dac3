"""What an agent sees: a frame becomes a grid of feature vectors."""

from collections.abc import Callable, Mapping

from torch import Tensor, nn

STAGES = (16, 32, 32)
"""Filters of the residual net's stages (the paper's table)."""
SMALL_FILTERS = 16
FILTER_SIZE = 3


def residual_net(channels: int) -> nn.Sequential:
    """The paper's vision module: (B, channels, H, W) to (B, 32, ⌈H/8⌉, ⌈W/8⌉).

    Each stage is a convolution, max pooling with stride 2 and two residual blocks, all of filter size 3, padded SAME.
    """
    stages: list[nn.Module] = []
    for filters in STAGES:
        pooling = nn.MaxPool2d(FILTER_SIZE, stride=2, padding=FILTER_SIZE // 2)
        stages += [_convolution(channels, filters), pooling, ResidualBlock(filters), ResidualBlock(filters)]
        channels = filters
    return nn.Sequential(*stages, nn.ReLU())


def small_net(channels: int) -> nn.Sequential:
    """One convolution, (B, channels, H, W) to (B, 16, H, W): for games whose pixels are symbols already."""
    return nn.Sequential(_convolution(channels, SMALL_FILTERS), nn.ReLU())


class ResidualBlock(nn.Module):
    """x + conv(relu(conv(relu(x)))), of (B, filters, H, W)."""

    def __init__(self, filters: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(nn.ReLU(), _convolution(filters, filters), nn.ReLU(), _convolution(filters, filters))

    def forward(self, x: Tensor) -> Tensor:
        changed: Tensor = self.inner(x)
        return x + changed


def _convolution(channels: int, filters: int) -> nn.Conv2d:
    return nn.Conv2d(channels, filters, FILTER_SIZE, padding=FILTER_SIZE // 2)


VISION: Mapping[str, Callable[[int], nn.Sequential]] = {"residual": residual_net, "small": small_net}
"""The vision modules, of so many channels, by their names."""
