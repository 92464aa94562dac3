"""What holds in the pictures of a folder, seen and asked of Prolog."""

from collections.abc import Collection, Generator, Sequence
from functools import partial

from predinet_prolog.neural.engines import PROCESSES, Names
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.folders import Pictures, Summary, views
from predinet_prolog.service.store.batches import BATCH
from predinet_prolog.service.teaching import text_of
from predinet_prolog.symbolic import Engine, Rules
from predinet_prolog.symbolic.learning.observing import Observation, Signature, observe


def predicates_seen(pictures: Pictures, name: str) -> list[str]:
    """`name/arity` of what the program of the folder's picture `name` defines, and so every other of its model."""
    summary = Summary()
    programs = [view.program for _, view in views(pictures, (name,), summary)]
    _check(summary)
    return programs[0].predicates


def observe_folder(
    pictures: Pictures, names: Collection[str], signatures: Sequence[Signature], rules: Sequence[Rules], seconds: float
) -> Generator[tuple[Summary, list[Observation]], None, None]:
    """What holds in each of the pictures, with the rules added to their programs, each asked for so many seconds at
    most; yields each batch done. Raises UsageError for a picture that cannot be used."""
    work = partial(_observe, pictures, signatures, rules, seconds)
    return PROCESSES.in_batches(work, names, total=len(names), size=BATCH)


def _observe(
    pictures: Pictures, signatures: Sequence[Signature], rules: Sequence[Rules], seconds: float, names: Names
) -> tuple[Summary, list[Observation]]:
    """The same of some pictures; run by a worker."""
    summary = Summary(images=len(names))
    views_of = list(views(pictures, names, summary))
    _check(summary)
    programs = ((name, view.text if rules else text_of(view)) for name, view in views_of)  # rules may want all of it
    with Engine(time_limit=seconds) as engine:
        return summary, list(observe(partial(engine.ask, rules=rules, limit=1), programs, signatures))


def _check(summary: Summary) -> None:
    if summary.bad:
        raise UsageError(next(iter(summary.bad.values())))
