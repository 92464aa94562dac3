"""learn: rules from labelled pictures, or what is true of objects, from examples of them."""

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path
from typing import Any

import click

from predinet_prolog.bridge.terms import comment
from predinet_prolog.domains.image_files import image_names
from predinet_prolog.service.cli import lessons
from predinet_prolog.service.cli.exporting import pictures_of
from predinet_prolog.service.cli.lessons import Label, Lesson, observe_all, open_lesson, read_examples, read_labels
from predinet_prolog.service.cli.options import FILE, json_option, open_rules, output_option, rules_option
from predinet_prolog.service.cli.progress import following
from predinet_prolog.service.cli.seeing import Seeing, seeing_options
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import write_atomically
from predinet_prolog.service.folders import count_images
from predinet_prolog.service.learning import decided, outcome
from predinet_prolog.service.streams import PROGRAM, counted, emit, note
from predinet_prolog.symbolic import Rules
from predinet_prolog.symbolic.learning import (
    MODES,
    Learned,
    Options,
    Situation,
    ask_next,
    interchange,
    learn_predicate,
    near_misses,
    situation,
)
from predinet_prolog.symbolic.learning import learn as search

SHOWN = 5
"""Rival rules, pictures to look at again and pictures to label next that are printed."""
DOUBT = (
    "these rules do not tell the labels of pictures that they were not learned from: show more pictures, or give the "
    f"words that are missing, by {PROGRAM} name and --rules words.pl"
)


@click.command()
@click.argument(
    "source",
    type=FILE,
    metavar="FOLDER|KB",
    help="Pictures with their labels in labels.csv, or a knowledge base of such pictures made by export --kb.",
)
@output_option("FILE.pl", "Write the rules, with what they were learned from.")
@click.option(
    "--labels",
    "table",
    type=FILE,
    metavar="FILE.csv",
    help="file,label[,task] of each picture. (default: labels.csv in the FOLDER, or beside the KB)",
)
@click.option(
    "--about",
    type=FILE,
    metavar="NAME.csv",
    help="Learn NAME(X) or NAME(X, Y) instead, from examples of objects: image,object[,object],true|false. In a file "
    "that says true alone, all other objects of its images are counter-examples.",
)
@click.option("--ask", type=FILE, metavar="FOLDER", help="Tell which pictures of another folder to label next.")
@click.option("--only", metavar="P,...", help="Predicates that may stand in rules. (default: all there are)")
@click.option(
    "--not",
    "without",
    multiple=True,
    metavar="[LABEL:]LITERAL",
    help="May not stand in rules, or in those of the LABEL: 'colour(_, grey)' or a name. May be given several times.",
)
@click.option(
    "--variables",
    type=click.IntRange(1, 4),
    metavar="N",
    help="Objects that a rule may speak of. (default: 2, 3 and 4 are tried)",
)
@click.option("--literals", type=click.IntRange(1, 6), default=4, metavar="N", help="Most in one conjunction.")
@click.option(
    "--noisy/--strict",
    default=None,
    help="Some labels may be wrong: an error costs no more than a literal. Or none is. (default: what does better on "
    "pictures that are held back)",
)
@click.option(
    "--exclusive", is_flag=True, help="A picture that is true of one task is a counter-example of the others."
)
@click.option(
    "--write",
    type=(click.Choice(("popper", "ilasp")), FILE),
    metavar="popper|ilasp DIR",
    help="Learn nothing: write what another learner needs.",
)
@rules_option
@seeing_options(looks=False)
@json_option
def learn(
    source: Path,
    output: Path | None,
    table: Path | None,
    about: Path | None,
    ask: Path | None,
    only: str | None,
    without: tuple[str, ...],
    variables: int | None,
    literals: int,
    noisy: bool | None,
    exclusive: bool,
    write: tuple[str, Path] | None,
    rules: Sequence[str],
    seeing: Seeing,
    as_json: bool,
) -> None:
    """Learn rules from labelled pictures: label(L) says what a picture is called.

    Prints the rules that cost least, in literals and errors, and others that fit as well. The file is plain Prolog, for
    query, evaluate and serve by --rules, and for swipl.

    A fifth of the pictures is held back first, to see how well what the others teach does on them: with every label
    taken as right, and with some as wrong. The better is kept. Pictures that contradict each other, or that only an
    extra clause explains, are told: look at their labels again.

    Where the labels are of several tasks, the rules hang on the fact task(T), as those of evaluate do.

    \b
    Examples:
      predinet-prolog learn pictures/ -o rules.pl
      predinet-prolog learn pictures/ --only same,unlike,above --ask others/
      predinet-prolog learn pictures.pl --labels pictures/labels.csv --not 'cat: same(_, _)'
      predinet-prolog learn pictures/ --about odd.csv -o odd.pl
    """
    if write and (output or ask or about or without or as_json):
        raise UsageError("--write learns nothing: leave out -o, --ask, --about, --not and --json")
    names = tuple(name.strip() for name in only.split(",")) if only else ()
    options = Options(noisy, exclusive, variables, literals, names, without)
    extra = open_rules(rules, ())
    if about is not None:
        if ask or table or exclusive:
            raise UsageError("--about learns of objects: leave out --ask, --labels and --exclusive")
        taught = _teach_objects(source, about, options, extra, seeing)
    else:
        lesson = open_lesson(source, table, read_labels, extra, seeing)
        if write:
            _write_for(*write, lesson, options)
            return
        taught = _teach_pictures(lesson, options)
        if ask is not None:
            taught = replace(taught, following=_next(ask, source, taught, extra, seeing))
            if not taught.following:
                note(f"{ask}: all rules that fit agree on every picture there: no label would tell them apart")
    note(*_doubts(taught.learned))
    if output is not None:
        write_atomically(output, f"{_header(taught, source, options, extra)}\n{taught.text}".encode())
    if taught.learned.cut:
        note("there were too many conjunctions to look at all: name the predicates that matter by --only")
    document = {"data": str(source), "output": output and str(output), **taught.to_json()}
    emit(f"{json.dumps(document, ensure_ascii=False)}\n" if as_json else _summary(taught, output))


