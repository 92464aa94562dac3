"""learn, by the command line."""

import csv
import shutil
from pathlib import Path

import pytest

from tests.service.helpers import Run, one_line

pytestmark = [
    pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH"),
    pytest.mark.slow(30),
]
MODEL = ("--model", "relations-game")


@pytest.fixture
def boards(run: Run) -> Path:
    """Boards that ask whether two things are the same, labelled 0 and 1."""
    assert run("generate", "same", "-n", 12, "--seed", 21, "-o", "boards").status == 0
    return Path("boards")


def relabel(folder: Path, *rows: tuple[str, ...], columns: tuple[str, ...] = ("file", "label")) -> None:
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])


def refused(run: Run, *arguments: object) -> str:
    """The one line that says why nothing is learned."""
    ended = run("learn", *arguments)
    assert (ended.status, ended.out) == (2, "")
    return one_line(ended.err)


def test_mistakes_of_labels_are_told(run: Run, boards: Path) -> None:
    relabel(boards, ("00.png", "yes"), ("01.png", "yes"))
    assert refused(run, boards, *MODEL) == (
        "boards/labels.csv: every picture is called yes: label some that are called otherwise"
    )
    relabel(boards, ("00.png", ""), ("01.png", ""))
    assert refused(run, boards, *MODEL) == "boards/labels.csv labels no picture: give each its label, file,label"
    relabel(boards, ("00.png", "yes"), ("missing.png", "no"))
    assert refused(run, boards, *MODEL) == "boards/labels.csv: line 3: missing.png: no such file in the folder"
    (boards / "labels.csv").unlink()
    assert "no such file: boards/labels.csv: write it" in refused(run, boards, *MODEL)


def test_mistakes_of_options_are_told(run: Run, boards: Path) -> None:
    assert refused(run, boards, "--only", "sane,unlike", *MODEL) == (
        "--only sane: the pictures do not tell it: did you mean same?"
    )
    assert "--exclusive is for labels of several tasks" in refused(run, boards, "--exclusive", *MODEL)
    assert "--write learns nothing" in refused(run, boards, "--write", "popper", "p", "-o", "x.pl")
    assert "is neither a folder of pictures nor a knowledge base" in refused(run, "boards/00.png", "--labels", "l.csv")
    Path("scene.pl").write_text("object(ob_0).\n", encoding="utf-8")
    shutil.copy(boards / "labels.csv", "labels.csv")
    assert "scene.pl is no knowledge base of pictures" in refused(run, "scene.pl")
    assert "--rules and --model are for a folder" in refused(run, "scene.pl", *MODEL)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("00.png,ob_0,yes\n", "line 1: it must be image,object[,object],true|false"),
        ("image,object,odd\n00.png,ob_0,true\n00.png,ob_0,ob_1,true\n", "line 3: it must be image"),
        ("99.png,ob_0,true\n", "line 1: there is no picture 99.png"),
        ("../boards/00.png/x,ob_0,true\n", "line 1: there is no picture"),
        ("00.png,ob_0,false\n", "has no example that is true"),
        ("00.png,ob_9,true\n", "00.png has no object ob_9: there are ob_0"),
        ("00.png,ob_0,ob_0,true\n", "ob_0 stands twice in a line"),
        ("", "has no example that is true"),
    ],
)
def test_mistakes_of_examples_are_told(run: Run, boards: Path, lines: str, told: str) -> None:
    Path("odd.csv").write_text(lines, encoding="utf-8")
    assert told in refused(run, boards, "--about", "odd.csv", *MODEL)


def test_what_examples_are_of_is_called_as_their_file(run: Run, boards: Path) -> None:
    for name, told in (("My word.csv", "rename it"), ("same.csv", "the pictures say same already")):
        Path(name).write_text("00.png,ob_0,ob_1,true\n", encoding="utf-8")
        assert told in refused(run, boards, "--about", name, *MODEL)


def test_files_of_other_learners_are_the_same_from_pictures_and_from_their_base(run: Run, boards: Path) -> None:
    assert run("export", boards, "--kb", "boards.pl", *MODEL).status == 0
    given = ("--labels", boards / "labels.csv")
    for system in ("popper", "ilasp"):
        assert run("learn", boards, "--write", system, "of-pictures", *MODEL).status == 0
        ended = run("learn", "boards.pl", *given, "--write", system, "of-base")
        assert (ended.status, ended.err) == (0, "")
        names = ended.out.split()
        assert names
        for name in names:
            other = Path(name.replace("of-base", "of-pictures", 1))
            assert Path(name).read_bytes() == other.read_bytes(), name


def test_what_rules_say_of_objects_may_stand_in_what_is_learned(run: Run, boards: Path) -> None:
    Path("mine.pl").write_text("alone(X) :- \\+ same(X, _).\nkind(X, twin) :- same(X, _).\n", encoding="utf-8")
    rules = ("--rules", "mine.pl", "--rules", "relations_game", *MODEL)  # of those, some ask for task/1
    assert run("learn", boards, "--write", "popper", "out", *rules).status == 0
    bias = Path("out/label_0/bias.pl").read_text(encoding="utf-8")
    for predicate in ("alone,2", "kind_twin,2", "topmost,2", "twins,3"):
        assert f"body_pred({predicate})." in bias
    assert "same_label" not in bias  # says something of the picture
