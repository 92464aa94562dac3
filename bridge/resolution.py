"""What follows from facts by clauses, for many images at once: resolution as Prolog does it, with tables of bindings.

To load and ask a program takes SWI-Prolog longer than it takes a model to see a small picture. Here a goal is solved at
once for all ways in which its variables are bound, a row each; a fact is found by a join. So the clauses stay what
defines a predicate, and no second definition of it is needed. It knows what clauses of programs are made of (terms,
arithmetic, negation, the least of all solutions), and not Prolog's cut, effects or variables that stay unbound.
"""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge.compiled import Call, Clauses, Compare, Compiled, Least, Names, Not, Step, Term, Variable

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.intp]
MOST_ROWS = 2**16
"""Larger tables are solved in parts: the memory stays bounded however many things a picture has."""


Value = float | FloatArray | tuple["str | Value | None", ...]
"""What a variable is bound to: the same in all rows, or one in each (n,)."""


class Facts:
    """The facts of a predicate, argument by argument, found by any of their arguments."""

    def __init__(self, columns: Sequence[FloatArray]) -> None:
        self.columns = columns
        self._indexes: dict[tuple[int, ...], tuple[list[FloatArray], IndexArray, IndexArray]] = {}

    def join(self, given: Mapping[int, FloatArray], rows: int) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Which of so many rows go with which facts: those that have the `given` arguments (rows,), by their places.
        They are told in parts of about MOST_ROWS."""
        distinct, order, keys = self._index(tuple(given))
        wanted, there = np.zeros(rows, np.intp), np.ones(rows, np.bool_)
        for values, values_known in zip(given.values(), distinct, strict=True):
            places = np.searchsorted(values_known, values)
            there &= np.append(values_known, np.nan)[places] == values
            wanted = wanted * (len(values_known) + 1) + places
        low, high = np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right")
        counts = np.where(there, high - low, 0)
        parts = np.flatnonzero(np.diff(np.cumsum(counts) // MOST_ROWS)) + 1
        for start, stop in pairwise([0, *parts.tolist(), rows]):
            own_counts = counts[start:stop]
            first = np.repeat(low[start:stop] - np.cumsum(own_counts) + own_counts, own_counts)
            yield np.repeat(np.arange(start, stop), own_counts), order[first + np.arange(len(first))]

    def _index(self, places: tuple[int, ...]) -> tuple[list[FloatArray], IndexArray, IndexArray]:
        """The values that stand at those places, and the facts in the order of their keys, with these."""
        if places not in self._indexes:
            keys = np.zeros(len(self.columns[0]), np.intp)
            distinct = []
            for place in places:
                unique, inverse = np.unique(self.columns[place], return_inverse=True)
                distinct.append(unique)
                keys = keys * (len(unique) + 1) + inverse
            order = np.argsort(keys, kind="stable")
            self._indexes[places] = distinct, order, keys[order]
        return self._indexes[places]


@dataclass(frozen=True)
class _Table:
    """Bindings, a row each."""

    rows: IndexArray
    """(n,): of the table that it was begun with, the row that each row comes from."""
    bound: dict[str, Value]

    def take(self, index: IndexArray | NDArray[np.bool_] | slice) -> "_Table":
        return _Table(self.rows[index], {name: _take(value, index) for name, value in self.bound.items()})

    def begin(self) -> "_Table":
        """The same bindings, with rows of their own."""
        return replace(self, rows=np.arange(len(self.rows)))

    def value(self, term: Term) -> Value | None:
        """What the term is; None for a variable that is not bound."""
        if isinstance(term, Variable):
            return self.bound.get(term.name)
        if isinstance(term, tuple):
            return term[0], *(self.value(part) for part in term[1:])  # type: ignore[arg-type]
        return term

    def column(self, term: Term) -> FloatArray:
        """What the term is in each row."""
        value = self.value(term)
        assert isinstance(value, float | np.ndarray), f"{term} is not bound to numbers or names"
        return np.broadcast_to(np.asarray(value), len(self.rows))

    def unify(self, pattern: Term, value: Value | None) -> "_Table | None":
        """The rows where the pattern is the value, told for the rows that the table began with; None: nowhere."""
        if value is None or pattern == Variable("_"):
            return self
        if isinstance(pattern, tuple) and not isinstance(pattern, Variable):
            if not isinstance(value, tuple) or (pattern[0], len(pattern)) != (value[0], len(value)):
                return None
            table: _Table | None = self
            for part, value_part in zip(pattern[1:], value[1:], strict=True):
                table = table and table.unify(part, value_part)  # type: ignore[arg-type]
            return table
        value = _take(value, self.rows)
        solved_value = self.value(pattern)
        if solved_value is None:
            assert isinstance(pattern, Variable)
            return replace(self, bound=self.bound | {pattern.name: value})
        if isinstance(solved_value, tuple) or isinstance(value, tuple):
            return self if solved_value == value else None
        return self.take(np.broadcast_to(np.equal(solved_value, value), len(self.rows)))


def _take(value: Value, index: IndexArray | NDArray[np.bool_] | slice) -> Value:
    if isinstance(value, tuple):
        return tuple(column if column is None or isinstance(column, str) else _take(column, index) for column in value)
    return value[index] if isinstance(value, np.ndarray) else value


class Resolution:
    """Facts and clauses, and what follows from them."""

    def __init__(
        self,
        facts: Mapping[str, Sequence[Sequence[str | int | float]]],
        clauses: Clauses,
        tabled: Collection[tuple[str, int]],
    ) -> None:
        """`facts` are told argument by argument, by predicate; those `tabled`, by name and arity, are solved once."""
        self.names = Names(clauses.names)
        self._clauses = clauses
        self._columns = facts
        self._tabled = tabled
        self._facts: dict[tuple[str, int], Facts] = {}

    def solve(self, name: str, arity: int) -> Sequence[FloatArray]:
        """What a tabled predicate is true of: each of its arguments (n,), every solution once, in order."""
        facts = self._facts_of(name, arity)
        assert facts is not None
        return facts.columns

    def rows(self, name: str, arity: int) -> list[tuple[str | float, ...]]:
        """The same, a row each."""
        return list(zip(*map(self.names.values, self.solve(name, arity)), strict=True))

    def _find(self, name: str, arity: int) -> list[FloatArray]:
        arguments = tuple(Variable(f"A{place}") for place in range(arity))
        solutions = [np.zeros((arity, 0))]
        for clause in self._clauses.of(name, arity):
            for solution in self._by_clause(clause, arguments, _Table(np.arange(1), {})):
                solutions.append(np.stack([solution.column(argument) for argument in arguments]))
        return list(np.unique(np.concatenate(solutions, axis=1), axis=1))

    def value_of(self, name: str, goal: str, columns: Sequence[FloatArray]) -> FloatArray:
        """`name(goal(...), V)`: the V (n,) of each row of the goal's arguments, of which there has to be one."""
        arguments = tuple(Variable(f"A{place}") for place in range(len(columns)))
        rows = np.arange(len(columns[0]))
        table = _Table(rows, {column_of.name: column for column_of, column in zip(arguments, columns, strict=True)})
        values = np.full(len(rows), np.nan)
        for solution in self._solve((Call(name, ((goal, *arguments), Variable("V"))),), table):
            values[solution.rows] = solution.column(Variable("V"))
        return values

    def _solve(self, steps: tuple[Step, ...], table: _Table) -> Iterator[_Table]:
        """All that makes the steps true, in tables; their rows are those of `table`."""
        if not steps:
            yield table
        elif len(table.rows):
            for branch in self._step(steps[0], table):
                yield from self._solve(steps[1:], branch)

    def _step(self, step: Step, table: _Table) -> Iterator[_Table]:
        match step:
            case Compare():
                yield from _compare(step, table)
            case Not(call):
                holds = np.zeros(len(table.rows), np.bool_)
                for solution in self._solve((call,), table.begin()):
                    holds[solution.rows] = True
                yield table.take(~holds)
            case Least():
                yield from self._least(step, table)
            case Call(name, arguments):
                if (facts := self._facts_of(name, len(arguments))) is not None:
                    yield from self._by_facts(facts, arguments, table)
                else:
                    for clause in self._clauses.of(name, len(arguments)):
                        yield from self._by_clause(clause, arguments, table)

    def _by_facts(self, facts: Facts, arguments: tuple[Term, ...], table: _Table) -> Iterator[_Table]:
        free = [place for place, argument in enumerate(arguments) if table.value(argument) is None]
        given = {place: table.column(argument) for place, argument in enumerate(arguments) if place not in free}
        for rows, fact_rows in facts.join(given, len(table.rows)):
            joined = table.take(rows)
            for place in free:
                argument = arguments[place]
                assert isinstance(argument, Variable), f"{argument} has to be bound before"
                if argument.name != "_":
                    joined.bound[argument.name] = facts.columns[place][fact_rows]
            yield joined

    def _facts_of(self, name: str, arity: int) -> Facts | None:
        """Those of the predicate, or what a tabled one was found to be true of; None if it has clauses only."""
        columns = self._columns.get(name)
        if (name, arity) not in self._facts:
            if columns is not None and len(columns) == arity:
                self._facts[name, arity] = Facts([self.names.numbers(column) for column in columns])
            elif (name, arity) in self._tabled:
                self._facts[name, arity] = Facts(self._find(name, arity))
        return self._facts.get((name, arity))

    def _by_clause(self, clause: "Compiled", arguments: tuple[Term, ...], table: _Table) -> Iterator[_Table]:
        start: _Table | None = _Table(np.arange(len(table.rows)), {})
        for pattern, argument in zip(clause.head, arguments, strict=True):
            start = start and start.unify(pattern, table.value(argument))
        if start is None:
            return
        for solved in self._solve(clause.body, start):
            unified: _Table | None = table.take(solved.rows).begin()
            for pattern, argument in zip(clause.head, arguments, strict=True):
                if table.value(argument) is None:
                    unified = unified and unified.unify(argument, solved.value(pattern))
            if unified is not None:
                yield replace(unified, rows=table.rows[solved.rows][unified.rows])

    def _least(self, step: Least, table: _Table) -> Iterator[_Table]:
        solved = list(self._solve((step.call,), table.begin()))
        rows = np.concatenate([np.zeros(0, np.intp), *(part_table.rows for part_table in solved)])
        columns = [
            np.concatenate([np.zeros(0), *(part_table.column(part) for part_table in solved)]) for part in step.template
        ]
        order = np.lexsort([columns[0], rows])  # which keeps the order of equals, as keysort/2 does
        rows, first = np.unique(rows[order], return_index=True)
        unified: _Table | None = table.take(rows).begin()
        for pattern, column in zip(step.pattern, columns, strict=True):
            unified = unified and unified.unify(pattern, column[order][first])
        if unified is not None:
            yield replace(unified, rows=table.rows[rows][unified.rows])


