"""Explaining: how much of the domain's attributes and of position each relation of a model tells, so that a program can
be read.

A program says of two objects X and Y, for every relation,

    V = C(X) - C(Y) + slope · (place of X - place of Y)          rI(V, X, Y), coordinate(rI, X, C), slope(rI, Ax, Ay)

The measure takes the variance of V apart, over pairs of two things drawn independently and uniformly at two different
places. Appearance and place are then independent, so that

    var V = 2 var C + var(slope · difference of places)

holds exactly, and the second part is *position*. var C is taken apart by an analysis of variance over a full design,
such as every shape in every colour once; with means written as dots,

    C(shape, colour) - C(·, ·) = (C(·, colour) - C(·, ·)) + (C(shape, ·) - C(·, ·)) + rest

where the variance of the first term is *colour*, what is known of C from the colour alone; that of the second is
*shape*; and that of the rest is *interaction*, what the attributes tell only together. In a full design the parts are
orthogonal and add up to var C. A C that follows none, like noise, shows as interaction nearly whole: few means
can differ by chance, and many things.

How much a relation *tells*, apart from how its variance is made up, is how well it answers a question: the balanced
accuracy with which the best threshold on |C(X) - C(Y)| alone parts pairs of the same colour from others, and so for
each attribute, over all pairs of two different things. 0.5 is chance. It can be high for a small share of the variance
(unlike objects lie apart by little, and alike ones at the same point), and lower than 1 for a share of 1 (where some
colours lie at the same point).

Held-out kinds are not looked at: what a relation means is said of the things that the model was trained on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.fitting import sighted
from predinet_prolog.bridge.perceiving.perceiver import perceiver_of
from predinet_prolog.bridge.scene import BoolArray, FloatArray, IntArray
from predinet_prolog.bridge.terms import DIGITS
from predinet_prolog.domains.domain import Pixels, Truth
from predinet_prolog.neural.checkpoint import Model

CLEAR = 0.9
"""A relation means an attribute where that makes at least this share of the variance of its co-ordinate."""
BATCH = 125


@dataclass(frozen=True)
class Meaning:
    """What one relation tells. The shares are of V's variance, from 0 to 1, and sum to 1; all 0 where it has none."""

    relation: int
    attributes: Mapping[str, float]
    """The share of each."""
    interaction: float
    """What the attributes tell only together."""
    position: float
    spread: float
    """Standard deviation of V."""
    accuracy: Mapping[str, float]
    """For each attribute, how well the best threshold on the difference of co-ordinates tells things that have it in
    common: balanced; 0.5 is chance."""

    @property
    def coordinate(self) -> dict[str, float]:
        """Shares of the attributes and of interaction in the variance of the co-ordinate, position left out: they sum
        to 1; where every object has the same co-ordinate, they are 0."""
        parts = {**self.attributes, "interaction": self.interaction}
        whole = sum(parts.values())
        return {name: part / whole if whole else 0.0 for name, part in parts.items()}

    @property
    def tells(self) -> str:
        """What its co-ordinate means, in a word: an attribute or mixed. If all objects have the same one, position;
        or nothing, if V is always the same."""
        shares = self.coordinate
        if not any(shares.values()):
            return "position" if self.position else "nothing"
        return next((name for name in self.attributes if shares[name] >= CLEAR), "mixed")


def explain(model: Model, report: Callable[[int], None] = lambda objects: None) -> list[Meaning]:
    """What every relation of `model` tells, in their order.

    `report` is told how many objects more were seen, of `objects_to_see(model)`. Raises BridgeError if its domain
    has no gallery, or the model does not see every thing of it when it stands alone.
    """
    domain, config, gallery = model.domain, model.config, _gallery(model)
    corners = [truth.boxes[0, :2] for _, truth in gallery]  # of the same thing
    places = np.array(corners) / (config.stride * config.side)  # in the network's own co-ordinates
    attributes = {name: gallery[0][1].attributes[name] for name in domain.attributes[::-1]}
    return meanings(_coordinates(model, gallery, report), attributes, place_variance(model.graph.slopes, places))


def objects_to_see(model: Model) -> int:
    """How many objects `explain` looks at: every thing of the gallery once. Raises BridgeError as it does."""
    return len(_gallery(model)[0][0])


