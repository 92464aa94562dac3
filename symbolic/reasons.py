"""Why a goal has an answer, and why it has none, as worker processes write it (why_json.pl)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, cast

T = TypeVar("T", bound="Told")
_FIELDS = {"found": "result"}
"""Of JSON's keys, the fields that are called otherwise."""
_KEYS = {name: key for key, name in _FIELDS.items()}


class Told:
    """A dataclass that is told as JSON."""

    parts: ClassVar[Mapping[str, type[Told]]] = MappingProxyType({})
    """Of fields that hold such dataclasses, one or many, which."""

    @classmethod
    def from_json(cls: type[T], json: Mapping[str, Any]) -> T:
        """What `to_json` gives."""
        values = {_FIELDS.get(key, key): _value(value, cls.parts.get(key)) for key, value in json.items()}
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """The fields, but for those that are empty and need not be given."""
        values = [(field, getattr(self, field.name)) for field in fields(cast(Any, self))]
        kept = ((field.name, value) for field, value in values if field.default is MISSING or value not in (None, ()))
        return {_KEYS.get(name, name): _json(value) for name, value in kept}


@dataclass(frozen=True)
class Step(Told):
    """What proofs and misses have in common.

    goal: its text, with the values that its variables got.
    by: what makes it true: fact, clause, builtin, comparison, conjunction (of a query), negation, forall, findall,
        axes (comparisons on many axes, which goal sums up in words),
        too_deep (true, but the proof is not followed so far down) or cut_off (there was too much to tell). Of a miss
        also no_clause, where neither a fact nor a clause matches, or too_much_to_say.
    source: of a fact or clause, "program" or the name of the rules.
    clause: of a clause, its text on one line, the variables named as there.
    confidence: the probability, 0 to 1, that the program gives the goal, if it says one: a program may define
        `confidence(Goal, P)`. Four decimals. Of a miss, the probability that the goal is true after all.
    left, right: of a comparison, its two values, up to nine digits.
    expression: of a comparison, the goal before both sides were worked out, if that was anything to do.
    tells: of a goal about a relation, such as near(r4, X, Y, T), the relation and what it tells, "r4: shape", if the
        program says it: a program may define `tells(Relation, What)`.
    """

    goal: str
    by: str
    source: str | None = None
    clause: str | None = None
    confidence: float | None = None
    left: float | None = None
    right: float | None = None
    expression: str | None = None
    tells: str | None = None


@dataclass(frozen=True)
class Proof(Step):
    """Why a goal is true: a tree, whose leaves are facts and calls of what is built in.

    because: proofs of the clause's literals; of forall, of each case; of findall, of each solution. Of the cases the
        first 20, then one that is cut_off.
    nearest: of a negation, how near came what it denies; of a findall without solutions, how near came the first.
    """

    because: tuple[Proof, ...] = ()
    nearest: Miss | None = None


@dataclass(frozen=True)
class Miss(Step):
    """Why a goal has no answer: of all the ways that were tried, the one that came furthest, down to what failed.

    miss: of a comparison, how much the values differ.
    result: of a findall, what it would have been; `found` in JSON.
    proved: proofs of the literals of the clause before the one that fails; of a negation, of what it denies.
    because: the miss of the literal that fails, if there is more to say.
    """

    miss: float | None = None
    result: str | None = None
    proved: tuple[Proof, ...] = ()
    because: tuple[Miss, ...] = ()


Proof.parts = MappingProxyType({"because": Proof, "nearest": Miss})
Miss.parts = MappingProxyType({"proved": Proof, "because": Miss})


def _value(json: Any, part: type[Told] | None) -> Any:
    """What a field holds, JSON's arrays being tuples."""
    if isinstance(json, list):
        return tuple(_value(element, part) for element in json)
    return part.from_json(json) if part and json is not None else json


def _json(value: object) -> object:
    match value:
        case Told():
            return value.to_json()
        case tuple():
            return [_json(element) for element in value]
    return value
