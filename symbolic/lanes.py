"""The questions that wait, and which of them a free worker takes: a quick lane and a patient one.

A question's first try has a slice of time only, unless nobody else waits. If that is not enough it waits in the
patient lane for a second try with its whole time. Questions are pure, so asking again is safe.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

from predinet_prolog.symbolic import limits
from predinet_prolog.symbolic.errors import OverloadedError
from predinet_prolog.symbolic.question import Question
from predinet_prolog.symbolic.queueing import FairQueue

_SLOW = 4  # a question that takes so many slices goes to the patient lane when it comes again
_REMEMBERED = 1000  # such questions

PROBE = "\0probe"
"""The client whose question only tells whether a worker answers. No other has such a name; its place is its own."""


@dataclass(eq=False)
class Ticket:
    """A question on its way, and the future of its answers."""

    question: Question
    client: str
    answers: asyncio.Future[bytes]
    deadline: float  # by the loop's clock: when it has waited enough
    retries: int = 0  # so many workers died while it was asked
    lane: FairQueue[Ticket] | None = None  # where it waits
    expiry: asyncio.TimerHandle | None = None


class Turn(NamedTuple):
    """A ticket to be served now."""

    ticket: Ticket
    seconds: float  # that the goal may take
    load_seconds: float
    sliced: bool  # there is a second try
    lane: FairQueue[Ticket]  # where it came from


@dataclass(eq=False)
class Share:
    """What one worker does for the lanes.

    patient: whether it serves the patient lane at all.
    quick_until: having served slow questions for some time, it owes as much to the quick ones that wait.
    """

    patient: bool
    quick_until: float = 0.0


class Lanes:
    """waiting: how many tickets the quick lane holds. servers: how many workers serve the patient one."""

    def __init__(self, *, waiting: int, workers: int, servers: int) -> None:
        self.quick: FairQueue[Ticket] = FairQueue()
        self.patient: FairQueue[Ticket] = FairQueue()
        self._waiting = waiting
        self._workers = workers
        self._servers = servers
        self._slow: OrderedDict[int, None] = OrderedDict()  # hashes of questions for which a slice was far too little
        self._mean = {id(self.quick): limits.SLICE / 10, id(self.patient): 0.5}  # seconds of a turn, lately

    @property
    def waiting(self) -> int:
        """Tickets in the quick lane. A probe is none of them: it must not take a question's place."""
        return len(self.quick) - self.quick.waiting(PROBE)

    def enter(self, ticket: Ticket, *, heavy: bool = False) -> None:
        """A new ticket waits from now on.

        heavy: a slice will not do for it. Raises OverloadedError if the lane is full; a probe finds room always.
        """
        full = len(self.patient) >= limits.PATIENT
        if heavy or (hash(ticket.question) in self._slow and not full):
            self.enter_patiently(ticket)
        elif ticket.client != PROBE and self.waiting >= self._waiting:
            raise OverloadedError(f"{self.waiting} queries wait already", self.retry_after(self.quick))
        else:
            self._push(self.quick, ticket)

    def enter_again(self, ticket: Ticket) -> None:
        """Waits for another try before all others of its client: somebody else ended its worker."""
        self._push(self.quick, ticket, first=True)

    def enter_patiently(self, ticket: Ticket) -> None:
        """Waits for a try with all its time. Raises OverloadedError if too many do."""
        if len(self.patient) >= limits.PATIENT:
            raise OverloadedError(f"{len(self.patient)} slow queries wait already", self.retry_after(self.patient))
        self._push(self.patient, ticket)

    def leave(self, ticket: Ticket) -> bool:
        """Waits no longer. Returns whether it did."""
        if ticket.expiry is not None:
            ticket.expiry.cancel()
            ticket.expiry = None
        if ticket.lane is None:
            return False
        ticket.lane.remove(ticket.client, ticket)
        ticket.lane = None
        return True

    def next(self, share: Share, now: float) -> Turn | None:
        """The turn that a free worker takes, if there is one for it."""
        if share.patient and self.patient and not (self.quick and now < share.quick_until):
            return self._turn(self.patient, sliced=False)
        if self.quick:
            # With nobody else waiting the patient lane's worker can as well finish what it begins.
            return self._turn(self.quick, sliced=not share.patient or len(self.quick) > 1)
        return None

    def served(self, turn: Turn, share: Share, seconds: float, now: float) -> None:
        """A turn took so long."""
        turn.ticket.deadline += seconds
        turn.lane.charge(turn.ticket.client, seconds)
        mean = self._mean[id(turn.lane)]
        self._mean[id(turn.lane)] = mean + 0.05 * (seconds - mean)
        if seconds > limits.SLICE:
            share.quick_until = now + seconds
        if not turn.sliced:
            self._learn(turn.ticket.question, seconds)

    def retry_after(self, lane: FairQueue[Ticket]) -> int:
        """Whole seconds until the lane may have room."""
        servers = self._workers if lane is self.quick else self._servers
        return max(1, math.ceil(len(lane) * self._mean[id(lane)] / servers))

    def _learn(self, question: Question, seconds: float) -> None:
        """A try with all its time took so long. Only the slow are remembered: others had a busy machine."""
        self._slow.pop(hash(question), None)
        if seconds > _SLOW * limits.SLICE:
            self._slow[hash(question)] = None
            if len(self._slow) > _REMEMBERED:
                self._slow.popitem(last=False)

    def _push(self, lane: FairQueue[Ticket], ticket: Ticket, *, first: bool = False) -> None:
        lane.push(ticket.client, ticket, first=first)
        ticket.lane = lane

    def _turn(self, lane: FairQueue[Ticket], *, sliced: bool) -> Turn:
        ticket = lane.pop()
        ticket.lane = None
        self.leave(ticket)
        if sliced:
            seconds = min(ticket.question.seconds, limits.SLICE)
            return Turn(ticket, seconds, limits.LOAD_SLICE, True, lane)
        return Turn(ticket, ticket.question.seconds, limits.LOAD_SECONDS, False, lane)
