"""Folders of one's own pictures: they judge a model, train one, and say what its relations mean."""

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from predinet_prolog.bridge.definitions import Grounding
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.fitting import Sighting, fit_grounding, sighted
from predinet_prolog.bridge.perceiving.given import Given
from predinet_prolog.bridge.perceiving.perceiver import perceiver_of
from predinet_prolog.bridge.regional import outside
from predinet_prolog.domains import DomainError, domain_of
from predinet_prolog.domains.annotations import ANNOTATIONS, LOOK, learnable, read_folder
from predinet_prolog.domains.detections import open_detections
from predinet_prolog.domains.domain import Annotated, Labelled
from predinet_prolog.domains.image_files import ImageFiles, upright_size
from predinet_prolog.domains.label_tables import LABELS
from predinet_prolog.experiments import folder_evaluation
from predinet_prolog.experiments.folder_evaluation import Counts, FolderEvaluation, definitions_of
from predinet_prolog.experiments.judging import Judge
from predinet_prolog.experiments.question_evaluation import QuestionEvaluation, read_questions
from predinet_prolog.neural.checkpoint import shipped_models
from predinet_prolog.neural.detector.model import DetectorModel
from predinet_prolog.neural.detector.taught import SCENES
from predinet_prolog.neural.glimpses.model import GlimpseModel, load_any
from predinet_prolog.neural.model import NO_MODEL, Model
from predinet_prolog.service.cli.console import PROGRAM, counted, emit, following, note, one_line, progress
from predinet_prolog.service.cli.exporting import model_for, pictures_of, tell_notes
from predinet_prolog.service.cli.options import settings
from predinet_prolog.service.cli.things import FOUND, Things
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import write_atomically, writing_to
from predinet_prolog.service.folders import Summary
from predinet_prolog.service.questions import evaluate_questions
from predinet_prolog.service.readings import Readings
from predinet_prolog.service.settings import CLEVR_MODEL, DEFAULT_MODEL, SCENES_MODEL
from predinet_prolog.symbolic import Rules


def annotated_for(data: str, name: str | None, things: Things, *, asked: bool) -> tuple[Annotated, Model] | None:
    """The pictures of a folder and the model that looks at them; None for boards with labels.csv, which the network
    answers itself, and for what is no folder.

    The model is the one named, else the settings'; where these name none, the one that suits the pictures' size. If a
    goal is `asked` of their programs, the model is chosen as `learn` does, and boards are read as `query` reads them.
    """
    folder = Path(data)
    if not folder.is_dir():
        if things != FOUND:
            raise UsageError(f"--detections, --boxes and --zones are for a folder of pictures, and {data} is none")
        return None
    if things.detections is not None:
        annotated = read_annotated(folder)
        things.check_pictures(annotated.names)
        things.check_look(name)
        return annotated, load_any(settings(model=name).model or SCENES_MODEL) if things.look else NO_MODEL
    if asked:
        annotated, model = read_annotated(folder), load_any(model_for(folder, name))
        return (annotated if model.domain.picture.free else _boards(folder, annotated, model)), model
    named = settings(model=name).model or DEFAULT_MODEL
    model = load_any(named)
    boards = not model.domain.picture.free and (folder / LABELS).is_file()
    try:
        annotated = read_annotated(folder)
    except DomainError:
        if boards and not (folder / ANNOTATIONS).is_file():
            return None  # the domain reads it, or says what is wrong
        raise
    picture = model.domain.picture
    if name is None and named == DEFAULT_MODEL and (picture.width, picture.height) not in _sizes(annotated):
        return annotated, load_any(SCENES_MODEL)
    return None if boards else (annotated, model)


def _boards(folder: Path, annotated: Annotated, model: Model) -> Annotated:
    """The labelled pictures as the model looks at them, whatever their size; boxes of pictures of another size are not
    judged, and a note says so."""
    size = model.domain.picture.width, model.domain.picture.height
    if _sizes(annotated) == {size} or not any(annotated.labels):
        return annotated
    if annotated.truth is not None:
        note(f"{folder}: labels alone are judged: boxes are, where all pictures have {size[0]}x{size[1]} pixels")
    files = replace(
        _files(annotated), sizes=[size] * len(annotated), read=lambda path: Readings(path).board(model.domain)
    )
    return replace(annotated, pictures=files, truth=None, words={})


