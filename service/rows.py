"""A goal asked of every picture of a folder: a row of each, its answers or what is wrong with it."""

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from predinet_prolog.bridge.perceiving.perceiver import perceiver_of
from predinet_prolog.bridge.program import Program
from predinet_prolog.bridge.writers.prolog import write_each
from predinet_prolog.domains.image_files import image_names
from predinet_prolog.neural.engines import PROCESSES, Engine, Names, Processes
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import read_text
from predinet_prolog.service.folders import Pictures, Summary, choose_for, told_programs, views
from predinet_prolog.service.given import Told, check_look
from predinet_prolog.service.pipeline import open_model
from predinet_prolog.service.settings import SCENES_MODEL
from predinet_prolog.symbolic import Answers, Rules
from predinet_prolog.symbolic import Engine as Prolog
from predinet_prolog.symbolic.errors import ProgramError, QuerySyntaxError, SymbolicError, UnknownPredicateError

TOLD = 256
"""Pictures at a time of which nothing is looked at: one process asks thousands in the time that another one starts."""
BATCH = 4
"""Pictures at a time, at least: rows come soon, and at the end no process waits long for the last of another."""
TRIED = 16
"""Pictures that are asked first, one by one, until one has answers."""
PROGRAM = ".pl"


@dataclass(frozen=True)
class Question:
    """What is asked of each picture of a folder."""

    folder: Path
    pictures: Pictures | None
    """How they are seen; None: the folder is one of their programs."""
    goal: str
    rules: tuple[Rules, ...] = ()
    time_limit: float = 1.0
    """Seconds for each picture."""
    answer_limit: int = 1000
    text: bool = False
    """Whether answers tell their values as Prolog writes them, too."""

    @property
    def seen_by(self) -> str:
        """The hash of the model that sees them, and what tells of their things; empty for programs."""
        if self.pictures is None:
            return ""
        detections = self.pictures.detections
        return f"{open_model(self.pictures.model).sha256} {() if detections is None else detections.stamp}"


@dataclass(frozen=True)
class Row:
    """What one picture answers."""

    file: str
    """Its path in the folder."""
    answers: Answers | None
    error: str | None = None
    """Why there are no answers, one line."""

    @property
    def holds(self) -> bool:
        """Whether the goal has an answer."""
        return self.answers is not None and bool(self.answers.answers)

    def to_json(self) -> dict[str, Any]:
        """`{"file", "answers"}`, with `"more": true` where there are further ones, or `{"file", "error"}`."""
        if self.answers is None:
            return {"file": self.file, "error": self.error}
        more = {"more": True} if self.answers.more else {}
        return {"file": self.file, "answers": self.answers.to_json()["answers"], **more}


@dataclass
class Rows:
    """The rows of some pictures, one after the other."""

    summary: Summary
    rows: list[Row]
    variables: tuple[str, ...] = ()
    """Those of the goal that answers bind; empty where no picture could be asked."""
    hints: tuple[str, ...] = ()
    """What the goal may have been meant to say."""
    things: frozenset[str] = frozenset()
    """Names of all that they show."""
    pictures: Pictures | None = None
    """How they were seen, where that is no program."""


def ask_all(
    folder: str | Path,
    goal: str,
    *,
    rules: Sequence[Rules] = (),
    model: str | None = None,
    detections: Told | str | Path | None = None,
    time_limit: float = 1.0,
    engine: Engine = PROCESSES,
) -> Iterator[Row]:
    """A row of every image in the folder and the folders in it, in the order of their names, as soon as it is known:
    the answers of `goal` in its program with `rules`, or what is wrong with it.

    As `service.pipeline.ask` of each, but many times as fast: all processors look, and Prolog reads the rules once.

    model: a shipped model's name or a checkpoint's path; None: the shipped one that suits most of the first images.
    detections: what tells of the things of the images; these are looked at, by the model, where the goal needs it.
    time_limit: seconds that the goal may take of each image. engine: who works, see `neural.engines`.

    Raises what `ask` raises, but for a fault of one image, or of the goal in one: that is its row's `error`.
    """
    folder = Path(folder)
    names, programs = files_of(folder)
    pictures = None
    if not programs and detections is not None:
        source = Told(Path(detections)) if isinstance(detections, str | Path) else detections
        source.check_pictures(folder, names)
        pictures = Pictures(folder, model or SCENES_MODEL, detections=source).later
    elif not programs:
        pictures = Pictures(folder, model or choose_for(folder))
    for rows in rows_of(Question(folder, pictures, goal, tuple(rules), time_limit), names, engine=engine):
        yield from rows.rows


