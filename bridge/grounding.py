"""Grounding: what named predicates mean in a model's own relations, learned from scenes whose truth is known.

Two objects that are alike in some respect have nearly the same co-ordinate on the axes of the relations that
tell that respect. So each predicate is one clause, a few literals of the form `near(R, X, Y, T)`: the relations
and the one threshold are chosen on pentominoes, and judged on fresh pentominoes and on the held-out sets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge.errors import BridgeError
from bridge.perceiver import Perceiver
from bridge.terms import DIGITS, comment
from neural.checkpoint import Model
from neural.relations_game import OBJECT_SETS, Scenes, generate

PREDICATES = ("same", "same_shape", "same_colour")
MEANING = {
    "same": "X and Y look the same: shape, orientation and colour",
    "same_shape": "X and Y have the same shape in the same orientation",
    "same_colour": "X and Y have the same colour",
}
FITTED_ON = "pentos"
SUFFIX = ".grounded.pl"
SCENES = 4_000
FIT_SEED, JUDGE_SEED = 2_000_003, 2_000_029
"""Scenes for grounding come from seeds that neither training nor its tests use."""
TRUSTED = 0.95
"""A predicate that is right in a smaller share of fresh pentomino pairs (balanced) is left out: a symbol that is
often wrong is noise."""
QUANTILE = 0.9999
"""Share of the alike pairs that should be within the threshold, and of the unlike ones beyond it."""
FLOOR = 0.01
"""Distances below this count as this: objects that look the same lie at exactly 0 in a clean image, and a threshold
that close to 0 would not survive the least disturbance."""
WORTH = 0.0005
"""A further literal must gain this much balanced accuracy …"""
GAIN = 1.1
"""… or widen the gap between alike and unlike pairs by this factor."""

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Pairs:
    """Pairs of different objects of one scene each, P in all."""

    distances: FloatArray
    """(P, j): how far apart the two lie on each relation's axis, place left out; as the program's facts say it."""
    truth: dict[str, BoolArray]
    """(P,) for each predicate: whether it truly holds."""


@dataclass(frozen=True)
class Definition:
    """A predicate as one clause: every relation in `relations` tells at most `threshold` between the two."""

    predicate: str
    relations: tuple[int, ...]
    threshold: float
    scores: dict[str, float]
    """Balanced accuracy, 0–1, on fresh pairs of every object set that has alike and unlike ones. 0.5 is chance."""

    @property
    def trusted(self) -> bool:
        """Whether it is good enough to be part of a program."""
        return self.scores[FITTED_ON] >= TRUSTED

    def holds(self, distances: FloatArray) -> BoolArray:
        """Whether it says the predicate holds, (P,), of pairs with these `distances` (P, j)."""
        return np.asarray((distances[:, list(self.relations)] <= self.threshold).all(1))

    def clause(self) -> str:
        """The clause in Prolog."""
        literals = ",\n".join(f"    near(r{relation}, X, Y, {self.threshold})" for relation in self.relations)
        return f"{self.predicate}(X, Y) :-\n{literals}."


def ground(model: Model, report: Callable[[str], None] = lambda step: None) -> list[Definition]:
    """Learns every predicate for `model` and measures it. Nothing is chosen on a held-out set.

    `report` is told each step's name.
    """
    report(f"looking at {FITTED_ON}")
    fitted = _pairs(model, FITTED_ON, FIT_SEED)
    chosen = [(predicate, *_fit(fitted.distances, fitted.truth[predicate])) for predicate in PREDICATES]
    judged = {}
    for objects in OBJECT_SETS:
        report(f"judging on {objects}")
        judged[objects] = _pairs(model, objects, JUDGE_SEED)
    definitions = []
    for predicate, relations, threshold in chosen:
        bare = Definition(predicate, relations, threshold, {})
        scores = {
            objects: _balanced(bare.holds(pairs.distances), pairs.truth[predicate])
            for objects, pairs in judged.items()
            if len(set(pairs.truth[predicate].tolist())) == 2  # all stripes have one shape: nothing to tell
        }
        definitions.append(Definition(predicate, relations, threshold, scores))
    return definitions


def grounding_path(model: Model) -> Path:
    """Where a model's grounded predicates are kept: beside its checkpoint, by its name."""
    return model.path.with_suffix(SUFFIX)


def write_grounding(model: Model, definitions: list[Definition]) -> str:
    """The grounded predicates as Prolog text, with what was measured as comments."""
    lines = [
        f"% Grounded for the model with sha256 {model.sha256}",
        f"% chosen on {FITTED_ON}; the figures are balanced accuracies on fresh pairs of objects that were seen.",
    ]
    for definition in definitions:
        told = ", ".join(f"{objects} {score:.4f}" for objects, score in definition.scores.items())
        lines += ["%", f"% {definition.predicate}(X, Y): {comment(MEANING[definition.predicate])}.", f"% {told}"]
        if not definition.trusted:
            lines.append(f"% Left out: below {TRUSTED} on {FITTED_ON}, so this model does not tell it.")
    lines += [definition.clause() for definition in definitions if definition.trusted]
    lines += ["%", "% near(R, X, Y, T): two objects lie within T of each other on relation R's axis.", NEAR]
    return "\n".join(lines) + "\n"


NEAR = """\
near(R, X, Y, T) :-
    object(X), object(Y), X \\== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T."""


def read_grounding(model: Model) -> str | None:
    """The text kept beside the model's checkpoint; None if it was never grounded.

    Raises BridgeError if the text was made for other weights.
    """
    path = grounding_path(model)
    try:
        changed = path.stat().st_mtime_ns
    except FileNotFoundError:
        return None
    return _read(path, changed, model.sha256)


