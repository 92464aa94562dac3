"""What is no board of the game is said so wherever it is seen: on the command line, in programs, in pictures."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchmarks.others import others
from neural import load_model
from neural.images import read_image
from service.api.scene_views import stored
from service.pictures import scene as pictures
from service.pipeline import View, view

pytestmark = pytest.mark.slow(4)

Run = Callable[..., Any]

ODD = {"one colour": "no object is to be seen", "text": "not a board", "white noise": "not a board"}
ROOT = Path(__file__).parents[2]
BOARDS = [*ROOT.glob("examples/*/image.png"), *ROOT.glob("service/page/examples/*.png")]


def odd(kind: str) -> bytes:
    """A PNG of the kind."""
    buffer = io.BytesIO()
    Image.fromarray(others(kind, 1, seed=7)[0]).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture(params=ODD)
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.mark.parametrize(
    ("command", "more"),
    [("export", []), ("query", ["true"]), ("why", ["true"]), ("show", [])],
)
def test_every_command_warns_once(run: Run, tmp_path: Path, kind: str, command: str, more: list[str]) -> None:
    (tmp_path / "odd.png").write_bytes(odd(kind))
    status, _, err = run(command, "odd.png", *more)
    assert status == 0, "the answer is given all the same"
    (line,) = err.splitlines()
    assert line.startswith("predinet-prolog: warning: odd.png: ")
    assert ODD[kind] in line


def test_each_of_several_images_is_warned_of_by_its_name(run: Run, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "odd.png").write_bytes(odd("text"))
    (tmp_path / "black.png").write_bytes(odd("one colour"))
    err = run("export", "odd.png", picture, "black.png", "-o", "new").err.splitlines()
    assert [line.split(": ")[1:3] for line in err] == [["warning", "odd.png"], ["warning", "black.png"]]


def test_the_program_and_its_json_hold_the_warning(run: Run, picture: Path, tmp_path: Path, kind: str) -> None:
    (tmp_path / "odd.png").write_bytes(odd(kind))
    header = run("export", "odd.png").out.partition("\n\n")[0].splitlines()
    (line,) = [line for line in header if line.startswith("% warning  ")]
    assert ODD[kind] in line
    document = json.loads(run("export", "odd.png", "--format", "json").out)
    assert document["warnings"] == [line.removeprefix("% warning  ")]
    assert "% warning" not in run("export", picture).out.partition("\n\n")[0]
    assert json.loads(run("export", picture, "--format", "json").out)["warnings"] == []


def test_the_examples_are_boards() -> None:
    model = load_model("relations-game")
    assert len(BOARDS) >= 9
    for seen in view(model, [read_image(path) for path in BOARDS]):
        assert seen.warnings == (), seen.image.name


def test_objects_named_in_mere_noise_are_said_to_be_probably_none() -> None:
    noise = np.random.default_rng(0).normal(0, 5, (36, 36, 3)).clip(0, 255).astype(np.uint8)
    with io.BytesIO() as file:
        Image.fromarray(noise).save(file, "PNG")
        (seen,) = view(load_model("relations-game"), [read_image(file.getvalue())])
    assert "\nobject(ob_0)." in seen.text
    assert (
        "% warning  nothing but background or noise is to be seen: the objects named are probably none; " in seen.text
    )


def test_a_kept_scene_keeps_its_warnings(model_file: Path, kind: str) -> None:
    (seen,) = view(load_model(model_file), [read_image(odd(kind))])
    kept = stored(seen)
    assert kept.warnings == seen.warnings != ()
    assert json.loads(kept.details)["warnings"] == list(seen.warnings)


def test_the_picture_says_it_below_the_drawing(model_file: Path) -> None:
    (seen,) = view(load_model(model_file), [read_image(odd("text"))])
    warned, silent = (drawn(one) for one in (seen, replace(seen, warnings=())))
    rows, columns = np.nonzero((warned != silent).any(-1))
    assert rows.min() > 1080 * 0.95, "the drawing stays as it is"
    assert 0 < columns.min() < columns.max() < 1919, "no letter is cut off"
    twice = drawn(replace(seen, warnings=seen.warnings * 2))
    assert (twice != warned).any()


def drawn(seen: View) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(pictures.draw(seen))).convert("RGB"))
