"""What holds of the objects of programs: Prolog is asked once for each picture.

Which predicates are asked of comes as data, Signatures: this module knows no vocabulary. What was found becomes
Situations once all programs were asked, for a predicate with a word, colour(X, red), is one for every word found.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from predinet_prolog.symbolic.answers import Answers
from predinet_prolog.symbolic.learning.situations import LearningError, Predicate, Situation
from predinet_prolog.symbolic.limits import GOAL_CHARACTERS
from predinet_prolog.symbolic.rules import exports

Ask = Callable[[str, str], Answers]
"""Engine.ask, or what asks it with rules: the answers of a goal in a program."""
BASE_CHARACTERS = 2**20
"""Of a knowledge base, its facts of some pictures and its rules are loaded together: so much text at most, in about
half a second, unless one picture alone has more."""
_OBJECTS = ("_X", "_Y", "_Z")
_QUOTED = re.compile(r"'(?:[^'\\\n]|''|\\.)*'")
_HEAD = re.compile(r"^([a-z]\w*)\(([^()\[\]]*)\)", re.MULTILINE)
_FACT = re.compile(rf"^([a-z]\w*)\(({_QUOTED.pattern}), ?.*\)\.$")


@dataclass(frozen=True)
class Signature:
    """A predicate that programs define, and how its solutions are asked for."""

    name: str
    arity: int
    """How many objects it speaks of, 1 to 3."""
    symmetric: tuple[int, ...] = ()
    """Places of those that may change places."""
    valued: int = 0
    """How many words follow the objects."""
    negation: str | None = None
    """The name under which its negation may stand."""
    checks: bool = False
    """Whether it is asked of one object after the other: nobody knows whether it can name them, nor whether its
    arguments are objects at all."""

    @property
    def indicator(self) -> str:
        """Name and arity, as in `same/2`."""
        return f"{self.name}/{self.arity + self.valued}"


@dataclass(frozen=True, eq=False)
class Observation:
    """What was found in one picture: of each predicate the objects it holds of, and the words behind them if valued."""

    name: str
    objects: tuple[str, ...]
    rows: Mapping[Signature, Collection[tuple[str, ...]]]


def observe(ask: Ask, programs: Iterable[tuple[str, str]], signatures: Sequence[Signature]) -> Iterator[Observation]:
    """What holds in each of the programs, which are told by name and text. Raises a SymbolicError:
    UnknownPredicateError where a program lacks one of the predicates."""
    goals = _goals(signatures)
    for name, text in programs:
        yield _observation(name, [ask(text, goal) for goal in goals], signatures)


def observe_base(ask: Ask, base: str, signatures: Sequence[Signature]) -> Iterator[Observation]:
    """What holds in each picture of a knowledge base, the picture being the first argument of its predicates.

    Facts stand on a line each. `signatures` leave the picture out. Raises as `observe`.
    """
    goals = _goals(signatures, "Image")
    for pictures, text in _parts(base):
        for picture in pictures:
            answers = [ask(text, f"Image = {picture}, {goal}") for goal in goals]
            yield _observation(str(answers[0].answers[0].bindings["Image"]), answers, signatures)


def defined(text: str) -> set[str]:
    """`name/arity` of what a program's or rule file's text defines; of one with a module header, what it exports.

    Heads with lists or compound terms are passed over: no objects stand in them.
    """
    if exported := exports(text):
        return set(exported)
    return {f"{name}/{arguments.count(',') + 1}" for name, arguments in _HEAD.findall(_QUOTED.sub("q", text))}


def of_rules(text: str) -> tuple[Signature, ...]:
    """What a user's rules may say of objects, or of an object and a word; what they do is seen when they are asked."""
    signatures = []
    for indicator in sorted(defined(text)):
        name, arity = indicator.split("/")
        if int(arity) <= len(_OBJECTS):
            signatures.append(Signature(name, int(arity), checks=True))
        if int(arity) == 2:
            signatures.append(Signature(name, 1, valued=1, checks=True))
    return tuple(signatures)