def read_annotated(folder: Path, *, to_learn: bool = False) -> Annotated:
    """The folder's pictures, with what is told of them, or what of that can be learned. Notes what was read otherwise
    than it is written."""
    annotated = read_folder(folder)
    if to_learn:
        annotated = learnable(folder, annotated)
    for line in annotated.notes:
        note(f"{folder}: {line}")
    return annotated


def tell_remarks(annotated: Annotated) -> None:
    """Tells what was done to the folder's pictures that were read."""
    remarks = _files(annotated).remarks
    counts = Counter({remark: len(paths) for remark, paths in remarks.items()})
    tell_notes(counts, {remark: str(next(iter(paths))) for remark, paths in remarks.items()})


def tell_evened(count: int) -> None:
    """Tells of how many boards uneven light was taken off."""
    if count:
        note(f"uneven light was taken off {counted(count, 'board')}")


def _sizes(annotated: Annotated) -> set[tuple[int, int]]:
    """Width and height of all pictures of a folder, which are not read for it."""
    return set(_files(annotated).sizes)


def _files(annotated: Annotated) -> ImageFiles:
    assert isinstance(annotated.pictures, ImageFiles)
    return annotated.pictures


def judge_of(network: Model, test_set: Labelled) -> Judge | None:
    """Who judges what the network's programs say of pairs; None where they say nothing, or the truth is not known."""
    if test_set.truth is None or not network.heads:
        return None
    try:
        definitions = definitions_of(network)
    except BridgeError as error:
        note(f"pairs are not judged: {error}")
        return None
    return Judge(test_set.truth, definitions) if definitions else None


def judged(judge: Judge | None) -> dict[str, dict[str, float | None]]:
    """What a judge says, by name."""
    return {name: {} if judge is None else getattr(judge, name) for name in ("pairs", "calibration")}


def evaluate_folder(
    folder: Path,
    annotated: Annotated,
    network: Model,
    *,
    goal: str | None,
    rules: Sequence[Rules],
    limit: int | None,
    looks: int | None,
    things: Things,
    as_json: bool,
) -> None:
    """Prints how well the network sees the pictures, of which the first `limit` count, and answers their labels; or
    what was told of their things."""

    def given(number: int) -> Given:
        assert things.detections is not None, "it is asked"
        name = annotated.names[number]
        size = upright_size(folder / name)
        of_one = things.detections(name, size, looked=things.look)
        summary.note(folder, name, (*of_one.notes, *(() if things.zones is None else outside(things.zones, size))))
        return of_one

    summary = Summary()

    if limit is not None:
        annotated = annotated.first(limit)
    if annotated.truth is None and (goal is None or not any(annotated.labels)):
        raise UsageError(f"{folder} has labels alone: add what tells them, --goal 'label(L)'")
    with progress("evaluating", len(annotated), "images") as report:
        result = folder_evaluation.evaluate_folder(
            network,
            annotated,
            looks=looks,
            goal=goal,
            rules=rules,
            time_limit=settings().time_limit,
            given=None if things.detections is None else given,
            zones=things.zones,
            report=report,
        )
    tell_remarks(annotated)
    tell_notes(summary.notes, summary.first)
    tell_evened(result.evened)
    if result.answers is not None and result.answers.timeouts:
        note(f"{result.answers.timeouts} of {result.answers.n} goals ran out of time and count as wrong")
    attributes = {} if annotated.truth is None or not things.look else annotated.truth.attributes
    if unjudged := [name for name in attributes if ("same" if name == LOOK else f"same_{name}") not in result.pairs]:
        note(f"{folder}: not judged, as programs of {network.name} do not tell it: {', '.join(unjudged)}")
    if as_json:
        emit(json.dumps({"data": str(folder), "model": network.name, "goal": goal, **result.to_json()}) + "\n")
    else:
        emit(_summary(result, f"{goal}, {network.name}"))


