"""Programs of one thing become programs of many."""

from collections.abc import Iterable
from pathlib import Path

from symbolic.errors import WorkerError
from symbolic.swipl import run_swipl

_LIFTING = Path(__file__).with_name("lifting.pl")


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
