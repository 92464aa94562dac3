"""What Prolog says of programs, as situations."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from symbolic.answers import JSON, Answers
from symbolic.learning.situations import LearningError, Predicate, Situation
from symbolic.learning.theories import atom

Ask = Callable[[str, str], Answers]
"""Engine.ask, or what asks it with rules: the answers of a goal in a program."""
GOAL_CHARACTERS = 4000
"""Longer goals are asked in parts."""


def observe(
    ask: Ask,
    programs: Iterable[tuple[str, str]],
    predicates: Sequence[Predicate],
    tasks: Mapping[str, str] | None = None,
) -> Iterator[Situation]:
    """What holds in each program, given with its picture's name. tasks: what is asked of pictures, by name. Raises
    LearningError for a predicate that is true of an object and itself, and what `ask` does for one that is not there."""
    for name, program in programs:
        yield _situation(ask, program, name, "", predicates, (tasks or {}).get(name))


def observe_base(
    ask: Ask, base: str, predicates: Sequence[Predicate], tasks: Mapping[str, str] | None = None
) -> Iterator[Situation]:
    """What holds in each picture of a knowledge base, which every predicate has first."""
    (answer,) = ask(base, "findall(I, image(I, _, _, _), Is)").answers
    for name in map(str, _items(answer.bindings["Is"])):
        yield _situation(ask, base, name, f"{atom(name)}, ", predicates, (tasks or {}).get(name))


def predicates_of(
    rows: Iterable[tuple[str, Sequence[str], bool | Sequence[int]]],
    values: Mapping[str, Sequence[str]],
    negations: Mapping[str, str] | None = None,
) -> tuple[Predicate, ...]:
    """What a vocabulary offers to rules: of its rows those whose arguments are 1 to 3 objects and then one word at most.

    rows: name, types of the arguments, and which objects may change places: all of them if True. values: the words that
    stand after the objects, by name, each as Prolog text. negations: names of negations, by name.
    """
    found = []
    for name, types, symmetric in rows:
        arity = sum(each == "object" for each in types)
        rest = list(types[arity:])
        if not 1 <= arity <= 3 or list(types[:arity]) != ["object"] * arity or rest not in ([], ["word"]):
            continue
        places = tuple(range(arity)) if symmetric is True else tuple(symmetric or ())
        negation = (negations or {}).get(name) if not rest else None
        words = [(each,) for each in values.get(name, ())] if rest else [()]
        found += [Predicate(name, arity, places, each, negation) for each in words if name != "object"]
    return tuple(found)


def _situation(
    ask: Ask, program: str, name: str, first: str, predicates: Sequence[Predicate], task: str | None
) -> Situation:
    questions = [f"findall(X, object({first}X), Objects)"]
    for number, predicate in enumerate(predicates):
        variables = "XYZ"[: predicate.arity]
        arguments = ", ".join([*variables, *predicate.values])
        questions.append(f"findall([{', '.join(variables)}], {predicate.name}({first}{arguments}), H{number})")
    told: dict[str, JSON] = {}
    while questions:
        goal = questions.pop(0)
        while questions and len(goal) + len(questions[0]) < GOAL_CHARACTERS:
            goal += f", {questions.pop(0)}"
        (answer,) = ask(program, goal).answers
        told |= answer.bindings
    objects = tuple(dict.fromkeys(map(str, _items(told["Objects"]))))
    place = {each: i for i, each in enumerate(objects)}
    holds = {}
    for number, predicate in enumerate(predicates):
        table = np.zeros((len(objects),) * predicate.arity, np.bool_)
        for each in map(_items, _items(told[f"H{number}"])):
            things = [str(thing) for thing in each]
            if len(set(things)) < len(things):
                raise LearningError(
                    f"{predicate.name} is true of {things[0]} and itself in {name}: the objects of a rule all "
                    f"differ, so let it say X \\== Y"
                )
            if set(things) <= place.keys():
                table[tuple(place[thing] for thing in things)] = True
        holds[predicate] = table
    return Situation(name, objects, holds, task)


def _items(value: JSON) -> list[JSON]:
    assert isinstance(value, list)
    return value
