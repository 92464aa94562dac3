"""What a user can do about an error of a question."""

import pytest

from predinet_prolog.service.theories import advice
from predinet_prolog.symbolic import ForbiddenError, SymbolicError
from predinet_prolog.symbolic.replies import error_from_reply


def unknown(predicate: str, known: list[str]) -> SymbolicError:
    return error_from_reply({"kind": "unknown_predicate", "predicate": predicate, "known": known, "more": 0}, 1.0)


@pytest.mark.parametrize("predicate", ["same/2", "same_shape/2", "same_colour/2"])
def test_what_a_model_need_not_tell_is_told_by_another(predicate: str) -> None:
    said = advice(unknown(predicate, ["object/1", "same_row/2", "same_column/2"]))
    assert said.startswith(f"unknown predicate {predicate}: the model that saw the image does not tell it: ")
    assert said.endswith("--model NAME")
    assert "define" in advice(unknown(predicate, ["p/1"])), "this program is of no image"


def test_a_misspelt_predicate_is_told_by_the_same_model() -> None:
    said = advice(unknown("same_colr/2", ["object/1", "same_colour/2"]))
    assert said.endswith("did you mean same_colour/2?")


def test_the_command_line_says_how_rules_are_given() -> None:
    assert advice(unknown("twins/2", [])).endswith(" on the command line --rules relations_game")
    assert advice(ForbiddenError("no files", loads=True)) == "no files, on the command line with --rules FILE"
    assert advice(ForbiddenError("no")) == "no"
