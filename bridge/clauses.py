"""Clauses as a small tree, and those that every program ends with."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache


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


def literal(name: str, *arguments: str | Literal) -> Literal:
    """`name(arguments…)`."""
    return Literal(name, arguments)


def nothing(name: str, arity: int) -> Clause:
    """A clause that defines the predicate and never holds."""
    return Clause(Literal(name, ("_",) * arity), ((Literal("fail"),),))


def of_many(section: Section, variable: str, own: Iterable[str]) -> Section:
    """The clauses of one image as clauses of many: `variable` is the first argument of each of the predicates `own`,
    such as object/1, and of those that the clauses define.

    What speaks of a goal, as confidence/2, has it in that goal. A variable that a clause would have in one place
    alone is `_`.
    """
    lifted = {*own, *(clause.head.indicator for clause in section if not _speaks(clause.head))}

    def of_image(goal: Goal, variable: str) -> Goal:
        if isinstance(goal, Comparison):
            return goal
        inner = tuple(of_image(each, variable) if isinstance(each, Literal) else each for each in goal.arguments)
        first = (variable,) if goal.indicator in lifted else ()
        return Literal(goal.name, (*first, *inner))  # type: ignore[arg-type]

    told = []
    for clause in section:
        body = tuple(tuple(of_image(goal, variable) for goal in line) for line in clause.body)
        head = of_image(clause.head, variable if body != clause.body else "_")
        assert isinstance(head, Literal)
        told.append(Clause(head, body, clause.remarks))
    return tuple(told)


def _speaks(head: Literal) -> bool:
    return any(isinstance(argument, Literal) for argument in head.arguments) or head.name == "confidence"


SMALL = 0.1
"""A relation's value below this counts as small: the paper's example clause, which gives no number."""
_X, _Y, _Z = (literal("object", name) for name in "XYZ")


@cache
def rules(relations: int) -> tuple[Section, ...]:
    """What every program of a model of so many relations can be asked; none of them: without holds/4."""
    holds = tuple(
        Clause(literal("holds", f"r{index}", "V", "X", "Y"), ((literal(f"r{index}", "V", "X", "Y"),),))
        for index in range(relations)
    )
    sizes = (
        Clause(literal("small", "V"), ((Comparison("abs(V)", "<", str(SMALL)),),)),
        Clause(literal("large", "V"), ((Comparison("abs(V)", ">=", str(SMALL)),),)),
    )
    return (holds, _SPATIAL, sizes) if holds else (_SPATIAL, sizes)


def _compared(name: str, own: str, other: str, compared: Comparison, *remarks: str) -> Clause:
    """A rule about the places of X and Y: `own` and `other` are the arguments of their positions."""
    differ = () if ">" in compared.operator else (Comparison("X", "\\==", "Y"),)
    places = (literal("position", "X", *own.split()), literal("position", "Y", *other.split()))
    return Clause(literal(name, "X", "Y"), ((_X, _Y, *differ, *places, literal("tolerance", "T"), compared),), remarks)


_SPATIAL: Section = (
    _compared(
        "left_of",
        "Ax _",
        "Bx _",
        Comparison("Bx - Ax", ">", "T"),
        "Where objects lie to each other, from their positions. Two places count as the",
        "same where they differ by no more than the tolerance (in pixels).",
    ),
    _compared("above", "_ Ay", "_ By", Comparison("By - Ay", ">", "T")),
    _compared("same_row", "_ Ay", "_ By", Comparison("abs(Ay - By)", "=<", "T")),
    _compared("same_column", "Ax _", "Bx _", Comparison("abs(Ax - Bx)", "=<", "T")),
    Clause(
        literal("in_line", "X", "Y", "Z"),
        ((literal("lies_between", "Y", "X", "Z"),),),
        ("in_line(X, Y, Z): three different objects on one straight line, in any order.",),
    ),
    Clause(literal("in_line", "X", "Y", "Z"), ((literal("lies_between", "X", "Y", "Z"),),)),
    Clause(literal("in_line", "X", "Y", "Z"), ((literal("lies_between", "Z", "X", "Y"),),)),
    Clause(
        literal("lies_between", "Y", "X", "Z"),
        (
            (),
            (_X, _Z, Comparison("X", "\\==", "Z"), _Y, Comparison("Y", "\\==", "X"), Comparison("Y", "\\==", "Z")),
            (
                literal("position", "X", "Ax", "Ay"),
                literal("position", "Z", "Bx", "By"),
                literal("position", "Y", "Px", "Py"),
                literal("tolerance", "T"),
            ),
            (
                Comparison(
                    "abs((Bx - Ax) * (Py - Ay) - (By - Ay) * (Px - Ax))",
                    "=<",
                    "T * sqrt((Bx - Ax) ** 2 + (By - Ay) ** 2)",
                ),
            ),
            (Comparison("(Px - Ax) * (Bx - Ax) + (Py - Ay) * (By - Ay)", ">", "0"),),
            (Comparison("(Px - Bx) * (Ax - Bx) + (Py - By) * (Ay - By)", ">", "0"),),
        ),
        ("lies_between(Y, X, Z): Y lies on the straight line from X to Z, between the two.",),
    ),
)
