"""The way from image files to programs and answers: what every command and request that takes images shares.

from service.pipeline import ask

print(ask("scene.png", "same(X, Y)").to_json())
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from bridge import ImageInfo, Perceiver, Program, Scene, Symbol, make_program, write_json, write_prolog
from bridge.boxes import GivenBoxes, parse_boxes
from bridge.glimpses.perceiver import GlimpsePerceiver
from bridge.glimpses.program import make_scene_program
from bridge.glimpses.scene import SeenObject, SeenScene
from bridge.likelihoods import likelihoods
from bridge.out_of_distribution import out_of_distribution
from bridge.writers import asp, problog
from bridge.writers.json import write_jsons
from domains.images import InputImage, Opened
from neural import Model
from neural.glimpses.model import GlimpseModel, load_any
from service.errors import UsageError
from service.readings import FramedImage, Readings, hull, moved
from service.settings import DEFAULT_MODEL, SCENES_MODEL
from symbolic import Answers, Engine, Rules

AnyModel = Model | GlimpseModel
"""A model of pictures of one size, or of any size."""
Place = tuple[float, float, tuple[float, float, float, float]]
"""Of a symbol: x and y of its middle; left, top, right and bottom of its window, or of its box."""


_WRITERS = {"json": write_json, "problog": problog.write_problog, "asp": asp.write_asp}
_REMARKS = {"problog": problog.warnings, "asp": asp.warnings}


class _Written:
    """What a model saw in one image, as a program."""

    image: InputImage
    warnings: tuple[str, ...]

    @cached_property
    def program(self) -> Program:
        """What was seen, as an object."""
        raise NotImplementedError

    @cached_property
    def text(self) -> str:
        """The program as Prolog text. Written once, however often it is asked for."""
        return write_prolog(self.program)

    def write(self, format: str = "prolog") -> str:
        """The program in one of `service.formats`. Raises UngroundedError where that says what was learned, and nothing
        was."""
        return self.text if format == "prolog" else _WRITERS[format](self.program)

    def remarks(self, format: str) -> list[str]:
        """What the user should know of the program in that format, one line each."""
        return _REMARKS[format](likelihoods(self.program)) if format in _REMARKS else []

    def _info(self) -> ImageInfo:
        image = self.image
        return ImageInfo(image.name, image.sha256, image.width, image.height, self.warnings)


@dataclass(frozen=True)
class View(_Written):
    """What a model saw in one image of its size."""

    image: InputImage
    scene: Scene
    model: Model
    looks: int | None
    """The bound it was seen with; None: until nothing new appeared."""
    warnings: tuple[str, ...] = ()
    """Why what was seen may mean nothing, such as that the image is not of the model's domain; one line each."""

    @cached_property
    def program(self) -> Program:
        """What was seen, as an object."""
        to_image = self.image.to_image if isinstance(self.image, FramedImage) else None
        return make_program(self.scene, model=self.model, image=self._info(), looks=self.looks, to_image=to_image)

    @property
    def whole(self) -> bool:
        """Whether `image.pixels` are what the network was shown; else that was found in them."""
        return not isinstance(self.image, FramedImage)

    def place(self, symbol: Symbol) -> Place:
        """Where it lies in `image.pixels`."""
        window = (symbol.left, symbol.top, symbol.left + symbol.width, symbol.top + symbol.height)
        if not isinstance(self.image, FramedImage):
            return symbol.x, symbol.y, window
        to_picture = self.image.frame.to_picture
        return *moved(to_picture, symbol.x, symbol.y), hull(to_picture, window)


@dataclass(frozen=True, eq=False)
class GlimpseView(_Written):
    """What a model saw in one image of any size."""

    image: InputImage
    scene: SeenScene
    """In pixels of `image.pixels`; `image.scale` turns them into those of the image given."""
    model: GlimpseModel
    boxes: GivenBoxes | None = None
    """Where its things were said to be; None: they were found."""
    warnings: tuple[str, ...] = ()
    """As a View's."""

    @cached_property
    def program(self) -> Program:
        """What was seen, as an object."""
        boxes = None if self.boxes is None else self.boxes.sha256
        image = self.image
        return make_scene_program(
            self.scene, model=self.model, image=self._info(), scale=image.scale, boxes_sha256=boxes
        )

    def place(self, thing: SeenObject) -> Place:
        """Where it lies in `image.pixels`."""
        left, top, right, bottom = map(float, thing.box)
        return thing.x, thing.y, (left, top, right, bottom)


AnyView = View | GlimpseView


def choose(source: Opened | Readings) -> str:
    """The shipped model that suits the image: the name of the original domain's if it shows one of its boards, else of
    that for pictures of any size, even if it cannot be read: reading it with that model tells why."""
    readings = source if isinstance(source, Readings) else Readings(source)
    return DEFAULT_MODEL if readings.of_original else SCENES_MODEL


def choose_model(source: Opened | Readings) -> AnyModel:
    """The shipped model that suits the image, as `choose` names it."""
    return _shipped(choose(source))


