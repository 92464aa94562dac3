"""Clauses as a small tree, and those that every program ends with."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace


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


def goal(text: str) -> Goal:
    """A comparison, or the literal whose name and arguments are the words of `text`: "position X Px Py"; its
    negation after "\\+"."""
    if text.startswith("\\+ "):
        return Literal("\\+", (literal(text.removeprefix("\\+ ")),))
    for operator in _OPERATORS:
        left, comparison, right = text.partition(f" {operator} ")
        if comparison:
            return Comparison(left, operator, right)
    return literal(text)


def literal(text: str) -> Literal:
    """The words of `text`, a name and its arguments."""
    name, *arguments = text.split()
    return Literal(name, tuple(arguments))


def rule(head: str, *lines: str, remarks: tuple[str, ...] = ()) -> Clause:
    """The clause with the goals of its body line by line, those of a line parted by semicolons."""
    body = tuple(tuple(goal(part) for part in line.split("; ") if part) for line in lines)
    return Clause(literal(head), body, remarks)


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


SMALL = 0.1
"""A relation's value below this counts as small: the paper's example clause, which gives no number."""
SPATIAL: Section = (
    rule(
        "left_of X Y",
        "object X; object Y; position X Ax _; position Y Bx _; tolerance T; Bx - Ax > T",
        remarks=(
            "Where objects lie to each other, from their positions. Two places count as the",
            "same where they differ by no more than the tolerance (in pixels).",
        ),
    ),
    rule("above X Y", "object X; object Y; position X _ Ay; position Y _ By; tolerance T; By - Ay > T"),
    rule(
        "same_row X Y", "object X; object Y; X \\== Y; position X _ Ay; position Y _ By; tolerance T; abs(Ay - By) =< T"
    ),
    rule(
        "same_column X Y",
        "object X; object Y; X \\== Y; position X Ax _; position Y Bx _; tolerance T; abs(Ax - Bx) =< T",
    ),
    rule(
        "in_line X Y Z",
        "lies_between Y X Z",
        remarks=("in_line(X, Y, Z): three different objects on one straight line, in any order.",),
    ),
    rule("in_line X Y Z", "lies_between X Y Z"),
    rule("in_line X Y Z", "lies_between Z X Y"),
    rule(
        "lies_between Y X Z",
        "",
        "object X; object Z; X \\== Z; object Y; Y \\== X; Y \\== Z",
        "position X Ax Ay; position Z Bx By; position Y Px Py; tolerance T",
        "abs((Ax - Px) * (By - Py) - (Ay - Py) * (Bx - Px)) =< T * sqrt((Bx - Ax) ** 2 + (By - Ay) ** 2)",
        "(Px - Ax) * (Bx - Ax) + (Py - Ay) * (By - Ay) > 0",
        "(Px - Bx) * (Ax - Bx) + (Py - By) * (Ay - By) > 0",
        remarks=("lies_between(Y, X, Z): Y lies on the straight line from X to Z, between the two.",),
    ),
)
VALUES: Section = (rule("small V", f"abs(V) < {SMALL}"), rule("large V", f"abs(V) >= {SMALL}"))
"""Of the propositions' values."""


def rules(relations: int) -> tuple[Section, ...]:
    """What every program of a model of so many relations can be asked; of none: without holds/4."""
    holds = tuple(rule(f"holds r{index} V X Y", f"r{index} V X Y") for index in range(relations))
    return (holds, SPATIAL, VALUES) if holds else (SPATIAL, VALUES)
