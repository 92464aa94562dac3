"""A folder of images of any size becomes a program or JSON for each, in folders as theirs."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.program import rules_of
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.image_files import image_names
from predinet_prolog.neural.engines import PROCESSES, Engine, Names
from predinet_prolog.neural.model import Model
from predinet_prolog.service.files import write_atomically
from predinet_prolog.service.folders import BATCH, Pictures, Summary, views
from predinet_prolog.service.formats import format_named
from predinet_prolog.service.pipeline import open_model, write_all


@dataclass(frozen=True)
class Export:
    """What is to be done with the images of a folder."""

    pictures: Pictures
    target: Path
    """Folder of the programs, in which they lie as the images lie in theirs; or the file of their knowledge base."""
    format: str = "prolog"

    @property
    def kept(self) -> Path:
        """Of a knowledge base, the folder of what was seen in its images."""
        return self.target.with_name(f"{self.target.name}.kept")

    def output(self, name: str) -> Path:
        """Where the program of the image `name`, a path within the folder, goes."""
        return (self.target / name).with_suffix(format_named(self.format).ending)


def export_folder(export: Export, *, total: int, engine: Engine = PROCESSES) -> Generator[Summary, None, None]:
    """Writes the program of every image in the folder, of which there are about `total`; yields each batch done.

    What stops it (an error, a signal, the power) leaves whole programs only, and the same call goes on from there: a
    program is kept if it is whole and its header is the one that would be written: so it is of the same image and
    model, by their hashes. To stop it, close the generator.
    """
    return engine.in_batches(partial(_export, export), image_names(export.pictures.folder), total=total, size=BATCH)


def _export(export: Export, names: Names) -> Summary:
    """Writes the programs of some images; run by a worker."""
    pictures = export.pictures
    model = open_model(pictures.model)
    wanted = tuple(name for name in names if not _is_current(export, name, model))
    summary = Summary(images=len(names), kept=len(names) - len(wanted))
    views_of = dict(views(pictures, wanted, summary))
    for (name, view), text in zip(views_of.items(), write_all(list(views_of.values()), export.format), strict=True):
        summary.note(pictures.folder, name, [f"warning: {remark}" for remark in view.remarks(export.format)])
        write_atomically(export.output(name), text.encode())
        summary.written += 1
    return summary


def _is_current(export: Export, name: str, model: Model) -> bool:
    """Whether the image has the program already that would be written."""
    pictures = export.pictures
    try:
        text = export.output(name).read_text(encoding="utf-8")
        provenance = pictures.provenance(name)
    except (OSError, ValueError, DomainError, BoxesError):  # none yet, or no text
        return False
    rules = rules_of(model, given=pictures.detections is not None, zones=pictures.zones is not None)
    is_current = format_named(export.format).is_current
    return is_current is not None and is_current(text, provenance, rules)
