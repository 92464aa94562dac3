"""An encoder for pictures that are not pixel-perfect: it slides each window to where what it shows lines up.

The paper's filters are tied to pixels: an object moved by one pixel gives other features than the same object in its
place. Where a domain draws its things in a frame of equal squares, their edges lie on lines a square apart, and where
those lines are can be read off a window without knowing the thing. Ours, not the paper's.
"""

import torch
from torch import Tensor
from torch.nn import functional

from predinet_prolog.neural.config import PIXEL_SCALE, NetworkConfig
from predinet_prolog.neural.encoder import Encoder

FAINT = 0.08
"""Neighbouring pixels that differ by less than this, of 1, are no edge: noise and JPEG leave such differences."""
HOME = 0.02
"""What each pixel of the way costs, as a share of all edges: of steps that fit alike the shortest is taken."""
TIE = 1e-5
"""What each pixel to the right or down costs: of slides that fit alike one is taken whatever the last digits are."""


class AlignedEncoder(Encoder):
    """The paper's encoder, but each window shows its filters the frame that lines up with its edges.

    The background is taken off first: the median of the image's outermost pixels, whatever its colour.
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

    def foreground(self, images: Tensor) -> Tensor:
        # As large as the images: onnxruntime takes several times as long for a colour that it repeats itself.
        ground = self.background(images)[:, None, None].expand(-1, self.image_size, self.image_size, -1)
        return images.float() - ground

    def background(self, images: Tensor) -> Tensor:
        """The colour (B, 3), 0–255, of what is no object in `images` (B, H, W, 3)."""
        rim = torch.cat([images[:, [0, -1]].flatten(1, 2), images[:, 1:-1, [0, -1]].flatten(1, 2)], dim=1)  # (B, p, 3)
        return rim.float().sort(dim=1).values[:, (rim.shape[1] - 1) // 2]  # of two middle ones the lower

    def frames(self, foreground: Tensor) -> Tensor:
        reach, margin, frame = self.alignment.reach, self.alignment.margin, self.alignment.frame
        around = functional.pad(foreground, (0, 0, *(reach,) * 4))
        count, height, width, _ = around.shape
        slides = self.slides(foreground) + reach + margin  # (B, w, w, 2)
        starts = torch.arange(slides.shape[1], device=slides.device) * self.stride
        along = torch.arange(frame, device=slides.device)
        image = torch.arange(count, device=slides.device)[:, None, None]
        rows = image * height + starts[:, None] + slides[..., 0]  # of all images, one below the other
        columns = starts + slides[..., 1]
        pixels = (rows[..., None, None] + along[:, None]) * width + columns[..., None, None] + along
        return around.reshape(-1, 3)[pixels].flatten(1, 2)  # (B, w², rows, columns, 3)

    def frame_weight(self) -> Tensor:
        inside = slice(self.alignment.margin, self.alignment.margin + self.alignment.frame)
        return super().frame_weight()[:, inside, inside]

    @torch.no_grad()
    def slides(self, foreground: Tensor) -> Tensor:
        """How far each window of `foreground` (B, H, W, 3), 0–255, slides down and right: (B, w, w, 2) whole pixels
        from -reach to reach.

        Only edges within a window count: those of the neighbours' are not its own.
        """
        ink = self._edges(foreground)
        across = self._edges(foreground[:, :, 1:] - foreground[:, :, :-1])
        down = self._edges(foreground[:, 1:] - foreground[:, :-1])
        right = self._best_slide(ink, across)
        lower = self._best_slide(ink.transpose(1, 2), down.transpose(1, 2)).transpose(1, 2)
        return torch.stack([lower, right], dim=3)

    @torch.no_grad()
    def wholeness(self, foreground: Tensor) -> Tensor:
        ink = self._edges(foreground)
        columns = self._by_column(ink, self.filter_size)  # (B, s, s, F)
        rows = self._by_column(ink.transpose(1, 2), self.filter_size).transpose(1, 2)
        # What reaches two opposite sides is halves of two objects, and a frame that slides onto both may show more
        # than either.
        cut = torch.minimum(rows[..., 0], rows[..., -1]) + torch.minimum(columns[..., 0], columns[..., -1])
        whole = rows.sum(3) / self.filter_size  # a row's or column's mean ink
        return torch.where(whole > 0, whole / (whole + cut), torch.ones_like(whole)).flatten(1)

    def _edges(self, differences: Tensor) -> Tensor:
        """How far the clearest channel of `differences` (B, h, w, 3) is from FAINT: (B, h, w), 0 if it is fainter."""
        return (differences.abs().amax(3).to(self.weight.dtype) / PIXEL_SCALE - FAINT).clamp_min(0)

    def _best_slide(self, ink: Tensor, across: Tensor) -> Tensor:
        """(B, w, w): the slide to the right whose lines meet most of each window's edges, given those of its pixels
        (B, H, W) to background and to the next pixel (B, H, W - 1)."""
        rim = self._by_column(ink, self.filter_size)
        inner = self._by_column(across, self.filter_size - 1)
        # What reaches a window's rim has an edge there, for the neighbours' pixels are not its own.
        edges = torch.cat([rim[..., :1], inner, rim[..., -1:]], dim=3)  # (B, w, w, F + 1)
        met = edges @ self.meets.to(edges.dtype)  # (B, w, w, steps)
        way = HOME * self.steps.abs() * (1 + edges.sum(3, keepdim=True)) + TIE * self.steps
        return self.steps[(met - way).argmax(3)]

    def _by_column(self, edges: Tensor, columns: int) -> Tensor:
        """The sums (B, w, w, columns) of `edges` (B, h, w) over each column of each window."""
        of_rows = edges[:, self._spans(edges.shape[1], self.filter_size)].sum(2)  # (B, w, W)
        return of_rows[:, :, self._spans(edges.shape[2], columns)]

    def _spans(self, length: int, size: int) -> Tensor:
        """The pixels (w, size) of each window along an axis of `length` pixels."""
        starts = range(0, length - size + 1, self.stride)
        return torch.tensor([range(start, start + size) for start in starts], device=self.steps.device)
