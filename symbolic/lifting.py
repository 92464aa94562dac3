"""Programs of one thing become programs of many, and text becomes what SWI-Prolog loads fast."""

from collections.abc import Iterable
from pathlib import Path

from symbolic.errors import WorkerError
from symbolic.swipl import run_swipl

_LIFTING = Path(__file__).with_name("lifting.pl")
_COMPILED_A_SECOND = 50_000  # bytes of text, on a slow machine that is busy


def lift(program: str, *, variable: str, predicates: Iterable[str] = ()) -> str:
    """`program` with one more argument, the first, in each of its own predicates, where they are defined and called.

    All else of the text stays, comments as well. The argument is `variable`. `predicates`, such as "object/1", count as
    its own without having clauses in it. Raises WorkerError for what is no Prolog text, or hands a predicate of its own
    to another (`maplist(same(X), Ys)`), and SwiPrologMissingError.
    """
    run = run_swipl("-g", "lift", "-t", "halt", _LIFTING, "--", variable, *predicates, text=program)
    if run.returncode or run.stderr:
        raise WorkerError(f"the program cannot be lifted: {run.stderr.strip()}")
    return run.stdout


def compile_program(path: Path) -> Path:
    """Compiles the program at `path`, PROGRAM.pl, to PROGRAM.qlf beside it, which is also what is returned.

    Only the version of SWI-Prolog that made such a file is sure to load it. Raises WorkerError if the program has
    errors or warnings, and SwiPrologMissingError.
    """
    goal = "current_prolog_flag(argv, [File]), qcompile(File)"
    options = ["--on-error=halt", "--on-warning=halt"]
    seconds = 60 + path.stat().st_size / _COMPILED_A_SECOND
    run = run_swipl(*options, "-g", goal, "-t", "halt", "--", path, seconds=seconds)
    compiled = path.with_suffix(".qlf")
    if run.returncode or not compiled.is_file():
        raise WorkerError(f"{path} cannot be compiled: {run.stderr.strip()}")
    return compiled
