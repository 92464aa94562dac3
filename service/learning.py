"""Rules learned from labelled programs, JSON in and out: what the HTTP service runs in a process of its own."""

import json
import os
import resource
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from service.errors import failure
from service.theories import sent_rules
from symbolic import Engine, Rules, TimeLimitError
from symbolic.learning import Options, Situation, Theory, ask_next, learn
from symbolic.learning.observing import Signature, defined, observe, of_rules, predicates_of, situation

MOST_BYTES = 2**31
"""Of memory, all in all."""


def main() -> None:
    """Reads a lesson from standard input and writes what is learned from it to standard output, or why nothing is."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    os.nice(10)  # questions go first
    try:
        found = learned(json.load(sys.stdin))
    except MemoryError:
        found = {"refused": "these scenes take too much memory: send fewer, or such with fewer objects"}
    except TimeLimitError as error:
        found = {"late": str(error)}
    except Exception as error:
        told = failure(error)
        if told is None or told.exit_status != 2:
            raise
        found = {"refused": str(error)}
    json.dump(found, sys.stdout)


def learned(lesson: Mapping[str, Any]) -> dict[str, Any]:
    """The members of `Learned` in api/schemas.py, with scenes by their number.

    lesson: `programs`; the label and task, or null, of the first of them in `labels` and `tasks`; `options`; the
    `signatures` of what may stand in rules; `rules` of which what they say of objects may, too. Raises SymbolicErrors.
    """
    labels, tasks = lesson["labels"], lesson["tasks"]
    signatures = [Signature(**{**each, "symmetric": tuple(each["symmetric"])}) for each in lesson["signatures"]]
    options = Options(**{**lesson["options"], "only": tuple(lesson["options"]["only"])})
    rules = sent_rules(lesson["rules"])
    signatures += [signature for file in rules for signature in of_rules(file.text)]
    if rules and not any("task/1" in defined(file.text) for file in rules):
        rules = (*rules, Rules("task", "task(_) :- fail.\n"))  # what they say of tasks they do not say of objects
    programs = ((str(number), text) for number, text in enumerate(lesson["programs"]))
    with Engine() as engine:
        seen = list(observe(partial(engine.ask, rules=rules, limit=1), programs, signatures))
    predicates = predicates_of(signatures, seen)
    situations = [situation(each, predicates, task) for each, task in zip_longest(seen, tasks)]
    shown, unlabelled = situations[: len(labels)], situations[len(labels) :]
    found = learn(shown, labels, predicates, options)
    said = [theory.predict(unlabelled) for theory in found.theories]
    return {
        "rules": found.theory.write(),
        "clauses": [*_clauses(found.theory, shown, labels)],
        "default": found.theory.default,
        "errors": found.theory.errors,
        "cut": found.cut,
        "pictures": found.theory.predict(shown),
        "unlabelled": said[0],
        "rivals": [theory.write() for theory in found.rivals],
        "next": [(number, [told[number] for told in said]) for number in ask_next(found, unlabelled)],
    }


def _clauses(theory: Theory, situations: Sequence[Situation], labels: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Each clause, and how many of the situations that it decides it decides rightly and wrongly."""
    left = list(zip(situations, labels, strict=True))
    for clause, text in zip(theory.clauses, theory.lines()[1:-1], strict=True):  # between label/1 and the default
        decided = [label for each, label in left if clause.holds(each)]
        left = [(each, label) for each, label in left if not clause.holds(each)]
        right = decided.count(clause.label)
        yield {"label": clause.label, "clause": text, "right": right, "wrong": len(decided) - right}
