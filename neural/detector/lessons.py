"""What each step of training shows a finder and a reader, and the loss of it: it depends on the seed and the step's
number alone."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from predinet_prolog.domains.data import Pixels
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.detector.config import MIRRORED
from predinet_prolog.neural.detector.cutting import cut_glimpses, frames_of
from predinet_prolog.neural.detector.parting import Parted, parted
from predinet_prolog.neural.detector.reader import Reader
from predinet_prolog.neural.detector.taught import Taught
from predinet_prolog.neural.glimpses.augment import Augmentation, shaken
from predinet_prolog.neural.glimpses.cutting import Floats
from predinet_prolog.neural.glimpses.drawn import boxes_of
from predinet_prolog.neural.glimpses.finder import Finder, prepared
from predinet_prolog.neural.glimpses.finding_loss import Targets, finding_loss
from predinet_prolog.neural.glimpses.graph import finder_inputs
from predinet_prolog.neural.glimpses.ground import field

CPU = torch.device("cpu")


@dataclass(frozen=True)
class PictureChanges:
    """What a finder's lessons change in pictures."""

    laid: float = 0.5
    """Share of pictures into which a thing of another one is laid where it was, before what stands behind it: few
    things hide each other, and what is hidden is missed."""
    light: float = 0.2
    """By how much a picture is made darker or lighter, at most: lamps are shaken, too."""


@dataclass(frozen=True)
class GlimpseChanges:
    """What a reader's lessons change in glimpses: a few thousand things are learned by heart otherwise."""

    views: int = 4
    """Glimpses of each thing, every other one as the finder tells of it, with its box a little elsewhere in each …"""
    shift: float = 0.6
    """… by so many pixels where the thing is small."""
    same: float = 0.5
    """A thing that the finder tells of is the true one with which it has more than this of all pixels of both."""
    off: float = 0.3
    """Share of pictures whose things' pixels are told one off, as a finder's edges are."""
    turned: float = 4.0
    """By how many degrees a glimpse is turned, at most: cameras are shaken."""
    stretched: float = 0.08
    """By what power of e each side of it is stretched, at most: boxes are not right to a pixel."""
    moved: float = 0.06
    """By how many of its halves it is shifted, at most: nor are middles."""
    light: float = 0.2
    """By how much it is made darker or lighter, at most, as pictures are."""
    beside: float = 0.5
    """By how much all around the thing is made darker or lighter, at most: a ground of nearly a thing's grey would tell
    that it is gray, and so what shape gray things had."""
    grain: float = 0.03
    """The deviation of the noise on it, at most: cameras and renderers have some."""
    placed: tuple[float, float] = (0.02, 0.05)
    """Deviations of what is told of where it is and of its size's logarithms: sizes go by them, shapes must not."""
    hidden: float = 0.5
    """The share of glimpses before which another thing is laid: few things hide each other, and these are what is told
    wrongly …"""
    left: float = 0.15
    """… what of the thing has to be left."""
    sharper: float = 0.6
    """By how much of their difference from a blur they are sharpened or blurred, at most: pictures that were reduced
    more are sharper."""


PICTURES, GLIMPSES = PictureChanges(), GlimpseChanges()
_MIRROR = Augmentation((0, 1, 2), inverted=False, across=True, down=False, swapped=False)