@cache
def _shipped(name: str) -> AnyModel:
    """Read once, for many images."""
    return load_any(name)


def view(model: Model, images: Sequence[InputImage], *, looks: int | None = None) -> list[View]:
    """Sees each of `images`, which were read at the model's own image size, or framed."""
    frames = [image.frame if isinstance(image, FramedImage) else None for image in images]
    pixels = np.stack([frame.pixels if frame else each.pixels for frame, each in zip(frames, images, strict=True)])
    views, remedy = [], model.domain.remedy
    for image, frame, scene in zip(images, frames, Perceiver(model, looks=looks).perceive(pixels), strict=True):
        doubt = f"{frame.reason}; {remedy}" if frame is not None and frame.reason else None
        warning = doubt or out_of_distribution(scene, remedy).warning
        if scene.inspection.evened:
            image = replace(image, notes=(*image.notes, "uneven light was taken off"))
        views.append(View(image, scene, model, looks, (warning,) if warning else ()))
    return views


def glimpse(model: GlimpseModel, image: InputImage, boxes: GivenBoxes | None = None) -> GlimpseView:
    """Sees the image, which was read as a picture of any size. `boxes` say where its things are; None: find them."""
    given = None if boxes is None else boxes.boxes / (image.scale * 2)
    scene = GlimpsePerceiver(model).perceive(image.pixels, given)
    warning = out_of_distribution(scene, model.domain.remedy).warning
    if boxes is not None:
        image = replace(image, notes=image.notes + boxes.notes)
    return GlimpseView(image, scene, model, boxes, (warning,) if warning else ())


def see(
    model: AnyModel, images: Sequence[InputImage], *, looks: int | None = None, boxes: Sequence[GivenBoxes | None] = ()
) -> Sequence[AnyView]:
    """Sees each of `images`, which were read as the model's pictures; `boxes` of each say where its things are. Raises
    UsageError for a bound on looks of a model that looks once, or boxes of another."""
    if isinstance(model, Model):
        refuse_boxes(model, any(boxes))
        return view(model, images, looks=looks)
    _refuse_looks(model, looks)
    given = boxes or [None] * len(images)
    return [glimpse(model, image, own) for image, own in zip(images, given, strict=True)]


def refuse_boxes(model: AnyModel, given: bool) -> None:
    """Raises UsageError if boxes are `given` to a model that finds things itself."""
    if given and isinstance(model, Model):
        raise UsageError(f"the model {model.name} finds things itself: boxes are for models of pictures of any size")


def _refuse_looks(model: GlimpseModel, looks: int | None) -> None:
    if looks is not None:
        raise UsageError(f"the model {model.name} looks once at pictures of any size: leave out --looks")


def write_all(views: Sequence[AnyView], format: str) -> Iterator[str]:
    """What each of the views, which are one model's, is in the format: less work than one after the other."""
    return write_jsons([each.program for each in views]) if format == "json" else (each.write(format) for each in views)


def look(
    image: Opened,
    model: AnyModel | str | None = None,
    *,
    looks: int | None = None,
    boxes: str | None = None,
    boxes_from: str = "boxes",
) -> AnyView:
    """Sees one image, a file's name or its bytes, by a model or the one of that name or in that file; None: by the
    shipped one that suits the image.

    looks: how often the network looks at most; None: until nothing new appears. A model for pictures of any size looks
    once.
    boxes: JSON that says where its things are, see `bridge.boxes`; None: they are found. Only a model for pictures of
    any size takes them. `boxes_from` is what errors call it.

    Raises ImageError for what is no image that the model can see, BoxesError, ModelNotFoundError, CheckpointError and
    UsageError. What was done to the image and why it may mean nothing is in the view's `image.notes` and `warnings`.
    """
    readings = Readings(image)
    if model is None:
        model = choose_model(readings) if boxes is None else _shipped(SCENES_MODEL)
    network = load_any(model) if isinstance(model, str) else model
    if isinstance(network, Model):
        refuse_boxes(network, boxes is not None)
    read = readings.of(network.domain)
    if isinstance(network, Model):
        return view(network, [read], looks=looks)[0]
    _refuse_looks(network, looks)
    if boxes is None:
        return glimpse(network, read)
    given = parse_boxes(boxes, where=boxes_from, image=read.name, width=read.width, height=read.height)
    return glimpse(network, read, given)


def ask(
    image: str | Path | bytes | AnyView,
    goal: str,
    *,
    rules: Sequence[Rules] = (),
    model: AnyModel | str | None = None,
    time_limit: float = 1.0,
) -> Answers:
    """The answers of `goal`, a Prolog goal, in the program of `image`, or of what was seen by `look`, with `rules`.

    Starts SWI-Prolog, which takes 0.2 s: for many goals keep an Engine, and ask it with the program of a view.

    time_limit: seconds that the goal may take.

    Raises what `look` raises, and a SymbolicError for a goal that is a mistake or takes too long.
    """
    seen = image if isinstance(image, View | GlimpseView) else look(image, model)
    with Engine(time_limit=time_limit) as engine:
        return engine.ask(seen.text, goal, rules=rules)
