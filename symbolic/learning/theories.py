"""Theories: ordered clauses that say what a picture is called, or of which objects a word is true."""

import itertools
import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from predinet_prolog.quoting.prolog import atom, constant
from predinet_prolog.symbolic.learning.literals import Feature
from predinet_prolog.symbolic.learning.situations import Predicate, Situation
from predinet_prolog.symbolic.learning.tables import Place

TRUE, FALSE = "true", "false"
"""The labels of objects and pairs."""
_VARIABLE = re.compile(r"\x01(\d+)\x01")  # stands for a variable until it is known which ones come once only


@dataclass(frozen=True)
class Clause:
    """If all its features hold of a picture of which no earlier clause speaks, the picture has the label."""

    label: str
    features: tuple[Feature, ...]
    task: str | None = None
    """What must be asked about the picture."""

    @property
    def cost(self) -> int:
        """Its literals and negations, that about the task included."""
        return sum(feature.cost for feature in self.features) + (self.task is not None)

    def holds(self, situation: Situation, head: Sequence[int] = ()) -> bool:
        """Whether its body is true; head: the numbers of the objects of the head."""
        return self.task in (None, situation.task) and all(feature.holds(situation, head) for feature in self.features)


@dataclass(frozen=True)
class Theory:
    """An ordered list of clauses."""

    clauses: tuple[Clause, ...]
    default: str
    """The label of what no clause speaks of."""
    errors: int
    """Labels it was learned from that it gets wrong."""
    name: str = "label"
    """Of the predicate that it defines."""
    arity: int = 0
    """How many objects that speaks of; 0 for label/1, which speaks of the picture."""

    @property
    def cost(self) -> int:
        """Literals and negations."""
        return sum(clause.cost for clause in self.clauses)

    @property
    def counts(self) -> bool:
        """Whether it says of anything how many there are."""
        return any(feature.count for clause in self.clauses for feature in clause.features)

    def predict(self, situations: Sequence[Situation]) -> list[str]:
        return [self.judge(situation) for situation in situations]

    def right(self, places: Sequence[Place], labels: Sequence[str]) -> int:
        return sum(
            self.judge(place.situation, place.head) == label for place, label in zip(places, labels, strict=True)
        )

    def judge(self, situation: Situation, head: Sequence[int] = ()) -> str:
        """The label of a picture; in a theory about objects, whether the word is "true" of those with these numbers."""
        return next((clause.label for clause in self.clauses if clause.holds(situation, head)), self.default)

    def write(self) -> str:
        """Plain Prolog clauses that define its predicate and what that needs. `label(L)` has exactly one answer."""
        features = [feature for clause in self.clauses for feature in clause.features]
        used = {literal.predicate: None for feature in features for literal in feature.literals if literal.by_name}
        return "".join(f"{line}\n" for line in [*self.lines(), *map(_negation, used)])

    def lines(self) -> list[str]:
        if self.arity:
            head = f"{self.name}({', '.join(map(_token, range(self.arity)))})"
            lines = [_written(head, list(_goals(clause, self.arity))) for clause in self.clauses]
            return lines or [f"{self.name}({', '.join('_' * self.arity)}) :- fail."]
        cases = [_written(f"case({constant(clause.label)})", list(_goals(clause, 0))) for clause in self.clauses]
        return [f"{self.name}(Label) :- once(case(First)), Label = First.", *cases, f"case({constant(self.default)})."]


def _written(head: str, goals: Sequence[str]) -> str:
    text = f"{head} :- {', '.join(goals)}." if goals else f"{head}."
    uses = _VARIABLE.findall(text)
    letters = (f"{letter}{i or ''}" for i in itertools.count() for letter in string.ascii_uppercase)
    names = {variable: next(letters) for variable in dict.fromkeys(uses) if uses.count(variable) > 1}
    return _VARIABLE.sub(lambda match: names.get(match[1], "_"), text)


