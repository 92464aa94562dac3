"""One engine for all the tests that do not need their own: starting a worker takes a while."""

from collections.abc import Iterator

import pytest

from symbolic import Engine

PROGRAM = """
% Three objects in a row, and what is known about them.
object(ob_0). object(ob_1). object(ob_2).
position(ob_0, 6.0, 6.0). position(ob_1, 18.0, 6.0). position(ob_2, 30.0, 6.0).
same(ob_0, ob_2). same(ob_2, ob_0).
left_of(X, Y) :- position(X, A, _), position(Y, B, _), A < B.
"""


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    with Engine(time_limit=10) as engine:
        yield engine


@pytest.fixture(scope="session")
def program() -> str:
    return PROGRAM
