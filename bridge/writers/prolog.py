"""Programs as Prolog text that stands alone, and the programs of many images as one knowledge base.

Same scene, model, image and options: same bytes.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256

import numpy as np

from predinet_prolog.bridge.clauses import Clause, Comparison, Goal, Literal, Section, nothing, of_many
from predinet_prolog.bridge.program import Column, Facts, ImageInfo, ModelRules, Program, make_program, rules_of
from predinet_prolog.bridge.scene import Scene
from predinet_prolog.bridge.terms import comment, exact, numbers
from predinet_prolog.bridge.vocabulary import Dialect, Predicate, base_facts_of, documentation, glossary
from predinet_prolog.bridge.writers.header import behind_header, whole
from predinet_prolog.neural.model import Model
from predinet_prolog.quoting.prolog import atom

_ALTERED = """\
Of many images: each predicate has the image as its first argument, before those named here, and
object(Image, X) says that X is an object of Image. Only confidence/2 is as it is of one image: its goals
have the image, confidence(same(Image, X, Y), P). The name of an image is its path in the folder.
"""


def write_prolog(program: Program) -> str:
    """The program as text: header, facts by predicate, then its clauses. Every predicate of the glossary is defined,
    even where there is no fact of it."""
    facts = (write_facts(*fact) or clause_text(nothing(fact[0], len(fact[1]))) for fact in program.facts.items())
    about = comments(*origin(program, "a Prolog program"), "")
    modes = documentation(program.rules.dialect, tuple(program.predicates))
    body = "\n\n".join([f"{about}\n{_glossary(program.rules.dialect)}\n{modes}", *facts, _rules(program.sections)])
    return behind_header(body, program.provenance, fingerprint(program.rules))


def write_for(program: Program, words: Collection[str]) -> str:
    """The same without the facts that neither a question of these words nor how sure its proof is can reach, of a
    program that was not looked at: thousands of things lie to each other in millions of ways."""
    reached = _reached(program.sections, frozenset({*words, "confidence"}))
    arity = {name: len(row.arguments) for name, row in base_facts_of(program.rules.dialect).items()}
    nowhere: dict[str, list[Column]] = {name: [list[str]()] * count for name, count in arity.items()}
    facts = {name: program.facts[name] if name in reached else nowhere[name] for name in program.facts}
    return write_prolog(replace(program, facts=facts))


def write_program(scene: Scene, *, model: Model, image: ImageInfo, looks: int | None = None) -> str:
    """The program of a scene, as `make_program` makes it, as text."""
    return write_prolog(make_program(scene, model=model, image=image, looks=looks))


def write_each(programs: Sequence[Program], words: Collection[str]) -> tuple[str, list[str]]:
    """The programs of one model, to be asked one after the other: what they have in common, with `HEAD :- fail.` for
    every predicate of facts, and of each the facts.

    words: of the question. Facts that it cannot reach are left out, most of them as a rule.
    """
    sections = programs[0].rules.sections_with(frozenset[str]().union(*(program.keys for program in programs)))
    nowhere = [clause_text(nothing(name, len(columns))) for name, columns in programs[0].facts.items()]
    reached = [name for name in programs[0].facts if name in _reached(sections, frozenset(words))]
    texts = ["".join(f"{write_facts(name, program.facts[name])}\n" for name in reached) for program in programs]
    return "\n".join([*nowhere, _rules(sections)]), texts


@lru_cache(16)
def _reached(sections: tuple[Section, ...], words: frozenset[str]) -> frozenset[str]:
    """The words, and those of the clauses that they name, and so on; what objects there are is always asked."""
    clauses = [
        (clause.head.name, set(re.findall(r"\w+", clause_text(clause)))) for section in sections for clause in section
    ]
    reached, before = {*words, "object", "background"}, 0
    while len(reached) > before:
        before = len(reached)
        for head, said in clauses:
            if head in reached:
                reached |= said
    return frozenset(reached)


def write_sections(sections: Iterable[Section]) -> str:
    """Clauses as text, an empty line between sections."""
    return "\n\n".join("\n".join(map(clause_text, section)) for section in sections)


def clause_text(clause: Clause) -> str:
    """A clause with its remarks, as a person would break its lines."""
    remarks = [f"% {comment(line)}".rstrip() for line in clause.remarks]
    body = ",\n    ".join(", ".join(map(_goal, line)) for line in clause.body if line)
    if clause.body:
        body = (" :- " if clause.body[0] else " :-\n    ") + body
    return "\n".join([*remarks, f"{_goal(clause.head)}{body}."])


def write_facts(predicate: str, columns: list[Column], first: str = "") -> str:
    """The predicate's facts as Prolog text, one on each line; `first` stands before all arguments."""
    if not len(columns[0]):
        return ""
    start = f"{atom(predicate)}({first}"
    return "\n".join([f"{start}{', '.join(row)})." for row in zip(*map(_texts, columns), strict=True)])


