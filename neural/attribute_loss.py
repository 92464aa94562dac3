"""The attribute loss: leads some relations to mean one attribute of things each, and others the whole look.

The tasks alone never force a network to keep attributes, such as colour and shape, apart. This term does, within the
paper's architecture: on the axes of an attribute's relations two things lie together if and only if they have the same
value of it. It sees single things, one in a window, as the domain draws them (`Board.attribute_windows`). A group
lasso over the squares of the frame that things are drawn in makes each filter look at few of them: a filter that looks
at one square tells lit from unlit there for any shape, also one it never saw. Ours, not the paper's.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from predinet_prolog.domains.domain import AttributeWindows, Board
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.network import RelationsNetwork


@dataclass(frozen=True)
class AttributeSettings:
    unlike: float = 1.0
    """How far apart unlike things are to lie on the axis that tells them best."""
    together: float = 10.0
    """Weight of pulling alike things together against pushing unlike ones apart, when the run ends."""
    haste: float = 4.0
    """How much more unlike things are pushed apart when the run begins, falling to nothing with it. Without it two
    squares came to be told by the same filters, as shapes that differ in those two alone are few; with it all the way,
    alike things stay apart."""
    locality: float = 1e-3
    """Weight of the group lasso."""


SETTINGS = AttributeSettings()


class AttributeLoss:
    """The term for one network; `__call__` draws things of a `kind` and gives the loss."""

    def __init__(self, network: RelationsNetwork, domain: Board, kind: str, *, augmented: bool = False) -> None:
        self.network, self.domain, self.kind, self.augmented = network, domain, kind, augmented
        drawn = self._draw((0, 0))
        least = sum(windows.relations or 1 for windows in drawn)
        if network.config.relations < least:
            raise NeuralError(
                f"the attribute loss needs {least} relations, for {', '.join(part.attribute for part in drawn[:-1])} "
                f"and {drawn[-1].attribute}; there are {network.config.relations}: "
                f"train with --relations {least} or more"
            )

    def __call__(self, seed: tuple[int, int], ahead: float = 0.0) -> Tensor:
        """A scalar ≥ 0. The things drawn depend on `seed` alone; `ahead` is the share of the run to come, 0–1."""
        push = 1 + SETTINGS.haste * ahead
        drawn = self._draw(seed)
        spare = self.network.config.relations - sum(part.relations or 0 for part in drawn)
        widths = [part.relations or spare for part in drawn]
        losses = []
        for place, part in enumerate(drawn):
            first = sum(widths[:place])
            relations = slice(first, first + widths[place])
            losses.append(_apart(self._coordinates(part.windows)[:, relations], part.value, push))
        return torch.stack(losses).sum() + SETTINGS.locality * self._spread()

    def _draw(self, seed: tuple[int, int]) -> list[AttributeWindows]:
        size, where = self.network.encoder.filter_size, self.network.encoder.weight.device
        return [
            AttributeWindows(part.attribute, part.windows.to(where), part.value.to(where), part.relations)
            for part in self.domain.attribute_windows(size, kind=self.kind, seed=seed, augmented=self.augmented)
        ]

    def _coordinates(self, windows: Tensor) -> Tensor:
        """Appearance co-ordinates (n, j) of what `windows` (n, 3, F, F) show, 0–255 less their background."""
        return self.network.predinet.coordinates(self.network.encoder.filtered(windows))

    def _spread(self) -> Tensor:
        """Group lasso: the sum over filters and squares of the norm of the filter's weights on that square."""
        frame = self.network.config.alignment
        inside = slice(frame.margin, frame.margin + frame.frame)
        weight = self.network.encoder.weight[:, :, inside, inside]
        parts = weight.reshape(len(weight), 3, frame.squares, frame.square, frame.squares, frame.square)
        norms: Tensor = (parts.square().sum((1, 3, 5)) + 1e-8).sqrt()  # (f, squares, squares)
        return norms.sum()


def _apart(coordinates: Tensor, kind: Tensor, push: float = 1.0) -> Tensor:
    """How far the things (N, r) are from: alike ones at one point, unlike ones SETTINGS.unlike apart on some axis.

    `kind` (N,) says which are alike. Unlike pairs are averaged over those that are still too near, and weigh `push`.
    """
    distance = (coordinates[:, None] - coordinates[None]).abs().amax(-1)  # (N, N)
    alike = (kind[:, None] == kind[None]).float()
    pairs = (alike.sum() - len(kind)).clamp_min(1)
    too_near = (SETTINGS.unlike - distance).relu() * (1 - alike)
    pull = (distance.square() * alike).sum() / pairs
    apart = too_near.square().sum() / (too_near > 0).sum().clamp_min(1)
    return SETTINGS.together * pull + push * apart
