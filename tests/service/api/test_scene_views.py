"""What the service says of a scene: the same bytes for the same image, and nothing that the program contradicts."""

import json
import re

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.bridge import perceiver_of
from predinet_prolog.domains.domain import Picture
from predinet_prolog.domains.images import InputImage, read_image
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import Model, load_model
from predinet_prolog.service.api.scene_views import details, stored
from predinet_prolog.service.pipeline import View, see
from tests.service.helpers import encode


def read(pixels: np.ndarray, *, name: str = "scene.png", side: int = 36) -> InputImage:
    """The picture as a file of `side` pixels."""
    data = encode(Image.fromarray(pixels).resize((side, side), Image.Resampling.NEAREST))
    return read_image(data, picture=Picture(36, 36), name=name)


@pytest.fixture(scope="module")
def pixels() -> np.ndarray:
    """Nine objects in one scene, one in another, one that takes more than one look, and nothing:
    (4, 36, 36, 3)."""
    boards = generate("scatter", 60, objects="hexos", seed=12)
    counts = boards.occupied.sum(1).tolist()
    rendered = boards.render()
    scenes = perceiver_of(load_model("relations-game")).perceive(rendered)
    looks = [len(scene.heads.attention) for scene in scenes if scene.heads is not None]
    assert max(looks) > 1
    chosen = rendered[[counts.index(9), counts.index(1), looks.index(max(looks)), 0]]
    chosen[3] = 0
    return chosen


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model("relations-game")


@pytest.fixture(scope="module")
def views(model: Model, pixels: np.ndarray) -> list[View]:
    """The scenes, from files of 36, 100, 250 and 72 pixels."""
    images = [read(scene, side=side) for scene, side in zip(pixels, (36, 100, 250, 72), strict=True)]
    return see(model, images)


def test_details_agree_with_the_program(views: list[View]) -> None:
    counts = [len(json.loads(details(one))["objects"]) for one in views]
    assert [counts[0], counts[1], counts[3]] == [9, 1, 0]
    for seen in views:
        kept = stored(seen)
        told = json.loads(kept.details)
        assert told["image"] == {"width": seen.image.width, "height": seen.image.height, "sha256": seen.image.sha256}
        assert told["notes"] == list(kept.notes)
        places = [*told["objects"], *told["background"]]
        assert [f"object({p['name']})." for p in told["objects"]] == re.findall(r"^object\(ob_.*", kept.program, re.M)
        # The program's own text of every position and look.
        positions = [f"position({p['name']}, {p['x']:.4f}, {p['y']:.4f})." for p in places]
        assert positions == re.findall(r"^position.*", kept.program, re.M)
        assert [f"look({p['name']}, {p['look']})." for p in places] == re.findall(r"^look.*", kept.program, re.M)
        for place in places:
            assert place["left"] + place["width"] / 2 == pytest.approx(place["x"], abs=2e-4)
            assert place["top"] + place["height"] / 2 == pytest.approx(place["y"], abs=2e-4)
            assert place["width"] == pytest.approx(seen.image.width / 3, abs=1e-4)
