"""How often the network, or its programs with rules, answer right; and how often the scenes are exact."""

import hashlib
import json
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, astuple, dataclass, replace
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from predinet_prolog.bridge import ImageInfo, Scene, perceiver_of, write_program
from predinet_prolog.bridge.matching import match, overlaps
from predinet_prolog.domains.domain import Labelled
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.experiments.errors import ExperimentError
from predinet_prolog.neural import Model
from predinet_prolog.symbolic import JSON, Engine, Rules, TimeLimitError, UnknownObjectError

Boxes = npt.NDArray[np.float64]
"""(N, 4): left, top, right and bottom in pixels."""
ANSWER = "L"
"""The goal's variable whose value is the predicted label."""
CHUNK = 250
"""Images seen at once, while as many wait to be asked about."""
ENGINES = 2
"""Prolog processes that questions are asked of at once. More gain nothing: writing the programs takes as long."""


@dataclass(frozen=True)
class Faults:
    """What a scene's objects have wrong. A scene is exact if all are 0."""

    missing: int
    """True objects that no object symbol shows; those that a merged symbol stands for are among them."""
    spurious: int
    """Object symbols that show no true object, or one that another shows better, and are not merged."""
    merged: int
    """Object symbols that show no true object and whose boxes overlap those of at least two that are missing."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.missing + self.spurious + self.merged

    def __str__(self) -> str:
        return f"{self.missing} missing, {self.spurious} spurious, {self.merged} merged"


@dataclass(frozen=True)
class Outcome:
    """What became of one image."""

    number: int
    """The image's place in the test set, from 0."""
    label: int | str
    """The right answer, a text where it is as a labels.csv writes it."""
    answer: JSON
    """The answer given: the network's label, or the value of the goal's L; None if there was none."""
    timed_out: bool
    """Whether there was none because time ran out."""
    faults: Faults | None
    """None where the true objects are not known."""

    @property
    def right(self) -> bool:
        """Whether the answer is the label."""
        if isinstance(self.label, str) and isinstance(self.answer, str):
            return self.answer == self.label
        return self.said == str(self.label)

    @property
    def said(self) -> str:
        """The answer as text."""
        if self.answer is None:
            return "timeout" if self.timed_out else "none"
        return json.dumps(self.answer)


@dataclass(frozen=True)
class Evaluation:
    """The outcomes of a test set, one for each image, in its order."""

    outcomes: tuple[Outcome, ...]

    @property
    def n(self) -> int:
        """Images evaluated."""
        return len(self.outcomes)

    @property
    def wrong(self) -> int:
        """Wrong answers, and images without one."""
        return sum(not outcome.right for outcome in self.outcomes)

    @property
    def accuracy(self) -> float:
        """Share of right answers."""
        return (self.n - self.wrong) / self.n

    @property
    def exact_scenes(self) -> float | None:
        """Share of images whose objects are exactly the true ones, one symbol each; None where those are not known."""
        return None if self.faults is None else sum(map(_exact, self.outcomes)) / self.n

    @cached_property
    def faults(self) -> Faults | None:
        """Those of all scenes together; None where the true objects are not known."""
        faults = [astuple(outcome.faults) for outcome in self.outcomes if outcome.faults is not None]
        return Faults(*map(sum, zip(*faults, strict=True))) if len(faults) == self.n else None

    @property
    def wrong_on_exact(self) -> int | None:
        """Wrong answers to exact scenes: not the objects are to blame, but what is said or asked of them."""
        return None if self.faults is None else sum(not o.right and _exact(o) for o in self.outcomes)

    @property
    def timeouts(self) -> int:
        """Images whose goal ran out of time: wrong answers."""
        return sum(outcome.timed_out for outcome in self.outcomes)

    @property
    def confusion(self) -> dict[str, dict[str, int]]:
        """How often each answer was given to each label; `none` and `timeout` where there was none."""
        counts = Counter((str(outcome.label), outcome.said) for outcome in self.outcomes)
        table: dict[str, dict[str, int]] = {}
        for label, said in sorted(counts):
            table.setdefault(label, {})[said] = counts[label, said]
        return table

    def to_json(self) -> dict[str, object]:
        """Everything above by name; what is not known is null."""
        faults = self.faults
        counts = dict.fromkeys(("missing", "spurious", "merged")) if faults is None else asdict(faults)
        objects = "exact_scenes", *counts
        names = "n", "accuracy", *objects, "wrong", "wrong_on_exact", "timeouts", "confusion"
        return {name: counts[name] if name in counts else getattr(self, name) for name in names}


Watch = Callable[[Outcome, Scene], None]
"""Gets every image's outcome, in order, with what was seen in it."""


def load_test_set(source: Path, *, limit: int | None) -> Labelled:
    """The first `limit` images of an .npz file or of a folder with labels.csv.

    The truth is taken from the file, else read from the pixels where they are a clean picture of the game.
    """
    whole = DOMAIN.load(source)
    if limit is None or limit >= len(whole):
        return whole
    truth = None if whole.truth is None else whole.truth.first(limit)
    pictures, labels, task_ids = whole.images[:limit], whole.labels[:limit], whole.task_ids[:limit]
    return replace(whole, images=pictures, labels=labels, task_ids=task_ids, truth=truth)


