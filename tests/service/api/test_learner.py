"""Searches for rules: one at a time, bounded, and ended with their process."""

import asyncio
import sys
from pathlib import Path

import pytest

from predinet_prolog.neural.errors import WorkerDiedError
from predinet_prolog.service.api import learner as module
from predinet_prolog.service.api.learner import Learner
from predinet_prolog.service.errors import BusyError, ClientLimitError
from predinet_prolog.symbolic import TimeLimitError
from tests.service.helpers import gone

pytestmark = pytest.mark.slow(3)

ECHO = "import sys; sys.stdout.write(sys.stdin.read())"
HANG = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"


def running(monkeypatch: pytest.MonkeyPatch, code: str, *arguments: object) -> None:
    """Puts other code in the place of the search."""
    monkeypatch.setattr(module, "_COMMAND", [sys.executable, "-c", code, *map(str, arguments)])


async def begun(path: Path) -> int:
    """Waits for the process that writes its number there."""
    while not path.exists() or not path.read_text():
        await asyncio.sleep(0.01)
    return int(path.read_text())


async def test_a_search_gets_the_lesson_and_its_answer_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    running(monkeypatch, ECHO)
    learner = Learner(seconds=60, patience=60)
    lessons = [b"%d" % number * 100_000 for number in range(3)]
    found = await asyncio.gather(*(learner.learn(each, client=str(each[0])) for each in lessons))
    assert found == lessons
    assert (learner.waiting, learner.killed) == (0, 0)


async def test_at_its_time_limit_a_search_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    running(monkeypatch, HANG, tmp_path / "pid")
    learner = Learner(seconds=3, patience=60)
    searching = asyncio.create_task(learner.learn(b"", client="a"))
    process = await begun(tmp_path / "pid")
    with pytest.raises(TimeLimitError, match=r"3 s.*fewer pictures"):
        await searching
    assert gone(process)
    assert (learner.waiting, learner.killed) == (0, 1)


async def test_each_client_has_one_and_the_others_wait_a_while(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    running(monkeypatch, HANG, tmp_path / "pid")
    learner = Learner(seconds=600, patience=0.1)
    searching = asyncio.create_task(learner.learn(b"", client="a"))
    await begun(tmp_path / "pid")
    with pytest.raises(ClientLimitError):
        await learner.learn(b"", client="a")
    assert learner.waiting == 1
    with pytest.raises(BusyError, match=r"0\.1 s") as busy:
        await learner.learn(b"", client="b")
    assert busy.value.retry_after > 0
    searching.cancel()
    await asyncio.wait([searching])


async def test_a_search_knows_nothing_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREDINET_PROLOG_TOKENS", "a-token-of-the-test")
    running(monkeypatch, "import os; print(sorted(os.environ))")
    names = (await Learner(seconds=60, patience=60).learn(b"", client="a")).decode()
    assert "PATH" in names
    assert "TOKENS" not in names


async def test_a_search_fails_in_the_log(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    running(monkeypatch, "import sys; sys.exit('a secret of the machine')")
    with pytest.raises(WorkerDiedError) as died:
        await Learner(seconds=60, patience=60).learn(b"", client="a")
    assert "secret" not in str(died.value)
    assert "a secret of the machine" in caplog.text
