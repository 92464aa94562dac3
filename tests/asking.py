"""One Prolog engine for all tests that only ask: to start its worker takes as long as a hundred questions."""

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from predinet_prolog.symbolic import Engine


@contextmanager
def asking() -> Iterator[Engine]:
    """The engine, which stays open for the next who asks."""
    yield _engine()


@cache
def _engine() -> Engine:
    engine = Engine(time_limit=20, answer_limit=10**7)
    atexit.register(engine.close)
    return engine
