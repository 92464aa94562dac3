"""The attribute loss: leads chosen relations to mean colour, others to mean shape, and the last ones the whole look.

The tasks alone never force a network to keep colour and shape apart. This term does, within the paper's
architecture: on the axes of the first `COLOUR_RELATIONS` relations two objects shall lie together if and only if
they have the same colour, on those of the next if and only if they have the same shape, and on those of the last
`LOOK_RELATIONS` if and only if they look the same, square by square. It sees single objects of the training set, one
in a window:

- for colour, objects of one colour each;
- for shape, objects whose squares have a colour each, with some squares taken away, so that no filter can learn
  whole shapes by heart or rely on the colour;
- for the look, objects of few colours, and the same with the squares' colours in another order: what neither the
  colour on the whole nor the shape tells apart.

Colours are dimmed at random; windows of a network that is trained on corrupted images are moved by up to a pixel,
blurred and noisy. A group lasso over the nine squares makes each filter look at few of them: a filter
that looks at one square tells lit from unlit there for any shape, also one it never saw. Ours, not the paper's.
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from domains.relations_game import object_set
from domains.relations_game.objects import MARGIN, SQUARE
from neural.errors import NeuralError
from neural.network import RelationsNetwork

COLOUR_RELATIONS = 4
"""Three suffice to tell colours (they are points in a space of three); one is to spare."""
LOOK_RELATIONS = 3
LEAST_RELATIONS = COLOUR_RELATIONS + 1 + LOOK_RELATIONS
UNLIKE = 1.0
"""How far apart unlike objects shall lie on the axis that tells them best."""
TOGETHER = 10.0
"""Weight of pulling alike objects together against pushing unlike ones apart, when the run ends."""
HASTE = 4.0
"""How much more unlike objects are pushed apart when the run begins, falling to nothing with it. Without it two squares
came to be told by the same filters, as shapes that differ in those two alone are few; with it all the way, alike
objects stay apart."""
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
LOOKS, LOOK_COLOURS = 64, 3
"""Objects a step for the look, each in two orders of its so many colours, twice."""
NOISE = 0.08
"""Most noise on augmented windows, of 1."""
BLURRED = 0.3
"""Share of augmented windows that are blurred, by a little."""

SQUARES = 3
"""Along a side of the frame that a shape is drawn in."""


class AttributeLoss:
    """The term for one network; `__call__` draws objects and gives the loss."""

    def __init__(self, network: RelationsNetwork, objects: str, *, augmented: bool = False) -> None:
        if network.config.relations < LEAST_RELATIONS:
            raise NeuralError(
                f"the attribute loss needs {LEAST_RELATIONS} relations, for colour, shape and look; "
                f"there are {network.config.relations}: train with --relations {LEAST_RELATIONS} or more"
            )
        self.augmented = augmented
        chosen = object_set(objects)
        where = network.encoder.weight.device
        self.network = network
        self.masks = torch.tensor(chosen.masks, dtype=torch.float32, device=where).flatten(1)  # (shapes, 9)
        # Squares are lit in one colour each, also where objects have two; the first of all is black, of unlit ones.
        colours = np.unique(chosen.squares.reshape(-1, 3), axis=0)[1:]
        self.palette = torch.tensor(colours, dtype=torch.float32, device=where)  # (colours, 3)

    def __call__(self, seed: tuple[int, int], ahead: float = 0.0) -> Tensor:
        """A scalar ≥ 0. The objects drawn depend on `seed` alone; `ahead` is the share of the run to come, 0–1."""
        generator = torch.Generator().manual_seed(seed[0] * 1_000_003 + seed[1])
        where = self.masks.device

        def uniform(*size: int) -> Tensor:
            return torch.rand(*size, generator=generator).to(where)

        def below(limit: int, *size: int) -> Tensor:
            return torch.randint(limit, size, generator=generator).to(where)

        def shuffled(count: int) -> Tensor:
            return torch.randperm(count, generator=generator).to(where)

        weather = uniform if self.augmented else None
        shape, colour = shuffled(len(self.masks))[:SHAPES], shuffled(len(self.palette))[:COLOURS]
        # (shapes, colours, 9 squares, 3 channels), every shape in every colour
        plain = self.palette[colour] * (1 - DIMMING * uniform(len(colour), 1))
        plain = plain[None, :, None].expand(len(shape), -1, 9, -1)
        mask = self.masks[shape][:, None, :, None].expand(-1, len(colour), -1, -1)
        by_colour = self._coordinates(mask * plain, weather)[:, :COLOUR_RELATIONS]
        same_colour = torch.arange(len(colour), device=where).repeat(len(shape))

        texture = self.palette[below(len(self.palette), *plain.shape[:3])]
        texture = texture * (1 - DIMMING * uniform(*plain.shape[:3], 1))
        textured = torch.where(uniform(*plain.shape[:2], 1, 1) < TEXTURED, texture, plain)
        left = mask * (uniform(len(shape), 1, 9, 1) >= REMOVED)
        by_shape = self._coordinates(left * textured, weather)[:, COLOUR_RELATIONS:-LOOK_RELATIONS]
        lit = left[..., 0].flatten(0, 1)  # (objects, 9)
        same_shape = (lit * 2 ** torch.arange(9, device=where)).sum(1)

        few = self.palette[below(len(self.palette), LOOKS, LOOK_COLOURS)]  # (objects, colours, 3)
        few = few * (1 - DIMMING * uniform(LOOKS, LOOK_COLOURS, 1))
        one = below(LOOK_COLOURS, LOOKS, 9)  # the colour of every square
        orders = torch.cat([one, one[:, shuffled(9)]]).repeat(2, 1)  # (4 · objects, 9)
        which = torch.arange(LOOKS, device=where).repeat(4)
        looks = few[which[:, None], orders] * self.masks[below(len(self.masks), LOOKS)][which][..., None]
        by_look = self._coordinates(looks, weather)[:, -LOOK_RELATIONS:]
        same_look = torch.unique(looks.flatten(1), dim=0, return_inverse=True)[1]

        push = 1 + HASTE * ahead
        parts = ((by_colour, same_colour), (by_shape, same_shape), (by_look, same_look))
        losses = torch.stack([_apart(coordinates, kind, push) for coordinates, kind in parts])
        return losses.sum() + LOCALITY * self._spread()

    def _coordinates(self, squares: Tensor, weather: Callable[..., Tensor] | None = None) -> Tensor:
        """Co-ordinates (objects, j) of objects whose squares have the colours `squares` (…, 9, 3), 0–255.

        They are corrupted if there is a `weather`, which draws numbers from 0 to 1.
        """
        encoder = self.network.encoder
        grid = squares.reshape(-1, SQUARES, SQUARES, 3).movedim(-1, 1)
        frames = grid.repeat_interleave(SQUARE, 2).repeat_interleave(SQUARE, 3)  # (objects, 3, 9, 9)
        rest = encoder.filter_size - SQUARES * SQUARE - MARGIN
        windows = functional.pad(frames, (MARGIN, rest, MARGIN, rest))  # (objects, 3, F, F)
        if weather is not None:
            windows = _augmented(windows, weather)
        return encoder.filtered(windows) @ self.network.predinet.W_S[:-2]

    def _spread(self) -> Tensor:
        """Group lasso: the sum over filters and squares of the norm of the filter's weights on that square."""
        inside = slice(MARGIN, MARGIN + SQUARES * SQUARE)
        weight = self.network.encoder.weight[:, :, inside, inside]
        parts = weight.reshape(len(weight), 3, SQUARES, SQUARE, SQUARES, SQUARE)
        norms: Tensor = (parts.square().sum((1, 3, 5)) + 1e-8).sqrt()  # (f, 3, 3)
        return norms.sum()


