"""Grounding: what named predicates mean in a model's own relations, learned from scenes whose truth is known.

Two objects that are alike in some respect have nearly the same co-ordinate on the axes of the relations that
tell that respect. So each predicate is one clause, a few literals of the form `near(R, X, Y, T)`: the relations
and the one threshold are chosen on pentominoes, and judged on fresh pentominoes and on the held-out sets. Beside it
stands how likely it is to be true of a pair, whether it holds or not: `confidence(same(X, Y), P)`.

A model that was trained on corrupted images is grounded on clean and on corrupted ones; one that knows clean images
alone, on those: it does not bear the others, and thresholds that make room for them would spoil what it can.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge.confidence import Curve, Parting, fit_curve, part, round_off
from bridge.errors import BridgeError
from bridge.perceiver import Perceiver
from bridge.terms import DIGITS, comment
from domains.relations_game import EVERYDAY, OBJECT_SETS, Scenes, corrupt, generate
from neural.checkpoint import Model

PREDICATES = ("same", "same_shape", "same_colour")
MEANING = {
    "same": "X and Y look the same: shape, orientation and colour",
    "same_shape": "X and Y have the same shape in the same orientation",
    "same_colour": "X and Y have the same colour",
}
FITTED_ON = "pentos"
Corrupted = tuple[str, float]
"""A corruption's name and strength."""
CLEAN: Corrupted = ("noise", 0)
SUFFIX = ".grounded.pl"
SCENES = 4_000
FIT_SEED, JUDGE_SEED = 2_000_003, 2_000_029
"""Scenes for grounding come from seeds that neither training nor its tests use."""
TRUSTED = 0.95
"""A predicate that is right in a smaller share of fresh pentomino pairs (balanced) is left out: a symbol that is
often wrong is noise."""
RATE = 0.4
"""The share that thresholds grow by for each unit of noise_level. Alike pentominoes of different colour or shape lie
apart by
little in clean pictures and by about three times as much at a noise_level of 5, where everyday corruptions lead."""
WORTH = 0.0005
"""A further literal must gain this much balanced accuracy …"""
GAIN = 1.05
"""… or lose none and widen the gap between alike and unlike pairs by this factor."""

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Pairs:
    """Pairs of different objects of one scene each, P in all."""

    distances: FloatArray
    """(P, j): how far apart the two lie on each relation's axis, place left out, as the program's facts say it."""
    noise_level: FloatArray
    """(P,): that of their picture."""
    weather: NDArray[np.int64]
    """(P,): the number of the corruption that their picture went through."""
    truth: dict[str, BoolArray]
    """(P,) for each predicate: whether it truly holds."""


@dataclass(frozen=True)
class Definition:
    """A predicate as one clause: every relation in `relations` tells at most the threshold between the two."""

    predicate: str
    relations: tuple[int, ...]
    curve: Curve
    """Probability that it is true, from the largest distance on the relations in a clean picture."""
    slack: float
    """What the threshold grows by for each unit of noise_level."""
    scores: dict[str, float]
    """Balanced accuracy, 0–1, on fresh clean pairs of every object set that has alike and unlike ones."""
    corrupted: dict[str, float]
    """The same on corrupted pictures, in equal parts those of `EVERYDAY`."""

    @property
    def trusted(self) -> bool:
        """Whether it is good enough to be part of a program."""
        return self.scores.get(FITTED_ON, 0.0) >= TRUSTED

    def confidence(self, pairs: Pairs) -> FloatArray:
        """How likely it is to be true of each of `pairs`: (P,)."""
        room = 1 + self.slack / self.curve.threshold * pairs.noise_level
        return self.curve(pairs.distances[:, list(self.relations)].max(1) / room)

    def holds(self, pairs: Pairs) -> BoolArray:
        """Whether it says that it holds of each of `pairs`: (P,)."""
        return self.confidence(pairs) >= 0.5

    def clause(self) -> str:
        """The clause in Prolog."""
        literals = "".join(f",\n    near(r{relation}, X, Y, T)" for relation in self.relations)
        return f"{self.predicate}(X, Y) :-\n    noise_level(N), T is {self._threshold}{literals}."

    def confidence_clause(self) -> str:
        """The clause of its confidence in Prolog."""
        relations = ", ".join(f"r{relation}" for relation in self.relations)
        return (
            f"confidence({self.predicate}(X, Y), P) :-\n"
            f"    noise_level(N), T is {self._threshold},\n"
            f"    apart([{relations}], X, Y, D),\n"
            f"    P is {self.curve.expression('D/T')}."
        )

    @property
    def _threshold(self) -> str:
        return f"{self.curve.threshold} + {self.slack}*N"


