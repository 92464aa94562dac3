"""The named relations of pictures: what is true of their objects by the clauses of their programs, and how likely.

A relation is a predicate of the vocabulary, or one learned for the model, that speaks of objects, or of an object and a
word. What is seen in the image itself, as touches/2, is among a program's facts and no relation here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from predinet_prolog.bridge.clauses import of_many
from predinet_prolog.bridge.compiled import Clauses
from predinet_prolog.bridge.program import ModelRules, PlainFacts, Program, base_facts, plain
from predinet_prolog.bridge.resolution import Resolution
from predinet_prolog.bridge.terms import numbers
from predinet_prolog.bridge.vocabulary import VOCABULARY, base_facts_of, vocabulary_of


@dataclass(frozen=True)
class Relation:
    """A predicate told by all of its solutions, a row each: so a symmetric one of X and Y and of Y and X."""

    name: str
    columns: tuple[str, ...]
    """Of its arguments in their order: x, y and z objects, value a word."""
    symmetric: tuple[str, ...]
    """Those that may change places."""
    has_confidence: bool


Rows = Mapping[Relation, Mapping[str, Sequence[str | float]]]
"""By relation and column, what is true: `image`, the relation's own, and `confidence` if it has one."""


@lru_cache(16)
def relations(rules: ModelRules) -> tuple[Relation, ...]:
    """The relations that programs with these rules have, in the vocabulary's order."""
    grounding = rules.definitions
    heads = {clause.head.indicator for section in rules.sections for clause in section}
    taken_names = {predicate.name for predicate in VOCABULARY}
    learned = [definition.predicate for definition in grounding.trusted] if grounding else []
    names = {
        "same_A": [name for name in learned if name not in taken_names],
        "A": [example.predicate for example in grounding.trusted_examples] if grounding else [],
    }
    table = []
    for predicate in vocabulary_of(rules.dialect):
        types = [argument.type for argument in predicate.arguments]
        objects = ["object"] * types.count("object")
        if predicate.source not in ("rule", "learned") or types not in (objects, [*objects, "word"]):
            continue
        columns = tuple(
            "value" if kind == "word" else name for name, kind in zip(predicate.columns, types, strict=True)
        )
        symmetric = tuple(columns[index] for index in predicate.symmetric)
        for name in names.get(predicate.name, [predicate.name]):
            if f"{name}/{len(columns)}" in heads:
                table.append(Relation(name, columns, symmetric, name in learned))
    return tuple(table)


def related(images: Iterable[tuple[str, PlainFacts]], rules: ModelRules) -> Rows:
    """What is true in each of the images, which come with their names and facts, by the clauses of their programs.

    The same as SWI-Prolog answers, for little work an image where there are many. Rows are in the order of the images
    and of their objects.
    """
    facts: dict[str, list[list[str | int | float]]] = {}
    for image, about in images:
        for name, columns in about.items():
            every = facts.setdefault(name, [[] for _ in range(1 + len(columns))])
            for cells, column in zip(every, [[image] * len(columns[0]), *columns], strict=True):
                cells += column
    indicators = {relation: (relation.name, 1 + len(relation.columns)) for relation in relations(rules)}
    resolution = Resolution(facts, _of_many(rules), tabled=set(indicators.values()))
    for column in facts.get("object", ()):
        resolution.names.numbers(column)  # rows are in the order of names, and these are the objects'
    rows: dict[Relation, dict[str, Sequence[str | float]]] = {}
    for relation, indicator in indicators.items():
        solutions = resolution.solve(*indicator)
        rows[relation] = dict(zip(("image", *relation.columns), map(resolution.names.told, solutions), strict=True))
        if relation.has_confidence:
            likely = resolution.value_of("confidence", relation.name, solutions)
            rows[relation]["confidence"] = [float(chance) for chance in numbers(likely)]
    return rows


def related_in(programs: Sequence[Program]) -> list[list[dict[str, str | float]]]:
    """What is true in each of the programs, which are a model's: a row each, `predicate` and its relation's columns."""
    rows_of: list[list[dict[str, str | float]]] = [[] for _ in programs]
    if programs:
        images = [(f"{number}", plain(base_facts(program))) for number, program in enumerate(programs)]
        for relation, columns in related(images, programs[0].rules).items():
            names = ["predicate", *columns]
            names.remove("image")
            for image, *row in zip(*columns.values(), strict=True):
                rows_of[int(image)].append(dict(zip(names, [relation.name, *row], strict=True)))
    return rows_of


@lru_cache(16)
def _of_many(rules: ModelRules) -> Clauses:
    """The clauses with the image as first argument."""
    base = [predicate.indicator for predicate in base_facts_of(rules.dialect).values()]
    return Clauses(clause for section in of_many(rules.sections, base) for clause in section)
