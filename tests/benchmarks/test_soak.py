"""The soak test's people against a server that misbehaves, and its judgement of memory."""

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from hashlib import sha256

import pytest

from benchmarks.load.memory import Sample, growth
from benchmarks.load.mix import Ledger, Outage, Person
from benchmarks.load.pictures import Reference
from benchmarks.load.queries import HONEST, PLACES
from tests.benchmarks.conftest import Stub, reply

PROGRAM = b"object(ob_0).\n"
ANSWERS = {"answers": [{"bindings": {"X": "ob_0"}}], "more": False}
DETAILS = {"id": "0" * 32, "objects": []}
SCENE = Reference(
    b"a png",
    DETAILS,
    {"program": sha256(PROGRAM).digest()},
    dict.fromkeys((*HONEST, PLACES), ANSWERS),
    id="0" * 32,
)
RIGHT, WRONG = reply(json.dumps(ANSWERS).encode()), reply(json.dumps({"answers": [], "more": False}).encode())
STORED, KNOWN = (reply(json.dumps(DETAILS).encode(), status) for status in ("201 Created", "200 OK"))
GONE, MISSING = reply(b"", "204 No Content"), reply(b"{}", "404 Not Found")
BUSY = reply(b"{}", "503 Service Unavailable", "Retry-After: 0")
BROKEN = reply(b"{}", "500 Internal Server Error")


def act(stub: Stub, errand: Callable[[Person], Awaitable[object]], *script: bytes | None) -> tuple[Ledger, Person]:
    """What an errand leaves in the ledger when the server answers by the script, which must be used up."""
    ledger, answers = Ledger(), iter(script)

    async def main() -> Person:
        async def answer(head: bytes, body: bytes) -> bytes | None:
            return next(answers)

        async with stub(answer) as port:
            person = Person(port, "127.0.0.2", common=[SCENE], fresh=deque([SCENE] * 3), ledger=ledger, outage=Outage())
            await person.live_once(errand(person))
            return person

    person = asyncio.run(main())
    assert not list(answers)
    return ledger, person


async def delete(person: Person) -> None:
    person.stored.append(SCENE)
    await person.delete()


@pytest.mark.parametrize(
    ("errand", "script", "lost", "wrong", "refused"),
    [
        (Person.ask, [RIGHT], 0, 0, 0),
        (Person.ask, [WRONG], 0, 1, 0),
        (Person.ask, [BUSY, BUSY, RIGHT], 0, 0, 2),
        (Person.ask, [BROKEN], 1, 0, 0),
        (Person.ask, [reply(b"{}", "503 Service Unavailable")], 1, 0, 0),
        (Person.ask, [None], 1, 0, 0),
        (Person.store, [STORED, reply(PROGRAM), RIGHT], 0, 0, 0),
        (Person.store, [STORED, reply(PROGRAM + b" "), WRONG], 0, 2, 0),
        (Person.store, [KNOWN], 1, 0, 0),  # every posting is a scene of its own: none can be known
        (delete, [GONE, MISSING], 0, 0, 0),
        (delete, [GONE, reply(PROGRAM)], 1, 0, 0),
        (delete, [MISSING, MISSING], 0, 1, 0),
    ],
)
def test_errands(
    stub: Stub,
    errand: Callable[[Person], Awaitable[object]],
    script: list[bytes | None],
    lost: int,
    wrong: int,
    refused: int,
) -> None:
    ledger, person = act(stub, errand, *script)
    assert (ledger.lost, ledger.wrong, ledger.refused, ledger.retried) == (lost, wrong, refused, 0)
    assert person.stored == ([SCENE] if errand == Person.store and not lost else [])
    if errand == Person.ask:
        assert len(ledger.examples) == lost + wrong


def test_missing_and_altered_scenes_are_found(stub: Stub) -> None:
    found: list[list[bool]] = []

    async def look(person: Person) -> None:
        person.stored += [SCENE, SCENE]
        found.append(await person.look_for_all())

    act(stub, look, reply(PROGRAM), MISSING, reply(b"another"))
    assert found == [[True, False, False]]


def test_requests_that_a_dead_server_did_not_answer_are_sent_again(stub: Stub) -> None:
    async def ask(person: Person) -> None:
        loop = asyncio.get_running_loop()
        outage = person._outage
        outage.start = 0.0
        outage.over.set()
        loop.call_later(0.05, lambda: setattr(outage, "end", 0.0))
        await person.ask()

    ledger, _ = act(stub, ask, None, RIGHT)
    assert (ledger.lost, ledger.wrong, ledger.retried) == (0, 0, 1)


def samples(server: Callable[[float], float]) -> Iterator[Sample]:
    for second in range(0, 1000, 2):
        yield Sample(second, second // 500, server(second % 500), 100 + 500 * (second % 20 == 0), 50)


@pytest.mark.parametrize(
    ("server", "shares"),
    [
        (lambda second: 300, (0, 0)),
        (lambda second: 200 + min(second, 49) * 2, (0, 0)),  # what the warm-up takes is no growth
        (lambda second: 300 + second / 5, (0.22, 0.22)),
    ],
)
def test_growth(server: Callable[[float], float], shares: tuple[float, float]) -> None:
    grown = {(each.series, each.life): each for each in growth(list(samples(server)))}
    assert [grown["server", life].share for life in (0, 1)] == pytest.approx(shares, abs=0.02)
    # A peak now and then is none, but is told.
    assert grown["workers", 0].share == 0
    assert grown["workers", 0].most == 600
