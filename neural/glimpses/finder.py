"""The finder: a fully convolutional network that says of every place whether a thing's middle is there, how far the
thing reaches, whether the place is a thing's own, and where that thing's middle lies.

It is the paper's attention with one learned query for all pictures, "a thing's middle": `salience` is the query's
product with the key of every place, and a place's extent is read off its features. Shapes: B pictures of H × W pixels,
multiples of REACH; places lie STRIDE pixels apart, h = H / STRIDE, w = W / STRIDE.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

from predinet_prolog.neural.glimpses.config import BLOCKS, FINDER_HEADS, FINDER_INPUTS


@dataclass(frozen=True)
class Found:
    """What the finder says of every place."""

    salience: Tensor
    """(B, h, w): logit of a thing's middle being here."""
    ownership: Tensor
    """(B, h, w): logit of this place being a thing's."""
    votes: Tensor
    """(B, 2, h, w): from here to the middle of the thing whose place this is, x and y, pixels."""
    extent: Tensor
    """(B, 4, h, w): of the thing whose middle is here, from here to its middle, x and y, in pixels, and the logarithms
    of its width and height in pixels."""
    doubt: Tensor
    """(B, H / REACH, W / REACH): logit of this part of the picture showing no separate things, but clutter, text or
    texture."""

    @property
    def heads(self) -> Tensor:
        """(B, 8, h, w): all but the doubt, one after the other."""
        return torch.cat([self.salience[:, None], self.ownership[:, None], self.votes, self.extent], dim=1)


class Conv(nn.Module):
    """A convolution with a batch normalisation that training alone needs: `fold` makes it part of the convolution."""

    def __init__(self, before: int, width: int, *, size: int = 3, stride: int = 1, normed: bool = True) -> None:
        super().__init__()
        self.conv = nn.Conv2d(before, width, size, stride=stride, padding=size // 2)
        self.norm: nn.BatchNorm2d | None = nn.BatchNorm2d(width) if normed else None

    def forward(self, x: Tensor) -> Tensor:
        """(B, width, H / stride, W / stride) of `x` (B, before, H, W)."""
        x = self.conv(x)
        return x if self.norm is None else self.norm(x)

    def fold(self) -> None:
        """Takes the normalisation, as it is when not training, into weight and bias."""
        if self.norm is not None:
            self.conv, self.norm = fuse_conv_bn_eval(self.conv, self.norm), None


class Block(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, width: int, *, normed: bool) -> None:
        super().__init__()
        self.first, self.second = (Conv(width, width, normed=normed) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class Finder(nn.Module):
    """Four levels down, each half as fine and wider, and up again, with what each level saw beside."""

    def __init__(self, widths: Sequence[int], *, normed: bool = False) -> None:
        """`normed`: with batch normalisations, for training from the beginning."""
        super().__init__()
        a, b, c, d = widths

        def down(level: int, before: int, width: int, size: int = 3) -> nn.Sequential:
            first = Conv(before, width, size=size, stride=2, normed=normed)
            return nn.Sequential(first, nn.ReLU(), *(Block(width, normed=normed) for _ in range(BLOCKS[level])))

        self.places = down(0, FINDER_INPUTS, a, 5)
        self.halves, self.quarters, self.eighths = down(1, a, b), down(2, b, c), down(3, c, d)
        self.to_quarters, self.to_halves, self.to_places = (
            Conv(coarse, fine, size=1, normed=False) for coarse, fine in ((d, c), (c, b), (b, a))
        )
        self.at_quarters = Block(c, normed=normed)
        self.at_halves = nn.Sequential(Block(b, normed=normed), Block(b, normed=normed))
        self.at_places = Block(a, normed=normed)
        self.twice = nn.Upsample(scale_factor=2.0)
        self.heads = Conv(a, FINDER_HEADS, size=1, normed=False)
        self.doubt = Conv(d, 1, size=1, normed=False)

    def forward(self, inputs: Tensor) -> Found:
        """Looks at `inputs` (B, 6, H, W), as `prepared` gives them."""
        places = self.places(inputs)
        halves = self.halves(places)
        quarters = self.quarters(halves)
        eighths = self.eighths(quarters)
        quarters = self.at_quarters(quarters + self.twice(self.to_quarters(eighths)))
        halves = self.at_halves(halves + self.twice(self.to_halves(quarters)))
        features = self.at_places(places + self.twice(self.to_places(halves)))
        heads = precise(self.heads(features))
        return Found(
            salience=heads[:, 0] - 4,
            ownership=heads[:, 1],
            votes=heads[:, 2:4] * 8,
            extent=torch.cat([heads[:, 4:6] * 4, heads[:, 6:8] + 2.5], dim=1),
            doubt=precise(self.doubt(eighths))[:, 0],
        )


def precise(x: Tensor) -> Tensor:
    """`x` in single precision at least: training may compute in half of it."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def prepared(pictures: Tensor, ground: Tensor) -> Tensor:
    """(B, 6, H, W): what the finder looks at, of `pictures` and their `ground` (B, 3, H, W), 0–255."""
    return torch.cat([pictures / 128 - 1, (pictures - ground) / 64], dim=1)
