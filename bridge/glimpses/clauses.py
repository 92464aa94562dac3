"""The clauses that every program of a picture of any size ends with: what its facts tell by geometry and by colour."""

from collections.abc import Mapping
from dataclasses import replace

from predinet_prolog.bridge.clauses import Section, clause_of, section_of
from predinet_prolog.bridge.colours import COLOURS


def _propositions(relations: int) -> Section:
    generic, *_ = section_of("propositions")
    return (generic, *(clause_of(f"r{index}(V, X, Y) :- holds(r{index}, V, X, Y)") for index in range(relations)))


def _groups(groups: Mapping[str, int]) -> Section:
    names = [name for name, count in groups.items() for _ in range(count)]
    remarks = ("tells(R, What): relation R compares by What alone; look is all that is seen of a thing.",)
    first, *rest = (clause_of(f"tells(r{index}, {name})") for index, name in enumerate(names))
    return (replace(first, remarks=remarks), *rest)


SHAPE_AND_SIZE: Section = (clause_of("same_shape_and_size(X, Y) :- same_shape(X, Y), same_size(X, Y)"),)
"""Only for programs that tell shapes."""


def scene_rules(
    groups: Mapping[str, int], *, propositions: bool, looked: bool = True, given: bool = False
) -> tuple[Section, ...]:
    """What every program of a model with these groups of relations can be asked; `propositions` says whether r0/3 and
    the others are among it, and holds/4, `looked` whether any pixel was looked at, `given` whether things were told."""
    spatial, sizes, values = map(section_of, ("spatial", "sizes", "values"))
    places = (*section_of("inside_masks" if given else "inside_boxes"), *section_of("places"))
    if not looked:
        return spatial, sizes, places
    always = (*([_groups(groups)] if groups else []), spatial, sizes, section_of("coarse"), places, COLOURS, values)
    return (_propositions(sum(groups.values())), *always) if propositions else always
