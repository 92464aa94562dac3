"""The service under load: latency and throughput by HTTP, beside plain processes and SWI-Prolog's own server.

    python benchmarks/serving.py [--seconds S] [--clients 1 8 64] [--only a b c peers] [--json FILE]

A real server (two Prolog workers, temporary data) and closed loops of clients, each from an address of its own:

(a) a new image and a query: POST /query with a picture that nobody sent before
(b) a query of a known scene: POST /scenes/{id}/query, twelve goals over twenty scenes
(c) the same while 1 % of the requests are hostile, in two ways: by the same clients, and by others beside them

Every honest answer is compared with a reference made without the service: in (b) and (c) with an Engine's answers on a
program written in this process, in (a) with the scene that was drawn and, where the network saw something else, with
such an Engine, too. Peers get the same programs and goals: a `swipl` process per query, and MQI over a socket. The
generator of load shares the machine with all of them.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import uvloop

from benchmarks import shared
from benchmarks.load import report
from benchmarks.load.client import Client, Reply, post_form, post_json
from benchmarks.load.measuring import (
    Errand,
    Loop,
    NextErrand,
    Phase,
    Verdict,
    honest_verdict,
    hostile_verdict,
    together,
)
from benchmarks.load.peers import Questions, loops, machine_queries, plain_swipl
from benchmarks.load.pictures import Oracle, Picture, pictures, same_answers
from benchmarks.load.queries import HONEST, PLACES, hostile_queries
from benchmarks.load.server import Server

WORKERS = 2
SCENES = 20
SEED = 5_000_011
HOSTILE_SHARE = 0.01
HOSTILE_CLIENTS = 16
NEW_IMAGES = 500  # a second: drawn ahead of time, and more than two cores can look at
PEER_SECONDS = 20.0  # at most: they vary less than a server under load


def main() -> None:
    parser = shared.options(__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="of each measurement")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--only", nargs="+", choices=["a", "b", "c", "peers"], default=["a", "b", "c", "peers"])
    parser.add_argument("--json", type=Path, help="write all figures to this file, too")
    options = parser.parse_args()
    random.seed(SEED)
    with tempfile.TemporaryDirectory() as folder, Oracle() as oracle:
        known = Known(oracle)
        table = report.Report(hostile_queries=len(known.hostile), after_effort=f"{known.effort_share:.0%} of them")
        if {"a", "b", "c"} & set(options.only):
            with Server(Path(folder), workers=WORKERS) as server:
                uvloop.run(measure_service(server, known, oracle, options, table))
        if "peers" in options.only:
            measure_peers(known, Path(folder), min(options.seconds, PEER_SECONDS), table)
    table.print_details()
    table.print_aims()
    if options.json:
        options.json.write_text(json.dumps(table.to_json(), indent=1) + "\n")
    sys.exit(1 if table.amiss else 0)


async def measure_service(
    server: Server, known: "Known", oracle: Oracle, options: argparse.Namespace, table: report.Report
) -> None:
    """All that --only names, by HTTP."""
    await known.send(server.port)
    if "a" in options.only:
        drawn = iter(pictures(int(NEW_IMAGES * options.seconds * len(options.clients)), seed=SEED + SCENES))
        for clients in options.clients:
            new = New(drawn)
            phase = await together(options.seconds, honest(server.port, clients, new.next), cpu=server.cpu)
            new.settle(phase, oracle)
            table.add(report.NEW, clients, phase)
    if "b" in options.only:
        for clients in options.clients:
            phase = await together(options.seconds, honest(server.port, clients, known.next), cpu=server.cpu)
            table.add(report.KNOWN, clients, phase)
    if "c" in options.only:
        for way, make in ((report.SAME, mixed), (report.OTHERS, beside)):
            for clients in options.clients:
                loops = make(server.port, clients, known)
                phase = await together(options.seconds, loops, tags=("honest", "hostile"), cpu=server.cpu)
                table.add(way, clients, phase)


def honest(port: int, clients: int, next_errand: NextErrand) -> list[Loop]:
    """Clients that mean well."""
    return [Loop(port, source, next_errand) for source in addresses(clients)]


def mixed(port: int, clients: int, known: "Known") -> list[Loop]:
    """Every hundredth request of the clients is hostile, by chance."""

    def next_errand() -> Errand:
        return known.next_hostile() if random.random() < HOSTILE_SHARE else known.next()

    return [Loop(port, source, next_errand) for source in addresses(clients)]


def beside(port: int, clients: int, known: "Known") -> list[Loop]:
    """Other clients send a hostile request for every 99 that the honest ones sent."""
    tickets, sent = asyncio.Semaphore(0), 0

    def done() -> None:
        nonlocal sent
        sent += 1
        if sent % round(1 / HOSTILE_SHARE - 1) == 0:
            tickets.release()

    others = addresses(HOSTILE_CLIENTS, subnet=1)
    return [
        *(Loop(port, source, known.next, done=done) for source in addresses(clients)),
        *(Loop(port, source, known.next_hostile, ticket=tickets) for source in others),
    ]


def measure_peers(known: "Known", folder: Path, seconds: float, table: report.Report) -> None:
    """The same programs and goals without the service, one and two at once."""
    files = [folder / f"scene{number}.pl" for number in range(SCENES)]
    for file, program in zip(files, known.programs, strict=True):
        file.write_text(program)
    questions = Questions(
        files, {question: [a["bindings"] for a in expected["answers"]] for question, expected in known.expected.items()}
    )
    endless = iter(lambda: random.choice(list(known.expected)), None)
    for at_once in (1, 2):
        tally = loops([plain_swipl(questions)] * at_once, endless, seconds)
        table.add(report.PROCESS, at_once, Phase({"honest": tally}))
    for at_once in (1, 2):
        with machine_queries(questions, at_once) as asks:
            tally = loops(asks, endless, seconds)
        table.add(report.MACHINE_QUERIES, at_once, Phase({"honest": tally}))


class Known:
    """Twenty scenes, their programs as written here, and the answers to every goal of each."""

    def __init__(self, oracle: Oracle) -> None:
        self._pictures = pictures(SCENES, seed=SEED)
        self.programs = [scene.program for scene in oracle.scenes([picture.png for picture in self._pictures])]
        self.expected: dict[tuple[int, str], dict[str, Any]] = {
            (number, goal): oracle.answers(program, goal)
            for number, program in enumerate(self.programs)
            for goal in HONEST
        }
        self.hostile = hostile_queries()
        self._ids: list[str] = []
        self._errands: list[Errand] = []
        self._hostile_errands: list[Errand] = []

    @property
    def effort_share(self) -> float:
        """The share of hostile queries that are after time or memory, rather than after what they may not have."""
        return sum(hostile.group.startswith("effort") for hostile in self.hostile) / len(self.hostile)

    async def send(self, port: int) -> None:
        """Sends the pictures as scenes, and prepares the queries."""
        client = Client(port)
        for picture in self._pictures:
            reply = await client.exchange(post_form("/scenes", picture.png))
            if reply.status not in (200, 201):
                sys.exit(f"POST /scenes answered {reply.status}: {reply.body[:500]!r}")
            self._ids.append(reply.json()["id"])
        client.close()
        self._errands = [
            Errand(self._request(number, goal), judge_of(expected))
            for (number, goal), expected in self.expected.items()
        ]
        self._hostile_errands = [
            Errand(self._request(random.randrange(SCENES), each.goal, each.rules), hostile_verdict, "hostile")
            for each in self.hostile
        ]

    def next(self) -> Errand:
        """Any goal of any scene."""
        return random.choice(self._errands)

    def next_hostile(self) -> Errand:
        """Any hostile query."""
        return random.choice(self._hostile_errands)

    def _request(self, number: int, goal: str, rules: str = "") -> bytes:
        return post_json(f"/scenes/{self._ids[number]}/query", {"query": goal, "rules": rules})


class New:
    """Pictures that nobody sent before, each asked where its objects are."""

    def __init__(self, drawn: Iterator[Picture]) -> None:
        self._drawn = drawn
        self._odd: list[tuple[Picture, bytes]] = []

    def next(self) -> Errand | None:
        """The next picture."""
        picture = next(self._drawn, None)
        if picture is None:
            return None
        return Errand(post_form("/query", picture.png, query=PLACES), partial(self._judge, picture))

    def settle(self, phase: Phase, oracle: Oracle) -> None:
        """Answers that do not say what was drawn are right all the same if they say what the network sees."""
        scenes = oracle.scenes([picture.png for picture, _ in self._odd])
        for (_, body), scene in zip(self._odd, scenes, strict=True):
            if same_answers(body, oracle.answers(scene.program, PLACES)):
                phase.honest.verdicts[Verdict.WRONG] -= 1
                phase.honest.verdicts[Verdict.RIGHT] += 1
        self._odd.clear()

    def _judge(self, picture: Picture, reply: Reply) -> Verdict:
        expected = {
            "answers": [
                {"bindings": {"X": f"ob_{index}", "Px": x, "Py": y}} for index, (x, y) in enumerate(picture.places)
            ],
            "more": False,
        }
        verdict = honest_verdict(reply, same_answers(reply.body, expected))
        if verdict is Verdict.WRONG:
            self._odd.append((picture, reply.body))
        return verdict


def judge_of(expected: dict[str, Any]) -> Callable[[Reply], Verdict]:
    """Compares answers with the expected one. A body that was found right once is right the next time."""
    right: set[bytes] = set()

    def judge(reply: Reply) -> Verdict:
        if reply.body in right and reply.status == 200:
            return Verdict.RIGHT
        verdict = honest_verdict(reply, same_answers(reply.body, expected))
        if verdict is Verdict.RIGHT:
            right.add(reply.body)
        return verdict

    return judge


def addresses(count: int, *, subnet: int = 0) -> list[str]:
    """Addresses of this machine, one for each client."""
    return [f"127.0.{subnet}.{2 + index}" for index in range(count)]


if __name__ == "__main__":
    main()
