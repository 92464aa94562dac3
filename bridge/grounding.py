"""Grounding: what named predicates mean in a model's own relations, learned from scenes whose truth is known.

Two objects that are alike in some respect have nearly the same co-ordinate on the axes of the relations that
tell that respect. So each predicate is one clause, a few literals of the form `near(R, X, Y, T)`: the relations
and the one threshold are chosen on the domain's first kind of things, and evaluated on fresh pictures of all kinds.
Beside it stands how likely it is to be true of a pair, whether it holds or not: `confidence(same(X, Y), P)`.

A model that was trained on corrupted images is grounded on clean and on corrupted ones; one that knows clean images
alone, on those: it does not bear the others, and thresholds that make room for them would spoil what it can.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from predinet_prolog.bridge.colours import mean_colours
from predinet_prolog.bridge.confidence import Curve, Parting, fit_curve, part, round_off
from predinet_prolog.bridge.definitions import SAME, ColourErrors, Definition, Grounding
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.perceiving.windows import WindowPerceiver
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.bridge.terms import DIGITS
from predinet_prolog.domains.domain import Corruption, Domain, Pixels, Truth
from predinet_prolog.neural.checkpoint import Model

SCENES = 4_000
FIT_SEED, JUDGE_SEED = 2_000_003, 2_000_029
"""Scenes for grounding come from seeds that neither training nor its tests use."""
RATE = 0.4
"""The share that thresholds grow by for each unit of noise_level. Alike things of different colour or shape lie apart
by little in clean pictures and by about three times as much at a noise_level of 5, where everyday corruptions lead."""
WORTH = 0.0005
"""A further literal must gain this much balanced accuracy …"""
GAIN = 1.05
"""… or lose none and widen the gap between alike and unlike pairs by this factor."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of different objects of one scene each, P in all."""

    distances: FloatArray
    """(P, j): how far apart the two lie on each relation's axis, place left out, as the program's facts say it."""
    noise_level: FloatArray
    """(P,): that of their picture."""
    corruption: IntArray
    """(P,): the number of the corruption that their picture went through."""
    truth: dict[str, BoolArray]
    """(P,) for each predicate: whether it truly holds."""
    coarse: FloatArray | float = 0.0
    """(P,): a pixel over the size of the smaller of both; 0 where a model's things are of one size."""
    colour_error: float = np.nan
    """How far the colours of the things seen are off in the mean: levels of 255, over red, green and blue. The truth
    is what the clean picture shows within the true box."""


def ground(model: Model, report: Callable[[str], None] = lambda step: None) -> Grounding:
    """Learns every predicate for `model` and measures it. Nothing is chosen on a kind of things that it was not
    trained on.

    `report` is told each of the `steps(model)`. Raises BridgeError if the model sees no pairs of objects to learn from.
    """
    kinds, corruptions = model.domain.kinds, model.domain.corruptions
    report(f"looking at {kinds[0]}")
    definitions = fit_definitions(model)
    clean, corrupted = {}, {}
    for kind in kinds:
        report(f"evaluating on {kind}")
        clean[kind] = _pairs(model, kind, JUDGE_SEED, (None,))
        if corruptions:
            corrupted[kind] = _pairs(model, kind, JUDGE_SEED, corruptions)
    off = ({kind: round(pairs.colour_error, 1) for kind, pairs in pairs_of.items()} for pairs_of in (clean, corrupted))
    attributes, colours = model.domain.attributes, ColourErrors(*off)
    grounding = Grounding(
        model.sha256, kinds[0], model.training.augmented, attributes, tuple(definitions), colours=colours
    )
    return grounding.judged(
        lambda definition: replace(
            definition, scores=_scores(definition, clean), corrupted=_scores(definition, corrupted)
        )
    )


def steps(model: Model) -> int:
    """How many steps `ground` reports."""
    return 1 + len(model.domain.kinds)


