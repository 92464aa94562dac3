"""What rules are learned from and judged by: what a model saw on boards.

A board's program is asked nothing here: its predicates are worked out from the same rounded numbers for all boards at
once. A test holds that Prolog says the same.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from benchmarks.shared import INFO
from predinet_prolog.bridge import make_program, perceiver_of
from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.bridge.terms import DIGITS
from predinet_prolog.domains.relations_game.scenes import Scenes
from predinet_prolog.domains.relations_game.tasks import generate, task_info
from predinet_prolog.neural import Model
from predinet_prolog.symbolic.learning.situations import Predicate, Situation

SEED, SEED_OF_JUDGES = 1_911_000, 1_917_000
"""Boards come from seeds that nothing was trained, grounded, chosen or tested with."""
SEEDS, LEARNING, JUDGING = 5, 200, 1000
"""Sets of pentominoes that teach, boards in each, and boards of each other kind that judge."""
TEACHING_KIND = "pentos"
SYMMETRIC, ENDS = (0, 1), (1, 2)
NEGATIONS = {"same": "unlike", "same_shape": "unlike_shape", "same_colour": "unlike_colour"}
SPATIAL = (
    Predicate("same_row", 2, SYMMETRIC),
    Predicate("same_column", 2, SYMMETRIC),
    Predicate("lies_between", 3, ENDS),
    Predicate("in_line", 3, (0, 1, 2)),
    Predicate("left_of", 2),
    Predicate("above", 2),
)
PALETTE = tuple(
    csv.DictReader(
        resources.files("predinet_prolog.bridge").joinpath("palette.csv").read_text(encoding="utf-8").splitlines()
    )
)
"""Shades, each with its word."""
COLOURS = tuple(Predicate("colour", 1, values=(word,)) for word in dict.fromkeys(shade["word"] for shade in PALETTE))
Words = NDArray[np.str_]
"""What colours are called; nothing where there is none."""


@dataclass(frozen=True, eq=False)
class Boards:
    """N boards of at most m objects each, as a model saw them; what is beyond a board's objects is 0."""

    count: IntArray
    """(N,): objects."""
    places: FloatArray
    """(N, m, 2): x and y in pixels."""
    coordinates: FloatArray
    """(N, m, j): on each relation's axis."""
    noise: FloatArray
    """(N,)"""
    tolerance: float
    """In pixels."""
    levels: FloatArray
    """(N, m, 3): red, green and blue; (N, m, 0) where programs tell no colours."""
    labels: IntArray
    """(N,)"""
    tasks: IntArray
    """(N,): which of the task's questions is asked."""

    @property
    def pairs(self) -> BoolArray:
        """(N, m, m): which are two different objects."""
        there = np.arange(self.places.shape[1]) < self.count[:, None]
        return there[:, :, None] & there[:, None, :] & ~np.eye(there.shape[1], dtype=bool)

    def tables(self, model: Model) -> dict[str, BoolArray]:
        """By predicate, of which objects (N, m, m) or (N, m, m, m) its program says it."""
        grounding = read_grounding(model)
        pair = self.pairs
        apart = np.abs(self.coordinates[:, :, None] - self.coordinates[:, None, :])  # (N, m, m, j)
        found: dict[str, BoolArray] = {}
        for each in grounding.trusted if grounding else ():
            most = each.curve.threshold + each.slack * self.noise
            found[each.predicate] = pair & (apart[..., list(each.relations)].max(-1) <= most[:, None, None])
        right, down = np.moveaxis(self.places[:, None, :] - self.places[:, :, None], -1, 0)  # (N, m, m): to the second
        found |= {
            "same_row": pair & (np.abs(down) <= self.tolerance),
            "same_column": pair & (np.abs(right) <= self.tolerance),
            "left_of": pair & (right > self.tolerance),
            "above": pair & (down > self.tolerance),
        }
        # Axes: the one that lies between, one end, the other.
        end, middle = (right[:, None, :, :], down[:, None, :, :]), (right.swapaxes(1, 2), down.swapaxes(1, 2))
        to_middle = middle[0][:, :, :, None], middle[1][:, :, :, None]  # from the end
        back = right.swapaxes(1, 2)[:, :, None, :], down.swapaxes(1, 2)[:, :, None, :]  # from the other end
        off = np.abs(end[0] * to_middle[1] - end[1] * to_middle[0])
        between = (
            (off <= self.tolerance * np.hypot(*end))
            & (to_middle[0] * end[0] + to_middle[1] * end[1] > 0)
            & (-back[0] * end[0] - back[1] * end[1] > 0)
        )
        between &= pair[:, :, :, None] & pair[:, :, None, :] & pair[:, None, :, :]
        line = between | between.transpose(0, 2, 1, 3) | between.transpose(0, 2, 3, 1)
        return found | {"lies_between": between, "in_line": line}

    def situations(self, model: Model, *, tasks: bool = False) -> list[Situation]:
        """Of each board what holds in it; `tasks`: with the question that is asked."""
        tables = {each: self.tables(model)[each.name] for each in predicates(model)}
        if self.levels.shape[2]:
            words = np.where(np.arange(self.levels.shape[1]) < self.count[:, None], called(self.levels), "")
            tables |= {each: words == each.values[0] for each in COLOURS}
        return [
            Situation(
                f"{number}.png",
                tuple(f"ob_{index}" for index in range(count)),
                {each: table[number][(slice(count),) * each.arity] for each, table in tables.items()},
                str(task) if tasks else None,
            )
            for number, (count, task) in enumerate(zip(self.count.tolist(), self.tasks.tolist(), strict=True))
        ]