@dataclass(frozen=True)
class _Taught:
    """What was learned, and from what."""

    learned: Learned
    lesson: Lesson[Any]
    counts: Counter[str]
    """How many examples there were of each label."""
    outcome: Mapping[str, Any]
    """What HTTP says of it, too."""
    clauses: Sequence[dict[str, Any]] = ()
    """Of each clause, and last of the default, its label and how many pictures it gets right and wrong."""
    following: Sequence[tuple[str, Counter[str]]] = ()
    """What to label next, and how many of the rules say what of it."""

    @property
    def text(self) -> str:
        """The rules as Prolog."""
        return str(self.outcome["rules"])

    def to_json(self) -> dict[str, Any]:
        """Everything by name."""
        return {
            "model": self.lesson.model,
            "sha256": self.lesson.sha256,
            "examples": dict(self.counts),
            **self.outcome,
            "cost": self.learned.theory.cost,
            "clauses": self.clauses,
            "conjunctions": self.learned.conjunctions,
            "next": [{"what": name, "said": dict(said)} for name, said in self.following],
        }


def _teach_pictures(lesson: Lesson[Label], options: Options) -> _Taught:
    situations, labels = _material(lesson)
    with following("learning", "conjunctions", logged=False) as report:
        learned = lesson.learn(lambda chosen: search(situations, labels, lesson.predicates, chosen, report), options)
    clauses = decided(learned.theory, situations, labels)
    said = outcome(learned, "what", [picture.name for picture in situations], labels)
    return _Taught(learned, lesson, Counter(labels), said, clauses)


def judge_pictures(lesson: Lesson[Label], held_back: Collection[str]) -> tuple[float, float, str]:
    """What rules get right that were learned without the `held_back`: shares of the rest and of these; the rules."""
    situations, labels = _material(lesson)
    parts: tuple[list[tuple[Situation, str]], ...] = ([], [])
    for observation, row in zip(lesson.observations, zip(situations, labels, strict=True), strict=True):
        parts[observation.name in held_back].append(row)
    (taught, said), (judging, true) = (map(list, zip(*part, strict=True)) for part in parts)
    learned = lesson.learn(lambda chosen: search(taught, said, lesson.predicates, chosen), Options())
    first, second = (
        sum(clause["right"] for clause in decided(learned.theory, *part)) / len(part[1])
        for part in ((taught, said), (judging, true))
    )
    return first, second, learned.theory.write()


