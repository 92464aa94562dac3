"""What holds in the pictures of a folder, seen and asked of Prolog."""

from collections.abc import Collection, Generator, Sequence
from functools import partial

from neural.engines import PROCESSES, Names
from service.errors import UsageError
from service.store.batches import BATCH
from service.store.folder import Export, Summary, open_model, views
from service.teaching import text_of
from symbolic import Engine, Rules
from symbolic.learning.observing import Observation, Signature, observe


def predicates_seen(export: Export, name: str) -> list[str]:
    """`name/arity` of what the program of the folder's picture `name` defines, and so every other of its model."""
    summary = Summary()
    programs = [seen.program for _, seen in views(export, (name,), open_model(export.model), summary)]
    _check(summary)
    return programs[0].predicates


def observe_folder(
    export: Export, names: Collection[str], signatures: Sequence[Signature], rules: Sequence[Rules], seconds: float
) -> Generator[tuple[Summary, list[Observation]], None, None]:
    """What holds in each of the pictures, with the rules added to their programs, each asked for so many seconds at
    most; yields each batch done. Raises UsageError for a picture that cannot be used."""
    work = partial(_observe, export, signatures, rules, seconds)
    return PROCESSES.in_batches(work, names, total=len(names), size=BATCH)


def _observe(
    export: Export, signatures: Sequence[Signature], rules: Sequence[Rules], seconds: float, names: Names
) -> tuple[Summary, list[Observation]]:
    """The same of some pictures; run by a worker."""
    summary = Summary(images=len(names))
    seen = list(views(export, names, open_model(export.model), summary))
    _check(summary)
    programs = ((name, each.text if rules else text_of(each)) for name, each in seen)  # rules may want all of it
    with Engine(time_limit=seconds) as engine:
        return summary, list(observe(partial(engine.ask, rules=rules, limit=1), programs, signatures))


def _check(summary: Summary) -> None:
    if summary.bad:
        raise UsageError(summary.bad[0])
