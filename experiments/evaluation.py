"""How often the network, or its programs with rules, answer right; and how often the scenes are exact."""

import hashlib
import json
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from bridge import ImageInfo, Perceiver, Scene, Symbol, write_program
from domains.relations_game import (
    OBJECT_SETS,
    Images,
    RelationsGameError,
    generate,
    load_folder,
    load_npz,
    parse,
    task_info,
)
from domains.relations_game.objects import CELL
from experiments.errors import ExperimentError
from neural import Model
from symbolic import JSON, Engine, Rules, TimeLimitError, UnknownObjectError

ANSWER = "L"
"""The goal's variable whose value is the predicted label."""
CHUNK = 250
"""Images seen at once, while as many wait to be asked about."""
ENGINES = 2
"""Prolog processes that questions are asked of at once. More gain nothing: writing the programs takes as long."""
TOLERANCE = 3.0
"""A symbol shows a cell's object if its centre is at most this far from the cell's, in pixels: a quarter of the
cell. Windows half-way between two cells are twice as far."""


@dataclass(frozen=True)
class TestSet:
    """Labelled images, with what is known of them."""

    images: Images
    task: str | None
    objects: str | None
    occupied: npt.NDArray[np.bool_] | None
    """(N, 9): which cells truly hold an object; None where that is not known."""


@dataclass(frozen=True)
class Faults:
    """What a scene's objects have wrong. A scene is exact if all are 0."""

    missing: int
    """True objects without any object symbol on their cell; those that a merged symbol stands for are among them."""
    spurious: int
    """Object symbols that lie on no true object's cell and are not merged, and those on a cell that an earlier
    symbol lies on already."""
    merged: int
    """Object symbols that lie on no true object's cell and whose window overlaps the cells of at least two true
    objects that are missing."""

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
    """The image's place in the test_set, from 0."""
    label: int
    """The right answer."""
    answer: JSON
    """The answer given: the network's label, or the value of the goal's L; None if there was none."""
    timed_out: bool
    """Whether there was none because time ran out."""
    faults: Faults | None
    """None where the true objects are not known."""

    @property
    def right(self) -> bool:
        """Whether the answer is the label, an integer."""
        return self.said == str(self.label)

    @property
    def said(self) -> str:
        """The answer as text."""
        if self.answer is None:
            return "timeout" if self.timed_out else "none"
        return json.dumps(self.answer)


@dataclass(frozen=True)
class Evaluation:
    """The outcome of an test_set, one for each image, in the test_set's order."""

    outcomes: tuple[Outcome, ...]

    @property
    def n(self) -> int:
        """Images judged."""
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
        faults = self._faults()
        return None if faults is None else sum(fault.total == 0 for fault in faults) / self.n

    @property
    def faults(self) -> Faults | None:
        """Those of all scenes together; None where the true objects are not known."""
        faults = self._faults()
        if faults is None:
            return None
        return Faults(sum(f.missing for f in faults), sum(f.spurious for f in faults), sum(f.merged for f in faults))

    @property
    def wrong_on_exact(self) -> int | None:
        """Wrong answers to exact scenes: not the objects are to blame, but what is said or asked of them."""
        if self._faults() is None:
            return None
        return sum(not o.right and o.faults is not None and o.faults.total == 0 for o in self.outcomes)

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
        return {
            "n": self.n,
            "accuracy": self.accuracy,
            "exact_scenes": self.exact_scenes,
            "missing": None if faults is None else faults.missing,
            "spurious": None if faults is None else faults.spurious,
            "merged": None if faults is None else faults.merged,
            "wrong": self.wrong,
            "wrong_on_exact": self.wrong_on_exact,
            "timeouts": self.timeouts,
            "confusion": self.confusion,
        }

    def _faults(self) -> list[Faults] | None:
        faults = [outcome.faults for outcome in self.outcomes if outcome.faults is not None]
        return faults if len(faults) == self.n else None


