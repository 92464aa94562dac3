"""Explaining: how much of colour, shape and position each relation of a model tells, so that a program can be read.

A program says of two objects X and Y, for every relation,

    V = C(X) - C(Y) + slope · (place of X - place of Y)          rI(V, X, Y), coordinate(rI, X, C), slope(rI, Ax, Ay)

The measure takes the variance of V apart, over pairs of two pentominoes drawn independently and uniformly in two
different cells of the board. Appearance and place are then independent, so that

    var V = 2 var C + var(slope · difference of places)

holds exactly, and the second part is *position*. var C is taken apart by a two-way analysis of variance over all
pentominoes, every shape in every colour once; with means written as dots,

    C(shape, colour) - C(·, ·) = (C(·, colour) - C(·, ·)) + (C(shape, ·) - C(·, ·)) + rest

where the variance of the first term is *colour*, what is known of C from the colour alone; that of the second is
*shape*; and that of the rest is *interaction*, what colour and shape tell only together. In a full design the three
are orthogonal and add up to var C. A C that follows neither, like noise, shows as interaction nearly whole, since
there are 24 and 36 ways for the means to differ by chance, and 864 for the rest.

How much a relation *tells*, apart from how its variance is made up, is how well it answers a question: the balanced
accuracy with which the best threshold on |C(X) - C(Y)| alone parts pairs of the same colour from others, and pairs
of the same shape from others, over all pairs of two different pentominoes. 0.5 is chance. It can be high for a small
share of the variance (unlike objects lie apart by little, and alike ones at the same point), and lower than 1 for
a share of 1 (where some colours lie at the same point).

Held-out sets are not looked at: what a relation means is said of the objects that the model was trained on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from bridge.errors import BridgeError
from bridge.grounding import FITTED_ON, seen_objects
from bridge.terms import DIGITS
from domains.relations_game import ObjectSet, Scenes, object_set
from neural.checkpoint import Model

CLEAR = 0.9
"""A relation means colour, or shape, where that makes at least this share of the variance of its co-ordinate."""
CELLS = (4, 0, 1, 2, 3, 5, 6, 7, 8)
"""Where an object that stands alone is looked for: in the middle, then elsewhere if it was missed there. Its
co-ordinate is the same everywhere."""
BATCH = 125

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True)
class Meaning:
    """What one relation tells. The four shares are of the variance of V, from 0 to 1, and sum to 1; where V is always
    the same, they are 0."""

    relation: int
    colour: float
    shape: float
    interaction: float
    """What colour and shape tell only together."""
    position: float
    spread: float
    """Standard deviation of V."""
    same_colour: float
    """Balanced accuracy of the best threshold on the difference of co-ordinates; 0.5 is chance."""
    same_shape: float

    @property
    def coordinate(self) -> dict[str, float]:
        """Shares of colour, shape and interaction in the variance of the co-ordinate, position left out: they sum to
        1; where every object has the same co-ordinate, they are 0."""
        parts = {"colour": self.colour, "shape": self.shape, "interaction": self.interaction}
        whole = sum(parts.values())
        return {name: part / whole if whole else 0.0 for name, part in parts.items()}

    @property
    def tells(self) -> str:
        """What its co-ordinate means, in a word: colour, shape or mixed. If all objects have the same one, position;
        or nothing, if V is always the same."""
        shares = self.coordinate
        if not any(shares.values()):
            return "position" if self.position else "nothing"
        return next((name for name in ("colour", "shape") if shares[name] >= CLEAR), "mixed")


def explain(model: Model, report: Callable[[int], None] = lambda objects: None) -> list[Meaning]:
    """What every relation of `model` tells, in their order.

    `report` is told how many objects more were seen, of `objects_to_see()`. Raises BridgeError if the model does not
    see every pentomino when it stands alone.
    """
    coordinates, slopes = _coordinates(model, report), model.graph.slopes
    # A cell's place in the network's own co-ordinates, where the windows are counted.
    step = model.config.image_size // 3 / model.config.stride / model.config.side
    places = np.array([(x * step, y * step) for y, x in product(range(3), repeat=2)])  # (9, 2)
    return meanings(coordinates, place_variance(slopes, places))


def write_meanings(meanings: Sequence[Meaning]) -> str:
    """What the relations tell as facts of Prolog: proofs read them. They end the text of a model's grounding."""
    return "\n".join(
        [
            "%",
            "% tells(R, What): objects lie on relation R's axis by What: colour or shape, if that makes nine tenths of",
            "% the variance at least, else mixed; position or nothing, where all of them lie at one point.",
            *(f"tells(r{meaning.relation}, {meaning.tells})." for meaning in meanings),
            "",
        ]
    )


