"""Logic: programs, rules and goals go in, answers come out.

    from predinet_prolog.symbolic import Engine

    with Engine() as engine:
        print(engine.ask(program, "same(X, Y)").to_json())

Knows programs as texts and nothing of where they come from.
"""

import importlib

TYPE_CHECKING = False  # for type checkers it is true; to import typing takes as long as this package without it
if TYPE_CHECKING:
    from predinet_prolog.symbolic.answers import JSON as JSON
    from predinet_prolog.symbolic.answers import Answer as Answer
    from predinet_prolog.symbolic.answers import Answers as Answers
    from predinet_prolog.symbolic.answers import Change as Change
    from predinet_prolog.symbolic.answers import LeastChanges as LeastChanges
    from predinet_prolog.symbolic.answers import Supposition as Supposition
    from predinet_prolog.symbolic.engine import Engine as Engine
    from predinet_prolog.symbolic.english import Replied as Replied
    from predinet_prolog.symbolic.errors import AnswerTooLargeError as AnswerTooLargeError
    from predinet_prolog.symbolic.errors import EnglishError as EnglishError
    from predinet_prolog.symbolic.errors import ForbiddenError as ForbiddenError
    from predinet_prolog.symbolic.errors import ProgramError as ProgramError
    from predinet_prolog.symbolic.errors import PrologError as PrologError
    from predinet_prolog.symbolic.errors import QuerySyntaxError as QuerySyntaxError
    from predinet_prolog.symbolic.errors import SuppositionError as SuppositionError
    from predinet_prolog.symbolic.errors import SymbolicError as SymbolicError
    from predinet_prolog.symbolic.errors import TimeLimitError as TimeLimitError
    from predinet_prolog.symbolic.errors import UnknownObjectError as UnknownObjectError
    from predinet_prolog.symbolic.errors import UnknownPredicateError as UnknownPredicateError
    from predinet_prolog.symbolic.errors import WorkerError as WorkerError
    from predinet_prolog.symbolic.pool import Pool as Pool
    from predinet_prolog.symbolic.reasons import Miss as Miss
    from predinet_prolog.symbolic.reasons import Proof as Proof
    from predinet_prolog.symbolic.rules import Rules as Rules
    from predinet_prolog.symbolic.rules import theory as theory
    from predinet_prolog.symbolic.rules import theory_names as theory_names

# A worker's start needs few of them: the modules are looked through, the cheap ones first, when a name is asked for.
_MODULES = "errors", "rules", "answers", "engine", "reasons", "english", "pool"


def __getattr__(name: str) -> object:
    for module in _MODULES if name[0].isupper() or "theory" in name else ():
        names = vars(importlib.import_module(f"predinet_prolog.symbolic.{module}"))
        if name in names:
            return names[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
