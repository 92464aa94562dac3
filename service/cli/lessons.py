"""What is learned from: pictures of a folder or knowledge base, what holds in them, and what a table says of them."""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Generic, TypeVar

from predinet_prolog.bridge.terms import comment
from predinet_prolog.domains import label_tables
from predinet_prolog.experiments.evaluation import task_fact
from predinet_prolog.neural.engines import PROCESSES, Names
from predinet_prolog.service.cli.exporting import pictures_of, tell_notes
from predinet_prolog.service.cli.progress import progress
from predinet_prolog.service.cli.seeing import Seeing
from predinet_prolog.service.cli.sources import PROGRAMS, program_text
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.folders import BATCH, Pictures, Summary, views
from predinet_prolog.service.learning import by_name
from predinet_prolog.service.pipeline import View, open_model
from predinet_prolog.service.streams import note
from predinet_prolog.service.teaching import signatures, text_of
from predinet_prolog.symbolic import Engine, Rules
from predinet_prolog.symbolic.learning import Learned, Observation, Options, Predicate, Signature, predicates_of
from predinet_prolog.symbolic.learning.observing import defined, observe, observe_base, of_rules

SECONDS = 30.0
"""Time that Prolog has for all that holds in one picture; of a board it takes some milliseconds."""
Row = TypeVar("Row")
Read = Callable[[Path, Collection[str], Path | None], Mapping[str, Row]]
"""Reads a table: by picture, what it says; UsageError or DomainError for one neither known nor in the folder."""
Label = tuple[str, str | None]
"""Of a picture: what it is called, and the task, if several are asked."""
Example = tuple[tuple[str, ...], bool]
"""Objects, and whether the word is true of them."""


@dataclass(frozen=True)
class Lesson(Generic[Row]):
    """Pictures, and what is told of them."""

    table: Mapping[str, Row]
    observations: Sequence[Observation]
    """Of the same pictures, in the same order."""
    signatures: Sequence[Signature]
    """What could be asked of their objects."""
    model: str
    """Which saw them, with its hash; as far as it is known."""
    sha256: str
    """Of all the pictures and of what is told of them, in whatever order."""

    @cached_property
    def predicates(self) -> Sequence[Predicate]:
        """What may stand in rules."""
        return predicates_of(self.signatures, self.observations)

    def learn(self, search: Callable[[Options], Learned], options: Options) -> Learned:
        """What `search` makes of the pictures with the fewest doubts."""
        return by_name(search, self.signatures, self.predicates, options)


def open_lesson(
    source: Path, table: Path | None, read: Read[Row], rules: Sequence[Rules], seeing: Seeing
) -> Lesson[Row]:
    """The lesson of a folder of pictures, else of a knowledge base; `table` is labels.csv there by default."""
    if not source.exists():
        raise UsageError(f"no such folder or file: {source}")
    path = table or (source if source.is_dir() else source.parent) / label_tables.LABELS
    if source.is_dir() and not path.is_file():
        raise UsageError(f"no such file: {path}: write it, a line file,label and one for each picture")
    if source.is_dir():
        return _of_folder(source, read(path, (), source), rules, seeing)
    if source.suffix not in PROGRAMS:
        raise UsageError(f"{source} is neither a folder of pictures nor a knowledge base of theirs (.pl, .qlf)")
    if rules or seeing.model is not None or seeing.detections is not None:
        options = "--rules and --model are for a folder of pictures, as is --detections"
        raise UsageError(f"{source} is a knowledge base: {options}")
    if not path.is_file():
        raise UsageError(f"no such file: {path}: say by --labels what the pictures of {source} are called")
    return _of_base(source, path, read)


def observe_all(
    pictures: Pictures, names: Collection[str], signatures: Sequence[Signature], rules: Sequence[Rules]
) -> list[Observation]:
    """What holds in those pictures of a folder. Shows how far it is, and tells what is amiss with them."""
    if rules:  # what they say of tasks they do not say of objects
        rules = [*rules, Rules("task", task_fact(None))]
    whole, observations = Summary(), []
    work = partial(_observe, pictures, signatures, rules)
    with progress("looking", len(names), "pictures") as advance:
        for summary, batch in PROCESSES.in_batches(work, names, total=len(names), size=BATCH):
            whole += summary
            observations += batch
            advance(len(batch))
    tell_notes(whole.notes, whole.first)
    return observations


