"""What is learned from a few labelled boards: rules, judged on boards of things that taught nothing.

    python benchmarks/rule_learning.py [--parts NAME …] [--only TASK …] [--json FILE]

Boards of pentominoes teach, as a model sees them in pixels; hexominoes and stripes judge. Parts: `tasks`, those of the
game from 5 to 200 boards; `exclusive`, of the patterns where it is known that only one holds of a board; `between`, the
tasks over a model that was trained on that one alone; `wrong`, with wrong labels; `questions`, ten more on free boards.
Every rule may speak of every predicate of objects that the programs have, and how many objects a conjunction speaks of
is the learner's choice. What stands in the file already is not measured again.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from itertools import groupby, repeat
from operator import eq
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.rule_learning_questions import COLOURS, QUESTIONS, asked
from benchmarks.shared import figure, options, print_head, print_row, programs
from predinet_prolog.domains.relations_game.scenes import Scenes
from predinet_prolog.domains.relations_game.tasks import TASKS, generate, task_info
from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.neural import load_model
from predinet_prolog.service.teaching import signatures
from predinet_prolog.symbolic import Engine
from predinet_prolog.symbolic.learning import Options, Situation, Theory, learn, observe, predicates_of, situation
from predinet_prolog.symbolic.learning.observing import defined

SEED, SEED_OF_JUDGES = 1_911_000, 1_917_000
"""Boards come from seeds that nothing was trained, grounded, chosen or tested with."""
SEEDS, LEARNING, JUDGING = 5, 200, 1000
"""Sets of pentominoes that teach, boards in each, and boards of each other kind that judge."""
TEACHING_KIND = "pentos"
ORDER = ["same", "same_shape", "same_colour", "same_row", "same_column", "lies_between", "in_line", "left_of", "above"]
"""Of predicates, words for colours behind them: of rules that cost the same the one with the first is learned."""
NUMBERS = 5, 10, 20, 50, 100, 200
"""Of labelled boards."""
WRONG, NUMBERS_WRONG = (0.05, 0.1), (20, 50, 100, 200)
"""Shares of wrong labels: below 20 boards there is hardly one."""
DEFAULT, OTHER = "relations-game", "between"
"""Models: one that tells shapes and colours, and one that tells only what is alike."""
KINDS_ASKED = ("hexos",)
"""Kinds of things that judge the questions: stripes have no shapes."""
GOOD = 0.99
TIMED = 20, 200
"""Numbers of boards whose seconds are told."""
PATTERNS = tuple(task for task in TASKS if "patterns" in task)
HEAD = *map(str, NUMBERS), "≥ .99 from", f"s of {TIMED[0]} / {TIMED[1]}", "sets"
"""Of a part's table."""
FIGURES = Path("out") / "rule-learning.json"


Told = tuple[Sequence[Situation], Sequence[str]]
"""What is seen on boards, and their labels."""


@dataclass(frozen=True)
class Case:
    """What is learned, and from what."""

    part: str
    task: str
    """Or question."""
    n: int
    seed: int
    wrong: float = 0.0
    """Share of the labels that are wrong."""

    @property
    def model(self) -> str:
        """The name of the one whose programs rules speak of."""
        return OTHER if self.part == "between" else DEFAULT

    @property
    def options(self) -> Options:
        """What the learner is told."""
        return Options(noisy=self.wrong > 0, exclusive=self.part != "tasks" and self.task in PATTERNS)


@dataclass(frozen=True)
class Result:
    """What came of it."""

    case: Case
    accuracy: Mapping[str, float]
    """By kind of the boards that judge."""
    cost: int
    errors: int
    rivals: int
    seen: int
    """Conjunctions."""
    cut: bool
    seconds: float
    """Of the processor, for the search alone."""
    rules: str

    @property
    def least(self) -> float:
        """The least accuracy of all kinds."""
        return min(self.accuracy.values())


