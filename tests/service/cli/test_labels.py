"""train on a folder of which labels alone are told: figures side by side, networks on the disk, and what is refused."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from safetensors import safe_open

from tests.service.helpers import Refused, Run

pytestmark = pytest.mark.slow(10)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twelve pictures of two kinds."""
    folder = tmp_path / "lab"
    folder.mkdir()
    lines = ["file,label"]
    for number in range(12):
        Image.new("RGB", (36, 36), (200, 10 * number, 0) if number % 2 else (0, 10 * number, 200)).save(
            folder / f"{number}.png"
        )
        lines.append(f"{number}.png,{'red' if number % 2 else 'blue'}")
    (folder / "labels.csv").write_text("\n".join(lines))
    return folder


def test_networks_and_rules_are_judged_by_the_same_pictures(run: Run, folder: Path) -> None:
    options = ("--architecture", "mlp1", "--steps", 3, "--batch", 2, "--seed", 4)
    status, out, _ = run("train", folder, "-o", "out", *options)
    assert status == 0
    lines = out.splitlines()
    assert lines[0].split() == ["trained", "on", "10", "held", "back", "2"]
    assert re.fullmatch(r"mlp1 +[01]\.\d{4} +[01]\.\d{4}", lines[1])
    assert re.fullmatch(r"rules \(learn\) +[01]\.\d{4} +[01]\.\d{4}", lines[2])
    assert "case(" in out
    with safe_open("out/mlp1.safetensors", "pt") as file:
        about = file.metadata()
    assert json.loads(about["labels"]) == ["blue", "red"]
    assert json.loads(about["config"])["architecture"] == "mlp1"


def test_what_does_not_belong_together_is_refused(refused: Refused, folder: Path) -> None:
    refused("--batch is for a folder with labels.csv alone", "train", "between", "--batch", 3)
    refused("--inside is not for labels alone", "train", folder, "--inside")
    (folder / "labels.csv").write_text("file,label\n0.png,a\n1.png,b\n")
    refused("no label has 5 pictures", "train", folder)