def _summary(result: FolderEvaluation, who: str) -> str:
    lines = [f"images        {result.n}"]
    if result.answers is not None:
        labelled = "" if result.answers.n == result.n else f" of {result.answers.n} labelled"
        lines.append(f"accuracy      {result.answers.accuracy:.4f}{labelled}  ({who})")
    if result.exact_scenes is not None:
        lines += [f"exact scenes  {result.exact_scenes:.4f}", f"objects       {result.all_faults}"]
    lines += [_told_line(name, counts) for name, counts in (result.claimed or {}).items()]
    return "\n".join([*lines, *pair_lines(result.pairs, result.calibration)]) + "\n"


def _told_line(name: str, counts: Counts) -> str:
    shares = (
        ("precision", counts.precision, f"of {counts.claimed} told"),
        ("recall", counts.recall, f"of {counts.true}"),
    )
    figures = (f"{share} {'none' if value is None else f'{value:.4f}'} ({of})" for share, value, of in shares)
    return f"{one_line(name):13} {', '.join(figures)}"


def pair_lines(pairs: Mapping[str, float | None], calibration: Mapping[str, float | None]) -> list[str]:
    """What is told of pairs of things, a line for each predicate."""
    lines = []
    for name, accuracy in pairs.items():
        said = "all pairs are alike, or none is" if accuracy is None else f"{accuracy:.4f}  (of all pairs, balanced)"
        error = calibration.get(name)
        lines.append(f"{name:13} {said}" + ("" if error is None else f"; calibration error {error:.4f}"))
    return lines


def folder_among(sources: Sequence[str]) -> Path | None:
    """The folder among what is to be trained on; None if all are tasks. UsageError for a folder with others."""

    def is_task(name: str) -> bool:
        try:
            return bool(name == "all" or domain_of(name))
        except DomainError:
            return False

    folders = [source for source in sources if Path(source).is_dir() and not is_task(source)]
    if not folders:
        return None
    if len(sources) > 1:
        raise UsageError(f"{folders[0]} is a folder: train on it alone")
    return Path(folders[0])


def train_folder(source: Path, base: str | None, output: Path | None, *, steps: int | None, inside: bool) -> None:
    """Fine-tunes a model for pictures of any size on a folder by `steps` of the finder, and writes it with its card."""
    if (source / SCENES).is_file() and not (source / ANNOTATIONS).exists():
        if inside:
            raise UsageError(f"--inside is for a folder with {ANNOTATIONS}: things of {SCENES} are told in words")
        _train_detector(source, base or SCENES_MODEL, output, steps)
        return
    annotated = read_annotated(source, to_learn=True)
    network = _any_size(base or SCENES_MODEL)
    target = output or Path("out") / source.resolve().name
    training = import_module("predinet_prolog.neural.glimpses.training")
    config = training.FINE_TUNING if steps is None else training.FINE_TUNING.of(steps)
    with following("training", "steps") as report, writing_to(target):
        model = training.fine_tune(network, annotated, target, report=report, config=config, inside=inside)
    tell_remarks(annotated)
    write_atomically(model.path.with_suffix(".md"), _card(model, network, source, annotated).encode())
    emit(f"{model.path}  (sha256 {model.sha256})\n")
    note(f"now let it name what it sees: {PROGRAM} ground {model.path} {source}")


def _train_detector(source: Path, base: str, output: Path | None, steps: int | None) -> None:
    """Trains a detector on a folder with scenes.json, whose finder begins with that of `base`."""
    network = load_any(base)
    if not isinstance(network, GlimpseModel | DetectorModel):
        raise UsageError(f"{base} looks at pictures of one size: take a model for any size, such as {SCENES_MODEL}")
    training = import_module("predinet_prolog.neural.detector.training")
    config = training.DetectorTraining() if steps is None else training.DetectorTraining().of(steps)
    target = output or Path("out") / source.resolve().name
    with following("training", "steps") as report, writing_to(target):
        model = training.train_detector(network, source, target, config=config, report=report)
    emit(f"{model.path}  (sha256 {model.sha256})\n")
    note(f"it tells {', '.join(model.config.words)}: {PROGRAM} ask IMAGE QUESTION --model {model.path}")


