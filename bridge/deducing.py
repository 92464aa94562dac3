"""What follows from a program's facts by its clauses, for writers of logics that cannot work it out themselves.

Clauses are asked as Prolog asks them, top down, the first goal first. Those that a program ends with need no more than
this: no lists, and terms that are names and numbers alone.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType

from bridge.clauses import Clause, Comparison, Goal, Literal

Value = str | float
Bindings = Mapping[str, Value]

_OPERATORS = {"\\==": "!=", "=<": "<=", "is": "=="}
_FUNCTIONS = {"abs": abs, "max": max, "min": min, "sqrt": math.sqrt, "__builtins__": {}}


class Deduction:
    """Facts, rows of arguments by predicate, and clauses over them. A predicate is named as in `object/1`."""

    def __init__(self, facts: Mapping[str, Sequence[tuple[Value, ...]]], clauses: Sequence[Clause]) -> None:
        self._rows: dict[str, Sequence[tuple[Value, ...]]] = dict(facts)
        self._by_first: dict[str, dict[Value, list[tuple[Value, ...]]]] = {}
        for predicate, rows in facts.items():
            for row in rows:
                self._by_first.setdefault(predicate, {}).setdefault(row[0], []).append(row)
        self._clauses: dict[str, list[Clause]] = {}
        for clause in clauses:
            self._clauses.setdefault(clause.head.indicator, []).append(clause)
        self._code: dict[str, CodeType] = {}

    def answers(self, goal: Literal) -> Iterator[tuple[Value, ...]]:
        """The arguments for which the goal holds, in Prolog's order; once for each proof."""
        return self._call(goal, {})

    def _call(self, goal: Literal, known: Bindings) -> Iterator[tuple[Value, ...]]:
        given = [_value(argument, known) for argument in goal.arguments]
        yield from (row for row in self._facts(goal.indicator, given) if _fits(row, given))
        for clause in self._clauses.get(goal.indicator, ()):
            parameters = clause.head.arguments
            own: dict[str, Value] = {}
            if not all(_unify(parameter, value, own) for parameter, value in zip(parameters, given, strict=True)):
                continue
            for bindings in self._prove([each for line in clause.body for each in line], own):
                row = tuple(_value(parameter, bindings) for parameter in parameters)
                yield tuple(each for each in row if each is not None)

    def _facts(self, predicate: str, given: list[Value | None]) -> Sequence[tuple[Value, ...]]:
        if given and given[0] is not None:
            return self._by_first.get(predicate, {}).get(given[0], ())
        return self._rows.get(predicate, ())

    def _prove(self, goals: list[Goal], known: dict[str, Value]) -> Iterator[dict[str, Value]]:
        if not goals:
            yield known
            return
        goal, *rest = goals
        if isinstance(goal, Comparison):
            after = self._compare(goal, known)
            if after is not None:
                yield from self._prove(rest, after)
        elif goal.name == "\\+":
            (denied,) = goal.arguments
            assert isinstance(denied, Literal)
            if next(self._call(denied, known), None) is None:
                yield from self._prove(rest, known)
        else:
            for row in self._call(goal, known):
                found = {str(text): value for text, value in zip(goal.arguments, row, strict=True) if _named(text)}
                yield from self._prove(rest, known | found)

    def _compare(self, goal: Comparison, known: dict[str, Value]) -> dict[str, Value] | None:
        """What is known if it holds; None if it does not."""
        if goal.operator == "is" and goal.left not in known:
            return {**known, goal.left: self._evaluate(goal.right, known)}
        operator = _OPERATORS.get(goal.operator, goal.operator)
        return known if self._evaluate(f"({goal.left}) {operator} ({goal.right})", known) else None

    def _evaluate(self, text: str, known: dict[str, Value]) -> Value:
        """The arithmetic of the project's own clauses is Python's as well."""
        if text not in self._code:
            self._code[text] = compile(text, "<clause>", "eval")
        value: Value = eval(self._code[text], _FUNCTIONS, known)
        return value


def _named(text: object) -> bool:
    """Whether it is a variable that stands for the same everywhere in its clause."""
    return isinstance(text, str) and text[0].isupper()


def _value(text: object, known: Bindings) -> Value | None:
    """What an argument is; None if that is open."""
    assert isinstance(text, str)
    if text[0].isupper() or text[0] == "_":
        return known.get(text)
    return float(text) if text[0] in "-0123456789" else text


def _fits(row: tuple[Value, ...], given: list[Value | None]) -> bool:
    return all(told is None or told == own for own, told in zip(row, given, strict=True))


def _unify(parameter: object, value: Value | None, own: dict[str, Value]) -> bool:
    """Whether a clause's parameter can be `value`, if that is not open; then `own` has it."""
    if value is None:
        return True
    if _named(parameter):
        return own.setdefault(str(parameter), value) == value
    return parameter == "_" or _value(parameter, {}) == value
