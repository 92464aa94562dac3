"""Pictures that tell where things are, which pixels are theirs, in words what they are, and where they stand."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.domains.data import Floats, Integers, Pixels
from predinet_prolog.domains.detections import Detection, open_detections
from predinet_prolog.domains.detections.clevr import Scenes
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.image_files import upright_size
from predinet_prolog.domains.images import FREE, read_image
from predinet_prolog.domains.names import PictureFiles
from predinet_prolog.neural.detector.config import DetectorConfig
from predinet_prolog.neural.detector.cutting import looked
from predinet_prolog.neural.glimpses.ground import fit_plane

SCENES = "scenes.json"
"""What says in a folder what its pictures show."""


@dataclass(frozen=True, eq=False)
class Taught:
    """N pictures of H × W pixels, as a finder looks at them, with T things in each at most."""

    config: DetectorConfig
    pixels: Pixels
    """(N, H, W, 3)"""
    fine: Pixels
    """(N, H', W', 3): the same pictures as a reader looks at them."""
    planes: NDArray[np.float32]
    """(N, 3, 3): of the ground."""
    owner: Pixels
    """(N, H, W): the number of each pixel's thing, from 1; 0 is ground."""
    boxes: NDArray[np.float32]
    """(N, T, 4); zeros where a picture has fewer things."""
    middles: NDArray[np.float32]
    """(N, T, 2): where things' middles show, hidden or not."""
    values: Integers
    """(N, T, A): the number of each attribute's word; −1: no thing."""
    ground: Floats | None
    """(N, T, 2): how far left and behind each stands; None where that is not told of all."""

    @cached_property
    def real(self) -> NDArray[np.bool_]:
        """(N, T): where there is a thing."""
        return self.values[..., 0] >= 0


def read_taught(folder: Path) -> Taught:
    """What the pictures of a folder and its scenes.json teach. DomainError for things whose pixels or words are not
    told, and for pictures of several sizes."""
    source = open_detections(folder / SCENES)
    if not isinstance(source, Scenes):
        raise DomainError(f"{source.where}: scenes as CLEVR writes them were expected")
    files = PictureFiles(folder)
    paths = {name: folder / files.called(name) for name in (str(listed.name) for listed in source.images)}
    things, stands = {}, {}
    for name, path in paths.items():
        things[name], stands[name] = source.of(name, upright_size(path)).things, source.stands(name)
    every_thing = [thing for of_picture in things.values() for thing in of_picture]
    if not every_thing:
        raise DomainError(f"{source.where}: it tells of no thing, so there is nothing to learn")
    for thing in every_thing:
        if thing.outline is None:
            raise DomainError(f"{thing.place}: it has no mask: only what says which pixels are a thing's teaches")
    names = every_thing[0].attributes
    words = {name: tuple(sorted({str(thing.attributes[name]) for thing in every_thing})) for name in names}
    config = DetectorConfig(words)
    most = max(map(len, things.values()))
    parts = [_picture(path, things[name], stands[name], config, most) for name, path in paths.items()]
    if len({part[0].shape for part in parts}) > 1:
        raise DomainError(f"{folder}: its pictures have several sizes: bring them to one")
    *columns, ground = zip(*parts, strict=True)
    pixels, fine, planes, owner, boxes, middles, values = map(np.stack, columns)
    standing = None if any(places is None for places in ground) else np.stack(ground)
    return Taught(config, pixels, fine, planes, owner, boxes, middles, values, standing)


def _picture(
    path: Path, things: tuple[Detection, ...], stands: Floats | None, config: DetectorConfig, most: int
) -> tuple[Any, ...]:
    """A row of each array of Taught."""
    picture = read_image(path, picture=FREE).pixels
    height, width = picture.shape[:2]
    owner = np.zeros((height, width), dtype=np.uint8)
    for number, thing in enumerate(things, start=1):
        assert thing.outline is not None
        owner[thing.outline.mask((0, 0, width, height))] = number
    small = looked(picture, config.long)
    rows, columns = small.shape[:2]
    scale = np.tile([columns / width, rows / height], 2)
    owner = np.asarray(Image.fromarray(owner).resize((columns, rows), Image.Resampling.NEAREST))
    boxes, middles, values = np.zeros((most, 4)), np.zeros((most, 2)), np.full((most, len(config.words)), -1)
    ground = None if stands is None else np.zeros((most, 2))
    for number, thing in enumerate(things):
        boxes[number] = thing.box * scale
        middles[number] = (boxes[number, :2] + boxes[number, 2:]) / 2
        values[number] = [words.index(str(thing.attributes[name])) for name, words in config.words.items()]
    if stands is not None and ground is not None:
        middles[: len(things)], ground[: len(things)] = stands[:, :2] * scale[:2], stands[:, 2:]
    return (
        small,
        looked(picture, config.fine),
        fit_plane(small).astype(np.float32),
        owner,
        boxes.astype(np.float32),
        middles.astype(np.float32),
        values,
        ground,
    )