def predicates_of(signatures: Sequence[Signature], observations: Iterable[Observation]) -> tuple[Predicate, ...]:
    """The predicates in the order of the signatures, words in that of the alphabet. Of rules, only those that hold of
    anything at all."""
    words: dict[Signature, set[tuple[str, ...]]] = {}
    for observation in observations:
        for signature, rows in observation.rows.items():
            if rows and (signature.valued or signature.checks):
                words.setdefault(signature, set()).update(row[signature.arity :] for row in rows)
    predicates = []
    for signature in signatures:
        make = partial(Predicate, signature.name, signature.arity, signature.symmetric, negation=signature.negation)
        if signature.valued:
            predicates += [make(values=values) for values in sorted(words.get(signature, ()))]
        elif not signature.checks or signature in words:
            predicates.append(make())
    return tuple(predicates)


def situation(observation: Observation, predicates: Sequence[Predicate], task: str | None = None) -> Situation:
    """What was found as tables, one of each predicate; those that were not asked of hold of nothing.

    Raises LearningError for one that holds of an object and itself: variables of a rule are different objects.
    """
    place = {name: number for number, name in enumerate(observation.objects)}
    tables = {predicate: np.zeros((len(place),) * predicate.arity, dtype=np.bool_) for predicate in predicates}
    for signature, rows in observation.rows.items():
        for row in rows:
            objects, values = row[: signature.arity], row[signature.arity :]
            key = Predicate(signature.name, signature.arity, signature.symmetric, values, signature.negation)
            if key not in tables or not place.keys() >= set(objects):
                continue
            if len(set(objects)) < len(objects):
                what = f"{signature.name} is true of {objects[0]} and itself in {observation.name}"
                raise LearningError(f"{what}: a relation is between different objects, so add X \\== Y")
            tables[key][tuple(place[name] for name in objects)] = True
    return Situation(observation.name, observation.objects, tables, task)


def _goals(signatures: Sequence[Signature], image: str | None = None) -> list[str]:
    """Goals, one where that is not too long, that find everything: the objects as Objects, the solutions of the Ith
    signature as FI. `image` is the variable of the picture, where that is an argument."""
    first = [] if image is None else [image]

    def call(name: str, *arguments: str) -> str:
        return f"{name}({', '.join([*first, *arguments])})"

    goals = [f"findall(_X, {call('object', '_X')}, Objects)"]
    for number, signature in enumerate(signatures):
        objects = _OBJECTS[: signature.arity]
        words = [f"_Word{place}" for place in range(signature.valued)]
        arguments = [*objects, *words]
        parts = [call("object", variable) for variable in objects] if signature.checks else []
        parts.append(call(signature.name, *arguments))
        parts += [part for word in words for part in (f"atom({word})", rf"\+ {call('object', word)}")]
        goal = f"findall([{', '.join(arguments)}], ({', '.join(parts)}), F{number})"
        if len(goals[-1]) + len(goal) < GOAL_CHARACTERS // 2:  # a picture's name stands before it
            goals[-1] += f", {goal}"
        else:
            goals.append(goal)
    return goals


def _observation(name: str, answers: Sequence[Answers], signatures: Sequence[Signature]) -> Observation:
    bindings: dict[str, Any] = {name: value for answer in answers for name, value in answer.answers[0].bindings.items()}
    rows_of = {
        signature: {(*map(str, row),) for row in bindings[f"F{number}"]} for number, signature in enumerate(signatures)
    }
    return Observation(name, tuple(map(str, bindings["Objects"])), rows_of)


def _parts(base: str) -> Iterator[tuple[list[str], str]]:
    """The base in parts, some pictures, as Prolog writes their names, with their facts and all the rules each."""
    rules: list[str] = []
    facts: dict[str, list[str]] = {}
    one_of: dict[str, str] = {}
    for line in base.splitlines():
        if fact := _FACT.match(line):
            facts.setdefault(fact[2], []).append(line)
            one_of.setdefault(fact[1], line)
        else:
            rules.append(line)
    for name, arity in (indicator.split("/") for indicator in sorted(defined("\n".join(one_of.values())))):
        rules.append(f"{name}({', '.join('_' * int(arity))}) :- fail.")  # a part may have no fact of it
    parts: list[list[str]] = []
    size = 0
    for picture, lines in facts.items():
        size += sum(map(len, lines))
        if not parts or size > BASE_CHARACTERS:
            parts, size = [*parts, []], sum(map(len, lines))
        parts[-1].append(picture)
    for pictures in parts:
        yield pictures, "\n".join([*rules, *(line for picture in pictures for line in facts[picture])])
