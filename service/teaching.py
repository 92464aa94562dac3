"""Rules learned from labelled pictures: what every user of the learner shares."""

from collections.abc import Collection
from dataclasses import replace

from predinet_prolog.bridge import write_prolog
from predinet_prolog.bridge.program import rules_of
from predinet_prolog.bridge.vocabulary import VOCABULARY, Predicate, base_facts_of
from predinet_prolog.service.pipeline import View
from predinet_prolog.symbolic.learning.observing import Signature


def signatures(indicators: Collection[str]) -> tuple[Signature, ...]:
    """What the vocabulary says of objects, or of one and words, of what programs define, as `same/2`; in its order."""
    names = {row.name for row in VOCABULARY}
    pairs = (indicator.removesuffix("/2") for indicator in sorted(indicators) if indicator.endswith("/2"))
    alike = (name for name in pairs if name.startswith("same_"))
    attributes = [name.removeprefix("same_") for name in alike if name not in names]
    learned = {
        "same_A": [f"same_{attribute}" for attribute in attributes],
        "A": [name for attribute in attributes for name in (attribute, f"{attribute}_is")],
    }
    signatures = (_signature(name, row) for row in VOCABULARY for name in learned.get(row.name, [row.name]))
    return tuple(
        dict.fromkeys(signature for signature in signatures if signature and signature.indicator in indicators)
    )


def _signature(name: str, row: Predicate) -> Signature | None:
    """None for what speaks of other things than objects, or says that they are there."""
    types = [argument.type for argument in row.arguments]
    objects, valued = types.count("object"), types.count("word")
    if not 1 <= objects <= 3 or types != ["object"] * objects + ["word"] * valued:
        return None
    if objects == 1 and not valued:  # object/1 and background/1
        return None
    # What the learned ones, which all say that things are the same, say the opposite of has a name of its own.
    negation = f"unlike{name.removeprefix('same')}" if row.source == "learned" and row.symmetric else None
    return Signature(name, objects, row.symmetric, valued, negation)


def text_of(view: View) -> str:
    """Its program without the propositions, more than half of it: no predicate of objects hangs on them."""
    program = view.program
    kept = base_facts_of(program.rules.dialect)
    facts = {name: columns for name, columns in program.facts.items() if name in kept}
    rules = rules_of(view.model, propositions=False, given=view.scene.given, zones=view.scene.zones is not None)
    return write_prolog(replace(program, facts=facts, rules=rules))
