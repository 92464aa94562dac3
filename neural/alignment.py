"""An encoder for pictures that are not pixel-perfect: it slides each window to where what it shows lines up.

The paper's filters are tied to pixels: an object moved by one pixel gives other features than the same object in its
place. Where a domain draws its things in a frame of equal squares, their edges lie on lines a square apart, and where
those lines are can be read off a window without knowing the thing. Ours, not the paper's.
"""

import torch
from torch import Tensor
from torch.nn import functional

from neural.config import PIXEL_SCALE, NetworkConfig
from neural.encoder import Encoder, cropped

FAINT = 0.08
"""Neighbouring pixels that differ by less than this, of 1, are no edge: noise and JPEG leave such differences."""
HOME = 0.02
"""What each pixel of the way costs, as a share of all edges: of steps that fit alike the shortest is taken."""
TIE = 1e-5
"""What each pixel to the right or down costs: of slides that fit alike one is taken whatever the last digits are."""


class AlignedEncoder(Encoder):
    """The paper's encoder, but each window shows its filters the frame that lines up with its edges.

    The background is taken off first: the median of the image's outermost pixels, so that grey counts as black does.
    In a clean image every object is in its place and nothing slides. Shapes are `Encoder`'s; the filters' weights
    outside the frame are unused.
    """

    steps: Tensor
    """(2·reach + 1,): how far a window may slide along an axis, in pixels."""
    meets: Tensor
    """(F + 1, 2·reach + 1): 1 where the frame's lines meet the edge before a pixel after that step, else 0."""

    def __init__(self, config: NetworkConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__(config, generator=generator)
        self.alignment = config.alignment
        steps = torch.arange(-self.alignment.reach, self.alignment.reach + 1)
        lines = torch.tensor(self.alignment.lines) + steps[:, None]  # (steps, lines)
        meets = (torch.arange(self.filter_size + 1)[:, None, None] == lines).any(2)
        self.register_buffer("steps", steps, persistent=False)
        self.register_buffer("meets", meets.float(), persistent=False)

    def background(self, images: Tensor) -> Tensor:
        rim = torch.cat([images[:, [0, -1]].flatten(1, 2), images[:, 1:-1, [0, -1]].flatten(1, 2)], dim=1)  # (B, p, 3)
        return rim.to(self.weight.dtype).sort(dim=1).values[:, (rim.shape[1] - 1) // 2]  # of two middle ones the lower

    def frames(self, foreground: Tensor, starts: Tensor) -> Tensor:
        reach, margin = self.alignment.reach, self.alignment.margin
        around = functional.pad(foreground, (0, 0, reach, reach, reach, reach))
        return cropped(around, self.slides(foreground, starts) + reach + margin, starts, self.alignment.frame)

    def seen_weight(self) -> Tensor:
        inside = slice(self.alignment.margin, self.alignment.margin + self.alignment.frame)
        return self.weight[:, :, inside, inside]

    @torch.no_grad()
    def slides(self, foreground: Tensor, starts: Tensor) -> Tensor:
        """How far each window slides, down and right: (B, w, w, 2) whole pixels from -reach to reach.

        Windows of `foreground` (B, H, W, 3), 0–255, begin at the rows and columns `starts` (w,). Only edges within a
        window count: those of the neighbours' are not its own.
        """
        right = self._best_slide(foreground, starts)
        down = self._best_slide(foreground.transpose(1, 2), starts).transpose(1, 2)
        return torch.stack([down, right], dim=3)

    @torch.no_grad()
    def wholeness(self, foreground: Tensor) -> Tensor:
        columns = self._by_column(foreground, self.starts, self.filter_size)
        rows = self._by_column(foreground.transpose(1, 2), self.starts, self.filter_size).transpose(1, 2)
        # What reaches two opposite sides is halves of two objects, and a frame that slides onto both may show more
        # than either.
        cut = torch.minimum(rows[..., 0], rows[..., -1]) + torch.minimum(columns[..., 0], columns[..., -1])
        whole = rows.sum(3) / self.filter_size  # a row's or column's mean ink
        return torch.where(whole > 0, whole / (whole + cut), torch.ones_like(whole)).flatten(1)

    def _best_slide(self, foreground: Tensor, starts: Tensor) -> Tensor:
        """(B, w, w): the slide to the right whose lines meet most of each window's edges."""
        ink = self._by_column(foreground, starts, self.filter_size)
        inner = self._by_column(foreground[:, :, 1:] - foreground[:, :, :-1], starts, self.filter_size - 1)
        # What reaches a window's rim has an edge there, for the neighbours' pixels are not its own.
        edges = torch.cat([ink[..., :1], inner, ink[..., -1:]], dim=3)  # (B, w, w, F + 1)
        met = edges @ self.meets.to(edges.dtype)  # (B, w, w, steps)
        way = HOME * self.steps.abs() * (1 + edges.sum(3, keepdim=True)) + TIE * self.steps
        return self.steps[(met - way).argmax(3)]

    def _by_column(self, differences: Tensor, starts: Tensor, columns: int) -> Tensor:
        """How far the clearest channel of `differences` (B, h, w, 3) is from FAINT, or 0 if it is fainter: the sums
        (B, w, w, columns) over each column of each window."""
        edges = (differences.abs().amax(3) / PIXEL_SCALE - FAINT).clamp_min(0)
        of_rows = edges[:, starts[:, None] + torch.arange(self.filter_size, device=starts.device)].sum(2)
        return of_rows[:, :, starts[:, None] + torch.arange(columns, device=starts.device)]
