"""export of folders: what the user is told, the exit status, and what a Ctrl-C leaves."""

import os
import re
import signal
import time
from importlib import metadata
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.service.formats import Format
from tests.service.helpers import Refused, Run, one_line, started

pytestmark = pytest.mark.slow(5)

GROUNDED = ("--model", "relations-game")


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Three boards, one of them large, in two folders."""
    folder = tmp_path / "pictures"
    (folder / "sub").mkdir(parents=True)
    for name, pixels in zip(("a", "b", "sub/c"), generate("scatter", 3, seed=2).render(), strict=True):
        Image.fromarray(pixels).resize((72, 72) if name == "b" else (36, 36), 0).save(folder / f"{name}.png")
    return folder


def programs(folder: str | Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file())


def test_a_folder_becomes_programs(run: Run, pictures: Path) -> None:
    """Beside its images, if no other folder is named. What is no image is skipped, told and counted."""
    assert run("export", pictures, "-v") == (
        0,
        f"{pictures}: 3 programs written, 0 kept, 0 images skipped\n",
        f"predinet-prolog: {pictures / 'b.png'}: resized from 72x72 to 36x36\n",
    )
    assert programs(pictures) == ["a.pl", "a.png", "b.pl", "b.png", "sub/c.pl", "sub/c.png"]
    assert (pictures / "b.pl").read_text() == run("export", pictures / "b.png").out
    (pictures / "bad.png").write_text("no")
    (pictures / "sub" / "empty.gif").touch()
    status, out, err = run("export", pictures)
    assert (status, out) == (3, f"{pictures}: 0 programs written, 3 kept, 2 images skipped\n")
    assert re.search(r"skipped: .*bad\.png is not an image.*\n.*skipped: .*empty\.gif is empty", err)
    assert run("export", pictures, "--kb", "kb.pl").status == 3


@pytest.mark.parametrize(
    ("format", "ending", "what"),
    [("problog", "problog", "ProbLog program"), ("asp", "lp", "answer set program"), ("json", "json", "JSON file")],
)
def test_a_folder_becomes_programs_of_other_logics(
    run: Run, pictures: Path, format: str, ending: str, what: str
) -> None:
    command = ("export", pictures, "-o", "out", *GROUNDED, "--format", format)
    assert run(*command).out == f"out: 3 {what}s written, 0 kept, 0 images skipped\n"
    assert programs("out") == [f"a.{ending}", f"b.{ending}", f"sub/c.{ending}"]
    text = Path(f"out/b.{ending}").read_text()
    assert text == run("export", pictures / "b.png", *GROUNDED, "--format", format).out
    Path(f"out/a.{ending}").write_text(text)
    assert run(*command).out == f"out: 1 {what} written, 2 kept, 0 images skipped\n"


class Point:
    """An entry point of a package that writes counts."""

    name, value = "counts", "strangers:COUNTS"

    def load(self) -> Format:
        return Format(".txt", "count", lambda program: f"{len(program.facts['object'][0])} objects\n")


def test_a_package_brings_a_format(run: Run, pictures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no format counts: there are prolog, brief" in one_line(run("export", pictures, "--format", "counts").err)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [Point()] * (group == "predinet_prolog.writers"))
    assert re.fullmatch(r"\d objects\n", run("export", pictures / "a.png", "--format", "counts").out)
    monkeypatch.setattr("predinet_prolog.neural.engines._processors", lambda: 1)
    assert run("export", pictures, "-o", "out", "--format", "counts").out.startswith("out: 3 counts written, 0 kept")
    assert programs("out") == ["a.txt", "b.txt", "sub/c.txt"]


def test_in_brief_and_as_a_module(run: Run, refused: Refused, pictures: Path) -> None:
    assert run("export", pictures, "-o", "out", "--brief", *GROUNDED).out.startswith("out: 3 programs written, 0 kept")
    assert run("export", pictures, "-o", "out", "--brief", *GROUNDED).out.startswith("out: 0 programs written, 3 kept")
    assert run("export", pictures, "-o", "out", *GROUNDED).out.startswith("out: 3 programs written, 0 kept")
    text = run("export", pictures / "a.png", "--brief", "--module", "a", *GROUNDED).out
    assert text.splitlines()[1] == ":- module(a, [])."
    for options in (("user",), ("A",), ("a", "--format", "asp")):
        said = "--module is for the Prolog program of one image"
        refused(said, "export", pictures / "a.png", "--module", *options)
    assert run("export", pictures, "--module", "a").status == 2


def test_ctrl_c_leaves_whole_programs_and_the_same_command_goes_on(
    run: Run, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number, pixels in enumerate(generate("scatter", 400, seed=2).render()):
        Image.fromarray(pixels).save(folder / f"{number}.png", compress_level=0)
    arguments = ["export", "many", "-o", "out"]
    with started(root, *arguments) as process:
        while not any((tmp_path / "out").glob("*.pl")) and process.poll() is None:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it, too
        err = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert re.fullmatch(r"stopped after \d+ of 400 images; the same command goes on", one_line(err))
    written = programs(tmp_path / "out")
    assert 0 < len(written) < 400
    assert all(re.fullmatch(r"\d+\.pl", name) for name in written)
    ends = {(tmp_path / "out" / name).read_text()[-30:] for name in written}
    assert len(ends) == 1
    monkeypatch.setattr("predinet_prolog.neural.engines._processors", lambda: 1)
    assert run(*arguments).out == (
        f"out: {400 - len(written)} programs written, {len(written)} kept, 0 images skipped\n"
    )
