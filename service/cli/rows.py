"""query FOLDER: a row of each picture."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from types import MappingProxyType

import click

from predinet_prolog.neural.engine_choice import open_engine
from predinet_prolog.service.cli.exporting import BROKEN, pictures_of, tell_notes
from predinet_prolog.service.cli.options import open_rules
from predinet_prolog.service.cli.progress import progress
from predinet_prolog.service.cli.question import Question, telling_where
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.folders import Summary
from predinet_prolog.service.prolog_text import write_answer
from predinet_prolog.service.rows import Question as FolderQuestion
from predinet_prolog.service.rows import Row, Rows, files_of, rows_of
from predinet_prolog.service.store.journal import Entry, open_journal
from predinet_prolog.service.streams import counted, emit, note, one_line
from predinet_prolog.symbolic.answers import Answer

BETWEEN = " ; "
"""Between the answers of a picture."""
Variables = tuple[str, ...]


def ask_folder(asked: Question, most: int | None, *, form: str, where: bool, output: Path | None, engine: str) -> None:
    """Tells what every picture of a folder answers, `most` of each. See `answer_folder`."""
    if asked.trust:
        raise UsageError("--trust is for one picture or program, and not for a folder of them")
    folder = asked.source
    limits, rules = asked.limits(most), tuple(open_rules(asked.rules, asked.clauses))
    names, programs = files_of(folder)
    if programs and asked.seeing.chosen:
        raise UsageError(f"{folder} is a folder of programs: --model, --looks and --boxes are for images")
    pictures = None if programs else pictures_of(folder, asked.seeing, at_once=False)
    given = folder, pictures, asked.goal, rules, limits.time_limit, limits.answer_limit
    question = FolderQuestion(*given, text=form != "json")
    with telling_where(folder, asked.goal, rules):
        answer_folder(question, names, form=form, where=where, output=output, engine=engine)


def answer_folder(
    question: FolderQuestion, names: Sequence[str], *, form: str, where: bool, output: Path | None, engine: str
) -> None:
    """Prints a row of each picture as soon as it is known, or writes all to `output`, where the same command goes on if
    it is interrupted.

    form: one of FORMS. where: whether those alone are told of in which the goal holds; faults are noted then.
    Exits with BROKEN if a picture could not be used or asked, else with 1 if the goal holds in none.
    """
    summary, hints, things = Summary(), dict[str, None](), set[str]()
    title = repr((question, form, where, question.seen_by))
    journals = nullcontext() if output is None else open_journal(output, title, question.folder, names)
    visible = output is not None or not sys.stdout.isatty()  # else it would stand among the rows
    with journals as journal, progress("asking", len(names), "pictures", visible=visible) as advance:
        whole = Entry() if journal is None else journal.whole
        if done := whole.pictures:
            note(f"{output}: {done} of {counted(len(names), 'picture')} were asked already, and it goes on from there")
            advance(done)
        rest = names[done:]
        with closing(rows_of(question, rest, engine=open_engine(engine))) as batches:
            try:
                for rows in batches if rest else ():
                    entry = _entry(rows, whole, form, where)
                    if journal is None:
                        emit(entry.text)
                    else:
                        journal.add(entry)
                    whole += entry
                    summary += rows.summary
                    hints |= dict.fromkeys(rows.hints)
                    things |= rows.things
                    if where or output is not None:
                        note(*(row.error for row in rows.rows if row.error is not None))
                    advance(len(rows.rows), f"{whole.broken} broken" if whole.broken else "")
            except KeyboardInterrupt:
                remedy = "with -o FILE the same command would go on" if output is None else "the same command goes on"
                note(f"stopped after {whole.pictures} of {counted(len(names), 'picture')}; {remedy}")
                raise
        if journal is not None:
            journal.finish()
    tell_notes(summary.notes, summary.first)
    if things and not done:
        absent = sorted({*re.findall(r"\bob_\d+\b", question.goal)} - things)
        hints |= dict.fromkeys(f"no picture has an object {name}" for name in absent)
    note(*hints)
    if output is not None:
        emit(f"{output}: {counted(whole.pictures, 'picture')}, holds in {whole.holding}, {whole.broken} broken\n")
    if whole.broken or not whole.holding:
        raise click.exceptions.Exit(BROKEN if whole.broken else 1)


def _entry(rows: Rows, before: Entry, form: str, where: bool) -> Entry:
    """What is kept of the rows, `before` which there are others."""
    variables = before.variables if before.pictures else rows.variables
    head = "" if form != "csv" or before.pictures else _line(["file", "answers", *variables, "error"])
    text = "".join(FORMS[form](row, variables) for row in rows.rows if row.holds or not where)
    holding, broken = sum(row.holds for row in rows.rows), sum(row.error is not None for row in rows.rows)
    return Entry(len(rows.rows), holding, broken, variables, head + text)


def _as_text(row: Row, _: Variables) -> str:
    cell = f"error: {row.error}"
    if row.answers is not None:
        answers = [*map(write_answer, row.answers.answers)]
        cell = BETWEEN.join([*answers, *(["and more"] if row.answers.more else [])]) or "false"
    return f"{one_line(f'{row.file}: {cell}')}\n"


def _as_csv(row: Row, variables: Variables) -> str:
    """Of each variable its values in all answers: names without quotes, and nothing for one without a value."""

    def cell(name: str, answer: Answer) -> str:
        value, text = answer.bindings[name], (answer.text or {})[name]
        return value if isinstance(value, str) else "" if text == name else text

    answers = () if row.answers is None else row.answers.answers
    cells = [BETWEEN.join(cell(name, answer) for answer in answers) for name in variables]
    count = "" if row.answers is None else f"{len(answers)}{'+' if row.answers.more else ''}"
    return _line([row.file, count, *cells, row.error or ""])


def _line(cells: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


FORMS: Mapping[str, Callable[[Row, Variables], str]] = MappingProxyType(
    {"text": _as_text, "json": lambda row, _: f"{json.dumps(row.to_json(), ensure_ascii=False)}\n", "csv": _as_csv}
)
"""A row as lines, by the option that wants it so."""
