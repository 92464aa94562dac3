"""The table of the page about PyTorch is that of the runs in the file beside it."""

from pathlib import Path

from benchmarks.stacked import runs, table

PAGE = Path(__file__).parents[2] / "docs" / "pytorch.md"


def test_the_page_has_the_table_of_the_last_runs() -> None:
    assert "\n".join(table(runs(PAGE.with_suffix(".json")))) in PAGE.read_text(encoding="utf-8")
