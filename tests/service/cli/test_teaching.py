"""learn, by the command line."""

import csv
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from neural import load_model
from service.cli.lessons import read_labels
from service.theories import sent_rules
from symbolic import Rules
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


def rows_of(folder: Path) -> list[tuple[str, str]]:
    """Each picture and its label."""
    with (folder / "labels.csv").open(newline="", encoding="utf-8") as file:
        return [(row["file"], row["label"]) for row in csv.DictReader(file)]


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


def test_labels_are_noted_that_are_read_otherwise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.png", "b.png"):
        (tmp_path / name).touch()
    table = tmp_path / "labels.csv"
    table.write_text("file,label\n.\\a.png, yes\nb.png,no\n")
    assert read_labels(table, (), tmp_path) == {"a.png": ("yes", None), "b.png": ("no", None)}
    assert capsys.readouterr().err == "predinet-prolog: labels.csv, line 2: blanks around fields are left out\n"


def test_mistakes_of_options_are_told(run: Run, boards: Path) -> None:
    assert refused(run, boards, "--only", "sane,unlike", *MODEL) == ("no predicate is called sane: did you mean same?")
    assert refused(run, boards, "--only", "sane", "--write", "popper", "p", *MODEL) == (
        "no predicate is called sane: did you mean same?"
    )
    assert "label pictures by task" in refused(run, boards, "--exclusive", *MODEL)
    assert "--write learns nothing" in refused(run, boards, "--write", "popper", "p", "-o", "x.pl")
    assert "is neither a folder of pictures nor a knowledge base" in refused(run, "boards/00.png", "--labels", "l.csv")
    assert refused(run, "nowhere") == "no such folder or file: nowhere"
    Path("scene.pl").write_text("object(ob_0).\n", encoding="utf-8")
    shutil.copy(boards / "labels.csv", "labels.csv")
    assert "scene.pl is no knowledge base of pictures" in refused(run, "scene.pl")
    assert "--rules and --model are for a folder" in refused(run, "scene.pl", *MODEL)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("00.png,ob_0,yes\n", "line 1: it must be image,object[,object],true|false"),
        ("image,object,odd\n00.png,ob_0,true\n00.png,ob_0,ob_1,true\n", "line 3: it must be image"),
        ("99.png,ob_0,true\n", "line 1: 99.png: no such file in the folder"),
        ("00.png,ob_0,true\n../odd.csv,ob_0,true\n", "line 2: ../odd.csv is outside of the folder"),
        (f"00.png,{'x' * 200_000},true\n", "line 1: field larger than field limit"),
        ("00.png,ob_0,false\n", "no example is true"),
        ("00.png,ob_9,true\n", "00.png has no object ob_9: it has ob_0"),
        ("00.png,ob_0,ob_0,true\n", "00.png: an example is one object or two different ones, not ob_0, ob_0"),
        ("", "no example is true"),
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


LEARNED = """\
label(Label) :- once(case(First)), Label = First.
case(1) :- same(_, _).
case(0).
"""
HEADER = """\
% label(L): learned by predinet-prolog learn.
%
% data       boards (sha256 H)
% learned    from 12 pictures (4 of 0, 8 of 1), 0 errors
% held back  1 of 12: 1 right by strict in 1 literal, 1 right by noisy in 1 literal: strict is kept
% options    --literals 3 --only same,unlike
% model      relations-game (sha256 H)

"""
"""Of what is learned from `boards`; H stands for hashes."""


def test_what_is_learned_is_said_and_written_with_what_it_was_learned_from(run: Run, boards: Path) -> None:
    ended = run("learn", boards, "-o", "rules.pl", "--literals", 3, "--only", "same, unlike", *MODEL)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "label(Label) :- once(case(First)), Label = First.",
        "case(1) :- same(_, _).  % 8 right, 0 wrong",
        "case(0).  % 4 right, 0 wrong",
        "",
        "learned from  12 pictures (4 of 0, 8 of 1), 0 errors",
        "held back     1 of 12: 1 right by strict in 1 literal, 1 right by noisy in 1 literal: strict is kept",
        "rules.pl",
    ]
    text = Path("rules.pl").read_text(encoding="utf-8")
    assert re.sub(r"[0-9a-f]{64}", "H", text) == HEADER + LEARNED
    assert load_model("relations-game").sha256 in text
    # Another label, another hash.
    (name, _), *rows = rows_of(boards)
    relabel(boards, (name, "maybe"), *rows)
    assert run("learn", boards, "-o", "other.pl", *MODEL).status == 0
    hashes = [re.findall(r"data .*?([0-9a-f]{64})", Path(f"{name}.pl").read_text()) for name in ("rules", "other")]
    assert hashes[0] != hashes[1]


