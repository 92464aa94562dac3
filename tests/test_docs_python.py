"""The Python of the pages runs as typed, and prints what the comments beside it say."""

import re
from pathlib import Path

import pytest

PAGES = [
    page
    for page in sorted((Path(__file__).parent.parent / "docs").glob("*.md"))
    if "```python" in page.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs_and_prints_what_it_says(
    page: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    code = "\n".join(re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    exec(compile(code, page.name, "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)