def evaluate_network(
    model: Model,
    test_set: Labelled,
    *,
    task: str | None,
    looks: int | None,
    report: Callable[[int], None],
    watch: Watch | None = None,
) -> Evaluation:
    """Judges the network's own answers as those to `task`, else the test set's, else the only one it was trained on.

    `report` gets the number of images after each chunk. Scenes are made only for their faults and for `watch`;
    the faults of a baseline, which has none, are unknown.
    """
    from predinet_prolog.neural import predict  # needs PyTorch, which rules do without

    info = model.domain.task(task or test_set.task or _only_task(model))
    offset = model.task_offset(info.name)
    if (most := int(test_set.task_ids.max())) >= info.task_ids:
        raise ExperimentError(
            f"the data ask questions up to number {most}, and {info.name} has only {info.task_ids}: name their task by "
            "--task"
        )
    perceived = watch is not None or (test_set.truth is not None and model.config.architecture == "predinet")
    outcomes: list[Outcome] = []
    for part in _chunks(len(test_set)):
        images = test_set.images[part]
        answers = predict(model.network, images, test_set.task_ids[part] + offset).tolist()
        scenes = perceiver_of(model, looks).perceive(list(images)) if perceived else [None] * len(answers)
        for answer, scene in zip(answers, scenes, strict=True):
            outcomes.append(_outcome(test_set, len(outcomes), scene, answer))
            if watch is not None and scene is not None:
                watch(outcomes[-1], scene)
        report(len(answers))
    return Evaluation(tuple(outcomes))


def evaluate_rules(
    model: Model,
    test_set: Labelled,
    *,
    rules: Sequence[Rules],
    goal: str,
    time_limit: float,
    looks: int | None,
    report: Callable[[int], None],
    watch: Watch | None = None,
) -> Evaluation:
    """Asks `goal` of each image's program with `rules` and the fact `task(T)`; the first answer's L counts.

    An image whose goal takes longer than `time_limit` seconds has none.

    While one chunk of images is seen, the questions of the last one are asked. `report` gets 1 after every image.
    The first image, in order, whose question is a mistake ends it with that question's error.
    """
    engines: SimpleQueue[Engine] = SimpleQueue()

    def ask(number: int, scene: Scene) -> Outcome:
        pixels = test_set.images[number]
        image = ImageInfo("image", hashlib.sha256(pixels.tobytes()).hexdigest(), pixels.shape[1], pixels.shape[0])
        program = write_program(scene, model=model, image=image, looks=looks)
        question = Rules("task", task_fact(test_set, number))
        engine = engines.get()
        try:
            answer, timed_out = ask_label(engine, program, goal, [*rules, question])
        finally:
            engines.put(engine)
        return _outcome(test_set, number, scene, answer, timed_out=timed_out)

    outcomes: list[Outcome] = []
    asked: deque[tuple[Future[Outcome], Scene]] = deque()

    def settle(left: int) -> None:
        """Waits for the oldest questions, until no more than `left` are open."""
        while len(asked) > left:
            future, scene = asked.popleft()
            outcomes.append(future.result())
            if watch is not None:
                watch(outcomes[-1], scene)
            report(1)

    with ExitStack() as opened:
        for _ in range(ENGINES):
            engines.put(opened.enter_context(Engine(time_limit=time_limit, answer_limit=1)))
        threads = ThreadPoolExecutor(ENGINES)
        opened.callback(threads.shutdown, cancel_futures=True)  # what was not begun when the block ends is never asked
        for part in _chunks(len(test_set)):
            scenes = perceiver_of(model, looks).perceive(list(test_set.images[part]))
            for number, scene in enumerate(scenes, start=part.start):
                asked.append((threads.submit(ask, number, scene), scene))
                settle(CHUNK)
        settle(0)
    return Evaluation(tuple(outcomes))


def ask_label(engine: Engine, program: str, goal: str, rules: Sequence[Rules]) -> tuple[JSON, bool]:
    """The L of the goal's first answer, None if there is none; and whether that is so because time ran out."""
    try:
        answers = engine.ask(program, goal, rules=rules, limit=1).answers
    except TimeLimitError:
        return None, True
    except UnknownObjectError:  # of this image: others may show more objects
        return None, False
    if not answers:
        return None, False
    if ANSWER not in answers[0].bindings:
        raise ExperimentError(f"the goal must answer with its variable {ANSWER}, as in 'between_label({ANSWER})'")
    return answers[0].bindings[ANSWER], False


def task_fact(test_set: Labelled, number: int) -> str:
    """The clause that says which of its task's questions the image asks."""
    return f"task({test_set.task_ids[number]}).\n"


def faults_of(scene: Scene, true: Boxes) -> Faults:
    """What `scene` has wrong, if the boxes of its true objects are `true`."""
    return faults_of_boxes(scene.boxes, true)


def faults_of_boxes(boxes: Boxes, true: Boxes) -> Faults:
    """What symbols with these `boxes` have wrong, if those of the true objects are `true`."""
    pairs = match(boxes, true)
    missing = sorted(set(range(len(true))).difference(thing for _, thing in pairs))
    left = sorted(set(range(len(boxes))).difference(symbol for symbol, _ in pairs))
    merged = int(((overlaps(boxes[left], true[missing]) > 0).sum(axis=1) >= 2).sum())
    return Faults(len(missing), len(left) - merged, merged)


def _only_task(model: Model) -> str:
    tasks = model.training.tasks
    if len(tasks) > 1:
        raise ExperimentError(f"the data do not tell which of the model's tasks they ask: add --task {'|'.join(tasks)}")
    return tasks[0]


def _outcome(test_set: Labelled, number: int, scene: Scene | None, answer: JSON, *, timed_out: bool = False) -> Outcome:
    truth, faults = test_set.truth, None
    if scene is not None and truth is not None:
        faults = faults_of(scene, truth.boxes[truth.rows(number)])
    return Outcome(number, int(test_set.labels[number]), answer, timed_out, faults)


def _exact(outcome: Outcome) -> bool:
    return outcome.faults is not None and outcome.faults.total == 0


def _chunks(n: int) -> Iterator[slice]:
    return (slice(start, start + CHUNK) for start in range(0, n, CHUNK))