def test_query_evaluate_and_swipl_take_the_rules_as_they_are(run: Run, boards: Path) -> None:
    assert run("learn", boards, "-o", "rules.pl", *MODEL).status == 0
    text = Path("rules.pl").read_text(encoding="utf-8")
    assert sent_rules(text) == (Rules("rules", text),)  # as requests send it, too
    fresh = ("-n", 20, "--objects", "stripes", "--seed", 5, *MODEL)
    asked = ("--rules", "rules.pl", "--goal", "label(L)", "--json")
    assert json.loads(run("evaluate", "same", *fresh, *asked).out)["accuracy"] == 1.0
    for name, label in rows_of(boards)[:4]:
        picture = boards / name
        assert run("query", picture, "label(L)", "--rules", "rules.pl", *MODEL).out == f"L = {label}.\n"
        assert run("query", picture, f"label({label})", "--rules", "rules.pl", *MODEL).status == 0
        assert run("export", picture, "-o", "scene.pl", *MODEL).status == 0
        command = ["swipl", "-g", "forall(label(L), (print(L), nl))", "-t", "halt", "scene.pl", "rules.pl"]
        plain = subprocess.run(command, capture_output=True, text=True, check=True)
        assert (plain.stdout, plain.stderr) == (f"{label}\n", "")


def test_the_order_of_labels_and_a_base_in_place_of_pictures_change_nothing(run: Run, boards: Path) -> None:
    assert run("learn", boards, "-o", "rules.pl", *MODEL).status == 0
    rules = Path("rules.pl").read_bytes()
    header, *rows = (boards / "labels.csv").read_text(encoding="utf-8").splitlines()
    (boards / "labels.csv").write_text("\n".join([header, *reversed(rows)]), encoding="utf-8")
    assert run("learn", boards, "-o", "again.pl", *MODEL).status == 0
    assert Path("again.pl").read_bytes() == rules
    for base in ("boards.pl", "boards.qlf"):
        assert run("export", boards, "--kb", base, *MODEL).status == 0
        assert run("learn", base, "--labels", boards / "labels.csv", "-o", "of-base.pl").status == 0
        # All but the names of what it was learned from; compiled code has lost the model's.
        own, of_base = (re.sub(rb"% (data|model) .*", b"", text) for text in (rules, Path("of-base.pl").read_bytes()))
        assert own == of_base


def test_labels_of_any_name_and_of_several_tasks(run: Run, boards: Path) -> None:
    """The same boards, asked whether two things are the same, and whether none are: rules hang on the task."""
    truth = dict(rows_of(boards))
    names = {("twins", "1"): "it is so", ("twins", "0"): "Not", ("alone", "1"): "Not", ("alone", "0"): "it is so"}
    rows = [
        (file, names[task, label], task)
        for n, (file, label) in enumerate(truth.items())
        for task in [("twins", "alone")[n % 2]]
    ]
    relabel(boards, *rows, columns=("file", "label", "task"))
    assert run("learn", boards, "-o", "rules.pl", *MODEL).status == 0
    text = Path("rules.pl").read_text(encoding="utf-8")
    assert "% asks       task(T), a fact that says which task is meant\n" in text
    assert "'it is so'" in text
    for file, label, task in rows[:4]:
        asked = ("query", boards / file, "label(L)", "--rules", "rules.pl", "--rule", f"task({task})", *MODEL)
        assert run(*asked).out == f"L = '{label}'.\n"
    # Where all have one task, there is nothing to tell apart.
    relabel(boards, *((file, label, "twins") for file, label in truth.items()), columns=("file", "label", "task"))
    assert "task" not in run("learn", boards, *MODEL).out