def _material(lesson: Lesson[Label]) -> tuple[Sequence[Situation], Sequence[str]]:
    """What holds in each of the pictures, and its label."""
    labelled = [(observation, *lesson.table[observation.name]) for observation in lesson.observations]
    situations = [situation(observation, lesson.predicates, task) for observation, _, task in labelled]
    return situations, [label for _, label, _ in labelled]


def _teach_objects(source: Path, path: Path, options: Options, rules: Sequence[Rules], seeing: Seeing) -> _Taught:
    name = path.stem
    if not re.fullmatch(r"[a-z][a-zA-Z0-9_]*", name):
        raise UsageError(f"{path}: the file's name is that of the predicate, in small letters, digits and _: rename it")
    lesson = open_lesson(source, path, read_examples, rules, seeing)
    if name in (signature.name for signature in lesson.signatures):
        raise UsageError(f"{path}: the pictures say {name} already: call the file otherwise")
    situations = [situation(observation, lesson.predicates) for observation in lesson.observations]
    examples = _examples(lesson)
    learned = lesson.learn(
        lambda chosen: learn_predicate(situations, examples, name, lesson.predicates, chosen), options
    )
    labels = [str(true).lower() for *_, true in examples]
    named = [",".join((situations[number].name, *objects)) for number, objects, _ in examples]
    following = [
        (",".join((situations[number].name, *objects)), Counter[str]())
        for number, objects in near_misses(situations, examples, learned, limit=SHOWN)
    ]
    return _Taught(learned, lesson, Counter(labels), outcome(learned, "what", named, labels), following=following)


def _examples(lesson: Lesson[Any]) -> list[tuple[int, tuple[str, ...], bool]]:
    """Those of the lesson, with their pictures' places in it. Where all are true, the rest are counter-examples."""
    pictures = list(enumerate(lesson.observations))
    examples = [(number, *example) for number, picture in pictures for example in lesson.table[picture.name]]
    if all(true for *_, true in examples):
        width, named = len(examples[0][1]), {(number, objects) for number, objects, _ in examples}
        of_all = ((number, objects) for number, picture in pictures for objects in permutations(picture.objects, width))
        examples += [(*example, False) for example in of_all if example not in named]
    return examples


def _next(
    folder: Path, source: Path, taught: _Taught, rules: Sequence[Rules], seeing: Seeing
) -> list[tuple[str, Counter[str]]]:
    """Which pictures of the folder to label next, best first, those left out that have a label."""
    count_images(folder, apart=False)
    labelled_names = taught.lesson.table if folder.resolve() == source.resolve() else ()
    names = [name for name in image_names(folder) if name not in labelled_names]
    observations = observe_all(pictures_of(folder, seeing), names, taught.lesson.signatures, rules)
    tasks = sorted({task for _, task in taught.lesson.table.values()}, key=str)
    asked = [(observation, task) for observation in observations for task in tasks]
    situations = [situation(observation, taught.lesson.predicates, task) for observation, task in asked]
    said = list(zip(*(theory.predict(situations) for theory in taught.learned.theories), strict=True))
    return [
        (asked[n][0].name if asked[n][1] is None else f"{asked[n][0].name}, task {asked[n][1]}", Counter(said[n]))
        for n in ask_next(taught.learned, situations)
    ]


def _write_for(system: str, target: Path, lesson: Lesson[Label], options: Options) -> None:
    situations, labels = _material(lesson)
    make = interchange.popper if system == "popper" else interchange.ilasp
    for name, text in make(situations, labels, lesson.predicates, options).items():
        write_atomically(target / name, text.encode())
        emit(f"{target / name}\n")


