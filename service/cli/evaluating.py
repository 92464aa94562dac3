"""evaluate: what a model sees, answers and tells of pictures, judged by what is known of them."""

import json
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from predinet_prolog.bridge.perceiving.given import Given
from predinet_prolog.bridge.regional import outside
from predinet_prolog.domains import DomainError, domain_of
from predinet_prolog.domains.annotations import ANNOTATIONS, LOOK, as_annotated
from predinet_prolog.domains.data import Annotated, Labelled
from predinet_prolog.domains.detections import open_detections
from predinet_prolog.domains.domain import board
from predinet_prolog.domains.image_files import ImageFiles, upright_size
from predinet_prolog.domains.label_tables import LABELS
from predinet_prolog.experiments.evaluation import Goal, OwnOutput, load_test_set
from predinet_prolog.experiments.evaluation import evaluate as experiment
from predinet_prolog.experiments.outcomes import Counts, Evaluation
from predinet_prolog.experiments.question_evaluation import QuestionEvaluation, read_questions
from predinet_prolog.neural.detector.taught import SCENES
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.model import NO_MODEL, Model
from predinet_prolog.service.cli.exporting import model_for, pictures_of, tell_notes
from predinet_prolog.service.cli.folders import read_annotated, tell_remarks
from predinet_prolog.service.cli.images import open_model
from predinet_prolog.service.cli.learning import kind_of, objects_option
from predinet_prolog.service.cli.lessons import was_learned_from
from predinet_prolog.service.cli.options import (
    COUNT,
    FILE,
    DomainCommand,
    clauses_option,
    json_option,
    model_option_for,
    open_rules,
    rules_option,
    settings,
)
from predinet_prolog.service.cli.progress import progress
from predinet_prolog.service.cli.seeing import Seeing, seeing_options
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.folders import Summary
from predinet_prolog.service.questions import WAYS, evaluate_questions
from predinet_prolog.service.readings import Readings
from predinet_prolog.service.settings import CLEVR_MODEL, DEFAULT_MODEL, SCENES_MODEL
from predinet_prolog.service.streams import counted, emit, note, one_line

NAMED = 3
"""Pictures with one wrong answer that are named."""


