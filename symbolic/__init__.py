"""Logic: programs, rules and goals go in, answers come out.

    from predinet_prolog.symbolic import Engine

    with Engine() as engine:
        print(engine.ask(program, "same(X, Y)").to_json())

Knows programs as texts and nothing of where they come from.
"""

# ruff: noqa: F403, F405  (a test says which of these names is not there)

import importlib

__all__ = ["JSON", "Answer", "AnswerTooLargeError", "Answers", "Change", "Engine", "EnglishError", "ForbiddenError"]
__all__ += ["LeastChanges", "Miss", "Pool", "ProgramError", "PrologError", "Proof", "QuerySyntaxError", "Replied"]
__all__ += ["Rules", "Supposition", "SuppositionError", "SymbolicError", "TimeLimitError", "UnknownObjectError"]
__all__ += ["UnknownPredicateError", "WorkerError", "theory", "theory_names"]

TYPE_CHECKING = False  # for type checkers it is true; to import typing takes as long as this package without it
if TYPE_CHECKING:
    from predinet_prolog.symbolic.answers import *
    from predinet_prolog.symbolic.engine import *
    from predinet_prolog.symbolic.english import *
    from predinet_prolog.symbolic.errors import *
    from predinet_prolog.symbolic.pool import *
    from predinet_prolog.symbolic.reasons import *
    from predinet_prolog.symbolic.rules import *

# A worker's start needs few of them: the modules are looked through, the cheap ones first, when a name is asked for.
_MODULES = "errors", "rules", "answers", "engine", "reasons", "english", "pool"


def __getattr__(name: str) -> object:
    for module in _MODULES if name in __all__ else ():
        names = vars(importlib.import_module(f"predinet_prolog.symbolic.{module}"))
        if name in names:
            return names[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
