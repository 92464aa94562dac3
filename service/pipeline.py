"""The way from image files to programs and answers: what every command and request that takes images shares.

from predinet_prolog.service.pipeline import ask

print(ask("scene.png", "same(X, Y)").to_json())
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from predinet_prolog.bridge import ImageInfo, Program, Scene, Thing, make_program, perceiver_of, write_prolog
from predinet_prolog.bridge.errors import PerceiverError
from predinet_prolog.bridge.likelihoods import likelihoods
from predinet_prolog.bridge.out_of_distribution import out_of_distribution
from predinet_prolog.bridge.perceiving.given import Given
from predinet_prolog.bridge.perceiving.perceiver import check_boxes
from predinet_prolog.bridge.regional import outside
from predinet_prolog.bridge.scene import Box
from predinet_prolog.bridge.writers.json import write_jsons
from predinet_prolog.bridge.writers.prolog import write_for
from predinet_prolog.domains.detections import Detected, Source
from predinet_prolog.domains.detections.clevr import PREFIX
from predinet_prolog.domains.errors import DomainError, ImageError
from predinet_prolog.domains.images import InputImage, Opened
from predinet_prolog.domains.zones import Zones, read_zones
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.model import NO_MODEL, Model
from predinet_prolog.service.formats import format_named
from predinet_prolog.service.given import Sent, Teller, Told, teller
from predinet_prolog.service.notebooks import figure
from predinet_prolog.service.readings import FramedImage, Readings, hull, moved
from predinet_prolog.service.settings import CLEVR_MODEL, DEFAULT_MODEL, SCENES_MODEL
from predinet_prolog.service.streams import counted
from predinet_prolog.symbolic import Answers, Engine, Rules

Place = tuple[float, float, Box]
"""Of a thing: x and y of its middle; left, top, right and bottom of its window, or of its box."""


@dataclass(frozen=True, eq=False)
class View:
    """What a model saw in one image."""

    image: InputImage
    scene: Scene
    """In pixels of `image.pixels`, or of what was framed there."""
    model: Model
    looks: int | None = None
    """The bound it was seen with; None: until nothing new appeared."""
    given: Given | None = None
    """What was told of its things; None: they were found."""
    warnings: tuple[str, ...] = ()
    """Why what was seen may mean nothing, such as that the image is not of the model's domain; one line each."""

    @property
    def categories(self) -> tuple[str, ...]:
        """All that things may be called by who tells of them."""
        return () if self.given is None else tuple(sorted(self.given.categories))

    def __repr__(self) -> str:
        return f"<{counted(len(self.scene.things), 'object')} of {self.image.name}, by {self.model.name}>"

    def _repr_html_(self) -> str | None:
        """The picture with its things outlined and named, as notebooks show it; None where no pixel was looked at."""
        if self.model is NO_MODEL:
            return None
        return figure(self.image.pixels, {thing.name: self.place(thing)[2] for thing in self.scene.things}, repr(self))

    @cached_property
    def program(self) -> Program:
        """What was seen, as an object."""
        image = self.image
        return make_program(
            self.scene,
            model=self.model,
            image=ImageInfo(image.name, image.sha256, image.width, image.height, self.warnings),
            looks=self.looks,
            to_image=image.to_image if isinstance(image, FramedImage) else None,
            given_sha256=None if self.given is None else self.given.sha256,
        )

    @cached_property
    def text(self) -> str:
        """The program as Prolog text. Written once, however often it is asked for."""
        return write_prolog(self.program)

    def text_for(self, words: Collection[str]) -> str:
        """The same for a question of these words: where nothing was looked at, what they cannot reach is left out."""
        return write_for(self.program, words) if self.model is NO_MODEL else self.text

    def write(self, format: str = "prolog") -> str:
        """The program in one of `service.formats`. Raises UngroundedError where that says what was learned, and nothing
        was, and UsageError for a format that there is not."""
        return self.text if format == "prolog" else format_named(format).write(self.program)

    @property
    def notices(self) -> tuple[str, ...]:
        """What was done to the image, and its warnings, for who tells of both in one place."""
        return (*self.image.notes, *(f"warning: {warning}" for warning in self.warnings))

    def remarks(self, format: str) -> list[str]:
        """What the user should know of the program in that format, one line each."""
        warnings = format_named(format).warnings
        return [] if warnings is None else warnings(likelihoods(self.program))

    @property
    def gridded(self) -> bool:
        """Whether `image.pixels` are what was looked at by windows on a grid."""
        return self.scene.heads is not None and not isinstance(self.image, FramedImage)

    def place(self, thing: Thing) -> Place:
        """Where it lies in `image.pixels`."""
        if self.given is not None:
            (across, down), (left, top, right, bottom) = self.image.scale, thing.place
            return thing.x / across, thing.y / down, (left / across, top / down, right / across, bottom / down)
        if not isinstance(self.image, FramedImage):
            return thing.x, thing.y, thing.place
        to_picture = self.image.frame.to_picture
        return *moved(to_picture, thing.x, thing.y), hull(to_picture, thing.place)

    def readable(self, image: Opened) -> "View":
        """The same with the pixels of the image that it is of, for who draws on them, where none were looked at."""
        if self.model is not NO_MODEL:
            return self
        return replace(self, image=replace(Readings(image).free, name=self.image.name, notes=self.image.notes))


