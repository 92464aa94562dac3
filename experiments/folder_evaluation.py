"""A folder with truth judges what a model sees in its pictures: of any size, or boards of one."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, astuple, dataclass
from typing import Protocol

import numpy as np

from bridge import ImageInfo, Perceiver, write_program, write_prolog
from bridge.definitions import Definition, read_grounding
from bridge.glimpses.perceiver import GlimpsePerceiver
from bridge.glimpses.program import make_scene_program
from bridge.glimpses.scene import SeenScene
from bridge.scene import Scene
from domains.domain import Annotated, Pixels
from experiments.errors import ExperimentError
from experiments.evaluation import CHUNK, Evaluation, Faults, Outcome, ask_label, faults_of_boxes
from experiments.judging import Judge, Sight, boxes_of
from neural import Model
from neural.glimpses.model import GlimpseModel
from quoting.prolog import constant
from symbolic import Engine, Rules


class Seer(Protocol):
    """Whoever sees pictures."""

    @property
    def sizes(self) -> bool:
        """Whether its programs say same_size/2."""

    @property
    def definitions(self) -> Sequence[Definition]:
        """What its programs say of pairs by co-ordinates."""

    def perceive(self, pictures: Iterable[Pixels]) -> Iterator[Sight]:
        """A scene of each."""

    def program(self, scene: Sight, image: ImageInfo) -> str:
        """The text of its program."""


@dataclass(frozen=True)
class BoardSeer:
    """A PrediNet, whose pictures have one size."""

    model: Model
    looks: int | None = None
    sizes: bool = False

    @property
    def definitions(self) -> Sequence[Definition]:
        """Raises BridgeError as `read_grounding`."""
        return definitions_of(self.model)

    def perceive(self, pictures: Iterable[Pixels]) -> Iterator[Scene]:
        """ExperimentError for a picture of another size."""
        perceiver, side = Perceiver(self.model, looks=self.looks), self.model.config.image_size
        waiting: list[Pixels] = []
        for number, picture in enumerate(pictures):
            if picture.shape != (side, side, 3):
                raise ExperimentError(
                    f"picture {number} is {picture.shape[1]}x{picture.shape[0]} pixels, and {self.model.name} looks at "
                    f"those of {side}x{side}: choose a model for pictures of any size by --model"
                )
            waiting.append(picture)
            if len(waiting) == CHUNK:
                yield from perceiver.perceive(np.stack(waiting))
                waiting = []
        if waiting:
            yield from perceiver.perceive(np.stack(waiting))

    def program(self, scene: Sight, image: ImageInfo) -> str:
        """The text of its program."""
        assert isinstance(scene, Scene)
        return write_program(scene, model=self.model, image=image, looks=self.looks)


@dataclass(frozen=True)
class GlimpseSeer:
    """A finder and comparator, for pictures of any size."""

    model: GlimpseModel
    sizes: bool = True

    @property
    def definitions(self) -> Sequence[Definition]:
        """Raises BridgeError as `read_grounding`."""
        return definitions_of(self.model)

    def perceive(self, pictures: Iterable[Pixels]) -> Iterator[SeenScene]:
        """A scene of each."""
        return map(GlimpsePerceiver(self.model).perceive, pictures)

    def program(self, scene: Sight, image: ImageInfo) -> str:
        """The text of its program."""
        assert isinstance(scene, SeenScene)
        return write_prolog(make_scene_program(scene, model=self.model, image=image, scale=(1.0, 1.0)))


def definitions_of(model: Model | GlimpseModel) -> Sequence[Definition]:
    """What programs of the model say of pairs; none if it was never grounded."""
    grounding = read_grounding(model)
    return () if grounding is None else grounding.trusted


@dataclass(frozen=True)
class FolderEvaluation:
    """How well the pictures of a folder were seen, and questions about them answered."""

    n: int
    """Pictures."""
    faults: tuple[Faults, ...] | None
    """Of each picture; None where the true things are not known."""
    pairs: Mapping[str, float | None]
    calibration: Mapping[str, float | None]
    """As a Judge has them."""
    answers: Evaluation | None
    """Of the pictures with a label; None where no goal was asked or none has one."""
    evened: int = 0
    """Pictures that uneven light was taken off."""

    @property
    def exact_scenes(self) -> float | None:
        """Share of pictures with exactly the true objects, one symbol each; None where those are not known."""
        return None if self.faults is None else sum(each.total == 0 for each in self.faults) / self.n

    @property
    def all_faults(self) -> Faults | None:
        """Those of all pictures together."""
        return None if self.faults is None else Faults(*map(sum, zip(*map(astuple, self.faults), strict=True)))

    def to_json(self) -> dict[str, object]:
        """Everything by name; what is not known is null."""
        answers = {} if self.answers is None else self.answers.to_json()
        faults = self.all_faults
        return {
            "n": self.n,
            "labelled": answers.get("n", 0),
            "accuracy": answers.get("accuracy"),
            "exact_scenes": self.exact_scenes,
            **(dict.fromkeys(("missing", "spurious", "merged")) if faults is None else asdict(faults)),
            "pairs": dict(self.pairs),
            "calibration": dict(self.calibration),
            **{name: answers.get(name) for name in ("wrong", "timeouts", "confusion")},
        }


def evaluate_folder(
    seer: Seer,
    annotated: Annotated,
    *,
    goal: str | None = None,
    rules: Sequence[Rules] = (),
    time_limit: float = 1.0,
    report: Callable[[int], None] = lambda done: None,
) -> FolderEvaluation:
    """Judges what `seer` sees in the pictures. Of those with a label `goal` is asked, with `rules` and, where it has a
    task t, the fact task(t); the first answer's L counts. `report` gets 1 after every picture."""
    truth = annotated.truth
    judge = None if truth is None else Judge(truth, seer.definitions, sizes=seer.sizes)
    labels = annotated.labels if goal is not None else ()
    tasks = annotated.tasks or (None,) * len(annotated)
    asking = any(label is not None for label in labels)
    pictures = (annotated.pictures[number] for number in range(len(annotated)))
    faults, outcomes, evened = [], [], 0
    with Engine(time_limit=time_limit, answer_limit=1) if asking else nullcontext() as engine:
        for number, scene in enumerate(seer.perceive(pictures)):
            evened += scene.inspection.evened
            if truth is not None and judge is not None:
                faults.append(faults_of_boxes(boxes_of(scene), truth.boxes[truth.rows(number)]))
                judge.add(number, scene)
            if engine is not None and goal is not None and (label := labels[number]) is not None:
                question = Rules("task", task_fact(tasks[number]))
                program = seer.program(scene, _image(annotated, number))
                answer, timed_out = ask_label(engine, program, goal, [*rules, question])
                outcomes.append(Outcome(number, label, answer, timed_out, faults[-1] if faults else None))
            report(1)
    return FolderEvaluation(
        len(annotated),
        None if judge is None else tuple(faults),
        {} if judge is None else judge.pairs,
        {} if judge is None else judge.calibration,
        Evaluation(tuple(outcomes)) if outcomes else None,
        evened,
    )


def task_fact(task: str | None) -> str:
    """The clause that says which question is asked, task(0) or task(name); without one, that there is none."""
    if task is None:
        return "task(_) :- fail.\n"
    return f"task({constant(task)}).\n"


def _image(annotated: Annotated, number: int) -> ImageInfo:
    pixels = annotated.pictures[number]
    sha256 = hashlib.sha256(pixels.tobytes()).hexdigest()
    return ImageInfo(annotated.names[number], sha256, pixels.shape[1], pixels.shape[0])