def _observe(
    pictures: Pictures, signatures: Sequence[Signature], rules: Sequence[Rules], names: Names
) -> tuple[Summary, list[Observation]]:
    """What holds in some pictures; run by a worker."""
    summary = Summary(images=len(names))
    views_of = _all_views(pictures, names, summary)
    programs = ((name, view.text if rules else text_of(view)) for name, view in views_of)  # rules may want all of it
    with Engine(time_limit=SECONDS) as engine:
        return summary, list(observe(partial(engine.ask, rules=rules, limit=1), programs, signatures))


def _all_views(pictures: Pictures, names: Names, summary: Summary) -> list[tuple[str, View]]:
    """`views`; UsageError for a picture that cannot be used."""
    views_of = list(views(pictures, names, summary))
    if summary.bad:
        raise UsageError(next(iter(summary.bad.values())))
    return views_of


def read_labels(path: Path, names: Collection[str], folder: Path | None = None) -> dict[str, Label]:
    """Of each picture that has one, its label and its task; the latter only if there are several tasks."""
    rows, notes = label_tables.read_labels(path, names, folder)
    note(*notes)
    labels = {name: (label, task) for name, (label, task) in rows.items() if label is not None}
    if not labels:
        raise UsageError(f"{path} labels no picture: give each its label, file,label")
    if len({label for label, _ in labels.values()}) < 2:
        label = next(iter(labels.values()))[0]
        raise UsageError(f"{path}: every picture is called {label}: label some that are called otherwise")
    if len({task for _, task in labels.values()}) < 2:
        return {name: (label, None) for name, (label, _) in labels.items()}
    return labels


def read_examples(path: Path, names: Collection[str], folder: Path | None = None) -> dict[str, list[Example]]:
    """By picture, the examples of the lines image,object[,object],true|false; a first line may name these columns."""
    rows, notes = label_tables.read_examples(path, label_tables.finder(names, folder), widths=(1, 2), implied=False)
    note(*notes)
    examples: dict[str, list[Example]] = {}
    for (name, objects), truth in rows.items():
        examples.setdefault(name, []).append((objects, truth))
    return examples


def _of_folder(folder: Path, rows: Mapping[str, Row], rules: Sequence[Rules], seeing: Seeing) -> Lesson[Row]:
    pictures = pictures_of(folder, seeing)
    ((_, view),) = _all_views(pictures, (next(iter(rows)),), Summary())  # every other one has the same predicates
    asked = [*signatures(view.program.predicates)]
    asked += [signature for file in rules for signature in of_rules(file.text)]
    observations = observe_all(pictures, rows, asked, rules)
    network = open_model(pictures.model)
    return Lesson(rows, observations, asked, f"{network.name} (sha256 {network.sha256})", _digest_of(folder, rows))


def _of_base(base: Path, path: Path, read: Read[Row]) -> Lesson[Row]:
    text = program_text(base)
    images = len(re.findall(r"^image\(", text, re.MULTILINE))
    if not images:
        raise UsageError(f"{base} is no knowledge base of pictures: make one with export FOLDER --kb {base.name}")
    parts = (indicator.split("/") for indicator in defined(text))
    asked = signatures([f"{name}/{int(arity) - 1}" for name, arity in parts])
    observation_of = {}
    with Engine(time_limit=SECONDS) as engine, progress("asking", images, "pictures") as advance:
        for observation in observe_base(partial(engine.ask, limit=1), text, asked):
            observation_of[observation.name] = observation
            advance(1)
    rows = read(path, observation_of, None)
    model = re.search(r"^% model +(.+)$", text, re.MULTILINE)
    digest = _digest(rows, {base.name: hashlib.sha256(text.encode()).hexdigest()})
    return Lesson(rows, [observation_of[name] for name in rows], asked, model[1] if model else "unknown", digest)


def data_line(source: Path, sha256: str) -> str:
    """What a file of rules says of what they were learned from."""
    return f"data       {comment(source.resolve().name)} (sha256 {sha256})"


def was_learned_from(text: str, folder: Path) -> bool:
    """Whether rules of that `text` were learned from the folder's pictures and labels, as these are now."""
    if "% data  " not in text or not (table := folder / label_tables.LABELS).is_file():
        return False
    try:
        return data_line(folder, _digest_of(folder, read_labels(table, (), folder))) in text
    except UsageError:  # they cannot teach
        return False


def _digest_of(folder: Path, rows: Mapping[str, object]) -> str:
    """Of the folder's pictures, and of what is said of them."""
    return _digest(rows, {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in rows})


def _digest(rows: Mapping[str, object], files: Mapping[str, str]) -> str:
    lines = sorted(map(str, [*rows.items(), *files.items()]))
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
