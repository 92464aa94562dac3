"""docs/tables.md: its commands and views are run, and answer what it says and what SWI-Prolog answers."""

import json
import re
import shlex
import shutil
from pathlib import Path

import duckdb
import pytest

from tests.service.helpers import Run, one_line

pytestmark = [pytest.mark.slow(20), pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")]


@pytest.fixture
def text(root: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> str:
    """The page; what its first commands write is here."""
    monkeypatch.delenv("PREDINET_PROLOG_MODEL")
    page = (root / "docs" / "tables.md").read_text(encoding="utf-8")
    for command in re.findall(r"^\$ (predinet-prolog .*)$", page, re.MULTILINE)[:2]:
        assert run(*shlex.split(command)[1:]).status == 0
    return page


def test_prolog_asks_the_table(text: str, run: Run) -> None:
    assert run("query", "boards.parquet", "same(I, X, X)") == (1, "false.\n", "")
    both = run(
        "query", "boards.parquet", "lone(I)", "--rule", "lone(I) :- image(I, _, _, _), \\+ same(I, _, _)", "--json"
    )
    labels = [line.split(",")[:2] for line in Path("boards/labels.csv").read_text().splitlines()[1:]]
    lone = {answer["bindings"]["I"] for answer in json.loads(both.out)["answers"]}
    assert lone == {name for name, label in labels if label == "0"}, "what rules name is loaded, too"
    wrong = run("query", "boards.parquet", "sam(I, X, Y)")
    assert (wrong.status, one_line(wrong.err)) == (2, "unknown predicate sam/3: did you mean same/3?")
    assert run("query", "boards.parquet", "true", "--model", "between").status == 2


def test_json_has_the_same_relations(text: str, run: Run) -> None:
    assert run("export", "boards", "-o", "documents", "--format", "json").status == 0
    with duckdb.connect() as connection:
        found = connection.execute(
            "SELECT image, predicate, x, y, z, value, confidence FROM 'boards.parquet'"
            " WHERE y IS NOT NULL OR value IS NOT NULL"
        ).fetchall()
    told = [
        (
            path.with_suffix(".png").name,
            *(row.get(name) for name in ("predicate", "x", "y", "z", "value", "confidence")),
        )
        for path in Path("documents").iterdir()
        for row in json.loads(path.read_text())["relations"]
    ]
    assert sorted(told, key=str) == sorted(found, key=str)
    single = run("export", "boards/02.png", "--format", "json").out
    assert single == Path("documents/02.json").read_text(), "one by one or many at once"
