"""How often a model, or its programs with rules, answer right; how often scenes are exact; how well pairs are told.

Any perceiver is judged by any truth: pictures come with what is told of them, as a folder has them.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from predinet_prolog.bridge import BridgeError, ImageInfo, Scene, make_program, perceiver_of, write_prolog
from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.bridge.matching import match, overlaps
from predinet_prolog.bridge.perceiving.given import Given
from predinet_prolog.bridge.program import rules_of
from predinet_prolog.domains.annotations import CATEGORY
from predinet_prolog.domains.data import Annotated, Labelled, Truth
from predinet_prolog.domains.images import reduced
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.domains.zones import Zones
from predinet_prolog.experiments.errors import ExperimentError
from predinet_prolog.experiments.judging import SAME_SIZE, Judge
from predinet_prolog.experiments.outcomes import THINGS, Counts, Evaluation, Faults, Outcome
from predinet_prolog.neural import Model as BoardModel
from predinet_prolog.neural.model import Model
from predinet_prolog.quoting.prolog import constant
from predinet_prolog.symbolic import Engine, Rules, TimeLimitError, UnknownObjectError

Boxes = npt.NDArray[np.float64]
"""(N, 4): left, top, right and bottom in pixels."""
Note = Callable[[str], None]
ANSWER = "L"
"""The goal's variable whose value is the predicted label."""
OPEN = 128
"""Questions that wait at most: pictures are seen a batch at a time while those of the last batch are asked about."""
ENGINES = 2
"""Prolog processes that questions are asked of at once. More gain nothing: writing the programs takes as long."""


@dataclass(frozen=True)
class Goal:
    """What is asked of every picture's program, with `rules` and a fact task(T); the first answer's L counts, and none
    that takes longer than `time_limit` seconds."""

    text: str
    rules: Sequence[Rules] = ()
    time_limit: float = 1.0


@dataclass(frozen=True)
class OwnOutput:
    """The network's own output is asked, as the answer to `task`, else to the only one that it was trained on."""

    task: str | None = None


def load_test_set(source: Path) -> Labelled:
    """The boards of an .npz file or of a folder with labels.csv. Their truth is taken from the file, else read from the
    pixels where they are a clean picture of the game."""
    return DOMAIN.load(source)


def evaluate(
    model: Model,
    annotated: Annotated,
    asked: Goal | OwnOutput | None = None,
    *,
    looks: int | None = None,
    given: Callable[[int], Given] | None = None,
    zones: Zones | None = None,
    note: Note = lambda text: None,
    report: Callable[[int], None] = lambda done: None,
    watch: Callable[[Scene], object] = lambda scene: None,
) -> Evaluation:
    """Judges what the model sees in the pictures by so many looks at most, and what is `asked` of those with a label.

    `given` tells of the things of the picture of that number, in its file's pixels; `zones` are parts of all pictures.
    `note` gets what is not judged, and hints at what was meant; `report` 1 after every picture, and `watch` what was
    seen in it. Scenes that nothing is asked of are made where there is something to judge them by; a baseline of the
    paper has none. The first picture, in order, whose question is a mistake ends it with that question's error.
    """
    truth = annotated.truth
    blind = isinstance(asked, OwnOutput) and (truth is None or not model.heads)
    judge = None if truth is None or blind else _judge(model, truth, note)
    faults: list[Faults] = []
    counts: dict[str, Counts] = {}
    evened = 0

    def scenes() -> Iterator[Scene]:
        nonlocal evened
        for number, perceived in enumerate(_perceived(model, annotated, looks, given)):
            scene = replace(perceived, zones=zones)
            evened += scene.inspection.evened
            if truth is not None:
                read = _as_read(scene)
                faults.append(faults_of(read, truth.boxes[truth.rows(number)]))
                if judge is not None:
                    judge.add(number, read)
                if given is not None:
                    _compare(counts, annotated, number, read)
            watch(scene)
            report(1)
            yield scene

    outcomes: list[Outcome] = []
    if isinstance(asked, Goal):
        outcomes = list(_ask(asked, model, annotated, scenes(), looks, note))
    elif not blind:
        deque(scenes(), maxlen=0)
    if isinstance(asked, OwnOutput):
        assert isinstance(model, BoardModel), "other networks answer nothing"
        outcomes = _own(model, annotated, asked.task)
    if faults:
        outcomes = [replace(outcome, exact=faults[outcome.number].total == 0) for outcome in outcomes]
    return Evaluation(
        len(annotated),
        tuple(outcomes),
        None if truth is None or blind else tuple(faults),
        {} if judge is None else judge.pairs,
        {} if judge is None else judge.calibration,
        evened,
        None if given is None or truth is None else counts,
    )


def _judge(model: Model, truth: Truth, note: Note) -> Judge | None:
    """Who judges what programs of the model say of pairs; None, with a note, where its definitions are none."""
    try:
        sizes = any(clause.head.name == SAME_SIZE for section in rules_of(model).sections for clause in section)
        grounding = read_grounding(model)
        return Judge(truth, grounding.trusted if grounding else (), sizes=sizes)
    except BridgeError as error:
        note(f"pairs are not judged: {error}")
        return None


def _perceived(
    model: Model, annotated: Annotated, looks: int | None, given: Callable[[int], Given] | None
) -> Iterator[Scene]:
    """What the model sees in the pictures, which are read a batch at a time, if it looks at any."""
    perceiver = perceiver_of(model, looks)
    for start in range(0, len(annotated), perceiver.batch):
        numbers = range(start, min(start + perceiver.batch, len(annotated)))
        pictures = annotated.pictures[numbers.start : numbers.stop]
        yield from perceiver.perceive(pictures, () if given is None else list(map(given, numbers)))