@click.command(cls=DomainCommand)
@click.argument(
    "data",
    metavar="DATA.npz|DIR|TASK",
    help="Images in the public format, a folder with annotations.json or labels.csv, or a task to generate.",
)
@model_option_for(DEFAULT_MODEL)
@rules_option
@clauses_option
@click.option(
    "--goal",
    metavar="GOAL",
    help="Ask each image's program with the rules and the fact task(T); the first answer's L is the label.",
)
@click.option(
    "--questions",
    type=FILE,
    metavar="FILE.json",
    help="Judge answers to these questions in English about the pictures of a folder, as CLEVR's files have them.",
)
@click.option(
    "--by", type=click.Choice(WAYS), default=WAYS[0], help="Of --questions: read them, or run their programs."
)
@click.option("--limit", type=COUNT, metavar="N", help="Judge the first N images, or questions, only.")
@click.option("--task", metavar="TASK", help="The model's task that the data ask, if they do not say.")
@click.option("-n", type=COUNT, default=1000, metavar="N", help="Images to generate of a TASK.")
@objects_option
@click.option("--seed", type=int, default=0, metavar="S", help="Seed of the images of a TASK.")
@seeing_options(model=False)
@json_option
def evaluate(
    data: str,
    rules: Sequence[str],
    clauses: Sequence[str],
    goal: str | None,
    questions: Path | None,
    by: str,
    limit: int | None,
    task: str | None,
    n: int,
    objects: str | None,
    seed: int,
    seeing: Seeing,
    as_json: bool,
) -> None:
    """Judge the network's own answers, or those of its programs with rules.

    Where the true objects are known, it also says in how many images exactly
    those were seen, and what was wrong in the others: objects that no symbol
    shows (missing), symbols that show no object (spurious), and symbols that
    show several (merged). It says how often the program is right about two
    true objects, over all pairs; a pair with a missing one counts as wrong.

    With --detections it judges what these tell: precision and recall of things,
    and of each category that annotations.json has. Two boxes are of one thing
    if they share half of what they cover. --goal judges what follows from them.

    \b
    Examples:
      predinet-prolog evaluate between.npz --model between --json
      predinet-prolog evaluate between -n 500 --objects KIND
      predinet-prolog evaluate same --rules THEORY --goal 'same_label(L)'
      predinet-prolog evaluate pictures/ --detections found.json --no-look
      predinet-prolog evaluate clevr/ --questions clevr/questions.json --detections clevr/scenes.json
    """
    if questions is not None:
        if goal is not None or rules or clauses or task is not None or seeing.looks is not None:
            raise UsageError("--questions are asked as they are: leave out --goal, --rules, --task, --looks")
        _judge_questions(Path(data), questions, by, seeing, limit, as_json=as_json)
        return
    if (rules or clauses) and goal is None:
        raise UsageError("rules need a goal to be asked with: add --goal 'label(L)', which `learn` writes")
    extra, asked = open_rules(rules, clauses), None
    for file in extra:
        if was_learned_from(file.text, Path(data)):
            note(f"{file.name} was learned from these labels: other pictures would judge it")
    if chosen := _annotated_for(data, seeing, asked=goal is not None):
        if task is not None:
            raise UsageError("--task is for boards with labels.csv")
        annotated, network = chosen
    else:
        test_set = _test_set(data, n=n, limit=limit, objects=objects, seed=seed)
        annotated, network, asked = as_annotated(test_set), open_model(seeing.model), OwnOutput(task or test_set.task)
    annotated = annotated if limit is None else annotated.first(limit)
    if annotated.truth is None and goal is None and asked is None:
        raise UsageError(f"{data} has labels alone: add what tells them, --goal 'label(L)'")
    summary = Summary()

    def given(number: int) -> Given:
        assert seeing.detections is not None, "it is asked"
        name = annotated.names[number]
        size = upright_size(Path(data, name))
        of_one = seeing.detections(name, size, looked=seeing.look)
        summary.note(Path(data), name, (*of_one.notes, *(() if seeing.zones is None else outside(seeing.zones, size))))
        return of_one

    with progress("evaluating", len(annotated), "images") as report:
        result = experiment(
            network,
            annotated,
            asked if goal is None else Goal(goal, extra, settings().time_limit),
            looks=seeing.looks,
            given=None if seeing.detections is None else given,
            zones=seeing.zones,
            note=note,
            report=report,
        )
    if result.evened:
        note(f"uneven light was taken off {counted(result.evened, 'board')}")
    if result.timeouts:
        note(f"{result.timeouts} of {result.labelled} goals ran out of time and count as wrong")
    if isinstance(annotated.pictures, ImageFiles):
        tell_remarks(annotated)
        tell_notes(summary.notes, summary.first)
        attributes = annotated.truth.attributes if annotated.truth is not None and seeing.look else ()
        if silent := [name for name in attributes if ("same" if name == LOOK else f"same_{name}") not in result.pairs]:
            note(f"{data}: not judged, as programs of {network.name} do not tell it: {', '.join(silent)}")
    document = {"data": data, "model": network.name, "goal": goal, **result.to_json()}
    who = f"{goal or 'the network'}, {network.name}"
    emit(f"{json.dumps(document)}\n" if as_json else _summary(result, annotated.names, who))


def _annotated_for(data: str, seeing: Seeing, *, asked: bool) -> tuple[Annotated, Model] | None:
    """The pictures of a folder and the model that looks at them; None for boards with labels.csv, which the network
    answers itself, and for what is no folder.

    The model is the one named, else the settings'; where these name none, the one that suits the pictures' size. If a
    goal is `asked` of their programs, the model is chosen as `learn` does, and boards are read as `query` reads them.
    """
    folder = Path(data)
    if not folder.is_dir():
        if seeing.detections is not None or seeing.zones is not None:
            raise UsageError(f"--detections, --boxes and --zones are for a folder of pictures, and {data} is none")
        return None
    if seeing.detections is not None:
        annotated = read_annotated(folder)
        seeing.check_pictures(folder, annotated.names)
        seeing.check_look()
        return annotated, load_any(settings(model=seeing.model).model or SCENES_MODEL) if seeing.look else NO_MODEL
    if asked:
        annotated, model = read_annotated(folder), load_any(model_for(folder, seeing.model))
        return (annotated if model.domain.picture.free else _boards(folder, annotated, model)), model
    named = settings(model=seeing.model).model or DEFAULT_MODEL
    model = load_any(named)
    boards = not model.domain.picture.free and (folder / LABELS).is_file()
    try:
        annotated = read_annotated(folder)
    except DomainError:
        if boards and not (folder / ANNOTATIONS).is_file():
            return None  # the domain reads it, or says what is wrong
        raise
    size = model.domain.picture.width, model.domain.picture.height
    if seeing.model is None and named == DEFAULT_MODEL and size not in set(_files(annotated).sizes):
        return annotated, load_any(SCENES_MODEL)
    return None if boards else (annotated, model)


def _boards(folder: Path, annotated: Annotated, model: Model) -> Annotated:
    """The labelled pictures as the model looks at them; boxes of pictures of another size are noted, not judged."""
    size, files = (model.domain.picture.width, model.domain.picture.height), _files(annotated)
    if set(files.sizes) == {size} or not any(annotated.labels):
        return annotated
    if annotated.truth is not None:
        note(f"{folder}: labels alone are judged: boxes are, where all pictures have {size[0]}x{size[1]} pixels")
    pictures = replace(files, sizes=[size] * len(files.sizes), read=lambda path: Readings(path).board(model.domain))
    return replace(annotated, pictures=pictures, truth=None, words={})