Watch = Callable[[Outcome, Scene], None]
"""Is told of every image, in order, with what was seen in it."""


def load_test_set(source: Path, *, limit: int | None) -> TestSet:
    """The first `limit` images of an .npz file or of a folder with labels.csv.

    The truth is taken from the file, else read from the pixels where they are a clean picture of the game.
    """
    images = _first(load_folder(source) if source.is_dir() else load_npz(source), limit)
    if (scenes := images.scenes) is not None:
        return TestSet(images, scenes.task, scenes.object_set, scenes.occupied)
    for objects in OBJECT_SETS:
        try:
            shapes, _ = parse(images.pixels, objects)
        except RelationsGameError:
            continue
        return TestSet(images, images.task, objects, shapes >= 0)
    return TestSet(images, images.task, None, None)


def generated_test_set(task: str, *, n: int, objects: str, seed: int) -> TestSet:
    """`n` fresh images of `task`."""
    scenes = generate(task, n, objects=objects, seed=seed)
    return TestSet(Images.of(scenes), scenes.task, scenes.object_set, scenes.occupied)


def evaluate_network(
    model: Model,
    test_set: TestSet,
    *,
    task: str | None,
    looks: int | None,
    report: Callable[[int], None],
    watch: Watch | None = None,
) -> Evaluation:
    """Judges the network's own answers as those to `task`, else the test_set's, else the only one it was trained on.

    `report` is told the number of images after each chunk. Scenes are made only for their faults and for `watch`;
    the faults of a baseline, which has none, are unknown.
    """
    from neural import predict  # needs PyTorch, which judging rules does not

    images = test_set.images
    name = task_info(task or test_set.task or _only_task(model)).name
    offset = model.task_offset(name)
    if int(images.task_ids.max()) >= task_info(name).task_ids:
        raise ExperimentError(
            f"the data ask questions up to number {images.task_ids.max()}, and {name} has only "
            f"{task_info(name).task_ids}: name their task by --task"
        )
    outcomes: list[Outcome] = []
    for part in _chunks(len(images)):
        answers = predict(model.network, images.pixels[part], images.task_ids[part] + offset).tolist()
        scenes: Sequence[Scene | None] = [None] * len(answers)
        if watch is not None or (test_set.occupied is not None and model.config.architecture == "predinet"):
            scenes = Perceiver(model, looks=looks).perceive(images.pixels[part])
        for answer, scene in zip(answers, scenes, strict=True):
            outcomes.append(_outcome(test_set, len(outcomes), scene, answer))
            if watch is not None and scene is not None:
                watch(outcomes[-1], scene)
        report(len(answers))
    return Evaluation(tuple(outcomes))


