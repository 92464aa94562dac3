"""Definitions of the predicates learned for a model: data beside its checkpoint, from which clauses are written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bridge.clauses import Clause, Comparison, Literal, Section, nothing, rule
from bridge.confidence import Curve
from bridge.errors import BridgeError
from neural.checkpoint import Model

if TYPE_CHECKING:
    from bridge.grounding import Pairs

SUFFIX, FORMER_SUFFIX = ".grounded.json", ".grounded.pl"
TRUSTED = 0.95
"""A predicate that is right in a smaller share of fresh pairs of the kind it was fitted on (balanced) is left out: a
symbol that is often wrong is noise."""


@dataclass(frozen=True)
class Definition:
    """A predicate: X and Y lie at most the threshold apart on the axis of every relation in `relations`."""

    predicate: str
    meaning: str
    """Of X and Y, in one sentence."""
    relations: tuple[int, ...]
    curve: Curve
    """Probability that it is true, from the largest distance on the relations in a clean picture."""
    slack: float
    """What the threshold grows by for each unit of noise_level."""
    scores: Mapping[str, float]
    """Balanced accuracy, 0–1, on fresh clean pairs of every kind of things that has alike and unlike ones."""
    corrupted: Mapping[str, float]
    """The same on corrupted pictures, in equal parts each of the domain's corruptions."""

    def confidence(self, pairs: "Pairs") -> NDArray[np.float64]:
        """How likely it is to be true of each of `pairs`: (P,)."""
        room = 1 + self.slack / self.curve.threshold * pairs.noise_level
        return self.curve(pairs.distances[:, list(self.relations)].max(1) / room)

    def holds(self, pairs: "Pairs") -> NDArray[np.bool_]:
        """Whether it says that it holds of each of `pairs`: (P,)."""
        return self.confidence(pairs) >= 0.5

    @property
    def clause(self) -> Clause:
        """When it holds."""
        return rule(f"{self.predicate} X Y", "", self._threshold, *(f"near r{each} X Y T" for each in self.relations))

    @property
    def confidence_clause(self) -> Clause:
        """How likely it is to be true."""
        relations = ", ".join(f"r{relation}" for relation in self.relations)
        apart = Literal("apart", (f"[{relations}]", "X", "Y", "D"))
        start = rule("confidence", "", self._threshold).body
        probability = Comparison("P", "is", self.curve.expression("D/T"))
        return Clause(Literal("confidence", (self.clause.head, "P")), (*start, (apart,), (probability,)))

    @property
    def _threshold(self) -> str:
        return f"noise_level N; T is {self.curve.threshold} + {self.slack}*N"


@dataclass(frozen=True, eq=False)
class Grounding:
    """Everything learned of a model's relations."""

    sha256: str
    """Of the model's weights."""
    fitted_on: str
    """The kind of things that the definitions were chosen on."""
    augmented: bool
    """Whether on corrupted pictures, too."""
    attributes: tuple[str, ...]
    """What a relation can tell."""
    definitions: tuple[Definition, ...]
    tells: tuple[str, ...] = ()
    """What each relation tells: an attribute, mixed, position or nothing. Empty if that could not be measured."""

    @property
    def trusted(self) -> tuple[Definition, ...]:
        """Those that are good enough to be part of a program."""
        return tuple(each for each in self.definitions if each.scores.get(self.fitted_on, 0.0) >= TRUSTED)

    @cached_property
    def section(self) -> Section:
        """What every program of the model says of it, with the figures as remarks."""
        either = " or ".join(self.attributes[::-1])
        parts: list[tuple[Sequence[str], Sequence[Clause]]] = [
            (self._figures(), [each.clause for each in self.trusted]),
            (("near(R, X, Y, T): X and Y lie within T of each other on relation R's axis.",), _NEAR),
            (
                ("confidence(G, P): P is the probability that G is true; G holds where it is one half or more.",),
                [each.confidence_clause for each in self.trusted] or [nothing("confidence", 2)],
            ),
            (
                ("apart(Rs, X, Y, D): D is the most that two objects differ by on the axes of the relations Rs.",),
                _APART,
            ),
            (
                (
                    f"tells(R, What): objects lie on relation R's axis by What: {either}, if that makes nine tenths of",
                    "the variance at least, else mixed; position or nothing, where all of them lie at one point.",
                ),
                [rule(f"tells r{relation} {what}") for relation, what in enumerate(self.tells)],
            ),
        ]
        section: list[Clause] = []
        remarks: tuple[str, ...] = ()
        for own, clauses in parts:
            remarks = (*remarks, "", *own) if remarks or section else tuple(own)
            if clauses:
                section += [replace(clauses[0], remarks=remarks), *clauses[1:]]
                remarks = ()
        return tuple(section)

    def _figures(self) -> list[str]:
        lines = [
            f"Grounded for the model with sha256 {self.sha256}",
            f"on {self.fitted_on}, {'clean and corrupted' if self.augmented else 'clean'}.",
            "The figures are balanced accuracies on fresh pairs of objects that were seen.",
        ]
        for each in self.definitions:
            lines += ["", f"{each.predicate}(X, Y): {each.meaning}."]
            for pictures, scores in (("clean", each.scores), ("corrupted", each.corrupted)):
                if scores:
                    lines.append(f"{pictures}: " + ", ".join(f"{kind} {score:.4f}" for kind, score in scores.items()))
            if each not in self.trusted:
                lines.append(f"Left out: below {TRUSTED} on {self.fitted_on}, so this model does not tell it.")
        return lines

    def to_json(self) -> str:
        """The text of its file."""
        return json.dumps({"format": 1, **asdict(self)}, indent=1) + "\n"


