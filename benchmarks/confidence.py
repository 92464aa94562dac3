"""How far the confidences can be trusted: of all that a model says with 0.9, are nine in ten true?

    python benchmarks/confidence.py [--model NAME] [--scenes N]

All pairs of objects seen in scenes of 1 to 9, clean and with every everyday corruption, of objects that nothing was
fitted on; `mixed` is all of these together. Probabilities are those of the exported program: computed here from its
coordinates and its confidence/2, and compared with what SWI-Prolog says on some programs.

ECE is the expected calibration error over 15 bins of equal width, and of equal mass; Brier score and log loss are as
usual. `balanced` is with all alike and all unlike pairs weighing the same; the rest with as many as there are. Nearly
all pairs are plain, and an ECE is small when those are right: so the table also has, of the pairs that are not (0.05 to
0.95), how many there are, their mean probability and the share that is true.
"""

import os
import sys
from dataclasses import dataclass

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

import numpy as np
import numpy.typing as npt

from benchmarks.shared import GAME, INFO, name_of, options, print_head, print_row
from predinet_prolog.bridge import Scene, perceiver_of, write_program
from predinet_prolog.bridge.definitions import Definition, read_grounding
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.terms import DIGITS
from predinet_prolog.domains.domain import Labelled
from predinet_prolog.domains.relations_game import EVERYDAY
from predinet_prolog.neural import Model, load_model
from predinet_prolog.symbolic import Engine

OBJECTS = ("hexos", "stripes")
SETS = (None, *EVERYDAY)
"""What the pictures went through: None for nothing."""
MIXED = "mixed"
SEED = 4_000_039
"""Scenes come from a seed that nothing was trained, grounded or tested with."""
BINS = 15
ASKED = 10
"""Scenes of every set whose programs SWI-Prolog is asked about."""
TARGET = 0.03
DOUBTFUL = 0.05, 0.95

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Said:
    """What is said of P pairs, and whether it is true."""

    probability: FloatArray
    """(P,), 0 to 1."""
    truth: BoolArray
    """(P,)"""


@dataclass(frozen=True)
class Bins:
    """Pairs of like probability, in ascending order."""

    weight: FloatArray
    """(B,): of each bin's pairs, 1 in all."""
    said: FloatArray
    """(B,): their mean probability."""
    true: FloatArray
    """(B,): the share of them that is true."""

    @property
    def error(self) -> float:
        """The expected calibration error."""
        return float((self.weight * np.abs(self.said - self.true)).sum())


Results = dict[tuple[str, str, str], Said]
"""By object set, name of what the pictures went through, and predicate."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--model", default="relations-game", help="a model's name or file (default: relations-game)")
    parser.add_argument("--scenes", type=int, default=1000, help="scenes of every set (default: 1000)")
    given = parser.parse_args()
    model = load_model(given.model)
    definitions = read_definitions(model)
    results = measure(model, definitions, given.scenes)
    predicates = [definition.predicate for definition in definitions]
    worst = report(results, predicates)
    print(f"\nThe largest ECE of all is {worst:.4f}; at most {TARGET} was wanted.")


def read_definitions(model: Model) -> list[Definition]:
    """What the model's programs say the confidences with."""
    grounding = read_grounding(model)
    definitions = list(grounding.trusted) if grounding else []
    if not definitions:
        sys.exit(f"programs of {model.name} say no confidences: ground it with `predinet-prolog ground {model.path}`")
    return definitions


def measure(model: Model, definitions: list[Definition], count: int) -> Results:
    """What programs say of all pairs in `count` scenes of every set, for every one of `definitions`."""
    results: Results = {}
    with Engine() as engine:
        for objects in OBJECTS:
            for change in SETS:
                drawn = GAME.generate("scatter", count, kind=objects, seed=SEED, spoilt=change)
                distances, noise_level, alike = pairs(model, drawn, definitions, engine)
                for definition in definitions:
                    likely = definition.probability(distances, noise_level)
                    results[objects, name_of(change), definition.predicate] = Said(likely, alike[definition.predicate])
            for definition in definitions:
                parts = [results[objects, name_of(change), definition.predicate] for change in SETS]
                results[objects, MIXED, definition.predicate] = Said(
                    np.concatenate([part.probability for part in parts]), np.concatenate([part.truth for part in parts])
                )
    return results