def learnt(case: Case) -> Result:
    """What comes of the case: rules from its first boards."""
    situations, labels = teaching(case.model, case.task, case.seed)
    if case.wrong:
        labels = spoiled(labels, case.wrong, case.seed)
    start = process_time()
    learned = learn(situations[: case.n], labels[: case.n], tuple(situations[0].holds), case.options, judge=False)
    seconds, theory = process_time() - start, learned.theory
    figures = theory.cost, theory.errors, len(learned.rivals), learned.conjunctions, learned.cut
    return Result(case, accuracies(theory, case.model, case.task), *figures, round(seconds, 3), theory.write())


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="some parts")
    parser.add_argument("--only", nargs="+", choices=[*TASKS, *QUESTIONS], help="some tasks and questions")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"sets of boards that teach (default: {SEEDS})")
    parser.add_argument("--json", type=Path, default=FIGURES, help="what was measured, and where it is kept")
    given = parser.parse_args()
    results = read(given.json)
    for part in given.parts:
        for (task, seed), group in groupby(PARTS[part](), lambda case: (case.task, case.seed)):
            cases = [case for case in group if case not in results]
            if cases and seed < given.seeds and (not given.only or task in given.only):
                for case in cases:
                    report(f"{case}")
                    results[case] = learnt(case)
                write(given.json, results.values())
        report("")
        print(f"\n{part}\n")
        print_head("task", *HEAD)
        for row in rows(part, results.values(), given.only):
            print_row(*row)


def tasks() -> Iterator[Case]:
    """Those of the game."""
    return (Case("tasks", task, n, seed) for seed in range(SEEDS) for task in TASKS for n in NUMBERS)


def exclusive() -> Iterator[Case]:
    """Patterns, of which one holds of a board."""
    return (Case("exclusive", task, n, seed) for seed in range(SEEDS) for task in PATTERNS for n in NUMBERS[2:])


def between() -> Iterator[Case]:
    """Those that a model can tell which knows only what is alike; of patterns one holds."""
    tasks_told = [task for task in TASKS if task != "colour_and_or_shape"]
    numbers = {
        task: NUMBERS[2:] if task in PATTERNS else NUMBERS for task in tasks_told
    }  # few ask for one pattern alone
    return (Case("between", task, n, seed) for seed in range(SEEDS) for task in tasks_told for n in numbers[task])


def wrong() -> Iterator[Case]:
    """Of the tasks, some labels wrong; of patterns one holds."""
    shares = [(n, share) for n in NUMBERS_WRONG for share in WRONG]
    return (Case("wrong", task, n, seed, share) for seed in range(SEEDS) for task in TASKS for n, share in shares)


def questions() -> Iterator[Case]:
    """Those on free boards."""
    return (Case("questions", name, n, seed) for seed in range(SEEDS) for name in QUESTIONS for n in NUMBERS)


PARTS = {"tasks": tasks, "exclusive": exclusive, "questions": questions, "wrong": wrong, "between": between}


@lru_cache(1)
def teaching(name: str, task: str, seed: int) -> Told:
    """The boards of the task or question that teach, as the model of that name sees them."""
    if task in QUESTIONS:
        return told(name, asked(task, LEARNING, kind=TEACHING_KIND, seed=(SEED, seed)))
    return told(name, generate(task, LEARNING, objects=TEACHING_KIND, seed=(SEED, seed)))


@cache
def judging(name: str, task: str) -> Mapping[str, Told]:
    """The boards of the task or question that judge, by kind, as the model sees them."""
    if task in QUESTIONS:
        scenes = {kind: asked(task, JUDGING, kind=kind, seed=(SEED_OF_JUDGES,)) for kind in KINDS_ASKED}
    else:
        kinds = [kind for kind in task_info(task).kinds if kind != TEACHING_KIND]
        scenes = {kind: generate(task, JUDGING, objects=kind, seed=SEED_OF_JUDGES) for kind in kinds}
    return {kind: told(name, boards) for kind, boards in scenes.items()}


