"""Fitting definitions: what named predicates mean in a model's relations, learned from things whose truth is known.

Two things that are alike in some respect have nearly the same co-ordinate on the axes of the relations that tell that
respect. So each predicate is one clause, a few literals of the form `near(R, X, Y, T)`: the relations and the one
threshold are fitted to some sightings, and judged on fresh ones. Beside it stands how likely it is to be true of a
pair, whether it holds or not: `confidence(same(X, Y), P)`.

For every attribute there is one predicate, `same_<attribute>`, which holds of two things that lie close on the
relations of the model's group of that name; an attribute that the model has no group for takes the relations that tell
it best. What looks the same is the attribute `look`: the predicate `same`. Sizes are read off boxes. Where values have
names, each is told by example, too.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from predinet_prolog.bridge.confidence import Curve, Parting, fit_both_sides, fit_curve, part, round_off
from predinet_prolog.bridge.definitions import SAME, TRUSTED, Definition, Examples, Grounding
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.glimpses.sizes import coarse
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray, Scene
from predinet_prolog.bridge.terms import DIGITS
from predinet_prolog.bridge.vocabulary import is_taken
from predinet_prolog.domains.annotations import LOOK, to_compare
from predinet_prolog.domains.domain import Truth
from predinet_prolog.neural.glimpses.config import NUMBER
from predinet_prolog.neural.model import Model, relations_of

WORTH = 0.0005
"""A further literal must gain this much balanced accuracy …"""
GAIN = 1.05
"""… or lose none and widen the gap between alike and unlike pairs by this factor."""
FEWEST = 10
"""Alike pairs, and unlike ones, that a predicate is learned from at least."""
SLIPS = 0.01
"""Share of the pairs that look the same which may differ in what looks tell: people tell amiss."""


@dataclass(frozen=True)
class FitSettings:
    """What a definition's threshold may make room for, and the shape of its curve."""

    rates: tuple[float, ...] = (0.4, 0.0, 0.1, 0.2, 0.8)
    """Shares that it may grow by for each unit of noise_level; the first where no picture is noisy."""
    grains: tuple[float, ...] = (0.0, 4.0, 8.0)
    """Shares that it may grow by where the smaller of two things is a pixel long."""
    both_sides: bool = True
    """Whether the curve has a steepness and a doubt of its own beyond the threshold, and all pairs weigh the same."""


SETTINGS = FitSettings()


class Sighting(NamedTuple):
    """What was seen of q things of one picture whose truth is known."""

    coordinates: FloatArray
    """(q, j)"""
    boxes: FloatArray
    """(q, 4): left, top, right, bottom in pixels of the picture as it was looked at."""
    noise_level: float
    attributes: Mapping[str, IntArray]
    """(q,) each: equal numbers are equal values; below 0 where it is not told."""
    corruption: int = 0
    """The number of the corruption that the picture went through."""
    colours: FloatArray = np.zeros((0, 3))
    """(q, 3), 0–255, as they were seen."""
    things: IntArray = np.zeros(0, dtype=np.int64)
    """(q,): which of the truth's."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of different things of one picture each, P in all."""

    distances: FloatArray
    """(P, j): how far apart the two lie on each relation's axis, place left out, as the program's facts say it."""
    noise_level: FloatArray
    """(P,): that of their picture."""
    corruption: IntArray
    """(P,): the number of the corruption that their picture went through."""
    truth: BoolArray
    """(P,): whether they are alike."""
    coarse: FloatArray | float = 0.0
    """(P,): a pixel over the size of the smaller of both."""


