"""The examples print what their transcripts say; what the README shows is what runs."""

import hashlib
import re
import shlex
import shutil
from pathlib import Path

import pytest

from bridge.definitions import read_grounding
from domains import ORIGINAL, load_domain
from examples import run as runner
from neural import Model, load_model, shipped_models
from neural.glimpses.model import load_any
from service.cli import main
from service.pipeline import look

pytestmark = pytest.mark.slow(14)

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
needs_swipl = pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")


def test_there_are_examples() -> None:
    folders = {"between", "kb", "nine-objects", "other-logics", "paper-figure"}
    assert {folder.name for folder in runner.examples()} == folders


@needs_swipl
@pytest.mark.parametrize("folder", runner.examples(), ids=lambda folder: folder.name)
def test_a_transcript_is_what_its_commands_print(folder: Path) -> None:
    actual, expected = runner.play(folder), (folder / "session.txt").read_text(encoding="utf-8")
    assert runner.agree(actual, expected), f"it printed:\n{actual}"


@needs_swipl
@pytest.mark.parametrize(("page", "command"), list(zip(runner.PAGES, ("learn", "suppose"), strict=True)))
def test_a_page_prints_what_it_says(page: Path, command: str) -> None:
    told = page.read_text(encoding="utf-8")
    commands = re.findall(r"^\$ (\S+ \S+)", told, re.MULTILINE)
    assert commands.count(f"predinet-prolog {command}") >= 4
    assert "$ " not in runner.BLOCK.sub("", told)  # every command is in a block that is run
    played = runner.play_page(page)
    assert runner.agree(played, told), f"it printed:\n{played}"


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


@pytest.mark.parametrize("name", shipped_models())
def test_a_models_card_gives_the_figures_of_its_checkpoint_and_its_grounding(name: str) -> None:
    model = load_any(name)
    card = shipped_models()[name].with_suffix(".md").read_text(encoding="utf-8")
    assert model.sha256 in card
    for objects, accuracies in model.accuracies.items() if isinstance(model, Model) else ():
        for task, accuracy in accuracies.items():
            assert re.search(rf"\| {task} \|.* {accuracy:.4f} ", card), (objects, task)
    grounding = read_grounding(model)
    assert grounding is not None
    for each in grounding.definitions:
        for pictures, scores in (("clean", each.scores), ("corrupted", each.corrupted)):
            assert (
                not scores
                or f"  {pictures} " + ", ".join(f"{kind} {score:.4f}" for kind, score in scores.items()) in card
            )


def test_the_page_of_the_service_shows_the_program_that_it_gives_now() -> None:
    text = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    image = ROOT / "examples" / "between" / "image.png"
    model = load_model("relations-game")
    head = look(image, model).text.splitlines()[1:5]  # after the line for programs
    assert "".join(f"    {line}\n" for line in head) in text
    digest = hashlib.sha256(image.read_bytes()).hexdigest()
    assert set(re.findall(r"\b[0-9a-f]{64}\b", text)) == {digest, model.sha256}


def test_the_docs_name_every_shipped_model_and_say_what_every_task_asks() -> None:
    game = (ROOT / "docs" / "relations-game.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in README for name in shipped_models())
    for name, task in load_domain(ORIGINAL).tasks.items():
        assert f"| `{name}` | {task.summary} |" in game


def _section(heading: str) -> str:
    """The README's text from that heading to the next."""
    return README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


@needs_swipl
def test_the_readmes_smallest_run_prints_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    blocks = re.findall(r"^    (.*\n)", _section("The smallest real run"), re.MULTILINE)
    expected = "".join(line for line in blocks if not line.startswith("$ . "))  # the environment is there already
    parts = [expected.split("$ "), "".join(runner.play_in(tmp_path, expected)).split("$ ")]
    for told, printed in zip(*parts, strict=True):
        # What the last command prints is in the picture that it draws.
        assert runner.agree(printed, told) or told.count("\n") == 1, f"it printed:\n{printed}"
    assert sum(told.count("\n") > 1 for told in parts[0]) == 5


@needs_swipl
def test_the_readmes_question_about_ones_own_picture_is_answered_as_it_says(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    told = "".join(re.findall(r"^    (.*\n)", _section("Your own pictures"), re.MULTILINE))
    assert told.count("\n") == 4
    assert "".join(runner.play_in(tmp_path, told)) == told


@needs_swipl
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
