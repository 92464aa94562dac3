"""A few seconds of fuzzing, and that it would see what it looks for."""

from pathlib import Path

import pytest

from predinet_prolog.symbolic import Engine
from tests.symbolic.hostile import fuzz

pytestmark = pytest.mark.slow(9)


def test_a_few_seconds_of_fuzzing(tmp_path: Path) -> None:
    report = fuzz.fuzz(20, 5.0, tmp_path)
    assert report.violations == [], str(report)
    assert report.outcomes.total() > 100, str(report)
    assert len(report.outcomes) >= 5, str(report)


def test_the_same_seed_makes_up_the_same_questions() -> None:
    one, other = fuzz.Grammar(3), fuzz.Grammar(3)
    assert [one.entry() for _ in range(50)] == [other.entry() for _ in range(50)]


def test_a_reply_that_is_none_is_a_violation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asks = Engine.ask

    def stumbles(engine: Engine, program: str, goal: str, **options: object) -> object:
        if goal not in ("true", fuzz.PROBE):
            raise AssertionError("no reply")
        return asks(engine, program, goal, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "ask", stumbles)
    report = fuzz.fuzz(20, 1.0, tmp_path)
    assert any("AssertionError: no reply" in violation for violation in report.violations)
