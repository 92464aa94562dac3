"""Words for objects and pairs, learned from examples."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.symbolic.learning.choosing import held_back
from predinet_prolog.symbolic.learning.learning import DEFAULT, Learned, Options, better, language_of
from predinet_prolog.symbolic.learning.search import silent
from predinet_prolog.symbolic.learning.situations import LearningError, Predicate, Situation
from predinet_prolog.symbolic.learning.tables import Place
from predinet_prolog.symbolic.learning.theories import FALSE, TRUE

Example = tuple[int, tuple[str, ...], bool]
"""Which situation, which of its objects (one or two), and whether the word is true of them."""


def learn_predicate(
    situations: Sequence[Situation],
    examples: Sequence[Example],
    name: str,
    predicates: Sequence[Predicate],
    options: Options = DEFAULT,
) -> Learned:
    """The cheapest definition of `name`/1 or `name`/2, in clauses with the label "true". What is held back to judge it
    are all examples of some pictures. Raises LearningError for objects that are not there."""
    _told(situations, examples)
    places = [Place(situations[number], _head(situations[number], names)) for number, names, _ in examples]
    labels = [TRUE if holds else FALSE for *_, holds in examples]

    judging = held_back(situations, [None] * len(situations))
    held = [n for n, (number, *_) in enumerate(examples) if number in judging]
    language = replace(language_of(predicates, options, [TRUE]), head=(name, len(places[0].head)), default=FALSE)
    return better(places, labels, held, language, (), options, silent)


def near_misses(
    situations: Sequence[Situation], examples: Sequence[Example], learned: Learned, limit: int = 10
) -> list[tuple[int, tuple[str, ...]]]:
    """Which objects or pairs to ask about next, at most `limit`: those that the theory and its rivals disagree on most,
    then those most like one of which the word is true: few relations differ."""
    examples_of = _told(situations, examples)
    theories, arity = (learned.theory, *learned.rivals), learned.theory.arity
    true = np.array([_look(situations[number], head) for (number, head), holds in examples_of.items() if holds])
    looks: Counter[bytes] = Counter()
    ranked = []
    for number, situation in enumerate(situations):
        for head in itertools.permutations(range(len(situation.objects)), arity):
            if (number, head) in examples_of:
                continue
            look = _look(situation, head)
            votes = sum(theory.judge(situation, head) == TRUE for theory in theories)
            unlike = int((true != look).sum(axis=1).min()) if len(true) else 0
            # What looks exactly like one that is true tells least, and of what looks alike one is asked about first.
            looks[look.tobytes()] += 1
            ranked.append((abs(2 * votes - len(theories)), looks[look.tobytes()], unlike or np.inf, number, head))
    return [(i, tuple(situations[i].objects[index] for index in head)) for *_, i, head in sorted(ranked)[:limit]]


def _head(situation: Situation, names: Sequence[str]) -> tuple[int, ...]:
    return tuple(situation.objects.index(name) for name in names)


def _told(situations: Sequence[Situation], examples: Sequence[Example]) -> dict[tuple[int, tuple[int, ...]], bool]:
    """Whether the word is true, by situation and numbers of objects. Raises LearningError for objects that are not
    there, and for one that stands twice."""
    for number, names, _ in examples:
        situation = situations[number]
        if unknown := [name for name in names if name not in situation.objects]:
            there = ", ".join(situation.objects) or "none"
            raise LearningError(f"{situation.name} has no object {unknown[0]}: it has {there}")
        if len(set(names)) != len(names):
            objects = ", ".join(names)
            raise LearningError(f"{situation.name}: an example is one object or two different ones, not {objects}")
    return {(number, _head(situations[number], names)): holds for number, names, holds in examples}


def _look(situation: Situation, head: Sequence[int]) -> NDArray[np.bool_]:
    """What holds between two objects; of one, what does, and whether anything at all is in a relation to it."""
    choices = [np.array([index]) for index in head]
    if len(head) == 1:
        choices.append(np.arange(len(situation.objects)))
    tables = [(table, predicate.arity) for predicate, table in situation.holds.items()]
    places = ((table, np.ix_(*parts)) for table, arity in tables for parts in itertools.product(choices, repeat=arity))
    return np.array([table[place].any() for table, place in places])