def _header(taught: _Taught, source: Path, options: Options, rules: Sequence[Rules]) -> str:
    """What the rules were learned from, as comments."""
    theory = taught.learned.theory
    head = f"{theory.name}({', '.join('XY'[: theory.arity]) or 'L'})"
    chosen = [f"--{name}" for name in ("noisy", "exclusive") if getattr(options, name)]
    chosen += ["--strict"] * (options.noisy is False)
    chosen += [f"--variables {options.variables}"] * (options.variables is not None)
    chosen += [f"--literals {options.literals}", *[f"--only {','.join(options.only)}"] * bool(options.only)]
    chosen += [f"--not '{text}'" for text in options.without]
    lines = [
        f"{head}: learned by {PROGRAM} learn.",
        "",
        lessons.data_line(source, taught.lesson.sha256),
        f"learned    from {_counts(taught)}",
        f"held back  {_held_back(taught.learned)}",
        f"options    {' '.join(chosen)}",
        f"model      {taught.lesson.model}",
        *(f"doubt      {doubt}" for doubt in _doubts(taught.learned)),
        *([f"with       {', '.join(file.name for file in rules)}"] if rules else []),
        *(["asks       task(T), a fact that says which task is meant"] if "task(" in taught.text else []),
    ]
    return "".join(f"% {comment(line)}".rstrip() + "\n" for line in lines)


def _summary(taught: _Taught, output: Path | None) -> str:
    """What was learned, for people."""
    theory = taught.learned.theory
    decided = [f"  % {clause['right']} right, {clause['wrong']} wrong" for clause in taught.clauses]
    written = taught.text.splitlines()
    clauses = len(theory.lines())
    # Of label/1 the first line goes on to the clauses; the negations that they need come last.
    remarks = [*[""] * (clauses - len(decided)), *decided, *[""] * (len(written) - clauses)]
    lines = [f"{line}{remark}" for line, remark in zip(written, remarks, strict=True)]
    lines += ["", f"learned from  {_counts(taught)}", f"held back     {_held_back(taught.learned)}"]
    lines += _first("look again", [_doubt(row) for row in taught.outcome["again"]])
    # What each says, without helpers, on one line; where the theory counts, what does not and costs a little more.
    plain = [other for other in taught.learned.dearer if theory.counts and not other.counts]
    rivals = ["  ".join(rival.lines()[rival.arity == 0 :]) for rival in (*taught.learned.rivals, *plain)]
    lines += _first("also fits", rivals)
    if rivals:
        lines.append("              which is meant these cannot tell: label more, or take a literal away by --not")
    for name, said in taught.following[:SHOWN]:
        votes = ", ".join(f"{label} by {count}" for label, count in said.most_common())
        lines.append(f"label next    {name}" + (f"  ({votes})" if votes else ""))
    return "\n".join([*lines, *([] if output is None else [str(output)])]) + "\n"


def _first(heading: str, rows: Sequence[str]) -> list[str]:
    rest = [f"{'':14}and {counted(len(rows) - SHOWN, 'other')}"] * (len(rows) > SHOWN)
    return [f"{heading:14}{row}" for row in rows[:SHOWN]] + rest


def _counts(taught: _Taught) -> str:
    labels = ", ".join(f"{count} of {label}" for label, count in sorted(taught.counts.items()))
    what = "example" if taught.learned.theory.arity else "picture"
    return f"{counted(taught.counts.total(), what)} ({labels}), {counted(taught.learned.theory.errors, 'error')}"


def _held_back(learned: Learned) -> str:
    """How many were held back, what each mode made of them, and which is kept."""
    mode = MODES[learned.noisy]
    if not learned.trials:
        return f"none, there are too few: {mode}"
    best = learned.trials[0]
    tried = (
        f"{trial.right} right by {MODES[trial.noisy]} in {counted(trial.cost, 'literal')}" for trial in learned.trials
    )
    kept = f": {mode} is kept" * (len(learned.trials) > 1)
    judging = f"{best.judged} of {best.learned_from + best.judged}, judging rules from the other {best.learned_from}"
    return f"{judging}: {', '.join(tried)}{kept}"


def _doubts(learned: Learned) -> list[str]:
    return [DOUBT for trial in learned.trials[:1] if trial.is_doubtful]


def _doubt(row: Mapping[str, Any]) -> str:
    names = row["against"]
    against = ", ".join(names[:SHOWN]) + f" and {counted(len(names) - SHOWN, 'other')}" * (len(names) > SHOWN)
    why = f"the same facts as {against}" if against else "only an extra clause explains it"
    return f"{row['what']} ({row['label']}): {why}"
