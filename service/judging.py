"""How often the network, or its programs with rules, answer right; and how often the scenes are exact."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bridge import ImageInfo, Perceiver, Scene, write_program
from neural import Model, predict
from neural.relations_game import (
    OBJECT_SETS,
    Images,
    RelationsGameError,
    generate,
    load_folder,
    load_npz,
    parse,
    task_info,
)
from service.errors import UsageError
from symbolic import Engine, Rules, TimeLimitError

ANSWER = "L"
"""The goal's variable whose value is the predicted label."""
CHUNK = 100
"""Images seen at once; also how often progress is told."""
CELL = 12
"""Side in pixels of the game's cells."""
TOLERANCE = 3.0
"""A symbol shows a cell's object if its centre is at most this far from the cell's, in pixels: a quarter of the
cell. Windows half-way between two cells are twice as far."""


@dataclass(frozen=True)
class Exam:
    """Labelled images, with what is known of them."""

    images: Images
    task: str | None
    objects: str | None
    occupied: npt.NDArray[np.bool_] | None
    """(N, 9): which cells truly hold an object; None where that is not known."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of an exam."""

    n: int
    accuracy: float
    """Share of right labels."""
    exact_scenes: float | None
    """Share of images whose objects are exactly the true ones, one symbol each; None where those are not known."""
    timeouts: int
    """Images whose goal ran out of time: wrong answers."""


def load_exam(source: Path, *, limit: int | None) -> Exam:
    """The first `limit` images of an .npz file or of a folder with labels.csv.

    The truth is taken from the file, else read from the pixels where they are a clean picture of the game.
    """
    images = _first(load_folder(source) if source.is_dir() else load_npz(source), limit)
    if (scenes := images.scenes) is not None:
        return Exam(images, scenes.task, scenes.object_set, scenes.occupied)
    for objects in OBJECT_SETS:
        try:
            shapes, _ = parse(images.pixels, objects)
        except RelationsGameError:
            continue
        return Exam(images, None, objects, shapes >= 0)
    return Exam(images, None, None, None)


def generated_exam(task: str, *, n: int, objects: str, seed: int) -> Exam:
    """`n` fresh images of `task`."""
    scenes = generate(task, n, objects=objects, seed=seed)
    return Exam(Images.of(scenes), scenes.task, scenes.object_set, scenes.occupied)


def judge_network(
    model: Model, exam: Exam, *, task: str | None, looks: int | None, report: Callable[[int], None]
) -> Verdict:
    """Judges the network's own answers as those to `task`, else the exam's, else the only one it was trained on.

    `report` is told the number of images after each chunk.
    """
    images = exam.images
    name = task_info(task or exam.task or _only_task(model)).name
    offset = model.task_offset(name)
    if int(images.task_ids.max()) >= task_info(name).task_ids:
        raise UsageError(
            f"the data ask questions up to number {images.task_ids.max()}, and {name} has only "
            f"{task_info(name).task_ids}: name their task by --task"
        )
    right = exact = 0
    for part in _chunks(len(images)):
        labels = predict(model.network, images.pixels[part], images.task_ids[part] + offset)
        right += int((labels == images.labels[part]).sum())
        if exam.occupied is not None:
            exact += _exact(Perceiver(model, looks=looks).perceive(images.pixels[part]), exam.occupied[part])
        report(len(images.labels[part]))
    return _verdict(exam, right, exact)


def judge_rules(
    model: Model,
    exam: Exam,
    *,
    rules: Sequence[Rules],
    goal: str,
    engine: Engine,
    looks: int | None,
    report: Callable[[int], None],
) -> Verdict:
    """Asks `goal` of each image's program with `rules` and the fact `task(T)`; the first answer's L counts."""
    images = exam.images
    right = exact = timeouts = 0
    for part in _chunks(len(images)):
        scenes = Perceiver(model, looks=looks).perceive(images.pixels[part])
        if exam.occupied is not None:
            exact += _exact(scenes, exam.occupied[part])
        labels, task_ids = images.labels[part].tolist(), images.task_ids[part].tolist()
        for scene, pixels, label, task_id in zip(scenes, images.pixels[part], labels, task_ids, strict=True):
            side = scene.image_size
            info = ImageInfo("image", hashlib.sha256(pixels.tobytes()).hexdigest(), side, side)
            program = write_program(scene, model=model, image=info, looks=looks)
            question = Rules("task", f"task({task_id}).\n")
            try:
                answers = engine.ask(program, goal, rules=[*rules, question], limit=1).answers
            except TimeLimitError:
                timeouts += 1
                continue
            if answers and ANSWER not in answers[0].bindings:
                raise UsageError(f"the goal must answer with its variable {ANSWER}, as in 'label({ANSWER})'")
            right += bool(answers) and answers[0].bindings[ANSWER] == label
        report(len(labels))
    return _verdict(exam, right, exact, timeouts)


def _only_task(model: Model) -> str:
    tasks = model.training.tasks
    if len(tasks) > 1:
        raise UsageError(f"the data do not tell which of the model's tasks they ask: add --task {'|'.join(tasks)}")
    return tasks[0]


def _verdict(exam: Exam, right: int, exact: int, timeouts: int = 0) -> Verdict:
    n = len(exam.images)
    return Verdict(n, right / n, None if exam.occupied is None else exact / n, timeouts)


def _exact(scenes: Sequence[Scene], occupied: npt.NDArray[np.bool_]) -> int:
    """How many of `scenes` have exactly the objects in the `occupied` cells (N, 9), one symbol each."""
    return sum(_cells(scene) == np.flatnonzero(cells).tolist() for scene, cells in zip(scenes, occupied, strict=True))


def _cells(scene: Scene) -> list[int]:
    """The cell of each object, in rising order; -1 for an object that lies in no cell."""
    cells = []
    for symbol in scene.objects:
        column, row = int(symbol.x // CELL), int(symbol.y // CELL)
        off = max(abs(symbol.x - (column + 0.5) * CELL), abs(symbol.y - (row + 0.5) * CELL))
        cells.append(3 * row + column if off <= TOLERANCE else -1)
    return sorted(cells)


def _first(images: Images, limit: int | None) -> Images:
    part = slice(limit)
    scenes = None if images.scenes is None else images.scenes[part]
    return Images(images.pixels[part], images.labels[part], images.task_ids[part], scenes)


def _chunks(n: int) -> list[slice]:
    return [slice(start, start + CHUNK) for start in range(0, n, CHUNK)]