def sighted(scene: Scene, truth: Truth, picture: int, corruption: int = 0) -> list[Sighting]:
    """What was seen of the true things of the picture of that number; nothing if none of them was.

    What is no true thing is passed over: it has no truth to learn from. So is what its window cuts off: its
    co-ordinates are of a part of it.
    """
    rows = truth.rows(picture)
    boxes, true = scene.boxes, truth.boxes[rows]
    pairs = [
        (symbol, thing)
        for symbol, thing in match(boxes, true)
        if (window := scene.things[symbol].window) is None
        or ((true[thing, :2] >= window[:2]).all() and (true[thing, 2:] <= window[2:]).all())
    ]
    if not pairs:
        return []
    symbols = [scene.things[symbol] for symbol, _ in pairs]
    matched = np.array([rows.start + thing for _, thing in pairs])
    return [
        Sighting(
            np.array([symbol.coordinates for symbol in symbols]).round(DIGITS),
            boxes[[symbol for symbol, _ in pairs]],
            round(scene.noise_level, DIGITS),
            to_compare({name: column[matched] for name, column in truth.attributes.items()}),
            corruption,
            np.array([symbol.colour or (np.nan,) * 3 for symbol in symbols], dtype=np.float64),
            matched,
        )
    ]


def fit_grounding(
    model: Model,
    sightings: Iterable[Sighting],
    *,
    fitted_on: str,
    judged: Mapping[str, Iterable[Sighting]],
    corrupted: Mapping[str, Iterable[Sighting]],
    words: Mapping[str, tuple[str, ...]],
    least: float = TRUSTED,
    note: Callable[[str], None] = lambda line: None,
    settings: FitSettings = SETTINGS,
) -> Grounding:
    """Learns a predicate for each attribute of `sightings`, which are of the kind `fitted_on`, and judges it on fresh
    ones by kind, clean and corrupted. `judged` has that kind, too: by it predicates are trusted.

    words: names of values, for attributes that are told by example. `least`: the score from which one is trusted.
    `note` is told which attribute is left out, as it has too few pairs.

    Raises BridgeError for an attribute of no fit name, or if all have too few pairs.
    """
    fitted = list(sightings)
    fresh, spoiled = ({kind: list(group) for kind, group in groups.items()} for groups in (judged, corrupted))
    attributes = tuple(dict.fromkeys(name for sighting in fitted for name in sighting.attributes))
    scarce = {name: fault for name in attributes if (fault := too_few(fitted, name))}
    for name, fault in scarce.items():
        if len(scarce) == len(attributes):
            raise BridgeError(f"{fault}; add pictures, or leave the attribute {name} out")
        note(f"{fault}: left out")
    attributes = tuple(name for name in attributes if name not in scarce)
    definitions, examples = [], []
    attribute_of: dict[str, str] = {}
    for attribute in attributes:
        definition = fit_definition(model, attribute, fitted, settings)
        definitions.append(definition)
        attribute_of[definition.predicate] = attribute
        if attribute in words:
            places = _examples(attribute, words[attribute], definition.relations, fitted)
            shares = {kind: _share_told(places, words[attribute], group) for kind, group in fresh.items()}
            examples.append(replace(places, scores=_given(shares)))
    # How many values one attribute has bounds its kinds, where what is on things is counted: printed symbols.
    columns = [sighting.attributes[name] for sighting in fitted for name in attributes if name in sighting.attributes]
    grounding = Grounding(
        model.sha256,
        fitted_on,
        any(sighting.noise_level > 0 for sighting in fitted),
        attributes,
        tuple(definitions),
        examples=tuple(examples),
        least=least,
        not_looks=tuple(name for name in attributes if name != LOOK and not _told_by_looks(name, fitted)),
        kinds=max(len(set(column.tolist()) - {-1}) for column in columns) if NUMBER in model.axes else 0,
    )

    def judge(definition: Definition) -> Definition:
        clean, hazy = (
            {kind: _score(definition, attribute_of[definition.predicate], group) for kind, group in groups.items()}
            for groups in (fresh, spoiled)
        )
        return replace(definition, scores=_given(clean), corrupted=_given(hazy))

    return grounding.judged(judge)


