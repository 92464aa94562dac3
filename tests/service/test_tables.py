"""Tables of pictures, asked by Prolog and beside JSON. The commands of docs/tables.md: tests/test_examples.py."""

import json
import shutil
from pathlib import Path

import duckdb
import pytest

from tests.service.helpers import Run

pytestmark = [pytest.mark.slow(20), pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")]


@pytest.fixture
def boards(run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pictures, and boards.parquet of them."""
    monkeypatch.delenv("PREDINET_PROLOG_MODEL")
    assert run("generate", "between", "-n", 20, "-o", "boards").status == 0
    assert run("export", "boards", "--kb", "boards.parquet").status == 0
    return Path("boards")


def test_what_rules_name_is_loaded_too(boards: Path, run: Run) -> None:
    rule = "lone(I) :- image(I, _, _, _), \\+ same(I, _, _)"
    both = run("query", "boards.parquet", "lone(I)", "--rule", rule, "--json")
    labels = [line.split(",")[:2] for line in (boards / "labels.csv").read_text().splitlines()[1:]]
    lone = {answer["bindings"]["I"] for answer in json.loads(both.out)["answers"]}
    assert lone == {name for name, label in labels if label == "0"}


def test_json_has_the_same_relations(boards: Path, run: Run) -> None:
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
