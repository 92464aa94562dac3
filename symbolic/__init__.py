"""Logic: programs, rules and goals go in, answers come out.

    from symbolic import Engine

    with Engine() as engine:
        print(engine.ask(program, "same(X, Y)").to_json())

Knows programs as texts and nothing of where they come from.
"""

from symbolic.answers import JSON, Answer, Answers
from symbolic.engine import Engine
from symbolic.errors import (
    AnswerTooLargeError,
    ForbiddenError,
    ProgramError,
    PrologError,
    QuerySyntaxError,
    SwiPrologMissingError,
    SymbolicError,
    TimeLimitError,
    UnknownPredicateError,
    WorkerError,
)
from symbolic.rules import Rules, theory, theory_path

__all__ = [
    "JSON",
    "Answer",
    "AnswerTooLargeError",
    "Answers",
    "Engine",
    "ForbiddenError",
    "ProgramError",
    "PrologError",
    "QuerySyntaxError",
    "Rules",
    "SwiPrologMissingError",
    "SymbolicError",
    "TimeLimitError",
    "UnknownPredicateError",
    "WorkerError",
    "theory",
    "theory_path",
]
