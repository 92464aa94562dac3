"""An encoder for pictures that are not pixel-perfect: it slides each window to where what it shows lines up.

The paper's filters are tied to pixels: an object moved by one pixel gives other features than the same object in its
place. Objects of the game are made of squares of 3 × 3 pixels, so their edges lie on lines 3 pixels apart, and where
those lines are can be read off a window without knowing the object. Ours, not the paper's.
"""

import torch
from torch import Tensor
from torch.nn import functional

from domains.relations_game.objects import FRAME, MARGIN
from neural.config import PIXEL_SCALE
from neural.encoder import Encoder
from neural.frames import FAINT, HOME, LINES, REACH, TIE


class AlignedEncoder(Encoder):
    """The paper's encoder, but each window shows its filters the 9 × 9 frame that lines up with its edges.

    The background is taken off first: the median of the image's outermost pixels, so that grey counts as black does.
    In a clean image every object is in its place and nothing slides. Shapes are `Encoder`'s; the filters' weights
    outside the frame are unused.
    """

    def features(self, images: Tensor) -> Tensor:
        return self._framed(self._windows(images)).view(len(images), self.side**2, -1)

    def filtered(self, windows: Tensor) -> Tensor:
        return self._framed(functional.pad(windows, (REACH,) * 4))

    def background(self, images: Tensor) -> Tensor:
        """The colour (B, 3), 0–255, of what is no object in `images` (B, S, S, 3)."""
        rim = torch.cat([images[:, [0, -1]].flatten(1, 2), images[:, 1:-1, [0, -1]].flatten(1, 2)], dim=1)  # (B, p, 3)
        return rim.to(self.weight.dtype).median(1).values

    def _windows(self, images: Tensor) -> Tensor:
        """Every window of `images` (B, S, S, 3) and REACH pixels around it, less the background: (B·n, 3, …, …)."""
        pixels = images.movedim(-1, 1).to(self.weight.dtype)  # (B, 3, S, S)
        pixels = pixels - self.background(images)[:, :, None, None]
        side = self.filter_size + 2 * REACH
        around = functional.pad(pixels, (REACH,) * 4)
        windows = around.unfold(2, side, self.stride).unfold(3, side, self.stride)  # (B, 3, s, s, …, …), not copied yet
        return windows.permute(0, 2, 3, 1, 4, 5).reshape(-1, 3, side, side)

    def _framed(self, windows: Tensor) -> Tensor:
        """The filters' outputs (N, f) for `windows` (N, 3, F + 2·REACH, F + 2·REACH), the background taken off."""
        corner = slides(windows, self.filter_size) + REACH + MARGIN  # (N, 2): x, y
        index = torch.arange(FRAME, device=windows.device)
        window = torch.arange(len(windows), device=windows.device)[:, None, None]
        y, x = corner[:, 1, None] + index, corner[:, 0, None] + index  # (N, 9)
        frames = windows[window, :, y[:, :, None], x[:, None, :]]  # (N, 9, 9, 3)
        inside = slice(MARGIN, MARGIN + FRAME)
        weight = self.weight[:, :, inside, inside].permute(2, 3, 1, 0).flatten(0, 2)  # (9·9·3, f)
        return (frames.flatten(1) / PIXEL_SCALE @ weight + self.bias).relu()


def slides(windows: Tensor, size: int) -> Tensor:
    """How far each window slides, x and y: (N, 2) whole pixels from -REACH to REACH.

    `windows` (N, 3, F + 2·REACH, F + 2·REACH) are 0–255 with the background taken off; only edges within their
    middle, F = `size` pixels wide, count: those of the neighbours' are not its own. No gradient flows.
    """
    with torch.no_grad():
        own = windows[:, :, REACH : REACH + size, REACH : REACH + size] / PIXEL_SCALE
        own = functional.pad(own, (1,) * 4)
        across = (own[..., 1:-1, 1:] - own[..., 1:-1, :-1]).abs().amax(1)  # (N, F, F + 1): before each pixel
        down = (own[..., 1:, 1:-1] - own[..., :-1, 1:-1]).abs().amax(1)  # (N, F + 1, F)
        edges = [(across - FAINT).clamp_min(0).sum(1), (down - FAINT).clamp_min(0).sum(2)]
        return torch.stack([_best_slide(axis) for axis in edges], dim=1)


def _best_slide(edges: Tensor) -> Tensor:
    """(N,): the slide whose lines meet most of the `edges` (N, F + 1) along an axis."""
    lines = torch.tensor(LINES, device=edges.device)
    steps = torch.arange(-REACH, REACH + 1, device=edges.device)
    met = functional.pad(edges, (REACH, REACH))[:, lines + steps[:, None] + REACH].sum(2)  # (N, steps)
    way = HOME * steps.abs() * (1 + edges.sum(1, keepdim=True)) + TIE * steps
    return steps[(met - way).argmax(1)]
