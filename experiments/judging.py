"""What a model says of pairs of things, judged by the truth.

Things are matched by their boxes. Every pair of true things is asked about, by the model's named predicates as its
programs say them; a pair with a thing that was not found counts as wrong, for nobody can ask about it.
"""

from collections.abc import Sequence

import numpy as np

from predinet_prolog.bridge.definitions import Definition
from predinet_prolog.bridge.glimpses.sizes import coarse, same_size
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.scene import BoolArray, FloatArray, Scene
from predinet_prolog.bridge.terms import DIGITS
from predinet_prolog.domains.annotations import CATEGORY, LOOK, SIZE
from predinet_prolog.domains.domain import Truth

BINS = 10
"""Of equal width, for the calibration error."""
SAME_SIZE = "same_size"


class Judge:
    """Counts what is right about the pairs of things of many pictures."""

    def __init__(self, truth: Truth, definitions: Sequence[Definition], *, sizes: bool = False) -> None:
        """`definitions` are what programs say of pairs; `sizes`: they say same_size/2, too, by the boxes."""
        tables = alike(truth, slice(0, 0))
        self._truth, self._sizes = truth, sizes and SAME_SIZE in tables
        self._definitions = [one for one in definitions if one.predicate in tables and one.predicate != SAME_SIZE]
        names = [definition.predicate for definition in self._definitions]
        self._told: dict[str, list[BoolArray]] = {name: [] for name in [*names, *([SAME_SIZE] * self._sizes)]}
        """By predicate, for each picture (2, P): whether it holds of the pairs, whether that is said."""
        self._sure: dict[str, list[FloatArray]] = {name: [] for name in names}
        """The same of pairs that were seen, with the probability that is said."""

    def add(self, picture: int, scene: Scene) -> None:
        """Judges what was seen in the picture of that number."""
        rows = self._truth.rows(picture)
        boxes = scene.boxes
        symbol_of = np.full(rows.stop - rows.start, -1)  # by thing
        for symbol, thing in match(boxes, self._truth.boxes[rows]):
            symbol_of[thing] = symbol
        pairs = np.triu_indices(len(symbol_of), k=1)
        first, second = (symbol_of[side] for side in pairs)
        matched = (first >= 0) & (second >= 0)
        said: dict[str, BoolArray] = {}
        sure: dict[str, FloatArray] = {}
        if matched.any():
            coordinates = np.array([thing.coordinates for thing in scene.things]).round(DIGITS)
            apart = np.abs(coordinates[first[matched]] - coordinates[second[matched]])
            small = coarse(boxes)[first[matched], second[matched]]
            sure = {
                definition.predicate: definition.probability(apart, round(scene.noise_level, DIGITS), small)
                for definition in self._definitions
            }
            said = {predicate: chances >= 0.5 for predicate, chances in sure.items()}
            said[SAME_SIZE] = same_size(boxes)[first[matched], second[matched]]
        true = alike(self._truth, rows)
        for predicate, answers in self._told.items():
            holds, judged = (table[pairs] for table in true[predicate])
            answer = ~holds  # wrong where a thing was not found
            if predicate in said:
                answer[matched] = said[predicate]
            answers.append(np.stack([holds, answer])[:, judged])
            if predicate in sure:
                self._sure[predicate].append(np.stack([holds[matched], sure[predicate]])[:, judged[matched]])

    @property
    def pairs(self) -> dict[str, float | None]:
        """By predicate, its balanced accuracy over all true pairs; None where it holds of all of them or of none."""
        return {
            predicate: _balanced(np.concatenate([np.zeros((2, 0), bool), *t], 1)) for predicate, t in self._told.items()
        }

    @property
    def calibration(self) -> dict[str, float | None]:
        """By predicate, its expected calibration error over the pairs that were seen; None where there are none."""
        return {
            predicate: _calibration_error(np.concatenate([np.zeros((2, 0)), *s], 1))
            for predicate, s in self._sure.items()
        }


def alike(truth: Truth, rows: slice) -> dict[str, tuple[BoolArray, BoolArray]]:
    """By predicate, whether it truly holds of the m things of `rows`, (m, m), and whether that is known.

    `same_<attribute>` holds of equal values; `same` of equal looks where that is an attribute, else of things that have
    all attributes but the size in common.
    """
    tables = {}
    for name, values in truth.attributes.items():
        column = values[rows]
        labelled = column >= 0
        tables[name] = column[:, None] == column, labelled[:, None] & labelled
    alike_tables = {f"same_{name}": table for name, table in tables.items()}
    parts = [tables[LOOK]] if LOOK in tables else [table for name, table in tables.items() if name != SIZE]
    if parts and tables.keys() - {SIZE} != {CATEGORY}:  # which says what things are, and not how they look
        differs = np.logical_or.reduce([labelled & ~same for same, labelled in parts])
        judged = np.logical_and.reduce([labelled for _, labelled in parts])
        alike_tables["same"] = judged & ~differs, judged | differs
    return alike_tables


def _balanced(answers: BoolArray) -> float | None:
    """Mean of the shares rightly said of pairs that it holds of and of the others: `answers` (2, P): holds, said."""
    holds, said = answers
    if holds.all() or not holds.any():
        return None
    return float((said[holds].mean() + (~said[~holds]).mean()) / 2)


def _calibration_error(answers: FloatArray) -> float | None:
    """How far the shares of pairs that it holds of are from the chances said, in bins of these; `answers` (2, P)."""
    holds, said = answers
    if not len(said):
        return None
    bins = np.minimum((said * BINS).astype(np.int64), BINS - 1)
    return float(np.abs(np.bincount(bins, holds - said)).sum() / len(said))