def pairs(
    model: Model, drawn: Labelled, definitions: list[Definition], engine: Engine
) -> tuple[FloatArray, FloatArray, dict[str, np.ndarray]]:
    """All P pairs of objects seen: how far apart they lie on the axes (P, j), their pictures' noise level (P,), and by
    predicate whether they are alike (P,)."""
    truth = drawn.truth
    assert truth is not None  # it is generated
    distances, noise_level, shape, colour = [], [], [], []
    for index, scene in enumerate(perceiver_of(model).perceive(drawn.images)):
        things = truth.rows(index)
        known, thing = np.array(match(scene.boxes, truth.boxes[things]), dtype=np.int64).reshape(-1, 2).T
        coordinates = np.array([symbol.coordinates for symbol in scene.things]).round(DIGITS)
        coordinates = coordinates.reshape(-1, model.config.relations)  # (q, j); there may be no object
        first, second = np.triu_indices(len(known), k=1)
        distances.append(np.abs(coordinates[known[first]] - coordinates[known[second]]))
        noise_level.append(np.full(len(first), round(scene.noise_level, DIGITS)))
        for name, same in (("shape", shape), ("colour", colour)):
            values = truth.attributes[name][things][thing]
            same.append(values[first] == values[second])
        if index < ASKED:
            compare(engine, model, scene, coordinates, definitions)
    same_shape, same_colour = np.concatenate(shape), np.concatenate(colour)
    alike = {"same": same_shape & same_colour, "same_shape": same_shape, "same_colour": same_colour}
    return np.concatenate(distances), np.concatenate(noise_level), alike


def compare(engine: Engine, model: Model, scene: Scene, coordinates: FloatArray, definitions: list[Definition]) -> None:
    """Ends the benchmark if what is computed here is not what SWI-Prolog says of the exported scene."""
    program = write_program(scene, model=model, image=INFO)
    names = {symbol.name: index for index, symbol in enumerate(scene.things)}
    noise_level = round(scene.noise_level, DIGITS)
    for definition in definitions:
        answers = engine.ask(program, f"confidence({definition.predicate}(X, Y), P)").answers
        if len(answers) != len(names) * (len(names) - 1):
            sys.exit(f"SWI-Prolog knows {len(answers)} confidences of {definition.predicate}/2, {len(names)} objects")
        for answer in answers:
            first, second = names[str(answer.bindings["X"])], names[str(answer.bindings["Y"])]
            apart = np.abs(coordinates[None, first] - coordinates[second])
            said, computed = answer.bindings["P"], float(definition.probability(apart, noise_level)[0])
            if not isinstance(said, float) or abs(said - computed) > 1e-9:
                sys.exit(f"SWI-Prolog says {answer.bindings} of {definition.predicate}/2 where {computed} is computed")


# --- What is measured. ---


def bins(said: Said, weight: FloatArray, *, mass: bool) -> Bins:
    """The pairs, which have `weight` (P,), in bins of equal width or, with `mass`, of about equal weight.

    No bin is empty. Pairs of one probability share one.
    """
    values, value = np.unique(said.probability, return_inverse=True)
    if mass:
        of_value = np.bincount(value, weight)
        place = (np.cumsum(of_value) - of_value / 2) / of_value.sum()  # of the value's middle
    else:
        place = values
    key = np.minimum((place * BINS).astype(np.int64), BINS - 1)[value]
    total = np.bincount(key, weight, BINS)
    kept = total > 0
    total = total[kept]
    means = [np.bincount(key, weight * each, BINS)[kept] / total for each in (said.probability, said.truth)]
    return Bins(total / total.sum(), *means)


def weights(said: Said, *, balanced: bool) -> FloatArray:
    """(P,): of each pair, 1 in all."""
    if not balanced:
        return np.full(len(said.truth), 1 / len(said.truth))
    return np.asarray(np.where(said.truth, 0.5 / said.truth.sum(), 0.5 / (~said.truth).sum()))


def scores(said: Said, *, balanced: bool) -> tuple[float, float, float, float]:
    """ECE over bins of equal width and of equal mass, Brier score, log loss in nats."""
    weight = weights(said, balanced=balanced)
    right = np.where(said.truth, said.probability, 1 - said.probability)
    return (
        bins(said, weight, mass=False).error,
        bins(said, weight, mass=True).error,
        float((weight * (1 - right) ** 2).sum()),
        float(-(weight * np.log(right)).sum()),
    )


def report(results: Results, predicates: list[str]) -> float:
    """Prints the table and gives the largest ECE in it."""
    columns = "ECE", "equal mass", "Brier", "log loss"
    balanced_columns = (f"balanced {column}" for column in columns)
    pairs = "predicate", "objects", "pictures", "pairs", "alike"
    print_head(*pairs, *columns, *balanced_columns, "doubtful", "said", "true")
    worst = 0.0
    for predicate in predicates:
        for (objects, change, of), said in results.items():
            if of != predicate:
                continue
            natural = scores(said, balanced=False)
            balanced = scores(said, balanced=True) if 0 < said.truth.mean() < 1 else None
            worst = max(worst, *natural[:2], *(balanced or natural)[:2])
            row = predicate, objects, change, f"{len(said.truth):,}", f"{said.truth.mean():.3f}"
            print_row(*row, *natural, *(balanced or ["–"] * 4), *doubtful(said))
    return worst


def doubtful(said: Said) -> tuple[str, str, str]:
    """Of the pairs that are neither nearly certain nor nearly ruled out: how many, what is said, what is true."""
    chosen = (said.probability > DOUBTFUL[0]) & (said.probability < DOUBTFUL[1])
    if not chosen.any():
        return "0", "–", "–"
    return f"{chosen.sum():,}", f"{said.probability[chosen].mean():.2f}", f"{said.truth[chosen].mean():.2f}"


if __name__ == "__main__":
    main()
