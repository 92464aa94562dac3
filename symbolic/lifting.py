"""Programs of one thing become programs of many, and text becomes what SWI-Prolog loads fast."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from symbolic.errors import WorkerError
from symbolic.swipl import find_swi_prolog

_LIFTING = Path(__file__).with_name("lifting.pl")


def lift(program: str, *, variable: str, predicates: Iterable[str] = ()) -> str:
    """`program` with one more argument, the first, in each of its own predicates, where they are defined and called.

    All else of the text stays, comments as well. The argument is `variable`. `predicates`, such as "object/1", count as
    its own without having clauses in it. Raises WorkerError for what is no Prolog text, or hands a predicate of its own
    to another (`maplist(same(X), Ys)`), and SwiPrologMissingError.
    """
    find_swi_prolog()
    command = ["swipl", "-g", "lift", "-t", "halt", str(_LIFTING), "--", variable, *predicates]
    run = subprocess.run(command, input=program, capture_output=True, encoding="utf-8")
    if run.returncode or run.stderr:
        raise WorkerError(f"the program cannot be lifted: {run.stderr.strip()}")
    return run.stdout


def compile_program(path: Path) -> Path:
    """Compiles the program at `path`, PROGRAM.pl, to PROGRAM.qlf beside it, which is also what is returned.

    Only the version of SWI-Prolog that made such a file is sure to load it. Raises WorkerError if the program has
    errors or warnings, and SwiPrologMissingError.
    """
    find_swi_prolog()
    goal = "current_prolog_flag(argv, [File]), qcompile(File)"
    command = ["swipl", "--on-error=halt", "--on-warning=halt", "-g", goal, "-t", "halt", "--", str(path)]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    compiled = path.with_suffix(".qlf")
    if run.returncode or not compiled.is_file():
        raise WorkerError(f"{path} cannot be compiled: {run.stderr.strip()}")
    return compiled
