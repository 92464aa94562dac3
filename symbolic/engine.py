"""Asking Prolog: a program, hand-written rules and a goal go in, answers as JSON come out."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from symbolic.answers import Answers
from symbolic.errors import SymbolicError
from symbolic.question import Bounds, Question
from symbolic.rules import Rules
from symbolic.worker import Worker

T = TypeVar("T")


class Engine:
    """SWI-Prolog in a process of its own, for the questions of strangers.

        with Engine() as engine:
            answers = engine.ask("object(ob_0). object(ob_1).", "object(X)")

    Making an Engine costs nothing: the first question starts the worker (about 0.1 s), and so does the first one after
    a worker died, was killed at its time limit, or has served its share. Programs stay loaded, the last
    few of them, so asking one again is cheap. An Engine may be shared by threads: questions wait for each other.

    time_limit: seconds that a goal may take, unless asked otherwise. Loading has a limit of its own (limits.py).
    answer_limit: answers that a question gets at most.
    """

    def __init__(self, *, time_limit: float = 1.0, answer_limit: int = 1000) -> None:
        self._bounds = Bounds(time_limit, answer_limit)
        self._guard = threading.Lock()  # of the loop's beginning and end
        self._loop: asyncio.AbstractEventLoop | None = None  # in a thread of its own
        self._thread: threading.Thread | None = None
        self._turn = asyncio.Lock()
        self._worker: Worker | None = None

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
        with self._guard:
            loop, thread = self._loop, self._thread
            if loop is None or thread is None:
                return
            asyncio.run_coroutine_threadsafe(self._close(), loop).result()
            self._loop = None
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def start(self) -> None:
        """Begins to start the worker if there is none, and does not wait for it: for who has a question soon. If it
        cannot start, the question tells why."""
        self._begin(self._start())

    def ask(
        self,
        program: str,
        goal: str,
        *,
        rules: Sequence[Rules] = (),
        limit: int | None = None,
        time_limit: float | None = None,
        why: bool = False,
    ) -> Answers:
        """The answers of `goal` in `program` with `rules`.

        program: facts and clauses, no directives.
        goal: one Prolog term, at most 4,096 characters; a full stop at its end is accepted.
        limit: how many answers are wanted; never more than the engine's answer limit.
        time_limit: seconds that the goal may take; the engine's by default.
        why: whether each answer comes with its proof.

        Raises one of the SymbolicErrors of errors.py, and ValueError for limits that are not positive.
        """
        question = self._bounds.question(program, goal, rules, limit, time_limit, why)
        text = self._begin(self._ask(question))
        try:
            return Answers.from_reply(json.loads(text.result()))
        finally:
            text.cancel()  # where this thread is interrupted

    def _begin(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        with self._guard:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._turn = asyncio.Lock()
                self._thread = threading.Thread(target=self._loop.run_forever, name="prolog", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    async def _ask(self, question: Question) -> bytes:
        async with self._turn:
            worker = await self._ready()
            try:
                return await worker.ask(question)
            finally:
                if worker.spent or not worker.alive:
                    await self._stop()

    async def _start(self) -> None:
        with suppress(SymbolicError, OSError):
            async with self._turn:
                await self._ready()

    async def _close(self) -> None:
        if self._worker is not None:
            self._worker.kill()  # before the turn, which a running question has until its answer comes
        async with self._turn:
            await self._stop()

    async def _ready(self) -> Worker:
        if self._worker is not None and not self._worker.alive:  # it died between two questions
            await self._stop()
        if self._worker is None:
            self._worker = await Worker.start()
        return self._worker

    async def _stop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.kill()
            await worker.closed()
