"""show, and what else needs images looked at, or models."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from predinet_prolog.domains.errors import ImageError
from predinet_prolog.neural import Model, load_model
from predinet_prolog.service.cli.options import FILE, check_picture, is_told, output_option, settings, tell_warnings
from predinet_prolog.service.cli.seeing import Seeing, seeing_options
from predinet_prolog.service.cli.sources import Source
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import read_text, write_atomically
from predinet_prolog.service.given import LACKING, check_look
from predinet_prolog.service.pipeline import View, look
from predinet_prolog.service.settings import DEFAULT_MODEL, SCENES_MODEL
from predinet_prolog.service.streams import emit, note

T = TypeVar("T")


def open_model(name: str | None) -> Model:
    """The model of boards named, else the settings' one, else the default."""
    return load_model(settings(model=name).model or DEFAULT_MODEL)


def open_view(path: Path, seeing: Seeing) -> View:
    """What the model named, the settings' one or the one that suits it sees in the image; tells what was done to it."""
    model, detections = settings(model=seeing.model).model, seeing.detections
    view = look(path, model, looks=seeing.looks, detections=detections, zones=seeing.zones, pixels=seeing.look)
    for remark in filter(is_told, view.image.notes):
        note(f"{path}: {remark}")
    tell_warnings(path, view.warnings)
    return view


@click.command()
@click.argument("image", type=FILE, metavar="IMAGE", help="An image file.")
@output_option("FILE.png", "Where to write. (default: the image's name with -seen.png, here)")
@seeing_options()
def show(image: Path, output: Path | None, seeing: Seeing) -> None:
    """Draw what the network sees: the objects, named, and where its heads look if it has heads.

    \b
    Examples:
      predinet-prolog show scene.png -o slide.png
      predinet-prolog show holiday.jpg
      predinet-prolog show scene.png --model between-small
    """
    from predinet_prolog.service.pictures.scene import draw

    check_picture(output)
    seeing.check_look()
    view = open_view(image, seeing)
    target = output or Path(f"{image.stem}-seen.png")
    write_atomically(target, draw(view.readable(image)))
    emit(f"{target}\n")


@dataclass(frozen=True)
class UnseenImage(Source):
    """An image of whose things was told, and which was not looked at, yet. Its `view` is of what was told."""

    look: Callable[[], Source] | None = None
    """Looks at it; None: that is forbidden."""
    model: str | None = None
    """What would look."""

    def ask(self, ask: Callable[[Source], T]) -> tuple[Source, T]:
        """The same; pixels are looked at once a goal needs what they tell. Raises UsageError where they may not be."""
        try:
            return self, ask(self)
        except LACKING as error:
            check_look(error, self.model, "--no-look" if self.look is None else None)
        assert self.look is not None, "it is not forbidden"
        looked = self.look()
        return looked, ask(looked)


def open_image(source: Path, seeing: Seeing, question: str, *, whole: bool) -> Source:
    """The image to ask about, as `Question.open` has it."""

    def look() -> Source:
        view = open_view(source, seeing)
        return Source(view.text, view, tuple(view.warnings))

    try:
        if seeing.detections is None or seeing.model is not None or seeing.looks is not None:
            return look()
        view = open_view(source, seeing._replace(look=False))
    except ImageError as error:
        if _is_text(source):
            raise UsageError(f"{error}; if it is a program, end its name in .pl") from error
        raise
    text = view.text if whole else view.text_for(re.findall(r"\w+", question))
    if not seeing.look:
        return UnseenImage(text, view)
    return UnseenImage(text, view, (), look, settings(model=seeing.model).model or SCENES_MODEL)


def _is_text(path: Path) -> bool:
    try:
        text = read_text(path)
    except UsageError:
        return False
    return bool(text) and "\0" not in text
