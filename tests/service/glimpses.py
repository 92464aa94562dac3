"""A model for pictures of any size that needs no training: it finds whatever differs from the picture's corner."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from predinet_prolog.bridge.perceiving.given import Given, scene_of
from predinet_prolog.bridge.scene import Scene, Thing
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.domains.images import FREE
from predinet_prolog.neural.checkpoint import shipped_models
from predinet_prolog.neural.glimpses.model import GlimpseConfig, GlimpseModel, load_any
from predinet_prolog.neural.model import NO_MODEL, Model
from predinet_prolog.service import pipeline
from tests.seen import let_see
from tests.service.helpers import everywhere

REMEDY = "give a plainer picture"


@dataclass(frozen=True)
class FakeModel(GlimpseModel):
    @cached_property
    def domain(self) -> Any:
        return SimpleNamespace(name="any", picture=FREE, remedy=REMEDY)


MODEL = FakeModel("scenes", Path("scenes.safetensors"), {}, {}, "5" * 64, GlimpseConfig(groups={"colour": 3}))


def found(picture: np.ndarray) -> Scene:
    height, width = picture.shape[:2]
    differs = np.abs(picture.astype(int) - picture[0, 0]).max(axis=2) > 60
    areas = ndimage.find_objects(ndimage.label(differs)[0])
    rows = [(across.start, down.start, across.stop, down.stop) for down, across in areas]
    boxes = np.array(rows, dtype=np.float64).reshape(-1, 4)
    order = np.lexsort(((boxes[:, 0] + boxes[:, 2]), (boxes[:, 1] + boxes[:, 3])))
    things = [Thing(f"ob_{number}", box, None, np.empty(0)) for number, box in enumerate(boxes[order])]
    return Scene(tuple(things), Inspection(0.0, None, 0.0), (width, height))


def see(picture: np.ndarray, given: Given | None) -> Scene:
    """With the colours in the middle of things, which are all that is compared."""
    scene = found(picture) if given is None else scene_of(given)
    scale = np.array(picture.shape[1::-1]) / scene.size
    things = []
    for thing in scene.things:
        x, y = (np.array([thing.x, thing.y]) * scale).astype(int)
        red, green, blue = (int(value) for value in picture[y, x])
        things.append(replace(thing, colour=(red, green, blue), coordinates=np.array([red, green, blue]) / 255))
    return replace(scene, things=tuple(things))


def patches(size: tuple[int, int], boxes: Sequence[Sequence[float]]) -> Image.Image:
    """A picture with things in these boxes, red and blue by turns, on white."""
    image = Image.new("RGB", size, "white")
    for box, colour in zip(boxes, cycle(("#d03030", "#3040c0"))):
        image.paste(colour, tuple(round(side) for side in box))
    return image


def ship(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the model be one that is shipped, called `scenes`."""

    def load(name: str | Path) -> Model:
        return MODEL if name in (MODEL.name, MODEL.path) else load_any(name)

    everywhere(monkeypatch, load_any, load)
    everywhere(monkeypatch, pipeline.open_model, lambda name: NO_MODEL if name is None else load(name))
    let_see(see, monkeypatch)


def ship_to_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for the HTTP service, and no setting says which model is to be used."""
    ship(monkeypatch)
    monkeypatch.delenv("PREDINET_PROLOG_MODEL", raising=False)
    known = shipped_models()
    monkeypatch.setattr("predinet_prolog.service.api.registry.shipped_models", lambda: known | {MODEL.name: MODEL.path})
