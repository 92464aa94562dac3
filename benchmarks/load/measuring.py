"""Closed loops: each client sends its next request when it has the answer to the last one."""

import asyncio
import gc
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from time import perf_counter, process_time

import numpy as np

from benchmarks.load.client import Client, DroppedError, Reply

WARM_UP = 0.1  # of a phase's seconds, added in front and not counted
PAUSE = 0.05  # seconds after an answer that was none; a server that asks for more gets at most this, too
_EXAMPLES = 5


class Verdict(Enum):
    """What became of a request."""

    RIGHT = "right"
    WRONG = "wrong"
    """Answered, but not with what the reference says."""
    REFUSED = "refused"
    """The service was too busy and said when to come back."""
    LOST = "lost"
    """Everything else: no answer, or an error that the request did not deserve."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A request, what its answer is worth, and the tally it belongs to."""

    request: bytes
    judge: Callable[[Reply], Verdict]
    tag: str = "honest"


@dataclass
class Tally:
    """What became of the requests of one kind in one phase."""

    seconds: float = 0.0
    """How long was counted."""
    latencies: "array[float]" = field(default_factory=lambda: array("d"))
    """Seconds from sending to the last byte, of the requests answered within the time counted."""
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    """Statuses, with the kind of problem where there is one."""
    examples: list[str] = field(default_factory=list)
    """The first few answers that were wrong or lost."""

    def note(self, verdict: Verdict, said: str, detail: str = "") -> None:
        """Counts one request."""
        self.verdicts[verdict] += 1
        self.said[said] += 1
        if verdict in (Verdict.WRONG, Verdict.LOST) and len(self.examples) < _EXAMPLES:
            self.examples.append(f"{said}: {detail}"[:400])

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.latencies) / self.seconds if self.seconds else 0.0

    def percentile(self, share: float) -> float:
        """Milliseconds that `share` of the answers came within, the least such latency; 0 if there is none."""
        if not self.latencies:
            return 0.0
        return 1000 * float(np.quantile(self.latencies, share, method="inverted_cdf"))

    def to_json(self) -> dict[str, object]:
        """All figures."""
        return {
            "requests_per_second": round(self.rate, 1),
            **{f"p{share}_ms": round(self.percentile(share / 100), 3) for share in (50, 95, 99)},
            "max_ms": round(self.percentile(1), 3),
            **{verdict.value: self.verdicts[verdict] for verdict in Verdict},
            "said": dict(self.said.most_common()),
            "examples": self.examples,
        }


NextErrand = Callable[[], Errand | None]
"""What a client does next; None: there is nothing left to do."""


@dataclass
class Phase:
    """One measurement."""

    tallies: dict[str, Tally]
    """What became of the requests, by the errands' tags."""
    cpu: dict[str, float] = field(default_factory=dict)
    """Microseconds of processor time for each request, by who took it."""

    @property
    def honest(self) -> Tally:
        """The tally of the requests that count."""
        return self.tallies["honest"]

    def to_json(self) -> dict[str, object]:
        """All figures."""
        return {**{tag: tally.to_json() for tag, tally in self.tallies.items()}, "cpu_us_per_request": self.cpu}


class Loop:
    """One closed loop. `ticket`, if given, is waited for before each request; `done` is called after each."""

    def __init__(
        self,
        port: int,
        source: str,
        next_errand: NextErrand,
        *,
        ticket: asyncio.Semaphore | None = None,
        done: Callable[[], None] | None = None,
    ) -> None:
        self._client = Client(port, source)
        self._next = next_errand
        self._ticket = ticket
        self._done = done

    async def run(self, tallies: dict[str, Tally], start: float, end: float) -> None:
        """Sends requests until `end`; those answered before `start` count only if something is amiss."""
        try:
            while perf_counter() < end:
                if self._ticket is not None and not await _acquired(self._ticket, end - perf_counter()):
                    break
                errand = self._next()
                if errand is None:
                    break
                await self._send(errand, tallies[errand.tag], start, end)
                if self._done is not None:
                    self._done()
        finally:
            self._client.close()

    async def _send(self, errand: Errand, tally: Tally, start: float, end: float) -> None:
        sent = perf_counter()
        try:
            reply = await self._client.exchange(errand.request)
        except DroppedError as error:
            tally.note(Verdict.LOST, "no answer", str(error))
            await asyncio.sleep(PAUSE)
            return
        received = perf_counter()
        verdict = errand.judge(reply)
        amiss = verdict in (Verdict.WRONG, Verdict.LOST)
        if amiss or start <= received <= end:
            tally.note(verdict, said(reply), reply.body.decode(errors="replace") if amiss else "")
        if start <= received <= end and verdict in (Verdict.RIGHT, Verdict.WRONG):
            tally.latencies.append(received - sent)
        if verdict is not Verdict.RIGHT:
            await asyncio.sleep(min(reply.retry_after or PAUSE, PAUSE))


async def together(
    seconds: float,
    loops: Sequence[Loop],
    *,
    tags: Sequence[str] = ("honest",),
    cpu: Callable[[], Mapping[str, float]] = dict,
) -> Phase:
    """Runs the loops side by side for `seconds` after a warm-up. `cpu`: seconds that others have used so far."""
    tallies = {tag: Tally() for tag in tags}
    gc.collect()
    gc.freeze()  # what was prepared is large, and stays: no walk through it while time is taken
    before = {"generator": process_time(), **cpu()}
    start = perf_counter() + WARM_UP * seconds
    await asyncio.gather(*(loop.run(tallies, start, start + seconds) for loop in loops))
    counted = min(seconds, perf_counter() - start)
    used = {"generator": process_time(), **cpu()}
    gc.unfreeze()
    for tally in tallies.values():
        tally.seconds = counted
    # Time was used in the warm-up, too, where requests are not counted.
    requests = max(1.0, sum(len(tally.latencies) for tally in tallies.values()) * (1 + WARM_UP))
    return Phase(tallies, {who: round(1e6 * (used[who] - before[who]) / requests, 1) for who in used})


def honest_verdict(reply: Reply, right: bool) -> Verdict:
    """Of a request that deserves an answer. A server too busy must say when to come back, or the request is lost."""
    if reply.status == 200:
        return Verdict.RIGHT if right else Verdict.WRONG
    return Verdict.REFUSED if reply.retry_after is not None else Verdict.LOST


def hostile_verdict(reply: Reply) -> Verdict:
    """Of a request that means no good: any answer will do, unless the service broke over it."""
    if reply.retry_after is not None:
        return Verdict.REFUSED
    return Verdict.LOST if reply.status in (500, 502, 503) else Verdict.RIGHT


def said(reply: Reply) -> str:
    """The status, with the problem's kind where there is one."""
    if reply.status < 400:
        return str(reply.status)
    try:
        return f"{reply.status} {reply.json()['kind']}"
    except (ValueError, TypeError, KeyError):
        return str(reply.status)


async def _acquired(ticket: asyncio.Semaphore, patience: float) -> bool:
    try:
        async with asyncio.timeout(max(0.0, patience)):
            await ticket.acquire()
    except TimeoutError:
        return False
    return True