@lru_cache(16)
def fingerprint(rules: ModelRules) -> str:
    """Stands for what is the same in every program of the model."""
    return sha256("\n".join([*glossary(rules.dialect), "modes", _rules(rules.sections)]).encode()).hexdigest()[:16]


is_current = whole(fingerprint)


def origin(program: Program, what: str) -> list[str]:
    """What every text of the program begins with, which is `what`."""
    provenance = program.provenance
    image = provenance.image
    return [
        *_beginning(program.rules.dialect, f"an image, as {what}", provenance.model, provenance.model_sha256),
        f"image    {image.name}, {image.width} x {image.height} pixels (sha256 {image.sha256})",
        *_looks(provenance.looks, program.rules.dialect),
        *([] if provenance.given_sha256 is None else [f"things   given (sha256 {provenance.given_sha256})"]),
        *([] if provenance.zones_sha256 is None else [f"zones    named (sha256 {provenance.zones_sha256})"]),
        *(f"warning  {warning}" for warning in image.warnings),
    ]


def comments(*lines: str) -> str:
    return "\n".join(f"% {comment(line)}".rstrip() for line in lines)


def base_head(model: Model, looks: int | None, images: int, *, given: bool = False, zones: bool = False) -> str:
    """The comment at the beginning of a knowledge base; `given` says whether things were told, `zones` whether parts of
    pictures were named."""
    dialect = rules_of(model, given=given, zones=zones).dialect
    return comments(
        *_beginning(dialect, "many images, as a Prolog program", model.name, model.sha256),
        f"images   {images}",
        *_looks(looks, dialect),
        "",
        *_ALTERED.splitlines(),
        "",
        *glossary(dialect, base=True),
    )


def base_facts_text(image: str, facts: Facts) -> dict[str, str]:
    """The facts of an image of a knowledge base, by predicate."""
    return {name: write_facts(name, columns, f"{atom(image)}, ") for name, columns in facts.items()}


def base_nothing(predicate: Predicate) -> str:
    """What a knowledge base has in place of the facts of a predicate without any."""
    return clause_text(nothing(predicate.name, 1 + len(predicate.arguments)))


def base_rules(model: Model, *, given: bool = False, zones: bool = False, keys: Iterable[str] = ()) -> str:
    """What a knowledge base says of all its images alike: constants and rules, `keys` being those of the attributes
    that were told."""
    rules = rules_of(model, propositions=False, given=given, zones=zones)
    facts = [predicate.indicator for predicate in base_facts_of(rules.dialect).values()]
    sections = of_many(rules.sections_with(frozenset(keys)), facts)
    constants = write_facts("slope", [[f"r{index}" for index in range(len(model.slopes))], *model.slopes.T], "_, ")
    return "\n\n".join(filter(None, [constants, write_sections(sections)])) + "\n"


@lru_cache(16)  # every program of a model ends with the same text
def _rules(sections: tuple[Section, ...]) -> str:
    return write_sections(sections) + "\n"


def _beginning(dialect: Dialect, what: str, model: str, sha256: str) -> list[str]:
    if not sha256 and not dialect.looked:
        return [f"What was told of {what}.", "", "model    none: nothing was looked at"]
    who = "PrediNet" if dialect.looked else "detector"
    return [f"What a {who} saw in {what}.", "", f"model    {model} (sha256 {sha256})"]


def _looks(looks: int | None, dialect: Dialect) -> list[str]:
    """How often the network looked; in a picture of any size that is no choice."""
    return [] if not dialect.heads else [f"looks    {'until nothing new appears' if looks is None else looks}"]


@cache
def _glossary(dialect: Dialect) -> str:
    return comments(*glossary(dialect))


def _goal(goal: Goal) -> str:
    if isinstance(goal, Comparison):
        return f"{goal.left} {goal.operator} {goal.right}"
    if not goal.arguments:
        return goal.name
    inner = [_goal(part) if isinstance(part, Literal) else part for part in goal.arguments]
    if goal.name == "\\+":
        return f"\\+ {inner[0]}"
    return f"{atom(goal.name)}({', '.join(inner)})"


def _texts(column: Column) -> Iterable[str]:
    return numbers(column) if isinstance(column, np.ndarray) else map(term, column)


@lru_cache(4096, typed=True)  # a program repeats a few dozen names thousands of times
def term(value: str | float, word: Callable[[str], str] = atom) -> str:
    """A name, a count or a number; `word` writes names."""
    if isinstance(value, str):
        return word(value)
    return str(value) if isinstance(value, int) else exact(value)
