"""The comparator: looks at one thing in a glimpse and says where it lies on every relation's axis.

The paper's comparison, D = E1·W_S − E2·W_S, for all pairs of things: a thing's features E are those of its glimpse, so
they hold neither place nor size, and W_S has a group of relations for each attribute. Colour is seen in the colours of
the thing's pixels alone, whatever their order; shape in its mask alone; look in both. Shapes: G glimpses of SIDE × SIDE
pixels, j relations.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from predinet_prolog.neural.glimpses.config import (
    COLOUR_WIDTH,
    FEATURES,
    FINDER_INPUTS,
    GLIMPSE_INPUTS,
    MASK_WIDTHS,
    PATTERN_WIDTHS,
    SIDE,
    key_of,
)
from predinet_prolog.neural.glimpses.finder import Conv, precise


@dataclass(frozen=True)
class Compared:
    """What the comparator says of every glimpse."""

    mask: Tensor
    """(G, SIDE, SIDE): logit of a pixel being the thing's."""
    coordinates: Tensor
    """(G, j): E·W_S."""


class Comparator(nn.Module):
    """A mask for every glimpse, then a small network for each group of relations."""

    def __init__(self, groups: Mapping[str, int], *, normed: bool = False) -> None:
        """`groups`: how many relations each has, by name, in their order; those of no known name see as look does."""
        super().__init__()
        a, b, c = MASK_WIDTHS

        def conv(before: int, width: int, stride: int = 1) -> nn.Sequential:
            return nn.Sequential(Conv(before, width, stride=stride, normed=normed), nn.ReLU())

        self.fine = conv(GLIMPSE_INPUTS, a)
        self.middle = nn.Sequential(conv(a, b, 2), conv(b, b))
        self.coarse = nn.Sequential(conv(b, c, 2), conv(c, c), conv(c, c))
        self.to_middle, self.to_fine = Conv(c, b, size=1, normed=False), Conv(b, a, size=1, normed=False)
        self.at_middle, self.at_fine = conv(b, b), conv(a, a)
        self.twice = nn.Upsample(scale_factor=2.0)
        self.mask = Conv(a, 1, size=1, normed=False)
        self.groups = nn.ModuleDict()
        for name, n in groups.items():
            sees = Colour(n) if name == "colour" else Look(n, normed=normed, coloured=name != "shape")
            self.groups[key_of(name)] = sees

    def forward(self, glimpses: Tensor, upright: Tensor | None = None, evidence: Tensor | None = None) -> Compared:
        """Compares `glimpses` (G, 7, SIDE, SIDE), as `neural.glimpses.cutting` cuts them. The pixels `upright`
        (SIDE · SIDE,) of one lie as in its picture; None: all do. Mask and colour are seen as it lies, all else so.
        `evidence` (G, SIDE, SIDE), 0–1, is how much of each pixel is known to be the thing's; None: nothing is."""
        fine = self.fine(glimpses)
        middle = self.middle(fine)
        middle = self.at_middle(middle + self.twice(self.to_middle(self.coarse(middle))))
        fine = self.at_fine(fine + self.twice(self.to_fine(middle)))
        mask = precise(self.mask(fine))[:, 0]
        # The difference from the ground tells most of it: the network learns what is to be mended.
        mask = mask + glimpses[:, 3:6].abs().amax(1) * 4 - 1
        visible = torch.sigmoid(mask)[:, None]
        visible = visible if evidence is None else torch.maximum(visible, evidence[:, None])
        lying = glimpses, visible
        standing = lying if upright is None else tuple(x.flatten(2)[:, :, upright].view(x.shape) for x in lying)
        coordinates = [group(*(lying if isinstance(group, Colour) else standing)) for group in self.groups.values()]
        return Compared(mask, torch.cat(coordinates, dim=1))


class Colour(nn.Module):
    """Sees the colours of the thing's pixels: what most of them and what some of them are, not where."""

    def __init__(self, relations: int) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(FINDER_INPUTS, COLOUR_WIDTH), nn.Linear(COLOUR_WIDTH, COLOUR_WIDTH)
        self.W_S = nn.Linear(2 * COLOUR_WIDTH, relations, bias=False)

    def forward(self, glimpses: Tensor, visible: Tensor) -> Tensor:
        """(G, relations) of `glimpses` (G, 7, SIDE, SIDE) and how far each pixel is `visible` (G, 1, SIDE, SIDE)."""
        return precise(self.W_S(colours_of(glimpses, visible, self.first, self.second)))


def colours_of(glimpses: Tensor, visible: Tensor, first: nn.Linear, second: nn.Linear) -> Tensor:
    """(G, 2w), w the width of `second`: what both layers tell of the colours of the pixels of `glimpses`
    (G, 6 and more, SIDE, SIDE) that are `visible` (G, 1, SIDE, SIDE), of most of them and of some."""
    # Every other row and column holds the same colours.
    pixels = glimpses[:, :6, ::2, ::2].flatten(2).transpose(1, 2)  # (G, n, 6)
    weight = visible[..., ::2, ::2].flatten(2).transpose(1, 2)  # (G, n, 1)
    inner = functional.relu(second(functional.relu(first(pixels))))
    mean = (inner * weight).sum(1) / (weight.sum(1) + 1e-3)
    most = (inner * weight).amax(1)
    return torch.cat([mean, most], dim=1)


def pattern_layers(inputs: int, *, normed: bool, widths: tuple[int, int, int] = PATTERN_WIDTHS) -> nn.Sequential:
    """Convolutions over glimpses (G, inputs, SIDE, SIDE), each half as fine, to (G, c, SIDE / 8, SIDE / 8), c the last
    of `widths`."""
    a, b, c = widths
    return nn.Sequential(
        Conv(inputs, a, size=5, stride=2, normed=normed),
        nn.ReLU(),
        Conv(a, b, stride=2, normed=normed),
        nn.ReLU(),
        Conv(b, b, normed=normed),
        nn.ReLU(),
        Conv(b, c, stride=2, normed=normed),
        nn.ReLU(),
    )


class Look(nn.Module):
    """Sees the thing's pixels where they lie, and nothing of the ground; of shape the mask alone."""

    def __init__(self, relations: int, *, normed: bool, coloured: bool = True) -> None:
        super().__init__()
        self.coloured = coloured
        self.layers = pattern_layers(GLIMPSE_INPUTS if coloured else 1, normed=normed)
        self.features = nn.Linear(PATTERN_WIDTHS[-1] * (SIDE // 8) ** 2, FEATURES)
        self.W_S = nn.Linear(FEATURES, relations, bias=False)

    def forward(self, glimpses: Tensor, visible: Tensor) -> Tensor:
        """(G, relations) of `glimpses` (G, 7, SIDE, SIDE) and how far each pixel is `visible` (G, 1, SIDE, SIDE)."""
        views = torch.cat([glimpses[:, :6] * visible, visible], dim=1) if self.coloured else visible
        return precise(self.W_S(functional.relu(self.features(self.layers(views).flatten(1)))))
