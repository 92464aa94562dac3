"""export: images become programs, or one knowledge base."""

import re
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import click

from predinet_prolog.bridge.writers.header import as_module
from predinet_prolog.domains.films import VIDEOS, frame_names
from predinet_prolog.domains.image_files import image_names
from predinet_prolog.neural.engine_choice import open_engine
from predinet_prolog.service.cli.images import open_view
from predinet_prolog.service.cli.options import (
    ENGINES,
    FILE,
    emit_to,
    engine_option,
    is_told,
    output_option,
    settings,
    tell_warnings,
)
from predinet_prolog.service.cli.progress import followed, progress
from predinet_prolog.service.cli.seeing import Seeing, seeing_options
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.films import write_film
from predinet_prolog.service.folders import Pictures, Summary, choose_for, count_images
from predinet_prolog.service.formats import FORMATS, format_named
from predinet_prolog.service.settings import DEFAULT_MODEL, SCENES_MODEL
from predinet_prolog.service.store.folder import Export, export_folder
from predinet_prolog.service.store.knowledge_base import export_knowledge_base
from predinet_prolog.service.streams import counted, emit, note
from predinet_prolog.symbolic.errors import SwiPrologMissingError
from predinet_prolog.symbolic.swipl import run_swipl

MODULE = re.compile(r"(?!(?:user|system|prolog)$)[a-z][a-zA-Z0-9_]*")
SKIPPED = 3
"""Exit status when a folder held images that cannot be used: all others were exported."""
BROKEN = 4
"""Exit status when a picture of a folder or a frame of a film could not be used or asked: all others were."""
MOST_NOTES = 5
"""Kinds of remarks on the images of a folder that are told, the most frequent first."""


@click.command()
@click.argument(
    "images", type=FILE, nargs=-1, required=True, metavar="IMAGE|DIR...", help="Image files, or a folder of them."
)
@output_option(
    "FILE|DIR",
    "Where to write; several images need a folder. (default: standard output; for a folder, beside its images)",
)
@seeing_options()
@click.option(
    "--format",
    metavar="|".join(FORMATS),
    default="prolog",
    help="A Prolog program, its facts and relations as JSON, or what has a name: with probabilities, for ProbLog, or "
    "as an answer set program, for clingo. Or what another package writes.",
)
@click.option(
    "--brief",
    "format",
    flag_value="brief",
    help="The same as --format brief: objects, places, colours and what was learned, as facts with their confidence.",
)
@click.option(
    "--module",
    metavar="NAME",
    help="A Prolog module of that name, so that several programs fit into one swipl: NAME:same(X, Y).",
)
@click.option(
    "--kb",
    "knowledge_base",
    type=FILE,
    metavar="FILE",
    help="One knowledge base of a folder: images.pl, images.qlf (loads faster, in the version of swipl that made it), "
    "or images.parquet (facts and relations as a table).",
)
@click.option(
    "--film",
    is_flag=True,
    help="The pictures of a folder, or an animated one's, are frames of one film: a program of at(T, Fact).",
)
@engine_option
def export(
    images: Sequence[Path],
    output: Path | None,
    seeing: Seeing,
    format: str,
    module: str | None,
    knowledge_base: Path | None,
    film: bool,
    engine: str,
) -> None:
    """Turn images into programs.

    A program stands alone: swipl loads it anywhere, without this package.

    Of a folder, all images in it and in the folders in it are exported, by all processors. What cannot be used is
    skipped, and told; the exit status is 3 then. Interrupted, the same command goes on where it stopped: a program
    that is of the same image, model, looks and boxes is kept; boxes in COCO are told apart by the images' names. Where
    no model is named, one sees them all: that which suits most of the first images.

    Beside a knowledge base lies the folder FILE.kept, from which the same command takes what is unchanged. In a
    knowledge base every predicate has the image, its path in the folder, as first argument: object(Image, X).
    Of confidence(Goal, P), Goal has it: confidence(same(Image, X, Y), P). It holds all that a program does but what
    single heads picked (head, r0, r1, ... and holds), which is more than half and costs as much time and memory.
    swipl images.qlf loads it, without this package. The table has no rules, but what follows by them: a row for each
    pair that is the same, and how likely it is.

    Of a film, at(T, Fact) says what is so in the frame of number T: the number at the end of its name, where each has
    one of its own, else counted from 1. A thing keeps its name by the track that was told; without tracks, as long as
    it is seen nearby. Where detections are given, pixels are looked at only by a model that is named. The rules
    `episodes` and `intervals` tell what happens. A video needs PyAV: pip install 'predinet-prolog[video]'.

    \b
    Examples:
      predinet-prolog export scene.png -o scene.pl && swipl scene.pl
      predinet-prolog export scene.png --brief
      predinet-prolog export scene.png --module scene -o scene.pl && swipl scene.pl other.pl
      predinet-prolog export *.png -o programs/
      predinet-prolog export pictures/ -o programs/
      predinet-prolog export pictures/ --kb pictures.qlf
      RAY_ADDRESS=head:6379 predinet-prolog export pictures/ --kb pictures.parquet --engine ray
      predinet-prolog export scene.png --format asp -o scene.lp && clingo scene.lp
      predinet-prolog export frames/ --film --detections mot/gt.txt --zones zones.json -o film.pl
    """
    seeing.check_look()
    if module is not None and not (
        MODULE.fullmatch(module) and format in ("prolog", "brief") and [*map(Path.is_dir, images)] == [False]
    ):
        raise UsageError("--module is for the Prolog program of one image, and its NAME is a word in small letters")
    with suppress(SwiPrologMissingError):
        if module and run_swipl("-g", f"exists_source(library({module}))", "-t", "halt").returncode == 0:
            raise UsageError(f"--module {module}: a library of SWI-Prolog is called so: choose another name")
    if film or any(path.suffix.lower() in VIDEOS for path in images):
        if len(images) > 1 or format != "prolog" or knowledge_base is not None or engine != ENGINES[0] or seeing.looks:
            raise UsageError("a film is exported alone, as a Prolog program: leave out --format, --kb and --engine")
        _export_film(images[0], output, seeing)
        return
    format_named(format)  # is refused before anything is looked at
    folder = _folder(images)
    if knowledge_base is not None:
        if not images[0].exists():
            raise UsageError(f"no such folder: {images[0]}")
        if folder is None or output is not None or format != "prolog":
            raise UsageError("--kb is for a folder of images, and takes the place of -o and --format")
        _export_knowledge_base(Export(pictures_of(folder, seeing), knowledge_base), engine)
    elif folder is not None:
        _export_folder(Export(pictures_of(folder, seeing), output or folder, format), engine)
    else:
        if engine != ENGINES[0]:
            raise UsageError(f"--engine {engine} is for a folder of images")
        seeing.check_pictures(images[0].parent, [path.name for path in images])
        targets = _targets(images, output, format_named(format).ending)
        for path, target, view in zip(images, targets, [open_view(path, seeing) for path in images], strict=True):
            tell_warnings(path, view.remarks(format))
            text = view.write(format)
            emit_to(target, text if module is None else as_module(text, module))


