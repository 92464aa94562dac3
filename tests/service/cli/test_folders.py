"""evaluate, train and ground with a folder of one's own pictures, seen by the stand-in for a model of any size."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.bridge.confidence import Curve
from predinet_prolog.bridge.definitions import Definition, Grounding, grounding_path
from predinet_prolog.domains.annotations import as_annotated, write_folder
from predinet_prolog.domains.domain import Annotated, Truth
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.neural.glimpses.model import GlimpseModel
from predinet_prolog.neural.glimpses.training import GlimpseTraining
from tests.cases import cases
from tests.service.glimpses import MODEL, patches, ship
from tests.service.helpers import Refused, Run

pytestmark = pytest.mark.slow(5)
THINGS = [(5, 5, 15, 15), (25, 5, 35, 15), (45, 5, 55, 15)]


def world(pictures: int = 8) -> Annotated:
    """Three things in each picture of 60 × 40 pixels and more: the outer two are red and filled; in two shapes."""
    drawn = [np.asarray(patches((60, 40 + number), THINGS)) for number in range(pictures)]
    filled, shape = np.array([1, 0, 1] * pictures), np.arange(3 * pictures) % 2
    boxes = np.array(THINGS * pictures, float)
    truth = Truth(np.repeat(np.arange(pictures), 3), boxes, {"filled": filled, "shape": shape})
    names = tuple(f"{number}.png" for number in range(pictures))
    words = {"filled": ("false", "true"), "shape": ("disc", "star")}
    return Annotated(names, drawn, truth, words, ("three",) * pictures, (None,) * pictures)


def write_world(folder: str) -> str:
    """Writes the folder, with two pictures that a note is due of, and tells that note."""
    write_folder(Path(folder), world())
    for name in ("1.png", "4.png"):
        Image.open(Path(folder) / name).save(Path(folder) / name, icc_profile=b"none")
    return f"predinet-prolog: {folder}/1.png and 1 other: its colour profile could not be applied: colours may be off"


@pytest.fixture
def glimpses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in, grounded: what is filled is as red."""
    ship(monkeypatch)
    filled = Definition("same_filled", "alike", (0,), Curve(0.3, 20.0, 0.001), 0.0, {"world": 1.0}, {})
    grounding_path(MODEL).write_text(Grounding(MODEL.sha256, "world", False, ("filled",), (filled,)).to_json())


