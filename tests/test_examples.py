"""The examples print what their transcripts say; what the README shows is what runs."""

import hashlib
import importlib.util
import re
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bridge.definitions import read_grounding
from domains.relations_game import TASKS, task_info
from neural import load_model, shipped_models
from neural.images import read_image
from service.cli import main
from service.pipeline import view

pytestmark = pytest.mark.slow(14)

ROOT = Path(__file__).parent.parent


def _runner() -> ModuleType:
    spec = importlib.util.spec_from_file_location("examples_run", ROOT / "examples" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


runner = _runner()


def test_there_are_examples() -> None:
    assert {folder.name for folder in runner.examples()} == {"between", "kb", "nine-objects", "paper-figure"}


@pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
@pytest.mark.parametrize("folder", runner.examples(), ids=lambda folder: folder.name)
def test_a_transcript_is_what_its_commands_print(folder: Path) -> None:
    actual, expected = runner.play(folder), (folder / "session.txt").read_text(encoding="utf-8")
    assert runner.agree(actual, expected), f"it printed:\n{actual}"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("V = 0.1234.", "V = 0.1239.", True),
        ("V = 0.1234.", "V = 0.1334.", False),
        ("X = ob_1.", "X = ob_2.", False),
        ("V = -0.1234.", "V = 0.1234.", False),
        ("V = 0.5.\nV = 0.6.", "V = 0.5.", False),
    ],
)
def test_transcripts_agree_but_for_last_digits(one: str, other: str, same: bool) -> None:
    assert runner.agree(one, other) is same


@pytest.mark.parametrize("name", ["between", "between-small", "relations-game"])
def test_a_models_card_gives_the_checkpoints_own_figures(name: str) -> None:
    model = load_model(name)
    card = shipped_models()[name].with_suffix(".md").read_text(encoding="utf-8")
    assert model.sha256 in card
    for objects, accuracies in model.accuracies.items():
        for task, accuracy in accuracies.items():
            pattern = rf"\| {task} \|.*"
            row = re.search(pattern, card)
            assert row is not None, (objects, task)
            assert f" {accuracy:.4f} " in row.group(), (objects, task)


@pytest.mark.parametrize("name", ["between", "between-small", "relations-game"])
def test_a_models_card_gives_its_groundings_own_figures(name: str) -> None:
    model = load_model(name)
    card = shipped_models()[name].with_suffix(".md").read_text(encoding="utf-8")
    grounding = read_grounding(model)
    assert grounding is not None
    for each in grounding.definitions:
        for pictures, scores in (("clean", each.scores), ("corrupted", each.corrupted)):
            assert f"  {pictures} " + ", ".join(f"{kind} {score:.4f}" for kind, score in scores.items()) in card


def test_the_page_of_the_service_shows_the_program_that_it_gives_now() -> None:
    text = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    image = ROOT / "examples" / "between" / "image.png"
    model = load_model("relations-game")
    (seen,) = view(model, [read_image(image)])
    head = seen.text.splitlines()[1:5]  # after the line for programs
    assert "".join(f"    {line}\n" for line in head) in text
    digest = hashlib.sha256(image.read_bytes()).hexdigest()
    assert set(re.findall(r"\b[0-9a-f]{64}\b", text)) == {digest, model.sha256}


def test_the_readme_names_every_shipped_model_and_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in shipped_models():
        assert f"`{name}`" in text
    assert "@@" not in text


def _section(heading: str) -> str:
    """The README's text from that heading to the next."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
def test_the_readmes_smallest_run_prints_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    blocks = re.findall(r"^    (.*\n)", _section("The smallest real run"), re.MULTILINE)
    expected = "".join(line for line in blocks if not line.startswith("$ . "))  # the environment is there already
    parts = [expected.split("$ "), "".join(runner.play_in(tmp_path, expected)).split("$ ")]
    for told, printed in zip(*parts, strict=True):
        # What the last command prints is in the picture that it draws.
        assert runner.agree(printed, told) or told.count("\n") == 1, f"it printed:\n{printed}"
    assert sum(told.count("\n") > 1 for told in parts[0]) == 5


@pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
def test_the_readmes_commands_about_many_images_run_as_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^    predinet-prolog (.*?)(?: +#.*)?$", _section("Many images"), re.MULTILINE)
    assert [shlex.split(command)[0] for command in commands] == ["export", "export", "query"]
    for command in commands:
        assert main(shlex.split(command)) == 0, command
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines()[:2] == [
        "out/programs: 7 programs written, 0 kept, 0 images skipped",
        "out/boards.qlf: 7 images, 0 skipped",
    ]
    assert "Image = '1.png', X = ob_1, Y = ob_3" in out


def test_the_readmes_python_runs_as_typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"^```python\n(.*?)^```\n", _section("From Python"), re.MULTILINE | re.DOTALL)
    assert len(code.splitlines()) <= 10
    exec(compile(code, "README.md", "exec"), {})
    said = re.findall(r"# (.*)$", code, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == said


def test_the_page_of_the_game_says_what_every_task_asks() -> None:
    text = (ROOT / "docs" / "relations-game.md").read_text(encoding="utf-8")
    for task in TASKS:
        assert f"| `{task}` | {task_info(task).summary} |" in text
