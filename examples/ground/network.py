"""The network that tells things from ground.

Five levels down, each half as fine and wider, and up again, with what each level saw beside it. The first level sees
blocks of 2 × 2 pixels: a quarter of the work, and every pixel still has its own answer. The coarsest level is told its
own mean: what is all over the picture is the ground. The others are told what a backbone sees there, which has learned
from photographs: lessons are drawn of other things than people photograph.
"""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from examples.ground import backbone

WIDTHS = 24, 40, 64, 96, 128
FINE, GROUPS = 2, 8
"""Levels without norms, which take long where there are many pixels; and how many groups of channels a norm has."""
UNLIKE, INPUTS, OUTPUTS = 6, 9, 2


def _conv(before: int, width: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(before, width, 3, stride, 1), nn.ReLU())


def _normed(before: int, width: int, stride: int = 1, gain: float = 1.0) -> nn.Sequential:
    norm = nn.GroupNorm(GROUPS, width)
    nn.init.constant_(norm.weight, gain)
    return nn.Sequential(nn.Conv2d(before, width, 3, stride, 1, bias=False), norm)


class _Residual(nn.Module):
    """Adds to what it is given. Without norms most channels of the coarse levels came to be 0 whatever they were given,
    and the network saw no farther than some twenty pixels."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = _normed(width, width), _normed(width, width, gain=0)

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(functional.relu(self.first(x))))


def _deep(before: int, width: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(_normed(before, width, stride), nn.ReLU(), _Residual(width))


class _Beside(nn.Module):
    """What a level is told of what the backbone sees, there and on the whole."""

    def __init__(self, before: int, width: int) -> None:
        super().__init__()
        self.there, self.everywhere = (nn.Conv2d(before, width, 1, bias=False) for _ in range(2))
        self.norm, self.last = nn.GroupNorm(GROUPS, width), nn.Conv2d(width, width, 1)

    def forward(self, features: Tensor) -> Tensor:
        x = self.there(features) + self.everywhere(features.mean(dim=(2, 3), keepdim=True))
        return torch.as_tensor(self.last(functional.relu(self.norm(x))))


class Foreground(nn.Module):
    """Of every pixel the logits that it is a thing's, and that two things meet there."""

    def __init__(self, widths: Sequence[int] = WIDTHS) -> None:
        super().__init__()
        first = widths[0]
        self.stem = _conv(4 * UNLIKE, first)
        pairs = list(pairwise(widths))
        self.down = nn.ModuleList(
            nn.Sequential(_conv(a, b, 2), _conv(b, b)) if level < FINE else _deep(a, b, 2)
            for level, (a, b) in enumerate(pairs, 1)
        )
        self.lateral = nn.ModuleList(nn.Conv2d(b, a, 1) for a, b in pairs[::-1])
        self.up = nn.ModuleList(
            nn.Sequential(_conv(2 * a, a), *(_conv(a, a) for _ in range(level))) if level < FINE else _deep(2 * a, a)
            for level, a in reversed([*enumerate(widths[:-1])])
        )
        self.head = nn.Conv2d(first, 4 * OUTPUTS, 3, 1, 1)
        self.backbone = backbone.Backbone()
        self.everywhere = nn.Conv2d(widths[-1], widths[-1], 1)
        self.beside = nn.ModuleList(map(_Beside, backbone.WIDTHS, widths[1:]))
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        nn.init.normal_(self.head.weight, 0, 0.01)
        nn.init.zeros_(self.everywhere.weight)
        for module in self.beside.modules():
            if isinstance(module, _Beside):
                nn.init.zeros_(module.last.weight)  # so one that had no backbone goes on as it was
        if self.head.bias is not None:
            nn.init.constant_(self.head.bias, -2)  # most pixels are the ground's

    def forward(self, inputs: Tensor) -> Tensor:
        """(B, 2, H, W) of `inputs` (B, 9, H, W), whose sides are multiples of 32: differences from the ground, and the
        picture."""
        unlike, picture = inputs.split([UNLIKE, 3], dim=1)
        first, last = self.stem  # blocks of 2 × 2 pixels by 3 × 3 are 6 × 6 pixels, and need not be laid side by side
        kernel = functional.pixel_shuffle(torch.as_tensor(first.weight), 2)
        x, levels = last(functional.conv2d(unlike, kernel, torch.as_tensor(first.bias), stride=2, padding=2)), []
        for down, beside, features in zip(self.down, self.beside, self.backbone(picture), strict=True):
            levels.append(x)
            x = down(x) + beside(features)
        x = functional.relu(x + self.everywhere(x.mean(dim=(2, 3), keepdim=True)))
        for lateral, up in zip(self.lateral, self.up, strict=True):
            x = functional.interpolate(lateral(x), scale_factor=2.0, mode="nearest")
            x = up(torch.cat([x, levels.pop()], dim=1))
        return functional.pixel_shuffle(self.head(x), 2)
