"""A folder with truth judges what a model sees in its pictures: of any size, or boards of one."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, astuple, dataclass, replace

import numpy as np

from predinet_prolog.bridge import ImageInfo, Scene, make_program, perceiver_of, write_prolog
from predinet_prolog.bridge.definitions import Definition, read_grounding
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.perceiving.given import Given
from predinet_prolog.bridge.program import rules_of
from predinet_prolog.domains.annotations import CATEGORY
from predinet_prolog.domains.domain import Annotated
from predinet_prolog.domains.images import reduced
from predinet_prolog.domains.zones import Zones
from predinet_prolog.experiments.evaluation import Evaluation, Faults, Outcome, ask_label, faults_of_boxes
from predinet_prolog.experiments.judging import SAME_SIZE, Judge
from predinet_prolog.neural.model import Model
from predinet_prolog.quoting.prolog import constant
from predinet_prolog.symbolic import Engine, Rules


def definitions_of(model: Model) -> Sequence[Definition]:
    """What programs of the model say of pairs; none if it was never grounded."""
    grounding = read_grounding(model)
    return () if grounding is None else grounding.trusted


THINGS = "things"
"""What all things together are called in the counts, where the truth tells no categories."""


@dataclass
class Counts:
    """Of things of a category: those there are, those that were told, and how many of the one are the other, by boxes
    of which at least half of what they cover together is shared."""

    true: int = 0
    claimed: int = 0
    right: int = 0

    @property
    def precision(self) -> float | None:
        """Share of those told that are there; None where none was told."""
        return self.right / self.claimed if self.claimed else None

    @property
    def recall(self) -> float | None:
        """Share of those there that were told; None where there are none."""
        return self.right / self.true if self.true else None

    def to_json(self) -> dict[str, object]:
        """Everything by name."""
        counts = {"true": self.true, "told": self.claimed, "right": self.right}
        return {**counts, "precision": self.precision, "recall": self.recall}


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
    claimed: Mapping[str, Counts] | None = None
    """By category, how what was told of things compares with the true ones; None where they are not known or were
    found."""

    @property
    def exact_scenes(self) -> float | None:
        """Share of pictures with exactly the true objects, one symbol each; None where those are not known."""
        return None if self.faults is None else sum(faults.total == 0 for faults in self.faults) / self.n

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
            **(
                {}
                if self.claimed is None
                else {"told": {name: counts.to_json() for name, counts in self.claimed.items()}}
            ),
            "pairs": dict(self.pairs),
            "calibration": dict(self.calibration),
            **{name: answers.get(name) for name in ("wrong", "timeouts", "confusion")},
        }


def evaluate_folder(
    model: Model,
    annotated: Annotated,
    *,
    looks: int | None = None,
    goal: str | None = None,
    rules: Sequence[Rules] = (),
    time_limit: float = 1.0,
    given: Callable[[int], Given] | None = None,
    zones: Zones | None = None,
    report: Callable[[int], None] = lambda done: None,
    watch: Callable[[Scene], object] = lambda scene: None,
) -> FolderEvaluation:
    """Judges what the model sees in the pictures by so many looks at most. Of those with a label `goal` is asked, with
    `rules` and, where it has a task t, the fact task(t); the first answer's L counts. `given` tells of the things of
    the picture of that number, in its file's pixels; `zones` are parts of all pictures. `report` gets 1 after every
    picture, and `watch` what was seen in it."""
    truth = annotated.truth
    sizes = any(clause.head.name == SAME_SIZE for section in rules_of(model).sections for clause in section)
    judge = None if truth is None else Judge(truth, definitions_of(model), sizes=sizes)
    labels = annotated.labels if goal is not None else ()
    tasks = annotated.tasks or (None,) * len(annotated)
    asking = any(label is not None for label in labels)
    faults, outcomes, evened, counts = [], [], 0, dict[str, Counts]()
    with Engine(time_limit=time_limit, answer_limit=1) if asking else nullcontext() as engine:
        for number, perceived in enumerate(_scenes(model, annotated, looks, given)):
            scene = replace(perceived, zones=zones)
            evened += scene.inspection.evened
            if truth is not None and judge is not None:
                read = _as_read(scene)
                faults.append(faults_of_boxes(read.boxes, truth.boxes[truth.rows(number)]))
                judge.add(number, read)
                if given is not None:
                    _compare(counts, annotated, number, read)
            if engine is not None and goal is not None and (label := labels[number]) is not None:
                question = Rules("task", task_fact(tasks[number]))
                program = write_prolog(
                    make_program(scene, model=model, image=_image(model, annotated, number, scene), looks=looks)
                )
                answer, timed_out = ask_label(engine, program, goal, [*rules, question])
                outcomes.append(Outcome(number, label, answer, timed_out, faults[-1] if faults else None))
            watch(scene)
            report(1)
    return FolderEvaluation(
        len(annotated),
        None if judge is None else tuple(faults),
        {} if judge is None else judge.pairs,
        {} if judge is None else judge.calibration,
        Evaluation(tuple(outcomes)) if outcomes else None,
        evened,
        None if given is None or truth is None else counts,
    )


def _scenes(
    model: Model, annotated: Annotated, looks: int | None, given: Callable[[int], Given] | None
) -> Iterator[Scene]:
    """What the model sees in the pictures, which are read a batch at a time, if it looks at any."""
    perceiver = perceiver_of(model, looks)
    for start in range(0, len(annotated), perceiver.batch):
        numbers = range(start, min(start + perceiver.batch, len(annotated)))
        pictures = [] if model.kind == "given" else [annotated.pictures[number] for number in numbers]
        yield from perceiver.perceive(pictures, [] if given is None else list(map(given, numbers)))


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


def task_fact(task: str | None) -> str:
    """The clause that says which question is asked, task(0) or task(name); without one, that there is none."""
    if task is None:
        return "task(_) :- fail.\n"
    return f"task({constant(task)}).\n"


def _image(model: Model, annotated: Annotated, number: int, scene: Scene) -> ImageInfo:
    pixels = b"" if model.kind == "given" else annotated.pictures[number].tobytes()
    sha256 = hashlib.sha256(pixels).hexdigest()
    return ImageInfo(annotated.names[number], sha256, *scene.size)
