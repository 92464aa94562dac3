"""Rules learned from labelled programs, JSON in and out: what the HTTP service runs in a process of its own."""

import json
import os
import resource
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

from predinet_prolog.bridge.vocabulary import GIVEN
from predinet_prolog.service.errors import failure
from predinet_prolog.service.theories import sent_rules
from predinet_prolog.symbolic import Engine, Rules, TimeLimitError
from predinet_prolog.symbolic.learning import MODES, Learned, Options, Predicate, Situation, Theory, ask_next, learn
from predinet_prolog.symbolic.learning.choosing import HELD_BACK
from predinet_prolog.symbolic.learning.observing import Signature, defined, observe, of_rules, predicates_of, situation

MOST_BYTES = 2**31
"""Of memory, all in all."""


def main() -> None:
    """Reads a lesson from standard input and writes what is learned from it to standard output, or why nothing is."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    os.nice(10)  # questions go first
    try:
        reply = learned(json.load(sys.stdin))
    except MemoryError:
        reply = {"refused": "these scenes take too much memory: send fewer, or such with fewer objects"}
    except TimeLimitError as error:
        reply = {"late": str(error)}
    except Exception as error:
        entry = failure(error)
        if entry is None or entry.exit_status != 2:
            raise
        reply = {"refused": str(error)}
    json.dump(reply, sys.stdout)


def learned(lesson: Mapping[str, Any]) -> dict[str, Any]:
    """The members of `Learned` in api/schemas.py.

    lesson: `scenes` by name and their `programs`; the label and task, or null, of the first in `labels` and `tasks`;
    `options`; the `signatures` of what may stand in rules; `rules` of which what they say of objects may, too. Raises
    SymbolicErrors.
    """
    labels, tasks = lesson["labels"], lesson["tasks"]
    signatures = [
        Signature(**{**signature, "symmetric": tuple(signature["symmetric"])}) for signature in lesson["signatures"]
    ]
    options = Options(**{**lesson["options"], "only": tuple(lesson["options"]["only"])})
    rules = sent_rules(lesson["rules"])
    signatures += [signature for file in rules for signature in of_rules(file.text)]
    if rules and not any("task/1" in defined(file.text) for file in rules):
        rules = (*rules, Rules("task", "task(_) :- fail.\n"))  # what they say of tasks they do not say of objects
    programs = ((str(number), text) for number, text in enumerate(lesson["programs"]))
    with Engine() as engine:
        observations = list(observe(partial(engine.ask, rules=rules, limit=1), programs, signatures))
    predicates = predicates_of(signatures, observations)
    situations = [situation(observation, predicates, task) for observation, task in zip_longest(observations, tasks)]
    labelled, unlabelled = situations[: len(labels)], situations[len(labels) :]
    result = by_name(lambda chosen: learn(labelled, labels, predicates, chosen), signatures, predicates, options)
    said = [theory.predict(unlabelled) for theory in result.theories]
    scenes, further = lesson["scenes"][: len(labels)], lesson["scenes"][len(labels) :]
    pictures = zip(scenes, labels, result.theory.predict(labelled), strict=True)
    clauses = decided(result.theory, labelled, labels)[:-1]
    texts = result.theory.lines()[1:-1]  # between label/1 and the default
    return {
        **outcome(result, "scene", scenes, labels),
        "clauses": [{**clause, "clause": text} for clause, text in zip(clauses, texts, strict=True)],
        "default": result.theory.default,
        "pictures": [{"scene": scene, "label": label, "said": label_said} for scene, label, label_said in pictures],
        "unlabelled": [{"scene": scene, "said": label} for scene, label in zip(further, said[0], strict=True)],
        "next": [{"scene": further[n], "said": [labels[n] for labels in said]} for n in ask_next(result, unlabelled)],
    }


def by_name(
    learn: Callable[[Options], Learned],
    signatures: Sequence[Signature],
    predicates: Sequence[Predicate],
    options: Options,
) -> Learned:
    """What `learn` makes of the pictures with the fewest doubts. Where things were told, what they are called comes
    first, and what rules of the user's own say; then how such things lie to each other; then all there is: thousands of
    conjunctions that speak of nobody in particular fit few pictures by accident.
    """
    given = {row.name for row in signatures if row.name in GIVEN}
    words = {row.name for row in signatures if row.checks or (row.valued and row.name in given)}
    there, attempts = {predicate.name for predicate in predicates}, list[Learned]()
    for step in (words, words | given) if given and not options.only else ():
        if step & there:
            attempts.append(learn(replace(options, only=tuple(sorted(step & there)))))
            if not _doubts(attempts[-1]):
                return attempts[-1]
    return min([*attempts, learn(options)], key=_doubts)


def _doubts(learned: Learned) -> float:
    """Labels that are not explained, those that were held back counting more."""
    if not learned.trials:
        return learned.theory.errors
    trial = learned.trials[0]
    return trial.errors + HELD_BACK * (trial.judged - trial.right)


def outcome(learned: Learned, key: str, names: Sequence[str], labels: Sequence[str]) -> dict[str, Any]:
    """What the command line and HTTP say of it alike; `key`: what the names of pictures or examples are called."""
    best = next(iter(learned.trials), None)
    tried = {MODES[trial.noisy]: trial.right for trial in learned.trials}
    return {
        "rules": learned.theory.write(),
        "errors": learned.theory.errors,
        "cut": learned.cut,
        "mode": MODES[learned.noisy],
        "held_back": best
        and {"learned_from": best.learned_from, "n": best.judged, "right": best.right, "tried": tried},
        "again": [
            {key: names[doubt.number], "label": labels[doubt.number], "against": [names[n] for n in doubt.against]}
            for doubt in learned.doubts
        ],
        "rivals": [rival.write() for rival in learned.rivals],
    }


def decided(theory: Theory, situations: Sequence[Situation], labels: Sequence[str]) -> list[dict[str, Any]]:
    """Of each clause, and last of the default, its label and how many situations it decides rightly and wrongly."""
    names = [*(clause.label for clause in theory.clauses), theory.default]
    deciding = (
        next((n for n, clause in enumerate(theory.clauses) if clause.holds(situation)), len(theory.clauses))
        for situation in situations
    )
    counts = Counter((n, names[n] == label) for n, label in zip(deciding, labels, strict=True))
    return [{"label": name, "right": counts[n, True], "wrong": counts[n, False]} for n, name in enumerate(names)]
