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

from neural.glimpses.config import GLIMPSE_INPUTS, SIDE
from neural.glimpses.finder import Conv


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

        def conv(before: int, width: int, stride: int = 1) -> nn.Sequential:
            return nn.Sequential(Conv(before, width, stride=stride, normed=normed), nn.ReLU())

        self.fine = conv(GLIMPSE_INPUTS, 12)
        self.middle = nn.Sequential(conv(12, 32, 2), conv(32, 32))
        self.coarse = nn.Sequential(conv(32, 48, 2), conv(48, 48), conv(48, 48))
        self.to_middle, self.to_fine = Conv(48, 32, size=1, normed=False), Conv(32, 12, size=1, normed=False)
        self.at_middle, self.at_fine = conv(32, 32), conv(12, 12)
        self.mask = Conv(12, 1, size=1, normed=False)
        self.groups = nn.ModuleDict(
            {key_of(name): _SEES.get(name, Look)(relations, normed=normed) for name, relations in groups.items()}
        )

    def forward(self, glimpses: Tensor) -> Compared:
        """Compares `glimpses` (G, 7, SIDE, SIDE), as `bridge.glimpses.glimpse` cuts them."""
        fine = self.fine(glimpses)
        middle = self.middle(fine)
        middle = self.at_middle(middle + _twice(self.to_middle(self.coarse(middle))))
        fine = self.at_fine(fine + _twice(self.to_fine(middle)))
        mask = self.mask(fine)[:, 0].float()
        # The difference from the ground tells most of it: the network learns what is to be mended.
        mask = mask + glimpses[:, 3:6].abs().amax(1) * 4 - 1
        seen = torch.sigmoid(mask)[:, None]
        coordinates = torch.cat([group(glimpses, seen) for group in self.groups.values()], dim=1)
        return Compared(mask, coordinates)


class Colour(nn.Module):
    """Sees the colours of the thing's pixels: what most of them and what some of them are, not where."""

    def __init__(self, relations: int, *, normed: bool = False) -> None:
        super().__init__()
        del normed
        self.first, self.second = nn.Linear(6, 32), nn.Linear(32, 32)
        self.W_S = nn.Linear(64, relations, bias=False)

    def forward(self, glimpses: Tensor, seen: Tensor) -> Tensor:
        """(G, relations) of `glimpses` (G, 7, SIDE, SIDE) and how far each pixel is `seen` (G, 1, SIDE, SIDE)."""
        # Every other row and column holds the same colours.
        pixels = glimpses[:, :6, ::2, ::2].flatten(2).transpose(1, 2)  # (G, n, 6)
        weight = seen[..., ::2, ::2].flatten(2).transpose(1, 2)  # (G, n, 1)
        inner = functional.relu(self.second(functional.relu(self.first(pixels))))
        mean = (inner * weight).sum(1) / (weight.sum(1) + 1e-3)
        most = (inner * weight).amax(1)
        return self.W_S(torch.cat([mean, most], dim=1)).float()


class _Patterns(nn.Module):
    """Convolutions over a glimpse, each half as fine, down to relations."""

    def __init__(self, inputs: int, relations: int, *, normed: bool) -> None:
        super().__init__()
        a, b, c = 24, 48, 96
        self.layers = nn.Sequential(
            Conv(inputs, a, size=5, stride=2, normed=normed),
            nn.ReLU(),
            Conv(a, b, stride=2, normed=normed),
            nn.ReLU(),
            Conv(b, b, normed=normed),
            nn.ReLU(),
            Conv(b, c, stride=2, normed=normed),
            nn.ReLU(),
        )
        self.features = nn.Linear(c * (SIDE // 8) ** 2, 128)
        self.W_S = nn.Linear(128, relations, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """(G, relations) of `x` (G, inputs, SIDE, SIDE)."""
        return self.W_S(functional.relu(self.features(self.layers(x).flatten(1)))).float()


class Shape(_Patterns):
    """Sees the mask alone."""

    def __init__(self, relations: int, *, normed: bool = False) -> None:
        super().__init__(1, relations, normed=normed)

    def forward(self, glimpses: Tensor, seen: Tensor) -> Tensor:  # type: ignore[override]
        """(G, relations) of how far each pixel is `seen` (G, 1, SIDE, SIDE)."""
        return super().forward(seen)


class Look(_Patterns):
    """Sees the thing's pixels where they lie, and nothing of the ground."""

    def __init__(self, relations: int, *, normed: bool = False) -> None:
        super().__init__(GLIMPSE_INPUTS, relations, normed=normed)

    def forward(self, glimpses: Tensor, seen: Tensor) -> Tensor:  # type: ignore[override]
        """(G, relations) of `glimpses` (G, 7, SIDE, SIDE) and how far each pixel is `seen` (G, 1, SIDE, SIDE)."""
        return super().forward(torch.cat([glimpses[:, :6] * seen, seen], dim=1))


def key_of(group: str) -> str:
    """What a group's network is called: PyTorch allows no name that a ModuleDict has for something else, as type."""
    return f"{group}_" if hasattr(_NONE, group) else group


_NONE = nn.ModuleDict()
_SEES: Mapping[str, type[Colour | Shape | Look]] = {"colour": Colour, "shape": Shape, "look": Look}


def _twice(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")
