"""Nothing hostile changes a worker: flags, operators, records, global variables, streams, threads, modules."""

from pathlib import Path

import pytest

from tests.symbolic.hostile.catalogue import ENTRIES, Entry
from tests.symbolic.hostile.inside import HOST, changes

pytestmark = pytest.mark.slow(10)

# Without the guard's alarm and the limit on memory, these would not end.
HARMLESS_HERE = [
    entry for entry in ENTRIES if not entry.group.startswith("effort") and "time_limit" not in entry.expected
] + [entry for entry in ENTRIES if entry.expected == ("time_limit",)][::8]


def test_the_catalogue_leaves_a_worker_as_it_was(tmp_path: Path) -> None:
    canary = tmp_path / "canary.pl"
    canary.write_text("object(from_the_file).\n:- halt.\n")
    assert changes([entry.at(canary) for entry in HARMLESS_HERE], tmp_path) == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["canary.pl"]


def test_changes_would_be_seen(tmp_path: Path) -> None:
    """What state.pl looks at is what it should: the guard made blind lets changes through."""
    signs = {
        "assertz(user:hacked)": "facts(user",
        "op(700, xfx, user:(===>))": "operator(user,===>",
        "nb_setval(hacked, 1)": "global(hacked",
        "recordz(hacked, 1)": "record(hacked",
        "flag(hacked, _, 7)": "flag_of_flag3(hacked",
        "setenv(x, y)": "environment(x",
        "open('/dev/null', read, _)": "is stream",
        "working_directory(_, '/')": "is directory",
        "set_prolog_flag(float_rounding, to_positive)": "is arithmetic",
        "set_prolog_flag(occurs_check, true)": "occurs_check",
    }
    host = tmp_path / "host.pl"
    host.write_text(f":- consult('{HOST}').\n:- abolish(guard:check_goal/2), assertz(guard:check_goal(_, _)).\n")
    lines = changes([Entry("blind", change) for change in signs], tmp_path, host)
    assert [sign for sign in signs.values() if sign not in lines] == []
