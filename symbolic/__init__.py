"""Logic: programs, rules and goals go in, answers come out.

    from symbolic import Engine

    with Engine() as engine:
        print(engine.ask(program, "same(X, Y)").to_json())

Knows programs as texts and nothing of where they come from.
"""

from typing import TYPE_CHECKING, Any

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
from symbolic.reasons import Miss, Proof
from symbolic.rules import Rules, theory, theory_names

if TYPE_CHECKING:
    from symbolic.pool import Pool, PoolStats

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


def __getattr__(name: str) -> Any:
    # asyncio takes longer to import than all the rest, and neither workers nor the command line need it.
    if name in ("Pool", "PoolStats"):
        from symbolic import pool

        return getattr(pool, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
