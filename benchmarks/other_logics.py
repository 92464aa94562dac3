"""ProbLog and clingo beside SWI-Prolog: the same answers, how long they take, and what consistency is worth.

    python benchmarks/other_logics.py [--boards N] [--limit SECONDS] [-o FILE.json] [--page FILE.md]

1. Boards of six tasks, each answered by SWI-Prolog from the exported program with the theory of the game, by ProbLog
   (the label whose probability is above one half) and by clingo (the best answer set), each from an export and a theory
   of its own.
2. Corrupted boards: pairs that are wrongly told the same, or not, pair by pair, as SWI-Prolog has them; by the
   likeliest kinds, which are transitive; by the likeliest pairs that agree with shapes and colours; and with both, as
   clingo has them. Wrong answers, pair by pair and with both.
3. Seconds for a question that joins two pairs, by how many of the pairs of nine objects are in doubt: each of these has
   a random probability of 0.1 to 0.9. Each system is a command of its own, start included; the least of three.

All boards are of hexominoes, on which nothing was chosen. `--page` writes the tables between the marks in a page.
"""

import argparse
import json
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from time import perf_counter

import clingo
import numpy as np
from problog import get_evaluatable
from problog.program import PrologString

from benchmarks.shared import GAME, INFO, machine, name_of, options
from predinet_prolog.bridge import Program, Scene, make_program, perceiver_of, write_prolog
from predinet_prolog.bridge.likelihoods import Likelihoods, likelihoods
from predinet_prolog.bridge.writers import asp, problog
from predinet_prolog.domains.domain import Labelled
from predinet_prolog.experiments.evaluation import ask_label, shown, task_fact
from predinet_prolog.neural import Model, load_model
from predinet_prolog.symbolic import Engine, Rules, theory

SEED = 4_000_037
"""Boards come from a seed that nothing was trained, grounded or tested with."""
KIND = "hexos"
TASKS = {
    "same": "same_label",
    "between": "between_label",
    "occurs": "occurs_label",
    "xoccurs": "xoccurs_label",
    "colour_and_or_shape": "colour_and_or_shape_label",
    "row_patterns_3": "row_pattern_label",
}
"""The predicate that answers each."""
CORRUPTED_TASKS = {
    "between": "between_label",
    "xoccurs": "xoccurs_label",
    "match_rows": "match_rows_label",
    "scatter": "scatter_label",
}
"""Those of three objects and more: of two, one pair alone decides."""
CORRUPTIONS = (("noise", 0.1), ("shift", 2), ("jpeg", 25), ("blur", 0.75), ("resize", 20))
COUNTED = (
    "pairs",
    "pair by pair",
    "transitive",
    "agreeing",
    "both",
    "boards",
    "answers, pair by pair",
    "answers, both",
)
TRANSITIVITY, AGREEMENT = ":- alike(R, ", ":- alike(same"
"""How the constraints of an exported program begin."""
DOUBTFUL = (3, 6, 9, 12, 15, 18, 24, 36)
OBJECTS = 9
PAIRS = 66, 105, 136
"""Of more objects, all in doubt, for clingo alone."""
THEORIES = Path(__file__).parents[1] / "symbolic" / "theories"
MARKS = "<!-- measured -->", "<!-- end of what is measured -->"


