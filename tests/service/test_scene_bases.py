"""Knowledge bases of pictures of any size, by the command; with weights drawn at random, at boxes that are given."""

import json
import shutil
from pathlib import Path

import duckdb
import pytest
import torch
from PIL import Image

from predinet_prolog.neural.glimpses.comparator import Comparator
from predinet_prolog.neural.glimpses.config import GlimpseConfig
from predinet_prolog.neural.glimpses.finder import Finder
from predinet_prolog.neural.glimpses.model import save_glimpse_model
from tests.service.helpers import Run

pytestmark = pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")


@pytest.fixture
def told(tmp_path: Path) -> tuple[str, ...]:
    """A folder of two pictures, with the options that say where their things are and who looks."""
    torch.manual_seed(3)
    config = GlimpseConfig((4, 4, 4, 4), {"colour": 2, "shape": 2, "look": 1})
    finder, comparator = Finder(config.widths).eval(), Comparator(config.groups).eval()
    save_glimpse_model(tmp_path / "random.safetensors", config, finder, comparator, {"domain": "scenes"})
    folder = tmp_path / "photos"
    (folder / "inner").mkdir(parents=True)
    results = []
    for name, colour in (("a.png", "red"), ("inner/b.png", "blue")):
        results += [{"file_name": name, "bbox": box} for box in ([10, 20, 20, 20], [60, 20, 50, 50])]
        picture = Image.new("RGB", (120, 80), "white")
        picture.paste(colour, (10, 20, 30, 40))
        picture.save(folder / name)
    boxes = tmp_path / "boxes.json"
    boxes.write_text(json.dumps(results))
    return str(folder), "--boxes", str(boxes), "--model", str(tmp_path / "random.safetensors")


@pytest.mark.parametrize("ending", [".pl", ".qlf"])
def test_a_base_of_scenes_is_asked(told: tuple[str, ...], run: Run, ending: str) -> None:
    assert run("export", *told, "--kb", f"base{ending}") == (0, f"base{ending}: 2 images, 0 skipped\n", "")
    for goal, answer in (
        ("colour('a.png', ob_0, Word)", "Word = red."),
        ("colour('inner/b.png', ob_0, Word)", "Word = blue."),
        ("larger(I, X, Y), I \\== 'a.png'", "I = 'inner/b.png', X = ob_1, Y = ob_0."),
    ):
        asked = run("query", f"base{ending}", goal)
        assert (asked.status, asked.out.strip()) == (0, answer)


def test_a_table_of_scenes_holds_what_their_programs_say(told: tuple[str, ...], run: Run) -> None:
    assert run("export", *told, "--kb", "base.parquet").status == 0
    assert run("export", *told, "-o", "programs").status == 0
    boxes = duckdb.sql("select image, x, \"left\" from 'base.parquet' where predicate = 'box' order by 1, 2").fetchall()
    assert [(image, left) for image, _, left in boxes] == [
        (name, left) for name in ("a.png", "inner/b.png") for left in (10, 60)
    ]
    asked = run("query", "base.parquet", "colour('a.png', X, red), left_of(I, X, Y)")
    assert asked.out.splitlines()[0] == "X = ob_0, I = 'a.png', Y = ob_1 ;"
    again = run("export", *told, "-o", "programs")
    assert again.out == "programs: 0 programs written, 2 kept, 0 images skipped\n"
