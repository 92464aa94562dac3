"""What every user of the learner shares: what may be asked of programs, and which pictures are held back."""

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from service.pipeline import look
from service.teaching import Trial, held_back, signatures, text_of, trial, trial_of_objects
from symbolic import Engine
from symbolic.learning import Options, Signature, Situation, observe
from tests.symbolic.learning.boards import SAME, any_true, boards

BOARD = Path(__file__).parents[2] / "examples" / "between" / "image.png"


def test_the_vocabulary_tells_what_can_be_asked_of_the_objects_of_a_board() -> None:
    told = {each.indicator: each for each in signatures(look(BOARD, "relations-game").program.predicates)}
    for name in ("same", "same_shape", "same_colour"):
        assert told[f"{name}/2"] == Signature(name, 2, (0, 1), negation=name.replace("same", "unlike"))
    assert told["same_row/2"] == Signature("same_row", 2, (0, 1))  # no row of its own means the opposite
    assert told["left_of/2"] == Signature("left_of", 2)
    assert told["lies_between/3"] == Signature("lies_between", 3, (1, 2))
    assert told["in_line/3"] == Signature("in_line", 3, (0, 1, 2))
    assert not told.keys() & {"object/1", "background/1", "near/4", "r0/3", "holds/4", "position/3", "confidence/2"}


def test_attributes_of_a_users_own_model_are_found_by_name() -> None:
    indicators = ["same/2", "same_filled/2", "filled/2", "same_size/2", "size/2", "colour/4", "colour/2", "colour_is/2"]
    told = signatures(indicators)
    assert [(each.indicator, each.valued, each.negation) for each in told] == [
        ("same/2", False, "unlike"),
        ("same_filled/2", False, "unlike_filled"),
        ("filled/2", True, None),
        ("same_size/2", False, None),  # a rule of sizes, and size/2 has a number
        ("colour/2", True, None),
    ]
    assert signatures([]) == ()


@pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
def test_a_program_without_propositions_says_the_same_of_its_objects() -> None:
    view = look(BOARD, "relations-game")
    lean = text_of(view)
    assert "r0(" not in lean
    assert len(lean) < len(view.text)
    asked = signatures(view.program.predicates)
    with Engine(time_limit=10.0) as engine:
        whole, short = observe(partial(engine.ask, limit=1), [("a", view.text), ("a", lean)], asked)
    assert (whole.objects, whole.found) == (short.objects, short.found)
    assert any(whole.found.values())


def test_a_fifth_of_each_label_is_held_back_whatever_the_order() -> None:
    pictures = [(f"{n}.png", None, "yes" if n < 20 else "no") for n in range(31)]
    held = {pictures[n] for n in held_back(pictures)}
    assert [sum(label == own for *_, own in held) for label in ("yes", "no")] == [4, 2]
    turned = pictures[::-1]
    assert {turned[n] for n in held_back(turned)} == held
    assert held_back(pictures[:4]) == []  # too few to spare one


def pictures(count: int) -> tuple[list[Situation], list[str]]:
    """Boards, half of which have two things that are the same."""
    drawn, labels = boards(lambda each: any_true(each.holds[SAME]), count, seed=7, most=5)
    return [replace(each, name=f"{number}.png") for number, each in enumerate(drawn)], labels


def test_what_the_others_teach_is_judged_by_what_is_held_back() -> None:
    situations, labels = pictures(30)
    assert trial(situations, labels, [SAME], Options()) == Trial(24, 6, 6)
    held = held_back([(each.name, None, label) for each, label in zip(situations, labels, strict=True)])
    same = [each.holds[SAME] for each in situations]
    for number in held:  # these show what their labels do not say
        same[number][:] = ~same[number].any() & ~np.eye(len(same[number]), dtype=bool)
    alone = sum(len(same[number]) == 1 for number in held)  # which stay as they were
    assert trial(situations, labels, [SAME], Options()) == Trial(24, 6, alone)
    assert trial(situations[:4], ["0", "1", "0", "1"], [SAME], Options()) is None


def test_examples_of_objects_are_held_back_by_picture() -> None:
    situations, _ = pictures(10)
    examples = [
        (number, (name,), bool(each.holds[SAME][place].any()))
        for number, each in enumerate(situations)
        for place, name in enumerate(each.objects)
    ]
    judged = held_back([(each.name, None, "") for each in situations])
    told = trial_of_objects(situations, examples, "twin", [SAME], Options())
    held = sum(number in judged for number, *_ in examples)
    assert told == Trial(len(examples) - held, held, held)
    wrong = [(number, objects, true != (number in judged)) for number, objects, true in examples]
    assert trial_of_objects(situations, wrong, "twin", [SAME], Options()) == Trial(len(examples) - held, held, 0)
