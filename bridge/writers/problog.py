"""Programs for ProbLog: what was learned holds with a probability, pair by pair, and as kinds.

Written for ProbLog 2.3: `problog scene.problog` answers the `query/1` facts that rules beside it add.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from math import floor
from types import MappingProxyType

from predinet_prolog.bridge.clauses import nothing
from predinet_prolog.bridge.likelihoods import (
    BAND,
    Likelihoods,
    components,
    likelihoods,
    looks_are,
    looks_imply,
    parted,
    texts_of,
)
from predinet_prolog.bridge.named import named_facts, named_rules
from predinet_prolog.bridge.program import ModelRules, PlainColumn, Program, values
from predinet_prolog.bridge.terms import number
from predinet_prolog.bridge.vocabulary import GIVEN
from predinet_prolog.bridge.writers.header import behind_header, whole
from predinet_prolog.bridge.writers.prolog import clause_text, comments, fingerprint, origin, term, write_sections
from predinet_prolog.quoting.problog import atom, constant

MOST_DOUBTFUL = 12
"""Pairs of one predicate that may be in doubt before a question about several of them takes long."""
_ABOUT, _RULES = texts_of("alike.problog")


def write_problog(program: Program) -> str:
    """The program as text. Raises UngroundedError if its model tells nothing by name."""
    likely = likelihoods(program)
    about = comments(*origin(program, "a ProbLog program"), *map("warning  {}".format, warnings(likely)), "")
    body = "\n\n".join(
        [
            f"{about}\n{comments(*_ABOUT.splitlines())}",
            _facts("image", [[program.provenance.image.name]]),
            *(_facts(*fact, doubts=_doubts(program, fact[0])) for fact in named_facts(program)),
            learned(likely),
            "\n".join(_agreement(looks_imply(program), looks_are(program, likely))),
            # ProbLog warns of \==, which is \= where both sides are known.
            write_sections(named_rules(program)).replace(" \\== ", " \\= ") + "\n",
        ]
    )
    return behind_header(body, program.provenance, _fingerprint(program.rules))


def learned(likely: Likelihoods) -> str:
    """What was learned, pair by pair and as kinds."""
    return "\n\n".join(
        [
            *("\n".join(_of_predicate(likely, predicate)) for predicate in likely.of),
            *(clause_text(nothing(name, arity)) for name, arity in (("alike", 3), ("grouping", 2))),
            f":- use_module(library(lists)).\n{_RULES}",
            "\n".join(f"{predicate}(X, Y) :- pair({predicate}, X, Y)." for predicate in likely.of),
        ]
    )


def warnings(likely: Likelihoods) -> list[str]:
    """Why questions to the program may take long, one line each."""
    return likely.doubts(MOST_DOUBTFUL, "a question that joins several may take ProbLog minutes")


def _agreement(implied: list[str], attributes: list[str]) -> Iterator[str]:
    """When looks contradict the ones, which they imply, and the others, which they are together."""
    yield from (f"disagree :- same(X, Y), \\+ {attribute}(X, Y)." for attribute in implied)
    if attributes:
        yield f"disagree :- {', '.join(f'{attribute}(X, Y)' for attribute in attributes)}, \\+ same(X, Y)."
    if not implied:
        yield "disagree :- fail."


def _facts(name: str, columns: Sequence[PlainColumn], doubts: Mapping[str, float] = MappingProxyType({})) -> str:
    """A fact a row; `doubts`: by its first argument, how likely one is that is not certain."""
    word = atom if name in GIVEN else constant
    rows = zip(*([term(value, word) for value in column] for column in columns), strict=True)
    shares = {name: f"{number(share)}::" for name, share in doubts.items()}
    lines = [f"{shares.get(row[0], '')}{name}({', '.join(row)})." for row in rows]
    return "\n".join(lines) or clause_text(nothing(name, len(columns)))


def _doubts(program: Program, predicate: str) -> Mapping[str, float]:
    """How likely a thing is what it is called, by its name, where a detector is not certain."""
    if predicate != "category" or "score" not in program.facts:
        return {}
    return {name: score for name, score in zip(*map(values, program.facts["score"]), strict=True) if score < 1}


def _of_predicate(likely: Likelihoods, predicate: str) -> Iterator[str]:
    for first, second, probability in likely.pairs(predicate):
        if probability >= BAND:
            share = "" if probability > 1 - BAND else f"{number(probability)}::"
            yield f"{share}alike({predicate}, {first}, {second})."
    for group in components(likely.of[predicate]):
        if len(group) > 1:
            yield "; ".join(_groupings(likely, predicate, group)) + "."


def _groupings(likely: Likelihoods, predicate: str, group: list[int]) -> Iterator[str]:
    ways = parted(likely.of[predicate], group)
    sure = ways[0][0] > 1 - BAND
    for probability, kinds in ways[:1] if sure else ways:
        groups = ", ".join(f"[{', '.join(likely.objects[index] for index in kind)}]" for kind in kinds)
        # Rounded down: of shares above 1 together ProbLog makes nothing.
        share = "" if sure else f"{floor(probability * 1e6) / 1e6:.6f}::"
        yield f"{share}grouping({predicate}, [{groups}])"


def _fingerprint(rules: ModelRules) -> str:
    return sha256(f"{_ABOUT}{_RULES}{fingerprint(rules)}".encode()).hexdigest()[:16]


is_current = whole(_fingerprint)
