"""The tools must be honest: what is wrong counts as wrong, what is lost as lost."""

import asyncio
import io
import json
from array import array
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.load import measuring
from benchmarks.load.client import Client, DroppedError, Reply, get, post_form, post_json
from benchmarks.load.measuring import Errand, Loop, Phase, Tally, Verdict, hostile_verdict, together
from benchmarks.load.report import KNOWN, OTHERS, PROCESS, SAME, Report
from benchmarks.serving import judge_of
from tests.benchmarks.conftest import Stub, reply

pytestmark = pytest.mark.slow(10)

EXPECTED = {"answers": [{"bindings": {"X": "ob_0"}}], "more": False}
RIGHT = json.dumps({**EXPECTED, "model": "m", "notes": []}).encode()
WRONG = RIGHT.replace(b"ob_0", b"ob_1")


@pytest.fixture(autouse=True)
def _cold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every request counts."""
    monkeypatch.setattr(measuring, "WARM_UP", 0)


def run_against(stub: Stub, script: list[bytes | None]) -> Tally:
    """One client's request for each entry of the script, which is what the server answers; None: it hangs up."""

    async def main() -> Phase:
        answers = iter(script)

        async def answer(head: bytes, body: bytes) -> bytes | None:
            return next(answers)

        errands = iter([Errand(get("/"), judge_of(EXPECTED))] * len(script))
        async with stub(answer) as port:
            return await together(5, [Loop(port, "127.0.0.2", lambda: next(errands, None))])

    return asyncio.run(main()).honest


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (reply(RIGHT), Verdict.RIGHT),
        (reply(RIGHT) + reply(WRONG), Verdict.RIGHT),  # what nobody asked for is no answer to the next request
        (reply(WRONG), Verdict.WRONG),
        (reply(b"no json"), Verdict.WRONG),
        (reply(b"[]"), Verdict.WRONG),
        (reply(b"", "503 Service Unavailable", "Retry-After: 1"), Verdict.REFUSED),
        (reply(b"", "429 Too Many Requests", "Retry-After: 2"), Verdict.REFUSED),
        (reply(b"", "429 Too Many Requests", "Retry-After: soon"), Verdict.LOST),
        (reply(b"", "503 Service Unavailable"), Verdict.LOST),
        (reply(b"", "500 Internal Server Error"), Verdict.LOST),
        (reply(RIGHT, "404 Not Found"), Verdict.LOST),
        (None, Verdict.LOST),
        (reply(RIGHT, "200 OK", "Connection: close")[:-5], Verdict.LOST),
        (b"no HTTP\r\n\r\n", Verdict.LOST),
    ],
)
def test_every_request_gets_the_verdict_it_deserves(stub: Stub, said: bytes | None, verdict: Verdict) -> None:
    tally = run_against(stub, [reply(RIGHT), said, reply(RIGHT)])
    expected = {Verdict.RIGHT: 2}
    expected[verdict] = expected.get(verdict, 0) + 1
    assert tally.verdicts == expected
    assert len(tally.examples) == (verdict in (Verdict.WRONG, Verdict.LOST))
    # Only answers have a latency, and count as throughput.
    assert len(tally.latencies) == sum(expected.get(v, 0) for v in (Verdict.RIGHT, Verdict.WRONG))


def test_a_right_body_is_remembered_but_not_for_an_error(stub: Stub) -> None:
    tally = run_against(stub, [reply(RIGHT), reply(RIGHT), reply(RIGHT, "500 Internal Server Error"), reply(WRONG)])
    assert tally.verdicts == {Verdict.RIGHT: 2, Verdict.LOST: 1, Verdict.WRONG: 1}


def test_no_answer_in_time_and_nobody_there(stub: Stub) -> None:
    async def silent(head: bytes, body: bytes) -> bytes | None:
        await asyncio.sleep(60)
        return None

    async def main() -> None:
        async with stub(silent) as port:
            with pytest.raises(DroppedError, match=r"no answer in 0\.2 s"):
                await Client(port, patience=0.2).exchange(get("/"))
        with pytest.raises(DroppedError, match="no connection"):
            await Client(1, patience=5).exchange(get("/"))

    asyncio.run(main())


