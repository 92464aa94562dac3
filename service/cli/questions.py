"""ask: a question in English about an image or a program."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from predinet_prolog.service.cli.asking import emit_json, reasons_text, telling_where
from predinet_prolog.service.cli.console import emit, note, progress
from predinet_prolog.service.cli.exporting import pictures_of, tell_notes
from predinet_prolog.service.cli.options import (
    Source,
    check_source,
    clauses_option,
    json_option,
    looks_option,
    open_rules,
    open_source,
    rules_option,
    settings,
    source_argument,
    suiting_model_option,
    timeout_option,
)
from predinet_prolog.service.cli.things import Things, things_options
from predinet_prolog.service.errors import UsageError

if TYPE_CHECKING:
    from predinet_prolog.domains.detections import Source as Detections
    from predinet_prolog.experiments.question_evaluation import QuestionEvaluation
    from predinet_prolog.symbolic import Engine, Replied, Rules

WAYS = ("text", "program")
"""Those of `service.questions`, which a test compares: a help must not wait for numpy."""
TRUTH = "scenes.json"
"""What tells in a folder what is in its pictures."""


@click.command()
@source_argument
@click.argument("question", metavar="QUESTION", help="A question in English, in quotes.")
@click.option("--why", is_flag=True, help="Print the proof of the answer, too.")
@rules_option
@clauses_option
@timeout_option("Seconds that the question may take.")
@suiting_model_option
@looks_option
@things_options
@json_option
def ask(
    source: Path,
    question: str,
    why: bool,
    rules: Sequence[str],
    clauses: Sequence[str],
    timeout: float | None,
    model: str | None,
    looks: int | None,
    things: Things,
    as_json: bool,
) -> None:
    """Ask a question in English about an image, or about a program made by export.

    Prints the goal that the question means, which `query` takes as well, and the answer. The words are those that the
    program has for its things, and English for what it says of them. What is no question that can be read is refused,
    never guessed; so is one that speaks of "the red cube" where there is none, or where there are two.

    \b
    Examples:
      predinet-prolog ask holiday.jpg 'Which things are left of a red thing?'
      predinet-prolog ask scene.pl 'How many things have the same colour as ob_2?'
      predinet-prolog ask street.jpg 'Does any person touch a bicycle?' --detections coco.json --why
    """
    from predinet_prolog.symbolic import Engine

    chosen = settings({"time_limit": "--timeout"}, time_limit=timeout)
    extra = open_rules(rules, clauses)
    check_source(source, question, model, looks, things)
    with telling_where(source, question), Engine(time_limit=chosen.time_limit) as engine:
        engine.start()  # while the image is looked at
        opened = open_source(source, model, looks, things, question, whole=True)
        opened, reply = asked(engine, opened, question, extra)
        reading = reply.reading
        if as_json:
            emit_json(opened, reply.to_json())
            return
        emit(f"{reading.goal}.\n{reading.answer}\n")
        if why:
            emit(reasons_text(engine.ask(opened.program, reading.goal, rules=extra, limit=1, why=True)))


def asked(engine: "Engine", source: Source, question: str, rules: "Sequence[Rules]") -> "tuple[Source, Replied]":
    """What the question gets, and what was asked: pixels are looked at once what was told does not suffice to read it.

    Raises what is wrong with it.
    """
    from predinet_prolog.service.theories import english_rules
    from predinet_prolog.symbolic import EnglishError
    from predinet_prolog.symbolic.english import only

    def put(program: str) -> "Replied":
        return only(engine.ask_in_english(program, [("", [question])], rules=[*rules, english_rules()]))

    try:
        return source, put(source.program)
    except EnglishError:
        if source.look is None:
            raise
    looked = source.look()
    return looked, put(looked.program)


def judge_questions(
    folder: Path,
    file: Path,
    by: str,
    model: str | None,
    things: Things,
    limit: int | None,
    *,
    as_json: bool,
) -> None:
    """Prints how the first `limit` questions of a file about the pictures of a folder are answered by what is told of
    their things, else by what the model named sees."""
    from predinet_prolog.experiments.question_evaluation import read_questions
    from predinet_prolog.service.questions import evaluate_questions

    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: --questions are about the pictures in one")
    questions = read_questions(file)[:limit]
    pictures = pictures_of(folder, model, None, things, at_once=False)
    start = time.monotonic()
    with progress("asking", len(questions), "questions") as report:
        truth = _truth_of(folder) if things.told is None else things.told.source
        limit_of_one = settings().time_limit
        result, summary = evaluate_questions(
            pictures, questions, by=by, truth=truth, time_limit=limit_of_one, report=report
        )
    seconds = time.monotonic() - start
    tell_notes(summary.notes, summary.first)
    for name, fault in summary.bad.items():
        note(f"{folder / name}: {fault}")
    if as_json:
        emit(json.dumps({"data": str(folder), "questions": str(file), "by": by, **result.to_json()}) + "\n")
    else:
        emit(_summary(result, seconds))


def _truth_of(folder: Path) -> "Detections | None":
    from predinet_prolog.domains.detections import open_detections

    return open_detections(folder / TRUTH) if (folder / TRUTH).is_file() else None


def _summary(result: "QuestionEvaluation", seconds: float) -> str:
    lines = [f"questions      {result.n}  ({result.n / seconds:.0f} a second)", f"accuracy       {result.accuracy:.4f}"]
    lines += [f"  {name:18} {share:.4f}  of {result.asked[name]}" for name, share in result.families.items()]
    if result.exact_scenes is not None:
        lines.append(f"exact scenes   {result.exact_scenes:.4f}")
    lines += [f"wrong          {count}: {cause}" for cause, count in sorted(result.wrong.items())]
    return "\n".join(lines) + "\n"