def ground(model: Model, report: Callable[[str], None] = lambda step: None) -> list[Definition]:
    """Learns every predicate for `model` and measures it. Nothing is chosen on a held-out set.

    `report` is told each step's name. Raises BridgeError if the model sees no pairs of objects to learn from.
    """
    report(f"looking at {FITTED_ON}")
    definitions = fit_definitions(model)
    clean, corrupted = {}, {}
    for objects in OBJECT_SETS:
        report(f"judging on {objects}")
        clean[objects] = _pairs(model, objects, JUDGE_SEED, (CLEAN,))
        corrupted[objects] = _pairs(model, objects, JUDGE_SEED, EVERYDAY)
    return [replace(d, scores=_scores(d, clean), corrupted=_scores(d, corrupted)) for d in definitions]


def fit_definitions(model: Model) -> list[Definition]:
    """Every predicate's clause and curve for `model`, chosen on pentominoes alone; nothing is measured yet.

    Raises BridgeError if the model sees no pairs of objects to learn from.
    """
    weathers = (CLEAN, *EVERYDAY) if model.training.augmented else (CLEAN,)
    pairs = _pairs(model, FITTED_ON, FIT_SEED, weathers)
    if not all(_kinds(pairs, pairs.truth[predicate]) for predicate in PREDICATES):
        raise BridgeError(
            f"the model {model.name} too seldom sees two objects to be grounded: it may have to be trained longer"
        )
    return [Definition(predicate, *_fit(pairs, pairs.truth[predicate]), {}, {}) for predicate in PREDICATES]


def _scores(definition: Definition, judged: dict[str, Pairs]) -> dict[str, float]:
    """Balanced accuracy of the definition on each object set that has alike and unlike pairs: all stripes have one
    shape, so there is nothing to tell."""
    return {
        objects: _balanced(definition.holds(pairs), pairs.truth[definition.predicate])
        for objects, pairs in judged.items()
        if len(set(pairs.truth[definition.predicate].tolist())) == 2
    }


def grounding_path(model: Model) -> Path:
    """Where a model's grounded predicates are kept: beside its checkpoint, by its name."""
    return model.path.with_suffix(SUFFIX)


def write_grounding(model: Model, definitions: list[Definition]) -> str:
    """The grounded predicates as Prolog text, with what was measured as comments."""
    lines = [
        f"% Grounded for the model with sha256 {model.sha256}",
        f"% on {FITTED_ON}, {'clean and corrupted' if model.training.augmented else 'clean'}.",
        "% The figures are balanced accuracies on fresh pairs of objects that were seen.",
    ]
    for definition in definitions:
        lines += ["%", f"% {definition.predicate}(X, Y): {comment(MEANING[definition.predicate])}."]
        for kind, scores in (("clean", definition.scores), ("corrupted", definition.corrupted)):
            lines.append(f"% {kind}: " + ", ".join(f"{objects} {score:.4f}" for objects, score in scores.items()))
        if not definition.trusted:
            lines.append(f"% Left out: below {TRUSTED} on {FITTED_ON}, so this model does not tell it.")
    trusted = [definition for definition in definitions if definition.trusted]
    lines += [definition.clause() for definition in trusted]
    lines += [
        "%",
        "% near(R, X, Y, T): X and Y lie within T of each other on relation R's axis.",
        NEAR,
    ]
    lines += ["%", "% confidence(G, P): P is the probability that G is true; G holds where it is one half or more."]
    lines += [definition.confidence_clause() for definition in trusted] or ["confidence(_, _) :- fail."]
    lines += [
        "%",
        "% apart(Rs, X, Y, D): D is the most that two objects differ by on the axes of the relations Rs.",
        APART,
    ]
    return "\n".join(lines) + "\n"


NEAR = """\
near(R, X, Y, T) :-
    object(X), object(Y), X \\== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T."""
APART = """\
apart(Rs, X, Y, D) :-
    object(X), object(Y), X \\== Y, farthest(Rs, X, Y, 0, D).
farthest([], _, _, D, D).
farthest([R|Rs], X, Y, D0, D) :-
    coordinate(R, X, A), coordinate(R, Y, B), D1 is max(D0, abs(A - B)), farthest(Rs, X, Y, D1, D)."""


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