def fit_definitions(model: Model) -> list[Definition]:
    """Every predicate's clause and curve for `model`, chosen on the first kind of things alone, before any judging.

    Raises BridgeError if the model sees no pairs of objects to learn from.
    """
    domain = model.domain
    corruptions = (None, *domain.corruptions) if model.training.augmented else (None,)
    pairs = _pairs(model, domain.kinds[0], FIT_SEED, corruptions)
    meanings = _meanings(domain)
    if not all(_kinds(pairs, pairs.truth[predicate]) for predicate in meanings):
        raise BridgeError(
            f"the model {model.name} too seldom sees two objects to be grounded: it may have to be trained longer"
        )
    return [
        Definition(predicate, meaning, *_fit(pairs, pairs.truth[predicate]), {}, {})
        for predicate, meaning in meanings.items()
    ]


def _meanings(domain: Domain) -> dict[str, str]:
    """The predicates that are learned in a domain, with what they mean."""
    same = {SAME: f"X and Y look the same: {' and '.join(domain.attributes)}"}
    return same | {f"same_{attribute}": f"X and Y have the same {attribute}" for attribute in domain.attributes}


def _scores(definition: Definition, judged: dict[str, Pairs]) -> dict[str, float]:
    """Balanced accuracy of the definition on each kind of things that has alike and unlike pairs: where all have one
    shape, there is nothing to tell."""
    return {
        kind: balanced_accuracy(definition.holds(pairs), pairs.truth[definition.predicate])
        for kind, pairs in judged.items()
        if len(set(pairs.truth[definition.predicate].tolist())) == 2
    }


def _pairs(model: Model, kind: str, seed: int, corruptions: Sequence[Corruption | None]) -> Pairs:
    """Pairs of things of that kind, from as many scenes of each of the corruptions; None is a clean picture."""
    domain = model.domain
    distances, noise_level, number, errors = [], [], [], []
    equal: dict[str, list[BoolArray]] = {attribute: [] for attribute in domain.attributes}
    for index, corruption in enumerate(corruptions):
        # What spoils pictures does not change what they show: the last one's colours are those of the first.
        pictures = [
            domain.generate(
                domain.free_task, SCENES // len(corruptions), kind=kind, seed=(seed, index), corruption=spoiling
            )
            for spoiling in dict.fromkeys((None, corruption))
        ]
        clean, drawn = pictures[0], pictures[-1]
        truth = drawn.truth
        assert truth is not None, "generated pictures have their truth"
        assert clean.truth is not None
        colours = mean_colours(clean.images, clean.truth.image, clean.truth.boxes)
        for sighting in seen_objects(model, drawn.images, truth):
            errors.append(np.abs(sighting.colours - colours[sighting.things]))
            first, second = np.triu_indices(len(sighting.things), k=1)
            distances.append(np.abs(sighting.coordinates[first] - sighting.coordinates[second]))
            noise_level.append(np.full(len(first), sighting.noise_level))
            number.append(np.full(len(first), index))
            for attribute, values in truth.attributes.items():
                values_seen = values[sighting.things]
                equal[attribute].append(values_seen[first] == values_seen[second])
    alike = {attribute: np.concatenate(parts) for attribute, parts in equal.items()}
    truths = {"same": np.logical_and.reduce(list(alike.values()))}
    truths |= {f"same_{attribute}": values for attribute, values in alike.items()}
    error = float(np.concatenate(errors).mean())
    noisy, corrupted = np.concatenate(noise_level), np.concatenate(number)
    return Pairs(np.concatenate(distances), noisy, corrupted, truths, colour_error=error)


class Seen(NamedTuple):
    """The q things seen in one picture, with numbers rounded as they are written."""

    things: IntArray
    """(q,): which of the truth's."""
    coordinates: FloatArray
    """(q, j)"""
    noise_level: float
    colours: IntArray
    """(q, 3), 0–255."""


