"""The way from image files to programs and answers: what every command and request that takes images shares.

from service.pipeline import ask

print(ask("scene.png", "same(X, Y)").to_json())
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from bridge import ImageInfo, Perceiver, Program, Scene, make_program, write_json, write_prolog
from bridge.boxes import GivenBoxes, parse_boxes
from bridge.glimpses.perceiver import GlimpsePerceiver
from bridge.glimpses.program import make_scene_program
from bridge.glimpses.scene import SeenScene
from bridge.out_of_distribution import out_of_distribution
from domains import ORIGINAL, load_domain
from neural import ImageError, Model, shipped_models
from neural.errors import LargeImageError
from neural.glimpses.model import GlimpseModel, load_any
from neural.images import InputImage, Opened, open_file, read_image
from service.errors import UsageError
from service.settings import DEFAULT_MODEL, SCENES_MODEL
from symbolic import Answers, Engine, Rules

Format = Literal["prolog", "json"]
AnyModel = Model | GlimpseModel
"""A model of pictures of one size, or of any size."""
SURE = 0.7
"""An image that the original domain scores below this shows one of its boards. Warnings begin later, at 1: discs and
triangles that lie as things do on a board have 0.8 to 1.3, boards of its first kind 0.2, as JPEG of that size 0.6 in 95
of 100."""


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

    def write(self, format: Format = "prolog") -> str:
        """The program, or the same facts as JSON."""
        return self.text if format == "prolog" else write_json(self.program)

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
        return make_program(self.scene, model=self.model, image=self._info(), looks=self.looks)


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
        return make_scene_program(self.scene, model=self.model, image=self._info(), scale=self.image.scale)


AnyView = View | GlimpseView


def choose(source: Opened, *, quick: bool = False) -> str:
    """The shipped model that suits the image: the name of the original domain's if it shows one of its boards, else of
    that for pictures of any size, even if it cannot be read: reading it with that model tells why. `quick` is as
    read_image has it."""
    domain = load_domain(ORIGINAL)
    try:
        board = read_image(source, picture=domain.picture, quick=quick)
    except LargeImageError:
        raise
    except ImageError:  # also for one that is not square, before it is decoded
        return _or_default(SCENES_MODEL)
    (inspection,) = domain.inspect(board.pixels[None])
    return DEFAULT_MODEL if inspection.score < SURE else _or_default(SCENES_MODEL)


def choose_model(source: Opened) -> AnyModel:
    """The shipped model that suits the image, as `choose` names it."""
    return _shipped(choose(source))


def _or_default(name: str) -> str:
    return name if name in shipped_models() else DEFAULT_MODEL  # until one for pictures of any size is shipped


@cache
def _shipped(name: str) -> AnyModel:
    """Read once, for many images."""
    return load_any(name)


def view(model: Model, images: Sequence[InputImage], *, looks: int | None = None) -> list[View]:
    """Sees each of `images`, which were read at the model's own image size."""
    pixels = np.stack([image.pixels for image in images])
    views = []
    for image, scene in zip(images, Perceiver(model, looks=looks).perceive(pixels), strict=True):
        warning = out_of_distribution(scene, model.domain.remedy).warning
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


def see(model: AnyModel, images: Sequence[InputImage], *, looks: int | None = None) -> Sequence[AnyView]:
    """Sees each of `images`, which were read as the model's pictures. Raises UsageError for a bound on looks of a model
    that looks once."""
    if isinstance(model, Model):
        return view(model, images, looks=looks)
    _refuse_looks(model, looks)
    return [glimpse(model, image) for image in images]


def _refuse_looks(model: GlimpseModel, looks: int | None) -> None:
    if looks is not None:
        raise UsageError(f"the model {model.name} looks once at pictures of any size: leave out --looks")


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
    file = open_file(image)
    if model is None:
        model = choose_model(file) if boxes is None else _shipped(_or_default(SCENES_MODEL))
    network = load_any(model) if isinstance(model, str) else model
    if isinstance(network, Model) and boxes is not None:
        raise UsageError(f"the model {network.name} finds things itself: boxes are for models of pictures of any size")
    read = read_image(file, picture=network.domain.picture)
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
