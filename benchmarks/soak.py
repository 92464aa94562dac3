"""Half an hour of everything at once, with kill -9 all along: is anything lost, wrong, or growing?

    python benchmarks/soak.py [--minutes M] [--clients N] [--json FILE] [--plot FILE]

Clients store, ask, read and delete scenes, export, send nonsense, hang up and attack (load/mix.py says how often).
Every answer is compared with what was made beforehand without a server: the bytes of programs, images, pictures and
masks; an Engine's answers. Every 5 s a worker gets kill -9. In the middle the server itself does, and is started again
on the same data: every scene that was acknowledged, and not deleted, must be there with the same bytes.

Exit status 1 if a request was lost or answered wrongly, a scene is missing, or memory grew by more than a tenth.
"""

import asyncio
import json
import os
import random
import signal
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter

import uvloop

from benchmarks.load.memory import Growth, Sample, growth, plot, sample
from benchmarks.load.mix import Ledger, Outage, Person
from benchmarks.load.pictures import Oracle, Reference, references
from benchmarks.load.queries import HONEST, NEEDING_RULES, PLACES
from benchmarks.load.server import Server, alive
from benchmarks.shared import machine, options

SEED = 6_000_011
WORKERS = 2
COMMON = 20  # scenes that stay, and that everybody asks
FRESH_PER_MINUTE, MOST_FRESH = 200, 3000  # images; they come again when they were deleted
KILL_EVERY = 5.0
SAMPLE_EVERY = 2.0
MOST_GROWTH = 0.1


@dataclass
class Course:
    """What was done to the server, and what was seen of it."""

    started: float = field(default_factory=perf_counter)
    life: int = 0
    samples: list[Sample] = field(default_factory=list)
    killed_workers: int = 0
    orphans: int = 0
    """Workers that outlived a server that was killed."""
    down_seconds: float = 0.0
    checked: list[int] = field(default_factory=list)
    """Scenes looked for: after the server was killed, and at the end."""
    missing: int = 0


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--json", type=Path, default=Path("out/soak.json"))
    parser.add_argument("--plot", type=Path, default=Path("out/soak-memory.png"))
    given = parser.parse_args()
    random.seed(SEED)
    with Oracle() as oracle:
        common = references(oracle, COMMON, [*HONEST, *NEEDING_RULES], seed=SEED)
        known = {scene.png for scene in common}
        count = min(MOST_FRESH, int(FRESH_PER_MINUTE * given.minutes) + 50 * given.clients)
        fresh = [scene for scene in references(oracle, count, [PLACES], seed=SEED + 1) if scene.png not in known]
    print(f"{len(fresh)} images and their references are ready", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), workers=WORKERS) as server:
        course, ledger = uvloop.run(soak(server, common, fresh, given.clients, 60 * given.minutes))
    grown = growth(course.samples)
    plot(course.samples, given.plot)
    found = figures(course, ledger, grown)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(found, indent=1) + "\n")
    good = print_report(course, ledger, grown)
    print(f"figures: {given.json}, plot: {given.plot}")
    sys.exit(0 if good else 1)


async def soak(
    server: Server, common: Sequence[Reference], fresh: Sequence[Reference], clients: int, seconds: float
) -> tuple[Course, Ledger]:
    """Everything at once for so long."""
    ledger, outage, pool = Ledger(), Outage(), deque(fresh)
    people = [
        Person(server.port, f"127.0.0.{2 + index}", common=common, fresh=pool, ledger=ledger, outage=outage)
        for index in range(clients)
    ]
    for scene in common:
        await people[0].post(scene)
    for person in people:
        await person.fill()
    course = Course()
    end = course.started + seconds
    crowd = asyncio.gather(*(person.live(end) for person in people))
    watch = asyncio.gather(_sample(server, course, outage, end), _kill_workers(server, course, outage, end))
    await asyncio.sleep(seconds / 2)
    await _kill_server(server, course, outage, people)
    await asyncio.gather(crowd, watch)
    await _look_for_all(course, people)
    return course, ledger