def _goals(clause: Clause, arity: int) -> Iterator[str]:
    if clause.task is not None:
        yield f"task({constant(clause.task)})"
    # What finds objects stands before what only tests them, and after the first of it the head's objects are known.
    features = sorted(clause.features, key=lambda feature: bool(feature.denied or feature.count))
    finding = [feature for feature in features[:1] if not (feature.denied or feature.count)]
    binding = [literal for feature in finding for literal in feature.literals if literal.binds]
    yield from (f"object({_token(i)})" for i in range(arity) if not any(i in literal.objects for literal in binding))
    bound_pair = any({0, 1} <= set(literal.objects) for literal in binding)
    apart = [f"{_token(0)} \\== {_token(1)}"] if arity == 2 and not bound_pair else []
    first = arity
    for feature in features:
        if apart and feature not in finding:
            yield apart.pop()
        goals = list(_conjunction(feature, first, set(range(arity))))
        if feature.count:
            goals = [_counted(goals, feature, range(first, first + feature.variables - arity))]
        if feature.denied:
            goals = [f"\\+ {_joined(goals)}"]
        yield from goals
        first += feature.variables - arity + 1
    yield from apart


def _counted(goals: Sequence[str], feature: Feature, variables: Sequence[int]) -> str:
    """That there are exactly or at least so many sets of objects, these variables', of which the goals are true."""
    chosen = _token(variables[0])
    pairs = all(
        set(literal.objects) == {0, 1} and literal.predicate.symmetric == (0, 1) for literal in feature.literals
    )
    if len(variables) == 2 and pairs:
        chosen = "-".join(map(_token, variables))  # two that may change places are told once
        goals = [*goals, " @< ".join(map(_token, variables))]
    elif len(variables) > 1:
        chosen = _token(10**6 + variables[0])  # a variable of its own
        goals = [*goals, f"sort([{', '.join(map(_token, variables))}], {chosen})"]
    return f"aggregate_all(set({chosen}), {_joined(goals)}, [{', '.join('_' * feature.count)}{'|_' * feature.more}])"


def _conjunction(feature: Feature, first: int, bound: set[int]) -> Iterator[str]:
    """Its goals, where variables of the head are bound; further ones are numbered from `first`."""
    names = [_token(i if i < feature.fixed else first + i - feature.fixed) for i in range(feature.variables)]
    binding = [literal for literal in feature.literals if literal.binds]
    yield from (literal.write(names) for literal in binding)
    bound_names = bound.union(*(literal.objects for literal in binding))
    pairs = {pair for literal in binding for pair in itertools.combinations(sorted(literal.objects), 2)}
    yield from (f"object({names[i]})" for i in range(feature.fixed, feature.variables) if i not in bound_names)
    for a, b in itertools.combinations(range(feature.variables), 2):
        if b >= feature.fixed and (a, b) not in pairs:
            yield f"{names[a]} \\== {names[b]}"
    yield from (literal.write(names) for literal in feature.literals if not literal.binds)


def _joined(goals: Sequence[str]) -> str:
    return goals[0] if len(goals) == 1 and not goals[0].startswith("\\+") else f"( {', '.join(goals)} )"


def _negation(predicate: Predicate) -> str:
    """The clause that defines the name of a predicate's negation."""
    names = [_token(i) for i in range(predicate.arity)]
    objects = [f"object({name})" for name in names]
    different = [f"{a} \\== {b}" for a, b in itertools.combinations(names, 2)]
    denied = f"\\+ {predicate.name}({', '.join([*names, *map(atom, predicate.values)])})"
    return _written(f"{predicate.negation}({', '.join(names)})", [*objects, *different, denied])


def _token(variable: int) -> str:
    return f"\x01{variable}\x01"


def differing(theories: Iterable[Theory]) -> list[Theory]:
    """The theories without those that differ only in the order of clauses of one label, or of features."""
    kept: dict[object, Theory] = {}
    for theory in theories:
        runs = itertools.groupby(theory.clauses, key=lambda clause: clause.label)
        key = tuple(
            (label, frozenset((clause.task, frozenset(clause.features)) for clause in run)) for label, run in runs
        )
        kept.setdefault((key, theory.default), theory)
    return list(kept.values())
