"""Definitions of the predicates learned for a model: data beside its checkpoint, from which clauses are written."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache, reduce
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.clauses import Clause, Literal, Section, clause_of, nothing, section_of
from predinet_prolog.bridge.confidence import Curve
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.terms import number
from predinet_prolog.neural.model import Model
from predinet_prolog.quoting.prolog import constant

SAME = "same"
"""The predicate of things that look the same."""
SUFFIX = ".grounded.json"
TRUSTED = 0.95
"""A predicate that is right in a smaller share of fresh pairs of the kind it was fitted on (balanced) is left out: a
symbol that is often wrong is noise."""


MANY = 1_000
"""Values of an attribute of things that come in kinds, where a file that was written before tells no number."""
COLOUR_LIMIT = 10.0
"""Levels of 255: colours further off in the mean are left out. So far off, one shade in six gets another word."""


@dataclass(frozen=True)
class ColourErrors:
    """How far colour(X, R, G, B) is off: mean absolute error, 0–255, over red, green and blue of the things seen."""

    clean: Mapping[str, float]
    """On fresh clean pictures of every kind of things."""
    corrupted: Mapping[str, float]
    """On corrupted ones, in equal parts each of the domain's corruptions."""


@dataclass(frozen=True)
class Examples:
    """What the values of an attribute look like in the mean: a thing has the value that it is nearest to."""

    attribute: str
    predicate: str
    """Of an object and a value."""
    relations: tuple[int, ...]
    places: Mapping[str, tuple[float, ...]]
    """By value, where its things lie on each of the relations' axes."""
    scores: Mapping[str, float]
    """Mean share of each value's things, 0–1, that are told it, on fresh clean pictures of every kind of things."""

    def tell(self, coordinates: NDArray[np.float64]) -> list[str]:
        """The values of things at `coordinates` (q, j)."""
        apart = coordinates[:, None, list(self.relations)] - np.array(list(self.places.values()))
        values = list(self.places)
        return [values[index] for index in (apart**2).sum(2).argmin(1).tolist()]

    @property
    def clause(self) -> Clause:
        return clause_of(f"{self.predicate}(X, Value) :- by_example({self.attribute}, X, Value)")

    @property
    def facts(self) -> Section:
        facts = []
        for value, places in self.places.items():
            pairs = zip(self.relations, places, strict=True)
            axes = ", ".join(f"at(r{relation}, {number(place)})" for relation, place in pairs)
            facts.append(Clause(Literal("example", (self.attribute, constant(value), f"[{axes}]"))))
        return tuple(facts)


