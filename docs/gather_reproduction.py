"""The paper's experiments in docs/reproduction.md: a section each, their figures, and the curves behind them in one
Parquet file.

    python docs/gather_reproduction.py [FOLDER]     writes them from the folders that `reproduce` left (out/reproduce)
    python docs/gather_reproduction.py --unpack FOLDER      writes such folders from the Parquet file, to go on with

What stands outside of a section's marks is written by hand and stays. FOLDER holds all that is to be kept; what the
Parquet file has of experiments that this version has no more stays in it, too.
"""

import json
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.experiments import Plan, curriculum, read_plan, table1
from predinet_prolog.experiments.configurations import (
    COLUMNS,
    Curve,
    read_curve,
    read_record,
    read_result,
    record_path,
    runs_done,
    write_curve,
)
from predinet_prolog.experiments.data import held_out_sets
from predinet_prolog.experiments.experiment import EXPERIMENTS, Experiment
from predinet_prolog.experiments.pages import (
    NOTHING,
    RULES_FILE,
    markdown,
    number,
    read_rules,
    rules_number,
    runs_in_words,
)
from predinet_prolog.experiments.plans import PLAN_FILE

DOCS = Path(__file__).parent
PAGE, FIGURES = DOCS / "reproduction.md", DOCS / "reproduction"
CURVES = FIGURES / "curves.parquet"
STATE = "reproduction"
"""The part of the page that speaks of all experiments."""
METADATA = b"predinet-prolog"
"""Of the Parquet file: by experiment its plan, its rules' file, and its cells' records."""

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


def main(arguments: list[str]) -> None:
    """Gathers, or unpacks."""
    if arguments[:1] == ["--unpack"]:
        unpack(Path(arguments[1]))
    else:
        gather(Path(arguments[0]) if arguments else DOCS.parent / "out" / "reproduce")


def gather(results: Path) -> None:
    """Writes what is in `results`, one folder an experiment."""
    folders = {name: folder for name in EXPERIMENTS if (folder := _folder(results, name)) is not None}
    if not folders:
        sys.exit(f"{results} holds no experiment: predinet-prolog reproduce NAME makes one")
    parts = {
        STATE: "\n".join([_state(folders), "## Beside what others published\n", _published(folders), SOURCES]),
        **{name: _section(EXPERIMENTS[name], folder) for name, folder in folders.items()},
    }
    page = PAGE.read_text(encoding="utf-8")
    for name, text in parts.items():
        start, end = marks(name)
        above, _, rest = page.partition(start)
        page = f"{above}{start}\n{text}\n{end}{rest.partition(end)[2]}"
    PAGE.write_text(page, encoding="utf-8")
    pack(folders)


def marks(name: str) -> tuple[str, str]:
    """The lines of the page that stand around a part that is gathered."""
    return (
        f"<!-- gathered {name}: what follows is written by docs/gather_reproduction.py -->\n",
        f"<!-- end of {name} -->\n",
    )


def pack(folders: Mapping[str, Path]) -> None:
    """Writes the curves and records of the experiments, beside those of experiments that this version has no more."""
    before = parquet.read_table(CURVES)
    known: dict[str, Any] = {
        name: kept for name, kept in json.loads(before.schema.metadata[METADATA]).items() if name not in EXPERIMENTS
    }
    rows = [row for row in zip(*(column.to_pylist() for column in before.columns), strict=True) if row[0] in known]
    for experiment, folder in folders.items():
        cells = sorted(path.stem for path in folder.glob("cells/*.csv"))
        rows += [(experiment, cell, *row) for cell in cells for row in read_curve(folder, cell).rows]
        rules = folder / RULES_FILE
        known[experiment] = {
            "plan": asdict(read_plan(folder)[1]),
            "rules": json.loads(rules.read_text(encoding="utf-8")) if rules.exists() else None,
            "records": {cell: record for cell in cells if (record := read_record(folder, cell))},
        }
    names = ("experiment", "cell", *COLUMNS)
    table = pyarrow.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    table = table.replace_schema_metadata({METADATA: json.dumps(known)})
    parquet.write_table(table, CURVES, compression="zstd", compression_level=19)


def unpack(results: Path) -> None:
    """Writes the folders of experiments as `reproduce` leaves them, without networks."""
    table = parquet.read_table(CURVES)
    metadata = json.loads(table.schema.metadata[METADATA])
    for experiment in EXPERIMENTS:
        known = metadata[experiment]
        folder = results / experiment
        if folder.exists():
            sys.exit(f"{folder} is there already: name a new folder")
        write_atomically(folder / PLAN_FILE, _json({"experiment": experiment, **known["plan"]}))
        if known["rules"]:
            write_atomically(folder / RULES_FILE, _json(known["rules"]))
        for cell, record in known["records"].items():
            write_atomically(record_path(folder, cell), _json(record))
    curves: dict[tuple[str, str], Curve] = {}
    for experiment, cell, *row in zip(*(column.to_pylist() for column in table.columns), strict=True):
        if experiment in EXPERIMENTS:
            curves.setdefault((experiment, cell), Curve()).rows.append(tuple(row))
    for (experiment, cell), curve in curves.items():
        write_curve(results / experiment, cell, curve)


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()


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
        if plan != experiment.full or _is_short(experiment, folders[name]):
            left.append(f"    predinet-prolog reproduce {name}    # {experiment.cost}")
    text = "## What was run\n\n" + markdown(["experiment", "the paper says", "run here"], rows)
    if left:
        text += "\nLeft for a bigger machine, at the paper's extent:\n\n" + "\n".join(left) + "\n"
    return text


def _is_short(experiment: Experiment, folder: Path) -> bool:
    """Whether some cell has fewer runs than its plan, be it of ten."""
    plan = read_plan(folder)[1]
    return any(runs_done(folder, cell.name) < plan.runs for cell in experiment.configurations(plan))


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
            rules = " / ".join(rules_number(reached.get(held), plan) for held in sets)
        rows.append([f"`{task}`", ours, rules, *published])
    header = [
        "task",
        "our PrediNet, %",
        "our rules, PrediNet trained on another task, %",
        "PrediNet [1]",
        "best network [1]",
        "pix2rule [2]",
        "authors [3]",
    ]
    return markdown(header, rows)


def _section(experiment: Experiment, folder: Path) -> str:
    """The experiment's page without its title, a level lower; its figures, named after it, are copied."""
    section = experiment.write(folder).partition("\n\n")[2]
    for figure in sorted(folder.glob("*.png")):
        target = FIGURES / f"{experiment.name}-{figure.name}"
        shutil.copyfile(figure, target)
        section = section.replace(f"({figure.name})", f"(reproduction/{target.name})")
    return re.sub(r"^(?=#)", "#", section, flags=re.MULTILINE)


if __name__ == "__main__":
    main(sys.argv[1:])
