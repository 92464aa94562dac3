"""A folder of images becomes one knowledge base: Prolog text, the same compiled, or a Parquet table of its facts."""

import json
import shutil
import time
import zlib
from collections.abc import Generator, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from predinet_prolog import __version__
from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.program import Facts, base_facts, plain
from predinet_prolog.bridge.vocabulary import base_facts_of
from predinet_prolog.bridge.writers.prolog import base_facts_text, base_head, base_nothing, base_rules, fingerprint
from predinet_prolog.domains.errors import ImageError
from predinet_prolog.domains.image_files import image_names
from predinet_prolog.domains.writing import replacing
from predinet_prolog.neural.engines import PROCESSES, Engine, Names
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import writing_to
from predinet_prolog.service.folders import BATCH, Summary, rules_for, views
from predinet_prolog.service.pipeline import open_model
from predinet_prolog.service.store.folder import Export
from predinet_prolog.symbolic.compiling import compile_program

if TYPE_CHECKING:
    import pyarrow


ENDINGS = (".pl", ".qlf", ".parquet")
KEPT = ".facts"
"""The ending of a file of what was seen in an image."""
MANY_THINGS = 16
"""Pictures of any size in a table at a time: three of eighty things can be in line in tens of thousands of ways."""


def export_knowledge_base(base: Export, *, total: int, engine: Engine = PROCESSES) -> Generator[Summary, None, None]:
    """Writes the knowledge base `base.target`, a file of one of ENDINGS, of the about `total` images in the folder.

    Yields each batch done. The file is there whole when the generator is exhausted; else it is as it was. The memory
    does not grow with the number of images. Same images, model and looks: same bytes, but for .qlf. What was seen is
    kept in a folder beside it, a file for each image, and an image that is unchanged is not seen again.
    """
    if base.target.suffix not in ENDINGS:
        raise UsageError(f"{base.target} does not say what it is to be: end its name in {', '.join(ENDINGS)}")
    write = _write_parquet if base.target.suffix == ".parquet" else _write_prolog
    with writing_to(base.target):
        if base.target.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        base.kept.mkdir(parents=True, exist_ok=True)
        begin = time.time() - 1  # a file's clock may be a little behind
        with replacing(base.target) as target:
            yield from write(base, target, total, engine)
        for path in base.kept.glob(f"*{KEPT}"):
            if path.stat().st_mtime < begin:  # of an image that is not there any more
                path.unlink()


def _write_prolog(base: Export, target: Path, total: int, engine: Engine) -> Generator[Summary, None, None]:
    """Prolog wants the clauses of a predicate side by side: each grows in a file of its own first."""
    pictures = base.pictures
    model = open_model(pictures.model)
    given, zones = pictures.detections is not None, pictures.zones is not None
    keys = () if pictures.detections is None else pictures.detections.source.keys
    predicates, names = base_facts_of(rules_for(pictures).dialect), image_names(pictures.folder)
    with ExitStack() as stack:
        parts = {name: stack.enter_context((target.parent / f"{name}.part").open("w+b")) for name in predicates}
        images = 0
        for summary, texts in engine.in_batches(partial(_texts, base), names, total=total, size=BATCH):
            for name, text in texts.items():
                parts[name].write(text.encode())
            images += summary.images - summary.skipped
            yield summary
        source = target.with_suffix(".pl")
        with source.open("wb") as file:
            file.write(f"{base_head(model, pictures.looks, images, given=given, zones=zones)}\n\n".encode())
            for name, part in parts.items():
                if part.tell():
                    part.seek(0)
                    shutil.copyfileobj(part, file)
                else:
                    file.write(f"{base_nothing(predicates[name])}\n".encode())
                file.write(b"\n")
            file.write(base_rules(model, given=given, zones=zones, keys=keys).encode())
    if target.suffix == ".qlf":
        compile_program(source)


def _texts(base: Export, names: Names) -> tuple[Summary, dict[str, str]]:
    """The facts of some images, by predicate; run by a worker."""
    summary = Summary(images=len(names))
    texts: dict[str, str] = {}
    for image, facts in _facts(base, names, summary):
        for predicate, text in base_facts_text(image, facts).items():
            if text:
                texts[predicate] = f"{texts.get(predicate, '')}{text}\n"
    return summary, texts


def _write_parquet(base: Export, target: Path, total: int, engine: Engine) -> Generator[Summary, None, None]:
    from pyarrow import parquet

    from predinet_prolog.bridge.writers.parquet import schema

    pictures = base.pictures
    rules = rules_for(pictures)
    size = MANY_THINGS if not rules.dialect.heads else BATCH
    with parquet.ParquetWriter(target, schema(rules), compression="zstd") as file:
        names = image_names(pictures.folder)
        for summary, table in engine.in_batches(partial(_table, base), names, total=total, size=size):
            file.write_table(table)
            yield summary


def _table(base: Export, names: Names) -> "tuple[Summary, pyarrow.Table]":
    """The facts of some images, and what follows from them, a row each; run by a worker."""
    from predinet_prolog.bridge.writers.parquet import table

    summary = Summary(images=len(names))
    return summary, table(_facts(base, names, summary), rules_for(base.pictures))


def _facts(base: Export, names: Names, summary: Summary) -> Iterator[tuple[str, Facts]]:
    """The name of each of the images, which are called by their paths in the folder, and its facts."""
    pictures, files, kept = base.pictures, dict[str, Path](), dict[str, Any]()
    for name in names:
        # What is wrong with an image is told where it is seen; a file that was not written to its end is no file.
        with suppress(OSError, ImageError, BoxesError, zlib.error):
            about = [pictures.provenance(name).to_json(), fingerprint(rules_for(pictures)), __version__]
            files[name] = base.kept / f"{sha256(json.dumps(about).encode()).hexdigest()}{KEPT}"
            kept[name] = json.loads(zlib.decompress(files[name].read_bytes()))
            files[name].touch()
    summary.kept = len(kept)
    for name, view in views(pictures, tuple(name for name in names if name not in kept), summary):
        kept[name] = (), plain(base_facts(view.program))
        with suppress(FileNotFoundError):  # on a machine that has no such folder
            files[name].write_bytes(zlib.compress(json.dumps([view.notices, kept[name][1]]).encode(), level=1))
    for name in filter(kept.__contains__, names):
        notes, facts = kept[name]
        summary.note(pictures.folder, name, notes)
        yield name.encode("utf-8", "backslashreplace").decode(), facts  # bytes that are no text cannot be written