def _pairs(model: Model, objects: str, seed: int, weathers: Sequence[Corrupted]) -> Pairs:
    """All pairs of objects within scenes of 1 to 9, as `model` sees them, in every weather some of the scenes."""
    distances: list[FloatArray] = []
    noise_level: list[FloatArray] = []
    weather: list[NDArray[np.int64]] = []
    shape: list[BoolArray] = []
    colour: list[BoolArray] = []
    for index, (name, strength) in enumerate(weathers):
        scenes = generate("scatter", SCENES // len(weathers), objects=objects, seed=(seed, index))
        images = corrupt(scenes, name, strength, seed=seed)
        for scene, seen in enumerate(seen_objects(model, scenes, images)):
            first, second = np.triu_indices(len(seen.cells), k=1)
            distances.append(np.abs(seen.coordinates[first] - seen.coordinates[second]))
            noise_level.append(np.full(len(first), seen.noise_level))
            weather.append(np.full(len(first), index))
            shapes, colours = scenes.shapes[scene, seen.cells], scenes.colours[scene, seen.cells]
            shape.append(shapes[first] == shapes[second])
            colour.append(colours[first] == colours[second])
    same_shape, same_colour = np.concatenate(shape), np.concatenate(colour)
    truth = {"same": same_shape & same_colour, "same_shape": same_shape, "same_colour": same_colour}
    return Pairs(np.concatenate(distances), np.concatenate(noise_level), np.concatenate(weather), truth)


class Seen(NamedTuple):
    """The q objects seen in one picture, with numbers rounded as they are written."""

    cells: NDArray[np.int64]
    """(q,)"""
    coordinates: FloatArray
    """(q, j)"""
    noise_level: float


def seen_objects(model: Model, scenes: Scenes, images: NDArray[np.uint8] | None = None) -> list[Seen]:
    """What is seen of each scene's objects.

    `images` (N, S, S, 3) are the scenes' pictures; None: the clean ones.
    Symbols that lie on no object's cell are passed over: they have no truth to learn from.
    """
    seen = []
    pictures = scenes.render() if images is None else images
    cell = model.config.image_size // 3
    for scene, occupied in zip(Perceiver(model).perceive(pictures), scenes.occupied, strict=True):
        pairs = [
            (int(s.y // cell * 3 + s.x // cell), s.coordinates)
            for s in scene.objects
            if s.left % cell == s.top % cell == 0
        ]
        pairs = [(place, coordinates) for place, coordinates in pairs if occupied[place]]
        cells = np.array([place for place, _ in pairs], dtype=np.int64)
        coordinates = np.array([values for _, values in pairs]).reshape(len(pairs), model.config.relations)
        seen.append(Seen(cells, coordinates.round(DIGITS), round(scene.noise_level, DIGITS)))
    return seen


def _fit(pairs: Pairs, truth: BoolArray) -> tuple[tuple[int, ...], Curve, float]:
    """Relations, curve and slack of the clause that parts alike pairs from unlike ones best; `truth` (P,) says which
    are alike.

    Relations are taken one by one, each the one that helps most, until none helps any more. A pair's distance is
    its largest on the relations taken, as the clause's literals all have to hold.
    """
    distances = pairs.distances / (1 + RATE * pairs.noise_level[:, None])
    kinds = _kinds(pairs, truth)
    alike, unlike = [kind & truth for kind in kinds], [kind & ~truth for kind in kinds]
    taken: list[int] = []
    best = Parting(0.0, 0.0, 0.0)
    reach = np.zeros(len(truth))
    while True:
        tried = {}
        for relation in set(range(distances.shape[1])) - set(taken):
            further = np.maximum(reach, distances[:, relation])
            tried[relation] = part([further[kind] for kind in alike], [further[kind] for kind in unlike])
        helpful = [relation for relation in tried if _better(tried[relation], best)]
        if not helpful:
            taking_part = np.any(kinds, axis=0)
            curve = fit_curve(reach[taking_part & truth], reach[taking_part & ~truth], best.threshold)
            return tuple(sorted(taken)), curve, round_off(RATE * best.threshold)
        taken.append(max(helpful, key=lambda relation: tried[relation].rank))
        best = tried[taken[-1]]
        reach = np.maximum(reach, distances[:, taken[-1]])


def _kinds(pairs: Pairs, truth: BoolArray) -> list[BoolArray]:
    """The pairs (P,) of each weather that has alike and unlike ones; `truth` (P,) says which are alike."""
    kinds = [pairs.weather == weather for weather in np.unique(pairs.weather)]
    return [kind for kind in kinds if (kind & truth).any() and (kind & ~truth).any()]


def _better(tried: Parting, best: Parting) -> bool:
    """Whether it is better by enough to be worth a literal."""
    clearly_righter = tried.accuracy > best.accuracy + WORTH
    return clearly_righter or (tried.accuracy >= best.accuracy and tried.gap > GAIN * best.gap)


def _balanced(said: BoolArray, truth: BoolArray) -> float:
    """Mean of the shares right among true and among false pairs; there must be some of both."""
    return float(np.mean([(said[truth == value] == value).mean() for value in (True, False)]))
