"""The naming loss: leads chosen relations to mean colour, and others to mean shape.

The tasks alone never force a network to keep colour and shape apart. This term does, within the paper's
architecture: on the axes of the first `COLOUR_RELATIONS` relations two objects shall lie together if and only if
they have the same colour, on those of the rest if and only if they have the same shape. It sees single objects of
the training set, one in a window:

- for colour, objects of one colour each;
- for shape, objects whose squares have a colour each, with some squares taken away, so that no filter can learn
  whole shapes by heart or rely on the colour.

Colours are dimmed at random. A group lasso over the nine squares makes each filter look at few of them: a filter
that looks at one square tells lit from unlit there for any shape, also one it never saw. Ours, not the paper's.
"""

import torch
from torch import Tensor

from neural.encoder import PIXEL_SCALE
from neural.network import RelationsNetwork
from neural.relations_game import object_set

COLOUR_RELATIONS = 4
"""Three suffice to tell colours (they are points in a space of three); one is to spare."""
MARGIN = 1.0
"""How far apart unlike objects shall lie on the axis that tells them best."""
TOGETHER = 10.0
"""Weight of pulling alike objects together against pushing unlike ones apart."""
LOCALITY = 1e-3
"""Weight of the group lasso."""
SHAPES, COLOURS = 16, 16
"""Objects a step: every one of so many shapes in every one of so many colours."""
DIMMING = 0.5
"""Colours are darkened by up to this share."""
TEXTURED = 0.7
"""Share of the shape part's objects whose squares have a colour each."""
REMOVED = 0.2
"""Share of squares taken away."""
SQUARES, SQUARE, EDGE = 3, 3, 1
"""Squares along a side of the shape frame, pixels along a side of a square, pixels before the frame."""


class NamingLoss:
    """The term for one network; `__call__` draws objects and gives the loss."""

    def __init__(self, network: RelationsNetwork, objects: str) -> None:
        chosen = object_set(objects)
        where = network.encoder.weight.device
        self.network = network
        self.masks = torch.tensor(chosen.masks, dtype=torch.float32, device=where).flatten(1)  # (shapes, 9)
        # The first shape in every colour: a lit square has the colour, the others are black.
        first = chosen.squares[: chosen.n_colours].reshape(chosen.n_colours, 9, 3)
        self.palette = torch.tensor(first.max(1), dtype=torch.float32, device=where)  # (colours, 3)

    def __call__(self, seed: tuple[int, int]) -> Tensor:
        """A scalar ≥ 0. The objects drawn depend on `seed` alone."""
        generator = torch.Generator().manual_seed(seed[0] * 1_000_003 + seed[1])
        where = self.masks.device
        shape = torch.randperm(len(self.masks), generator=generator)[:SHAPES].to(where)
        colour = torch.randperm(len(self.palette), generator=generator)[:COLOURS].to(where)

        def uniform(*size: int) -> Tensor:
            return torch.rand(*size, generator=generator).to(where)

        # (shapes, colours, 9 squares, 3 channels), every shape in every colour
        plain = self.palette[colour] * (1 - DIMMING * uniform(len(colour), 1))
        plain = plain[None, :, None].expand(len(shape), -1, 9, -1)
        mask = self.masks[shape][:, None, :, None].expand(-1, len(colour), -1, -1)
        any_colour = torch.randint(len(self.palette), plain.shape[:3], generator=generator).to(where)
        texture = self.palette[any_colour] * (1 - DIMMING * uniform(*plain.shape[:3], 1))
        textured = torch.where(uniform(*plain.shape[:2], 1, 1) < TEXTURED, texture, plain)
        left = mask * (uniform(len(shape), 1, 9, 1) >= REMOVED)

        by_colour = self._coordinates(mask * plain)[:, :COLOUR_RELATIONS]
        by_shape = self._coordinates(left * textured)[:, COLOUR_RELATIONS:]
        same_colour = torch.arange(len(colour), device=where).repeat(len(shape))
        lit = left[..., 0].flatten(0, 1)  # (objects, 9)
        same_shape = (lit * 2 ** torch.arange(9, device=where)).sum(1)
        apart = _apart(by_colour, same_colour) + _apart(by_shape, same_shape)
        return apart + LOCALITY * self._spread()

    def _coordinates(self, squares: Tensor) -> Tensor:
        """Co-ordinates (objects, j) of objects whose squares have the colours `squares` (…, 9, 3), 0–255."""
        encoder = self.network.encoder
        grid = squares.reshape(-1, SQUARES, SQUARES, 3)
        pixels = grid.repeat_interleave(SQUARE, 1).repeat_interleave(SQUARE, 2)
        window = pixels.new_zeros(len(grid), encoder.filter_size, encoder.filter_size, 3)
        side = SQUARES * SQUARE
        window[:, EDGE : EDGE + side, EDGE : EDGE + side] = pixels
        flat = window.movedim(-1, 1).flatten(1) / PIXEL_SCALE
        features = (flat @ encoder.weight.flatten(1).T + encoder.bias).relu()  # (objects, f)
        return features @ self.network.predinet.W_S[:-2]

    def _spread(self) -> Tensor:
        """Group lasso: the sum over filters and squares of the norm of the filter's weights on that square."""
        side = SQUARES * SQUARE
        weight = self.network.encoder.weight[:, :, EDGE : EDGE + side, EDGE : EDGE + side]
        parts = weight.reshape(len(weight), 3, SQUARES, SQUARE, SQUARES, SQUARE)
        norms: Tensor = (parts.square().sum((1, 3, 5)) + 1e-8).sqrt()  # (f, 3, 3)
        return norms.sum()


def _apart(coordinates: Tensor, kind: Tensor) -> Tensor:
    """How far the objects (N, r) are from: alike ones at one point, unlike ones MARGIN apart on some axis.

    `kind` (N,) says which are alike. Unlike pairs are averaged over those that are still too near.
    """
    distance = (coordinates[:, None] - coordinates[None]).abs().amax(-1)  # (N, N)
    alike = (kind[:, None] == kind[None]).float()
    pairs = (alike.sum() - len(kind)).clamp_min(1)
    too_near = (MARGIN - distance).relu() * (1 - alike)
    pull = (distance.square() * alike).sum() / pairs
    push = too_near.square().sum() / (too_near > 0).sum().clamp_min(1)
    return TOGETHER * pull + push