def _files(annotated: Annotated) -> ImageFiles:
    assert isinstance(annotated.pictures, ImageFiles)
    return annotated.pictures


def _test_set(data: str, *, n: int, limit: int | None, objects: str | None, seed: int) -> Labelled:
    """The file or folder of that name, else fresh images of the task of that name."""
    path = Path(data)
    if path.suffix == ".npz" or path.exists() or os.sep in data:
        if not path.exists():
            raise UsageError(f"no such file: {path}")
        return load_test_set(path)
    try:
        domain = domain_of(data)
    except DomainError as error:
        raise UsageError(f"no file {data}, and {error}") from error
    return board(domain).generate(data, min(n, limit or n), kind=kind_of(domain, data, objects), seed=seed)


def _summary(result: Evaluation, names: Sequence[str], who: str) -> str:
    """What an evaluation gave, in a few lines."""
    lines = [f"images        {result.n}"]
    if result.outcomes:
        labelled = "" if result.labelled == result.n else f" of {result.labelled} labelled"
        lines.append(f"accuracy      {result.accuracy:.4f}{labelled}  ({who})")
    if result.faults is None:
        lines.append("exact scenes  unknown")
    else:
        lines += [f"exact scenes  {result.exact_scenes:.4f}", f"objects       {result.faults}"]
    lines += [_told_line(name, counts) for name, counts in (result.claimed or {}).items()]
    for name, accuracy in result.pairs.items():
        said = "all pairs are alike, or none is" if accuracy is None else f"{accuracy:.4f}  (of all pairs, balanced)"
        error = result.calibration.get(name)
        lines.append(f"{name:13} {said}" + ("" if error is None else f"; calibration error {error:.4f}"))
    wrong: dict[tuple[str, str], list[str]] = {}
    for outcome in result.outcomes:
        if not outcome.right:
            wrong.setdefault((outcome.label, outcome.said), []).append(names[outcome.number])
    if wrong:
        on_exact = "" if result.wrong_on_exact is None else f"  ({result.wrong_on_exact} of them in exact scenes)"
        lines.append(f"wrong         {result.wrong}{on_exact}")
    for (label, said), pictures in sorted(wrong.items()):
        first = ", ".join(pictures[:NAMED]) + ", …" * (len(pictures) > NAMED)
        lines.append(f"  label {label}, answer {one_line(said)}: {len(pictures)}  ({one_line(first)})")
    return "\n".join(lines) + "\n"


def _told_line(name: str, counts: Counts) -> str:
    precision, recall = ("none" if share is None else f"{share:.4f}" for share in (counts.precision, counts.recall))
    return f"{one_line(name):13} precision {precision} (of {counts.claimed} told), recall {recall} (of {counts.true})"


def _judge_questions(folder: Path, file: Path, by: str, seeing: Seeing, limit: int | None, *, as_json: bool) -> None:
    """Prints how the first `limit` questions about a folder are answered by what is told, else by what a model sees."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: --questions are about the pictures in one")
    questions = read_questions(file)[:limit]
    if (folder / SCENES).is_file() and seeing.detections is None:
        seeing = seeing._replace(model=settings(model=seeing.model).model or CLEVR_MODEL)
    pictures = pictures_of(folder, seeing, at_once=False)
    start = time.monotonic()
    with progress("asking", len(questions), "questions") as report:
        scenes, told_of = folder / SCENES, seeing.detections
        truth = told_of.source if told_of else open_detections(scenes) if scenes.is_file() else None
        result, summary = evaluate_questions(
            pictures, questions, by=by, truth=truth, time_limit=settings().time_limit, report=report
        )
    seconds = time.monotonic() - start
    tell_notes(summary.notes, summary.first)
    for name, fault in summary.bad.items():
        note(f"{folder / name}: {fault}")
    document = {"data": str(folder), "questions": str(file), "by": by, **result.to_json()}
    emit(f"{json.dumps(document)}\n" if as_json else _answers(result, seconds))


def _answers(result: QuestionEvaluation, seconds: float) -> str:
    lines = [f"questions      {result.n}  ({result.n / seconds:.0f} a second)", f"accuracy       {result.accuracy:.4f}"]
    lines += [f"  {name:18} {share:.4f}  of {result.asked[name]}" for name, share in result.families.items()]
    if result.exact_scenes is not None:
        lines.append(f"exact scenes   {result.exact_scenes:.4f}")
    lines += [f"wrong          {count}: {cause}" for cause, count in sorted(result.wrong.items())]
    return "\n".join(lines) + "\n"