@dataclass(frozen=True, eq=False)
class FindingLesson:
    """Teaches a finder: pictures mirrored, in exchanged colours, in another light."""

    finder: Finder
    taught: Taught
    seed: int
    batch: int
    device: torch.device = CPU
    """Where the network is."""

    def __call__(self, step: int) -> Tensor:
        rng, taught = np.random.default_rng((self.seed, step)), self.taught
        chosen = rng.permutation(len(taught.pixels))[: self.batch]
        pixels, owner = taught.pixels[chosen], taught.owner[chosen]
        boxes, middles = taught.boxes[chosen], taught.middles[chosen]
        for row in np.flatnonzero(rng.random(len(chosen)) < PICTURES.laid):
            self._lay(pixels[row], owner[row], boxes[row], middles[row], rng)
        height, width = owner.shape[1:]
        light = 1 + rng.uniform(-PICTURES.light, PICTURES.light, (len(chosen), 1, 1, 1)).astype(np.float32)
        bands = rng.permutation(3) if rng.random() < 0.5 else slice(None)
        coloured = pixels[..., bands] * light
        ground = np.stack([field(plane, height, width) for plane in taught.planes[chosen]])[..., bands] * light
        if rng.random() < 0.5:
            coloured, ground, owner = (np.flip(array, 2) for array in (coloured, ground, owner))
            boxes = _MIRROR.boxes(boxes, height, width)
            middles = np.stack([width - middles[..., 0], middles[..., 1]], axis=-1)
        tensor = partial(_tensor, self.device)
        pictures, below = (tensor(array).permute(0, 3, 1, 2) for array in (coloured, ground))
        maps = self.finder(prepared(pictures, below).contiguous(memory_format=torch.channels_last))
        return finding_loss(maps, Targets(tensor(owner).int(), tensor(boxes), tensor(middles)))

    @cached_property
    def _least(self) -> int:
        """Pixels that a thing shows at least, in these pictures."""
        counts = [np.bincount(owner.ravel())[1:] for owner in self.taught.owner]
        return min(int(count[count > 0].min()) for count in counts if count.any())

    def _lay(
        self,
        pixels: Pixels,
        owner: Pixels,
        boxes: NDArray[np.float32],
        middles: NDArray[np.float32],
        rng: np.random.Generator,
    ) -> None:
        """Lays a thing of any picture into one, whose rows of Taught these are, unless one of both would show too
        little. What reaches further down stands before the others."""
        taught, source = self.taught, rng.integers(len(self.taught.pixels))
        free, things = np.flatnonzero(boxes[:, 2] <= boxes[:, 0]), np.count_nonzero(taught.real[source])
        if not things or not free.size:
            return
        thing = rng.integers(things)
        before = np.flatnonzero(boxes[:, 3] > taught.boxes[source, thing, 3]) + 1
        mask = (taught.owner[source] == thing + 1) & ~np.isin(owner, before)
        laid = np.where(mask, free[0] + 1, owner).astype(np.uint8)
        shows = np.bincount(laid.ravel(), minlength=len(boxes) + 1)[1:]
        covered = np.unique(owner[mask & (owner > 0)]) - 1
        if mask.sum() < self._least or (shows[covered] < self._least).any():
            return
        owner[:], pixels[mask] = laid, taught.pixels[source][mask]
        middles[free[0]] = taught.middles[source, thing]
        changed = [*covered, free[0]]
        boxes[changed] = boxes_of(laid, len(boxes))[changed]


@dataclass(frozen=True, eq=False)
class ReadingLesson:
    """Teaches a reader: glimpses mirrored, in any mixture of grey, in another light."""

    reader: Reader
    taught: Taught
    seed: int
    batch: int
    device: torch.device = CPU
    """Where the network is."""
    finder: Finder | None = None
    """Whose things a reader will read, folded, on a CPU; None: nobody has one yet."""

    @cached_property
    def _glimpses(self) -> tuple[NDArray[np.float16], Floats, NDArray[np.int64]]:
        """(O, views, INPUTS, SIDE, SIDE), (O, views, FRAME), (O, A)."""
        glimpses, frames = zip(*map(self.views, range(len(self.taught.pixels))), strict=True)
        return np.concatenate(glimpses), np.concatenate(frames), self.taught.values[self.taught.real]

    def views(self, number: int) -> tuple[NDArray[np.float16], Floats]:
        """(n, views, INPUTS, SIDE, SIDE) and (n, views, FRAME) of the n things of a picture."""
        taught, rng = self.taught, np.random.default_rng((self.seed, 1, number))
        real, fine, plane = taught.real[number], taught.fine[number], taught.planes[number]
        boxes, middles = taught.boxes[number][real].astype(np.float64), taught.middles[number][real]
        parts = self._parts(number)
        views, places = [], []
        for view in range(GLIMPSES.views):
            if parts is not None and view % 2:
                owner, whole, middle = completed(parts, taught.owner[number], boxes, middles)
            else:
                owner, whole, middle = _coarse(taught.owner[number], rng), boxes, middles
            moved = shaken(whole, GLIMPSES.shift, rng)
            views.append(cut_glimpses(fine, plane, moved, owner).astype(np.float16))
            near = middle + rng.normal(0, GLIMPSES.shift, middle.shape)
            places.append(frames_of(moved, near, *owner.shape))
        return np.stack(views, axis=1), np.stack(places, axis=1)

    def _parts(self, number: int) -> Parted | None:
        """What the finder tells of a picture."""
        if self.finder is None:
            return None
        inputs = torch.from_numpy(finder_inputs(self.taught.pixels[number], self.taught.planes[number]))
        with torch.no_grad():
            return parted(self.finder(inputs).heads[0].numpy(), *self.taught.owner.shape[1:])

    def __call__(self, step: int) -> Tensor:
        rng, (glimpses, frames, values) = np.random.default_rng((self.seed, step)), self._glimpses
        chosen = rng.integers(len(glimpses), size=self.batch)
        views = rng.integers(GLIMPSES.views, size=self.batch)
        x, frame = glimpses[chosen, views].astype(np.float32), frames[chosen, views].copy()
        light = 1 + rng.uniform(-GLIMPSES.light, GLIMPSES.light, (self.batch, 1, 1, 1)).astype(np.float32)
        x[:, :3] = (x[:, :3] + 1) * light - 1
        x[:, 3:6] *= light
        x[:, :6] += rng.uniform(-GLIMPSES.sharper, GLIMPSES.sharper, (self.batch, 1, 1, 1)) * (
            x[:, :6] - ndimage.uniform_filter(x[:, :6], (1, 1, 3, 3))
        )
        x[:, :3] += rng.uniform(-GLIMPSES.beside, GLIMPSES.beside, (self.batch, 1, 1, 1)) * (1 - x[:, 6:7])
        x = partly_hidden(x, rng)
        mirrored = rng.random(self.batch) < 0.5
        x[mirrored] = x[mirrored, :, :, ::-1]
        frame[mirrored] *= MIRRORED
        frame += rng.normal(0, [GLIMPSES.placed[0]] * 4 + [GLIMPSES.placed[1]] * 2, frame.shape)
        x[:, :6] += rng.uniform(0, GLIMPSES.grain, (self.batch, 1, 1, 1)) * rng.standard_normal(
            x[:, :6].shape, np.float32
        )
        bands = rng.dirichlet(np.ones(3), self.batch).astype(np.float32)
        tensor = partial(_tensor, self.device)
        logits = self.reader(moved(tensor(x), rng), tensor(frame), tensor(bands))
        words = list(map(len, self.taught.config.words.values()))
        labels = tensor(values[chosen])
        losses = [functional.cross_entropy(part, labels[:, n]) for n, part in enumerate(logits.split(words, dim=1))]
        return torch.stack(losses).sum()


