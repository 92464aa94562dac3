"""Prolog for many at once: worker processes shared by the clients of an event loop.

The first of the workers, if there are several, never serves the patient lane (lanes.py): however many slow questions
come, there is one that is free again within a slice.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType

from predinet_prolog.symbolic import limits
from predinet_prolog.symbolic.english import Replied, only, replied
from predinet_prolog.symbolic.errors import (
    ClientLimitError,
    OverloadedError,
    SymbolicError,
    TimeLimitError,
    WorkerError,
    out_of_memory,
)
from predinet_prolog.symbolic.lanes import PROBE, Lanes, Share, Ticket, Turn
from predinet_prolog.symbolic.nonblocking import Tried, drive
from predinet_prolog.symbolic.question import Bounds, Question
from predinet_prolog.symbolic.rules import Rules
from predinet_prolog.symbolic.supply import Supply
from predinet_prolog.symbolic.worker import Worker

logger = logging.getLogger(__name__)

_CLOSED = "the pool of Prolog processes is closed"
_PAUSE = 1.0  # seconds until the next try when no worker could start
_RETRIES = 4  # of a question whose workers somebody else keeps killing


@dataclass(frozen=True)
class PoolStats:
    """How the pool does. The last five count from its start."""

    workers: int  # wanted, without the spare
    ready: int  # that can be asked
    busy: int  # that are being asked
    spares: int  # started ahead
    waiting: int  # questions that wait for their first try
    patient: int  # questions that wait for their second try, with their whole time
    started: int  # workers
    killed: int  # workers ended for a question that took too long
    died: int  # workers that ended for another reason
    recycled: int  # workers that had served their share
    retried: int  # questions asked again because their worker died


@dataclass(eq=False)
class _Slot:
    """The place of a worker."""

    share: Share
    worker: Worker | None = None
    turn: Turn | None = None  # what it is at
    filling: asyncio.Task[None] | None = None  # gets a worker

    @property
    def idle(self) -> bool:
        """Whether it could serve a ticket now."""
        return self.turn is None and self.worker is not None and self.worker.alive


class Pool:
    """`workers` Prolog processes and a spare one.

        async with Pool() as pool:
            text = await pool.ask("object(ob_0). object(ob_1).", "object(X)", client="somebody")

    time_limit, answer_limit: of a question, as for an Engine.
    waiting: questions that may wait for their first try; limits.PATIENT more may wait for their second.
    per_client: questions of one client that may wait or run at once.
    patience: seconds that a question may wait.

    Raises ValueError for numbers that are not positive.
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
        if min(workers, waiting, per_client, patience) <= 0:
            raise ValueError("workers, waiting, per_client and patience are positive numbers")
        self._bounds = Bounds(time_limit, answer_limit)
        self._per_client = per_client
        self._patience = patience
        self._slots = [_Slot(Share(patient=i > 0 or workers == 1)) for i in range(workers)]
        self._lanes = Lanes(waiting=waiting, workers=workers, servers=max(1, workers - 1))
        self._clients: Counter[str] = Counter()  # tickets of each that wait or run
        self._killed = self._died = self._recycled = self._retried = 0
        self._let_go: set[Worker] = set()  # recycled, and about to end
        self._supply: Supply | None = None
        self._probe: asyncio.Task[None] | None = None  # whoever wants to know whether a worker answers waits for it

    async def __aenter__(self) -> Pool:
        self._loop = asyncio.get_running_loop()
        self._supply = Supply(self._ended)
        for slot in self._slots:
            self._fill(slot)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends all processes. Questions that wait or run get a WorkerError."""
        supply, self._supply = self._supply, None
        if supply is None:
            return
        closed = WorkerError(_CLOSED)
        running = [slot.turn.ticket for slot in self._slots if slot.turn is not None]
        for ticket in [*self._lanes.quick, *self._lanes.patient, *running]:
            self._lanes.leave(ticket)
            self._settle(ticket, closed)
        for slot in self._slots:
            slot.worker = slot.turn = None
            if slot.filling is not None:
                slot.filling.cancel()
        await supply.aclose()

    async def ask(
        self,
        program: str,
        goal: str,
        *,
        rules: Sequence[Rules] = (),
        limit: int | None = None,
        time_limit: float | None = None,
        why: bool = False,
        facts: Sequence[str] | None = None,
        client: str = "",
    ) -> bytes:
        """The answers of `goal` in `program` with `rules`: the JSON text of `Answers.to_json`, in UTF-8. With `facts`
        that of `Engine.suppose`, and if there are none of `Engine.least_changes`.

        All but `client` are as there. client: who asks; clients are served fairly, and each is limited.

        Raises one of the SymbolicErrors of errors.py, and ValueError for limits that are not positive.
        """
        question = self._bounds.question(program, goal, rules, limit, time_limit, why, facts)
        if self._clients[client] >= self._per_client:
            raise ClientLimitError(f"one client may ask {self._per_client} questions at once", 1)
        return await self._answer(question, client)

    async def ask_in_english(
        self, program: str, question: str, *, rules: Sequence[Rules] = (), client: str = ""
    ) -> Replied:
        """What a question in English gets, as `Engine.ask_in_english` has it. Raises what is wrong with it, and as
        `ask`."""
        pictures = [("", [question])]
        put = self._bounds.in_english(program, pictures, rules)
        if self._clients[client] >= self._per_client:
            raise ClientLimitError(f"one client may ask {self._per_client} questions at once", 1)
        return only(replied(json.loads(await self._answer(put, client)), pictures, put.seconds))

    async def ready(self, seconds: float = 1.0) -> None:
        """Returns when a worker has answered. Raises a SymbolicError if none does in so many seconds.

        All who ask at once share one question to a worker, and the seconds of the first of them.
        """
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._probed(seconds))
        await asyncio.shield(self._probe)  # one who leaves must not end it for the others

    async def _probed(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._answer(self._bounds.question("", "true", (), 1, None, False), PROBE)
        except TimeoutError:
            raise WorkerError(f"no Prolog process answered in {seconds:g} s") from None

    def stats(self) -> PoolStats:
        """How the pool does at the moment."""
        return PoolStats(
            workers=len(self._slots),
            ready=sum(slot.worker is not None and slot.worker.alive for slot in self._slots),
            busy=sum(slot.turn is not None for slot in self._slots),
            spares=self._supply.spares if self._supply else 0,
            waiting=self._lanes.waiting,
            patient=len(self._lanes.patient),
            started=self._supply.started if self._supply else 0,
            killed=self._killed,
            died=self._died,
            recycled=self._recycled,
            retried=self._retried,
        )

    # A question's way: into a queue or to an idle worker.

    async def _answer(self, question: Question, client: str) -> bytes:
        if self._supply is None:
            raise WorkerError(_CLOSED)
        ticket = Ticket(question, client, self._loop.create_future(), self._loop.time() + self._patience)
        heavy = question.characters > limits.LIGHT_TEXT and not any(_holds(slot, question) for slot in self._slots)
        self._lanes.enter(ticket, heavy=heavy)
        self._clients[client] += 1
        self._offer(ticket)
        try:
            return await ticket.answers
        except asyncio.CancelledError:
            # One that runs goes on to its end, for nobody, and counts as the client's until then.
            if self._lanes.leave(ticket):
                self._settle(ticket, None)
            raise

    def _offer(self, ticket: Ticket) -> None:
        """An idle worker, if there is one for it, takes a ticket that came: best one that has the program loaded."""
        idle = [slot for slot in self._slots if slot.idle]
        if ticket.lane is self._lanes.patient:
            idle = [slot for slot in idle if slot.share.patient]
        if idle:
            self._take(max(idle, key=lambda slot: (_holds(slot, ticket.question), slot.share.patient)))
        if ticket.lane is not None and ticket.expiry is None:  # nobody was idle, or had another one to serve first
            ticket.expiry = self._loop.call_at(ticket.deadline, self._expire, ticket)

    def _expire(self, ticket: Ticket) -> None:
        """A ticket has waited enough."""
        lane = ticket.lane
        if lane is not None and self._lanes.leave(ticket):
            retry_after = self._lanes.retry_after(lane)
            message = f"no Prolog process got free in {self._patience:g} s"
            self._settle(ticket, OverloadedError(message, retry_after))

    def _settle(self, ticket: Ticket, outcome: Tried | None) -> None:
        """A ticket's end, of which there is one; None: nobody wants to know."""
        self._clients[ticket.client] -= 1
        if not self._clients[ticket.client]:
            del self._clients[ticket.client]
        if ticket.answers.done():
            return
        if isinstance(outcome, bytes):
            ticket.answers.set_result(outcome)
        elif outcome is not None:
            ticket.answers.set_exception(outcome)

    # A worker's way: from one ticket to the next.

    def _take(self, slot: _Slot) -> None:
        """A worker that is free takes the next ticket, if there is one for it."""
        worker = slot.worker
        assert worker is not None
        turn = self._lanes.next(slot.share, self._loop.time())
        if turn is not None:
            slot.turn = turn
            began = self._loop.time()
            answer = worker.ask(turn.ticket.question, seconds=turn.seconds, load_seconds=turn.load_seconds)
            drive(answer, lambda outcome: self._tried(slot, worker, turn, began, outcome))

    def _tried(self, slot: _Slot, worker: Worker, turn: Turn, began: float, outcome: Tried) -> None:
        """A try has ended: the ticket is settled, or waits for another one, and the worker goes on."""
        if self._supply is None:
            return
        slot.turn = None
        now = self._loop.time()
        self._lanes.served(turn, slot.share, now - began, now)
        if worker.alive and worker.spent and self._supply.spares:
            logger.info("the Prolog process %d has served its share, or holds too much memory", worker.pid)
            self._recycled += 1
            self._let_go.add(worker)
            slot.worker = None
            worker.kill()
        self._conclude(turn, worker, outcome)
        if slot.idle:
            self._take(slot)
        elif slot.turn is None:
            self._fill(slot)

    def _conclude(self, turn: Turn, worker: Worker, outcome: Tried) -> None:
        ticket = turn.ticket
        match outcome:
            case TimeLimitError() if turn.sliced and not self._all_its_time(turn, worker):
                self._try_again(ticket, self._lanes.enter_patiently)
            case WorkerError() if ticket.retries < (1 if worker.crashed else _RETRIES):
                ticket.retries += 1
                self._retried += 1
                self._try_again(ticket, self._lanes.enter_patiently if worker.crashed else self._lanes.enter_again)
            case WorkerError() if worker.crashed:
                self._settle(ticket, out_of_memory())
            case bytes() | SymbolicError():
                self._settle(ticket, outcome)
            case error:
                logger.error("a Prolog process said what nobody understands", exc_info=error)
                worker.kill()
                self._settle(ticket, error)

    @staticmethod
    def _all_its_time(turn: Turn, worker: Worker) -> bool:
        """Whether it was the goal that ran out of time, and a second try would give it no more."""
        question = turn.ticket.question
        return turn.seconds == question.seconds and worker.holds(question)

    def _try_again(self, ticket: Ticket, enter: Callable[[Ticket], None]) -> None:
        if ticket.answers.done():  # nobody waits for it any more
            self._settle(ticket, None)
            return
        try:
            enter(ticket)
        except OverloadedError as error:
            self._settle(ticket, error)
        else:
            self._offer(ticket)

    # A worker's place: filled, and filled again when its process has ended.

    def _fill(self, slot: _Slot) -> None:
        if slot.filling is None and self._supply is not None:
            slot.worker = None
            slot.filling = asyncio.create_task(self._filled(slot, self._supply))

    async def _filled(self, slot: _Slot, supply: Supply) -> None:
        while slot.worker is None or not slot.worker.alive:
            try:
                slot.worker = await supply.take(first=not slot.share.patient)
            except SymbolicError as error:
                if all(slot.worker is None for slot in self._slots):
                    for ticket in [*self._lanes.quick, *self._lanes.patient]:
                        self._lanes.leave(ticket)
                        self._settle(ticket, error)
                await asyncio.sleep(_PAUSE)
        slot.filling = None
        self._take(slot)

    def _ended(self, worker: Worker, status: int) -> None:
        """A worker's process has ended. Its place may be another's already."""
        if worker in self._let_go:
            self._let_go.remove(worker)
        elif worker.late:
            self._killed += 1
            logger.info("the Prolog process %d was ended at a time limit", worker.pid)
        else:
            self._died += 1
            logger.warning("the Prolog process %d ended with status %d", worker.pid, status)
        for slot in self._slots:
            if slot.worker is worker and slot.turn is None:
                self._fill(slot)


def _holds(slot: _Slot, question: Question) -> bool:
    return slot.worker is not None and slot.worker.holds(question)
