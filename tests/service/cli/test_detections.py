"""A detector's output on the command line: what is told of a picture, of a folder and of one that is not named."""

import json
from pathlib import Path

import pytest
from PIL import Image

from tests.service.helpers import Refused, Run

pytestmark = pytest.mark.slow(5)
BOX = {"file_name": "a.png", "bbox": [10, 20, 30, 40], "category_id": 0, "score": 0.9}
TOLD = ("--detections", "found.json", "--classes", "classes.txt", "--no-look")


@pytest.fixture(autouse=True)
def folder() -> None:
    Path("folder").mkdir()
    for name in ("a.png", "b.png"):
        Image.new("RGB", (160, 120), "white").save(f"folder/{name}")
    Path("found.json").write_text(json.dumps([BOX]))
    Path("classes.txt").write_text("person\nhelmet\n")


@pytest.mark.parametrize(
    "command",
    [("query", "folder/b.png", "object(X)"), ("why", "folder/b.png", "object(X)"), ("export", "folder/b.png")],
    ids=lambda command: command[0],
)
def test_a_picture_is_named_where_it_is_asked_about_alone(refused: Refused, command: tuple[str, ...]) -> None:
    refused("found.json has no image called b.png: it has a.png; name one file so; of a folder, ", *command, *TOLD)


def test_a_picture_of_a_folder_that_a_detector_does_not_name_is_empty(run: Run) -> None:
    status, out, err = run("query", "folder", "category(X, C)", *TOLD)
    assert (status, out) == (0, "a.png: X = ob_0, C = person\nb.png: false\n")
    assert "folder/b.png: 1 of 1 images not named in the file of detections" in err


def test_detections_are_judged_by_the_truth_of_a_folder(run: Run) -> None:
    """Of two persons one is told, in a picture that is read smaller than it is; of the helmet another place."""
    Image.new("RGB", (4000, 3000), "white").save("folder/b.png")
    true = [
        (1, [10, 20, 30, 40], 1),
        (2, [900, 800, 400, 500], 1),
        (2, [2000, 800, 400, 500], 1),
        (2, [0, 0, 90, 90], 2),
    ]
    document = {
        "images": [{"id": 1, "file_name": "a.png"}, {"id": 2, "file_name": "b.png"}],
        "annotations": [{"image_id": image, "bbox": box, "category_id": key} for image, box, key in true],
        "categories": [{"id": 1, "name": "person"}, {"id": 2, "name": "helmet"}],
    }
    Path("folder/annotations.json").write_text(json.dumps(document))
    Path("folder/labels.csv").write_text("file,label\na.png,some\nb.png,none\n")
    told = [BOX, BOX | {"file_name": "b.png", "bbox": [905, 800, 400, 500]}]
    told.append(BOX | {"file_name": "b.png", "bbox": [3000, 0, 90, 90], "category_id": 1})
    Path("found.json").write_text(json.dumps(told))
    status, out, err = run("evaluate", "folder", *TOLD, "--goal", "category(X, helmet) -> L = none ; L = some")
    assert (status, err) == (0, "")
    assert "accuracy      1.0000  (" in out
    assert "helmet        precision 0.0000 (of 1 told), recall 0.0000 (of 1)\n" in out
    assert "person        precision 1.0000 (of 2 told), recall 0.6667 (of 3)\n" in out
    counts = json.loads(run("evaluate", "folder", *TOLD, "--json").out)["told"]
    err = run("evaluate", "folder", *TOLD, "--min-score", "0.95").err
    assert "folder/b.png: 2 of 2 things with a score below 0.95 left out" in err
    assert counts["person"] == {"true": 3, "told": 2, "right": 2, "precision": 1.0, "recall": 2 / 3}


def test_what_can_be_supposed_is_looked_at(run: Run, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREDINET_PROLOG_MODEL", "scenes")
    asked = ("suppose", "folder/a.png", "same_colour(ob_0, ob_1)", "category(X, person)")
    Path("found.json").write_text(json.dumps([BOX, BOX | {"bbox": [60, 20, 30, 40]}]))
    assert "Nothing changes: so it was seen." in run(*asked, *TOLD[:-1]).out
    refused("what can be supposed is told by looking at pictures: leave out --no-look", *asked, *TOLD)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("query", "folder", "true", "--probability"), "--probability is for an image, whose scores are known"),
        (("evaluate", "same"), "are for a folder of pictures, and same is none"),
        (("evaluate", "folder", "--model", "scenes"), "--no-look opens no model: leave out --model and --looks"),
        (("query", "folder", "true", "--model", "scenes"), "--no-look opens no model: leave out --model and --looks"),
        (("export", "folder", "--film", "--model", "scenes"), "--no-look opens no model: leave out --model"),
        (("show", "folder/a.png", "--model", "scenes"), "--no-look opens no model: leave out --model"),
    ],
)
def test_mistakes_are_told_in_a_line(refused: Refused, command: tuple[str, ...], message: str) -> None:
    Path("folder/labels.csv").write_text("file,label\na.png,some\nb.png,none\n")
    refused(message, *command, *TOLD)