def ground_folder(name: str, source: Path) -> tuple[GlimpseModel, Grounding]:
    """The model of that name, and what was learned of its relations from the folder; every fourth picture judges.

    UsageError for a model that comes along: its definitions are everybody's.
    """
    annotated = read_annotated(source, to_learn=True)
    assert annotated.truth is not None, "it can be learned from"
    network = _any_size(name)
    if network.path in shipped_models().values():
        raise UsageError(
            f"{name} comes along, and its definitions stay: train {source} first, or ground a copy of {network.path}"
        )
    perceiver = perceiver_of(network)
    parts: tuple[list[Sighting], list[Sighting]] = ([], [])
    with progress("grounding", len(annotated), "images") as report:
        for number in range(len(annotated)):
            (scene,) = perceiver.perceive([annotated.pictures[number]])
            parts[number % 4 == 3].extend(sighted(scene, annotated.truth, number))
            report(1)
    tell_remarks(annotated)
    taught, fresh = parts
    kind = source.resolve().name
    words = annotated.words
    judged = {kind: fresh}
    return network, fit_grounding(network, taught, fitted_on=kind, judged=judged, corrupted={}, words=words, note=note)


def _card(model: GlimpseModel, base: GlimpseModel, source: Path, annotated: Annotated) -> str:
    """What is to be known of a fine-tuned model."""
    truth = annotated.truth
    assert truth is not None, "a folder that can be learned from has boxes"
    rows = []
    for name, values in truth.attributes.items():
        words = annotated.words.get(name) or list(map(str, range(int(values.max()) + 1)))
        counts = [f"{word} {int((values == number).sum())}" for number, word in enumerate(words)]
        rows.append(f"| {name} | {', '.join(counts)} | {int((values < 0).sum())} |")
    return "\n".join(
        [
            f"# {model.name}",
            "",
            f"Fine-tuned from `{base.name}` (sha256 {base.sha256}) on `{source.resolve().name}`: "
            f"{counted(len(annotated), 'picture')}, {counted(len(truth.image), 'thing')}.",
            f"Its checkpoint `{model.path.name}` has sha256 {model.sha256}.",
            "",
            "| attribute | values, with how many things have them | not told |",
            "|---|---|---|",
            *rows,
            "",
            f"How well it knows such pictures tells `{PROGRAM} evaluate FOLDER --model {model.path.name}`, of others.",
            "",
        ]
    )


def _any_size(name: str) -> GlimpseModel:
    """The model of that name; UsageError if it is one of boards."""
    model = load_any(name)
    if model.kind == "detector":
        raise UsageError(f"{name} tells in words what it sees, and learns from folders with scenes.json alone")
    if not isinstance(model, GlimpseModel):
        raise UsageError(
            f"{name} looks at pictures of one size, and learns from its own domain's: "
            f"take a model for pictures of any size, such as {SCENES_MODEL}"
        )
    return model


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
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: --questions are about the pictures in one")
    questions = read_questions(file)[:limit]
    if (folder / SCENES).is_file() and things.detections is None:
        model = settings(model=model).model or CLEVR_MODEL
    pictures = pictures_of(folder, model, None, things, at_once=False)
    start = time.monotonic()
    with progress("asking", len(questions), "questions") as report:
        scenes, told_of = folder / SCENES, things.detections
        truth = told_of.source if told_of else open_detections(scenes) if scenes.is_file() else None
        result, summary = evaluate_questions(
            pictures, questions, by=by, truth=truth, time_limit=settings().time_limit, report=report
        )
    seconds = time.monotonic() - start
    tell_notes(summary.notes, summary.first)
    for name, fault in summary.bad.items():
        note(f"{folder / name}: {fault}")
    if as_json:
        emit(json.dumps({"data": str(folder), "questions": str(file), "by": by, **result.to_json()}) + "\n")
    else:
        emit(_answers_summary(result, seconds))


def _answers_summary(result: QuestionEvaluation, seconds: float) -> str:
    lines = [f"questions      {result.n}  ({result.n / seconds:.0f} a second)", f"accuracy       {result.accuracy:.4f}"]
    lines += [f"  {name:18} {share:.4f}  of {result.asked[name]}" for name, share in result.families.items()]
    if result.exact_scenes is not None:
        lines.append(f"exact scenes   {result.exact_scenes:.4f}")
    lines += [f"wrong          {count}: {cause}" for cause, count in sorted(result.wrong.items())]
    return "\n".join(lines) + "\n"