def completed(
    parts: Parted, owner: Pixels, boxes: NDArray[np.float64], middles: Floats
) -> tuple[Pixels, NDArray[np.float64], Floats]:
    """Owner (H, W), boxes (n, 4) and middles (n, 2) of true things, as a finder tells of those that it finds."""
    boxes, middles = boxes.copy(), middles.copy()
    whose = np.zeros(len(parts.boxes) + 1, dtype=np.uint8)
    for number in range(1, len(boxes) + 1):
        common = np.bincount(parts.owner[owner == number], minlength=len(whose))
        common[0] = 0
        best = int(common.argmax())
        either = (owner == number).sum() + (parts.owner == best).sum() - common[best]
        if common[best] > GLIMPSES.same * either:
            whose[best], boxes[number - 1], middles[number - 1] = number, parts.boxes[best - 1], parts.middles[best - 1]
    completed = whose[parts.owner]
    missed = np.isin(owner, np.setdiff1d(np.arange(1, len(boxes) + 1), whose))
    completed[missed] = owner[missed]
    return completed, boxes, middles


def moved(glimpses: Tensor, rng: np.random.Generator) -> Tensor:
    """`glimpses` (G, c, SIDE, SIDE), each turned, stretched and shifted a little."""
    angle = np.radians(rng.uniform(-GLIMPSES.turned, GLIMPSES.turned, len(glimpses)))
    across, down = np.exp(rng.uniform(-GLIMPSES.stretched, GLIMPSES.stretched, (2, len(glimpses))))
    right, below = rng.uniform(-GLIMPSES.moved, GLIMPSES.moved, (2, len(glimpses)))
    rows = [
        [across * np.cos(angle), -down * np.sin(angle), right],
        [across * np.sin(angle), down * np.cos(angle), below],
    ]
    ways = _tensor(glimpses.device, np.array(rows, dtype=np.float32).transpose(2, 0, 1))
    grid = functional.affine_grid(ways, list(glimpses.shape), align_corners=False)
    return functional.grid_sample(glimpses, grid, padding_mode="border", align_corners=False)


def partly_hidden(glimpses: Floats, rng: np.random.Generator) -> Floats:
    """`glimpses` (G, INPUTS, SIDE, SIDE), before some of which the thing of the one before is laid, further down and a
    little aside, as what hides another stands."""
    down, aside = int(rng.integers(4, 20)), int(rng.integers(-20, 21))
    side = glimpses.shape[-1]
    before = np.zeros_like(glimpses)
    left, right = max(0, aside), side + min(0, aside)
    before[:, :, down:, left:right] = np.roll(glimpses, 1, axis=0)[:, :, :-down, left - aside : right - aside]
    cover = before[:, 6:7]
    left = (glimpses[:, 6:7] * (1 - cover)).sum((1, 2, 3)) / np.maximum(glimpses[:, 6].sum((1, 2)), 1e-3)
    cover = cover * ((rng.random(len(glimpses)) < GLIMPSES.hidden) & (left >= GLIMPSES.left))[:, None, None, None]
    hidden = glimpses * (1 - cover) + before * cover
    hidden[:, 6:7] = glimpses[:, 6:7] * (1 - cover)
    hidden[:, 7:8] = np.maximum(glimpses[:, 7:8], cover)
    return np.asarray(hidden, dtype=np.float32)


def _coarse(owner: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """`owner` (H, W) as a finder tells it: every other pixel, a little off now and then."""
    if rng.random() < GLIMPSES.off:
        owner = np.roll(owner, tuple(rng.integers(-1, 2, size=2)), axis=(0, 1))
    return owner[::2, ::2].repeat(2, axis=0).repeat(2, axis=1)


def _tensor(device: torch.device, array: NDArray[np.generic]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array)).to(device)
