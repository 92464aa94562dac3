"""Files of an experiment: there whole or not at all."""

import os
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Writes `text` beside `path` first, then renames; makes the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