def _export_film(path: Path, output: Path | None, seeing: Seeing) -> None:
    if output is not None and output.is_dir():
        raise UsageError(f"a film is one program, and {output} is a folder: name a file, -o {output / 'film.pl'}")
    (target,) = _targets([path], output, format_named("prolog").ending)
    names = frame_names(path)
    seeing.check_pictures(path, [name for _, name in names])
    model = seeing.model if seeing.detections is not None else settings(model=seeing.model).model or SCENES_MODEL
    summary = Summary()
    follow = partial(followed, description="looking", total=len(names))
    text = write_film(path, model if seeing.look else None, seeing.detections, seeing.zones, summary, follow)
    tell_notes(summary.notes, summary.first)
    note(*(f"left out: {reason}" for reason in summary.bad.values()))
    emit_to(target, text)
    if summary.bad:
        raise click.exceptions.Exit(BROKEN)


def _folder(images: Sequence[Path]) -> Path | None:
    """The one folder that is named; None if only files are."""
    folders = [path for path in images if path.is_dir()]
    if folders and len(images) > 1:
        raise UsageError(f"{folders[0]} is a folder: export it alone")
    return folders[0] if folders else None


def pictures_of(folder: Path, seeing: Seeing, *, at_once: bool = True) -> Pictures:
    """The images of a folder, and how they are to be seen; if not `at_once`, those whose things are told are looked at
    where a goal needs it. BoxesError unless it is said which of the images things are told of."""
    if seeing.detections is None:
        return Pictures(folder, model_for(folder, seeing.model), seeing.looks, zones=seeing.zones)
    seeing.check_pictures(folder, list(image_names(folder)))
    seeing.check_look()
    model = settings(model=seeing.model).model or SCENES_MODEL if seeing.look else None
    pictures = Pictures(folder, model, seeing.looks, seeing.detections, seeing.zones)
    later = seeing.look and not at_once and seeing.model is None and seeing.looks is None
    return pictures.later if later else pictures