def files_of(folder: Path) -> tuple[list[str], bool]:
    """The images in the folder and the folders in it, as paths from there; where there is none, the programs, and True.

    Raises UsageError if there is neither, and DomainError for a folder that cannot be read.
    """
    if names := list(image_names(folder)):
        return names, False
    if programs := sorted(path.relative_to(folder).as_posix() for path in folder.rglob(f"*{PROGRAM}")):
        return programs, True
    raise UsageError(f"{folder} holds neither an image nor a program ({PROGRAM})")


def rows_of(question: Question, names: Sequence[str], *, engine: Engine = PROCESSES) -> Generator[Rows, None, None]:
    """The rows of the pictures of these names, in their order, some at a time.

    Those up to the first that has answers are asked here: a goal or rules that no picture can be asked raise their
    SymbolicError before others are looked at. To stop it, close the generator.
    """
    try:
        first = Rows(Summary(), [])
        for name in names[:TRIED]:
            rows = _ask(question, (name,))
            first.summary += rows.summary
            first.rows += rows.rows
            first.things |= rows.things
            first.variables, first.hints, first.pictures = rows.variables, rows.hints, rows.pictures
            if rows.rows[0].answers is not None:
                break
        yield first
        count = len(first.rows)
        size, pictures = BATCH, first.pictures
        if pictures is not None and pictures.model is None:
            engine, size = Processes(1) if engine is PROCESSES else engine, TOLD
        elif pictures is not None:
            size = max(size, perceiver_of(open_model(pictures.model), pictures.looks).batch)
            question = replace(question, pictures=pictures)
        yield from engine.in_batches(partial(_ask, question), names[count:], total=len(names) - count, size=size)
    finally:
        _prolog(question.time_limit, question.answer_limit, question.text).close()


def _ask(question: Question, names: Names) -> Rows:
    """The rows of some pictures; run by a worker."""
    prolog = _prolog(question.time_limit, question.answer_limit, question.text)
    prolog.start()  # while they are looked at
    rows, pictures = Rows(Summary(images=len(names)), [], pictures=question.pictures), question.pictures
    answers: dict[str, Answers | SymbolicError]
    try:
        ask = _ask_programs if pictures is None else _ask_pictures
        answers = dict(ask(question, names, prolog, rows))
    except UnknownPredicateError as error:
        if pictures is None or pictures.model is not None:
            raise
        looked = pictures.looked
        check_look(error, pictures.looks_later, "--no-look" if looked is None else None)
        return _ask(replace(question, pictures=looked), names)
    for name in names:
        answer = answers.get(name)
        if isinstance(answer, Answers):
            rows.rows.append(Row(name, answer))
        else:
            rows.rows.append(Row(name, None, rows.summary.bad[name] if answer is None else str(answer)))
    return rows


def _ask_pictures(
    question: Question, names: Names, prolog: Prolog, rows: Rows
) -> Iterable[tuple[str, Answers | SymbolicError]]:
    """What each picture that can be used answers."""
    assert question.pictures is not None, "they are no programs"
    programs = dict(programs_of(question.pictures, names, rows.summary))
    if not programs:
        return ()
    words = re.findall(r"\w+", " ".join([question.goal, *(file.text for file in question.rules)]))
    common, facts = write_each([*programs.values()], words)
    asked = prolog.ask_each(common, facts, question.goal, rules=question.rules)
    rows.variables, rows.hints = asked.variables, asked.hints
    rows.things = frozenset(str(name) for program in programs.values() for name in program.facts["object"][0])
    return zip(programs, asked.pictures, strict=True)


def programs_of(pictures: Pictures, names: Names, summary: Summary) -> Iterator[tuple[str, Program]]:
    """Those of the pictures that can be used, which are one model's, with their names."""
    if pictures.model is None:
        return told_programs(pictures, names, summary)
    return ((name, view.program) for name, view in views(pictures, names, summary))


def _ask_programs(
    question: Question, names: Names, prolog: Prolog, rows: Rows
) -> Iterator[tuple[str, Answers | SymbolicError]]:
    """What each of the programs of these names answers, which may be anybody's."""
    for name in names:
        try:
            text = read_text(question.folder / name)
        except UsageError as error:
            rows.summary.bad[name] = str(error)
            continue
        try:
            if not rows.variables:
                rows.variables = prolog.ask_each(text, (), question.goal, rules=question.rules).variables
            answers = prolog.ask(text, question.goal, rules=question.rules)
        except SymbolicError as error:
            if isinstance(error, QuerySyntaxError) or (isinstance(error, ProgramError) and error.name != "program"):
                raise  # no program's fault
            yield name, error
        else:
            rows.hints = rows.hints or answers.hints
            yield name, answers


@cache
def _prolog(time_limit: float, answer_limit: int, text: bool) -> Prolog:
    """One of each process, which keeps the rules loaded."""
    return Prolog(time_limit=time_limit, answer_limit=answer_limit, text=text)
