"""Made-up scenes of pictures of any size, for whoever tests what becomes of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from predinet_prolog.bridge.confidence import Curve
from predinet_prolog.bridge.definitions import Definition, Examples, Grounding, grounding_path
from predinet_prolog.bridge.perceiving import glimpses
from predinet_prolog.bridge.perceiving.given import Given
from predinet_prolog.bridge.program import ImageInfo, Program, make_program
from predinet_prolog.bridge.scene import BoolArray, FloatArray, Scene, Thing
from predinet_prolog.domains.detections import Detection
from predinet_prolog.domains.domain import Inspection, Pixels
from predinet_prolog.neural.glimpses.model import GlimpseConfig, GlimpseModel

GROUPS = {"colour": 2, "shape": 3, "look": 2}
VALUES = {"it's 100%": (0.0, 0.0), "3": (1.0, 1.0), "\n'\\": (2.0, -0.25), "Élan": (0.0, 1.0)}
"""Of an attribute that is told by examples: where its things lie."""


def made_up_model(folder: Path) -> GlimpseModel:
    """A model of GROUPS without weights, whose definitions are kept in `folder`."""
    path, config = folder / "made-up.safetensors", GlimpseConfig(groups=GROUPS)
    return GlimpseModel("made-up", path, {}, {"domain": "scenes"}, "cd" * 32, config)


def grounded_model(folder: Path) -> GlimpseModel:
    """The same with definitions: of two predicates that are trusted, of one that is not, and of VALUES."""
    made = made_up_model(folder)
    curve = Curve(0.3, 4.0, 0.01, (8.0, 0.1))
    definitions = (
        Definition("same_shape", "X and Y have the same shape", (2, 3, 4), curve, 0.12, {"fresh": 0.99}, {}, 0.4),
        Definition("same_filled", "X and Y are alike in filled", (0,), curve, 0.0, {"fresh": 0.96}, {}),
        Definition("same", "X and Y look the same", (0, 1), curve, 0.0, {"fresh": 0.9}, {}),
    )
    examples = (Examples("filled", "filled", (0, 5), VALUES, {"fresh": 0.97}),)
    grounding = Grounding(made.sha256, "fresh", True, ("shape", "filled"), definitions, examples=examples)
    grounding_path(made).write_text(grounding.to_json(), encoding="utf-8")
    return made


def random_scene(seed: int, things: int = 7, noise_level: float = 0.0) -> Scene:
    """Things at random on whole and half pixels of a picture of 160 × 96, some within others, some with parts."""
    random = np.random.default_rng(seed)
    corners = random.integers(0, (140, 80), (things, 2)) / 1.0
    sizes = random.integers(3, 41, (things, 2)) / 2
    if things > 2:
        corners[1], sizes[1] = corners[0] + 1, (2, 1)  # within the first
        corners[2], sizes[2] = corners[0] + (300, 0), sizes[0]  # as large
    values = random.integers(0, 3, (things, sum(GROUPS.values()))) + random.normal(0, 0.02, (things, 7))
    boxes = np.hstack([corners, corners + sizes])
    boxes = boxes[np.lexsort((boxes[:, 0], boxes[:, 1]))]
    objects, count = [], 0
    for index, box in enumerate(boxes):
        names = [f"pa_{count + part}" for part in range(2 * (index % 3 == 1))]
        parts = tuple(Thing(name, box - 1, _colour(random), np.zeros(0)) for name in names)
        count += len(parts)
        objects.append(Thing(f"ob_{index}", box, _colour(random), values[index], parts))
    touching = ((0, 1), (0, things - 1)) if things > 2 else ()
    return Scene(tuple(objects), Inspection(0, None, noise_level), (160, 96), touching=touching)


def program_of(scene: Scene, model: GlimpseModel, *, name: str = "it's 50%.png", factor: float = 1.0) -> Program:
    """The program of a scene, of an image `factor` times as wide and high as the picture."""
    image = ImageInfo(name, "ab" * 32, round(scene.size[0] * factor), round(scene.size[1] * factor), ("odd",))
    to_image = np.diag([factor, factor, 1.0])
    return make_program(scene, model=model, image=image, to_image=to_image)


@dataclass(frozen=True)
class Outlined:
    """An outline of these pixels of a box."""

    pixels: BoolArray
    corners: tuple[float, float, float, float] = (0, 0, 0, 0)

    def mask(self, box: tuple[float, float, float, float]) -> BoolArray:
        return self.pixels


def given(boxes: FloatArray, size: tuple[int, int]) -> Given:
    """Boxes (n, 4) of a picture of that width and height, as a detector tells them."""
    told = [Detection(f"entry {number}", number, tuple(box)) for number, box in enumerate(boxes.tolist())]
    return Given(tuple(told), size)


See = Callable[[Pixels, Given | None], Scene]
"""What is seen in a picture, whose things are told, or to be found."""


def let_see(see: See, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets all models for pictures of any size see so, whatever their networks are."""
    monkeypatch.setattr(glimpses, "GlimpsePerceiver", lambda model: MadeUpPerceiver(see))


@dataclass(frozen=True)
class MadeUpPerceiver:
    see: See
    batch: ClassVar[int] = 1

    def perceive(self, pictures: Sequence[Pixels], given: Sequence[Given | None] = ()) -> list[Scene]:
        return list(map(self.see, pictures, given or [None] * len(pictures)))


def _colour(random: np.random.Generator) -> tuple[int, int, int]:
    red, green, blue = random.integers(0, 256, 3).tolist()
    return red, green, blue