def seen_objects(model: Model, images: Pixels, truth: Truth) -> list[Seen]:
    """What is seen of the true things of each of `images` (N, H, W, C).

    Symbols whose box is no thing's are passed over: they have no truth to learn from. So are those whose window cuts
    the thing off: their co-ordinates are of a part of it.
    """
    sightings = []
    for image, scene in enumerate(WindowPerceiver(model).perceive(list(images))):
        rows = truth.rows(image)
        objects = scene.things
        windows = [thing.place for thing in objects]
        true = truth.boxes[rows]
        matches = [
            (index, thing)
            for index, thing in match(scene.boxes, true)
            if (true[thing, :2] >= windows[index][:2]).all() and (true[thing, 2:] <= windows[index][2:]).all()
        ]
        coordinates = np.array([objects[index].coordinates for index, _ in matches])
        sightings.append(
            Seen(
                np.array([rows.start + thing for _, thing in matches], dtype=np.int64),
                coordinates.reshape(len(matches), model.config.relations).round(DIGITS),
                round(scene.noise_level, DIGITS),
                np.array([objects[index].colour for index, _ in matches], dtype=np.int64).reshape(-1, 3),
            )
        )
    return sightings


def _fit(pairs: Pairs, truth: BoolArray) -> tuple[tuple[int, ...], Curve, float]:
    """Relations, curve and slack of the clause that parts alike pairs from unlike ones best; `truth` (P,) says which
    are alike."""
    distances = pairs.distances / (1 + RATE * pairs.noise_level[:, None])
    kinds = _kinds(pairs, truth)
    relations, parting = choose_relations(
        distances, [kind & truth for kind in kinds], [kind & ~truth for kind in kinds]
    )
    reach, taking_part = distances[:, list(relations)].max(1), np.any(kinds, axis=0)
    curve = fit_curve(reach[taking_part & truth], reach[taking_part & ~truth], parting.threshold)
    return relations, curve, round_off(RATE * parting.threshold)


def choose_relations(
    distances: FloatArray, alike: Sequence[BoolArray], unlike: Sequence[BoolArray]
) -> tuple[tuple[int, ...], Parting]:
    """The relations that tell best which pairs are alike, by their `distances` (P, j), and the threshold of these.

    `alike` and `unlike`: (P,) for each kind of picture. Relations are taken one by one, each the one that helps most,
    until none helps any more. A pair's distance is its largest on the relations taken, as the clause's literals all
    have to hold.
    """
    taken: list[int] = []
    best = Parting(0.0, 0.0, 0.0)
    reach = np.zeros(len(distances))
    while True:
        tried = {}
        for relation in set(range(distances.shape[1])) - set(taken):
            further = np.maximum(reach, distances[:, relation])
            tried[relation] = part([further[kind] for kind in alike], [further[kind] for kind in unlike])
        helpful = [relation for relation in tried if _better(tried[relation], best)]
        if not helpful:
            return tuple(sorted(taken)), best
        taken.append(max(helpful, key=lambda relation: (tried[relation].accuracy, tried[relation].gap)))
        best = tried[taken[-1]]
        reach = np.maximum(reach, distances[:, taken[-1]])


def _kinds(pairs: Pairs, truth: BoolArray) -> list[BoolArray]:
    """The pairs (P,) of each corruption that has alike and unlike ones; `truth` (P,) says which are alike."""
    kinds = [pairs.corruption == number for number in np.unique(pairs.corruption)]
    return [kind for kind in kinds if (kind & truth).any() and (kind & ~truth).any()]


def _better(tried: Parting, best: Parting) -> bool:
    """Whether it is better by enough to be worth a literal."""
    clearly_righter = tried.accuracy > best.accuracy + WORTH
    return clearly_righter or (tried.accuracy >= best.accuracy and tried.gap > GAIN * best.gap)


def balanced_accuracy(said: BoolArray, truth: BoolArray) -> float:
    """Mean of the shares right among true and among false pairs; there must be some of both."""
    return float(np.mean([(said[truth == value] == value).mean() for value in (True, False)]))