def too_few(sightings: Sequence[Sighting], attribute: str) -> str | None:
    """Why the pairs of things are too few to learn the attribute from; None if they are enough."""
    truth = _pairs(sightings, attribute).truth
    alike, unlike = int(truth.sum()), int((~truth).sum())
    if min(alike, unlike) >= FEWEST:
        return None
    return (
        f"{_predicate(attribute)[0]} cannot be learned: of the pairs of things in one picture {alike} are alike and "
        f"{unlike} are not, and it takes {FEWEST} of each"
    )


def fit_definition(
    model: Model, attribute: str, sightings: Sequence[Sighting], settings: FitSettings = SETTINGS
) -> Definition:
    """The clause and the curve of an attribute, not yet judged; those of the growth that surprises least."""
    predicate, meaning = _predicate(attribute)
    pairs = _pairs(sightings, attribute)
    relations = relations_of(model.axes, attribute) if attribute in model.axes else None
    fits = []
    for rate, grain in product(settings.rates if pairs.noise_level.any() else settings.rates[:1], settings.grains):
        room = 1 + rate * pairs.noise_level + grain * pairs.coarse
        relations, curve, surprise = _fit(pairs, pairs.distances / room[:, None], relations, settings)
        fits.append((surprise, rate, grain, curve))
    assert relations is not None, "there is a rate"
    _, rate, grain, curve = min(fits, key=lambda fit: fit[0])
    slack, growth = (round_off(share * curve.threshold) for share in (rate, grain))
    return Definition(predicate, meaning, relations, curve, slack, {}, {}, growth)


def _fit(
    pairs: Pairs, distances: FloatArray, relations: tuple[int, ...] | None, settings: FitSettings
) -> tuple[tuple[int, ...], Curve, float]:
    """Relations (None: those that tell best), and the curve that parts alike pairs from unlike ones by their
    `distances` (P, j), with its surprise."""
    truth = pairs.truth
    corruptions = [pairs.corruption == number for number in np.unique(pairs.corruption)]
    corruptions = [kind for kind in corruptions if (kind & truth).any() and (kind & ~truth).any()]
    alike, unlike = [kind & truth for kind in corruptions], [kind & ~truth for kind in corruptions]
    if relations is None:
        relations = choose_relations(distances, alike, unlike)
    reach = distances[:, list(relations)].max(1)
    threshold = part([reach[kind] for kind in alike], [reach[kind] for kind in unlike]).threshold
    near, far = reach[np.any(alike, axis=0)], reach[np.any(unlike, axis=0)]
    curve = (fit_both_sides if settings.both_sides else fit_curve)(near, far, threshold)
    return relations, curve, curve.surprise(near, far)


