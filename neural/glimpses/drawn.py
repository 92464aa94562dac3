"""Drawn pictures to learn from. They lie on disk, where two trainings share them and an interrupted one finds them."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from predinet_prolog.domains import load_domain
from predinet_prolog.domains.domain import canvas
from predinet_prolog.imaging import ndimage
from predinet_prolog.neural.engines import Processes, Send
from predinet_prolog.neural.glimpses.ground import fit_plane

PER_PART = 2_000
"""Pictures that are drawn in one go."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """N pictures of S × S pixels, T things in each at most, with A attributes."""

    pixels: NDArray[np.uint8]
    """(N, S, S, 3)."""
    owner: NDArray[np.uint8]
    """(N, S, S): the number of the thing that each pixel shows, from 1; 0 is ground, 255 clutter."""
    planes: NDArray[np.float32]
    """(N, 3, 3): of the ground."""
    boxes: NDArray[np.float32]
    """(N, T, 4): of each thing; zeros where there is none or nothing of it shows."""
    values: NDArray[np.int32]
    """(N, T, A): in the order of the domain's attributes; equal numbers are equal within a picture; -1: no thing."""

    def __len__(self) -> int:
        return len(self.pixels)


def draw(domain: str, n: int, *, side: int, seed: int, folder: Path, processes: int, report: Send) -> Drawn:
    """`n` pictures of the domain of that name, drawn into `folder` as far as they do not lie there already. `report` is
    told how many there are, and `n`."""
    world = canvas(load_domain(domain))
    place = folder / f"pictures-{n}-{side}-{seed}"
    things = world.most_objects
    arrays = {
        "pixels": (np.uint8, (n, side, side, 3)),
        "owner": (np.uint8, (n, side, side)),
        "planes": (np.float32, (n, 3, 3)),
        "boxes": (np.float32, (n, things, 4)),
        "values": (np.int32, (n, things, len(world.attributes))),
    }
    place.mkdir(parents=True, exist_ok=True)
    for name, (kind, shape) in arrays.items():
        if not (place / f"{name}.npy").exists():
            open_memmap(place / f"{name}.npy", "w+", kind, shape).flush()
    parts = [(first, min(first + PER_PART, n)) for first in range(0, n, PER_PART)]
    missing = [part for part in parts if not _mark(place, part[0]).exists()]
    ready = n - sum(last - first for first, last in missing)

    def drawn(count: int) -> None:
        nonlocal ready
        ready += count
        report(ready, n)

    works = [partial(_draw_part, domain, place, side, seed, *part) for part in missing]
    Processes(processes).side_by_side(works, drawn)
    return Drawn(**{name: np.load(place / f"{name}.npy", mmap_mode="r") for name in arrays})


def _mark(place: Path, first: int) -> Path:
    """The file that is there once the part is."""
    return place / f"from-{first}"


def _draw_part(domain: str, place: Path, side: int, seed: int, first: int, last: int, send: Send) -> None:
    world = canvas(load_domain(domain))
    drawn = world.training_pictures(last - first, side=side, seed=(seed, first))
    pixels, owner, planes, boxes, values = (
        np.load(place / f"{name}.npy", mmap_mode="r+") for name in ("pixels", "owner", "planes", "boxes", "values")
    )
    rows = slice(first, last)
    pixels[rows], owner[rows] = drawn.pixels, drawn.owner
    planes[rows] = [fit_plane(picture) for picture in drawn.pixels]
    boxes[rows] = [boxes_of(owner, boxes.shape[1]) for owner in drawn.owner]
    values[rows] = -1
    starts = np.searchsorted(drawn.image, np.arange(last - first))
    number = np.arange(len(drawn.image)) - starts[drawn.image]
    for column, name in enumerate(world.attributes):
        values[first + drawn.image, number, column] = drawn.attributes[name]
    for array in (pixels, owner, planes, boxes, values):
        array.flush()
    _mark(place, first).touch()
    send(last - first)


def boxes_of(owner: NDArray[np.uint8], things: int) -> NDArray[np.float32]:
    """(things, 4): left, top, right, bottom of what each thing shows in `owner` (H, W); zeros where that is nothing."""
    slices = ndimage.find_objects(np.where(owner <= things, owner, 0), things)
    return np.array([(s[1].start, s[0].start, s[1].stop, s[0].stop) if s else (0,) * 4 for s in slices], np.float32)
