"""Rules learned from labelled pictures: what every user of the learner shares."""

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from bridge import write_prolog
from bridge.program import sections_of
from bridge.vocabulary import VOCABULARY, Predicate, base_facts_of
from service.pipeline import AnyView
from symbolic.learning import Options, Situation, learn, learn_predicate
from symbolic.learning import Predicate as Learnable
from symbolic.learning.observing import Signature

SHARE = 5
"""One in so many pictures is held back to judge what is learned from the others."""


def signatures(indicators: Collection[str]) -> tuple[Signature, ...]:
    """What the vocabulary has to say of objects alone, or of an object and a word, of what programs define, as in
    `same/2`; in its order."""
    known = {row.name for row in VOCABULARY}
    alike = (each.removesuffix("/2") for each in sorted(indicators) if each.startswith("same_") and each.endswith("/2"))
    attributes = [name.removeprefix("same_") for name in alike if name not in known]
    learned = {
        "same_A": [f"same_{attribute}" for attribute in attributes],
        "A": [name for attribute in attributes for name in (attribute, f"{attribute}_is")],
    }
    found = (_signature(name, row) for row in VOCABULARY for name in learned.get(row.name, [row.name]))
    return tuple(dict.fromkeys(each for each in found if each and each.indicator in indicators))


def _signature(name: str, row: Predicate) -> Signature | None:
    """None for what speaks of other things than objects, or says that they are there."""
    types = [argument.type for argument in row.arguments]
    objects = types.count("object")
    if not 1 <= objects <= 3 or types not in (["object"] * objects, ["object"] * objects + ["word"]):
        return None
    valued = types[-1] == "word"
    if objects == 1 and not valued:  # object/1 and background/1
        return None
    # What the learned ones, which all say that things are the same, say the opposite of has a name of its own.
    negation = f"unlike{name.removeprefix('same')}" if row.source == "learned" and row.symmetric else None
    return Signature(name, objects, row.symmetric, valued, negation)


def text_of(view: AnyView) -> str:
    """Its program without the propositions, more than half of it: no predicate of objects hangs on them."""
    program = view.program
    kept = base_facts_of(program.place)
    facts = {name: columns for name, columns in program.facts.items() if name in kept}
    return write_prolog(replace(program, facts=facts, sections=sections_of(view.model, propositions=False)))


@dataclass(frozen=True)
class Trial:
    """How well a theory learned from some of the pictures does on the others."""

    learned_from: int
    judged: int
    right: int


def trial(
    situations: Sequence[Situation],
    labels: Sequence[str],
    predicates: Sequence[Learnable],
    options: Options,
    report: Callable[[int, int, str], None] = lambda done, total, text: None,
) -> Trial | None:
    """Learns from all but one in SHARE pictures of each label, and is judged by those. None if that leaves nothing to
    judge by, or to learn from. `report` is as `learn` has it."""
    held = held_back([(each.name, each.task, label) for each, label in zip(situations, labels, strict=True)])
    kept = [number for number in range(len(labels)) if number not in held]
    if not held or len({labels[number] for number in kept}) < 2:
        return None
    learned = learn([situations[n] for n in kept], [labels[n] for n in kept], predicates, options, report)
    said = learned.theory.predict([situations[n] for n in held])
    return Trial(len(kept), len(held), sum(told == labels[n] for told, n in zip(said, held, strict=True)))


def trial_of_objects(
    situations: Sequence[Situation],
    examples: Sequence[tuple[int, tuple[str, ...], bool]],
    name: str,
    predicates: Sequence[Learnable],
    options: Options,
) -> Trial | None:
    """The same of examples of objects: those of one in SHARE pictures are held back."""
    held = held_back([(each.name, None, "") for each in situations])
    kept = [each for each in examples if each[0] not in held]
    others = [each for each in examples if each[0] in held]
    if not others or len({true for *_, true in kept}) < 2:
        return None
    theory = learn_predicate(situations, kept, name, predicates, options).theory
    right = 0
    for number, objects, true in others:
        head = [situations[number].objects.index(each) for each in objects]
        right += theory.judge(situations[number], head) == str(true).lower()
    return Trial(len(kept), len(others), right)


def held_back(pictures: Sequence[tuple[str, str | None, str]]) -> list[int]:
    """The places of one in SHARE of the pictures (name, task, label) of each task and label; their names decide which,
    and not their order."""
    groups: dict[tuple[str | None, str], list[tuple[bytes, int]]] = {}
    for place, (name, task, label) in enumerate(pictures):
        digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest()
        groups.setdefault((task, label), []).append((digest, place))
    return sorted(place for group in groups.values() for _, place in sorted(group)[SHARE - 1 :: SHARE])