def told(name: str, scenes: Scenes) -> Told:
    """What Prolog says of the boards as the model of that name sees them, and their labels."""
    texts = programs(load_model(name), scenes.render())
    asked_of = [signature for signature in signatures(defined(texts[0])) if signature.name in ORDER]
    predicates = *predicates_of(sorted(asked_of, key=lambda signature: ORDER.index(signature.name)), ()), *COLOURS
    words = signatures(["colour/2"])
    with Engine(time_limit=10) as engine:
        observations = list(
            observe(engine.ask, ((f"{n}.png", text) for n, text in enumerate(texts)), (*asked_of, *words))
        )
    tasks = map(str, scenes.task_ids) if scenes.task in PATTERNS else repeat(None)
    situations = [situation(*row) for row in zip(observations, repeat(predicates), tasks, strict=False)]
    return situations, scenes.labels.astype(str).tolist()


_JUDGED: dict[tuple[str, str, str], Mapping[str, float]] = {}


def accuracies(theory: Theory, name: str, task: str) -> Mapping[str, float]:
    """By kind, the share of the task's boards that get their label over the model of that name; the same rules are
    judged once."""
    key = theory.write(), name, task
    if key not in _JUDGED:
        _JUDGED[key] = {
            kind: sum(map(eq, theory.predict(situations), labels)) / len(labels)
            for kind, (situations, labels) in judging(name, task).items()
        }
    return _JUDGED[key]


def spoiled(labels: Sequence[str], share: float, seed: int) -> list[str]:
    """The labels, each with that chance another of those that there are."""
    rng, names = np.random.default_rng((SEED, seed)), sorted(set(labels))
    wrong, other = rng.random(len(labels)) < share, rng.integers(1, max(2, len(names)), len(labels))
    return [
        names[(names.index(label) + step) % len(names)] if is_wrong else label
        for label, is_wrong, step in zip(labels, wrong.tolist(), other.tolist(), strict=True)
    ]


def rows(part: str, results: Iterable[Result], only: Sequence[str] | None = None) -> Iterator[list[str]]:
    """Of a part, the rows of its table: the worst of all sets by the number of boards, the least number from which on
    that is GOOD, the most seconds of the searches, and how many sets there were."""
    of_part = [result for result in results if result.case.part == part and (not only or result.case.task in only)]
    for task, wrong in dict.fromkeys((result.case.task, result.case.wrong) for result in of_part):
        of_task = [result for result in of_part if (result.case.task, result.case.wrong) == (task, wrong)]
        by_number = {n: [result for result in of_task if result.case.n == n] for n in NUMBERS}
        worst = {n: min(result.least for result in some) for n, some in by_number.items() if some}
        good = [str(n) for n in worst if all(least >= GOOD for other, least in worst.items() if other >= n)]
        seconds = [figure(max((result.seconds for result in by_number[n]), default=None), 1) for n in TIMED]
        sets = min(len(some) for some in by_number.values() if some)
        name = f"`{task}`" + (f", {wrong:.0%} wrong" if wrong else "")
        yield [name, *(figure(worst.get(n)) for n in NUMBERS), next(iter(good), "–"), " / ".join(seconds), str(sets)]


def read(path: Path) -> dict[Case, Result]:
    """What was measured before, none if there is no file."""
    if not path.exists():
        return {}
    document = json.loads(path.read_text(encoding="utf-8"))
    results = [
        Result(Case(**row.pop("case")), rules=document["rules"][row.pop("rules")], **row) for row in document["results"]
    ]
    return {result.case: result for result in results}


def write(path: Path, results: Iterable[Result]) -> None:
    """Keeps what was measured, a result a line; rules that came more than once stand there once."""
    rules: dict[str, int] = {}
    lines = [json.dumps(asdict(result) | {"rules": rules.setdefault(result.rules, len(rules))}) for result in results]
    parts = (
        f'"{name}": [\n' + ",\n".join(texts) + "\n]"
        for name, texts in (("rules", map(json.dumps, rules)), ("results", lines))
    )
    write_atomically(path, ("{" + ",\n".join(parts) + "}\n").encode())


def report(progress: str) -> None:
    """Writes over the line before, where somebody is looking."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{progress}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
