"""What is asked: by honest people, and by others."""

from service.api.schemas import RULES_CHARACTERS
from symbolic.limits import GOAL_CHARACTERS
from tests.symbolic.hostile.catalogue import ENTRIES, PROGRAM, Entry

HONEST = (
    "object(X)",
    "object(X), position(X, Px, Py)",
    "same(X, Y)",
    "same_shape(X, Y), X @< Y",
    "left_of(X, Y), same_row(X, Y)",
    "aggregate_all(count, same_colour(_, _), N)",
    "findall(_X-_Y, same_shape(_X, _Y), Pairs)",
    "\\+ (object(_X), object(_Y), _X \\== _Y, \\+ same_colour(_X, _Y))",
    "holds(R, V, ob_0, Y), V > 0.5",
    "lies_between(Y, X, Z)",
    "in_line(X, Y, Z), X @< Y, Y @< Z",
    "setof(_R, _V^_X^_Y^(holds(_R, _V, _X, _Y), small(_V)), Relations)",
)
"""From 0.2 to 2.5 ms each on a scene of nine objects. Every exported program can answer them."""

PLACES = "object(X), position(X, Px, Py)"
"""The one whose answers are known from the scene itself."""


def hostile_queries() -> list[Entry]:
    """The project's catalogue, as far as it can be sent to a scene: not the texts too long to be read at all."""
    return [
        entry
        for entry in ENTRIES
        if entry.program == PROGRAM and len(entry.goal) <= GOAL_CHARACTERS and len(entry.rules) <= RULES_CHARACTERS
    ]
