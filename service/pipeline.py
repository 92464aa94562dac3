"""The way from image files to programs and answers: what every command and request that takes images shares.

from service.pipeline import ask

print(ask("scene.png", "same(X, Y)").to_json())
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from bridge import ImageInfo, Perceiver, Program, Scene, make_program, write_json, write_prolog
from bridge.out_of_distribution import out_of_distribution
from neural import Model, load_model
from neural.images import InputImage, read_image
from symbolic import Answers, Engine, Rules

Format = Literal["prolog", "json"]


@dataclass(frozen=True)
class View:
    """What a model saw in one image."""

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
        image = self.image
        info = ImageInfo(image.name, image.sha256, image.width, image.height, self.warnings)
        return make_program(self.scene, model=self.model, image=info, looks=self.looks)

    @cached_property
    def text(self) -> str:
        """The program as Prolog text. Written once, however often it is asked for."""
        return write_prolog(self.program)

    def write(self, format: Format = "prolog") -> str:
        """The program, or the same facts as JSON."""
        return self.text if format == "prolog" else write_json(self.program)


def view(model: Model, images: Sequence[InputImage], *, looks: int | None = None) -> list[View]:
    """Sees each of `images`, which were read at the model's own image size."""
    pixels = np.stack([image.pixels for image in images])
    views = []
    for image, scene in zip(images, Perceiver(model, looks=looks).perceive(pixels), strict=True):
        warning = out_of_distribution(scene, model.domain.remedy).warning
        views.append(View(image, scene, model, looks, (warning,) if warning else ()))
    return views


def look(image: str | Path | bytes, model: Model | str = "relations-game", *, looks: int | None = None) -> View:
    """Sees one image, a file's name or its bytes, by a model or the one of that name or in that file.

    looks: how often the network looks at most; None: until nothing new appears.

    Raises ImageError for what is no square image, ModelNotFoundError and CheckpointError. What was done to the image
    and why it may mean nothing is in the view's `image.notes` and `warnings`.
    """
    network = model if isinstance(model, Model) else load_model(model)
    (seen,) = view(network, [read_image(image, picture=network.domain.picture)], looks=looks)
    return seen


def ask(
    image: str | Path | bytes | View,
    goal: str,
    *,
    rules: Sequence[Rules] = (),
    model: Model | str = "relations-game",
    time_limit: float = 1.0,
) -> Answers:
    """The answers of `goal`, a Prolog goal, in the program of `image`, or of what was seen by `look`, with `rules`.

    Starts SWI-Prolog, which takes 0.2 s: for many goals keep an Engine, and ask it with the program of a view.

    time_limit: seconds that the goal may take.

    Raises what `look` raises, and a SymbolicError for a goal that is a mistake or takes too long.
    """
    seen = image if isinstance(image, View) else look(image, model)
    with Engine(time_limit=time_limit) as engine:
        return engine.ask(seen.text, goal, rules=rules)
