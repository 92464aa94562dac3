"""Files for other learners: what they hold is what the situations say."""

import re
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.symbolic.learning import Options, Predicate, Situation
from predinet_prolog.symbolic.learning.interchange import ilasp, popper
from predinet_prolog.symbolic.learning.situations import LearningError
from predinet_prolog.symbolic.swipl import run_swipl
from tests.asking import solved
from tests.cases import cases

CASES = cases(__file__)

SAME = Predicate("same", 2, (0, 1), negation="unlike")
BETWEEN = Predicate("lies_between", 3, (1, 2))
RED, BLUE = (Predicate("colour", 1, values=(word,)) for word in ("red", "dark blue"))
PREDICATES = (SAME, BETWEEN, RED, BLUE)


def board(name: str, pairs: list[tuple[int, int]], red: list[int], task: str | None = None) -> Situation:
    """Three objects, the second between the others, some pairs the same, some red and the others dark blue."""
    same, between, is_red = np.zeros((3, 3), np.bool_), np.zeros((3, 3, 3), np.bool_), np.zeros(3, np.bool_)
    for one, other in pairs:
        same[one, other] = same[other, one] = True
    between[1, 0, 2] = between[1, 2, 0] = True
    is_red[red] = True
    holds = {SAME: same, BETWEEN: between, RED: is_red, BLUE: ~is_red}
    return Situation(name, ("ob_0", "ob_1", "ob_2"), holds, task)


BOARDS = [
    board("a.png", [(0, 2)], [0]),
    board("it's (b).png", [(0, 1)], [1, 2]),
    board("c.png", [], []),
    board("d.png", [(0, 2)], []),
]
LABELS = ["yes", "no", "no", "yes"]


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_poppers_examples_follow_from_its_background_and_the_rule(tmp_path: Path) -> None:
    """Positives are provable, negatives are not: loaded by Prolog with the rule that Popper would learn."""
    files = popper(BOARDS, LABELS, PREDICATES, Options())
    assert sorted(files) == [f"label_{label}/{name}.pl" for label in ("no", "yes") for name in ("bias", "bk", "exs")]
    folder = written(tmp_path, files) / "label_yes"
    (folder / "rule.pl").write_text("label_yes(P) :- lies_between(P, _, B, C), same(P, B, C).\n")
    goal = "forall(pos(G), (G -> true ; print(missed(G)))), forall(neg(G), (G -> print(wrong(G)) ; true)), "
    goal += "aggregate_all(count, pos(_), P), aggregate_all(count, neg(_), N), print(P-N)"
    run = run_swipl("-g", goal, "-t", "halt", *(folder / f"{name}.pl" for name in ("bk", "exs", "rule")))
    assert (run.stdout, run.stderr) == ("2-2", "")


def test_poppers_bias_names_what_is_allowed_and_its_types() -> None:
    tasked = [board(each.name, [(0, 1)], [0], task) for each, task in zip(BOARDS, "ttuu", strict=True)]
    options = Options(only=("unlike", "colour"), variables=2, literals=3)
    files = popper(tasked, LABELS, PREDICATES, options)
    lines = files["label_yes/bias.pl"].splitlines()
    assert "body_pred(unlike,3)." in lines
    assert "type(unlike,(image,object,object))." in lines
    assert "type(task_u,(image,))." in lines
    assert not [line for line in lines if "same" in line or "lies_between" in line]
    assert lines[-2:] == ["max_vars(3).", "max_body(3)."]  # the picture is a variable too
    assert "task_u('c.png')." in files["label_yes/bk.pl"]


def test_clingo_reads_ilasps_background_and_contexts() -> None:
    """Of every picture, what negations mean is what is not true of different objects."""
    files = ilasp(BOARDS, LABELS, PREDICATES, Options())
    contexts = re.findall(r"#pos\((p\d+),\{(.*?)\},\{(.*?)\},\{(.*)\}\)\.", files["task.las"])
    assert [list(context[:3]) for context in contexts] == CASES["contexts"]
    for (*_, facts), situation in zip(contexts, BOARDS, strict=True):
        model = set(map(str, solved("#defined same/2.\n" + files["background.lp"] + facts)))
        for one, other in ((a, b) for a in range(3) for b in range(3) if a != b):
            pair = f"({situation.objects[one]},{situation.objects[other]})"
            assert (f"same{pair}" in model) == situation.holds[SAME][one, other] != (f"unlike{pair}" in model)
        assert sum(atom.startswith("lies_between") for atom in model) == 2


def empty(*predicates: Predicate) -> tuple[list[Situation], list[str], list[Predicate], Options]:
    """A picture of nothing, of which they might be said."""
    holds = {predicate: np.zeros((0,) * predicate.arity, np.bool_) for predicate in predicates}
    return [Situation("a.png", (), holds)], ["yes"], [*predicates], Options()


@pytest.mark.parametrize(
    ("predicates", "message"),
    [
        ((Predicate("größe", 1),), "größe is no name for Popper and ILASP: use small letters, digits and _, or name "),
        ((Predicate("not", 2),), "not is no name for Popper and ILASP"),
        ((RED, Predicate("colour_red", 1)), "two predicates would be called colour_red for Popper: rename one in your"),
    ],
)
def test_predicates_that_popper_cannot_tell_are_refused(predicates: tuple[Predicate, ...], message: str) -> None:
    with pytest.raises(LearningError, match=f"^{message}"):
        popper(*empty(*predicates))
