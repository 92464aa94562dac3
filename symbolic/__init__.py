"""Logic: programs, rules and goals go in, answers come out.

    from symbolic import Engine

    with Engine() as engine:
        print(engine.ask(program, "same(X, Y)").to_json())

Knows programs as texts and nothing of where they come from.
"""

import importlib

TYPE_CHECKING = False  # for type checkers it is true; to import typing takes as long as this package without it
if TYPE_CHECKING:
    from symbolic.answers import JSON, Answer, Answers
    from symbolic.engine import Engine
    from symbolic.errors import (
        AnswerTooLargeError,
        ClientLimitError,
        ForbiddenError,
        OverloadedError,
        ProgramError,
        PrologError,
        QuerySyntaxError,
        SwiPrologMissingError,
        SymbolicError,
        TimeLimitError,
        UnknownObjectError,
        UnknownPredicateError,
        WorkerError,
    )
    from symbolic.pool import Pool, PoolStats
    from symbolic.reasons import Miss, Proof
    from symbolic.rules import Rules, theory, theory_names

__all__ = [
    "JSON",
    "Answer",
    "AnswerTooLargeError",
    "Answers",
    "ClientLimitError",
    "Engine",
    "ForbiddenError",
    "Miss",
    "OverloadedError",
    "Pool",
    "PoolStats",
    "ProgramError",
    "PrologError",
    "Proof",
    "QuerySyntaxError",
    "Rules",
    "SwiPrologMissingError",
    "SymbolicError",
    "TimeLimitError",
    "UnknownObjectError",
    "UnknownPredicateError",
    "WorkerError",
    "theory",
    "theory_names",
]


# A module is imported when a name of it is first asked for: a worker's start needs few of them.
_MODULES = {
    "JSON": "answers",
    "Answer": "answers",
    "Answers": "answers",
    "Engine": "engine",
    "Miss": "reasons",
    "Pool": "pool",
    "PoolStats": "pool",
    "Proof": "reasons",
    "Rules": "rules",
    "theory": "rules",
    "theory_names": "rules",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"symbolic.{_MODULES.get(name, 'errors')}"), name)
