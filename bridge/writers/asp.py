"""Answer set programs: facts in whole numbers, and a choice of what is alike. The best answer set has the likeliest way
to part the objects into kinds.

Written for clingo 5.8: `clingo scene.lp rules.lp`. Its integers have 32 bits and wrap without a word.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import combinations

import numpy as np

from predinet_prolog.bridge.clauses import Comparison, Goal, Literal
from predinet_prolog.bridge.compiled import Clauses
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.likelihoods import Likelihoods, components, likelihoods, looks_are, looks_imply, texts_of
from predinet_prolog.bridge.named import NamedFacts, named_facts, named_rules, needs
from predinet_prolog.bridge.program import ModelRules, Program
from predinet_prolog.bridge.resolution import Resolution
from predinet_prolog.bridge.vocabulary import GIVEN, vocabulary_of
from predinet_prolog.bridge.writers.header import behind_header, whole
from predinet_prolog.bridge.writers.prolog import comments, fingerprint, origin
from predinet_prolog.quoting.asp import atom, constant

SCALE = 1000
"""What numbers other than counts are multiplied by, and log-odds: three digits after the point are kept."""
MOST_DOUBTFUL = 100
"""Pairs of one predicate that may be in doubt before the likeliest kinds take long to find."""
_MOST = 2**31 - 1
_ABOUT, _RULES = texts_of("alike.lp")


def write_asp(program: Program) -> str:
    """The program as text. Raises UngroundedError if its model names nothing, BridgeError for too large a number."""
    likely = likelihoods(program)
    facts = named_facts(program)
    about = comments(*origin(program, "an answer set program"), *map("warning  {}".format, warnings(likely)), "")
    body = "\n\n".join(
        [
            f"{about}\n{comments(*_ABOUT.splitlines())}",
            f"scale({SCALE}).\nimage({atom(program.provenance.image.name)}).",
            *(_facts(name, zip(*columns, strict=True), len(columns)) for name, columns in facts),
            learned(likely),
            *filter(None, ["\n".join(_agreement(looks_imply(program), looks_are(program, likely)))]),
            "\n\n".join(_deduced(program, facts, likely)) + "\n",
        ]
    )
    return behind_header(body, program.provenance, _fingerprint(program.rules))


def learned(likely: Likelihoods) -> str:
    """What was learned, and the choice of what is alike."""
    return "\n\n".join(
        [
            *("\n".join(_log_odds(likely, predicate)) for predicate in likely.of),
            f"#defined log_odds/4.\n{_RULES}",
            "\n".join(f"{predicate}(X, Y) :- alike({predicate}, X, Y)." for predicate in likely.of),
        ]
    )


def warnings(likely: Likelihoods) -> list[str]:
    """Why the best answer set may take long, one line each."""
    return likely.doubts(MOST_DOUBTFUL, "to find the likeliest kinds may take clingo minutes")


def _log_odds(likely: Likelihoods, predicate: str) -> Iterator[str]:
    odds = likely.of[predicate]
    for group in components(odds):
        for first, second in combinations(group, 2):
            probability = float(np.clip(odds[first, second], 1e-9, 1 - 1e-9))
            weight = round(SCALE * float(np.log(probability / (1 - probability))))
            yield f"log_odds({predicate}, {likely.objects[first]}, {likely.objects[second]}, {weight})."


def _agreement(implied: list[str], attributes: list[str]) -> Iterator[str]:
    """That looks imply the ones, and are the others together."""
    yield from (f":- alike(same, X, Y), not alike({attribute}, X, Y)." for attribute in implied)
    if attributes:
        yield f":- {', '.join(f'alike({attribute}, X, Y)' for attribute in attributes)}, not alike(same, X, Y)."


def _deduced(program: Program, facts: NamedFacts, likely: Likelihoods) -> Iterator[str]:
    """What follows by the clauses that end the program: as facts, for whole numbers are too coarse for the arithmetic;
    what rests on learned predicates as rules."""
    clauses = [clause for section in named_rules(program) for clause in section]
    # What was told stays one fact: its rules are as short.
    rules, chosen = [], {"attribute/3", *(f"{predicate}/2" for predicate in likely.of)}
    while more := [
        clause for clause in clauses if clause not in rules and chosen & {clause.head.indicator, *needs(clause)}
    ]:
        rules += more
        chosen |= {clause.head.indicator for clause in more}
    heads = {clause.head.indicator for clause in clauses} - chosen
    derived = [  # of things that need not be given first
        predicate
        for predicate in vocabulary_of(program.rules.dialect)
        if predicate.indicator in heads and predicate.arguments[0].type == "object"
        if all(argument.mode != "+" for argument in predicate.arguments)
    ]
    tabled = {(predicate.name, len(predicate.arguments)) for predicate in derived}
    # Of one name the first counts: colour/4, which clauses read, and not the words that follow from it.
    resolution = Resolution(dict(reversed(facts)), Clauses(clause for clause in clauses if clause not in rules), tabled)
    for relation in derived:
        arity = len(relation.arguments)
        yield _facts(relation.name, resolution.rows(relation.name, arity), arity)
    if rules:
        bodies = (", ".join(_goal(goal) for line in clause.body for goal in line) for clause in rules)
        yield "\n".join(f"{_goal(clause.head)} :- {body}." for clause, body in zip(rules, bodies, strict=True))


def _goal(goal: Goal) -> str:
    if isinstance(goal, Comparison):
        assert goal.operator == "\\==", "arithmetic is done before anything is chosen"
        return f"{goal.left} != {goal.right}"
    if goal.name == "\\+":
        (denied,) = goal.arguments
        assert isinstance(denied, Literal)
        return f"not {_goal(denied)}"
    return f"{goal.name}({', '.join(map(str, goal.arguments))})"


def _facts(name: str, rows: Iterable[tuple[str | float, ...]], arity: int) -> str:
    word = atom if name in GIVEN else constant
    if name == "attribute":  # some tell 3 where they mean 3.0
        rows = list(rows)
        scaled = {key for _, key, value in rows if isinstance(value, float)}
        rows = [
            (thing, key, float(value) if key in scaled and isinstance(value, int) else value)
            for thing, key, value in rows
        ]
    lines = [f"{name}({', '.join(_term(value, word) for value in row)})." for row in rows]
    return "\n".join(lines) or f"#defined {name}/{arity}."


def _term(value: str | float, word: Callable[[str], str]) -> str:
    """A name, a count, or a number times the scale; `word` writes names."""
    if isinstance(value, str):
        return word(value)
    number = value if isinstance(value, int) else round(SCALE * value)
    if abs(number) > _MOST:
        remedy = "use a smaller picture, or leave out what tells it"
        raise BridgeError(f"{value} cannot be written for clingo, whose integers have 32 bits: {remedy}")
    return str(number)


def _fingerprint(rules: ModelRules) -> str:
    return sha256(f"{_ABOUT}{_RULES}{SCALE}{fingerprint(rules)}".encode()).hexdigest()[:16]


is_current = whole(_fingerprint)
