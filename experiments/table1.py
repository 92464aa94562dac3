"""`table1`: five tasks, each alone, five architectures, two held-out sets (Table 1, figure S11)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from predinet_prolog.domains.relations_game import task_info
from predinet_prolog.experiments.claims import Claim, claims_section, weigh
from predinet_prolog.experiments.configurations import (
    ARCHITECTURES,
    Configuration,
    Results,
    from_scratch,
    in_training_order,
    name_of,
    read_results,
)
from predinet_prolog.experiments.curriculum import Combination
from predinet_prolog.experiments.data import held_out_sets
from predinet_prolog.experiments.drawing import ARCHITECTURE_LINES, Panel, draw_curves
from predinet_prolog.experiments.pages import (
    NAMES,
    SETS,
    Row,
    beginnings,
    learnt,
    lines,
    markdown,
    mean_of,
    read_rules,
    rules_note,
    rules_number,
)
from predinet_prolog.experiments.plans import Plan

TASKS = ("same", "between", "occurs", "xoccurs", "colour_and_or_shape")
QUICK_TASKS = ("same", "between", "colour_and_or_shape")
SOLVED, AHEAD, FAR_AHEAD = 0.90, 0.10, 0.25
"""The paper's words: `over 90%`, `by more than 10%`, `by 25% or more`."""
RULES = ("rules, PrediNet trained on another task", "rules over `relations-game`")
"""The columns of rules."""


def configurations(plan: Plan) -> list[Configuration]:
    return [from_scratch(name, task) for name in in_training_order(architectures(plan)) for task in tasks(plan)]


def architectures(plan: Plan) -> tuple[str, ...]:
    return tuple(name for name in ARCHITECTURES if name != "relation_net" or not plan.quick)


def tasks(plan: Plan) -> tuple[str, ...]:
    return QUICK_TASKS if plan.quick else TASKS


def page(folder: Path, plan: Plan) -> list[str]:
    """Draws curves.png."""
    results = read_results(folder, configurations(plan))
    panels = [[_panel(task, held, plan) for task in tasks(plan)] for held in SETS]
    line_styles = {name: ARCHITECTURE_LINES[name] for name in architectures(plan)}
    draw_curves(folder / "curves.png", panels, line_styles, results, plan.steps)
    return [
        claims_section(weigh(judge, results, plan)),
        "## The last checkpoint\n",
        accuracy_table(folder, results, plan),
        _at_chance(results, plan),
        rules_note(folder),
        "## The ten best measurements of each run\n",
        "The paper's own table takes the top 10 batches of a run, picked on the held-out set. Here they are the "
        f"ten highest of {plan.measurements} measurements, on {plan.test_images:,} images each. They flatter a "
        "run that had its best time before its end; of a run that still learned at its end they are below its "
        "last checkpoint.\n",
        accuracy_table(folder, results, plan, best=True),
        beginnings(results, tasks(plan), architectures(plan)),
        "## Learning curves\n",
        "![Learning curves on the held-out sets](curves.png)\n",
    ]


def rows(plan: Plan) -> list[Row]:
    """Of the table. Stripes have one shape: no colour_and_or_shape with them."""
    names_of = {task: [name_of(name, task) for name in architectures(plan)] for task in tasks(plan)}
    return [(task, held, names) for task, names in names_of.items() for held in held_out_sets(task)]


def rules_source(task: str) -> str:
    """Another task: rules that say `task` are asked of the programs of the PrediNet that was trained on that one."""
    return "same" if task == "between" else "between"


def rules_row(task: str) -> str:
    """The key, in the file of rules, of what rules reach over that network; `task` is the key of the default model."""
    return str(Combination(task, rules_source(task)))


def accuracy_table(folder: Path, results: Results, plan: Plan, *, best: bool = False) -> str:
    """Accuracies in per cent; beside the last checkpoints' what rules reach."""
    rules = read_rules(folder)
    header = ["task", "held-out set", *(NAMES[name] for name in architectures(plan))]
    cells = lines(results, plan, rows(plan), best=best)
    if best:
        return markdown(header, cells)
    for line, (task, held, _) in zip(cells, rows(plan), strict=True):
        line += [rules_number(rules.get(key, {}).get(held), plan) for key in (rules_row(task), task)]
    return markdown([*header, *RULES], cells)


def _at_chance(results: Results, plan: Plan) -> str:
    """A sentence that names those that have learned nothing, or have lost it, with their highest measurements."""
    cells = []
    for configuration in configurations(plan):
        result, task = results.get(configuration.name), configuration.task
        if result and result.done and not learnt(result.last["hexos"].mean, task):
            highest = 100 * max(map(max, result.curve.accuracies("hexos")))
            cells.append(f"{NAMES[configuration.architecture]} on `{task}` ({highest:.1f})")
    if not cells:
        return ""
    return (
        f"**At chance** on hexominoes at the end, less than 10 points above it; in brackets the highest measurement of "
        f"any run: {', '.join(cells)}.\n"
    )


