"""The limits of an engine, each with its bound. What ends goals without measure: hostile/test_catalogue.py."""

import sys
from pathlib import Path
from typing import Any

import pytest

from predinet_prolog.symbolic import Engine, PrologError, WorkerError

pytestmark = [pytest.mark.slow(10), pytest.mark.usefixtures("time_to_load")]


def test_memory_outside_the_stacks_ends_the_worker_at_worst() -> None:
    """Collected answers are allocated outside Prolog's stacks: the address space is the limit."""
    with Engine(time_limit=60) as engine:
        engine.ask("", "true")
        if sys.platform == "linux":
            rows = Path(f"/proc/{engine._worker._process.pid}/limits").read_text().splitlines()
            (row,) = [row for row in rows if row.startswith("Max address space")]
            assert row.split()[3:5] == ["1073741824", "1073741824"], "one GiB; without it the goal takes the machine's"
        # No time limit: that would end the goal with any amount of memory.
        with pytest.raises((WorkerError, PrologError), match=r"died|memory"):
            engine.ask("", "numlist(1, 100000, N), findall(N, repeat, L)")
        assert len(engine.ask("", "true").answers) == 1


@pytest.mark.parametrize(
    "limit", [{"time_limit": 0}, {"time_limit": float("nan")}, {"time_limit": float("inf")}, {"answer_limit": 0}]
)
def test_limits_are_positive_numbers(engine: Engine, limit: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="positive number of"):
        Engine(**limit)
    with pytest.raises(ValueError, match="positive number of"):
        engine.ask("", "true", **{name.replace("answer_", ""): value for name, value in limit.items()})


def test_nobody_gets_more_answers_than_the_engines_limit() -> None:
    with Engine(answer_limit=3) as engine:
        for wanted, number in ((2, 2), (3, 3), (4, 3), (1000, 3), (None, 3)):
            answers = engine.ask("", "between(1, 9, X)", limit=wanted)
            assert [answer.bindings["X"] for answer in answers.answers] == list(range(1, number + 1))
            assert answers.more