def main() -> None:
    parser = options(__doc__)
    parser.add_argument(
        "--boards",
        type=int,
        default=200,
        help="of each task, and half as many of those that are corrupted (default: 200)",
    )
    parser.add_argument("--limit", type=int, default=60, help="seconds that a question may take (default: 60)")
    parser.add_argument("-o", "--output", type=Path, help="write the figures to this .json")
    parser.add_argument("--page", type=Path, help="write the tables into this .md")
    given: argparse.Namespace = parser.parse_args()
    model = load_model("relations-game")
    figures: dict[str, object] = {"machine": machine(), "boards": given.boards, "limit": given.limit, "seed": SEED}
    parts: dict[str, Callable[[], object]] = {
        "agreement": lambda: agreement(model, given.boards),
        "corrupted": lambda: corrupted(model, given.boards // 2),
        "seconds": lambda: seconds(given.limit),
    }
    for name, part in parts.items():
        figures[name] = part()
        if given.output:
            given.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(tables(figures))
    if given.page:
        given.page.write_text(with_tables(given.page.read_text(encoding="utf-8"), figures), encoding="utf-8")


def with_tables(page: str, figures: dict[str, object]) -> str:
    """The page with these figures between its marks."""
    before, _, rest = page.partition(MARKS[0])
    return f"{before}{MARKS[0]}\n{tables(figures)}\n{MARKS[1]}{rest.partition(MARKS[1])[2]}"


# --- The same answers. ---


def agreement(model: Model, count: int) -> dict[str, dict[str, int]]:
    """By task, how many boards all three answer alike, and how many of each system's answers are right."""
    found: dict[str, dict[str, int]] = {}
    with Engine(time_limit=10) as engine:
        for task, predicate in TASKS.items():
            drawn = GAME.generate(task, count, kind=KIND, seed=SEED)
            counts = dict.fromkeys(("boards", "equal", "SWI-Prolog", "ProbLog", "clingo"), 0)
            for number, (_, program) in enumerate(seen(model, drawn)):
                fact, label = task_fact(drawn, number), int(drawn.labels[number])
                said = {
                    "SWI-Prolog": by_prolog(engine, program, predicate, fact),
                    "ProbLog": by_problog(program, predicate, fact),
                    "clingo": by_clingo(asp.write_asp(program), predicate, fact)[0],
                }
                counts["boards"] += 1
                counts["equal"] += len(set(said.values())) == 1
                for system, answer in said.items():
                    counts[system] += answer == label
            found[task] = counts
            tell(f"{task}: {counts}")
    return found


def seen(model: Model, drawn: Labelled) -> Iterator[tuple[Scene, Program]]:
    """What is seen of each board."""
    for scene in perceiver_of(model).perceive(drawn.images):
        yield scene, make_program(scene, model=model, image=INFO)


def by_prolog(engine: Engine, program: Program, predicate: str, fact: str) -> object:
    """The label, from the exported program."""
    rules = [theory("relations_game"), Rules("task", fact)]
    return ask_label(engine, write_prolog(program), f"{predicate}(L)", rules)[0]


def by_problog(program: Program, predicate: str, fact: str) -> object:
    """The label that is more likely than not; None if none is."""
    rules = (THEORIES / "relations_game.problog").read_text(encoding="utf-8")
    text = f"{problog.write_problog(program)}\n{rules}\n{fact}\nquery({predicate}(_)).\n"
    likely = get_evaluatable().create_from(PrologString(text)).evaluate()
    return next((int(term.args[0]) for term, share in likely.items() if share > 0.5), None)


def by_clingo(text: str, predicate: str, fact: str) -> tuple[object, set[tuple[str, str]]]:
    """The label in the best answer set of an exported program, and the pairs that are the same there."""
    control = clingo.Control(["--warn=none"])
    rules = (THEORIES / "relations_game.lp").read_text(encoding="utf-8")
    control.add("base", [], f"{text}\n{rules}\n{fact}")
    control.ground([("base", [])])
    best: list[clingo.Symbol] = []
    with control.solve(yield_=True) as models:
        for each in models:
            best = list(each.symbols(atoms=True))
    label = next((symbol.arguments[0].number for symbol in best if symbol.match(predicate, 1)), None)
    return label, {(str(s.arguments[0]), str(s.arguments[1])) for s in best if s.match("same", 2)}


# --- What consistency is worth. ---


def corrupted(model: Model, count: int) -> dict[str, dict[str, int]]:
    """By corruption, of how many pairs and boards how many are told wrongly, pair by pair and by kinds."""
    found = {}
    with Engine(time_limit=10) as engine:
        for change in CORRUPTIONS:
            counts = dict.fromkeys(COUNTED, 0)
            for task, predicate in CORRUPTED_TASKS.items():
                drawn = GAME.generate(task, count, kind=KIND, seed=SEED, corruption=change)
                for number, (scene, program) in enumerate(seen(model, drawn)):
                    fact, label = task_fact(drawn, number), int(drawn.labels[number])
                    text = asp.write_asp(program)
                    answer, both = by_clingo(text, predicate, fact)
                    alike = {
                        "pair by pair": by_pairs(program),
                        "transitive": by_clingo(without(text, AGREEMENT), predicate, fact)[1],
                        "agreeing": by_clingo(without(text, TRANSITIVITY), predicate, fact)[1],
                        "both": both,
                    }
                    counts["boards"] += 1
                    counts["answers, pair by pair"] += by_prolog(engine, program, predicate, fact) != label
                    counts["answers, both"] += answer != label
                    assert drawn.truth is not None  # it is generated
                    rows = drawn.truth.rows(number)
                    known = shown(scene, drawn.truth.boxes[rows])
                    for (one, first), (other, second) in combinations(known, 2):
                        true = all(values[rows][first] == values[rows][second] for values in attributes(drawn))
                        pair = scene.things[one].name, scene.things[other].name
                        counts["pairs"] += 1
                        for way, told in alike.items():
                            counts[way] += (pair in told) != true
            found[name_of(change)] = counts
            tell(f"{name_of(change)}: {counts}")
    return found


def without(text: str, constraint: str) -> str:
    """The program without the lines that begin so."""
    assert f"\n{constraint}" in text
    return "\n".join(line for line in text.splitlines() if not line.startswith(constraint))


def attributes(drawn: Labelled) -> list[np.ndarray]:
    """Of all things, what makes them look the same."""
    assert drawn.truth is not None
    return [drawn.truth.attributes["shape"], drawn.truth.attributes["colour"]]


def by_pairs(program: Program) -> set[tuple[str, str]]:
    """The pairs that are the same where each is told by itself."""
    told = {(x, y) for x, y, share in likelihoods(program).pairs("same") if share >= 0.5}
    return told | {(y, x) for x, y in told}


# --- How long it takes. ---


def seconds(limit: int) -> dict[str, dict[str, float | None]]:
    """By system, and by how many pairs are in doubt, the seconds that its command takes; None beyond the limit."""
    found: dict[str, dict[str, float | None]] = {"ProbLog, pairs": {}, "ProbLog, kinds": {}, "clingo": {}}
    scripts = Path(sysconfig.get_path("scripts"))
    commands = {
        "ProbLog, pairs": [str(scripts / "problog")],
        "ProbLog, kinds": [str(scripts / "problog")],
        "clingo": [sys.executable, "-m", "clingo", "-V0"],
    }
    for doubtful in DOUBTFUL + PAIRS:
        likely = in_doubt(doubtful)
        texts = {
            "ProbLog, pairs": problog_text(likely, "pair"),
            "ProbLog, kinds": problog_text(likely, "kind"),
            "clingo": asp_text(likely),
        }
        for system, text in texts.items():
            if system != "clingo" and doubtful in PAIRS:
                continue
            before = list(found[system].values())
            # Once it took too long, more in doubt take longer.
            told = None if None in before else least(commands[system], text, limit)
            found[system][str(doubtful)] = told
            tell(f"{system}, {doubtful} in doubt: {told}")
    return found


def in_doubt(count: int) -> Likelihoods:
    """So many pairs of OBJECTS objects in doubt, or of as few as have that many; others are unlike."""
    random = np.random.default_rng(count)
    objects = max(OBJECTS, int((1 + (1 + 8 * count) ** 0.5) / 2))
    odds = np.zeros((objects, objects))
    pairs = random.permutation(list(combinations(range(objects), 2)))[:count]
    odds[tuple(pairs.T)] = random.uniform(0.1, 0.9, count)
    return Likelihoods(tuple(f"ob_{each}" for each in range(objects)), {"same": odds + odds.T})


def problog_text(likely: Likelihoods, by: str) -> str:
    """Whether some two objects that are the same as a third are among those."""
    goal = "triple :- same(X, Y), same(Y, Z), X \\= Z.\nquery(triple).\n"
    return f"{problog.learned(likely)}\n{goal}".replace(":- pair(same", f":- {by}(same")


def asp_text(likely: Likelihoods) -> str:
    """The same."""
    return f"{asp.learned(likely)}\ntriple :- same(X, Y), same(Y, Z), X != Z.\n"


def least(command: list[str], text: str, limit: int) -> float | None:
    """The fewest seconds of three; of one where that takes long."""
    taken: list[float] = []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(text)
        file.flush()
        while len(taken) < 3 and sum(taken) < 20:
            start = perf_counter()
            # This ends what ProbLog starts, too. clingo's status is 30 for an optimum.
            run = subprocess.run(["timeout", str(limit), *command, file.name], capture_output=True, check=False)
            if run.returncode == 124:
                return None
            taken.append(perf_counter() - start)
    return round(min(taken), 2)


# --- The page. ---


def tables(figures: dict[str, object]) -> str:
    """In Markdown."""
    agreed, spoiled, taken = (figures[name] for name in ("agreement", "corrupted", "seconds"))
    assert isinstance(agreed, dict)
    assert isinstance(spoiled, dict)
    assert isinstance(taken, dict)
    lines = ["", *head("task", "boards", "all three equal", "SWI-Prolog right", "ProbLog right", "clingo right")]
    lines += [row(task, *counts.values()) for task, counts in agreed.items()]
    lines += ["", *head("pairs in doubt", *taken)]
    for doubtful in map(str, DOUBTFUL + PAIRS):
        cells = [told.get(doubtful, "") for told in taken.values()]
        lines.append(row(doubtful, *(f"over {figures['limit']}" if cell is None else cell for cell in cells)))
    lines += ["", *head("corruption", *COUNTED)]
    lines += [row(change, *counts.values()) for change, counts in spoiled.items()]
    return "\n".join(lines) + "\n"


def head(*names: str) -> list[str]:
    return [row(*names), row("---", *["---:"] * (len(names) - 1))]


def row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def tell(line: str) -> None:
    """How far it is."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
