"""CLEVR's scenes as what is told of pictures: attributes in CLEVR's words, and places on the ground."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from predinet_prolog.bridge.perceiving.given import ALL, given_by, scene_of
from predinet_prolog.bridge.program import ImageInfo, make_program
from predinet_prolog.bridge.writers.prolog import write_prolog
from predinet_prolog.domains.detections import open_detections
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.neural.model import NO_MODEL
from tests.asking import answers, asked


def thing(shape: str, color: str, **more: Any) -> dict[str, Any]:
    return {"shape": shape, "color": color, "material": "metal", "size": "small", **more}


LOW = thing("cube", "gray", bbox=[100, 200, 40, 30])
HIGH = thing("sphere", "red", **{"pixel_coords": [240, 100, 10.5], "3d_coords": [0.5, -1.0, 0.7]}, size="large")
SIDES = {"left": [[], [0]], "right": [[1], []], "front": [[], [0]], "behind": [[1], []]}
SCENE = {"image_filename": "CLEVR_val_000007.png", "objects": [LOW, HIGH], "relationships": SIDES}


def written(folder: Path, content: object) -> Path:
    path = folder / "scenes.json"
    path.write_text(json.dumps(content))
    return path


def test_a_scene_is_a_program_in_its_own_words(tmp_path: Path) -> None:
    source = open_detections(written(tmp_path, {"info": {}, "scenes": [SCENE]}))
    given = given_by(source, "CLEVR_val_000007.png", (480, 320), ALL, looked=False)
    text = write_prolog(make_program(scene_of(given), model=NO_MODEL, image=ImageInfo("a.png", "", 480, 320)))
    for goal, rows in asked("a scene of CLEVR").items():
        assert answers(text, goal) == rows


def test_without_a_box_it_is_where_a_ball_of_its_height_shows(tmp_path: Path) -> None:
    detected = open_detections(written(tmp_path, {"scenes": [SCENE]})).of("CLEVR_val_000007.png", (480, 320))
    assert np.allclose(detected.things[1].box, [240 - 35, 100 - 35, 240 + 35, 100 + 35])


def test_numbers_for_sizes_leave_size_to_boxes(tmp_path: Path) -> None:
    told = [{"bbox": [1, 1, 9, 5], "attributes": {"size": 3}}]
    given = given_by(open_detections(written(tmp_path, told)), "a.png", (480, 320), ALL, looked=False)
    text = write_prolog(make_program(scene_of(given), model=NO_MODEL, image=ImageInfo("a.png", "", 480, 320)))
    assert answers(text, "size(X, S)") == [["ob_0", 9.0]]


@pytest.mark.parametrize(
    ("scene", "fault"),
    [
        ({"objects": []}, r"scenes\[0\]: image_filename must be text"),
        ({**SCENE, "objects": {}}, r"scenes\[0\]: the list objects, and the object relationships"),
        ({**SCENE, "relationships": {"left": [[0]]}}, r"scenes\[0\]: relationships.left must be a list of numbers"),
        ({**SCENE, "relationships": {"left": [[2], []]}}, r"relationships.left must be a list of numbers of objects"),
        ({**SCENE, "objects": [{"shape": "cube"}] * 2}, "object 0: color must be text"),
        ({**SCENE, "objects": [thing("cube", "red")] * 2}, "object 0: it has no bbox, and pixel_coords is not three"),
    ],
)
def test_what_is_wrong_with_a_scene_is_told(scene: dict[str, Any], fault: str, tmp_path: Path) -> None:
    path = written(tmp_path, {"scenes": [scene]})
    with pytest.raises(DomainError, match=fault):
        open_detections(path).of("CLEVR_val_000007.png", (480, 320))
