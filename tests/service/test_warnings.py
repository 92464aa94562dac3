"""What is no board of the game is said so wherever it is seen: on the command line, in programs, in pictures."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.others import others
from predinet_prolog.service.pipeline import look
from tests.service.helpers import Run, encode, one_line

pytestmark = pytest.mark.slow(4)

ODD = {"one colour": "no object is to be seen", "text": "not a board", "white noise": "not a board"}


def odd(kind: str) -> bytes:
    """A PNG of the kind."""
    return encode(others(kind, 1, seed=7)[0])


@pytest.mark.parametrize("kind", ODD)
def test_every_command_warns_once(run: Run, tmp_path: Path, kind: str) -> None:
    (tmp_path / "odd.png").write_bytes(odd(kind))
    said = set()
    for command, *more in (["export"], ["query", "true"], ["why", "true"], ["show"]):
        status, out, err = run(command, "odd.png", *more)
        assert status == 0, "the answer is given all the same"
        said.add(one_line(err))
        assert command != "export" or f"\n% warning  {one_line(err).removeprefix('warning: odd.png: ')}\n" in out
    (warning,) = said
    assert warning.startswith("warning: odd.png: ")
    assert ODD[kind] in warning


def test_each_image_is_warned_of_by_its_name_and_a_board_not_at_all(run: Run, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "odd.png").write_bytes(odd("text"))
    (tmp_path / "black.png").write_bytes(odd("one colour"))
    err = run("export", "odd.png", picture, "black.png", "-o", "new", "--format", "json").err.splitlines()
    assert [line.split(": ")[1:3] for line in err] == [["warning", "odd.png"], ["warning", "black.png"]]
    told = {name: json.loads(Path(f"new/{name}.json").read_text())["warnings"] for name in ("odd", "black", "scene")}
    assert told.pop("scene") == []
    assert [f"predinet-prolog: warning: {name}.png: {warning}" for name, (warning,) in told.items()] == err


def test_objects_named_in_mere_noise_are_said_to_be_probably_none() -> None:
    noise = np.random.default_rng(0).normal(0, 5, (36, 36, 3)).clip(0, 255).astype(np.uint8)
    text = look(encode(noise), "relations-game").text
    assert "\nobject(ob_0)." in text
    assert "% warning  nothing but background or noise is to be seen: the objects named are probably none; " in text
