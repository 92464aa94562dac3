"""The service under load by HTTP, beside a plain SWI-Prolog process a query.

    python benchmarks/serving.py [--seconds S] [--clients 1 8]

A real server (two Prolog workers, temporary data). Every client is a thread that sends its next request after an
answer: a query of a known scene, or a new picture and a query. An answer counts if it is that of an Engine on the
program that this process writes. Clients share the machine with the server.
"""

import os
import random
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from itertools import count
from pathlib import Path

import httpx
import numpy as np
from PIL import Image

from benchmarks.shared import COMMAND, GAME, boards, options, print_head, print_machine, print_row, programs
from predinet_prolog.neural import load_model
from predinet_prolog.symbolic import Engine

GOALS = "same(X, Y)", "object(X), position(X, Px, Py)", "lies_between(M, X, Y)", "same_colour(X, Y), above(X, Y)"
SCENES, SEED = 20, 5_000_011
PATIENCE = 120.0
"""Seconds that the server may take to start."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="of each measurement")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8])
    arguments = parser.parse_args()
    images = boards(SCENES, seed=SEED)
    texts = programs(load_model("relations-game"), images)
    with Engine(time_limit=10) as engine:
        expected = [[engine.ask(text, goal).to_json()["answers"] for goal in GOALS] for text in texts]
    print_machine()
    print_head("", "clients", "right answers a second", "p50 ms", "p99 ms", "wrong or refused")
    with tempfile.TemporaryDirectory() as folder:
        with server(Path(folder)) as address:
            with httpx.Client(base_url=address, timeout=60) as client:
                names = [client.post("/scenes", files={"image": png(image)}).json()["id"] for image in images]

            def known(client: httpx.Client) -> bool:
                scene, goal = random.randrange(SCENES), random.randrange(len(GOALS))
                reply = client.post(f"/scenes/{names[scene]}/query", json={"query": GOALS[goal]})
                return reply.status_code == 200 and reply.json()["answers"] == expected[scene][goal]

            numbers = count()

            def new(client: httpx.Client) -> bool:
                number = next(numbers)
                (image,) = GAME.generate(GAME.free_task, 1, kind="hexos", seed=(SEED, number)).images
                reply = client.post("/query", files={"image": png(image)}, data={"query": GOALS[0]})
                return reply.status_code == 200

            for name, errand in (("a query of a known scene", known), ("a new picture and a query", new)):
                for clients in arguments.clients:
                    print_row(name, clients, *measured(address, errand, clients, arguments.seconds))
        scene = Path(folder, "scene.pl")
        scene.write_text(texts[0])
        start = time.perf_counter()
        for _ in range(20):
            subprocess.run(["swipl", "-g", f"forall({GOALS[0]}, true), halt", scene], check=True, capture_output=True)
        print_row("a swipl process a query", 1, f"{20 / (time.perf_counter() - start):.1f}", "", "", "")


def measured(address: str, errand: Callable[[httpx.Client], bool], clients: int, seconds: float) -> list[str]:
    """Cells of a row: right answers a second, percentiles of their times, and how many were not right."""

    def loop(_: int) -> list[tuple[float, bool]]:
        records = []
        with httpx.Client(base_url=address, timeout=60) as client:
            while time.perf_counter() < end:
                start = time.perf_counter()
                right = errand(client)
                records.append((time.perf_counter() - start, right))
        return records

    end = time.perf_counter() + seconds
    with ThreadPoolExecutor(clients) as pool:
        records = [record for part in pool.map(loop, range(clients)) for record in part]
    times = [spent for spent, right in records if right]
    middle, last = np.quantile(times, (0.5, 0.99)) * 1000 if times else (np.nan, np.nan)
    return [f"{len(times) / seconds:.0f}", f"{middle:.1f}", f"{last:.1f}", str(len(records) - len(times))]


def png(pixels: np.ndarray) -> bytes:
    """The picture as a file."""
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


@contextmanager
def server(folder: Path, *, workers: int = 2) -> Iterator[str]:
    """The address of a `predinet-prolog serve` with its data in `folder`, which ends with the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "PREDINET_PROLOG_DATA": str(folder / "data"), "PREDINET_PROLOG_PER_CLIENT": "100"}
    command = [COMMAND, "serve", "--port", str(port), "--workers", str(workers)]
    with (
        (folder / "server.log").open("wb") as log,
        subprocess.Popen(command, env=environment, stdout=log, stderr=log) as process,
    ):
        try:
            deadline = time.monotonic() + PATIENCE
            while not healthy(port):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"the server did not start:\n{(folder / 'server.log').read_text()[-2000:]}")
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def healthy(port: int) -> bool:
    """Whether the server answers."""
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health").status_code == 200
    except httpx.TransportError:
        return False


if __name__ == "__main__":
    main()
