"""What the tests of symbolic share."""

from collections.abc import Iterator

import pytest

from predinet_prolog.symbolic import Engine, limits

PROGRAM = """
% Three objects in a row, and what is known about them.
object(ob_0). object(ob_1). object(ob_2).
position(ob_0, 6.0, 6.0). position(ob_1, 18.0, 6.0). position(ob_2, 30.0, 6.0).
same(ob_0, ob_2). same(ob_2, ob_0).
left_of(X, Y) :- position(X, A, _), position(Y, B, _), A < B.
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """For all tests of a file that need none of their own. In a worker that served much, large reasons are cut off."""
    with Engine(time_limit=10) as engine:
        yield engine


@pytest.fixture
def time_to_load(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading may take two minutes: for tests of other limits, on a machine that others keep busy."""
    monkeypatch.setattr(limits, "LOAD_SECONDS", 120.0)


@pytest.fixture(scope="session")
def program() -> str:
    return PROGRAM
