"""People of all kinds, each doing one thing after the other, with every answer compared with what it must be."""

import asyncio
import contextlib
import json
import random
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from benchmarks.load.client import Client, DroppedError, Reply, get, post_form, post_json, request
from benchmarks.load.measuring import Verdict, hostile_verdict, said
from benchmarks.load.pictures import PARTS, Reference, digest, same_answers
from benchmarks.load.queries import HONEST, NEEDING_RULES, PLACES, WITH_RULES, hostile_queries

KEPT = 30  # scenes that each person has stored at any time
PAUSE = 0.1  # seconds at most between a person's requests
PATIENCE = 60  # times that a person comes back to a busy server


_EXAMPLES = 20


@dataclass
class Outage:
    """When the server itself is dead on purpose."""

    start: float = float("inf")
    end: float = float("inf")
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the scenes have been looked for, too; nobody starts anything before."""

    def hit(self, sent: float) -> bool:
        """Whether a request that was sent then and failed now fell into it."""
        return perf_counter() >= self.start and sent <= self.end

    def during(self, moment: float) -> bool:
        """Whether it lasted, or lasts, at that moment."""
        return self.start <= moment <= self.end


@dataclass
class Ledger:
    """What was asked and what came of it."""

    requests: Counter[str] = field(default_factory=Counter)
    """By kind."""
    lost: int = 0
    """No answer, or a 5xx that is no 503 with Retry-After."""
    wrong: int = 0
    refused: int = 0
    """429, or 503 with Retry-After; asked again later."""
    retried: int = 0
    """Sent again because the server itself was dead."""
    hostile: Counter[str] = field(default_factory=Counter)
    """What hostile queries got."""
    examples: list[str] = field(default_factory=list)

    def amiss(self, what: str, detail: str) -> None:
        """Keeps the first few cases for the report."""
        if len(self.examples) < _EXAMPLES:
            self.examples.append(f"{what}: {detail}"[:400])


class _GivenUpError(Exception):
    """This errand leads to nothing; it is counted already."""


class Person:
    """One client with scenes of its own. `fresh` are references nobody has stored; they go back when deleted."""

    def __init__(
        self,
        port: int,
        source: str,
        *,
        common: Sequence[Reference],
        fresh: deque[Reference],
        ledger: Ledger,
        outage: Outage,
    ) -> None:
        self._port, self._source = port, source
        self._client = Client(port, source)
        self._sent_again = False
        self._common = common
        self._fresh = fresh
        self._ledger = ledger
        self._outage = outage
        self._hostile = hostile_queries()
        self.stored: list[Reference] = []
        """Acknowledged, and not deleted since."""
        self._errands: dict[Callable[[], Awaitable[object]], int] = {
            self.ask: 50,
            self.ask_with_rules: 8,
            self.ask_why: 4,
            self.read_back: 10,
            self.store: 5,
            self.show: 4,
            self.export: 4,
            self.send_nonsense: 4,
            self.hang_up: 3,
            self.attack: 1,
        }

    async def live(self, end: float) -> None:
        """Errands by chance until `end`."""
        while perf_counter() < end:
            (errand,) = random.choices(list(self._errands), list(self._errands.values()))
            await self.live_once(errand())
            await asyncio.sleep(random.uniform(0, PAUSE))
        self._client.close()

    async def live_once(self, errand: Awaitable[object]) -> None:
        """One errand, which may lead to nothing; the ledger knows."""
        with contextlib.suppress(_GivenUpError):
            await errand

    async def fill(self) -> None:
        """Stores as many scenes as are kept from then on."""
        while len(self.stored) < KEPT:
            await self.store()

    async def ask(self) -> None:
        """A goal of a known scene."""
        await self._ask("ask", random.choice(HONEST))

    async def ask_with_rules(self) -> None:
        """A goal that needs rules."""
        await self._ask("ask with rules", random.choice(NEEDING_RULES), rules=WITH_RULES)

    async def _ask(self, what: str, goal: str, **more: str) -> None:
        scene = random.choice(self._common)
        reply = await self._send(what, post_json(f"/scenes/{scene.id}/query", {"query": goal, **more}))
        self._check(what, reply, same_answers(reply.body, scene.answers[goal]))

    async def ask_why(self) -> None:
        """A goal with the proofs of its answers; the answers must be those without."""
        scene = random.choice(self._common)
        goal = random.choice(HONEST)
        reply = await self._send("ask why", post_json(f"/scenes/{scene.id}/query", {"query": goal, "why": True}))
        found = reply.json() if reply.status == 200 else {}
        proofs = [answer.pop("why", None) for answer in found.get("answers", ())]
        for answer in found.get("answers", ()):
            answer.pop("confidence", None)  # only answers with proofs have one
        plain = json.dumps(found).encode()
        self._check("ask why", reply, all(proofs) and same_answers(plain, scene.answers[goal]))

    async def read_back(self) -> None:
        """A scene's program, or whatever else there is of it."""
        await self.check_scene(random.choice([*self._common, *self.stored]), random.choice([*PARTS, "details"]))

    async def check_scene(self, scene: Reference, part: str) -> bool:
        """Whether the service has this part of the scene as it must be."""
        if part == "details":
            reply = await self._send("details", get(f"/scenes/{scene.id}"))
            return self._check("details", reply, _agrees(reply, scene.details))
        reply = await self._send(part, get(f"/scenes/{scene.id}/{part}"))
        return self._check(part, reply, digest(reply.body) == scene.digests[part])

    async def store(self) -> None:
        """A new image, stored; one that was stored long ago goes for it. Then a question to it."""
        if len(self.stored) >= KEPT:
            await self.delete()
        scene = self._fresh.popleft()
        await self.post(scene)
        self.stored.append(scene)
        await self.check_scene(scene, "program")
        reply = await self._send("ask new", post_json(f"/scenes/{scene.id}/query", {"query": PLACES}))
        self._check("ask new", reply, same_answers(reply.body, scene.answers[PLACES]))

    async def post(self, scene: Reference) -> None:
        """Stores an image, no more. Who calls it sees to it that the scene stays."""
        reply = await self._send("store", post_form("/scenes", scene.png), expected=(201,))
        self._check("store", reply, _agrees(reply, scene.details), status=201)
        if reply.status == 201:
            scene.id = json.loads(reply.body)["id"]

    async def look_for_all(self) -> list[bool]:
        """Of every scene that must be there: whether its program is as it must be. Only while nobody else acts."""
        client = Client(self._port, self._source)
        found = []
        for scene in [*self._common, *self.stored]:
            try:
                reply = await client.exchange(get(f"/scenes/{scene.id}/program"))
            except DroppedError as error:
                reply = Reply(0, [], str(error).encode())
            found.append(reply.status == 200 and digest(reply.body) == scene.digests["program"])
            if not found[-1]:
                self._ledger.amiss("scene missing", f"{said(reply)} {reply.body[:300]!r}")
        client.close()
        return found

    async def delete(self) -> None:
        """The scene stored longest ago."""
        scene = self.stored.pop(0)  # from now on it is not promised to be there
        reply = await self._send("delete", request("DELETE", f"/scenes/{scene.id}"), expected=(204, 404))
        # One that was carried out before the server died is gone when it is sent again.
        self._check("delete", reply, reply.status == 204 or self._sent_again, status=reply.status)
        reply = await self._send("deleted", get(f"/scenes/{scene.id}"), expected=(404,))
        self._check("deleted", reply, True, status=404)
        self._fresh.append(scene)

    async def show(self) -> None:
        """An image with a question, not to be stored."""
        scene = self._fresh.popleft()
        reply = await self._send("query", post_form("/query", scene.png, query=PLACES))
        self._check("query", reply, same_answers(reply.body, scene.answers[PLACES]))
        self._fresh.append(scene)

    async def export(self) -> None:
        """An image's program."""
        scene = self._fresh.popleft()
        reply = await self._send("export", post_form("/export", scene.png, name="image"))
        self._check("export", reply, digest(reply.body) == scene.digests["program"])
        self._fresh.append(scene)

    async def send_nonsense(self) -> None:
        """What is no image, or no request of the service: an error in words that blames the client."""
        reply = await self._send("nonsense", random.choice(_NONSENSE), expected=(400, 404, 405, 413, 422))
        problem = (reply.header("content-type") or "").startswith("application/problem+json")
        self._check("nonsense", reply, problem and "kind" in reply.json(), status=reply.status)

    async def hang_up(self) -> None:
        """Goes away in the middle of a request, or before its answer."""
        self._ledger.requests["hang up"] += 1
        scene = random.choice(self._common)
        message = random.choice(
            [
                post_form("/query", self._fresh[0].png, query=PLACES),
                post_json(f"/scenes/{scene.id}/query", {"query": random.choice(HONEST)}),
            ]
        )
        sent = message[: random.choice([len(message), random.randrange(1, len(message))])]
        try:
            await self._client.hang_up(sent, after=random.uniform(0, 0.02))
        except DroppedError as error:
            if not self._outage.hit(perf_counter()):
                self._ledger.lost += 1
                self._ledger.amiss("hang up", str(error))

    async def attack(self) -> None:
        """A hostile query, once: any answer will do, unless the service broke over it."""
        hostile = random.choice(self._hostile)
        path = f"/scenes/{random.choice(self._common).id}/query"
        reply = await self._try("attack", post_json(path, {"query": hostile.goal, "rules": hostile.rules}))
        if reply is not None:
            self._ledger.hostile[said(reply)] += 1
            if hostile_verdict(reply) is Verdict.LOST:
                raise self._lost("attack", f"{said(reply)} for {hostile}")

    async def _send(self, what: str, message: bytes, *, expected: Sequence[int] = (200,)) -> Reply:
        """The answer, after trying again where the server was busy or dead."""
        self._sent_again = False
        for _ in range(PATIENCE):
            reply = await self._try(what, message)
            if reply is None:
                self._sent_again = True
            elif reply.retry_after is not None:
                self._ledger.refused += 1
                await asyncio.sleep(min(reply.retry_after, 1.0))
            elif reply.status in expected:
                return reply
            else:
                raise self._lost(what, f"{said(reply)} {reply.body[:300]!r} for {message[:300]!r}")
        raise self._lost(what, f"refused {PATIENCE} times")

    async def _try(self, what: str, message: bytes) -> Reply | None:
        """The answer; None if the server was dead on purpose."""
        if self._outage.start <= perf_counter():
            await self._outage.over.wait()
        self._ledger.requests[what] += 1
        sent = perf_counter()
        try:
            return await self._client.exchange(message)
        except DroppedError as error:
            if not self._outage.hit(sent):
                raise self._lost(what, str(error)) from None
            self._ledger.retried += 1
            return None

    def _lost(self, what: str, detail: str) -> _GivenUpError:
        self._ledger.lost += 1
        self._ledger.amiss(f"{what} lost", detail)
        return _GivenUpError()

    def _check(self, what: str, reply: Reply, right: bool, *, status: int = 200) -> bool:
        if not (right and reply.status == status):
            self._ledger.wrong += 1
            self._ledger.amiss(f"{what} wrong", f"{said(reply)} {reply.body[:300]!r}")
            return False
        return True


