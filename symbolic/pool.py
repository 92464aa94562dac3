"""Prolog for many at once: workers shared by the clients of an event loop."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from predinet_prolog.symbolic.english import Replied, only, replied
from predinet_prolog.symbolic.errors import ClientLimitError, OverloadedError, SymbolicError, WorkerError
from predinet_prolog.symbolic.question import Bounds, Operation, Question
from predinet_prolog.symbolic.replies import out_of_memory
from predinet_prolog.symbolic.rules import Rules
from predinet_prolog.symbolic.worker import Worker

logger = logging.getLogger(__name__)

_CLOSED = "the pool of Prolog processes is closed"


@dataclass(frozen=True)
class PoolStats:
    """How the pool does. The last five count from its start."""

    workers: int  # wanted
    ready: int  # whose process is there
    busy: int  # that are being asked, or start
    waiting: int  # questions
    started: int  # processes
    killed: int  # processes ended for a question that took too long
    died: int  # processes that ended for another reason
    recycled: int  # processes that had served their share
    retried: int  # questions asked again because their process died


@dataclass(eq=False)
class _Ticket:
    """A question on its way, and the future of its answers."""

    question: Question
    client: str
    answers: asyncio.Future[bytes]
    patience: asyncio.Timeout  # ends while it waits

    def settle(self, outcome: bytes | Exception) -> None:
        """Tells who asked, unless he has left."""
        if self.answers.done():
            return
        if isinstance(outcome, bytes):
            self.answers.set_result(outcome)
        else:
            self.answers.set_exception(outcome)


class Pool:
    """`workers` Prolog processes, asked in threads; clients take turns.

        async with Pool() as pool:
            text = await pool.ask("object(ob_0). object(ob_1).", "object(X)", client="somebody")

    time_limit, answer_limit: of a question, as for an Engine.
    waiting: questions that may wait.
    per_client: questions of one client that may wait or run at once.
    patience: seconds that a question may wait.
    """

    def __init__(
        self,
        *,
        workers: int = 2,
        time_limit: float = 1.0,
        answer_limit: int = 1000,
        waiting: int = 64,
        per_client: int = 16,
        patience: float = 5.0,
    ) -> None:
        self._bounds = Bounds(time_limit, answer_limit)
        self._waiting = waiting
        self._per_client = per_client
        self._patience = patience
        self._workers = [Worker() for _ in range(workers)]
        self._idle: list[Worker] = []
        self._queue: list[_Ticket] = []
        self._clients: Counter[str] = Counter()  # tickets of each that wait or run
        self._retried = 0
        self._threads: ThreadPoolExecutor | None = None
        self._turns: set[asyncio.Task[None]] = set()
        self._probe: asyncio.Task[bytes] | None = None  # whoever wants to know whether a worker answers waits for it

    async def __aenter__(self) -> Pool:
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(len(self._workers), "prolog")
        for worker in self._workers:
            self._begin(worker, None)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends all processes. Questions that wait or run get a WorkerError."""
        threads, self._threads = self._threads, None
        if threads is None:
            return
        for ticket in self._queue:
            ticket.settle(WorkerError(_CLOSED))
        while self._turns:
            for worker in self._workers:
                worker.kill()
            await asyncio.wait(self._turns, timeout=0.05)  # one that was starting is there only now
        for worker in self._workers:
            worker.close()
        threads.shutdown()

    async def ask(
        self,
        program: str,
        goal: str,
        *,
        rules: Sequence[Rules] = (),
        limit: int | None = None,
        why: bool = False,
        text: bool = False,
        facts: Sequence[str] | None = None,
        client: str = "",
    ) -> bytes:
        """The answers of `goal` in `program` with `rules`: the JSON text of `Answers.to_json`, in UTF-8. With `facts`
        that of `Engine.suppose`, and if there are none of `Engine.least_changes`.

        The others are as there. text: as an Engine has it. client: who asks; clients are served fairly, and each is
        limited.

        Raises one of the SymbolicErrors of errors.py, and ValueError for limits that are not positive.
        """
        operation: Operation = "ask" if facts is None else "suppose"
        beside = int(why) if facts is None else [*facts]
        bounds = replace(self._bounds, text=text)
        return await self._answer(bounds.question(program, goal, rules, limit, None, operation, beside), client)

    async def ask_in_english(
        self, program: str, question: str, *, rules: Sequence[Rules] = (), client: str = ""
    ) -> Replied:
        """What a question in English gets, as `Engine.ask_in_english` has it. Raises what is wrong with it, and as
        `ask`."""
        put = self._bounds.in_english(program, [("", [question])], rules)
        return only(replied(await self._answer(put, client), put))

    async def ready(self, seconds: float = 1.0) -> None:
        """Returns when a worker has answered; at once where all are at questions, whose time is limited. Raises a
        SymbolicError if none answers in so many seconds. All who ask at once share one question."""
        if self._threads and not self._idle and any(worker.started for worker in self._workers):
            return
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._answer(self._bounds.question("", "true", ()), ""))
        try:
            await asyncio.wait_for(asyncio.shield(self._probe), seconds)  # who leaves must not end it for the rest
        except TimeoutError:
            raise WorkerError(f"no Prolog process answered in {seconds:g} s") from None

    def stats(self) -> PoolStats:
        workers = self._workers
        return PoolStats(
            workers=len(workers),
            ready=sum(worker.alive for worker in workers),
            busy=len(workers) - len(self._idle),
            waiting=len(self._queue),
            started=sum(worker.started for worker in workers),
            killed=sum(worker.killed for worker in workers),
            died=sum(worker.died for worker in workers),
            recycled=sum(worker.recycled for worker in workers),
            retried=self._retried,
        )

    # A question's way: it waits, and is at a worker.

    async def _answer(self, question: Question, client: str) -> bytes:
        if self._threads is None:
            raise WorkerError(_CLOSED)
        if self._clients[client] >= self._per_client:
            raise ClientLimitError(f"one client may ask {self._per_client} questions at once", 1)
        retry_after = math.ceil(self._patience)
        if len(self._queue) >= self._waiting:
            raise OverloadedError(f"{len(self._queue)} queries wait already", retry_after)
        ticket = _Ticket(question, client, self._loop.create_future(), asyncio.timeout(self._patience))
        self._clients[client] += 1
        self._queue.append(ticket)
        try:
            async with ticket.patience:
                self._serve()
                return await ticket.answers
        except TimeoutError:
            raise OverloadedError(f"no Prolog process got free in {self._patience:g} s", retry_after) from None
        finally:
            if ticket in self._queue:  # one that runs goes on to its end, and counts as the client's until then
                self._queue.remove(ticket)
                self._clients -= Counter([client])

    # A worker's way: from one ticket to the next.

    def _serve(self) -> None:
        """Idle workers take tickets, best such whose program they have loaded."""
        while self._idle and (ticket := next((one for one in self._queue if not one.answers.done()), None)):
            ticket.patience.reschedule(None)
            self._queue.remove(ticket)
            self._queue.sort(key=lambda other: other.client == ticket.client)  # clients take turns
            worker = max(self._idle, key=lambda worker: worker.holds(ticket.question))
            self._idle.remove(worker)
            self._begin(worker, ticket)

    def _begin(self, worker: Worker, ticket: _Ticket | None) -> None:
        turn = asyncio.create_task(self._turn(worker, ticket))
        self._turns.add(turn)
        turn.add_done_callback(self._turns.discard)

    async def _turn(self, worker: Worker, ticket: _Ticket | None) -> None:
        """A worker is asked, and started afresh if it has to be: the next question shall not wait for that."""
        if ticket is not None:
            try:
                outcome: bytes | Exception = await self._asked(worker, ticket.question)
            except SymbolicError as error:
                outcome = error
            except Exception as error:
                logger.exception("a Prolog process said what nobody understands")
                worker.close()
                outcome = error
            ticket.settle(outcome)
            self._clients -= Counter([ticket.client])
        if self._threads and not worker.alive:
            try:
                await self._loop.run_in_executor(self._threads, worker.start)
            except (SymbolicError, OSError) as error:
                logger.error("a Prolog process could not start: %s", error)
        self._idle.append(worker)
        if self._threads:
            self._serve()

    async def _asked(self, worker: Worker, question: Question) -> bytes:
        """What the worker answers. Questions are pure: one whose process dies is asked once more."""
        try:
            return await self._loop.run_in_executor(self._threads, worker.ask, question)
        except WorkerError as error:
            if self._threads is None:
                raise WorkerError(_CLOSED) from None
            logger.warning("%s", error)
        self._retried += 1
        try:
            return await self._loop.run_in_executor(self._threads, worker.ask, question)
        except WorkerError as error:
            raise out_of_memory() if worker.crashed else error from None
