"""What every user of the learner shares: what may be asked of programs."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from predinet_prolog.bridge import ImageInfo, Scene, Thing, make_program, write_prolog
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.neural.model import NO_MODEL
from predinet_prolog.service.learning import by_name
from predinet_prolog.service.pipeline import look
from predinet_prolog.service.teaching import signatures, text_of
from predinet_prolog.symbolic import Engine
from predinet_prolog.symbolic.learning import Options, Predicate, Signature, observe, predicates_of, situation

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
    assert {(each.indicator, each.valued, each.negation) for each in told} == {
        ("same/2", False, "unlike"),
        ("same_filled/2", False, "unlike_filled"),
        ("filled/2", True, None),
        ("same_size/2", False, None),  # a rule of sizes, and size/2 has a number
        ("colour/2", True, None),
    }
    assert signatures([]) == ()


def test_what_a_detector_tells_is_in_the_language_of_rules() -> None:
    """Categories, and attributes with both their words; numbers are no words."""
    told: list[dict[str, Any]] = [{"category": "person"}, {"attributes": {"worn": True, "size": 2}}]
    things = [Thing(f"ob_{n}", np.array([0.0, 0, 9, 9]), None, np.empty(0), **thing) for n, thing in enumerate(told)]
    scene = Scene(tuple(things), Inspection(0.0, None, 0.0), (99, 99), given=True)
    program = make_program(scene, model=NO_MODEL, image=ImageInfo("a.png", "", 99, 99))
    asked = [each for each in signatures(program.predicates) if each.indicator in ("category/2", "attribute/3")]
    with Engine() as engine:
        (seen,) = observe(partial(engine.ask, limit=1), [("a", write_prolog(program))], asked)
    worn = Predicate("attribute", 1, values=("worn", "true"))
    assert predicates_of(asked, [seen]) == (Predicate("category", 1, values=("person",)), worn)
    assert situation(seen, predicates_of(asked, [seen])).holds[worn].tolist() == [False, True]


@pytest.mark.parametrize(("errors", "steps", "best"), [((0,), 1, 0), ((2, 1, 1), 3, 1), ((2, 2, 1), 3, 2)])
def test_what_was_told_by_name_comes_first_and_all_there_is_last(errors: Any, steps: int, best: int) -> None:
    told = [Signature("category", 1, valued=1), Signature("po", 2), Signature("above", 2)]
    predicates = [Predicate("category", 1, values=("person",)), *(Predicate(name, 2) for name in ("po", "above"))]
    rules = [Signature("mine", 1, checks=True)]
    asked, made = [], [SimpleNamespace(trials=(), theory=SimpleNamespace(errors=count)) for count in errors]

    def learn(options: Options) -> Any:
        asked.append(options.only)
        return made[len(asked) - 1]

    found = by_name(learn, [*told, *rules], [*predicates, Predicate("mine", 1)], Options())
    assert asked == [("category", "mine"), ("category", "mine", "po"), ()][:steps]
    assert found is made[best]
    made, asked[:] = made * 3, []
    by_name(learn, [*told[2:], *rules], predicates, Options())  # where nothing was told
    by_name(learn, told, predicates, Options(only=("above",)))
    assert asked == [(), ("above",)]


def test_a_program_without_propositions_says_the_same_of_its_objects() -> None:
    view = look(BOARD, "relations-game")
    lean = text_of(view)
    assert "r0(" not in lean
    assert len(lean) < len(view.text)
    asked = signatures(view.program.predicates)
    with Engine(time_limit=10.0) as engine:
        whole, short = observe(partial(engine.ask, limit=1), [("a", view.text), ("a", lean)], asked)
    assert (whole.objects, whole.rows) == (short.objects, short.rows)
    assert any(whole.rows.values())
