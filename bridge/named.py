"""What a program says of its things by name: all but its propositions and co-ordinates, which only its clauses read.

Logics other than Prolog are told this part.
"""

from collections.abc import Iterator

import numpy as np

from predinet_prolog.bridge.clauses import Clause, Comparison, Literal, Section
from predinet_prolog.bridge.compiled import Clauses
from predinet_prolog.bridge.program import PlainColumn, Program, values
from predinet_prolog.bridge.resolution import Resolution
from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.bridge.vocabulary import base_facts_of

_OF_THE_NETWORK = ("background", "look")
"""What the network attended to, and when."""
_OF_NUMBERS = {
    "tells/2",
    "confidence/2",
    "coarse/2",
    "coarse/3",
    "small/1",
    "large/1",
    "colour/2",
    "shade_apart/5",
    "palette/4",
}
"""What is said of relations' axes, of how large a pixel is beside a thing, of propositions' values, and how a colour's
word is found."""


def coordinates_of(program: Program) -> tuple[tuple[str, ...], FloatArray]:
    """The n objects, and where each lies on the axes of the j relations, as the program's text says it: (n, j)."""
    objects = tuple(map(str, program.facts["object"][0]))
    axes, names, places = map(values, program.facts["coordinate"])
    coordinates = dict(zip(zip(names, axes, strict=True), places, strict=True))
    relations = len(set(axes))
    rows = [[coordinates[name, f"r{axis}"] for axis in range(relations)] for name in objects]
    return objects, np.array(rows, dtype=np.float64).reshape(len(objects), relations)


NamedFacts = list[tuple[str, list[PlainColumn]]]
"""Predicates with their facts, argument by argument; those of one name may have several arities."""


def named_facts(program: Program) -> NamedFacts:
    """The facts about things, the words for their colours, and what each is nearest to of the learned examples."""
    hidden = set(program.facts["background"][0]) if "background" in program.facts else set()
    facts: NamedFacts = []
    for name, predicate in base_facts_of(program.rules.dialect).items():
        kinds = {argument.type for argument in predicate.arguments}
        if predicate.source != "image" or "relation" in kinds or name in _OF_THE_NETWORK:
            continue
        columns = [values(column) for column in program.facts[name]]
        visible = [index for index, first in enumerate(columns[0]) if first not in hidden]
        facts.append((name, [[column[index] for index in visible] for column in columns]))
    for examples in program.definitions.trusted_examples if program.definitions else ():
        objects, coordinates = coordinates_of(program)
        facts.append((examples.predicate, [list(objects), examples.tell(coordinates) if objects else []]))
    return facts + _colour_words(program)


def _colour_words(program: Program) -> NamedFacts:
    """Things and the words of the palette, by the program's own clause."""
    if not program.facts.get("colour", [[]])[0]:
        return []
    facts = {"colour": [values(column) for column in program.facts["colour"]]}
    clauses = Clauses(clause for section in program.sections for clause in section)
    rows = Resolution(facts, clauses, tabled={("colour", 2)}).rows("colour", 2)
    return [("colour", [[str(level) for level in column] for column in zip(*rows, strict=True)])] if rows else []


def named_rules(program: Program) -> Iterator[Section]:
    """The clauses that speak of nothing but things, what is learned of them and each other: section by section. Not the
    word for a colour: few logics sort by numbers."""
    learned = program.definitions
    wanted = [section for section in program.sections if learned is None or not set(learned.section) & set(section)]
    defined = {f"{name}/{len(columns)}" for name, columns in named_facts(program)}
    defined |= {f"{definition.predicate}/2" for definition in learned.trusted} if learned else set()
    heads = {clause.head.indicator for section in wanted for clause in section} - _OF_NUMBERS
    while unknown := {
        clause.head.indicator
        for section in wanted
        for clause in section
        if clause.head.indicator in heads and not needs(clause) <= defined | heads
    }:
        heads -= unknown
    for section in wanted:
        if kept := tuple(clause for clause in section if clause.head.indicator in heads):
            yield kept


def needs(clause: Clause) -> set[str]:
    """The predicates that the clause asks."""
    return {name for line in clause.body for goal in line for name in _asked(goal)}


def _asked(goal: Literal | Comparison | str) -> Iterator[str]:
    if isinstance(goal, Literal):
        if goal.name != "\\+":
            yield goal.indicator
        for argument in goal.arguments:
            yield from _asked(argument)