@dataclass(frozen=True)
class Definition:
    """A predicate: X and Y lie at most the threshold apart on each axis of `relations`, and its parts hold of them."""

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
    grain: float = 0.0
    """What the threshold grows by where the smaller of both is one pixel long, half of it where that is two, and so on;
    0 where a model's things are of one size."""
    parts: tuple["Definition", ...] = field(default=(), compare=False)
    """What it implies: it is at most as likely. They are no part of its file: what is trusted decides on them."""

    def probability(
        self,
        distances: NDArray[np.float64],
        noise_level: NDArray[np.float64] | float,
        coarse: NDArray[np.float64] | float = 0.0,
    ) -> NDArray[np.float64]:
        """How likely it is to be true of pairs that lie `distances` (P, j) apart on the relations' axes, in pictures of
        that noise level: (P,). It holds from one half on. `coarse` is a pixel over the size of the smaller of both.
        Either is one number or (P,)."""
        room = 1 + (self.slack * noise_level + self.grain * coarse) / self.curve.threshold
        alone = self.curve(distances[:, list(self.relations)].max(1) / room)
        parts = (part.probability(distances, noise_level, coarse) for part in self.parts)
        return np.asarray(np.minimum.reduce([alone, *parts]))

    @property
    def clause(self) -> Clause:
        near = (f"near(r{axis}, X, Y, T)" for axis in self.relations)
        lines = self.threshold("X, Y"), *near, *(f"{part.predicate}(X, Y)" for part in self.parts)
        return clause_of("\n".join([f"{self.predicate}(X, Y) :-", *lines]))

    @property
    def confidence_clause(self) -> Clause:
        """How likely it is to be true."""
        relations = ", ".join(f"r{relation}" for relation in self.relations)
        likely = [f"P{number}" for number in range(len(self.parts) + 1)] if self.parts else ["P"]
        lines = [
            f"confidence({self.predicate}(X, Y), P) :-",
            self.threshold("X, Y"),
            f"apart([{relations}], X, Y, D)",
            f"{likely[0]} is {self.curve.expression('D/T')}",
            *(f"confidence({part.predicate}(X, Y), {p})" for part, p in zip(self.parts, likely[1:], strict=True)),
            *([f"P is {reduce('min({}, {})'.format, likely)}"] if self.parts else []),
        ]
        return clause_of("\n".join(lines))

    def threshold(self, things: str) -> str:
        """The goals that compute T, the threshold of `things`, one or two."""
        if not self.grain:
            return f"noise_level(N), T is {self.curve.threshold} + {self.slack}*N"
        return f"noise_level(N), coarse({things}, C), T is {self.curve.threshold} + {self.slack}*N + {self.grain}*C"


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
    examples: tuple[Examples, ...] = ()
    """Of attributes whose values have names."""
    trusted_on: str | None = None
    """The kind of things that decides what is trusted, from `least` on; None: the kind it was fitted on."""
    least: float = TRUSTED
    colours: ColourErrors | None = None
    """Of a model whose programs tell colours if it can; None if that was not measured, and always of pictures of any
    size, whose programs tell them anyway."""
    not_looks: tuple[str, ...] = ()
    """Attributes in which things may differ that look the same."""
    kinds: int = 0
    """How many values an attribute has at most, of things that come in kinds: what is alike is judged among all things
    of a picture. 0: they do not."""

    @property
    def tells_colours(self) -> bool:
        """Whether colours are read well enough to be part of a program."""
        return self.colours is not None and self.colours.clean.get(self._judge, np.inf) <= COLOUR_LIMIT

    @property
    def trusted(self) -> tuple[Definition, ...]:
        """Those that are good enough to be part of a program, `same` with all that looks tell as its parts."""
        trusted = [definition for definition in self.definitions if self._trusts(definition)]
        none = {SAME, *(f"same_{attribute}" for attribute in self.not_looks)}
        parts = tuple(definition for definition in trusted if definition.predicate not in none)
        return tuple(replace(one, parts=parts) if one.predicate == SAME else one for one in trusted)

    def judged(self, judge: Callable[[Definition], Definition]) -> "Grounding":
        """The same with the scores that `judge` gives: of all definitions alone, then of `same` with trusted parts."""
        alone = replace(self, definitions=tuple(map(judge, self.definitions)))
        whole = {one.predicate: replace(judge(one), parts=()) for one in alone.trusted if one.parts}
        return replace(alone, definitions=tuple(whole.get(one.predicate, one) for one in alone.definitions))

    @property
    def trusted_examples(self) -> tuple[Examples, ...]:
        """Those that are good enough to be part of a program."""
        return tuple(example for example in self.examples if self._trusts(example))

    def _trusts(self, learned: Definition | Examples) -> bool:
        return learned.scores.get(self._judge, 0.0) >= self.least

    @property
    def _judge(self) -> str:
        return self.trusted_on or self.fitted_on

    @cached_property
    def section(self) -> Section:
        """What every program of the model says of it, with the figures as remarks."""
        either = " or ".join(self.attributes[::-1])
        parts: list[tuple[Iterable[str], Sequence[Clause]]] = [
            (self._figures(), [definition.clause for definition in self.trusted]),
            ((), section_of("near")),
            (
                ("confidence(G, P): P is the probability that G is true; G holds where it is one half or more.",),
                [definition.confidence_clause for definition in self.trusted] or [nothing("confidence", 2)],
            ),
            ((), section_of("apart")),
            (
                (
                    f"tells(R, What): objects lie on relation R's axis by What: {either}, if that makes nine tenths of",
                    "the variance at least, else mixed; position or nothing, where all of them lie at one point.",
                ),
                [clause_of(f"tells(r{relation}, {what})") for relation, what in enumerate(self.tells)],
            ),
        ]
        if self.trusted_examples:
            nearest = (
                "by_example(A, X, Value): of the examples of the attribute A, X is nearest to that of Value,",
                "by the sum of squares over its relations.",
            )
            parts.append((nearest, [*(one.clause for one in self.trusted_examples), *section_of("by_example")]))
            mean = "example(A, Value, Places): where things with that value lie in the mean."
            parts.append(((mean,), [fact for one in self.trusted_examples for fact in one.facts]))
        before: tuple[str, ...] = ()
        section: list[Clause] = []
        for remarks, clauses in parts:
            if clauses:
                head = replace(clauses[0], remarks=(*before, *remarks, *clauses[0].remarks))
                section += [head, *clauses[1:]]
                before = ("",)
            elif not section:
                before = (*remarks, "")
        return tuple(section)

    def _figures(self) -> list[str]:
        lines = [
            f"Grounded for the model with sha256 {self.sha256}",
            f"on {self.fitted_on}, {'clean and corrupted' if self.augmented else 'clean'}.",
            "The figures are balanced accuracies on fresh pairs of objects that were seen.",
        ]
        for definition in self.definitions:
            lines += ["", f"{definition.predicate}(X, Y): {definition.meaning}."]
            lines += self._scores(definition, {"clean": definition.scores, "corrupted": definition.corrupted})
        for values in self.examples:
            lines += ["", f"{values.predicate}(X, Value): the {values.attribute} of X is Value."]
            lines += self._scores(values, {"right": values.scores})
        if self.colours is not None:
            lines += ["", "colour(X, R, G, B): X has this colour; the figures are levels of 255 that it is off by."]
            lines += _figures({"clean": self.colours.clean, "corrupted": self.colours.corrupted}, ".1f")
            if not self.tells_colours:
                lines.append(f"Left out: above {COLOUR_LIMIT:g} on {self._judge}, so this model does not tell it.")
        return lines

    def _scores(self, learned: Definition | Examples, figures: Mapping[str, Mapping[str, float]]) -> list[str]:
        lines = _figures(figures, ".4f")
        if not self._trusts(learned):
            lines.append(f"Left out: below {self.least} on {self._judge}, so this model does not tell it.")
        return lines

    def to_json(self) -> str:
        document = asdict(self, dict_factory=lambda fields: {name: value for name, value in fields if name != "parts"})
        return json.dumps({"format": 1, **document}, indent=1) + "\n"


