"""The images of a folder, and what a model sees in them: what all who go through a folder share."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from domains.image_files import image_names
from neural.engines import Names

if TYPE_CHECKING:
    from bridge.boxes import GivenBoxes
    from neural.model import Model
    from service.pipeline import View

FIRST = 9
"""Images of a folder that say which model suits it."""


@dataclass(frozen=True)
class Pictures:
    """The images of a folder, and how they are to be seen."""

    folder: Path
    model: str
    """A shipped model's name or a checkpoint's path."""
    looks: int | None = None
    boxes: str | None = None
    """JSON that says where the things of each image are, by its path in the folder or its name; None: found."""
    boxes_from: str = "boxes"
    """What errors call it."""

    def boxes_of(self, name: str, width: int, height: int) -> "GivenBoxes | None":
        """Those of the image `name`, which is so many pixels wide and high. Raises BoxesError."""
        from bridge.boxes import parse_boxes

        if self.boxes is None:
            return None
        return parse_boxes(self.boxes, where=self.boxes_from, image=name, width=width, height=height)


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


def choose_for(folder: Path) -> str:
    """The shipped model that suits most of the folder's first images."""
    from service.pipeline import choose

    chosen = Counter(choose(folder / name) for name in islice(image_names(folder), FIRST))
    return chosen.most_common(1)[0][0]


def views(pictures: Pictures, names: Names, model: "Model", summary: Summary) -> "Iterator[tuple[str, View]]":
    """What the model sees in each of the images that can be used. `summary` gets the faults of the others, and what was
    done to these."""
    from bridge.errors import BoxesError
    from bridge.perceiving.perceiver import perceiver_of
    from domains.errors import ImageError
    from service.pipeline import see
    from service.readings import Readings

    if pictures.boxes is not None:
        perceiver_of(model, pictures.looks).check_boxes()
    images, boxes = {}, []
    for name in names:
        try:
            image = Readings(pictures.folder / name).of(model.domain)
            boxes.append(pictures.boxes_of(name, image.width, image.height))
        except (ImageError, BoxesError) as error:
            summary.bad[name] = str(error)
            summary.skipped += 1
        else:
            images[name] = image
    found = see(model, list(images.values()), looks=pictures.looks, boxes=boxes) if images else ()
    for name, seen in zip(images, found, strict=True):
        summary.note(pictures.folder, name, (*seen.image.notes, *(f"warning: {warning}" for warning in seen.warnings)))
        yield name, seen


@cache
def open_model(name: str) -> "Model":
    """The model, read once by each worker."""
    from neural.glimpses.model import load_any

    return load_any(name)
