"""Every mistake a user can make: one line that says what is wrong, the right exit status, and nothing written."""

import os
import re
import shlex
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.symbolic import Engine
from tests.cases import cases
from tests.service.helpers import Refused, Run

pytestmark = pytest.mark.slow(19)
CASES = cases(__file__)
FOLDERS = ("empty", "folder.npz", "folder.qlf", "twin")
LONG = "x" * 5000


def told(rows: list[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
    """The rows, one for each command that is named in them."""
    return [
        (typed.replace(commands, command, 1).replace("{long}", LONG), *rest)
        for typed, *rest in rows
        for commands in [typed.partition(" ")[0]]
        for command in commands.split("|")
    ]


@pytest.fixture
def place(tmp_path: Path, picture: Path, program: Path) -> Path:
    """A folder with an image, a program, and files that nothing can be done with."""
    for name, data in CASES["files"].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(data)
    for name in FOLDERS:
        (tmp_path / name).mkdir()
    Image.new("RGB", (36, 36)).save(tmp_path / "twin" / "scene.jpg")
    assert (picture.name, program.name) == ("scene.png", "scene.pl")
    return tmp_path


@pytest.mark.parametrize(("typed", "status", "part"), told(CASES["mistakes"]), ids=lambda value: str(value)[:60])
def test_a_mistake_is_one_line(refused: Refused, place: Path, typed: str, status: int, part: str) -> None:
    before = sorted(place.rglob("*"))
    refused(part, *shlex.split(typed), status=status)
    assert sorted(place.rglob("*")) == before


@pytest.mark.parametrize(("typed", "status", "part"), CASES["at_once"])
def test_what_can_be_refused_at_once_waits_neither_for_prolog_nor_for_a_model(
    refused: Refused, place: Path, monkeypatch: pytest.MonkeyPatch, typed: str, status: int, part: str
) -> None:
    monkeypatch.setattr(Engine, "start", lambda engine: pytest.fail("Prolog was started"))
    for module in ("evaluating", "explaining"):
        name = f"predinet_prolog.service.cli.{module}.open_model"
        monkeypatch.setattr(name, lambda *_: pytest.fail("a model was opened"))
    test_a_mistake_is_one_line(refused, place, typed, status, part)


@pytest.mark.parametrize(("goal", "start", "culprit", "said"), CASES["pointed_at"])
@pytest.mark.parametrize("command", ["query", "why"])
def test_what_is_no_goal_is_pointed_at_in_its_line(
    run: Run, program: Path, command: str, goal: str, start: str, culprit: str, said: str
) -> None:
    status, out, err = run(command, program, *re.split(" (?=--)", goal))
    assert (status, out) == (2, "")
    line, caret, message = err.splitlines()
    assert line == start
    assert caret.endswith("^")
    assert caret[:-1].isspace()
    assert not culprit or len(caret) - 1 == len(culprit)
    assert message.startswith("predinet-prolog: ")
    assert said in message


def test_a_compiled_program_of_no_use_is_one_line(refused: Refused, place: Path) -> None:
    Path("text.qlf").write_text("object(a).")
    for name, part in CASES["compiled"].items():
        refused(part, "query", name, "object(X)")


def test_swi_prolog_missing_is_one_line(refused: Refused, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    refused("apt-get install", "query", program, "true", status=3)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_places_are_one_line(refused: Refused, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    (tmp_path / "fixed.pl").touch(mode=0o400)
    for target in ("closed/x.pl", "fixed.pl"):
        refused("Permission denied", "export", picture, "-o", target)