def _ask(
    goal: Goal, model: Model, annotated: Annotated, scenes: Iterator[Scene], looks: int | None, note: Note
) -> Iterator[Outcome]:
    """The goal's answers about those of the `scenes` with a label; `note` gets what the first of them hints at."""
    engines: SimpleQueue[Engine] = SimpleQueue()
    hints: dict[int, tuple[str, ...]] = {}
    tasks = annotated.tasks or (None,) * len(annotated)

    def ask(number: int, label: str, scene: Scene) -> Outcome:
        # Nothing that is asked hangs on the bytes of the file: they need not be read for it.
        image = ImageInfo(annotated.names[number], "0" * 64, *scene.size)
        program = write_prolog(make_program(scene, model=model, image=image, looks=looks))
        engine = engines.get()
        try:
            rules = [*goal.rules, Rules("task", task_fact(tasks[number]))]
            answers = engine.ask(program, goal.text, rules=rules, limit=1)
        except TimeLimitError:
            return Outcome(number, label, None, timed_out=True)
        except UnknownObjectError:  # of this image: others may show more objects
            return Outcome(number, label, None)
        finally:
            engines.put(engine)
        hints[number] = answers.hints
        bindings = answers.answers[0].bindings if answers.answers else {ANSWER: None}
        if ANSWER not in bindings:
            raise ExperimentError(f"the goal must answer with its variable {ANSWER}, as in 'between_label({ANSWER})'")
        return Outcome(number, label, bindings[ANSWER])

    waiting: deque[Future[Outcome]] = deque()
    with ExitStack() as opened:
        for _ in range(ENGINES if any(annotated.labels) else 0):
            engines.put(opened.enter_context(Engine(time_limit=goal.time_limit, answer_limit=1)))
        threads = ThreadPoolExecutor(ENGINES)
        opened.callback(threads.shutdown, cancel_futures=True)  # what was not begun when the block ends is never asked
        for number, (label, scene) in enumerate(zip(annotated.labels or [None] * len(annotated), scenes, strict=True)):
            if label is not None:
                waiting.append(threads.submit(ask, number, label, scene))
            if len(waiting) > OPEN:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    for hint in hints[min(hints)] if hints else ():
        note(hint)


def _own(model: BoardModel, annotated: Annotated, task: str | None) -> list[Outcome]:
    from predinet_prolog.neural.training import predict  # needs PyTorch, which rules do without

    tasks = model.training.tasks
    if task is None and len(tasks) > 1:
        raise ExperimentError(f"the data do not tell which of the model's tasks they ask: add --task {'|'.join(tasks)}")
    info = model.domain.task(task or tasks[0])
    offset = model.task_offset(info.name)
    task_ids = np.array(annotated.tasks, dtype=np.int64)
    if (most := int(task_ids.max())) >= info.task_ids:
        raise ExperimentError(
            f"the data ask questions up to number {most}, and {info.name} has only {info.task_ids}: name their task by "
            "--task"
        )
    answers = predict(model.network, np.stack(annotated.pictures), task_ids + offset).tolist()
    return [Outcome(number, str(label), answers[number]) for number, label in enumerate(annotated.labels)]


def task_fact(task: str | None) -> str:
    """The clause that says which question is asked, task(0) or task(name); without one, that there is none."""
    return "task(_) :- fail.\n" if task is None else f"task({constant(task)}).\n"


def faults_of(scene: Scene, true: Boxes) -> Faults:
    """What `scene` has wrong, if the boxes of its true objects are `true`."""
    boxes = scene.boxes
    pairs = match(boxes, true)
    missing = sorted(set(range(len(true))).difference(thing for _, thing in pairs))
    left = sorted(set(range(len(boxes))).difference(symbol for symbol, _ in pairs))
    merged = int(((overlaps(boxes[left], true[missing]) > 0).sum(axis=1) >= 2).sum())
    return Faults(len(missing), len(left) - merged, merged)


def _as_read(scene: Scene) -> Scene:
    """The scene in pixels of the picture as it is read, as the truth is: what was told is in those of its file."""
    if (size := reduced(scene.size)) == scene.size:
        return scene
    scale = np.tile(np.divide(size, scene.size), 2)
    return replace(scene, things=tuple(replace(thing, box=thing.box * scale) for thing in scene.things), size=size)


def _compare(counts: dict[str, Counts], annotated: Annotated, number: int, scene: Scene) -> None:
    """Counts the things of a picture that are there, and those that were told."""
    assert annotated.truth is not None, "there is something to compare with"
    rows, words = annotated.truth.rows(number), annotated.words.get(CATEGORY)
    true = [THINGS] * (rows.stop - rows.start)
    if words is not None:
        true = [words[value] for value in annotated.truth.attributes[CATEGORY][rows].tolist()]
    names_told = [THINGS if words is None else str(thing.category) for thing in scene.things]
    for name in sorted({*true, *names_told}):
        there, here = ([place for place, other in enumerate(names) if other == name] for names in (true, names_told))
        count = counts.setdefault(name, Counts())
        count.true += len(there)
        count.claimed += len(here)
        count.right += len(match(scene.boxes[here], annotated.truth.boxes[rows][there]))
