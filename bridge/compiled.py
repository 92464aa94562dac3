"""Clauses made ready to be resolved: their texts read as terms, names as numbers, and arithmetic as Python has it."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.clauses import Clause, Comparison, Goal, Literal
from predinet_prolog.quoting.prolog import unquoted

NAME = 2.0**60
"""Names are numbers, multiples of this, which no program's own numbers reach: so every table is one of numbers."""


class Variable(NamedTuple):
    """A variable of a clause; `_` is bound to nothing."""

    name: str


Term = float | Variable | tuple["str | Term", ...]
"""A number, a name by its number, a variable, or a compound term: its functor and its arguments."""


class Names:
    """Names and their numbers, in the order in which they were first met."""

    def __init__(self, names: "Names | None" = None) -> None:
        self._numbers: dict[str, float] = {} if names is None else dict(names._numbers)
        self._names: list[str] = [*self._numbers]

    def number(self, name: str) -> float:
        if name not in self._numbers:
            self._names.append(name)
            self._numbers[name] = NAME * len(self._names)
        return self._numbers[name]

    def numbers(self, column: Sequence[str | int | float]) -> NDArray[np.float64]:
        """A column (n,) of names, or of numbers as they are."""
        if any(isinstance(value, str) for value in column):  # of a mixture, a number stands for its text
            return np.array([self.number(str(value)) for value in column])
        return np.array(column, np.float64)

    def told(self, numbers: NDArray[np.float64]) -> list[str]:
        """The names that these numbers stand for; what stands for itself as Prolog writes it."""
        return [self._names[int(value / NAME) - 1] if value >= NAME else f"{value:.0f}" for value in numbers.tolist()]

    def values(self, numbers: NDArray[np.float64]) -> list[str | float]:
        """The names that these numbers stand for, and what stands for itself."""
        return [self._names[int(value / NAME) - 1] if value >= NAME else value for value in numbers.tolist()]


@dataclass(frozen=True)
class Call:
    """A predicate of arguments."""

    name: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True)
class Not:
    """Negation: nothing makes the call true."""

    call: Call


@dataclass(frozen=True)
class Least:
    """findall(Key-Value, Call, List), keysort(List, [Pattern|_]): the first solution of the least key."""

    template: tuple[Term, ...]
    call: Call
    pattern: tuple[Term, ...]


@dataclass(frozen=True)
class Compare:
    """Left and right, compared; `is` binds the left."""

    left: ast.expr
    operator: str
    right: ast.expr


Step = Call | Not | Least | Compare


class Clauses:
    """Clauses made ready once, for the facts of many images."""

    def __init__(self, clauses: Iterable[Clause]) -> None:
        clauses = list(clauses)
        self.names = Names()
        for name in chain.from_iterable(map(_names_in, clauses)):
            self.names.number(name)
        self._of: dict[tuple[str, int], list[Compiled]] = {}
        for clause in clauses:
            key = clause.head.name, len(clause.head.arguments)
            self._of.setdefault(key, []).append(Compiled(clause, self.names))

    def of(self, name: str, arity: int) -> "Sequence[Compiled]":
        return self._of.get((name, arity), ())


class Compiled:
    """A clause, its texts read as terms once it is needed."""

    def __init__(self, clause: Clause, names: Names) -> None:
        self._clause = clause
        self._names = names

    @cached_property
    def head(self) -> tuple[Term, ...]:
        """The arguments of what it defines."""
        return self._arguments(self._clause.head)

    @cached_property
    def body(self) -> tuple[Step, ...]:
        """What has to hold, one after the other."""
        goals = [goal for line in self._clause.body for goal in line]
        return tuple(
            self._step(goal, goals[place + 1 :])
            for place, goal in enumerate(goals)
            if not (isinstance(goal, Literal) and goal.name == "keysort")  # is told with the findall before it
        )

    def _step(self, goal: Goal, after: Sequence[Goal]) -> Step:
        if isinstance(goal, Comparison):
            # What programs compare reads the same in Python.
            left, right = (ast.parse(side, mode="eval").body for side in (goal.left, goal.right))
            return Compare(left, goal.operator, right)
        if goal.name == "\\+":
            return Not(self._call(goal.arguments[0]))
        if goal.name == "findall":
            template, call, result = goal.arguments
            sort = after[0]
            assert isinstance(sort, Literal)
            assert (sort.name, sort.arguments[0]) == ("keysort", result), "only the least of all solutions is found"
            (_, first, _), columns = self._term(sort.arguments[1]), self._term(template)  # type: ignore[misc]
            return Least(columns[1:], self._call(call), first[1:])  # type: ignore[index, arg-type]
        return self._call(goal)

    def _call(self, goal: "str | Literal") -> Call:
        assert isinstance(goal, Literal)
        return Call(goal.name, self._arguments(goal))

    def _arguments(self, literal: Literal) -> tuple[Term, ...]:
        return tuple(map(self._term, literal.arguments))

    def _term(self, argument: "str | Literal") -> Term:
        if isinstance(argument, Literal):
            return (argument.name, *self._arguments(argument))
        numbered = _ATOM.sub(lambda name: repr(self._names.number(unquoted(name[0]))), argument)
        return self._read(ast.parse(numbered, mode="eval").body)

    def _read(self, tree: ast.expr) -> Term:
        """A number, a variable, a compound term, a pair A-B or a list, all of which reads in Python as in Prolog."""
        match tree:
            case ast.Constant(float() | int() as number):
                return float(number)
            case ast.UnaryOp(ast.USub(), ast.Constant(float() | int() as number)):
                return -float(number)
            case ast.Name(name):
                return Variable(name)
            case ast.Call(ast.Name(name), arguments):
                return (name, *map(self._read, arguments))
            case ast.BinOp(left, ast.Sub(), right):
                return ("-", self._read(left), self._read(right))
            case ast.List([*items, ast.BinOp(last, ast.BitOr(), rest)]):
                return self._list([*items, last], self._read(rest))
            case ast.List(items):
                return self._list(items, self._names.number("[]"))
        raise AssertionError(f"no term of programs: {ast.unparse(tree)}")

    def _list(self, items: Sequence[ast.expr], rest: Term) -> Term:
        for item in reversed(items):
            rest = ("[|]", self._read(item), rest)
        return rest


_ATOM = re.compile(r"'(?:[^'\\]|\\.)*'|\b[a-z]\w*\b(?!\()", re.DOTALL)
"""A name that has no arguments."""


def _names_in(clause: Clause) -> Iterator[str]:
    goals: list[str | Literal] = [clause.head]
    goals += [goal for line in clause.body for goal in line if isinstance(goal, Literal)]
    while goals:
        goal = goals.pop()
        if isinstance(goal, Literal):
            goals += goal.arguments
        else:
            yield from map(unquoted, _ATOM.findall(goal))