def predicates(model: Model) -> tuple[Predicate, ...]:
    """What rules over the model's programs may speak of, all of it but colours."""
    grounding = read_grounding(model)
    learned = [each.predicate for each in grounding.trusted] if grounding else []
    return (*(Predicate(name, 2, SYMMETRIC, negation=NEGATIONS[name]) for name in learned), *SPATIAL)


def seen(model: Model, scenes: Scenes) -> Boards:
    """What the model sees on the boards, rounded as its programs say it."""
    places, coordinates, noise, tolerances, levels = zip(*_facts(model, scenes), strict=True)
    return Boards(
        np.array(list(map(len, places))),
        _padded(places),
        _padded(coordinates),
        np.array(noise),
        tolerances[0],
        _padded(levels),
        scenes.labels,
        scenes.task_ids,
    )


def teaching_scenes(task: str, seed: int) -> Scenes:
    """The labelled pentominoes of one of the SEEDS."""
    return generate(task, LEARNING, objects=TEACHING_KIND, seed=(SEED, seed))


def judging_scenes(task: str) -> dict[str, Scenes]:
    """The boards that judge, by kind."""
    kinds = [kind for kind in task_info(task).kinds if kind != TEACHING_KIND]
    return {kind: generate(task, JUDGING, objects=kind, seed=SEED_OF_JUDGES) for kind in kinds}


def called(levels: FloatArray) -> Words:
    """(…): the words for colours (…, 3), each that of the nearest shade, as programs work it out."""
    shades = np.array([[float(shade[band]) for band in ("red", "green", "blue")] for shade in PALETTE])
    red, green, blue = np.moveaxis(shades - levels[..., None, :], -1, 0)
    apart = ((red + green + blue) / 6) ** 2 + (red - green) ** 2 + ((red + green) / 2 - blue) ** 2 / 2
    return np.array([shade["word"] for shade in PALETTE])[apart.argmin(axis=-1)]


def _facts(model: Model, scenes: Scenes) -> Iterator[tuple[FloatArray, FloatArray, float, float, FloatArray]]:
    """Of each board its objects' places (n, 2) and co-ordinates (n, j), the noise level, the tolerance, and colours
    (n, 3), (n, 0) where they are not told."""
    for scene in perceiver_of(model).perceive(scenes.render()):
        facts = make_program(scene, model=model, image=INFO).facts
        n = len(scene.things)  # the first of all symbols
        places = np.array(facts["position"][1:], dtype=np.float64).T[:n].round(DIGITS)
        coordinates = np.array([symbol.coordinates for symbol in scene.things]).reshape(n, -1).round(DIGITS)
        noise, tolerance = (round(float(facts[name][0][0]), DIGITS) for name in ("noise_level", "tolerance"))
        levels = np.array(facts.get("colour", [[]])[1:], dtype=np.float64).T.reshape(n, -1)
        yield places, coordinates, noise, tolerance, levels


def _padded(rows: Sequence[FloatArray]) -> FloatArray:
    """The rows (n, w) of N boards as (N, m, w), m the most; beyond a board's own, 0."""
    padded = np.zeros((len(rows), max(1, *map(len, rows)), rows[0].shape[1]))
    for own, row in zip(padded, rows, strict=True):
        own[: len(row)] = row
    return padded