@pytest.mark.usefixtures("glimpses")
def test_a_folder_judges_a_model_of_pictures_of_any_size(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    remark = write_world("world")
    status, out, err = run("evaluate", "world", "--model", "scenes", "--json")
    unjudged = "predinet-prolog: world: not judged, as programs of scenes do not tell it: shape"
    assert (status, err.splitlines()) == (0, [remark, unjudged])
    result = json.loads(out)
    assert (result["data"], result["model"], result["n"]) == ("world", "scenes", 8)
    assert (result["exact_scenes"], result["accuracy"], result["labelled"]) == (1.0, None, 0)
    assert result["pairs"] == {"same_filled": 1.0}
    assert result["calibration"]["same_filled"] < 0.002
    arguments = ("--goal", "findall(X, object(X), [_,_,_]), L = three", "--limit", 3)
    monkeypatch.delenv("PREDINET_PROLOG_MODEL")  # the pictures' size decides
    result = json.loads(run("evaluate", "world", *arguments, "--json").out)
    assert (result["model"], result["n"], result["labelled"], result["accuracy"]) == ("scenes", 3, 3, 1.0)
    write_folder(Path("labels"), replace(world(), truth=None))
    result = json.loads(run("evaluate", "labels", *arguments, "--json").out)
    assert (result["model"], result["labelled"], result["accuracy"]) == ("scenes", 3, 1.0)
    assert (result["exact_scenes"], result["pairs"]) == (None, {})
    assert run("evaluate", "world", *arguments).out.splitlines() == [
        "images        3",
        "accuracy      1.0000  (findall(X, object(X), [_,_,_]), L = three, scenes)",
        "exact scenes  1.0000",
        "objects       0 missing, 0 spurious, 0 merged",
        "same_filled   1.0000  (of all pairs, balanced); calibration error 0.0010",
    ]


@pytest.mark.parametrize("factor", [1, 4])
def test_rules_are_judged_by_labels_of_any_name_on_boards_of_any_size(
    run: Run, factor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PREDINET_PROLOG_MODEL")
    drawn = as_annotated(DOMAIN.generate("same", 6, kind="pentos", seed=5))
    large = replace(
        drawn,
        pictures=[np.kron(picture, np.ones((factor, factor, 1), np.uint8)) for picture in drawn.pictures],
        truth=replace(drawn.truth, boxes=drawn.truth.boxes * factor),
        labels=tuple("a pair" if label == "1" else "not" for label in drawn.labels),
        tasks=(),
    )
    assert len(set(large.labels)) == 2
    write_folder(Path("boards"), large)
    rules = ("--rule", "label(L) :- same(_, _) -> L = 'a pair' ; L = not", "--goal", "label(L)")
    status, out, err = run("evaluate", "boards", "-v", *rules)
    assert status == 0
    assert out.splitlines()[:2] == ["images        6", "accuracy      1.0000  (label(L), relations-game)"]
    assert ("exact scenes  1.0000" in out) == (factor == 1)
    assert ("labels alone are judged: boxes are, where all pictures have 36x36 pixels" in err) == (factor > 1)
    assert ("boards/0.png and 5 others: resized from 144x144 to 36x36" in err) == (factor > 1)


@pytest.mark.usefixtures("glimpses")
def test_mistakes(refused: Refused) -> None:
    given = world(2)
    truth = given.truth
    write_folder(Path("world"), replace(given, labels=(), tasks=()))
    write_folder(Path("labels"), replace(given, truth=None))
    write_folder(Path("one"), replace(given, truth=replace(truth, attributes={"shape": 0 * truth.attributes["shape"]})))
    write_folder(Path("damaged"), given)
    (Path("damaged") / "annotations.json").write_text("{")
    Path("empty").mkdir()
    for typed, message in cases(__file__)["mistakes"]:
        refused(message, *typed.split())


@pytest.mark.usefixtures("glimpses")
def test_train_fine_tunes_a_model(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []

    def fine_tune(
        model: GlimpseModel, annotated: Annotated, folder: Path, *, report: Any, config: Any, inside: bool
    ) -> GlimpseModel:
        steps = config.finder_steps, config.comparator_steps
        asked.append((model.name, len(list(annotated.pictures)), folder, *steps, inside))
        report(1000, 2000, "loss 0.5")
        report(2000, 2000)
        folder.mkdir(parents=True)
        (folder / "model.safetensors").touch()
        return replace(MODEL, name="model", path=folder / "model.safetensors", sha256="7" * 64)

    recipe = GlimpseTraining(finder_steps=200, comparator_steps=300)
    training = SimpleNamespace(fine_tune=fine_tune, FINE_TUNING=recipe)
    monkeypatch.setitem(sys.modules, "predinet_prolog.neural.glimpses.training", training)
    remark = write_world("signs")
    status, out, err = run("train", "signs")
    assert (status, out) == (0, f"out/signs/model.safetensors  (sha256 {'7' * 64})\n")
    assert err.splitlines() == [
        "predinet-prolog: signs: things are learned, and no labels: rules of these finds predinet-prolog learn signs",
        "predinet-prolog: training: 1000 of 2000 steps, loss 0.5",
        "predinet-prolog: training: 2000 of 2000 steps",
        remark,
        "predinet-prolog: now let it name what it sees: predinet-prolog ground out/signs/model.safetensors signs",
    ]
    assert asked == [("scenes", 8, Path("out/signs"), 200, 300, False)]
    card = Path("out/signs/model.md").read_text()
    assert "Fine-tuned from `scenes` (sha256 5555" in card
    assert "on `signs`: 8 pictures, 24 things." in card
    assert "| filled | false 8, true 16 | 0 |\n| shape | disc 12, star 12 | 0 |\n" in card
    assert run("train", "./signs", "--model", "scenes", "--steps", "20", "--inside", "-o", "there").status == 0
    assert asked[1] == ("scenes", 8, Path("there"), 20, 30, True)
