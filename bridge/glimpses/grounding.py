"""Grounding a model of pictures of any size: what named predicates mean in its relations, learned from things of known
truth.

For every attribute there is one predicate, `same_<attribute>`, which holds of two things that lie close on the
relations of the model's group of that name; an attribute that the model has no group for takes the relations that tell
it best. What looks the same is the attribute `look`, on the group of that name: the predicate `same`. Sizes are read
off boxes. Where values have names, each is told by example, too.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from predinet_prolog.bridge.confidence import fit_both_sides, part, round_off
from predinet_prolog.bridge.definitions import SAME, TRUSTED, Definition, Examples, Grounding
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.glimpses.sizes import coarse
from predinet_prolog.bridge.glimpses.truth import Things, things_told
from predinet_prolog.bridge.grounding import FIT_SEED, JUDGE_SEED, Pairs, balanced_accuracy, choose_relations
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.bridge.scene import FloatArray, IntArray
from predinet_prolog.bridge.terms import DIGITS
from predinet_prolog.bridge.vocabulary import is_taken
from predinet_prolog.domains.annotations import LOOK
from predinet_prolog.neural.glimpses.model import GlimpseModel

RATES = (0.4, 0.0, 0.1, 0.2, 0.8)
"""Shares that thresholds may grow by for each unit of noise_level; the first where no picture is noisy."""
GRAINS = (0.0, 4.0, 8.0)
"""Shares that thresholds may grow by where the smaller of two things is a pixel long."""
FEWEST = 10
"""Alike pairs, and unlike ones, that a predicate is learned from at least."""
SLIPS = 0.01
"""Share of the pairs that look the same which may differ in what looks tell: people tell amiss."""
PICTURES = 100
"""Of each task of a domain, that a model is grounded on, and again that it is judged on."""
LEAST_FRESH = 0.85
"""A predicate that is right in a smaller share of pairs (balanced) of things of fresh families is left out. This counts
pictures of all tasks, those as spoilt as any and touching things too: of plain ones it says far more."""


def ground_scenes(model: GlimpseModel, report: Callable[[str], None] = lambda step: None) -> Grounding:
    """Learns the attributes of the model's own domain, from pictures of all its tasks together: clean, spoilt, crowded.

    They are of the second kind of things: how near lie things of one shape that no training showed. It is judged on
    fresh pictures of the first kind, which the model was trained on, and of the second; this one decides what is
    trusted, and no other kind is looked at. `report` is told each of the `steps`. Raises BridgeError as
    `ground_glimpses`.
    """
    taught, fresh = model.domain.kinds[:2]
    fitted = _seen(model, fresh, FIT_SEED, report)
    judged = {kind: _seen(model, kind, JUDGE_SEED, report) for kind in (taught, fresh)}
    words: dict[str, tuple[str, ...]] = {}
    grounding = ground_glimpses(
        model, fitted, fitted_on=fresh, judged=judged, corrupted={}, words=words, least=LEAST_FRESH
    )
    return replace(grounding, trusted_on=fresh)


def steps(model: GlimpseModel) -> int:
    """How many steps `ground_scenes` reports."""
    return 3 * len(model.domain.tasks)


def _seen(model: GlimpseModel, kind: str, seed: int, report: Callable[[str], None]) -> list[Things]:
    """What is seen in pictures of every task with things of that kind, whose truth is known."""
    perceiver, sightings = GlimpsePerceiver(model), []
    for number, task in enumerate(model.domain.tasks):
        report(f"looking at {task}, {kind}")
        drawn = model.domain.generate_annotated(PICTURES, seed=(seed, number), kind=kind, task=task)
        assert drawn.truth is not None, "generated pictures have their truth"
        for index, picture in enumerate(drawn.pictures):
            (scene,) = perceiver.perceive([picture])
            sightings += things_told(scene, drawn.truth, index)
    return sightings


def ground_glimpses(
    model: GlimpseModel,
    pictures: Iterable[Things],
    *,
    fitted_on: str,
    judged: Mapping[str, Iterable[Things]],
    corrupted: Mapping[str, Iterable[Things]],
    words: Mapping[str, tuple[str, ...]],
    least: float = TRUSTED,
    note: Callable[[str], None] = lambda line: None,
) -> Grounding:
    """Learns a predicate for each attribute of `pictures`, which are of the kind `fitted_on`, and judges it on fresh
    ones by kind, clean and corrupted. `judged` has that kind, too: by it predicates are trusted.

    words: names of values, for attributes that are told by example. `least`: the score from which one is trusted.
    `note` is told which attribute is left out, as it has too few pairs.

    Raises BridgeError for an attribute of no fit name, or if all have too few pairs.
    """
    rounded = list(map(_rounded, pictures))
    fresh, spoiled = (
        {kind: list(map(_rounded, group)) for kind, group in pictures_of.items()} for pictures_of in (judged, corrupted)
    )
    attributes = tuple(dict.fromkeys(name for things in rounded for name in things.attributes))
    scarce = {name: fault for name in attributes if (fault := _too_few(rounded, name))}
    for name, fault in scarce.items():
        if len(scarce) == len(attributes):
            raise BridgeError(f"{fault}; add pictures, or leave the attribute {name} out")
        note(f"{fault}: left out")
    attributes = tuple(name for name in attributes if name not in scarce)
    definitions, examples = [], []
    attribute_of: dict[str, str] = {}
    for attribute in attributes:
        definition = _define(model, attribute, rounded)
        definitions.append(definition)
        attribute_of[definition.predicate] = attribute
        if attribute in words:
            places = _examples(attribute, words[attribute], definition.relations, rounded)
            shares = {kind: _share_told(places, words[attribute], group) for kind, group in fresh.items()}
            examples.append(replace(places, scores=_given(shares)))
    augmented = any(things.noise_level > 0 for things in rounded)
    free = tuple(name for name in attributes if name != LOOK and not _told_by_looks(name, rounded))
    grounding = Grounding(
        model.sha256,
        fitted_on,
        augmented,
        attributes,
        tuple(definitions),
        examples=tuple(examples),
        least=least,
        not_looks=free,
    )

    def judge(definition: Definition) -> Definition:
        clean, hazy = (
            {kind: _score(definition, attribute_of[definition.predicate], group) for kind, group in pictures.items()}
            for pictures in (fresh, spoiled)
        )
        return replace(definition, scores=_given(clean), corrupted=_given(hazy))

    return grounding.judged(judge)


def _told_by_looks(attribute: str, pictures: list[Things]) -> bool:
    """Whether things that look the same have it in common, but for a slip of who told it."""
    alike = agree = 0
    for things in pictures:
        looks, values = (things.attributes.get(name) for name in (LOOK, attribute))
        if looks is not None and values is not None:
            labelled = (looks >= 0) & (values >= 0)
            same = np.triu(np.equal.outer(looks, looks) & np.logical_and.outer(labelled, labelled), 1)
            alike += int(same.sum())
            agree += int((same & np.equal.outer(values, values)).sum())
    return agree >= (1 - SLIPS) * alike


def _rounded(things: Things) -> Things:
    """As they are written."""
    return things._replace(coordinates=things.coordinates.round(DIGITS), noise_level=round(things.noise_level, DIGITS))


def _too_few(pictures: list[Things], attribute: str) -> str | None:
    """Why the pairs of things are too few to learn the attribute from; None if they are enough."""
    truth = _pairs(pictures, attribute).truth[attribute]
    alike, unlike = int(truth.sum()), int((~truth).sum())
    if min(alike, unlike) >= FEWEST:
        return None
    return (
        f"{_predicate(attribute)[0]} cannot be learned: of the pairs of things in one picture {alike} are alike and "
        f"{unlike} are not, and it takes {FEWEST} of each"
    )


def _define(model: GlimpseModel, attribute: str, pictures: list[Things]) -> Definition:
    """The clause and the curve of an attribute, not yet judged."""
    predicate, meaning = _predicate(attribute)
    pairs = _pairs(pictures, attribute)
    truth = pairs.truth[attribute]
    fits = []
    relations = model.config.of_group(attribute) if attribute in model.config.axes else None
    for rate, grain in product(RATES if pairs.noise_level.any() else RATES[:1], GRAINS):
        room = 1 + rate * pairs.noise_level + grain * pairs.coarse
        distances = pairs.distances / room[:, None]
        if relations is None:
            relations, _ = choose_relations(distances, [truth], [~truth])
        reach = distances[:, list(relations)].max(1)
        threshold = part([reach[truth]], [reach[~truth]]).threshold
        curve = fit_both_sides(reach[truth], reach[~truth], threshold)
        fits.append((curve.surprise(reach[truth], reach[~truth]), rate, grain, curve))
    assert relations is not None, "there is a rate"
    _, rate, grain, curve = min(fits, key=lambda fit: fit[0])
    slack, growth = (round_off(share * curve.threshold) for share in (rate, grain))
    return Definition(predicate, meaning, relations, curve, slack, {}, {}, growth)


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


def _pairs(pictures: list[Things], attribute: str) -> Pairs:
    """All pairs of different things of those pictures that tell the attribute."""
    distances, noise_level, coarseness, truth = [], [], [], []
    for things in pictures:
        values = things.attributes.get(attribute)
        if values is None:
            continue
        labelled = np.flatnonzero(values >= 0)
        first, second = (labelled[side] for side in np.triu_indices(len(labelled), k=1))
        distances.append(np.abs(things.coordinates[first] - things.coordinates[second]))
        noise_level.append(np.full(len(first), things.noise_level))
        coarseness.append(coarse(things.boxes)[first, second])
        truth.append(values[first] == values[second])
    if not truth:
        return Pairs(np.zeros((0, 0)), np.zeros(0), np.zeros(0, dtype=np.int64), {attribute: np.zeros(0, dtype=bool)})
    joined = np.concatenate(truth)
    none = np.zeros(len(joined), dtype=np.int64)
    noisy, small = np.concatenate(noise_level), np.concatenate(coarseness)
    return Pairs(np.concatenate(distances), noisy, none, {attribute: joined}, small)


def _score(definition: Definition, attribute: str, pictures: list[Things]) -> float | None:
    """Balanced accuracy; None where there are no alike pairs, or no unlike ones: there is nothing to tell."""
    pairs = _pairs(pictures, attribute)
    truth = pairs.truth[attribute]
    return balanced_accuracy(definition.holds(pairs), truth) if truth.any() and not truth.all() else None


def _given(scores: Mapping[str, float | None]) -> dict[str, float]:
    return {kind: score for kind, score in scores.items() if score is not None}


def _values(pictures: list[Things], attribute: str) -> tuple[FloatArray, IntArray]:
    """The co-ordinates (q, j) and values (q,) of all things of those pictures whose attribute is told."""
    labelled = [things for things in pictures if attribute in things.attributes]
    if not labelled:
        return np.zeros((0, 0)), np.zeros(0, dtype=np.int64)
    values = np.concatenate([things.attributes[attribute] for things in labelled])
    return np.concatenate([things.coordinates for things in labelled])[values >= 0], values[values >= 0]


def _examples(attribute: str, words: tuple[str, ...], relations: tuple[int, ...], pictures: list[Things]) -> Examples:
    """Where the things of each value lie in the mean; not yet judged."""
    coordinates, values = _values(pictures, attribute)
    places = {
        words[value]: tuple(coordinates[values == value][:, list(relations)].mean(0).round(DIGITS).tolist())
        for value in np.unique(values).tolist()
    }
    predicate = attribute if not is_taken(attribute) else f"{attribute}_is"
    return Examples(attribute, predicate, relations, places, {})


def _share_told(examples: Examples, words: tuple[str, ...], pictures: list[Things]) -> float | None:
    """The mean of the shares of each value's things that are told it."""
    coordinates, values = _values(pictures, examples.attribute)
    if not len(values):
        return None
    right = np.array([words[value] for value in values.tolist()]) == np.array(examples.tell(coordinates))
    return float(np.mean([right[values == value].mean() for value in np.unique(values)]))
