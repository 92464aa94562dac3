"""A folder of images of any size becomes a program or JSON for each, in folders as theirs."""

import hashlib
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from domains.image_files import image_names
from neural.engines import PROCESSES, Engine, Names
from service.files import write_atomically
from service.formats import FORMATS
from service.store.batches import BATCH

if TYPE_CHECKING:
    from bridge.boxes import GivenBoxes
    from neural.model import Model
    from service.pipeline import View


FIRST = 9
"""Images of a folder that say which model suits it."""


@dataclass(frozen=True)
class Export:
    """What is to be done with the images of a folder."""

    folder: Path
    target: Path
    """Folder of the programs, in which they lie as the images lie in theirs; or the file of their knowledge base."""
    model: str
    """A shipped model's name or a checkpoint's path."""
    looks: int | None = None
    format: str = "prolog"
    boxes: str | None = None
    """JSON that says where the things of each image are, by its path in the folder or its name; None: found."""
    boxes_from: str = "boxes"
    """What errors call it."""

    def output(self, name: str) -> Path:
        """Where the program of the image `name`, a path within the folder, goes."""
        return (self.target / name).with_suffix(FORMATS[self.format].ending)


@dataclass
class Summary:
    """What became of some images."""

    images: int = 0
    written: int = 0
    kept: int = 0
    """Had a program already: of the same image, model, looks and boxes."""
    bad: list[str] = field(default_factory=list)
    """Why an image was skipped; a batch's own only, for their number has no bound."""
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

    def note(self, export: Export, name: str, remarks: Iterable[str]) -> None:
        """Counts `remarks` on the image `name`."""
        for remark in remarks:
            self.notes[remark] += 1
            self.first.setdefault(remark, str(export.folder / name))


def choose_for(folder: Path) -> str:
    """The shipped model that suits most of the folder's first images."""
    from service.pipeline import choose

    chosen = Counter(choose(folder / name) for name in islice(image_names(folder), FIRST))
    return chosen.most_common(1)[0][0]


def export_folder(export: Export, *, total: int, engine: Engine = PROCESSES) -> Generator[Summary, None, None]:
    """Writes the program of every image in the folder, of which there are about `total`; yields each batch done.

    What stops it (an error, a signal, the power) leaves whole programs only, and the same call goes on from there: a
    program is kept if it is whole and its header is the one that would be written: so it is of the same image and
    model, by their hashes. To stop it, close the generator.
    """
    return engine.in_batches(partial(_export, export), image_names(export.folder), total=total, size=BATCH)


def _export(export: Export, names: Names) -> Summary:
    """Writes the programs of some images; run by a worker."""
    from service.pipeline import write_all

    model = open_model(export.model)
    wanted = tuple(name for name in names if not _is_current(export, name, model))
    summary = Summary(images=len(names), kept=len(names) - len(wanted))
    seen = dict(views(export, wanted, model, summary))
    for (name, view), text in zip(seen.items(), write_all(list(seen.values()), export.format), strict=True):
        summary.note(export, name, [f"warning: {each}" for each in view.remarks(export.format)])
        write_atomically(export.output(name), text.encode())
        summary.written += 1
    return summary


def views(export: Export, names: Names, model: "Model", summary: Summary) -> "Iterator[tuple[str, View]]":
    """What the model sees in each of the images that can be used. `summary` gets the faults of the others, and what was
    done to these."""
    from bridge.errors import BoxesError
    from bridge.perceiving.perceiver import perceiver_of
    from domains.errors import ImageError
    from service.pipeline import see
    from service.readings import Readings

    if export.boxes is not None:
        perceiver_of(model, export.looks).check_boxes()
    images, boxes = {}, []
    for name in names:
        try:
            image = Readings(export.folder / name).of(model.domain)
            boxes.append(_boxes(export, name, image.width, image.height))
        except (ImageError, BoxesError) as error:
            summary.bad.append(str(error))
            summary.skipped += 1
        else:
            images[name] = image
    found = see(model, list(images.values()), looks=export.looks, boxes=boxes) if images else ()
    for name, seen in zip(images, found, strict=True):
        summary.note(export, name, (*seen.image.notes, *(f"warning: {warning}" for warning in seen.warnings)))
        yield name, seen


def _boxes(export: Export, name: str, width: int, height: int) -> "GivenBoxes | None":
    """Those of the image `name`, which is so many pixels wide and high. Raises BoxesError."""
    from bridge.boxes import parse_boxes

    if export.boxes is None:
        return None
    return parse_boxes(export.boxes, where=export.boxes_from, image=name, width=width, height=height)


@cache
def open_model(name: str) -> "Model":
    """The model, read once by each worker."""
    from neural.glimpses.model import load_any

    return load_any(name)


def _is_current(export: Export, name: str, model: "Model") -> bool:
    """Whether the image has the program already that would be written."""
    from bridge.errors import BoxesError
    from bridge.program import ImageInfo, Provenance, rules_of
    from bridge.writers import asp, json, problog, prolog
    from domains.errors import DomainError
    from domains.image_files import upright_size

    try:
        text = export.output(name).read_text(encoding="utf-8")
        with (export.folder / name).open("rb") as image:
            digest = hashlib.file_digest(image, "sha256").hexdigest()
        size = (0, 0) if export.boxes is None else upright_size(export.folder / name)
        boxes = _boxes(export, name, *size)
    except (OSError, ValueError, DomainError, BoxesError):  # none yet, or no text
        return False
    image_of = ImageInfo(Path(name).name, digest, 0, 0)  # its size is not known before it is read
    given = None if boxes is None else boxes.sha256
    provenance = Provenance(model.name, model.sha256, image_of, export.looks, given)
    current = {
        "prolog": prolog.is_current,
        "json": json.is_current,
        "problog": problog.is_current,
        "asp": asp.is_current,
    }
    return current[export.format](text, provenance, rules_of(model))