def evaluate_rules(
    model: Model,
    test_set: TestSet,
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

    While one chunk of images is seen, the questions of the last one are asked. `report` is told of every image.
    The first image, in order, whose question is a mistake ends it with that question's error.
    """
    images = test_set.images

    def ask(number: int, scene: Scene) -> Outcome:
        program = write_program(scene, model=model, image=_info(images.pixels[number], scene), looks=looks)
        question = Rules("task", task_fact(test_set, number))
        try:
            with engines() as engine:
                answers = engine.ask(program, goal, rules=[*rules, question], limit=1).answers
        except TimeLimitError:
            return _outcome(test_set, number, scene, None, timed_out=True)
        except UnknownObjectError:  # of this image: others may show more objects
            return _outcome(test_set, number, scene, None)
        if not answers:
            return _outcome(test_set, number, scene, None)
        if ANSWER not in answers[0].bindings:
            raise ExperimentError(f"the goal must answer with its variable {ANSWER}, as in 'between_label({ANSWER})'")
        return _outcome(test_set, number, scene, answers[0].bindings[ANSWER])

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

    with _engines(time_limit) as engines, _threads() as threads:
        for part in _chunks(len(images)):
            scenes = Perceiver(model, looks=looks).perceive(images.pixels[part])
            for number, scene in enumerate(scenes, start=part.start):
                asked.append((threads.submit(ask, number, scene), scene))
                settle(CHUNK)
        settle(0)
    return Evaluation(tuple(outcomes))


def task_fact(test_set: TestSet, number: int) -> str:
    """The clause that says which of its task's questions the image asks."""
    return f"task({test_set.images.task_ids[number]}).\n"


def faults_of(scene: Scene, occupied: npt.NDArray[np.bool_]) -> Faults:
    """What `scene` has wrong, if the `occupied` cells (9,), row by row, are those that hold an object."""
    cells = [_cell(symbol) for symbol in scene.objects]
    true = set(np.flatnonzero(occupied).tolist())
    missing = true.difference(cells)
    shown: set[int] = set()
    spurious = merged = 0
    for symbol, cell in zip(scene.objects, cells, strict=True):
        if cell in true and cell not in shown:
            shown.add(cell)
        elif cell not in true and len(missing & _overlapped(symbol)) >= 2:
            merged += 1
        else:
            spurious += 1
    return Faults(len(missing), spurious, merged)


@contextmanager
def _engines(time_limit: float) -> Iterator[Callable[[], AbstractContextManager[Engine]]]:
    """Lends each of the Prolog processes to one thread at a time; there is one for each."""
    with ExitStack() as opened:
        free: SimpleQueue[Engine] = SimpleQueue()
        for _ in range(ENGINES):
            free.put(opened.enter_context(Engine(time_limit=time_limit, answer_limit=1)))

        @contextmanager
        def lend() -> Iterator[Engine]:
            engine = free.get()
            try:
                yield engine
            finally:
                free.put(engine)

        yield lend


@contextmanager
def _threads() -> Iterator[ThreadPoolExecutor]:
    """A thread for every Prolog process. However the block ends, what was not begun then is never asked."""
    threads = ThreadPoolExecutor(ENGINES)
    try:
        yield threads
    finally:
        threads.shutdown(cancel_futures=True)


def _only_task(model: Model) -> str:
    tasks = model.training.tasks
    if len(tasks) > 1:
        raise ExperimentError(f"the data do not tell which of the model's tasks they ask: add --task {'|'.join(tasks)}")
    return tasks[0]


def _outcome(test_set: TestSet, number: int, scene: Scene | None, answer: JSON, *, timed_out: bool = False) -> Outcome:
    faults = None if scene is None or test_set.occupied is None else faults_of(scene, test_set.occupied[number])
    return Outcome(number, int(test_set.images.labels[number]), answer, timed_out, faults)


def _info(pixels: npt.NDArray[np.uint8], scene: Scene) -> ImageInfo:
    return ImageInfo("image", hashlib.sha256(pixels.tobytes()).hexdigest(), scene.image_size, scene.image_size)


def _cell(symbol: Symbol) -> int | None:
    """The cell whose object the symbol shows; None if it lies in none."""
    column, row = int(symbol.x // CELL), int(symbol.y // CELL)
    off = max(abs(symbol.x - (column + 0.5) * CELL), abs(symbol.y - (row + 0.5) * CELL))
    return 3 * row + column if off <= TOLERANCE else None


def _overlapped(symbol: Symbol) -> set[int]:
    """The cells that the symbol's window overlaps."""
    columns = range(symbol.left // CELL, (symbol.left + symbol.width - 1) // CELL + 1)
    rows = range(symbol.top // CELL, (symbol.top + symbol.height - 1) // CELL + 1)
    return {3 * row + column for row in rows for column in columns}


def _first(images: Images, limit: int | None) -> Images:
    part = slice(limit)
    scenes = None if images.scenes is None else images.scenes[part]
    return Images(images.pixels[part], images.labels[part], images.task_ids[part], scenes, images.task)


def _chunks(n: int) -> list[slice]:
    return [slice(start, start + CHUNK) for start in range(0, n, CHUNK)]
