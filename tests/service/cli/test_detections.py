"""A detector's output on the command line: what is told of a picture, of a folder and of one that is not named."""

import json
from pathlib import Path

import pytest
from PIL import Image

from tests.service.helpers import Run

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
def test_a_picture_is_named_where_it_is_asked_about_alone(run: Run, command: tuple[str, ...]) -> None:
    status, out, err = run(*command, *TOLD)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "found.json has no image called b.png: it has a.png; name one file so; of a folder, " in err


def test_a_picture_of_a_folder_that_a_detector_does_not_name_is_empty(run: Run) -> None:
    status, out, err = run("query", "folder", "category(X, C)", *TOLD)
    assert (status, out) == (0, "a.png: X = ob_0, C = person\nb.png: false\n")
    assert "folder/b.png: 1 of 1 images not named in the file of detections" in err
