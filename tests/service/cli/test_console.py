"""What long work says where no terminal is to draw a bar."""

import pytest

from predinet_prolog.service.cli.progress import progress


def lines(capsys: pytest.CaptureFixture[str], *, total: int, step: int, logged: bool = True) -> list[str]:
    """What is said of work of `total` steps that is reported in chunks of `step`."""
    with progress("seed 3", total, "steps", logged=logged) as advance:
        for done in range(0, total, step):
            advance(min(step, total - done), f"loss 0.{done}")
    return capsys.readouterr().err.splitlines()


def test_a_log_has_a_line_every_thousand_steps_and_one_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, total=2300, step=100) == [
        "predinet-prolog: seed 3: 1000 of 2300 steps, loss 0.900",
        "predinet-prolog: seed 3: 2000 of 2300 steps, loss 0.1900",
        "predinet-prolog: seed 3: 2300 of 2300 steps, loss 0.2200",
    ]


def test_short_work_and_work_that_is_not_logged_say_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, total=999, step=1) == []
    assert lines(capsys, total=5000, step=100, logged=False) == []
