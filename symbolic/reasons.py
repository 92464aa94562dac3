"""Why a goal has an answer, and why it has none, as worker processes write it (why_json.pl)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from predinet_prolog.symbolic.replies import Told


@dataclass(frozen=True)
class Step(Told):
    """What proofs and misses have in common.

    goal: its text, with the values that its variables got.
    by: what makes it true: fact, default (a fact that holds for no rule before it does), clause, builtin, comparison,
        conjunction (of a query), negation, forall, findall, axes (comparisons on many axes, summed up in words),
        too_deep (true, but the proof is not followed so far down) or cut_off (there was too much to tell). Of a miss
        also no_clause, where neither a fact nor a clause matches, or too_much_to_say.
    source: of a fact or clause, "program" or the name of the rules.
    clause: of a clause, its text on one line, the variables named as there.
    confidence: the probability, 0 to 1, that the program gives the goal, if it says one: a program may define
        `confidence(Goal, P)`. Four decimals. Of a miss, the probability that the goal is true after all.
    left, right: of a comparison, its two values, up to nine digits.
    expression: of a comparison, the goal before both sides were worked out, if that was anything to do.
    tells: of a goal about a relation, such as near(r4, X, Y, T), the relation and what it tells, "r4: shape", if the
        program says it: a program may define `tells(Relation, What)`.
    """

    goal: str
    by: str
    source: str | None = None
    clause: str | None = None
    confidence: float | None = None
    left: float | None = None
    right: float | None = None
    expression: str | None = None
    tells: str | None = None


@dataclass(frozen=True)
class Proof(Step):
    """Why a goal is true: a tree, whose leaves are facts and calls of what is built in.

    because: proofs of the clause's literals; of forall, of each case; of findall, of each solution. Of the cases the
        first 20, then one that is cut_off.
    nearest: how near came what a negation denies, the first of a findall without solutions, a rule before a default.
    """

    parts = MappingProxyType({"because": lambda: Proof, "nearest": lambda: Miss})

    because: tuple[Proof, ...] = ()
    nearest: Miss | None = None


@dataclass(frozen=True)
class Miss(Step):
    """Why a goal has no answer: of all the ways that were tried, the one that came furthest, down to what failed.

    miss: of a comparison, how much the values differ.
    result: of a findall, what it would have been; `found` in JSON.
    proved: proofs of the literals of the clause before the one that fails; of a negation, of what it denies.
    because: the miss of the literal that fails, if there is more to say.
    """

    parts = MappingProxyType({"proved": lambda: Proof, "because": lambda: Miss})

    miss: float | None = None
    result: str | None = None
    proved: tuple[Proof, ...] = ()
    because: tuple[Miss, ...] = ()