def objects_to_see() -> int:
    """How many objects `explain` looks at: every pentomino once."""
    return object_set(FITTED_ON).n_objects


def meanings(coordinates: FloatArray, by_place: FloatArray) -> list[Meaning]:
    """What each of j relations tells, of the `coordinates` (s, c, j) of s shapes in c colours each.

    `by_place` (j,) is the variance that their values have from the pairs' places.
    """
    shapes, colours, relations = coordinates.shape
    # Two objects, each drawn for itself: the difference varies twice as much as each.
    parts = np.stack([*(2 * part for part in analysis_of_variance(coordinates)), by_place])  # (4, j)
    variance = parts.sum(0)
    shares = np.divide(parts, variance, out=np.zeros_like(parts), where=variance > 0)
    first, second = np.triu_indices(shapes * colours, k=1)
    shape, colour = np.divmod(np.arange(shapes * colours), colours)
    same_shape, same_colour = shape[first] == shape[second], colour[first] == colour[second]
    told = []
    for relation in range(relations):
        values = coordinates[..., relation].ravel()
        distances = np.abs(values[first] - values[second]).round(DIGITS)
        colour_share, shape_share, interaction, position = shares[:, relation].tolist()
        told.append(
            Meaning(
                relation,
                colour_share,
                shape_share,
                interaction,
                position,
                spread=float(np.sqrt(variance[relation])),
                same_colour=best_accuracy(distances, same_colour),
                same_shape=best_accuracy(distances, same_shape),
            )
        )
    return told


def analysis_of_variance(coordinates: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The variance of `coordinates` (s, c, j) that colour alone explains, shape alone, and only both together.

    Each is (j,); their sum is the variance over all s·c objects.
    """
    centred = coordinates - coordinates[0, 0]  # the mean of equal numbers is not exactly their number, but 0 is
    centred = centred - centred.mean((0, 1))
    by_colour, by_shape = centred.mean(0, keepdims=True), centred.mean(1, keepdims=True)
    rest = centred - by_colour - by_shape
    return (by_colour**2).mean((0, 1)), (by_shape**2).mean((0, 1)), (rest**2).mean((0, 1))


def place_variance(slopes: FloatArray, places: FloatArray) -> FloatArray:
    """Variance (j,) of `slopes` (j, 2) times the difference of a random pair of different `places` (p, 2)."""
    differences = np.array([first - second for first, second in permutations(places, 2)])
    variance: FloatArray = (differences @ slopes.T).var(0)
    return variance


def best_accuracy(distances: FloatArray, alike: BoolArray) -> float:
    """Balanced accuracy, 0.5–1, of the best rule "alike if at most so far apart" for pairs' `distances` (P,)."""
    order = distances.argsort()
    ordered, alike = distances[order], alike[order]
    kept, let_in = alike.cumsum() / alike.sum(), (~alike).cumsum() / (~alike).sum()
    possible = np.append(ordered[1:] > ordered[:-1], True)  # no threshold parts equal distances
    return float((kept - let_in)[possible].max() + 1) / 2


def _coordinates(model: Model, report: Callable[[int], None]) -> FloatArray:
    """The co-ordinates (shapes, colours, j) of every pentomino, as programs say them."""
    kind = object_set(FITTED_ON)
    coordinates = np.full((kind.n_objects, model.config.relations), np.nan)
    for cell in CELLS:
        missed = np.flatnonzero(np.isnan(coordinates[:, 0]))
        for start in range(0, len(missed), BATCH):
            objects = missed[start : start + BATCH]
            values = [seen.coordinates for seen in seen_objects(model, _alone(kind, objects, cell))]  # each (1 or 0, j)
            new = np.array([len(value) > 0 for value in values])
            coordinates[objects[new]] = np.concatenate(values)
            report(int(new.sum()))
    if missing := int(np.isnan(coordinates[:, 0]).sum()):
        raise BridgeError(
            f"{model.name} does not see {missing} of the {kind.n_objects} pentominoes even when each stands alone, "
            "so what its relations tell cannot be measured: train it longer"
        )
    return coordinates.reshape(kind.n_shapes, kind.n_colours, -1)


def _alone(kind: ObjectSet, objects: NDArray[np.int64], cell: int) -> Scenes:
    """One scene for each of `objects` (N,): it stands in `cell`, and nothing else does."""
    numbers = np.full((len(objects), 9), -1)
    numbers[:, cell] = objects
    answers = np.zeros(len(objects), dtype=np.int64)
    return Scenes(kind.name, "scatter", *kind.split(numbers), labels=answers, task_ids=answers)
