"""The clauses that every program of a picture of any size ends with: what its facts tell by geometry and by colour."""

from collections.abc import Mapping

from predinet_prolog.bridge.clauses import SPATIAL, VALUES, Clause, Section, literal, rule
from predinet_prolog.bridge.colours import COLOURS
from predinet_prolog.bridge.glimpses.sizes import LIKE


def _propositions(relations: int) -> Section:
    generic = rule(
        "holds R V X Y",
        "",
        "object X; object Y; X \\== Y; coordinate R X A; coordinate R Y B; V is A - B",
        remarks=("The propositions: V is the distance between X and Y on the axis of a relation.",),
    )
    return (generic, *(rule(f"r{index} V X Y", f"holds r{index} V X Y") for index in range(relations)))


def _groups(groups: Mapping[str, int]) -> Section:
    names = [name for name, count in groups.items() for _ in range(count)]
    start, *rest = (rule(f"tells r{index} {name}") for index, name in enumerate(names))
    remarks = ("tells(R, What): relation R compares by What alone; look is all that is seen of a thing.",)
    return (Clause(start.head, remarks=remarks), *rest)


_SIZES: Section = (
    rule(
        "size X S",
        "object X; box X L T R B; S is max(R - L, B - T)",
        remarks=(
            f"Sizes are long sides of boxes, and the same where they differ by at most {LIKE:.0%} of the",
            "smaller or by one pixel of the picture as it was looked at.",
        ),
    ),
    rule("same_size X Y", f"size X A; size Y B; X \\== Y; pixel P; abs(A - B) =< max(P, {LIKE}*min(A, B))"),
    rule("larger X Y", f"size X A; size Y B; pixel P; A - B > max(P, {LIKE}*B)"),
)
_COARSE: Section = (
    rule(
        "coarse X C",
        "size X S; pixel P; C is P/S",
        remarks=(
            "coarse(X, C): one pixel of the picture as it was looked at is the share C of X's size. Of two things the",
            "smaller counts: of small things less is to be seen.",
        ),
    ),
    rule("coarse X Y C", "coarse X A; coarse Y B; X \\== Y; C is max(A, B)"),
)
_INSIDE: Section = (
    rule(
        "inside X Y",
        "",
        "object X; object Y; X \\== Y; box X L T R B; box Y L1 T1 R1 B1",
        "L >= L1; T >= T1; R =< R1; B =< B1; (R - L)*(B - T) < (R1 - L1)*(B1 - T1)",
        remarks=("inside(X, Y): the box of X lies within that of Y.",),
    ),
)
_INSIDE_GIVEN: Section = (
    rule("inside X Y", "tpp X Y", remarks=("inside(X, Y): X lies within Y, by masks where they were given.",)),
    rule("inside X Y", "ntpp X Y"),
)
_PLACES: Section = (
    rule(
        "near_to X Y",
        "gap X Y G; size X A; size Y B; G < (A + B)/4",
        remarks=("near_to(X, Y): what is free between their boxes is less than half their mean size.",),
    ),
    rule(
        "gap X Y G",
        "",
        "object X; object Y; X \\== Y; box X L T R B; box Y L1 T1 R1 B1",
        "G is sqrt(max(0, max(L - R1, L1 - R))**2 + max(0, max(T - B1, T1 - B))**2)",
    ),
    rule(
        "closest X Y",
        "centres_apart X Y D; \\+ nearer X D",
        remarks=("closest(X, Y), furthest(X, Y): Y is the object nearest to X, or furthest, up to the tolerance.",),
    ),
    rule("furthest X Y", "centres_apart X Y D; \\+ further X D"),
    rule("nearer X D", "centres_apart X _ D0; tolerance T; D - D0 > T"),
    rule("further X D", "centres_apart X _ D0; tolerance T; D0 - D > T"),
    rule(
        "centres_apart X Y D",
        "",
        "object X; object Y; X \\== Y; position X Ax Ay; position Y Bx By",
        "D is sqrt((Ax - Bx)**2 + (Ay - By)**2)",
    ),
)


SHAPE_AND_SIZE: Section = (
    Clause(literal("same_shape_and_size X Y"), ((literal("same_shape X Y"), literal("same_size X Y")),)),
)
"""Only for programs that tell shapes."""


def scene_rules(
    groups: Mapping[str, int], *, propositions: bool, looked: bool = True, given: bool = False
) -> tuple[Section, ...]:
    """What every program of a model with these groups of relations can be asked; `propositions` says whether r0/3 and
    the others are among it, and holds/4, `looked` whether any pixel was looked at, `given` whether things were told."""
    places = (*(_INSIDE_GIVEN if given else _INSIDE), *_PLACES)
    if not looked:
        return SPATIAL, _SIZES, places
    always = (*([_groups(groups)] if groups else []), SPATIAL, _SIZES, _COARSE, places, COLOURS)
    return (_propositions(sum(groups.values())), *always, VALUES) if propositions else (*always, VALUES)