def _figures(figures: Mapping[str, Mapping[str, float]], form: str) -> list[str]:
    return [
        f"{name}: " + ", ".join(f"{kind} {score:{form}}" for kind, score in scores.items())
        for name, scores in figures.items()
        if scores
    ]


def grounding_path(model: Model) -> Path:
    """Where a model's definitions are kept: beside its checkpoint, by its name."""
    return model.path.with_suffix(SUFFIX)


def read_grounding(model: Model) -> Grounding | None:
    """The definitions beside the model's checkpoint; None if it was never grounded.

    Raises BridgeError if they are of other weights, or no definitions.
    """
    if not model.relations:
        return None
    path = grounding_path(model)
    try:
        changed = path.stat().st_mtime_ns
    except FileNotFoundError:
        return None
    return _read(path, changed, model.sha256, model.relations)


@lru_cache(16)  # every program of a model carries the same definitions
def _read(path: Path, changed: int, sha256: str, relations: int) -> Grounding:
    try:
        grounding = _grounding(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise BridgeError(f"{path} cannot be read: {error}") from error
    if grounding.sha256 != sha256:
        raise BridgeError(f"{path} was grounded for other weights: ground the model again")
    named = [*(one.relations for one in grounding.definitions), *(one.relations for one in grounding.examples)]
    if any(relation not in range(relations) for axes in named for relation in axes):
        raise BridgeError(f"{path} cannot be read: it names relations that the model has not")
    return grounding


def _grounding(document: Any) -> Grounding:
    """Raises ValueError, KeyError, TypeError or AttributeError for what is none."""
    if document["format"] != 1:
        raise ValueError(f"its format is {document['format']}")
    colours = document.get("colours")
    return Grounding(
        str(document["sha256"]),
        str(document["fitted_on"]),
        bool(document["augmented"]),
        _words(document["attributes"]),
        tuple(
            Definition(
                _words([entry["predicate"]])[0],
                str(entry["meaning"]),
                tuple(map(int, entry["relations"])),
                _curve(entry["curve"]),
                float(entry["slack"]),
                _by_kind(entry["scores"]),
                _by_kind(entry["corrupted"]),
                float(entry.get("grain", 0.0)),
            )
            for entry in document["definitions"]
        ),
        _words(document["tells"]),
        tuple(_examples(entry) for entry in document.get("examples", ())),
        None if document.get("trusted_on") is None else str(document["trusted_on"]),
        float(document.get("least", TRUSTED)),
        ColourErrors(*(_by_kind(colours[field]) for field in ("clean", "corrupted"))) if colours else None,
        _words(document.get("not_looks", ())),
        MANY if (kinds := document.get("kinds", 0)) is True else int(kinds),
    )


def _by_kind(document: Any) -> dict[str, float]:
    return {str(kind): float(figure) for kind, figure in document.items()}


def _curve(document: Any) -> Curve:
    threshold, steepness, doubt = (_positive(document[name]) for name in ("threshold", "steepness", "doubt"))
    beyond = document.get("beyond")
    return Curve(threshold, steepness, doubt, (_positive(beyond[0]), _positive(beyond[1])) if beyond else None)


def _examples(document: Any) -> Examples:
    attribute, predicate = _words([document["attribute"], document["predicate"]])
    relations = tuple(map(int, document["relations"]))
    places = {str(value): tuple(map(float, place)) for value, place in document["places"].items()}
    "".join(places).encode()  # a lone surrogate cannot be written
    if any(len(place) != len(relations) or not all(map(math.isfinite, place)) for place in places.values()):
        raise ValueError("an example does not lie on each of its relations")
    return Examples(attribute, predicate, relations, places, _by_kind(document["scores"]))


def _words(values: Sequence[str]) -> tuple[str, ...]:
    for value in values:
        if not (value.isidentifier() and value.isascii() and value[0].islower()):
            raise ValueError(f"{value!r} is no name")
    return tuple(values)


def _positive(value: float) -> float:
    if not 0 < float(value) < float("inf"):
        raise ValueError(f"{value} is not positive")
    return float(value)
