"""Every entry of the catalogue gets what it is said to get, in time, and leaves nothing behind."""

import contextlib
import os
import time
from pathlib import Path

import pytest

from predinet_prolog.service.errors import kind_of
from predinet_prolog.symbolic import Engine, Rules, SymbolicError
from tests.symbolic.hostile.catalogue import ANSWERS, ENTRIES, PROGRAM, Entry

pytestmark = pytest.mark.slow(49)

# Beyond the time limit: the kill from outside comes after 0.3 s.
SLACK = 0.5
PATIENCE = 30.0  # the limit of what must end by itself: a busy machine must not end it first
CANARY = "object(from_the_file).\n:- halt.\n"

# What hostile questions could have changed, as far as questions can tell: facts, flags, operators, library predicates,
# the rounding of floats.
PROBE = (
    "findall(X, object(X), Objects), findall(X-Y, same(X, Y), Same), last([1, 2], Last), append([a], [b], Appended),"
    'Text = "text", Codes = `ab`, Term = [1, a - 2 | T], atom_length(abc, Length), Third is 1 / 3.0, Half is 7 // -2,'
    "Ratio is 2 ** -1, Max is max(1, 2.0), sort(0, @>=, [1, 2.0, a, f(x)], Sorted), dif(T, x),"
    "aggregate_all(count, same(_, _), Count), atom_codes(Atom, [0'a, 0'b]), maplist(succ, [1, 2], Successors)"
)


@pytest.fixture(scope="module")
def reference() -> object:
    """What an engine that saw nothing hostile says."""
    with Engine() as engine:
        return engine.ask(PROGRAM, PROBE).to_json()


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    path = tmp_path / "canary.pl"
    path.write_text(CANARY)
    return path


def asked(engine: Engine, entry: Entry, why: bool) -> tuple[str, str, float]:
    """The kind of what `entry` gets, what it says, and the seconds it takes once worker and rules are there."""
    rules = [Rules("hostile.pl", entry.rules)] if entry.rules else []
    with contextlib.suppress(SymbolicError):
        engine.ask(entry.program, "true", rules=rules)
    limit = entry.seconds if "time_limit" in entry.expected else PATIENCE
    start = time.monotonic()
    try:
        engine.ask(entry.program, entry.goal, rules=rules, time_limit=limit, limit=100, why=why)
    except SymbolicError as error:
        kind, text = kind_of(error), str(error)
    else:
        kind, text = ANSWERS, ""
    return kind, text, time.monotonic() - start


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entries(engine: Engine, reference: object, canary: Path, entry: Entry) -> None:
    entry = entry.at(canary)
    files, environment = sorted(canary.parent.iterdir()), dict(os.environ)
    # A reason is looked for when there are answers, or none; it runs bodies in its own way.
    reasons = ANSWERS in entry.expected or entry.group == "rules: bodies"
    for why in (False, True) if reasons else (False,):
        kind, text, seconds = asked(engine, entry, why)
        assert kind in entry.expected, text
        assert len(text) < 5000, "a message is a few lines"
        if "time_limit" in entry.expected and seconds > entry.seconds + SLACK:  # a busy machine is not its fault
            seconds = min(asked(engine, entry, why)[2] for _ in range(3))
            assert seconds <= entry.seconds + SLACK
    assert engine.ask(PROGRAM, PROBE).to_json() == reference
    assert sorted(canary.parent.iterdir()) == files
    assert canary.read_text() == CANARY
    assert dict(os.environ) == environment


def test_the_catalogue_is_large() -> None:
    assert len(ENTRIES) >= 200
    assert len({entry.group for entry in ENTRIES}) >= 15