@given(st.lists(st.floats(0, 10), max_size=50), st.sampled_from([0.01, 0.5, 0.95, 0.99, 1]))
def test_a_percentile_is_the_least_that_so_many_answers_came_within(latencies: list[float], share: float) -> None:
    found = Tally(latencies=array("d", latencies)).percentile(share) / 1000
    if not latencies:
        assert found == 0
        return
    assert found == pytest.approx(min(each for each in latencies if np.mean(np.array(latencies) <= each) >= share))


def test_the_report_names_each_percentile_rightly() -> None:
    """Of 1,000 answers that took 1 to 1,000 ms."""
    told = Tally(seconds=4, latencies=array("d", np.arange(1000, 0, -1) / 1000)).to_json()
    names = ("requests_per_second", "p50_ms", "p95_ms", "p99_ms", "max_ms")
    assert [told[name] for name in names] == pytest.approx([250, 500, 950, 990, 1000])


@pytest.mark.parametrize(
    ("status", "later", "verdict"),
    [
        *((status, [], Verdict.RIGHT) for status in (200, 422, 504)),
        *((status, [], Verdict.LOST) for status in (500, 503)),
        (429, [(b"Retry-After", b"1")], Verdict.REFUSED),
    ],
)
def test_hostile_requests_may_be_refused_but_must_be_answered(
    status: int, later: list[tuple[bytes, bytes]], verdict: Verdict
) -> None:
    assert hostile_verdict(Reply(status, later, b"{}")) is verdict


def test_requests_arrive_as_they_are_meant(stub: Stub) -> None:
    """The parts of a form are read back with the parser the service uses."""
    from python_multipart import parse_form

    arrived: list[tuple[bytes, bytes]] = []

    async def answer(head: bytes, body: bytes) -> bytes | None:
        arrived.append((head, body))
        return reply(b"")

    async def main() -> None:
        async with stub(answer) as port:
            client = Client(port, "127.0.0.7")
            await client.exchange(post_form("/query", b"\x89PNG\r\n--", query="X = 'ü'"))
            await client.exchange(post_json("/scenes/1/query", {"query": "\ud800"}))
            client.close()

    asyncio.run(main())
    (form_head, form), (json_head, sent) = arrived
    headers = {line.split(b": ")[0].decode(): line.split(b": ")[1] for line in form_head.split(b"\r\n")[1:-2]}
    assert form_head.startswith(b"POST /query HTTP/1.1\r\n")
    fields, files = [], []
    parse_form(headers, io.BytesIO(form), fields.append, files.append)
    assert [(f.field_name, f.value) for f in fields] == [(b"query", "X = 'ü'".encode())]
    assert [(f.field_name, f.file_name) for f in files] == [(b"image", b"image.png")]
    files[0].file_object.seek(0)
    assert files[0].file_object.read() == b"\x89PNG\r\n--"
    assert b"Content-Type: application/json\r\n" in json_head
    assert json.loads(sent) == {"query": "\ud800"}


def phase(rate: float, *, wrong: int = 0) -> Phase:
    """A measurement of one second."""
    tally = Tally(1, array("d", [0.01] * int(rate)), Counter({Verdict.WRONG: wrong}))
    return Phase({"honest": tally})


@pytest.mark.parametrize(
    ("known", "process", "same", "others", "met"),
    [
        (1000, 50, 500, 500, [True, True, True]),
        (999, 49, 500, 999, [False, True, True]),
        (1000, 51, 499, 900, [True, False, False]),
        (1000, 50, 900, 499, [True, True, False]),
    ],
)
def test_aims_are_judged_by_their_figures(
    known: int, process: int, same: int, others: int, met: list[bool], capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report()
    report.print_aims()
    assert capsys.readouterr().out.count("not measured") == 4
    for what, rate in ((KNOWN, known), (PROCESS, process), (SAME, same), (OTHERS, others)):
        report.add(what, 8, phase(rate))
    report.print_aims()
    lines = capsys.readouterr().out.splitlines()[-4:]
    assert [": met" in line for line in lines] == [*met, True]
    assert [": NOT met" in line for line in lines] == [*(not m for m in met), False]
    report.add("another", 1, phase(1, wrong=1))
    assert report.amiss
