"""ask and evaluate --questions, on the command line."""

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.service.questions import WAYS
from tests.cases import cases
from tests.service.helpers import Refused, Run

CASES = cases(__file__)

pytestmark = pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
PROGRAM = "object(ob_0). object(ob_1). shape(ob_0, cube). shape(ob_1, ball). color(ob_0, red). color(ob_1, red).\n"


def thing(shape: str, color: str, x: int) -> dict[str, object]:
    return {"shape": shape, "color": color, "material": "metal", "size": "small", "bbox": [x, 100, 40, 40]}


def question(number: int, text: str, answer: object, *nodes: tuple[str, list[int], list[str]]) -> dict[str, object]:
    names = ("function", "inputs", "value_inputs")
    program = [dict(zip(names, node, strict=True)) for node in nodes]
    return {"image_filename": f"CLEVR_{number}.png", "question": text, "answer": answer, "program": program}


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A folder of two pictures with their scenes and questions, in CLEVR's layout."""
    folder = tmp_path / "world"
    (folder / "images").mkdir(parents=True)
    for number in range(2):
        Image.new("RGB", (480, 320)).save(folder / "images" / f"CLEVR_{number}.png")
    ground = {"left": [[], [0]], "right": [[1], []], "front": [[], []], "behind": [[], []]}
    scenes = [
        {"image_filename": "CLEVR_0.png", "objects": [thing("cube", "red", 10), thing("sphere", "gray", 200)]},
        {"image_filename": "CLEVR_1.png", "objects": [thing("cube", "cyan", 10), thing("cube", "cyan", 200)]},
    ]
    scenes = [{**scene, "relationships": ground} for scene in scenes]
    (folder / "scenes.json").write_text(json.dumps({"scenes": scenes}))
    every, cubes = ("scene", [], []), ("filter_shape", [0], ["cube"])
    questions = [
        question(0, "What color is the cube?", "red", every, cubes, ("unique", [1], []), ("query_color", [2], [])),
        question(0, "Are there any cyan balls?", False, every, ("filter_color", [0], ["cyan"]), ("exist", [1], [])),
        question(1, "How many cubes are there?", 2, every, cubes, ("count", [1], [])),
        question(1, "What color is the cube?", "cyan", every, cubes, ("unique", [1], []), ("query_color", [2], [])),
    ]
    (folder / "questions.json").write_text(json.dumps({"questions": questions}))
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
    result = json.loads(
        run("evaluate", world, "--questions", world / "questions.json", "--by", by, "--json", *told).out
    )
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
    boxes = [(1, [10, 10, 40, 80], 0.9), (2, [100, 20, 60, 60], 0.6), (1, [60, 10, 30, 80], 0.8)]
    names = "person", "dog", "helmet"
    told = {
        "images": [{"id": 1, "file_name": "a.png", "width": 200, "height": 100}],
        "categories": [{"id": number, "name": name} for number, name in enumerate(names, start=1)],
        "annotations": [
            {"id": number, "image_id": 1, "category_id": key, "bbox": box, "score": score}
            for number, (key, box, score) in enumerate(boxes)
        ],
    }
    (tmp_path / "told.json").write_text(json.dumps(told))
    answers = CASES["answers"]
    asked = [{"image_filename": "a.png", "question": text, "answer": answer} for text, answer in answers.items()]
    (tmp_path / "questions.json").write_text(json.dumps({"questions": asked}))
    given = "--detections", tmp_path / "told.json", "--no-look", "--json"
    reply = json.loads(run("evaluate", pictures, "--questions", tmp_path / "questions.json", *given).out)
    assert (reply["accuracy"], reply["wrong"]) == (1.0, {})


@pytest.mark.parametrize(("questions", "fault"), CASES["faults"])
def test_what_cannot_be_judged_is_told(world: Path, refused: Refused, questions: list[object], fault: str) -> None:
    (world / "questions.json").write_text(json.dumps({"questions": questions}))
    told = ("--detections", world / "scenes.json", "--no-look")
    refused(fault, "evaluate", world, "--questions", world / "questions.json", *told)
