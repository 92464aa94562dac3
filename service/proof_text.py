"""Proofs and nearest misses as lines for people: what follows from what, by indentation."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from predinet_prolog.bridge.vocabulary import GIVEN
from predinet_prolog.service.prolog_text import write_answer
from predinet_prolog.symbolic import Answer, Miss, Proof

W = TypeVar("W", Proof, Miss)
AXES = "axes"
"""What a step is by that sums up comparisons on many axes; its goal is a sentence."""
_REMARKS = {
    "fact": "fact",
    "default": "no rule before it holds",
    "builtin": "built in",
    "conjunction": "all of these",
    "negation": "nothing proves what it denies",
    "forall": "in each of these cases",
    "findall": "from these solutions",
    "too_deep": "true, and not followed any further",
    "cut_off": "and more",
    "no_clause": "no fact or rule matches",
    "too_much_to_say": "there is no time to tell why",
}
_FAILED = {
    "builtin": "not so",
    "conjunction": "one of these does not hold",
    "negation": "but this holds",
    "too_deep": "false, and not followed any further",
}
_VALUE = re.compile(r"\d\.\d|^\.\.\.$")
"""Values are always worth a line; so is the end of what is told."""


class Step(NamedTuple):
    """One line of a proof."""

    depth: int
    """Of its indentation; 0 for the goal itself."""
    goal: str
    remark: str
    holds: bool
    is_leaf: bool
    """Whether nothing stands below it."""
    confidence: str = ""
    """How likely the goal is to be true, in words, if the program says it."""


def steps(why: Proof | Miss, *, numbers: bool = False) -> list[Step]:
    """The lines of a proof or a miss, from the goal down.

    What was proved above is not proved again, and a leaf without values that stands above is not written again. Of
    comparisons on many axes one line says how they end; with `numbers`, each of them has its own.
    """
    goals: set[str] = set()
    if isinstance(why, Proof):
        return list(_proof(_opened(why) if numbers else why, 0, goals))
    return list(_miss(_opened_miss(why) if numbers else why, 0, goals))


def write_steps(lines: Sequence[Step], *, indent: int = 0) -> str:
    """Text of the lines, what does not hold marked by ✗, and remarks as Prolog's comments."""
    starts = [f"{'  ' * (indent + line.depth)}{goal_text(line)}  {line.confidence}".rstrip() for line in lines]
    width = min(max(map(len, starts), default=0), 60)
    remarks = [f"  % {line.remark}" if line.remark else "" for line in lines]
    return "".join(
        f"{start.ljust(width)}{remark}".rstrip() + "\n" for start, remark in zip(starts, remarks, strict=True)
    )


def answer_text(answer: Answer) -> str:
    """The answer in the manner of Prolog's toplevel, with its confidence if it has one."""
    return f"{write_answer(answer)} {_confidence(answer.confidence)}".rstrip()


def goal_text(line: Step) -> str:
    """The goal, with its mark."""
    return line.goal if line.holds else f"✗ {line.goal}"


def likelihood(confidence: float) -> str:
    """A probability in two decimals, and in all there are near 0 and 1."""
    return f"{confidence:.2f}" if 0.01 <= confidence <= 0.99 else f"{confidence:g}"


def _confidence(confidence: float | None, goal: str = "", *, holds: bool = True) -> str:
    """A goal's confidence, empty if there is none. Of a goal that fails it is said what the number is of."""
    if confidence is None:
        return ""
    what = "score" if goal.partition("(")[0] in GIVEN else "confidence"  # of what was told
    return f"({what} {likelihood(confidence)}{'' if holds else ' that it holds'})"


def _opened(proof: Proof) -> Proof:
    """The same with comparisons on axes in place of the step that sums them up."""
    return replace(
        proof,
        because=_spliced(map(_opened, proof.because)),
        nearest=None if proof.nearest is None else _opened_miss(proof.nearest),
    )


def _opened_miss(miss: Miss) -> Miss:
    causes = tuple(map(_opened_miss, miss.because))
    proved = (*map(_opened, miss.proved), *(part for cause in causes if cause.by == AXES for part in cause.proved))
    return replace(miss, proved=_spliced(proved), because=_spliced(causes))


def _spliced(parts: Iterable[W]) -> tuple[W, ...]:
    return tuple(step for part in parts for step in (part.because if part.by == AXES else (part,)))


def _proof(proof: Proof, depth: int, goals: set[str]) -> Iterator[Step]:
    if proof.by == AXES:
        yield Step(depth, proof.goal, "", True, True)
        return
    below = bool(proof.because or proof.nearest)
    if below and proof.goal in goals:
        yield Step(depth, proof.goal, "as above", True, True)
        return
    if proof.goal in goals and not _VALUE.search(proof.goal):
        return
    goals.add(proof.goal)
    remark = _remark(proof, goals)
    if proof.by == "findall" and not proof.because:
        remark = "no solution"
    remark = f"{remark}; nearest:" if proof.nearest else remark
    yield Step(depth, proof.goal, remark, True, not below, _confidence(proof.confidence, proof.goal))
    for part in proof.because:
        yield from _proof(part, depth + 1, goals)
    if proof.nearest is not None:
        yield from _miss(proof.nearest, depth + 1, goals, briefly=True)


def _miss(miss: Miss, depth: int, goals: set[str], *, briefly: bool = False) -> Iterator[Step]:
    """`briefly`: what does hold is not proved."""
    if miss.by == AXES:
        yield Step(depth, miss.goal, "", False, True)
        return
    if miss.miss is not None:
        remark = f"misses by {miss.miss:g}" + (f": {miss.expression}" if miss.expression else "")
    elif miss.result is not None:
        remark = f"the result is {miss.result}"
    else:
        remark = _remark(miss, goals)
    confidence = _confidence(miss.confidence, miss.goal, holds=False)
    yield Step(depth, miss.goal, remark, False, not (miss.proved or miss.because), confidence)
    for part in miss.proved:
        if not briefly:
            yield from _proof(part, depth + 1, goals)
        elif part.goal not in goals or _VALUE.search(part.goal):
            yield Step(depth + 1, part.goal, _remark(part, goals), True, True, _confidence(part.confidence, part.goal))
    for cause in miss.because:
        yield from _miss(cause, depth + 1, goals, briefly=briefly)


def _remark(why: Proof | Miss, goals: set[str]) -> str:
    """What makes the step so, or what it fails for; and what its relation tells, unless that was `told` above."""
    failed = _FAILED.get(why.by) if isinstance(why, Miss) else None
    remark = _origin(why) or failed or _REMARKS.get(why.by, why.by)
    if why.tells is None or why.tells in goals:
        return remark
    goals.add(why.tells)
    return f"{remark}; {why.tells}"


def _origin(why: Proof | Miss) -> str:
    """Where a clause or a fact stands, and what a comparison compares; empty for everything else."""
    if why.by == "comparison":
        return why.expression or "compared"
    if why.by == "clause":
        return "rule" if why.source == "program" else f"rule of {why.source}"
    if why.by in ("fact", "default") and why.source != "program":
        return f"fact of {why.source}" + f"; {_REMARKS[why.by]}" * (why.by == "default")
    return "given" if why.by == "fact" and why.goal.partition("(")[0] in GIVEN else ""