@lru_cache(16)  # every program of a model carries the same text
def _read(path: Path, changed: int, sha256: str) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BridgeError(f"{path} cannot be read: {error}") from error
    if sha256 not in text.partition("\n")[0]:
        raise BridgeError(f"{path} was grounded for other weights: ground the model again")
    return text


def _pairs(model: Model, objects: str, seed: int) -> Pairs:
    """All pairs of objects within scenes of 1 to 9, as `model` sees them."""
    scenes = generate("scatter", SCENES, objects=objects, seed=seed)
    distances: list[FloatArray] = []
    shape: list[BoolArray] = []
    colour: list[BoolArray] = []
    for scene, (cells, coordinates) in zip(range(len(scenes)), seen_objects(model, scenes), strict=True):
        first, second = np.triu_indices(len(cells), k=1)
        distances.append(np.abs(coordinates[first] - coordinates[second]))
        shapes, colours = scenes.shapes[scene, cells], scenes.colours[scene, cells]
        shape.append(shapes[first] == shapes[second])
        colour.append(colours[first] == colours[second])
    same_shape, same_colour = np.concatenate(shape), np.concatenate(colour)
    truth = {"same": same_shape & same_colour, "same_shape": same_shape, "same_colour": same_colour}
    return Pairs(np.concatenate(distances), truth)


def seen_objects(model: Model, scenes: Scenes) -> list[tuple[NDArray[np.int64], FloatArray]]:
    """Per scene the cells (q,) of the objects seen and their co-ordinates (q, j), rounded as they are written.

    Symbols that lie on no object's cell are passed over: they have no truth to learn from.
    """
    seen = []
    cell = model.config.image_size // 3
    for scene, occupied in zip(Perceiver(model).perceive(scenes.render()), scenes.occupied, strict=True):
        pairs = [
            (int(s.y // cell * 3 + s.x // cell), s.coordinates)
            for s in scene.objects
            if s.left % cell == s.top % cell == 0
        ]
        pairs = [(place, coordinates) for place, coordinates in pairs if occupied[place]]
        cells = np.array([place for place, _ in pairs], dtype=np.int64)
        coordinates = np.array([values for _, values in pairs]).reshape(len(pairs), model.config.relations)
        seen.append((cells, coordinates.round(DIGITS)))
    return seen


def _fit(distances: FloatArray, truth: BoolArray) -> tuple[tuple[int, ...], float]:
    """Relations and threshold of the clause that parts alike pairs (P, j) from unlike ones best.

    Relations are taken one by one, each the one that helps most, until none helps any more. A pair's distance is
    its largest on the relations taken, as the clause's literals all have to hold.
    """
    alike, unlike = distances[truth], distances[~truth]
    taken: list[int] = []
    best = _Parting(0.0, 0.0, 0.0)
    reach = np.zeros(len(alike)), np.zeros(len(unlike))
    while True:
        tried = {
            relation: _part(np.maximum(reach[0], alike[:, relation]), np.maximum(reach[1], unlike[:, relation]))
            for relation in range(distances.shape[1])
            if relation not in taken
        }
        relation = max(tried, key=lambda index: tried[index].rank, default=None)
        if relation is None or not tried[relation].beats(best):
            return tuple(sorted(taken)), best.threshold
        taken.append(relation)
        best = tried[relation]
        reach = np.maximum(reach[0], alike[:, relation]), np.maximum(reach[1], unlike[:, relation])


@dataclass(frozen=True)
class _Parting:
    """How well one threshold parts alike pairs from unlike ones."""

    accuracy: float
    """Balanced, 0–1."""
    gap: float
    """The distance that nearly all unlike pairs exceed, over that which nearly all alike pairs keep."""
    threshold: float

    @property
    def rank(self) -> tuple[float, float]:
        return self.accuracy, self.gap

    def beats(self, other: "_Parting") -> bool:
        """Whether it is better by enough to be worth a literal."""
        clearly_righter = self.accuracy > other.accuracy + WORTH
        return clearly_righter or (self.accuracy >= other.accuracy and self.gap > GAIN * other.gap)


def _part(alike: FloatArray, unlike: FloatArray) -> _Parting:
    """The best threshold for distances of alike pairs (A,) and of unlike pairs (U,).

    Where a gap parts the two, the threshold lies in its middle, geometrically; it is rounded to two digits.
    """
    low = max(float(np.quantile(alike, QUANTILE)), FLOOR)
    high = max(float(np.quantile(unlike, 1 - QUANTILE)), FLOOR)
    alike, unlike = np.sort(alike), np.sort(unlike)
    candidates = np.geomspace(FLOOR, max(float(unlike[-1]), 2 * FLOOR), 100) if high <= low else np.sqrt([low * high])
    candidates = np.array([float(f"{value:.2g}") for value in candidates])
    kept = np.searchsorted(alike, candidates, side="right") / len(alike)
    let_in = np.searchsorted(unlike, candidates, side="right") / len(unlike)
    accuracies = (kept + 1 - let_in) / 2
    index = int(accuracies.argmax())
    return _Parting(round(float(accuracies[index]), 5), high / low, float(candidates[index]))


def _balanced(said: BoolArray, truth: BoolArray) -> float:
    """Mean of the shares right among true and among false pairs; there must be some of both."""
    return float(np.mean([(said[truth == value] == value).mean() for value in (True, False)]))