_FUNCTIONS = {"abs": np.abs, "sqrt": np.sqrt, "max": np.maximum, "min": np.minimum}
_OPERATORS = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.Pow: np.float_power}
_TESTS = {"\\==": np.not_equal, "=<": np.less_equal, ">=": np.greater_equal, ">": np.greater, "<": np.less}


def _compare(step: Compare, table: _Table) -> Iterator[_Table]:
    right = _number(step.right, table)
    if step.operator != "is":
        holds = _TESTS[step.operator](_number(step.left, table), right)
        yield table.take(np.broadcast_to(holds, len(table.rows)))
    else:
        assert isinstance(step.left, ast.Name)
        yield replace(table, bound=table.bound | {step.left.id: right if right.ndim else float(right)})


def _number(expression: ast.expr, table: _Table) -> FloatArray:
    """What the expression is in each row, or in all."""
    match expression:
        case ast.Constant(value):
            return np.asarray(value, np.float64)
        case ast.Name(name):
            return np.asarray(table.bound[name])
        case ast.UnaryOp(ast.USub(), operand):
            return -_number(operand, table)
        case ast.BinOp(left, operator, right):
            return np.asarray(_OPERATORS[type(operator)](_number(left, table), _number(right, table)))
        case ast.Call(ast.Name(name), arguments):
            return np.asarray(_FUNCTIONS[name](*(_number(argument, table) for argument in arguments)))
    raise AssertionError(f"no arithmetic of programs: {ast.unparse(expression)}")
