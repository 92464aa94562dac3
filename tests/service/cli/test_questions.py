"""ask and evaluate --questions, on the command line."""

import json
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.service.questions import WAYS
from tests.cases import cases
from tests.service.helpers import Refused, Run

CASES = cases(__file__)
PROGRAM = "object(ob_0). object(ob_1). shape(ob_0, cube). shape(ob_1, ball). color(ob_0, red). color(ob_1, red).\n"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A folder of two pictures with their scenes and questions, in CLEVR's layout."""
    folder = tmp_path / "world"
    (folder / "images").mkdir(parents=True)
    for number in range(2):
        Image.new("RGB", (480, 320)).save(folder / "images" / f"CLEVR_{number}.png")
    for name in ("scenes", "questions"):
        (folder / f"{name}.json").write_text(json.dumps({name: CASES[name]}))
    return folder


def test_a_question_is_a_goal_and_its_answer(tmp_path: Path, run: Run, refused: Refused) -> None:
    (program := tmp_path / "scene.pl").write_text(PROGRAM)
    refused("the red thing: there are 2, ob_0, ob_1", "ask", program, "What shape is the red thing?")
    refused("pink", "ask", program, "Is the cube pink?", "--json")
    out = run("ask", program, "How many red cubes are there?", "--why").out
    assert out.startswith("aggregate_all(count, (object(X), color(X, red), shape(X, cube)), N).\n1\nN = 1, because\n")
    assert "color(ob_0, red)" in out
    told = json.loads(run("ask", program, "Is the cube red?", "--json").out)
    assert {"answer": "yes", "goal": "object(X), shape(X, cube), color(X, red)"}.items() <= told.items()
    rule = ("--rule", "toy(X) :- shape(X, ball)")
    assert run("ask", program, "Which thing is a toy?", *rule).out == "object(X), toy(X).\nob_1\n"


def test_a_class_that_nothing_in_the_picture_is_of_is_a_word(world: Path, run: Run) -> None:
    (world / "boxes.json").write_text('[{"category_id": 0, "bbox": [10, 10, 50, 90], "score": 0.9}]')
    (world / "names.txt").write_text("person\nhard hat\n")
    told = ("--detections", world / "boxes.json", "--classes", world / "names.txt", "--no-look")
    result = run("ask", world / "images" / "CLEVR_0.png", "Are there any hard hats?", *told)
    assert result.out == "object(X), category(X, 'hard hat').\nno\n", result.err


@pytest.mark.parametrize("by", WAYS)
def test_questions_of_a_folder_are_judged(world: Path, by: str, run: Run) -> None:
    told = ("--detections", world / "scenes.json", "--no-look")
    asked = ("--questions", world / "questions.json", "--by", by, "--json")
    result = json.loads(run("evaluate", world, *asked, *told).out)
    assert (result["n"], result["accuracy"], result["exact_scenes"]) == (4, 0.75, 1.0)
    assert (result["families"], result["wrong"]) == ({"count": 1.0, "exist": 1.0, "query": 0.5}, {"not so": 1})


def test_scenes_are_seen_by_the_model_for_them(world: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREDINET_PROLOG_MODEL", raising=False)
    monkeypatch.setattr("predinet_prolog.service.cli.evaluating.CLEVR_MODEL", "that_for_clevr")
    asked = ("evaluate", world, "--questions", world / "questions.json")
    refused("no model that_for_clevr", *asked)
    refused("no model another", *asked, "--model", "another")


def test_questions_know_what_their_words_need(tmp_path: Path, run: Run) -> None:
    """All classes of the file, scores, and relations that no word names."""
    (pictures := tmp_path / "pictures").mkdir()
    Image.new("RGB", (200, 100)).save(pictures / "a.png")
    (tmp_path / "told.json").write_text(json.dumps(CASES["told"]))
    asked = [{"image_filename": "a.png", "question": text, "answer": told} for text, told in CASES["answers"].items()]
    (tmp_path / "questions.json").write_text(json.dumps({"questions": asked}))
    given = "--detections", tmp_path / "told.json", "--no-look", "--json"
    reply = json.loads(run("evaluate", pictures, "--questions", tmp_path / "questions.json", *given).out)
    assert (reply["accuracy"], reply["wrong"]) == (1.0, {})


@pytest.mark.parametrize(("questions", "fault"), CASES["faults"])
def test_what_cannot_be_judged_is_told(world: Path, refused: Refused, questions: list[object], fault: str) -> None:
    (world / "questions.json").write_text(json.dumps({"questions": questions}))
    told = ("--detections", world / "scenes.json", "--no-look")
    refused(fault, "evaluate", world, "--questions", world / "questions.json", *told)
