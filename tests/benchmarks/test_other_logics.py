"""The page about other logics has the figures that were measured."""

import json
from pathlib import Path

from benchmarks.other_logics import with_tables

PAGE = Path(__file__).parents[2] / "docs" / "other-logics.md"


def test_the_page_has_the_figures_of_the_last_run() -> None:
    page, figures = PAGE.read_text(encoding="utf-8"), json.loads(PAGE.with_suffix(".json").read_text(encoding="utf-8"))
    assert with_tables(page, figures) == page
    assert all(counts["equal"] == counts["boards"] == 200 for counts in figures["agreement"].values())
    assert len(figures["agreement"]) == 6
