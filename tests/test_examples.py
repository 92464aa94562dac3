"""The examples print what their transcripts say; what the README shows is what runs."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples import run as runner
from examples.commands import Commands
from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.domains import ORIGINAL, load_domain
from predinet_prolog.neural import Model, load_model, shipped_models
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.service.pipeline import look
from tests.cases import cases

CASES = cases(__file__)

pytestmark = pytest.mark.slow(100)

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"^ {4,}(\$|predinet-prolog|python3?|pip|make|docker|curl|swipl|ILASP|cp|for|\.) ", re.MULTILINE)
"""How an indented command begins; more beginnings than the pages have do no harm."""
REASON = re.compile(r"^\*Indented commands are not run by the tests: .+\.\*$", re.MULTILINE)


def test_there_are_examples() -> None:
    folders = {"between", "helmets", "kb", "nine-objects", "other-logics", "paper-figure"}
    assert {folder.name for folder in runner.examples()} == folders


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    with Commands() as commands:
        yield commands


@pytest.mark.parametrize("folder", runner.examples(), ids=lambda folder: folder.name)
def test_a_transcript_is_what_its_commands_print(folder: Path, commands: Commands) -> None:
    actual, expected = runner.play(folder, commands), (folder / "session.txt").read_text(encoding="utf-8")
    assert runner.agree(actual, expected), f"it printed:\n{actual}"


@pytest.mark.parametrize("page", runner.PAGES, ids=lambda page: page.stem)
def test_a_page_with_console_blocks_prints_what_it_says(page: Path, commands: Commands) -> None:
    told = page.read_text(encoding="utf-8")
    assert re.search(r"^\$ predinet-prolog ", told, re.MULTILINE)
    played = runner.play_page(page, commands)
    assert runner.agree(played, told), f"it printed:\n{played}"


@pytest.mark.parametrize("page", sorted(runner.DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_a_page_says_which_of_its_commands_are_not_run(page: Path) -> None:
    """A command is in a block that is run, or indented below the sentence that says why not."""
    text = runner.BLOCK.sub("", page.read_text(encoding="utf-8"))
    command = COMMAND.search(text)
    reasons = [found.start() for found in REASON.finditer(text)]
    assert not re.search(r"^\$ ", text, re.MULTILINE)
    assert bool(reasons) == (command is not None)
    assert command is None or reasons[0] < command.start()


@pytest.mark.parametrize(("one", "other", "same"), CASES["transcripts"])
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
    if model.kind == "detector":
        assert grounding is None
        return
    for each in grounding.definitions:
        for pictures, scores in (("clean", each.scores), ("corrupted", each.corrupted)):
            figures = ", ".join(f"{kind} {score:.4f}" for kind, score in scores.items())
            assert not scores or f"  {pictures} {figures}" in card


def test_the_page_of_the_service_shows_the_program_that_it_gives_now() -> None:
    text = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    image = ROOT / "examples" / "between" / "image.png"
    model = load_model("relations-game")
    head = look(image, model).text.splitlines()[1:5]  # after the line for programs
    assert "".join(f"    {line}\n" for line in head) in text
    digest = hashlib.sha256(image.read_bytes()).hexdigest()
    assert set(re.findall(r"\b[0-9a-f]{64}\b", text)) == {digest, model.sha256}


def test_the_docs_name_every_shipped_model_and_say_what_every_task_asks() -> None:
    game = (ROOT / "docs" / "known-worlds.md").read_text(encoding="utf-8")
    models = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in models for name in shipped_models())
    assert set(re.findall(r"neural/models/([\w-]+)\.md", models)) == {*shipped_models(), "foreground"}
    for name, task in load_domain(ORIGINAL).tasks.items():
        assert f"| `{name}` | {task.summary} |" in game


def test_the_readmes_commands_print_what_it_says(tmp_path: Path, commands: Commands) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    told = "".join(runner.BLOCK.findall(README))
    assert told.count("$ predinet-prolog ") == 4
    assert "$ " not in runner.BLOCK.sub("", README)  # every command with its output is run
    played = "".join(runner.play_in(tmp_path, told, commands))
    assert runner.agree(played, told), f"it printed:\n{played}"


def test_the_readme_is_short_and_its_links_lead_somewhere() -> None:
    assert len(README.splitlines()) <= 110
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert len(links) > 15
    assert [link for link in links if not (ROOT / link).exists()] == []
