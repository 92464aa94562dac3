"""Writes docs/reproduction.md, its figures and the curves behind them into docs/reproduction/, from the folders that
`reproduce` left.

python docs/gather_reproduction.py [FOLDER]    (default: out/reproduce)
"""

import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments import Plan, curriculum, read_plan, table1
from experiments.configurations import read_result
from experiments.data import held_out_sets
from experiments.experiment import EXPERIMENTS, Experiment
from experiments.pages import NOTHING, RULES_FILE, number, read_rules, rules_number, runs_in_words
from experiments.plans import PLAN_FILE
from experiments.tables import markdown

DOCS = Path(__file__).parent
FIGURES = DOCS / "reproduction"
PAGE = DOCS / "reproduction.md"

INTRODUCTION = """\
# The paper, reproduced

Every experiment of the paper is one command, `predinet-prolog reproduce NAME`, and this page is made from the folders
they left (`python docs/gather_reproduction.py`). Each compares what came of it with the paper's claims: yes or no, and
the numbers. The columns of *rules* in the two main tables are what the paper did not have: hand-written rules over
exported programs, of networks that were not trained on the task.

Beside the text of the paper, the authors' public notebook settles the details: all five architectures, their initial
weights, the pixel scale, the width of the task id. Two things are not as theirs. They stop updating while a batch of
held-out hexominoes scores above 0.99, which lets the held-out set into the training: here every run takes all its
batches. And their table takes the top 10 batches of a run: here the last checkpoint comes first, with that figure
beside it. The training images are ours, drawn by the rules that reproduce the public ones pixel for pixel, and as many
as theirs: 250,000 a task, the same for all runs. The task `colour_and_or_shape` has no stripes, here as in the original
data, for all stripes have one shape: so the table has 9 rows and not 10.

The curves (accuracy on the held-out sets, loss) and last accuracies of every cell are in
[reproduction/](reproduction/), a folder for each experiment. All else that a section names under *Data* `reproduce`
leaves in the experiment's own folder.

In the tables *–* is what was not run, *(at 11%)* a cell that is still trained, as it was after 11 % of its batches; MHA
is multi-head attention, k the number of heads, j that of relations. The stages of a curriculum are 1 the task from
scratch, 2 another task first (the curriculum), 3 then the task with nothing but the output network learning, 4 with all
but the encoder learning; *target ← curriculum*.
"""

PUBLISHED = {
    "same": (".990 / .983", NOTHING, ".99", NOTHING),
    "between": (".978 / .950", NOTHING, ".99", "– / .976"),
    "occurs": (".907 / .775", NOTHING, ".97", NOTHING),
    "xoccurs": (".872 / .810", ".967 / .946", ".94", NOTHING),
    "colour_and_or_shape": (NOTHING,) * 4,
    "match_rows": (".710 / .658", ".961 / .870", NOTHING, NOTHING),
}
"""By task: the PrediNet and the best network of [1], the rules of [2], the authors' saved run [3]."""

SOURCES = """\
Hexominoes / stripes, or hexominoes alone. [1] Altabaa and Lafferty, relational convolutional networks, 2023:
object-aligned patches, Adam. [2] Cingillioglu and Russo, pix2rule, 2021: rules after thresholding; four tasks together
.51. [3] The saved run of the authors' notebook in deepmind-research: one seed, 250 images a number, 50,000 training
images; its column patterns on stripes are .544 from scratch, .948 with encoder and PrediNet frozen after `between`,
.900 with the encoder frozen alone.
"""


def main(results: Path) -> None:
    """Gathers what is in `results`, one folder an experiment."""
    folders = {name: folder for name in EXPERIMENTS if (folder := _folder(results, name)) is not None}
    if not folders:
        sys.exit(f"{results} holds no experiment: predinet-prolog reproduce NAME makes one")
    parts = [INTRODUCTION, _state(folders), "## Beside what others published\n", _published(folders), SOURCES]
    with TemporaryDirectory(dir=DOCS) as beside:  # what is there stays until all is made
        gathered = Path(beside) / FIGURES.name
        gathered.mkdir()
        parts += [_section(EXPERIMENTS[name], folder, gathered) for name, folder in folders.items()]
        shutil.rmtree(FIGURES, ignore_errors=True)
        gathered.rename(FIGURES)
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    print(f"{PAGE}: {', '.join(folders)}")


def _folder(results: Path, name: str) -> Path | None:
    """The experiment's folder: of the paper's plan, else of the quick one."""
    for folder in (results / name, results / f"{name}-quick"):
        if (folder / PLAN_FILE).exists():
            return folder
    return None


def _state(folders: dict[str, Path]) -> str:
    """What was run, and the commands for what is left for a bigger machine."""
    rows, left = [], []
    for name, experiment in EXPERIMENTS.items():
        plan = read_plan(folders[name])[1] if name in folders else None
        rows.append([f"`{name}`", experiment.claim, "not run yet" if plan is None else _extent(plan)])
        if plan != experiment.full:
            left.append(f"    predinet-prolog reproduce {name}    # {experiment.cost}")
    text = "## What was run\n\n" + markdown(["experiment", "the paper says", "run here"], rows)
    if left:
        text += "\nLeft for a bigger machine, at the paper's extent:\n\n" + "\n".join(left) + "\n"
    return text


def _extent(plan: Plan) -> str:
    kind = "quick: " if plan.quick else ""
    most = "up to " if plan.runs > 1 else ""
    return f"{kind}{most}{runs_in_words(plan.runs)} a cell, {plan.steps:,} batches of {plan.batch}"


def _published(folders: dict[str, Path]) -> str:
    """Ours in per cent right; the published figures as they were published."""
    rows = []
    for task, published in PUBLISHED.items():
        name, row = (
            ("table1", table1.rules_row(task)) if task in table1.TASKS else ("curriculum", str(curriculum.ROWS_TO_ROWS))
        )
        folder = folders.get(name)
        ours = rules = NOTHING
        if folder is not None and not (plan := read_plan(folder)[1]).quick:
            result, reached = read_result(folder, f"predinet-{task}"), read_rules(folder).get(row, {})
            sets = held_out_sets(task)
            ours = " / ".join(number(result, held, plan) for held in sets)
            rules = " / ".join(rules_number(reached.get(held)) for held in sets)
        rows.append([f"`{task}`", ours, rules, *published])
    header = [
        "task",
        "our PrediNet, %",
        "our rules over a PrediNet of another task, %",
        "PrediNet [1]",
        "best network [1]",
        "pix2rule [2]",
        "authors [3]",
    ]
    return markdown(header, rows)


def _section(experiment: Experiment, folder: Path, gathered: Path) -> str:
    """The experiment's page a level down; its figures, named after it, and its data are copied to `gathered`."""
    page = experiment.write(folder)
    for figure in sorted(folder.glob("*.png")):
        target = gathered / f"{experiment.name}-{figure.name}"
        shutil.copyfile(figure, target)
        page = page.replace(f"({figure.name})", f"({FIGURES.name}/{target.name})")
    for file in sorted([*folder.glob("cells/*"), *folder.glob(RULES_FILE)]):
        target = gathered / experiment.name / file.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    return re.sub(r"^#", "##", page, flags=re.MULTILINE)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS.parent / "out" / "reproduce")
