"""Labelled situations as files for other learners of rules, Popper and ILASP: docs/other-logics.md says how each is
run."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.quoting import asp, prolog
from predinet_prolog.quoting.popper import ending
from predinet_prolog.symbolic.learning.learning import MOST_VARIABLES, Options, check_names
from predinet_prolog.symbolic.learning.situations import LearningError, Predicate, Situation

VARIABLES = ("X", "Y", "Z")


def popper(
    situations: Sequence[Situation], labels: Sequence[str], predicates: Sequence[Predicate], options: Options
) -> dict[str, str]:
    """By name, a file's text: label_L/bk.pl, bias.pl and exs.pl for each label L: Popper learns one word at a time.

    Every predicate has the picture as its first argument. What has a constant, colour(X, red), is a predicate of its
    own, colour_red(P, X), and so is a task, task_t(P).
    """
    spoken = _spoken(predicates, options.only)
    body = [(_word(predicate, denied), 1 + predicate.arity) for predicate, denied in spoken]
    if twice := [word for (word, _), times in Counter(body).items() if times > 1]:
        raise LearningError(
            f"two predicates would be called {twice[0]} for Popper: rename one in your rules, or name others by --only"
        )
    tasks = dict.fromkeys(situation.task for situation in situations if situation.task is not None)
    body += [(f"task_{ending(task)}", 1) for task in tasks]
    background = [f":- dynamic {word}/{arity}." for word, arity in [("object", 2), *body]]
    background += sorted(_background(situations, spoken), key=lambda fact: fact.partition("(")[0])
    files: dict[str, str] = {}
    for label in sorted(set(labels)):
        head = f"label_{ending(label)}"
        bias = [f"head_pred({head},1).", f"type({head},(image,))."]
        for word, arity in body:
            bias += [f"body_pred({word},{arity}).", f"type({word},(image,{','.join(['object'] * (arity - 1))}))."]
        bias += [f"max_vars({1 + (options.variables or MOST_VARIABLES)}).", f"max_body({options.literals})."]
        named = zip(situations, labels, strict=True)
        examples = [
            f"{'pos' if class_of == label else 'neg'}({head}({prolog.atom(name.name)}))." for name, class_of in named
        ]
        texts = {"bk.pl": background, "bias.pl": bias, "exs.pl": sorted(examples, reverse=True)}
        files |= {f"{head}/{name}": _lines(lines) for name, lines in texts.items()}
    return files


def ilasp(
    situations: Sequence[Situation], labels: Sequence[str], predicates: Sequence[Predicate], options: Options
) -> dict[str, str]:
    """By name, a file's text: background.lp, what negations mean, and task.las, what rules may say and the pictures as
    examples. Where labels may be wrong, an example that is not covered costs 1; else all have to be."""
    spoken = _spoken(predicates, options.only)
    classes = {label: f"label({asp.constant(label)})" for label in sorted(set(labels))}
    modes = ["#modeh(label(const(label))).", *(f"#constant(label,{asp.constant(label)})." for label in classes)]
    for relation, denied in spoken:
        name = str(relation.negation) if denied else relation.name
        bias = ["anti_reflexive"] * (relation.arity == 2) + ["symmetric"] * (relation.symmetric == (0, 1))
        arguments = ",".join(["var(object)"] * relation.arity + [f"const({relation.name})"] * len(relation.values))
        modes.append(f"#modeb({options.literals},{name}({arguments}),({','.join([*bias, 'positive'])})).")
        modes += [f"#constant({relation.name},{asp.atom(value)})." for value in relation.values]
    if tasks := sorted({asp.constant(situation.task) for situation in situations if situation.task is not None}):
        modes += ["#modeb(1,task(const(task)),(positive)).", *(f"#constant(task,{task})." for task in tasks)]
    modes.append(f"#maxv({options.variables or MOST_VARIABLES}).")
    examples = []
    for number, (situation, label) in enumerate(zip(situations, labels, strict=True)):
        rest = ",".join(text for other, text in classes.items() if other != label)
        facts = " ".join(_context(situation, [predicate for predicate, _ in spoken]))
        examples.append(f"#pos(p{number}{'@1' * bool(options.noisy)},{{{classes[label]}}},{{{rest}}},{{{facts}}}).")
    return {
        "background.lp": _lines(_meant(predicate) for predicate, denied in spoken if denied),
        "task.las": _lines(dict.fromkeys([*modes, *examples])),
    }


def _spoken(predicates: Sequence[Predicate], only: Sequence[str]) -> list[tuple[Predicate, bool]]:
    """What may stand in rules: each predicate, and whether its negation is meant, which has a name. LearningError for a
    name that clingo cannot read, of which both systems are made."""
    check_names(predicates, only)
    names = ((one, denied, one.negation if denied else one.name) for one in predicates for denied in (False, True))
    spoken = [(predicate, denied, name) for predicate, denied, name in names if name and (not only or name in only)]
    for *_, name in spoken:
        if asp.atom(name) != name:
            raise LearningError(
                f"{name} is no name for Popper and ILASP: use small letters, digits and _, or name others by --only"
            )
    return [(predicate, denied) for predicate, denied, _ in spoken]


def _background(situations: Sequence[Situation], spoken: Sequence[tuple[Predicate, bool]]) -> Iterator[str]:
    """What holds in the pictures, a fact for each."""
    for situation in situations:
        picture, names = prolog.atom(situation.name), [*map(prolog.constant, situation.objects)]
        yield from (f"object({picture},{name})." for name in names)
        if situation.task is not None:
            yield f"task_{ending(situation.task)}({picture})."
        for predicate, denied in spoken:
            table = situation.holds[predicate]
            for objects in _different(names, ~table if denied else table):
                yield f"{_word(predicate, denied)}({picture},{','.join(objects)})."


def _context(situation: Situation, predicates: Iterable[Predicate]) -> Iterator[str]:
    """The same of one picture, without its name, and without what follows by `_meant`."""
    names = [*map(asp.constant, situation.objects)]
    yield from (f"object({name})." for name in names)
    if situation.task is not None:
        yield f"task({asp.constant(situation.task)})."
    for predicate in dict.fromkeys(predicates):
        for objects in _different(names, situation.holds[predicate]):
            yield f"{predicate.name}({','.join([*objects, *map(asp.atom, predicate.values)])})."


def _meant(predicate: Predicate) -> str:
    """The rule of the predicate's negation: other objects, of which it does not hold."""
    names = VARIABLES[: predicate.arity]
    arguments = ",".join([*names, *map(asp.atom, predicate.values)])
    goals = [f"object({name})" for name in names]
    goals += [f"{one} != {other}" for one, other in combinations(names, 2)]
    return f"{predicate.negation}({arguments}) :- {', '.join([*goals, f'not {predicate.name}({arguments})'])}."


def _different(names: Sequence[str], table: NDArray[np.bool_]) -> Iterator[list[str]]:
    """The names of the objects that the table is true of, where no object stands twice."""
    for places in np.argwhere(table).tolist():
        if len(set(places)) == len(places):
            yield [names[place] for place in places]


def _word(predicate: Predicate, denied: bool) -> str:
    """The name of a predicate without constants that says the same."""
    return "_".join([str(predicate.negation) if denied else predicate.name, *map(ending, predicate.values)])


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
