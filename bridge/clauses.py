"""Clauses as a small tree, and those that every program ends with."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources


@dataclass(frozen=True)
class Literal:
    """A predicate of arguments: variables and constants as text, or the goal that it speaks of."""

    name: str
    arguments: tuple["str | Literal", ...] = ()

    @property
    def indicator(self) -> str:
        """Name and arity, as in `object/1`."""
        return f"{self.name}/{len(self.arguments)}"


@dataclass(frozen=True)
class Comparison:
    """Two terms or sums of numbers, compared."""

    left: str
    operator: str
    right: str


Goal = Literal | Comparison


@dataclass(frozen=True, eq=False)
class Clause:
    """A fact or a rule."""

    head: Literal
    body: tuple[tuple[Goal, ...], ...] = ()
    """Line by line, all of which have to hold; the first line stands beside the head."""
    remarks: tuple[str, ...] = ()
    """Lines of comment before it."""


Section = tuple[Clause, ...]
"""Clauses that belong together."""


_OPERATORS = ("is", "\\==", "=<", ">=", ">", "<")


@cache
def section_of(name: str) -> Section:
    """The clauses of the file of that name in rules/, each with the comment before it; the first one heads the file."""
    text = resources.files(__package__).joinpath(f"rules/{name}.pl").read_text(encoding="utf-8").partition("*/\n")[2]
    parts = re.findall(r"((?:^% .*\n)*)^([^%\s](?:.|\n)*?)\.$", text, re.MULTILINE)
    return tuple(clause_of(clause, re.findall("% (.*)", remarks)) for remarks, clause in parts)


def clause_of(text: str, remarks: Iterable[str] = ()) -> Clause:
    """A clause from its text without the full stop, line by line as `clause_text` writes it. A goal is a comparison, a
    literal, or the negation of a literal."""
    head, _, body = text.partition(" :-")
    return Clause(_literal(head), tuple(map(goals, body.split("\n"))) if body else (), tuple(remarks))


def goals(text: str) -> tuple[Goal, ...]:
    """The goals of a line."""
    return tuple(map(_goal, _parts(text)))


def _goal(text: str) -> Goal:
    if text.startswith("\\+ "):
        return Literal("\\+", (_literal(text.removeprefix("\\+ ")),))
    for operator in _OPERATORS:
        left, comparison, right = text.partition(f" {operator} ")
        if comparison:
            return Comparison(left, operator, right)
    return _literal(text)


def _literal(text: str) -> Literal:
    """A predicate and its arguments; one that has arguments itself is a goal that it speaks of."""
    name, _, arguments = text.removesuffix(")").partition("(")
    parts = _parts(arguments)
    return Literal(name, tuple(_literal(part) if re.match(r"[a-z]\w*\(", part) else part for part in parts))


def _parts(text: str) -> list[str]:
    """What is between the commas, but for those within brackets and quotes."""
    parts, depth = [""], 0
    for token in re.findall(r"'(?:[^'\\]|\\.)*'|.", text):
        depth += (token in "([") - (token in ")]")
        if token == "," and not depth:
            parts.append("")
        else:
            parts[-1] += token
    return [part.strip() for part in parts if part.strip()]


def nothing(name: str, arity: int) -> Clause:
    """A clause that defines the predicate and never holds."""
    return Clause(Literal(name, ("_",) * arity), ((Literal("fail"),),))


def changed(
    sections: Iterable[Section], change: Callable[[Literal, str], Literal], variable: str = "_"
) -> Iterator[Section]:
    """The clauses with every literal as `change` makes it, those within it first. It is given the `variable`, but for a
    head that alone would have it, which is given `_`."""

    def of_goal(goal: Goal, variable: str) -> Goal:
        return of_literal(goal, variable) if isinstance(goal, Literal) else goal

    def of_literal(literal: Literal, variable: str) -> Literal:
        inner = (part if isinstance(part, str) else of_literal(part, variable) for part in literal.arguments)
        return change(Literal(literal.name, tuple(inner)), variable)

    for section in sections:
        clauses = []
        for clause in section:
            body = tuple(tuple(of_goal(goal, variable) for goal in line) for line in clause.body)
            head = of_literal(clause.head, variable if body != clause.body else "_")
            clauses.append(Clause(head, body, clause.remarks))
        yield tuple(clauses)


def of_many(sections: Iterable[Section], image_predicates: Iterable[str]) -> Iterator[Section]:
    """The clauses of one image as clauses of many: Image is the first argument of each of the `image_predicates`, such
    as object/1, and of those that the clauses define. What speaks of a goal, as confidence/2, has it in that goal."""
    sections = list(sections)
    heads = (clause.head for section in sections for clause in section if clause.head.name != "confidence")
    lifted = {
        *image_predicates,
        *(head.indicator for head in heads if all(isinstance(of, str) for of in head.arguments)),
    }

    def of_image(literal: Literal, image: str) -> Literal:
        return replace(literal, arguments=(image, *literal.arguments)) if literal.indicator in lifted else literal

    return changed(sections, of_image, "Image")


def rules(relations: int) -> tuple[Section, ...]:
    """What every program of a model of so many relations can be asked; of none: without holds/4."""
    holds = tuple(clause_of(f"holds(r{index}, V, X, Y) :- r{index}(V, X, Y)") for index in range(relations))
    return (*([holds] if holds else []), section_of("spatial"), section_of("values"))
