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
    said = f"{pictures}: 3 programs written, 0 kept, 0 images skipped\n"
    noted = f"predinet-prolog: {pictures / 'b.png'}: resized from 72x72 to 36x36\n"
    assert run("export", pictures, "-v") == (0, said, noted)
    assert programs(pictures) == ["a.pl", "a.png", "b.pl", "b.png", "sub/c.pl", "sub/c.png"]
    assert (pictures / "b.pl").read_text() == run("export", pictures / "b.png").out
    (pictures / "bad.png").write_text("no")
    (pictures / "sub" / "empty.gif").touch()
    status, out, err = run("export", pictures)
    assert (status, out) == (3, f"{pictures}: 0 programs written, 3 kept, 2 images skipped\n")
    assert re.search(r"skipped: .*bad\.png is not an image.*\n.*skipped: .*empty\.gif is empty", err)
    assert run("export", pictures, "--kb", "kb.pl").status == 3


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


def test_in_brief_for_another_logic_and_as_a_module(run: Run, refused: Refused, pictures: Path) -> None:
    assert run("export", pictures, "-o", "asp", "--format", "asp", *GROUNDED).out.startswith("asp: 3 answer set prog")
    assert programs("asp") == ["a.lp", "b.lp", "sub/c.lp"]
    assert run("export", pictures, "-o", "out", "--brief", *GROUNDED).out.startswith("out: 3 programs written, 0 kept")
    assert run("export", pictures, "-o", "out", "--brief", *GROUNDED).out.startswith("out: 0 programs written, 3 kept")
    assert run("export", pictures, "-o", "out", *GROUNDED).out.startswith("out: 3 programs written, 0 kept")
    for options, said in (("user", "is for"), ("A", "is for"), ("a --format asp", "is for"), ("lists", "lists: a lib")):
        refused(f"--module {said}", "export", pictures / "a.png", "--module", *options.split())
    assert run("export", pictures, "--module", "a").status == 2


def test_ctrl_c_leaves_whole_programs_and_says_so(tmp_path: Path, root: Path) -> None:
    """That the same command goes on: tests/service/store/test_folder.py."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number, pixels in enumerate(generate("scatter", 400, seed=2).render()):
        Image.fromarray(pixels).save(folder / f"{number}.png", compress_level=0)
    with started(root, "export", "many", "-o", "out") as process:
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
