"""Bounds on what a request brings, held before it is read."""

import asyncio
import time
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.pictures import chunk, png
from tests.service.api.helpers import Client, check_problem

pytestmark = pytest.mark.slow(8)

FORM = {"content-type": "multipart/form-data; boundary=x"}
JSON = {"content-type": "application/json"}
QUESTION = "/scenes/" + "0" * 32 + "/query"


@pytest.mark.settings(max_upload=4096)
async def test_large_requests_are_refused_before_they_are_read(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("predinet_prolog.service.api.arrival.LINGER_BYTES", 0)
    kilobytes = 0

    async def upload() -> AsyncIterator[bytes]:
        nonlocal kilobytes
        yield b'--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
        while kilobytes < 1000:
            kilobytes += 1
            yield b"x" * 1024

    for path in ("/query", "/scenes"):
        for headers, most_read in ((FORM, 4), (FORM | {"content-length": "4097"}, 0)):
            kilobytes = 0
            response = await client.post(path, content=upload(), headers=headers)
            detail = check_problem(response, 413, "too_large")["detail"]
            assert detail.startswith("the request is larger than 4 KiB: PREDINET_PROLOG_MAX_UPLOAD sets it")
            assert response.headers["connection"] == "close"
            assert kilobytes <= most_read


async def test_what_is_read_after_an_answer_is_bounded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that never ends has its answer, and then its connection ends."""
    monkeypatch.setattr("predinet_prolog.service.api.arrival.LINGER_BYTES", 100 * 1024)
    kilobytes = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal kilobytes
        while True:
            kilobytes += 1
            yield b"x" * 1024

    async def silent() -> AsyncIterator[bytes]:
        yield b"x"
        await asyncio.sleep(1000)

    headers = FORM | {"content-length": "99999999"}
    check_problem(await client.post("/query", content=endless(), headers=headers), 413, "too_large")
    assert 100 <= kilobytes < 110
    monkeypatch.setattr("predinet_prolog.service.api.arrival.LINGER_SECONDS", 0.1)
    check_problem(await client.post("/query", content=silent(), headers=headers), 413, "too_large")


async def test_questions_are_bounded_far_below_images(client: Client) -> None:
    body = b'{"query": "' + b"x" * 600_000 + b'"}'
    # What a question says of itself makes it no image.
    for headers in (list(JSON.items()), list(FORM.items()), [*JSON.items(), *FORM.items()]):
        response = await client.post(QUESTION, content=body, headers=headers)
        assert "larger than 512 KiB" in check_problem(response, 413, "too_large")["detail"]


@pytest.mark.settings(max_upload=2**20)
async def test_all_requests_together_are_bounded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("predinet_prolog.service.api.arrival.TOGETHER", 2)
    part = b'--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
    held, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def upload() -> AsyncIterator[bytes]:
        yield part + b"x" * 900_000
        held.release()
        await go_on.wait()
        yield b"\r\n--x--\r\n"

    uploads = [asyncio.create_task(client.post("/export", content=upload(), headers=FORM)) for _ in range(2)]
    for _ in uploads:
        await asyncio.wait_for(held.acquire(), 30)
    response = await client.post("/export", content=upload(), headers=FORM)
    check_problem(response, 503, "congested")
    assert response.headers["connection"] == "close"
    # Questions have bounds of their own.
    check_problem(await client.post(QUESTION, json={"query": "true"}), 404, "scene_not_found")
    go_on.set()
    for response in await asyncio.gather(*uploads):
        check_problem(response, 422, "image")
    check_problem(await client.post("/export", content=upload(), headers=FORM), 422, "image")


ROWS = bytes(100_000_000)


@pytest.mark.parametrize(
    ("draw", "statuses"),
    [
        (lambda: png(50_000, 50_000, ROWS, depth=1), {422}),
        (lambda: png(4_096, 4_096, ROWS, depth=1), {200, 422}),
        (lambda: png(36, 36, bytes(36 * 37), chunk(b"zTXt", b"a\0\0" + zlib.compress(ROWS * 2, 9))), {200, 422}),
    ],
    ids=["png 50000", "png 4096", "text"],
)
async def test_bombs_take_no_memory_and_no_time(client: Client, draw: Callable[[], bytes], statuses: set[int]) -> None:
    bomb = draw()
    assert len(bomb) < 500_000
    await client.send_image("/export")
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again: that of an earlier test may be higher
    start = time.monotonic()
    response = await client.send_image("/export", bomb)
    assert response.status_code in statuses, response.text
    assert time.monotonic() - start < 10  # a hang, not a speed
    assert memory("VmHWM") - before < 150 * 2**20
    assert (await client.get("/health")).status_code == 200


def memory(kind: str) -> int:
    """Bytes of memory that this process has (VmRSS), or has had at most (VmHWM)."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("no /proc to see the memory in")
    (line,) = [line for line in status.read_text().splitlines() if line.startswith(kind)]
    return int(line.split()[1]) * 1024