def choose(source: Opened | Readings) -> str:
    """The shipped model that suits the image: the name of the original domain's if it shows one of its boards, of
    CLEVR's if it is called as one of its pictures, else of that for pictures of any size, even if it cannot be read:
    reading it with that model tells why."""
    with suppress(ImageError):
        readings = source if isinstance(source, Readings) else Readings(source)
        if readings.file.name.startswith(PREFIX):
            return CLEVR_MODEL
        if readings.of_original:
            return DEFAULT_MODEL
    return SCENES_MODEL


@cache
def open_model(name: str | Path | None) -> Model:
    """The model, read once by each process; None: none."""
    return NO_MODEL if name is None else load_any(name)


def see(
    model: Model,
    images: Sequence[InputImage],
    *,
    looks: int | None = None,
    given: Sequence[Given | None] = (),
    zones: Zones | None = None,
) -> list[View]:
    """Sees each of `images`, which were read as the model's pictures; `given` tells of the things of each, `zones` what
    parts of all of them are called.

    Raises PerceiverError for a bound on looks of a model that takes one, or things told to one that finds them itself.
    """
    things_of = given or [None] * len(images)
    pixels = [image.frame.pixels if isinstance(image, FramedImage) else image.pixels for image in images]
    scenes = perceiver_of(model, looks).perceive(pixels, things_of)
    if zones is not None:
        scenes = [replace(scene, zones=zones) for scene in scenes]
    return [
        _view(model, image, scene, looks, things)
        for image, scene, things in zip(images, scenes, things_of, strict=True)
    ]


def _view(model: Model, image: InputImage, scene: Scene, looks: int | None, given: Given | None) -> View:
    notes = () if given is None else given.notes
    if scene.inspection.evened:
        notes = (*notes, "uneven light was taken off")
    if scene.zones is not None:
        notes = (*notes, *outside(scene.zones, (image.width, image.height)))
    image, warning = replace(image, notes=(*image.notes, *notes)), None
    if model is not NO_MODEL:
        remedy, doubt = model.domain.remedy, image.frame.reason if isinstance(image, FramedImage) else None
        warning = f"{doubt}; {remedy}" if doubt else out_of_distribution(scene, remedy).warning
    return View(image, scene, model, looks, given, (warning,) if warning else ())


def write_all(views: Sequence[View], format: str) -> Iterator[str]:
    """What each of the views, which are one model's, is in the format: less work than one after the other."""
    return write_jsons([view.program for view in views]) if format == "json" else (view.write(format) for view in views)


def look(
    image: Opened,
    model: Model | str | None = None,
    *,
    looks: int | None = None,
    boxes: str | None = None,
    detections: Told | Sent | Source | Detected | str | Path | None = None,
    zones: Zones | str | Path | None = None,
    pixels: bool = True,
) -> View:
    """Sees one image, a file's name or its bytes, by a model or the one of that name or in that file; None: by the
    shipped one that suits the image.

    looks: how many looks the network takes at most; None: as many as show something new. A model for pictures of any
    size takes one look, and no number.
    detections: what tells of its things, a file or a folder of a detector's output, or what `open_detections` or
    `from_arrays` makes of it; `boxes`, JSON that says where they are, is its simple form. None: they are found. Only a
    model for pictures of any size takes them.
    zones: what parts of it are called, a file of their outlines or what `read_zones` makes of one.
    pixels: False: no pixel is looked at, and no model is opened; detections have to tell of all things.

    Raises ImageError for what is no image that the model can see, BoxesError, PerceiverError, ModelNotFoundError and
    CheckpointError. What was done to the image and why it may mean nothing is in the view's `image.notes` and
    `warnings`.
    """
    readings = Readings(image)
    if isinstance(detections, str | Path):
        detections = Told(Path(detections))
    if isinstance(detections, Told) and isinstance(image, str | Path):
        detections.check_pictures(Path(image).parent, [Path(image).name])
    tell = teller(boxes, detections)
    named = read_zones(Path(zones)) if isinstance(zones, str | Path) else zones
    if not isinstance(named, Zones | None):
        raise DomainError(f"zones are a file, or what read_zones makes of one, not a {type(zones).__name__}")
    if not pixels:
        if tell is None:
            raise PerceiverError("without a look nothing is found: give detections that tell of the things")
        model = NO_MODEL
    elif model is None:
        model = open_model(choose(readings) if tell is None else SCENES_MODEL)
    network = load_any(model) if isinstance(model, str) else model
    read, things = prepared(network, readings, tell)
    return see(network, [read], looks=looks if pixels else None, given=[things], zones=named)[0]


def prepared(model: Model, readings: Readings, tell: Teller | None) -> tuple[InputImage, Given | None]:
    """The image as a picture of the model, and what is told of its things. Raises what `look` raises."""
    if tell is not None:
        check_boxes(model)
    looked = model is not NO_MODEL
    image = readings.of(model.domain) if looked else readings.unread
    return image, tell and tell(image.name, (image.width, image.height), looked=looked)


def ask(
    image: str | Path | bytes | View,
    goal: str,
    *,
    rules: Sequence[Rules] = (),
    model: Model | str | None = None,
    time_limit: float = 1.0,
) -> Answers:
    """The answers of `goal`, a Prolog goal, in the program of `image`, or of what was seen by `look`, with `rules`.

    Starts SWI-Prolog, which takes 0.2 s: for many goals keep an Engine, and ask it with the program of a view.

    time_limit: seconds that the goal may take.

    Raises what `look` raises, and a SymbolicError for a goal that is a mistake or takes too long.
    """
    view = image if isinstance(image, View) else look(image, model)
    with Engine(time_limit=time_limit) as engine:
        return engine.ask(view.text, goal, rules=rules)
