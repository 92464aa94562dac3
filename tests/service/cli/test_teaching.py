"""learn, by the command line: what it is given, what it prints and what it writes. docs/teach-a-rule.md is run too."""

import csv
import json
import re
from pathlib import Path

import pytest

from predinet_prolog.neural import load_model
from predinet_prolog.service.theories import sent_rules
from predinet_prolog.symbolic import Rules
from tests.cases import cases
from tests.service.helpers import Refused, Run, one_line

CASES = cases(__file__)

pytestmark = pytest.mark.slow(30)
MODEL = ("--model", "relations-game")


@pytest.fixture
def boards(run: Run) -> Path:
    """Boards that ask whether two things are the same, labelled 0 and 1."""
    assert run("generate", "same", "-n", 12, "--seed", 21, "-o", "boards").status == 0
    return Path("boards")


def rows_of(folder: Path) -> list[tuple[str, str]]:
    """Each picture and its label."""
    with (folder / "labels.csv").open(newline="", encoding="utf-8") as file:
        return [(row["file"], row["label"]) for row in csv.DictReader(file)]


def relabel(folder: Path, *rows: tuple[str, ...], columns: tuple[str, ...] = ("file", "label")) -> None:
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])


def test_mistakes_are_one_line(refused: Refused, boards: Path) -> None:
    labels = (boards / "labels.csv").read_bytes()
    for name, text, arguments, said in CASES["mistakes"]:
        (boards / "labels.csv").write_bytes(labels)
        if text is False:
            Path(name).unlink()
        elif name:
            Path(name).write_text(text if name == "odd.csv" else f"file,label\n{text}" if "labels" in name else text)
        model = MODEL if arguments.startswith("boards") and "--write popper p -o" not in arguments else ()
        refused(said, "learn", *arguments.split(), *model)


def test_what_is_learned_is_said_and_written_with_what_it_was_learned_from(run: Run, boards: Path) -> None:
    options = ("--literals", 3, "--only", "same, unlike", *MODEL)
    ended = run("learn", boards, "-o", "rules.pl", *options)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines() == CASES["printed"]
    text = Path("rules.pl").read_text(encoding="utf-8")
    assert re.sub(r"[0-9a-f]{64}", "H", text) == CASES["header"] + CASES["learned"]
    assert load_model("relations-game").sha256 in text
    assert sent_rules(text) == (Rules("rules", text),)  # as requests send it, too
    fresh = ("same", "-n", 20, "--objects", "stripes", "--seed", 5, *MODEL)
    asked = ("--rules", "rules.pl", "--goal", "label(L)", "--json")
    assert json.loads(run("evaluate", *fresh, *asked).out)["accuracy"] == 1.0
    assert "rules.pl was learned from these labels" in run("evaluate", boards, *asked, *MODEL).err
    # A base in place of pictures changes nothing; another label, another hash.
    for base in ("boards.pl", "boards.qlf"):
        assert run("export", boards, "--kb", base, *MODEL).status == 0
        of_base = ("learn", base, "--labels", boards / "labels.csv")
        assert run(*of_base, "-o", "of-base.pl", *options[:4]).status == 0
        # All but the names of what it was learned from; compiled code has lost the model's.
        ours, theirs = (re.sub(r"% (data|model) .*", "", each) for each in (text, Path("of-base.pl").read_text()))
        assert ours == theirs
    relabel(boards, ("00.png", "maybe"), *(row for row in rows_of(boards) if row[0] != "00.png"))
    assert run("learn", boards, "-o", "other.pl", *options).status == 0
    hashes = [re.findall(r"data .*?([0-9a-f]{64})", Path(f"{name}.pl").read_text()) for name in ("rules", "other")]
    assert hashes[0] != hashes[1]


def test_labels_of_any_name_and_of_several_tasks(run: Run, boards: Path) -> None:
    """The same boards, asked whether two things are the same, and whether none are: rules hang on the task."""
    truth = dict(rows_of(boards))
    names = {("twins", "1"): "it is so", ("twins", "0"): "Not", ("alone", "1"): "Not", ("alone", "0"): "it is so"}
    tasks = ("twins", "alone") * len(truth)
    rows = [(file, names[task, label], task) for (file, label), task in zip(truth.items(), tasks, strict=False)]
    relabel(boards, *rows, columns=("file", "label", "task"))
    Path("mine.pl").write_text("alone(X) :- \\+ same(X, _).\nkind(X, twin) :- same(X, _).\n", encoding="utf-8")
    assert run("learn", boards, "-o", "rules.pl", *MODEL).status == 0
    text = Path("rules.pl").read_text(encoding="utf-8")
    assert "% asks       task(T), a fact that says which task is meant\n" in text
    for file, label, task in rows[:2]:
        asked = ("query", boards / file, "label(L)", "--rules", "rules.pl", "--rule", f"task({task})", *MODEL)
        assert run(*asked).out == f"L = '{label}'.\n"
    # What rules say of objects may stand in what is learned; of these, some ask for task/1.
    relabel(boards, *truth.items())
    rules = ("--rules", "mine.pl", "--rules", "relations_game", *MODEL)
    assert "kind(_, twin)" in run("learn", boards, "--only", "kind", *rules).out


def test_a_wrong_label_is_told_and_the_next_is_asked_for(run: Run, boards: Path) -> None:
    """As JSON: docs/teach-a-rule.md has the text."""
    (wrong, label), *rows = rows_of(boards)
    relabel(boards, (wrong, "10"[int(label)]), *rows)
    told = json.loads(run("learn", boards, "--noisy", "--json", *MODEL).out)
    assert (told["mode"], told["errors"], told["output"]) == ("noisy", 1, None)
    assert told["again"] == [{"what": wrong, "label": "10"[int(label)], "against": []}]
    assert sum(told["examples"].values()) == sum(clause["right"] for clause in told["clauses"]) + 1 == 12
    assert told["held_back"].keys() == {"learned_from", "n", "right", "tried"}
    relabel(boards, *(next(row for row in rows if row[1] == label) for label in "01"))
    told = json.loads(run("learn", boards, "--ask", boards, "--json", *MODEL).out)
    assert all(sum(asked["said"].values()) > len(told["rivals"]) > 0 for asked in told["next"])
    relabel(boards, (wrong, label), *rows)
    ended = run("learn", boards, "--ask", boards, *MODEL)
    assert "agree on every picture there: no label would tell them apart" in one_line(ended.err)
    base = "".join(f"image('{n}', 9, 9, a).\nobject('{n}', ob_0).\n" for n in range(20))  # which all look alike
    Path("base.pl").write_text(base)
    Path("labels.csv").write_text("file,label\n" + "".join(f"{n},{n % 2}\n" for n in range(20)))
    assert "these rules do not tell the labels of pictures" in one_line(run("learn", "base.pl").err)
