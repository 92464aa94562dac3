"""Windows for the attribute loss: single objects drawn so that one attribute alone is what they have in common.

- for colour, objects of one colour each;
- for shape, objects whose squares have a colour each, with some squares taken away, so that no filter can learn whole
  shapes by heart or rely on the colour;
- for the look, objects of few colours, and the same with the squares' colours in another order: what neither the
  colour on the whole nor the shape tells apart.

Colours are dimmed at random. Augmented windows are moved by up to a pixel, blurred and noisy.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from predinet_prolog.domains.domain import AttributeWindows
from predinet_prolog.domains.relations_game.objects import FRAME, MARGIN, SQUARE, ObjectSet

SQUARES = FRAME // SQUARE
"""Along a side of an object's frame."""


@dataclass(frozen=True)
class WindowSettings:
    shapes: int = 16
    """Shapes a step: each comes in every one of the colours."""
    colours: int = 16
    looks: int = 64
    """Objects a step for the look, each in two orders of its colours, twice."""
    look_colours: int = 3
    dimming: float = 0.5
    """Colours are darkened by up to this share."""
    textured: float = 0.7
    """Share of the shape part's objects whose squares have a colour each."""
    removed: float = 0.2
    """Share of squares taken away."""
    noise: float = 0.08
    """Most noise on augmented windows, of 1."""
    blurred: float = 0.3
    """Share of augmented windows that are blurred, by a little."""
    colour_relations: int = 4
    """Three suffice to tell colours, which are points in a space of three; one is to spare."""
    look_relations: int = 3


SETTINGS = WindowSettings()


def attribute_windows(kind: ObjectSet, size: int, *, seed: tuple[int, int], augmented: bool) -> list[AttributeWindows]:
    """Windows (n, 3, size, size) of objects of one kind, by colour, shape and look."""
    draw = SETTINGS
    generator = torch.Generator().manual_seed(seed[0] * 1_000_003 + seed[1])

    def uniform(*shape: int) -> Tensor:
        return torch.rand(*shape, generator=generator)

    def below(limit: int, *shape: int) -> Tensor:
        return torch.randint(limit, shape, generator=generator)

    def shuffled(count: int) -> Tensor:
        return torch.randperm(count, generator=generator)

    def windows(squares: Tensor) -> Tensor:
        drawn = windows_of(squares, size)
        return augment(drawn, uniform) if augmented else drawn

    masks, palette = shapes_of(kind), palette_of(kind)
    shape, colour = shuffled(len(masks))[: draw.shapes], shuffled(len(palette))[: draw.colours]
    # (shapes, colours, 9 squares, 3 channels), every shape in every colour
    plain = palette[colour] * (1 - draw.dimming * uniform(len(colour), 1))
    plain = plain[None, :, None].expand(len(shape), -1, SQUARES**2, -1)
    mask = masks[shape][:, None, :, None].expand(-1, len(colour), -1, -1)
    by_colour = windows(mask * plain)

    texture = palette[below(len(palette), *plain.shape[:3])]
    texture = texture * (1 - draw.dimming * uniform(*plain.shape[:3], 1))
    textured = torch.where(uniform(*plain.shape[:2], 1, 1) < draw.textured, texture, plain)
    left = mask * (uniform(len(shape), 1, SQUARES**2, 1) >= draw.removed)
    by_shape = windows(left * textured)
    lit = left[..., 0].flatten(0, 1)  # (objects, 9)

    few = palette[below(len(palette), draw.looks, draw.look_colours)]  # (objects, colours, 3)
    few = few * (1 - draw.dimming * uniform(draw.looks, draw.look_colours, 1))
    one = below(draw.look_colours, draw.looks, SQUARES**2)  # the colour of every square
    orders = torch.cat([one, one[:, shuffled(SQUARES**2)]]).repeat(2, 1)  # (4 · objects, 9)
    which = torch.arange(draw.looks).repeat(4)
    looks = few[which[:, None], orders] * masks[below(len(masks), draw.looks)][which][..., None]
    by_look = windows(looks)

    same_colour = torch.arange(len(colour)).repeat(len(shape))
    same_shape = (lit * 2 ** torch.arange(SQUARES**2)).sum(1)
    same_look = torch.unique(looks.flatten(1), dim=0, return_inverse=True)[1]
    return [
        AttributeWindows("colour", by_colour, same_colour, draw.colour_relations),
        AttributeWindows("shape", by_shape, same_shape),
        AttributeWindows("look", by_look, same_look, draw.look_relations),
    ]


def shapes_of(kind: ObjectSet) -> Tensor:
    """(shapes, 9): which squares of its frame are lit."""
    return torch.tensor(kind.masks, dtype=torch.float32).flatten(1)


def palette_of(kind: ObjectSet) -> Tensor:
    """(colours, 3): every colour that a square of an object has; objects may have two."""
    colours = np.unique(kind.squares.reshape(-1, 3), axis=0)
    return torch.tensor(colours[1:], dtype=torch.float32)  # the first is black, of unlit squares


def windows_of(squares: Tensor, size: int) -> Tensor:
    """Windows (objects, 3, size, size) of objects whose squares have the colours `squares` (…, 9, 3), 0–255."""
    grid = squares.reshape(-1, SQUARES, SQUARES, 3).movedim(-1, 1)
    frames = grid.repeat_interleave(SQUARE, 2).repeat_interleave(SQUARE, 3)  # (objects, 3, 9, 9)
    rest = size - FRAME - MARGIN
    return functional.pad(frames, (MARGIN, rest, MARGIN, rest))


def augment(windows: Tensor, uniform: Callable[..., Tensor]) -> Tensor:
    """`windows` (N, 3, F, F), 0–255, each moved by up to a pixel each way, some blurred, most noisy."""
    count, _, side, _ = windows.shape
    index = torch.arange(side)
    moved = (uniform(count, 2) * 3).long() - 1
    # An object in its place is a pixel or more from the edge: nothing comes in again on the other side.
    y, x = ((index - moved[:, axis, None]) % side for axis in (1, 0))  # (N, F)
    windows = windows[torch.arange(count)[:, None, None], :, y[:, :, None], x[:, None, :]].movedim(-1, 1)
    blurred = functional.avg_pool2d(windows, 3, stride=1, padding=1)
    windows = torch.where(uniform(count, 1, 1, 1) < SETTINGS.blurred, 0.5 * (windows + blurred), windows)
    # Of uniform noise, which is as good, the standard deviation is 1/√12 of its width.
    noise = (uniform(*windows.shape) - 0.5) * 12**0.5
    return (windows + 255 * SETTINGS.noise * uniform(count, 1, 1, 1) * noise).clamp(0, 255)