def test_a_wrong_label_is_told_whether_or_not_labels_may_be_wrong(run: Run, boards: Path) -> None:
    (wrong, label), *rows = rows_of(boards)
    relabel(boards, (wrong, "10"[int(label)]), *rows)
    told = json.loads(run("learn", boards, "--noisy", "--json", *MODEL).out)
    assert (told["mode"], told["errors"]) == ("noisy", 1)
    assert told["again"] == [{"what": wrong, "label": "10"[int(label)], "against": []}]
    assert "same(_, _)" in told["rules"]
    assert sum(clause["wrong"] for clause in told["clauses"]) == 1
    assert told["examples"].keys() == {"0", "1"}
    assert sum(told["examples"].values()) == sum(clause["right"] for clause in told["clauses"]) + 1 == 12
    assert told["output"] is None
    assert told["held_back"].keys() == {"learned_from", "n", "right", "tried"}
    assert told["held_back"]["tried"].keys() == {"noisy"}
    # As far as two words go, it shows what others do.
    ended = run("learn", boards, "--strict", "--only", "same", "--variables", 2, "-o", "rules.pl", *MODEL)
    against = re.search(
        rf"^look again    {wrong} \({'10'[int(label)]}\): the same facts as (.*)$", ended.out, re.MULTILINE
    )
    assert against
    assert {dict(rows)[name] for name in re.findall(r"[0-9]+\.png", against[1])} == {label}
    assert "right by strict" in ended.out
    assert "noisy" not in ended.out
    assert "% options    --strict --literals 4 --only same\n" in Path("rules.pl").read_text(encoding="utf-8").replace(
        "--variables 2 ", ""
    )


def test_it_asks_for_the_labels_of_what_the_rules_that_fit_differ_on(run: Run, boards: Path) -> None:
    """Of two boards nothing is known but that they differ: many rules fit."""
    rows = rows_of(boards)
    pair = [next(row for row in rows if row[1] == label) for label in "01"]
    relabel(boards, *pair)
    told = json.loads(run("learn", boards, "--ask", boards, "--json", *MODEL).out)
    assert told["rivals"]
    asked = [each["what"] for each in told["next"]]
    assert asked
    assert not {name for name, _ in pair} & set(asked)  # which have labels
    for each in told["next"]:
        assert sum(each["said"].values()) > len(told["rivals"])
        assert len(each["said"]) == 2
    assert f"label next    {asked[0]}  (" in run("learn", boards, "--ask", boards, *MODEL).out
    # With all labels, the rules that fit agree.
    relabel(boards, *rows)
    assert run("generate", "same", "-n", 3, "-o", "others").status == 0
    ended = run("learn", boards, "--ask", "others", *MODEL)
    assert one_line(ended.err) == (
        "others: all rules that fit agree on every picture there: no label would tell them apart"
    )


def test_what_is_learned_proves_poppers_positives_and_none_of_its_negatives(run: Run, boards: Path) -> None:
    rules = json.loads(run("learn", boards, "--json", *MODEL).out)["rules"]
    assert run("learn", boards, "--write", "popper", "out", *MODEL).status == 0
    (body,) = re.findall(r"^case\(1\) :- (.*)\.$", rules, re.MULTILINE)
    lifted = re.sub(r"(\w+)\(", r"\1(P, ", body)  # the picture is the first argument
    Path("rule.pl").write_text(f"label_1(P) :- {lifted}.\n", encoding="utf-8")
    goal = "forall(pos(G), G), forall(neg(G), \\+ G), aggregate_all(count, pos(_), N), print(N)"
    files = [f"out/label_1/{name}.pl" for name in ("bk", "exs")]
    swipl = subprocess.run(["swipl", "-g", goal, "-t", "halt", *files, "rule.pl"], capture_output=True, text=True)
    assert (swipl.stdout, swipl.stderr) == (str(sum(label == "1" for _, label in rows_of(boards))), "")


def test_a_word_for_objects_is_learned_from_examples(run: Run, boards: Path) -> None:
    """Whatever has a twin, as each board's program says; told of some pictures, asked of others."""
    Path("rule.pl").write_text("twin(X) :- object(X), once(same(X, _)).\n", encoding="utf-8")
    pictures = [name for name, label in rows_of(boards) if label == "1"]

    def twins(name: str, rules: str) -> set[str]:
        asked = run("query", boards / name, "twin(X)", "--rules", rules, "--json", *MODEL)
        return {answer["bindings"]["X"] for answer in json.loads(asked.out)["answers"]}

    true = {name: twins(name, "rule.pl") for name in pictures}
    alone = next(name for name, label in rows_of(boards) if label == "0")
    lines = [f"{name},{thing},true" for name in pictures[:4] for thing in sorted(true[name])]
    for more in ([f"{alone},ob_0,false", f"{alone},ob_1,false"], []):  # with none, all else is no twin
        Path("twin.csv").write_text("\n".join(["image,object,twin", *lines, *more]), encoding="utf-8")
        ended = run("learn", boards, "--about", "twin.csv", "-o", "learned.pl", *MODEL)
        assert ended.status == 0
        assert "twin(A) :- " in ended.out
        text = Path("learned.pl").read_text(encoding="utf-8")
        assert text.startswith("% twin(X): learned by predinet-prolog learn.\n")
        assert {name: twins(name, "learned.pl") for name in pictures} == true
