"""Asking Prolog: a program, hand-written rules and a goal go in, answers as JSON come out."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from itertools import count
from types import TracebackType
from typing import Any

from symbolic import limits
from symbolic.answers import Answers
from symbolic.errors import TimeLimitError, error_from_reply, goal_time_limit
from symbolic.precheck import check_goal, check_text
from symbolic.process import OutOfTime, WorkerProcess
from symbolic.rules import Rules
from symbolic.swipl import find_swi_prolog


class Engine:
    """SWI-Prolog in a process of its own, for the questions of strangers.

        with Engine() as engine:
            answers = engine.ask("object(ob_0). object(ob_1).", "object(X)")

    Making an Engine costs nothing: the first question starts the worker (about 0.2 s), and so does the first one after
    a worker died, was killed at its time limit, or has served its share. Programs stay loaded, the last
    few of them, so asking one again is cheap. An Engine may be shared by threads: questions wait for each other.

    time_limit: seconds that a goal may take, unless asked otherwise. Loading has a limit of its own (limits.py).
    answer_limit: answers that a question gets at most.
    """

    def __init__(self, *, time_limit: float = 1.0, answer_limit: int = 1000) -> None:
        self._time_limit = _positive_seconds(time_limit)
        self._answer_limit = _positive_count(answer_limit)
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._requests = 0
        # What the worker has loaded, least recently asked first, and the key it knows it by.
        self._loaded: OrderedDict[tuple[str, tuple[Rules, ...]], str] = OrderedDict()
        self._keys = count()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the worker. The engine can be asked again afterwards, and then starts another one.

        A question that another thread is waiting for gets a WorkerError.
        """
        worker = self._worker
        if worker is not None:
            worker.kill()  # before the lock, which a running question holds until its answer comes
        with self._lock:
            self._stop()

    def ask(
        self,
        program: str,
        goal: str,
        *,
        rules: Sequence[Rules] = (),
        limit: int | None = None,
        time_limit: float | None = None,
    ) -> Answers:
        """The answers of `goal` in `program` with `rules`.

        program: facts and clauses, no directives.
        goal: one Prolog term, at most 4,096 characters; a full stop at its end is accepted.
        limit: how many answers are wanted; never more than the engine's answer limit.
        time_limit: seconds that the goal may take; the engine's by default.

        Raises one of the SymbolicErrors of errors.py, and ValueError for limits that are not positive.
        """
        wanted = self._answer_limit if limit is None else min(_positive_count(limit), self._answer_limit)
        seconds = self._time_limit if time_limit is None else _positive_seconds(time_limit)
        check_goal(goal)
        sources = (program, tuple(rules))
        with self._lock:
            key = self._loaded.get(sources) if self._running() else None
            if key is None:
                key = self._load(sources)
            self._loaded.move_to_end(sources)
            try:
                reply = self._request(["ask", key, goal, wanted, math.ceil(seconds * 1000)], seconds)
            except OutOfTime:
                raise goal_time_limit(seconds) from None
            if self._requests >= limits.REQUESTS:
                self._stop()
        if "error" in reply:
            raise error_from_reply(reply["error"], seconds)
        return Answers.from_reply(reply)

    def _running(self) -> bool:
        """Whether the worker is there. One that died meanwhile is forgotten."""
        if self._worker is not None and not self._worker.alive:
            self._stop()
        return self._worker is not None

    def _load(self, sources: tuple[str, tuple[Rules, ...]]) -> str:
        """Loads what is asked in, making room for it. Returns its key."""
        program, rules = sources
        texts = ["program", program]
        check_text("program", program)
        for file in rules:
            check_text(file.name, file.text)
            texts += [file.name, file.text]
        while len(self._loaded) >= limits.LOADED_PROGRAMS:
            _, oldest = self._loaded.popitem(last=False)
            self._request(["drop", oldest], limits.LOAD_SECONDS)
        key = str(next(self._keys))
        try:
            reply = self._request(["load", key, texts], limits.LOAD_SECONDS)
        except OutOfTime:
            raise TimeLimitError(
                f"the program and its rules took longer than {limits.LOAD_SECONDS:g} s to load"
            ) from None
        if "error" in reply:
            raise error_from_reply(reply["error"], limits.LOAD_SECONDS)
        self._loaded[sources] = key
        return key

    def _request(self, message: list[object], seconds: float) -> dict[str, Any]:
        """The worker's reply; one is started if there is none."""
        if self._worker is None:
            self._worker = WorkerProcess(find_swi_prolog())
        self._requests += 1
        try:
            return self._worker.request(message, seconds)
        except BaseException:  # the worker is dead, or, interrupted half-way, of no more use
            self._stop()
            raise

    def _stop(self) -> None:
        self._loaded.clear()
        self._requests = 0
        if self._worker is not None:
            self._worker.close()
            self._worker = None


def _positive_seconds(seconds: float) -> float:
    if not 0 < seconds < math.inf:
        raise ValueError(f"a time limit is a positive number of seconds, not {seconds}")
    return seconds


def _positive_count(number: int) -> int:
    if number < 1:
        raise ValueError(f"a limit is a positive number of answers, not {number}")
    return number