def _export_folder(export: Export, engine: str) -> None:
    target, format = export.target, format_named(export.format)
    if target.exists() and not target.is_dir():
        raise UsageError(f"a folder of images needs a folder for their programs, and {target} is a file")
    if target.suffix == format.ending and not target.exists():
        remedy = f"-o DIR for a program each, --kb {target} for one base, or --film"
        raise UsageError(f"{target} is no folder's name: {remedy}")
    total = count_images(export.pictures.folder, apart=True)
    batches = export_folder(export, total=total, engine=open_engine(engine))
    summary = _follow(batches, total, interrupted="the same command goes on")
    written = f"{counted(summary.written, format.written)} written, {summary.kept} kept"
    _end(summary, f"{target}: {written}, {counted(summary.skipped, 'image')} skipped\n")


def _export_knowledge_base(export: Export, engine: str) -> None:
    target, total = export.target, count_images(export.pictures.folder, apart=False)
    batches = export_knowledge_base(export, total=total, engine=open_engine(engine))
    summary = _follow(batches, total, interrupted=f"{target} is as it was, and the same command goes on")
    kept = f", {summary.kept} kept" if summary.kept else ""
    _end(summary, f"{target}: {counted(summary.images - summary.skipped, 'image')}{kept}, {summary.skipped} skipped\n")


def model_for(folder: Path, name: str | None) -> str:
    """The model named, else the settings' one, else that which suits most of the first images, which is said."""
    if (decided := settings(model=name).model) is not None:
        return decided
    chosen = choose_for(folder)
    if chosen != DEFAULT_MODEL:
        note(f"{folder}: seen by {chosen}, which suits most of its first images; --model decides")
    return chosen


def _end(summary: Summary, line: str) -> None:
    emit(line)
    if summary.skipped:
        raise click.exceptions.Exit(SKIPPED)


def _follow(batches: Generator[Summary, None, None], total: int, *, interrupted: str) -> Summary:
    """All batches as one. Shows how far it is, names the images skipped, and says `interrupted` after a Ctrl-C."""
    whole = Summary()
    with progress("exporting", total, "images") as advance, closing(batches):
        try:
            for batch in batches:
                for reason in batch.bad.values():
                    note(f"skipped: {reason}")
                whole += batch
                advance(batch.images, f"{whole.skipped} skipped" if whole.skipped else "")
        except KeyboardInterrupt:
            note(f"stopped after {whole.images} of {total} images; {interrupted}")
            raise
    tell_notes(whole.notes, whole.first)
    return whole


def tell_notes(counts: Counter[str], first: Mapping[str, str]) -> None:
    """Tells what was done to images, or is amiss with them: a line a remark, of how many images and the `first`."""
    worth_telling = [(remark, count) for remark, count in counts.most_common() if is_told(remark)]
    for remark, count in worth_telling[:MOST_NOTES]:
        rest = f" and {counted(count - 1, 'other')}" if count > 1 else ""
        note(f"{first[remark]}{rest}: {remark}")
    if len(worth_telling) > MOST_NOTES:
        note(f"and {len(worth_telling) - MOST_NOTES} remarks of other kinds")


def _targets(images: Sequence[Path], output: Path | None, suffix: str) -> list[Path | None]:
    """Where each image's export goes; None is standard output."""
    if output is None:
        if len(images) > 1:
            raise UsageError("several images need a folder for their programs: add -o DIR")
        return [None]
    if len(images) == 1 and not output.is_dir():
        if output.suffix not in ("", suffix, ".pl" if suffix == ".problog" else suffix):
            raise UsageError(f"cannot write {output}: end its name in {suffix}, as what it holds has it")
        return [output]
    if output.exists() and not output.is_dir():
        raise UsageError(f"several images need a folder for their programs, and {output} is a file")
    if output.suffix in {language.ending for language in FORMATS.values()} and not output.is_dir():
        raise UsageError(f"several images need a folder for their programs, and {output} has the name of a file")
    targets: dict[Path, Path] = {}
    for image in images:
        target = output / f"{image.stem}{suffix}"
        if target in targets:
            raise UsageError(f"{targets[target]} and {image} would both be written to {target}")
        targets[target] = image
    return list(targets)
