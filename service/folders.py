"""The images of a folder, and what a model sees in them: what all who go through a folder share."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.perceiving.given import Given, given_by, scene_of
from predinet_prolog.bridge.perceiving.perceiver import check_boxes
from predinet_prolog.bridge.program import ImageInfo, ModelRules, Program, Provenance, make_program, rules_of
from predinet_prolog.bridge.regional import Lot, outside
from predinet_prolog.domains.errors import ImageError
from predinet_prolog.domains.image_files import ENDINGS, image_names, upright_size
from predinet_prolog.domains.zones import Zones
from predinet_prolog.neural.engines import Names
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.given import Told
from predinet_prolog.service.pipeline import View, choose, open_model, see
from predinet_prolog.service.readings import Readings

FIRST = 9
"""Images of a folder that say which model suits it."""
BATCH = 128
"""Images at a time, where more are gone through than fit in memory: larger batches are no faster."""


@dataclass(frozen=True)
class Pictures:
    """The images of a folder, and how they are to be seen."""

    folder: Path
    model: str | None
    """A shipped model's name or a checkpoint's path; None: no pixel is looked at, and all is told."""
    looks: int | None = None
    detections: Told | None = None
    """What tells of the things of each image, by its path in the folder or its name; None: they are found."""

    zones: Zones | None = None
    """What parts of all images are called."""
    looks_later: str | None = None
    """What looks at those images of which a goal needs it."""

    @property
    def later(self) -> "Pictures":
        """The same, looked at where a goal needs it; what is told suffices for others."""
        return replace(self, model=None, looks=None, looks_later=self.model)

    @property
    def looked(self) -> "Pictures | None":
        """The same, looked at at once; None where they may not be."""
        return None if self.looks_later is None else replace(self, model=self.looks_later, looks_later=None)

    def provenance(self, name: str) -> Provenance:
        """That of an image, whose size is not known before it is read. Raises OSError, ImageError, BoxesError."""
        with (self.folder / name).open("rb") as image:
            digest = hashlib.file_digest(image, "sha256").hexdigest()
        size = (0, 0) if self.detections is None else upright_size(self.folder / name)
        things, model = self.given(name, size), open_model(self.model)
        given = None if things is None else things.sha256
        zones = None if self.zones is None else self.zones.sha256
        return Provenance(model.name, model.sha256, ImageInfo(Path(name).name, digest, 0, 0), self.looks, given, zones)

    def given(self, name: str, size: tuple[int, int]) -> Given | None:
        """What is told of the image `name`, which is so many pixels wide and high. Raises BoxesError."""
        return None if self.detections is None else self.detections(name, size, looked=self.model is not None)


@dataclass
class Summary:
    """What became of some images."""

    images: int = 0
    written: int = 0
    kept: int = 0
    """Had a program already: of the same image, model, looks and boxes."""
    bad: dict[str, str] = field(default_factory=dict)
    """By an image that was skipped, why; a batch's own only, for their number has no bound."""
    skipped: int = 0
    notes: Counter[str] = field(default_factory=Counter)
    """What was done to images to make them fit, or is amiss with them, and with how many."""
    first: dict[str, str] = field(default_factory=dict)
    """By such a remark, the first image that it is of."""

    def __iadd__(self, batch: "Summary") -> "Summary":
        self.images += batch.images
        self.written += batch.written
        self.kept += batch.kept
        self.skipped += batch.skipped
        self.notes += batch.notes
        self.first = batch.first | self.first
        return self

    def note(self, folder: Path, name: str, remarks: Iterable[str]) -> None:
        """Counts `remarks` on the image `name` of the folder."""
        for remark in remarks:
            self.notes[remark] += 1
            self.first.setdefault(remark, str(folder / name))


def rules_for(pictures: Pictures) -> ModelRules:
    """What a knowledge base of the pictures says of all of them alike."""
    return rules_of(
        open_model(pictures.model),
        propositions=False,
        given=pictures.detections is not None,
        zones=pictures.zones is not None,
    )


def choose_for(folder: Path) -> str:
    """The shipped model that suits most of the folder's first images."""
    return Counter(choose(folder / name) for name in islice(image_names(folder), FIRST)).most_common(1)[0][0]


def count_images(folder: Path, *, apart: bool) -> int:
    """How many images are in the folder. Raises UsageError if there is none, and, if they have to be `apart`, where
    two differ in their endings alone: their programs would have the same name."""
    total, before = 0, ""
    for name in image_names(folder):
        if apart and name.rpartition(".")[0] == before.rpartition(".")[0]:
            raise UsageError(f"{folder / before} and {folder / name} would have programs of the same name: rename one")
        total, before = total + 1, name
    if not total:
        raise UsageError(f"{folder} holds no image ({', '.join(ending[1:] for ending in ENDINGS)})")
    return total


def views(pictures: Pictures, names: Names, summary: Summary) -> Iterator[tuple[str, View]]:
    """What their model sees in each of the images that can be used. `summary` gets faults and what was done."""
    model = open_model(pictures.model)
    if pictures.detections is not None:
        check_boxes(model)
    images, given = {}, []
    for name in names:
        try:
            readings = Readings(pictures.folder / name)
            image = readings.unread if pictures.model is None else readings.of(model.domain)
            given.append(pictures.given(name, (image.width, image.height)))
        except (ImageError, BoxesError) as error:
            summary.bad[name] = str(error)
            summary.skipped += 1
        else:
            images[name] = image
    if images:
        looked = see(model, list(images.values()), looks=pictures.looks, given=given, zones=pictures.zones)
        for name, view in zip(images, looked, strict=True):
            summary.note(pictures.folder, name, view.notices)
            yield name, view


def told_programs(pictures: Pictures, names: Names, summary: Summary) -> Iterator[tuple[str, Program]]:
    """What is told of each image that can be used, read for its size alone, not hashed. `summary` as in `views`."""
    teller, model = pictures.detections, open_model(pictures.model)
    assert teller is not None, "nothing is looked at"
    source, lot = teller.source, Lot()
    for name in names:
        try:
            size = upright_size(pictures.folder / name)
            given = given_by(source, name, size, teller.choice, looked=False)
        except (ImageError, BoxesError) as error:
            summary.bad[name] = str(error)
            summary.skipped += 1
            continue
        beyond = () if pictures.zones is None else outside(pictures.zones, size)
        summary.note(pictures.folder, name, (*given.notes, *beyond))
        scene, image = scene_of(given, pictures.zones), ImageInfo(name, "", *size)
        yield name, make_program(scene, model=model, image=image, lot=lot)
