"""Every error of the project has a meaning for users and for HTTP clients, and says what can be done about it."""

import importlib
from types import ModuleType

import pytest

from predinet_prolog import quoting
from predinet_prolog.bridge import errors as of_bridge
from predinet_prolog.domains import errors as of_domains
from predinet_prolog.neural import errors as of_neural
from predinet_prolog.service import errors as of_service
from predinet_prolog.service.errors import failure, failures
from predinet_prolog.service.theories import advice
from predinet_prolog.symbolic import ForbiddenError, SymbolicError
from predinet_prolog.symbolic import errors as of_symbolic
from predinet_prolog.symbolic.replies import error_from_reply

MODULES = [quoting, of_neural, of_domains, of_bridge, of_symbolic, of_service]


def test_every_entry_names_a_class() -> None:
    for name in [name for name in failures() if isinstance(name, str)]:
        module, _, cls = name.rpartition(".")
        assert issubclass(getattr(importlib.import_module(f"predinet_prolog.{module}"), cls), Exception)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_error_class_has_a_meaning(module: ModuleType) -> None:
    found = [c for c in vars(module).values() if isinstance(c, type) and c.__module__ == module.__name__]
    classes = [c for c in found if issubclass(c, Exception)]
    assert classes
    for cls in classes:
        found = failure(cls.__new__(cls))
        assert found is not None, cls
        assert found.exit_status >= 2
        assert 400 <= found.http_status < 600


def unknown(predicate: str, known: list[str]) -> SymbolicError:
    return error_from_reply({"kind": "unknown_predicate", "predicate": predicate, "known": known, "more": 0}, 1.0)


@pytest.mark.parametrize("predicate", ["same/2", "same_shape/2", "same_colour/2"])
def test_what_a_model_need_not_tell_is_told_by_another(predicate: str) -> None:
    said = advice(unknown(predicate, ["object/1", "same_row/2", "same_column/2"]))
    assert said.startswith(f"unknown predicate {predicate}: the model that saw the image does not tell it: ")
    assert said.endswith("--model NAME")
    assert "define" in advice(unknown(predicate, ["p/1"])), "this program is of no image"


def test_a_colour_is_a_word() -> None:
    assert advice(unknown("red/1", ["object/1", "colour/2"])).endswith("red is a word for colours: colour(X, red)")
    assert "define" in advice(unknown("red/1", ["object/1"]))


def test_a_misspelt_predicate_is_told_by_the_same_model() -> None:
    said = advice(unknown("same_colr/2", ["object/1", "same_colour/2"]))
    assert said.endswith("did you mean same_colour/2?")


def test_the_command_line_says_how_rules_are_given() -> None:
    assert advice(unknown("twins/2", [])).endswith(" on the command line --rules relations_game")
    for predicate, option in (("label/1", "rules"), ("category/2", "detections"), ("in_zone/2", "zones")):
        assert advice(unknown(predicate, ["object/1"])).endswith(f" on the command line --{option} FILE")
    assert advice(ForbiddenError("no files", loads=True)) == "no files, on the command line with --rules FILE"
    assert advice(ForbiddenError("no")) == "no"
