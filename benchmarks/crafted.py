"""Honest clients beside clients that post crafted image files: how long their questions take.

    python benchmarks/crafted.py [--seconds S] [--clients N] [--kinds KIND …]

A real server (two Prolog workers, temporary data). One honest client asks about images that nobody sent before, one
about known scenes; each sends its next question when the last one is answered. Beside them N clients post crafted files
in the same way, first each from an address of its own, then all from one. The files are those of load/crafted.py: one
kind at a time where --kinds names them, and in each case all kinds in turn. The generator of load shares the machine
with the server. Answers are compared with references, and a wrong or lost one ends the program with status 1.
"""

import itertools
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import uvloop

from benchmarks.load.client import post_form
from benchmarks.load.crafted import crafted_files
from benchmarks.load.measuring import Errand, Loop, Phase, Verdict, hostile_verdict, together
from benchmarks.load.pictures import Oracle, pictures
from benchmarks.load.queries import PLACES
from benchmarks.load.server import Server
from benchmarks.serving import SCENES, SEED, WORKERS, Known, New, addresses
from benchmarks.shared import options

ISSUE = ("FF D8", "PNG tEXt")
NEW_IMAGES = 300  # a second: drawn ahead of time, and more than one client can ask about
HEAD = ("beside", "image p50", "p99", "most, ms", "answered", "refused", "scene p50", "p99", "most, ms", "answered")


def main() -> None:
    """Prints a line of figures for each measurement."""
    files = crafted_files()
    parser = options(__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="of each measurement")
    parser.add_argument("--clients", type=int, default=16, help="that post crafted files")
    parser.add_argument("--kinds", nargs="*", choices=list(files), default=list(ISSUE), help="measured each for itself")
    chosen = parser.parse_args()
    random.seed(SEED)
    apart, one = addresses(chosen.clients, subnet=1), addresses(1, subnet=1) * chosen.clients
    floods: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        "nobody": ([], []),
        **{f"{chosen.clients} x {kind}": (apart, [kind]) for kind in chosen.kinds},
        f"{chosen.clients} x all kinds": (apart, list(files)),
        f"{chosen.clients} x all kinds, one address": (one, list(files)),
    }
    with tempfile.TemporaryDirectory() as folder, Oracle() as oracle, Server(Path(folder), workers=WORKERS) as server:
        amiss = uvloop.run(_measure(server, oracle, files, floods, chosen.seconds))
    sys.exit(1 if amiss else 0)


async def _measure(
    server: Server,
    oracle: Oracle,
    files: dict[str, bytes],
    floods: dict[str, tuple[Sequence[str], Sequence[str]]],
    seconds: float,
) -> bool:
    """Whether an honest answer was wrong or lost, or the service broke over a crafted file."""
    known = Known(oracle)
    await known.send(server.port)
    drawn = iter(pictures(int(NEW_IMAGES * seconds * len(floods)), seed=SEED + SCENES))
    print(" | ".join(HEAD))
    amiss = False
    for name, (sources, kinds) in floods.items():
        new = New(drawn)
        image_client, scene_client = addresses(2)
        loops = [
            Loop(server.port, image_client, new.next),
            Loop(server.port, scene_client, lambda: replace(known.next(), tag="scene")),
        ]
        errands = _posts(files, kinds)
        loops += [Loop(server.port, source, lambda errands=errands: next(errands)) for source in sources]
        phase = await together(seconds, loops, tags=("honest", "scene", "hostile"))
        new.settle(phase, oracle)
        amiss |= _print(name, phase)
    return amiss


def _posts(files: dict[str, bytes], kinds: Sequence[str]) -> Iterator[Errand]:
    """The crafted files of these kinds in turn, without end."""
    requests = [post_form("/query", files[kind], query=PLACES) for kind in kinds]
    return (Errand(request, hostile_verdict, "hostile") for request in itertools.cycle(requests))


def _print(name: str, phase: Phase) -> bool:
    image, scene, hostile = (phase.tallies[tag] for tag in ("honest", "scene", "hostile"))
    cells = [name]
    for tally in (image, scene):
        cells += [f"{tally.percentile(share):.0f}" for share in (0.5, 0.99, 1)] + [str(len(tally.latencies))]
        if tally is image:
            cells.append(str(image.verdicts[Verdict.REFUSED]))
    print(" | ".join(cells), flush=True)
    print(f"    crafted files: {dict(hostile.said.most_common())}", flush=True)
    amiss = [tally for tally in phase.tallies.values() if tally.verdicts[Verdict.WRONG] + tally.verdicts[Verdict.LOST]]
    for example in itertools.chain.from_iterable(tally.examples for tally in amiss):
        print(f"    amiss: {example}")
    return bool(amiss)


if __name__ == "__main__":
    main()
