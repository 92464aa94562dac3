"""Which version this is."""

import subprocess
from contextlib import suppress
from pathlib import Path

from predinet_prolog import __version__
from predinet_prolog.service.streams import PROGRAM


def version_line() -> str:
    """The line that `--version` prints."""
    return f"{PROGRAM} {__version__}{_commit()}\n"


def _commit() -> str:
    """Which commit this is, if it runs from a checkout."""
    root = Path(__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return ""
    git = ["git", "-C", str(root), "rev-parse", "--short=10", "HEAD"]
    with suppress(OSError, subprocess.CalledProcessError):
        return f" (commit {subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()})"
    return ""