def _augmented(windows: Tensor, uniform: Callable[..., Tensor]) -> Tensor:
    """`windows` (N, 3, F, F), 0–255, each moved by up to a pixel each way, some blurred, most noisy."""
    count, _, side, _ = windows.shape
    index = torch.arange(side, device=windows.device)
    moved = (uniform(count, 2) * 3).long() - 1
    # An object in its place is a pixel or more from the edge: nothing comes in again on the other side.
    y, x = ((index - moved[:, axis, None]) % side for axis in (1, 0))  # (N, F)
    windows = windows[torch.arange(count, device=windows.device)[:, None, None], :, y[:, :, None], x[:, None, :]]
    windows = windows.movedim(-1, 1)
    blurred = functional.avg_pool2d(windows, 3, stride=1, padding=1)
    windows = torch.where(uniform(count, 1, 1, 1) < BLURRED, 0.5 * (windows + blurred), windows)
    # Of uniform noise, which is as good, the standard deviation is 1/√12 of its width.
    noise = (uniform(*windows.shape) - 0.5) * 12**0.5
    return (windows + 255 * NOISE * uniform(count, 1, 1, 1) * noise).clamp(0, 255)


def _apart(coordinates: Tensor, kind: Tensor, push: float = 1.0) -> Tensor:
    """How far the objects (N, r) are from: alike ones at one point, unlike ones UNLIKE apart on some axis.

    `kind` (N,) says which are alike. Unlike pairs are averaged over those that are still too near, and weigh `push`.
    """
    distance = (coordinates[:, None] - coordinates[None]).abs().amax(-1)  # (N, N)
    alike = (kind[:, None] == kind[None]).float()
    pairs = (alike.sum() - len(kind)).clamp_min(1)
    too_near = (UNLIKE - distance).relu() * (1 - alike)
    pull = (distance.square() * alike).sum() / pairs
    apart = too_near.square().sum() / (too_near > 0).sum().clamp_min(1)
    return TOGETHER * pull + push * apart
