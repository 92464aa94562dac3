"""The Python of the pages runs as typed, and prints what the comments beside it say.

Notebooks are run by `make docs`: here is held how they are stored.
"""

import json
import re
from pathlib import Path
from pydoc import locate

import pytest

from scripts.tables import texts

DOCS = Path(__file__).parent.parent / "docs"
PAGES = [page for page in sorted(DOCS.glob("*.md")) if "```python" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs_and_prints_what_it_says(
    page: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    exec(compile(code, page.name, "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)


def test_what_the_page_documents_is_there(root: Path) -> None:
    names = re.findall(r"^\.\. auto\w+:: (\S+)$", (root / "docs" / "python.md").read_text(encoding="utf-8"), re.M)
    assert len(names) > 40
    assert [name for name in names if locate(name) is None] == []


def test_what_is_written_from_tables_is_current() -> None:
    assert len(texts()) == 3
    for path, text in texts().items():
        assert path.read_text(encoding="utf-8") == text, "run `python scripts/tables.py`"


def test_notebooks_are_stored_without_outputs() -> None:
    """So that a change of one can be reviewed, and holds no places of somebody's machine."""
    notebooks = [json.loads(path.read_text(encoding="utf-8")) for path in (DOCS / "notebooks").glob("*.ipynb")]
    code = [[cell for cell in notebook["cells"] if cell["cell_type"] == "code"] for notebook in notebooks]
    assert len(code) == 7
    assert all(code)
    assert [cell for cells in code for cell in cells if cell["outputs"] or cell["execution_count"] is not None] == []