def _agrees(reply: Reply, details: dict[str, Any]) -> bool:
    try:
        found = reply.json()
    except ValueError:
        return False
    return isinstance(found, dict) and all(found.get(key) == value for key, value in details.items())


_PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
_NONSENSE = (
    post_form("/scenes", b""),
    post_form("/scenes", b"no image at all"),
    post_form("/query", _PNG, query="true"),
    post_form("/export", _PNG + b"\x00\x01\x00\x00\x00\x01\x00\x00\x08\x06\x00\x00\x00" + b"\x00" * 100),
    post_form("/scenes", b"\x00" * 100_000),
    post_form("/scenes", b"GIF89a\xff\xff\xff\xff" + b"\x00" * 50, model="unheard-of"),
    post_json("/scenes/0123/query", {"query": "true"}),
    post_json(f"/scenes/{'0' * 32}/query", {"query": "object(X)"}),
    request("POST", f"/scenes/{'0' * 32}/query", content=b'{"query": ', headers={"Content-Type": "application/json"}),
    request("POST", "/scenes", content=b"--x\r\nrubbish", headers={"Content-Type": "multipart/form-data; boundary=x"}),
    request("PUT", "/scenes", content=b"x", headers={"Content-Type": "text/plain"}),
    get("/nothing/here"),
)
