"""Logic: programs, rules and goals go in, answers come out.

    from symbolic import Engine

    with Engine() as engine:
        print(engine.ask(program, "same(X, Y)").to_json())

Knows programs as texts and nothing of where they come from.
"""

import importlib

TYPE_CHECKING = False  # for type checkers it is true; to import typing takes as long as this package without it
if TYPE_CHECKING:
    from symbolic.answers import JSON as JSON
    from symbolic.answers import Answer as Answer
    from symbolic.answers import Answers as Answers
    from symbolic.engine import Engine as Engine
    from symbolic.errors import AnswerTooLargeError as AnswerTooLargeError
    from symbolic.errors import ClientLimitError as ClientLimitError
    from symbolic.errors import ForbiddenError as ForbiddenError
    from symbolic.errors import OverloadedError as OverloadedError
    from symbolic.errors import ProgramError as ProgramError
    from symbolic.errors import PrologError as PrologError
    from symbolic.errors import QuerySyntaxError as QuerySyntaxError
    from symbolic.errors import SuppositionError as SuppositionError
    from symbolic.errors import SwiPrologMissingError as SwiPrologMissingError
    from symbolic.errors import SymbolicError as SymbolicError
    from symbolic.errors import TimeLimitError as TimeLimitError
    from symbolic.errors import UnknownObjectError as UnknownObjectError
    from symbolic.errors import UnknownPredicateError as UnknownPredicateError
    from symbolic.errors import WorkerError as WorkerError
    from symbolic.pool import Pool as Pool
    from symbolic.pool import PoolStats as PoolStats
    from symbolic.reasons import Miss as Miss
    from symbolic.reasons import Proof as Proof
    from symbolic.rules import Rules as Rules
    from symbolic.rules import theory as theory
    from symbolic.rules import theory_names as theory_names
    from symbolic.supposing import Change as Change
    from symbolic.supposing import LeastChanges as LeastChanges
    from symbolic.supposing import Supposition as Supposition

# A module is imported when a name of it is first asked for: a worker's start needs few of them.
_NAMES = {
    "answers": "JSON Answer Answers",
    "engine": "Engine",
    "errors": "AnswerTooLargeError ClientLimitError ForbiddenError OverloadedError ProgramError PrologError "
    "QuerySyntaxError SuppositionError SwiPrologMissingError SymbolicError TimeLimitError UnknownObjectError "
    "UnknownPredicateError WorkerError",
    "pool": "Pool PoolStats",
    "reasons": "Miss Proof",
    "rules": "Rules theory theory_names",
    "supposing": "Change LeastChanges Supposition",
}


def __getattr__(name: str) -> object:
    for module, names in _NAMES.items():
        if name in names.split():
            return getattr(importlib.import_module(f"symbolic.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
