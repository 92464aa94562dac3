"""Logic: programs, rules and goals go in, answers come out.

    from predinet_prolog.symbolic import Engine

    with Engine() as engine:
        print(engine.ask(program, "same(X, Y)").to_json())

Knows programs as texts and nothing of where they come from.
"""

import importlib

TYPE_CHECKING = False  # for type checkers it is true; to import typing takes as long as this package without it
if TYPE_CHECKING:
    from predinet_prolog.symbolic.answers import *  # noqa: F403
    from predinet_prolog.symbolic.engine import *  # noqa: F403
    from predinet_prolog.symbolic.english import *  # noqa: F403
    from predinet_prolog.symbolic.errors import *  # noqa: F403
    from predinet_prolog.symbolic.pool import *  # noqa: F403
    from predinet_prolog.symbolic.reasons import *  # noqa: F403
    from predinet_prolog.symbolic.rules import *  # noqa: F403

# A worker's start needs few of them: the modules are looked through, the cheap ones first, when a name is asked for.
_MODULES = "errors", "rules", "answers", "engine", "reasons", "english", "pool"


def __getattr__(name: str) -> object:
    for module in _MODULES if name[0].isupper() or "theory" in name else ():
        names = vars(importlib.import_module(f"predinet_prolog.symbolic.{module}"))
        if name in names:
            return names[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