def meanings(coordinates: FloatArray, attributes: Mapping[str, IntArray], by_place: FloatArray) -> list[Meaning]:
    """What each of j relations tells, of the `coordinates` (O, j) of things with these `attributes`, (O,) each: a full
    design, every combination of values once.

    `by_place` (j,) is the variance that their values have from the pairs' places.
    """
    # Two objects, each drawn for itself: the difference varies twice as much as each.
    parts = np.stack([*(2 * part for part in analysis_of_variance(coordinates, list(attributes.values()))), by_place])
    variance = parts.sum(0)
    shares = np.divide(parts, variance, out=np.zeros_like(parts), where=variance > 0)
    first, second = np.triu_indices(len(coordinates), k=1)
    alike = {name: values[first] == values[second] for name, values in attributes.items()}
    meanings = []
    for relation in range(coordinates.shape[1]):
        values = coordinates[:, relation]
        distances = np.abs(values[first] - values[second]).round(DIGITS)
        *of_attributes, interaction, position = shares[:, relation].tolist()
        meanings.append(
            Meaning(
                relation,
                dict(zip(attributes, of_attributes, strict=True)),
                interaction,
                position,
                spread=float(np.sqrt(variance[relation])),
                accuracy={name: best_accuracy(distances, same) for name, same in alike.items()},
            )
        )
    return meanings


def analysis_of_variance(coordinates: FloatArray, attributes: Sequence[IntArray]) -> list[FloatArray]:
    """The variance of `coordinates` (O, j) that each of the `attributes` (O,) explains alone, and last what only all of
    them together do.

    Each is (j,); their sum is the variance over all things, which are a full design.
    """
    centred = coordinates - coordinates[0]  # the mean of equal numbers is not exactly their number, but 0 is
    centred = centred - centred.mean(0)
    rest = centred
    parts = []
    for values in attributes:
        _, value, count = np.unique(values, return_inverse=True, return_counts=True)
        sums = np.zeros((len(count), centred.shape[1]))
        np.add.at(sums, value, centred)
        means = (sums / count[:, None])[value]
        parts.append((means**2).mean(0))
        rest = rest - means
    return [*parts, (rest**2).mean(0)]


def place_variance(slopes: FloatArray, places: FloatArray) -> FloatArray:
    """Variance (j,) of `slopes` (j, 2) times the difference of two different `places` (p, 2) by lot; 0 of one place."""
    along = places @ slopes.T
    return np.asarray(2 * along.var(0, ddof=1) if len(places) > 1 else np.zeros(len(slopes)))


def best_accuracy(distances: FloatArray, alike: BoolArray) -> float:
    """Balanced accuracy, 0.5–1, of the best rule "alike if at most so far apart" for pairs' `distances` (P,).

    0.5 where all pairs are alike, or none: there is nothing to tell.
    """
    if alike.all() or not alike.any():
        return 0.5
    order = distances.argsort()
    ordered, alike = distances[order], alike[order]
    kept, let_in = alike.cumsum() / alike.sum(), (~alike).cumsum() / (~alike).sum()
    possible = np.append(ordered[1:] > ordered[:-1], True)  # no threshold parts equal distances
    return float((kept - let_in)[possible].max() + 1) / 2


def _coordinates(model: Model, gallery: Sequence[tuple[Pixels, Truth]], report: Callable[[int], None]) -> FloatArray:
    """The co-ordinates (O, j) of every thing of the gallery, as programs say them: at the first place, and where a
    thing was missed there, at another; its co-ordinate is the same everywhere."""
    coordinates = np.full((len(gallery[0][0]), model.config.relations), np.nan)
    for images, truth in gallery:
        missed = np.flatnonzero(np.isnan(coordinates[:, 0]))
        if not len(missed):
            break
        for start in range(0, len(missed), BATCH):
            batch = missed[start : start + BATCH]
            alone = Truth(np.arange(len(batch)), truth.boxes[batch], {})
            scenes = perceiver_of(model).perceive(list(images[batch]))
            count = 0
            for index, (thing, scene) in enumerate(zip(batch, scenes, strict=True)):
                for sighting in sighted(scene, alone, index):
                    coordinates[thing] = sighting.coordinates[0]
                    count += len(sighting.coordinates)
            report(count)
    if missing := int(np.isnan(coordinates[:, 0]).sum()):
        raise BridgeError(
            f"{model.name} does not see {missing} of the {len(coordinates)} {model.domain.kinds[0]} even when each "
            "stands alone, so what its relations tell cannot be measured: train it longer"
        )
    return coordinates


def _gallery(model: Model) -> list[tuple[Pixels, Truth]]:
    """The pictures of things alone, for each place with what they show."""
    gallery = [(drawn.images, drawn.truth) for drawn in model.domain.gallery if drawn.truth is not None]
    if not gallery:
        raise BridgeError(f"{model.domain.name} draws no things alone, which would tell what the relations mean")
    return gallery
