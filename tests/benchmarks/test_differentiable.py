"""The table of training through a rule: by hand, and on the page what is in the file."""

import json
from pathlib import Path

from benchmarks.differentiable import MARKS, table


def test_a_row_is_the_mean_and_range_of_the_seeds() -> None:
    scores = {
        "rule; 1000; 0": {"pentos, clean": 0.5, "hexos, clean": 1.0},
        "rule; 100; 0": {"pentos, clean": 0.25, "hexos, clean": 0.25},
        "rule; 1000; 1": {"pentos, clean": 0.75, "hexos, clean": 1.0},
    }
    assert table(scores).splitlines()[2:] == [
        "| rule | 100 | 25.00 (25.00-25.00) | 25.00 (25.00-25.00) |",
        "| rule | 1,000 | 62.50 (50.00-75.00) | 100.00 (100.00-100.00) |",
    ]


def test_the_page_shows_what_was_measured(root: Path) -> None:
    figures = json.loads((root / "docs" / "differentiable.json").read_text(encoding="utf-8"))
    page = (root / "docs" / "differentiable.md").read_text(encoding="utf-8")
    assert page.partition(MARKS[0])[2].partition(MARKS[1])[0].strip() == table(figures["networks"]).strip()