def _panel(task: str, held: str, plan: Plan) -> Panel | None:
    if held not in held_out_sets(task):
        return None
    names = {name: name_of(name, task) for name in architectures(plan)}
    return Panel(f"{task}, {SETS[held]}", names, held, 1 / task_info(task).labels)


Mean = Callable[[str, str, str], float | None]
"""Of architecture, task and held-out set; None if the configuration is not done."""


def judge(results: Results, plan: Plan) -> list[Claim]:
    """The claims of section 5 about Table 1, tested on the means of the last checkpoints; and then on those of the ten
    best measurements, which the paper's own table has."""

    def claims(*, best: bool) -> list[Claim]:
        def mean(architecture: str, task: str, held: str) -> float | None:
            return mean_of(results.get(name_of(architecture, task)), held, best=best)

        return [_alone_above(plan, mean), *(_ahead(plan, mean, *claim) for claim in _LEADS)]

    by_best = [replace(claim, paper=f"{claim.paper}, by the ten best measurements") for claim in claims(best=True)]
    return claims(best=False) + by_best


_LEADS: tuple[tuple[str, str, str, str, Callable[[float], bool]], ...] = (
    (
        "xoccurs",
        "mlp1 mlp2 relation_net attention",
        "on `xoccurs` the PrediNet out-performs the baselines by more than 10 % (section 5)",
        "more than 10 points ahead of the best baseline, on each held-out set",
        lambda lead: lead > AHEAD,
    ),
    (
        "colour_and_or_shape",
        "mlp1 mlp2 relation_net",
        "on `colour_and_or_shape` it out-performs all the baselines except MHA by 25 % or more (section 5)",
        "25 points or more ahead of the best of MLP1, MLP2 and relation net, on hexominoes",
        lambda lead: lead >= FAR_AHEAD,
    ),
    (
        "colour_and_or_shape",
        "attention",
        "on `colour_and_or_shape` MHA is not out-performed by 25 % or more (section 5)",
        "less than 25 points behind, on hexominoes",
        lambda lead: lead < FAR_AHEAD,
    ),
)
"""The claims about the PrediNet's lead: task, the baselines meant, the paper's words, the test."""


def _alone_above(plan: Plan, mean: Mean) -> Claim:
    paper = (
        "the PrediNet is the only architecture that achieves over 90 % on all tasks with both held-out sets (section 5)"
    )
    test = "every mean of the PrediNet's above 90 %, and of each baseline one that is not"
    table = [(task, held) for task, held, _ in rows(plan)]
    lowest: dict[str, tuple[float, tuple[str, str]]] = {}
    for name in sorted(architectures(plan), key=lambda name: name != "predinet"):
        means_of_rows = [(row_mean, row) for row in table if (row_mean := mean(name, *row)) is not None]
        # One row tells of a baseline that fails there; only all of them tell that it does not.
        if means_of_rows and (
            len(means_of_rows) == len(table) or (name != "predinet" and min(means_of_rows)[0] <= SOLVED)
        ):
            lowest[name] = min(means_of_rows)
    if "predinet" not in lowest or len(lowest) == 1:
        return Claim(paper, "", test, None)
    figures = "; ".join(
        f"{NAMES[name]} {100 * value:.1f} (`{task}`, {SETS[held]})" for name, (value, (task, held)) in lowest.items()
    )
    holds = all((value > SOLVED) == (name == "predinet") for name, (value, _) in lowest.items())
    without = [NAMES[name] for name in architectures(plan) if name not in lowest]
    return Claim(paper, f"the lowest of each that is known: {figures}", test, holds, without)


def _ahead(
    plan: Plan, mean: Mean, task: str, meant: str, paper: str, test: str, enough: Callable[[float], bool]
) -> Claim:
    baselines = [name for name in architectures(plan) if name in meant.split()]
    sets: Sequence[str] = held_out_sets(task) if task in tasks(plan) else ()
    means = {(name, held): mean(name, task, held) for name in ("predinet", *baselines) for held in sets}
    numbers = {key: value for key, value in means.items() if value is not None}
    done = [name for name in ("predinet", *baselines) if sets and all((name, held) in numbers for held in sets)]
    trained = done[1:] if done[:1] == ["predinet"] else []
    if not trained:
        return Claim(paper, "", test, None)
    sentences, holds = [], []
    for held in sets:
        ours, rivals = numbers["predinet", held], {name: numbers[name, held] for name in trained}
        best = max(rivals, key=rivals.__getitem__)
        lead = ours - rivals[best]
        both = f"PrediNet {100 * ours:.1f}, {NAMES[best]} {100 * rivals[best]:.1f}"
        sentences.append(f"{SETS[held]}: {100 * lead:+.1f} points ({both})")
        holds.append(enough(lead))
    return Claim(
        paper, "; ".join(sentences), test, all(holds), [NAMES[name] for name in baselines if name not in trained]
    )