async def _kill_server(server: Server, course: Course, outage: Outage, people: Sequence[Person]) -> None:
    """kill -9, a start on the same data, and a look for every scene before anybody goes on."""
    workers = server.worker_pids()
    outage.start = perf_counter()
    server.kill()
    await asyncio.to_thread(server.start)
    course.orphans += sum(map(alive, workers))
    course.life += 1
    outage.end = perf_counter()
    course.down_seconds = outage.end - outage.start
    await _look_for_all(course, people)
    outage.over.set()


async def _look_for_all(course: Course, people: Sequence[Person]) -> None:
    """Counts the scenes that were acknowledged, and those of them that are not there as they must be."""
    found = [await person.look_for_all() for person in people]
    course.checked.append(sum(len(each) for each in found))
    course.missing += sum(not present for each in found for present in each)


async def _sample(server: Server, course: Course, outage: Outage, end: float) -> None:
    while (now := perf_counter()) < end:
        if not outage.during(now) and (found := sample(server, now - course.started, course.life)):
            course.samples.append(found)
        await asyncio.sleep(SAMPLE_EVERY)


async def _kill_workers(server: Server, course: Course, outage: Outage, end: float) -> None:
    while perf_counter() < end - KILL_EVERY:
        await asyncio.sleep(KILL_EVERY)
        if not outage.during(perf_counter()) and (workers := server.worker_pids()):
            os.kill(random.choice(workers), signal.SIGKILL)
            course.killed_workers += 1


def figures(course: Course, ledger: Ledger, grown: Sequence[Growth]) -> dict[str, object]:
    """Everything that was found."""
    return {
        "machine": machine(),
        "seconds": round(course.samples[-1].seconds),
        "requests": dict(ledger.requests.most_common()),
        **{name: getattr(ledger, name) for name in ("lost", "wrong", "refused", "retried", "examples")},
        "hostile": dict(ledger.hostile.most_common()),
        **{name: getattr(course, name) for name in ("killed_workers", "orphans", "checked", "missing")},
        "down_seconds": round(course.down_seconds, 2),
        "memory": [{**asdict(each), "share": each.share} for each in grown],
        "samples": [asdict(each) for each in course.samples],
    }


def print_report(course: Course, ledger: Ledger, grown: Sequence[Growth]) -> bool:
    """Prints the figures; whether all is well."""
    total = sum(ledger.requests.values())
    print(f"{total:,} requests: {', '.join(f'{count:,} {what}' for what, count in ledger.requests.most_common())}")
    print(f"hostile queries got {', '.join(f'{count} × {what}' for what, count in ledger.hostile.most_common())}")
    print(f"workers killed: {course.killed_workers}; the server: once, {course.down_seconds:.1f} s until healthy again")
    print(f"asked again: {ledger.refused} refused by a busy server, {ledger.retried} while the server was dead")
    print(f"scenes looked for: {' and '.join(map(str, course.checked))}; missing or altered: {course.missing}")
    print(f"lost: {ledger.lost}; wrong: {ledger.wrong}; workers that outlived the server: {course.orphans}")
    print("\n| memory, MB | life | first quarter | last quarter | most | grown | MB an hour |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for each in grown:
        cells = (f"{each.first:.1f}", f"{each.last:.1f}", f"{each.most:.1f}", f"{each.share:+.1%}")
        print(f"| {each.series} | {each.life + 1} | {' | '.join(cells)} | {each.per_hour:+.1f} |")
    for example in ledger.examples:
        print(f"amiss: {example}")
    flat = bool(grown) and all(each.share <= MOST_GROWTH for each in grown)
    good = flat and not (ledger.lost or ledger.wrong or course.missing or course.orphans)
    print(f"nothing lost, wrong or missing, and memory flat: {'yes' if good else 'NO'}")
    return good


if __name__ == "__main__":
    main()