def choose_relations(distances: FloatArray, alike: Sequence[BoolArray], unlike: Sequence[BoolArray]) -> tuple[int, ...]:
    """The relations that tell best which pairs are alike, by their `distances` (P, j).

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
            return tuple(sorted(taken))
        taken.append(max(helpful, key=lambda relation: (tried[relation].accuracy, tried[relation].gap)))
        best = tried[taken[-1]]
        reach = np.maximum(reach, distances[:, taken[-1]])


def _better(tried: Parting, best: Parting) -> bool:
    """Whether it is better by enough to be worth a literal."""
    clearly_righter = tried.accuracy > best.accuracy + WORTH
    return clearly_righter or (tried.accuracy >= best.accuracy and tried.gap > GAIN * best.gap)


def _predicate(attribute: str) -> tuple[str, str]:
    """The predicate of things that have an attribute in common, and what it means. Raises BridgeError."""
    if attribute == LOOK:
        return SAME, "X and Y look the same"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", attribute):
        raise BridgeError(f"{attribute!r} names no attribute: use small letters, digits and _, a letter first")
    predicate = f"same_{attribute}"
    if is_taken(predicate):
        raise BridgeError(f"no attribute can be called {attribute}: {predicate} means something else in every program")
    return predicate, f"X and Y are alike in {attribute.replace('_', ' ')}"


def _pairs(sightings: Sequence[Sighting], attribute: str) -> Pairs:
    """All pairs of different things of those sightings that tell the attribute."""
    distances, noise_level, corruption, coarseness, truth = [], [], [], [], []
    for sighting in sightings:
        values = sighting.attributes.get(attribute)
        if values is None:
            continue
        labelled = np.flatnonzero(values >= 0)
        first, second = (labelled[side] for side in np.triu_indices(len(labelled), k=1))
        distances.append(np.abs(sighting.coordinates[first] - sighting.coordinates[second]))
        noise_level.append(np.full(len(first), sighting.noise_level))
        corruption.append(np.full(len(first), sighting.corruption))
        coarseness.append(coarse(sighting.boxes)[first, second])
        truth.append(values[first] == values[second])
    if not truth:
        return Pairs(np.zeros((0, 0)), np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool))
    return Pairs(*map(np.concatenate, (distances, noise_level, corruption, truth, coarseness)))


def _told_by_looks(attribute: str, sightings: Sequence[Sighting]) -> bool:
    """Whether things that look the same have it in common, but for a slip of who told it."""
    alike = agree = 0
    for sighting in sightings:
        looks, values = (sighting.attributes.get(name) for name in (LOOK, attribute))
        if looks is not None and values is not None:
            labelled = (looks >= 0) & (values >= 0)
            same = np.triu(np.equal.outer(looks, looks) & np.logical_and.outer(labelled, labelled), 1)
            alike += int(same.sum())
            agree += int((same & np.equal.outer(values, values)).sum())
    return agree >= (1 - SLIPS) * alike


def _score(definition: Definition, attribute: str, sightings: Sequence[Sighting]) -> float | None:
    """Balanced accuracy, the mean of the shares right among true and among false pairs; None where there are none of
    either: there is nothing to tell."""
    pairs = _pairs(sightings, attribute)
    if pairs.truth.all() or not pairs.truth.any():
        return None
    said = definition.probability(pairs.distances, pairs.noise_level, pairs.coarse) >= 0.5
    return float(np.mean([(said[pairs.truth == value] == value).mean() for value in (True, False)]))


def _given(scores: Mapping[str, float | None]) -> dict[str, float]:
    return {kind: score for kind, score in scores.items() if score is not None}


# --- Values with names. ---


def _values(sightings: Sequence[Sighting], attribute: str) -> tuple[FloatArray, IntArray]:
    """The co-ordinates (q, j) and values (q,) of all things of those sightings whose attribute is told."""
    labelled = [sighting for sighting in sightings if attribute in sighting.attributes]
    if not labelled:
        return np.zeros((0, 0)), np.zeros(0, dtype=np.int64)
    values = np.concatenate([sighting.attributes[attribute] for sighting in labelled])
    return np.concatenate([sighting.coordinates for sighting in labelled])[values >= 0], values[values >= 0]


def _examples(
    attribute: str, words: tuple[str, ...], relations: tuple[int, ...], sightings: Sequence[Sighting]
) -> Examples:
    """Where the things of each value lie in the mean; not yet judged."""
    coordinates, values = _values(sightings, attribute)
    places = {
        words[value]: tuple(coordinates[values == value][:, list(relations)].mean(0).round(DIGITS).tolist())
        for value in np.unique(values).tolist()
    }
    predicate = attribute if not is_taken(attribute) else f"{attribute}_is"
    return Examples(attribute, predicate, relations, places, {})


def _share_told(examples: Examples, words: tuple[str, ...], sightings: Sequence[Sighting]) -> float | None:
    """The mean of the shares of each value's things that are told it."""
    coordinates, values = _values(sightings, examples.attribute)
    if not len(values):
        return None
    right = np.array([words[value] for value in values.tolist()]) == np.array(examples.tell(coordinates))
    return float(np.mean([right[values == value].mean() for value in np.unique(values)]))
