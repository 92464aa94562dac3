"""A folder of images becomes one knowledge base: Prolog text, the same compiled, or a Parquet table of its facts."""

import shutil
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from domains.writing import replacing
from service.errors import UsageError
from service.files import writing_to
from service.store.batches import Names, image_names, in_batches
from service.store.folder import Outcome, open_model, views

if TYPE_CHECKING:
    import pyarrow

    from bridge import ImageInfo
    from service.pipeline import View

ENDINGS = (".pl", ".qlf", ".parquet")


@dataclass(frozen=True)
class KnowledgeBase:
    """What is to be done."""

    folder: Path
    target: Path
    """A file of one of ENDINGS."""
    model: str
    """A shipped model's name or a checkpoint's path."""
    looks: int | None = None


def export_knowledge_base(base: KnowledgeBase, *, total: int) -> Generator[Outcome, None, None]:
    """Writes the knowledge base of the images in the folder, of which there are about `total`; tells of each batch.

    The file is there whole, under its own name, when the generator is exhausted; else it is as it was. The memory does
    not grow with the number of images. Same images, model and looks: same bytes, but for .qlf.
    """
    if base.target.suffix not in ENDINGS:
        raise UsageError(f"{base.target} does not say what it shall be: end its name in {', '.join(ENDINGS)}")
    with _replacing(base.target) as target:
        yield from (
            _write_parquet(base, target, total) if target.suffix == ".parquet" else _write_prolog(base, target, total)
        )


def _write_prolog(base: KnowledgeBase, target: Path, total: int) -> Generator[Outcome, None, None]:
    """Prolog wants the clauses of a predicate side by side: each grows in a file of its own first."""
    from bridge.knowledge_base import COLUMNS, write_clauses, write_head
    from bridge.program import nothing
    from symbolic.compiling import compile_program
    from symbolic.lifting import lift

    names = image_names(base.folder)
    with ExitStack() as stack:
        parts = {name: stack.enter_context((target.parent / f"{name}.part").open("w+b")) for name in COLUMNS}
        images = 0
        for outcome, texts in in_batches(partial(_texts, base), names, total=total):
            for name, text in texts.items():
                parts[name].write(text.encode())
            images += outcome.images - outcome.skipped
            yield outcome
        model = open_model(base.model)
        source = target.with_suffix(".pl")
        with source.open("wb") as file:
            file.write(f"{write_head(model, base.looks, images)}\n\n".encode())
            for name, part in parts.items():
                if part.tell():
                    part.seek(0)
                    shutil.copyfileobj(part, file)
                else:
                    file.write(f"{nothing(name, 1 + len(COLUMNS[name]))}\n".encode())
                file.write(b"\n")
            own = [f"{name}/{len(arguments)}" for name, arguments in COLUMNS.items()]
            file.write(lift(write_clauses(model), variable="Image", predicates=own).encode())
    if target.suffix == ".qlf":
        compile_program(source)


def _texts(base: KnowledgeBase, names: Names) -> tuple[Outcome, dict[str, str]]:
    """The facts of some images, by predicate; run by a worker."""
    from bridge.knowledge_base import COLUMNS, image_texts

    outcome = Outcome(images=len(names))
    texts: dict[str, list[str]] = {name: [] for name in COLUMNS}
    for name, seen in views(base.folder, names, open_model(base.model), base.looks, outcome):
        for predicate, text in image_texts(seen.scene, _info(name, seen)):
            if text:
                texts[predicate].append(f"{text}\n")
    return outcome, {predicate: "".join(lines) for predicate, lines in texts.items()}


def _write_parquet(base: KnowledgeBase, target: Path, total: int) -> Generator[Outcome, None, None]:
    from pyarrow import parquet

    with parquet.ParquetWriter(target, _schema(), compression="zstd") as file:
        for outcome, table in in_batches(partial(_table, base), image_names(base.folder), total=total):
            file.write_table(table)
            yield outcome


def _table(base: KnowledgeBase, names: Names) -> "tuple[Outcome, pyarrow.Table]":
    """The facts of some images, a row each; run by a worker."""
    import pyarrow

    from bridge.knowledge_base import image_columns

    outcome = Outcome(images=len(names))
    schema = _schema()
    table: dict[str, list[object]] = {name: [] for name in schema.names}
    for name, seen in views(base.folder, names, open_model(base.model), base.looks, outcome):
        info = _info(name, seen)
        for predicate, columns in image_columns(seen.scene, info):
            rows = len(next(iter(columns.values())))
            known = {"image": [info.name] * rows, "predicate": [predicate] * rows, **columns}
            for column, cells in table.items():
                cells += known.get(column, [None] * rows)
    return outcome, pyarrow.table(table, schema)


def _schema() -> "pyarrow.Schema":
    """Image, predicate, and the arguments of all predicates by name: empty where a predicate has none so called."""
    import pyarrow

    from bridge.knowledge_base import COLUMNS

    kinds = {"width": pyarrow.int64(), "height": pyarrow.int64(), "n": pyarrow.int64()}
    kinds |= dict.fromkeys(("px", "py", "c", "level", "t"), pyarrow.float64())
    columns = ("image", "predicate", *dict.fromkeys(name for names in COLUMNS.values() for name in names))
    return pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in columns])


def _info(name: str, seen: "View") -> "ImageInfo":
    """What is said of the image, which is called by its path in the folder."""
    from bridge import ImageInfo

    text = name.encode("utf-8", "backslashreplace").decode()  # bytes that are no text cannot be written
    return ImageInfo(text, seen.image.sha256, seen.image.width, seen.image.height, seen.warnings)


@contextmanager
def _replacing(target: Path) -> Iterator[Path]:
    """As `domains.writing.replacing`, for a target that the user names."""
    with writing_to(target):
        if target.is_dir():
            raise IsADirectoryError(21, "Is a directory", str(target))
        with replacing(target) as temporary:
            yield temporary
