"""The options that say how pictures are to be seen, and what they stand for."""

from collections.abc import Callable, Sequence
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from predinet_prolog.lazily import lazily
from predinet_prolog.service.cli.options import FILE, model_option_for
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.streams import counted, note

if TYPE_CHECKING:
    from predinet_prolog.domains.zones import Zones
    from predinet_prolog.service.given import Told

# Most questions name no such file.
given = lazily("predinet_prolog.service.given")
outlines = lazily("predinet_prolog.domains.zones")

SHARE = click.FloatRange(0, 1)
suiting_model_option = model_option_for("the one that suits the image")
LOOKS_OPTION = click.option(
    "--looks",
    type=click.IntRange(1, 10),
    metavar="N",
    help="Look at most N times; 1 is the paper's single pass. (default: until nothing new appears)",
)
_OPTIONS = (
    click.option(
        "--boxes",
        type=FILE,
        metavar="FILE.json",
        help="Where the things are, instead of finding them: [[left, top, right, bottom], ...] in pixels, or COCO.",
    ),
    click.option(
        "--detections",
        type=FILE,
        metavar="FILE|DIR",
        help="All that a detector or an annotator tells of the things: category/2, score/2, attribute/3, masks, ...",
    ),
    click.option("--classes", type=FILE, metavar="FILE", help="What the classes of the detections are called."),
    click.option("--min-score", type=SHARE, metavar="S", help="Leave out detections that are less sure."),
    click.option("--nms", type=SHARE, metavar="IOU", help="Leave out what overlaps a surer one of its category more."),
    click.option(
        "--zones",
        type=FILE,
        metavar="FILE.json",
        help='Parts of the picture, {"name": [[x, y], ...], ...}: in_zone(X, name).',
    ),
    click.option("--no-look", is_flag=True, help="Look at no pixel and open no model: what was told is all there is."),
)


class Seeing(NamedTuple):
    """How pictures are to be seen."""

    detections: "Told | None" = None
    """None: they are to be found."""
    look: bool = True
    """Whether pixels may be looked at."""
    zones: "Zones | None" = None
    """What parts of pictures are called."""
    model: str | None = None
    """As it was named; None: the settings' one, or the one that suits."""
    looks: int | None = None

    @property
    def chosen(self) -> bool:
        """Whether anything was said of it, which makes no sense of programs."""
        return any(option is not None for option in (self.model, self.looks, self.detections, self.zones))

    def check_pictures(self, folder: Path, names: Sequence[str]) -> None:
        """BoxesError unless it is said which of the pictures, which are seen together, the things are of."""
        if self.detections is not None and names:
            source = self.detections.source
            self.detections.check_pictures(folder, names)
            if len(names) > 1 and (missing := source.missing(names)):
                note(f"{source.where} has boxes of {counted(len(missing), 'image')} that are not here: {missing[0]}")

    def check_look(self) -> None:
        """UsageError for a model, or a bound on its looks, where no pixel may be looked at."""
        if not self.look and (self.model is not None or self.looks is not None):
            raise UsageError("--no-look opens no model: leave out --model and --looks")


def seeing_options(*, model: bool = True, looks: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command the options as one argument `seeing`, to which belongs a --model of its own that it may have.

    model, looks: whether there are these options as well.
    """
    options = [*[suiting_model_option] * model, *[LOOKS_OPTION] * looks, *_OPTIONS]
    return lambda command: reduce(lambda packed, option: option(packed), reversed(options), _packed(command))


def _packed(command: Callable[..., None]) -> Callable[..., None]:
    @wraps(command)
    def packed(
        boxes: Path | None,
        detections: Path | None,
        classes: Path | None,
        min_score: float | None,
        nms: float | None,
        zones: Path | None,
        no_look: bool,
        model: str | None = None,
        looks: int | None = None,
        **rest: Any,
    ) -> None:
        named = {"--classes": classes, "--min-score": min_score, "--nms": nms}
        if boxes is not None and detections is not None:
            raise UsageError("--boxes is the simple form of --detections: name one of them")
        if boxes is not None and boxes.suffix in (".txt", ".xml"):
            raise UsageError(f"--boxes takes boxes in JSON: --detections {boxes} takes what YOLO and others write")
        if detections is None and (lone := [name for name, value in named.items() if value is not None]):
            raise UsageError(f"{lone[0]} is for --detections FILE")
        if no_look and boxes is None and detections is None:
            raise UsageError("--no-look finds no things: tell of them by --detections FILE")
        detected = None
        if (path := boxes or detections) is not None:
            choice = given.Choice(min_score, nms, some=boxes is not None)
            detected = given.Told(path, classes, choice, boxes is not None)
        named_parts = None if zones is None else outlines.read_zones(zones)
        command(seeing=Seeing(detected, not no_look, named_parts, model, looks), **rest)

    return packed