def grounding_path(model: Model) -> Path:
    """Where a model's definitions are kept: beside its checkpoint, by its name."""
    return model.path.with_suffix(SUFFIX)


def read_grounding(model: Model) -> Grounding | None:
    """The definitions beside the model's checkpoint; None if it was never grounded.

    Raises BridgeError if they are of other weights, no definitions, or of an earlier version.
    """
    path = grounding_path(model)
    try:
        changed = path.stat().st_mtime_ns
    except FileNotFoundError:
        former = model.path.with_suffix(FORMER_SUFFIX)
        if former.exists():
            raise BridgeError(f"{former} is of an earlier version: ground the model again") from None
        return None
    return _read(path, changed, model.sha256, model.config.relations)


@lru_cache(16)  # every program of a model carries the same definitions
def _read(path: Path, changed: int, sha256: str, relations: int) -> Grounding:
    try:
        found = _grounding(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise BridgeError(f"{path} cannot be read: {error}") from error
    if found.sha256 != sha256:
        raise BridgeError(f"{path} was grounded for other weights: ground the model again")
    if any(relation not in range(relations) for each in found.definitions for relation in each.relations):
        raise BridgeError(f"{path} cannot be read: it names relations that the model has not")
    return found


def _grounding(document: Any) -> Grounding:
    """Raises ValueError, KeyError, TypeError or AttributeError for what is none."""
    if document["format"] != 1:
        raise ValueError(f"its format is {document['format']}")
    return Grounding(
        str(document["sha256"]),
        str(document["fitted_on"]),
        bool(document["augmented"]),
        _words(document["attributes"]),
        tuple(
            Definition(
                _words([each["predicate"]])[0],
                str(each["meaning"]),
                tuple(map(int, each["relations"])),
                Curve(*(_positive(each["curve"][name]) for name in ("threshold", "steepness", "doubt"))),
                float(each["slack"]),
                *(
                    {str(kind): float(score) for kind, score in each[field].items()}
                    for field in ("scores", "corrupted")
                ),
            )
            for each in document["definitions"]
        ),
        _words(document["tells"]),
    )


def _words(values: Sequence[str]) -> tuple[str, ...]:
    for value in values:
        if not (value.isidentifier() and value.isascii() and value[0].islower()):
            raise ValueError(f"{value!r} is no name")
    return tuple(values)


def _positive(value: float) -> float:
    if not 0 < float(value) < float("inf"):
        raise ValueError(f"{value} is not positive")
    return float(value)


_NEAR = (rule("near R X Y T", "", "object X; object Y; X \\== Y; coordinate R X A; coordinate R Y B; abs(A - B) =< T"),)
_APART = (
    rule("apart Rs X Y D", "", "object X; object Y; X \\== Y; farthest Rs X Y 0 D"),
    rule("farthest [] _ _ D D"),
    rule(
        "farthest [R|Rs] X Y D0 D",
        "",
        "coordinate R X A; coordinate R Y B; D1 is max(D0, abs(A - B)); farthest Rs X Y D1 D",
    ),
)
