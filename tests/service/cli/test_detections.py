"""A detector's output on the command line: what is told of a picture, of a folder and of one that is not named."""

import json
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.service.pipeline import look
from tests.cases import cases
from tests.service.helpers import Refused, Run

pytestmark = pytest.mark.slow(5)
CASES = cases(__file__)
BOX = {"file_name": "a.png", "bbox": [10, 20, 30, 40], "category_id": 0, "score": 0.9}
TOLD = ("--detections", "found.json", "--classes", "classes.txt", "--no-look")


@pytest.fixture(autouse=True)
def folder() -> None:
    Path("folder").mkdir()
    for name in ("a.png", "b.png"):
        Image.new("RGB", (160, 120), "white").save(f"folder/{name}")
    Path("found.json").write_text(json.dumps([BOX]))
    Path("classes.txt").write_text("person\nhelmet\n")


def test_a_picture_of_a_folder_that_a_detector_does_not_name_is_empty(run: Run) -> None:
    status, out, err = run("query", "folder", "category(X, C)", *TOLD)
    assert (status, out) == (0, "a.png: X = ob_0, C = person\nb.png: false\n")
    assert "folder/b.png: the image not named in the file of detections" in err


def test_boxes_of_another_file_of_that_name_are_refused(run: Run, refused: Refused) -> None:
    Path("found.json").write_text(json.dumps([BOX | {"file_name": "folder/a.png"}]))
    Path("twin").mkdir()
    Image.new("RGB", (160, 120), "black").save("twin/a.png")
    for source in ("twin", "twin/a.png"):
        refused("/folder/a.png, and of nothing in twin/a.png", "query", source, "true", *TOLD)
    with pytest.raises(BoxesError, match="and of nothing in twin"):
        look("twin/a.png", detections="found.json", pixels=False)
    Path("twin/a.png").write_bytes(Path("folder/a.png").read_bytes())
    assert run("query", "twin/a.png", "true", *TOLD).status == 0


def test_detections_are_judged_by_the_truth_of_a_folder(run: Run) -> None:
    """Of two persons one is told, in a picture that is read smaller than it is; of the helmet another place."""
    Image.new("RGB", (4000, 3000), "white").save("folder/b.png")
    Path("folder/annotations.json").write_text(json.dumps(CASES["truth"]))
    Path("folder/labels.csv").write_text("file,label\na.png,some\nb.png,none\n")
    told = [BOX, BOX | {"file_name": "b.png", "bbox": [905, 800, 400, 500]}]
    told.append(BOX | {"file_name": "b.png", "bbox": [3000, 0, 90, 90], "category_id": 1})
    Path("found.json").write_text(json.dumps(told))
    status, out, err = run("evaluate", "folder", *TOLD, "--goal", CASES["goal"])
    assert (status, err) == (0, "predinet-prolog: nothing is called persn here: did you mean person?\n")
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
    refused("how things look, which can be supposed, is told by looking at pictures: leave out", *asked, *TOLD)


@pytest.mark.parametrize(("command", "message"), CASES["mistakes"])
def test_mistakes_are_told_in_a_line(refused: Refused, command: str, message: str) -> None:
    Path("folder/labels.csv").write_text("file,label\na.png,some\nb.png,none\n")
    refused(message, *command.split(), *TOLD)
