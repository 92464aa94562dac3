"""The worker's state, seen from inside: host.pl in a plain swipl, asked the same questions (state.pl)."""

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from predinet_prolog import symbolic
from predinet_prolog.symbolic import SymbolicError
from predinet_prolog.symbolic.precheck import check_goal, check_text
from tests.symbolic.hostile.catalogue import Entry

_HERE = Path(__file__).parent
HOST = Path(symbolic.__file__).parent / "host.pl"


def readable(entry: Entry) -> bool:
    """Whether Prolog ever sees the texts of `entry`."""
    try:
        check_goal(entry.goal)
        check_text("rules", entry.rules)
        check_text("program", entry.program)
    except SymbolicError:
        return False
    return True


def changes(entries: Iterable[Entry], folder: Path, host: Path = HOST) -> str:
    """What `entries`, asked with and without why, changed in one process; the empty text is right.

    Not for entries that may kill a worker. `folder` is for a file of questions.
    """
    questions = folder / "questions.pl"
    with questions.open("w", encoding="utf-8") as file:
        for entry in filter(readable, entries):
            texts = ", ".join(json.dumps(text, ensure_ascii=False) for text in (entry.program, entry.rules, entry.goal))
            for why in (0, 1):
                file.write(f"question({texts}, {round(entry.seconds * 1000)}, {why}).\n")
    run = subprocess.run(
        ["swipl", "-g", f"main('{host}', '{questions}')", "-t", "halt", str(_HERE / "state.pl")],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    questions.unlink()
    return run.stdout + run.stderr + ("" if run.returncode == 0 else f"swipl ended with status {run.returncode}\n")
