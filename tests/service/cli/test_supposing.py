"""suppose as JSON, its statuses and its mistakes. What it prints: docs/suppose.md."""

import json
from pathlib import Path

import pytest

from tests.service.helpers import Run

PROGRAM = """
object(ob_0). object(ob_1). object(ob_2). left_of(ob_0, ob_1).
same_colour(ob_0, ob_1). same_colour(ob_1, ob_0). same_shape(_, _) :- fail. r0(0.5, ob_0, ob_1).
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "scene.pl"
    path.write_text(PROGRAM)
    return path


def test_facts_are_given_one_by_one_or_in_one(run: Run, scene: Path) -> None:
    apart = run("suppose", scene, "same_colour(ob_0, ob_2)", "same_shape(ob_0, ob_2)", "same_shape(X, Y)", "--json")
    joined = run("suppose", scene, "same_colour(ob_0, ob_2), same_shape(ob_0, ob_2)", "same_shape(X, Y)", "--json")
    assert (apart.status, apart.out) == (0, joined.out)
    assert set(json.loads(apart.out)) == {"before", "changes", "true", "false", "after", "warnings"}
    ended = run("suppose", scene, "\\+ same_colour(ob_0, ob_1)", "same_colour(X, Y)")
    assert ended.status == 1
    assert ended.out.endswith("After:\nfalse.\nWhat came nearest:\n  ✗ same_colour(_, _)  % no fact or rule matches\n")
    assert run("suppose", scene, "same_colour(ob_0, ob_1)", "true").out.startswith("Nothing changes: so it was seen.\n")
