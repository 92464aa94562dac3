"""How likely each answer is where a detector is not certain: a thing is what it is called with the probability of its
score, whatever others are.

Of up to MOST things in doubt every world is asked, in which some are what they are called and others are not: that is
exact. Beyond that, and where pixels were looked at, ProbLog works it out from the program that is written for it.
"""

import json
import re
import subprocess
import sys
from collections import ChainMap, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice, product
from math import prod
from typing import Any

from predinet_prolog.bridge import Program
from predinet_prolog.bridge.program import Column, values
from predinet_prolog.bridge.writers.prolog import write_each
from predinet_prolog.neural.model import NO_MODEL
from predinet_prolog.quoting.prolog import atom
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.pipeline import View
from predinet_prolog.service.streams import note
from predinet_prolog.symbolic import Answer, Answers, Engine, Rules, TimeLimitError

MOST = 12
"""Things in doubt: 4,096 worlds take a second or two, and one thing more twice as long."""
WORLDS = 256
"""That are asked at a time."""
SECONDS = 60.0
"""That ProbLog may take."""
_PROBLOG = """
import json, sys
from problog import get_evaluatable
from problog.program import PrologString

def plain(term):
    name = term.functor
    return name[1:-1] if isinstance(name, str) and name[:1] == "'" else name if not term.args else str(term)

found = get_evaluatable().create_from(PrologString(sys.stdin.read())).evaluate()
print(json.dumps([[[plain(value) for value in term.args], share] for term, share in found.items() if term.is_ground()]))
"""


@dataclass(frozen=True)
class Likely:
    """An answer, and how likely it is."""

    answer: Answer
    probability: float

    def to_json(self) -> dict[str, Any]:
        """Everything by name."""
        return {"bindings": self.answer.bindings, "probability": round(self.probability, 6)}


def odds(view: View, engine: Engine, goal: str, rules: Sequence[Rules]) -> list[Likely]:
    """The answers of the goal in what was seen and told, the likeliest first. Raises what asking it raises, and
    UsageError for more things in doubt than are worked out here where ProbLog is not installed, or cannot answer. Notes
    what the goal may have been meant to say."""
    note(*engine.ask(view.text, goal, rules=rules, limit=1).hints)
    doubts = _doubts(view.program)
    exact = view.model is NO_MODEL and len(doubts) <= MOST
    answers = _by_worlds(view.program, doubts, engine, goal, rules) if exact else _by_problog(view, engine, goal, rules)
    return sorted(answers, key=lambda answer: -answer.probability)


def _doubts(program: Program) -> dict[str, float]:
    """Of each thing of which it is not certain what it is called, its score."""
    scores = dict(zip(*map(values, program.facts["score"]), strict=True)) if "score" in program.facts else {}
    named = program.facts["category"][0] if "category" in program.facts else ()
    return {str(name): float(scores[name]) for name in named if scores.get(name, 1) < 1}


def _by_worlds(
    program: Program, doubts: dict[str, float], engine: Engine, goal: str, rules: Sequence[Rules]
) -> list[Likely]:
    words = re.findall(r"\w+", " ".join([goal, *(file.text for file in rules)]))
    answers, shares = dict[str, Answer](), defaultdict[str, float](float)
    worlds = product((True, False), repeat=len(doubts))
    while some := list(islice(worlds, WORLDS)):
        asked = engine.ask_each(
            *write_each([_world(program, doubts, world) for world in some], words), goal, rules=rules
        )
        for world, outcome in zip(some, asked.pictures, strict=True):
            if not isinstance(outcome, Answers):
                raise outcome
            if outcome.more:
                raise UsageError("the goal has more answers than --limit: ask for fewer, or raise it")
            share = prod(score if held else 1 - score for score, held in zip(doubts.values(), world, strict=True))
            of_world = {json.dumps(answer.bindings): answer for answer in outcome.answers}
            answers |= of_world
            for bindings in of_world:
                shares[bindings] += share
    return [Likely(answers[bindings], share) for bindings, share in shares.items()]


def _world(program: Program, doubts: dict[str, float], held: Sequence[bool]) -> Program:
    """The program in which those things in doubt alone that are `held` are what they are called."""
    denied = {name for name, holds in zip(doubts, held, strict=True) if not holds}
    rows = [row for row in zip(*program.facts["category"], strict=True) if row[0] not in denied] if denied else None
    if rows is None:
        return program
    category: list[Column] = [[str(row[0]) for row in rows], [row[1] for row in rows]]
    return replace(program, facts=ChainMap({"category": category}, program.facts))  # type: ignore[arg-type]


def _by_problog(view: View, engine: Engine, goal: str, rules: Sequence[Rules]) -> Iterator[Likely]:
    if find_spec("problog") is None:
        raise UsageError(
            f"more than {MOST} things are in doubt, or pixels were looked at: that is worked out by ProbLog: "
            "pip install problog, or leave out what is unsure by --min-score"
        )
    variables = engine.ask_each(view.text, (), goal, rules=rules).variables
    head = f"answer({', '.join(variables)})" if variables else "answer"
    asked = f"{head} :- {goal.rstrip().rstrip('.')}.\nquery({head})."
    parts = [view.write("problog"), *(file.text for file in rules), asked]
    try:
        run = subprocess.run(
            [sys.executable, "-c", _PROBLOG], input="\n".join(parts), capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise TimeLimitError(f"ProbLog took more than {SECONDS:g} s: leave out what is unsure by --min-score") from None
    if run.returncode:
        raise UsageError(f"ProbLog cannot answer that: {run.stderr.strip().splitlines()[-1]}")
    for arguments, share in json.loads(run.stdout):
        if share > 0:
            bindings = dict(zip(variables, arguments, strict=True))
            text = {name: atom(value) if isinstance(value, str) else str(value) for name, value in bindings.items()}
            yield Likely(Answer(bindings, text=text), share)
