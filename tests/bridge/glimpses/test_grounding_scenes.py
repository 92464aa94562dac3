"""Grounding a model on pictures of its own domain: which are drawn, what judges, and what is trusted."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from predinet_prolog.bridge import grounding as module
from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.bridge.grounding import ground, steps
from predinet_prolog.bridge.scene import Scene, Thing
from predinet_prolog.domains.domain import Annotated, Inspection, Pixels, Truth
from predinet_prolog.neural.glimpses.model import GlimpseConfig, GlimpseModel

SIDE, THINGS = 40, 5
BOXES = np.array([[8.0 * number, 8, 8 * number + 4, 12] for number in range(THINGS)])


class Dots:
    """Pictures of dots in a row whose red says their shape and green their colour; things of the second kind have their
    shapes blurred."""

    kinds = ("known", "fresh", "kept aside")
    tasks = ("plain", "spoilt")

    def __init__(self, blur: int) -> None:
        self.blur = blur
        self.drawn: list[tuple[str, str, tuple[int, ...]]] = []

    def generate_annotated(self, n: int, *, seed: tuple[int, ...], kind: str, task: str) -> Annotated:
        self.drawn.append((kind, task, seed))
        random = np.random.default_rng(seed)
        pictures, rows = [], []
        for _ in range(n):
            shape, colour, size = (random.integers(0, most, THINGS) for most in (3, 2, 2))
            blurred = self.blur * random.integers(-1, 2, THINGS) if kind == "fresh" else np.zeros(THINGS, np.int64)
            picture = np.zeros((SIDE, SIDE, 3), np.uint8)
            for number in range(THINGS):
                look = 60 * shape[number] + 60 + blurred[number], 100 * colour[number], 9
                picture[8:12, 8 * number : 8 * number + 4] = look
            pictures.append(picture)
            rows.append(np.stack([shape, colour, size], axis=1))
        columns = np.concatenate(rows)
        attributes = {name: columns[:, at] for at, name in enumerate(("shape", "colour", "size"))}
        names = tuple(f"{number}.png" for number in range(n))
        return Annotated(names, tuple(pictures), Truth(np.arange(n).repeat(THINGS), np.tile(BOXES, (n, 1)), attributes))


@dataclass(frozen=True)
class Model(GlimpseModel):
    @cached_property
    def domain(self) -> Any:
        return self.training["domain"]


def seen(picture: Pixels) -> Scene:
    places = [picture[9, 8 * number + 1, [1, 0]] / 60 for number in range(THINGS)]
    looks = [np.append(place, place @ (1, 5)) for place in places]
    things = [Thing(f"ob_{n}", box, (0, 0, 0), looks[n]) for n, box in enumerate(BOXES)]
    return Scene(tuple(things), Inspection(0.0, None, 0.0), (SIDE, SIDE))


def model_of(folder: Path, blur: int, monkeypatch: pytest.MonkeyPatch) -> Model:
    perceiver = SimpleNamespace(perceive=lambda pictures: list(map(seen, pictures)))
    monkeypatch.setattr(module, "perceiver_of", lambda model: perceiver)
    monkeypatch.setattr(module, "PICTURES", 30)
    config = GlimpseConfig(groups={"colour": 1, "shape": 1, "look": 1})
    return Model("dots", folder / "dots.safetensors", {}, {"domain": Dots(blur)}, "ab" * 32, config)


def test_it_is_fitted_on_the_second_kind_and_trusted_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, told = model_of(tmp_path, 0, monkeypatch), list[str]()
    found = ground(model, told.append)
    assert len(told) == steps(model) == 6
    drawn = model.domain.drawn
    wanted = [(kind, task) for kind in ("fresh", "known", "fresh") for task in ("plain", "spoilt")]
    assert [(kind, task) for kind, task, _ in drawn] == wanted
    assert len({seed for kind, _, seed in drawn if kind == "fresh"}) == 4, "no picture judges that was learned from"
    assert {each.predicate for each in found.trusted} == {"same", "same_shape", "same_colour"}
    assert found.attributes == ("shape", "colour", "look"), "sizes are read off boxes"
    for each in found.definitions:
        assert set(each.scores) == {"known", "fresh"}
        assert min(each.scores.values()) > 0.99
    model.path.with_suffix(".grounded.json").write_text(found.to_json())
    read = read_grounding(model)
    assert (read.trusted_on, read.least, read.to_json()) == (found.trusted_on, found.least, found.to_json())


def test_what_is_wrong_of_fresh_things_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ground(model_of(tmp_path, 60, monkeypatch))
    scores = {each.predicate: each.scores for each in found.definitions}
    assert scores["same_shape"]["fresh"] < 0.8
    assert {each.predicate for each in found.trusted} == {"same_colour"}
    assert "Left out: below" in " ".join(line for clause in found.section for line in clause.remarks)
    assert "on fresh, so this model" in " ".join(line for clause in found.section for line in clause.remarks)
