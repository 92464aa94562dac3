"""Tables of cases: those of test_x.py stand beside it in x.toml."""

import tomllib
from pathlib import Path
from typing import Any


def cases(test: str) -> dict[str, Any]:
    """The tables of the test whose `__file__` is given, by name."""
    path = Path(test)
    return tomllib.loads(path.with_name(f"{path.stem.removeprefix('test_')}.toml").read_text(encoding="utf-8"))
