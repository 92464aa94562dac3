"""reproduce: the paper's experiments."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from predinet_prolog.experiments import Plan, take_folder
from predinet_prolog.neural.engine_choice import open_engine
from predinet_prolog.neural.engines import Engine
from predinet_prolog.service.cli.images import open_model
from predinet_prolog.service.cli.options import COUNT, ENGINES, engine_option, output_option
from predinet_prolog.service.cli.progress import following
from predinet_prolog.service.errors import OutputError, UsageError
from predinet_prolog.service.files import write_atomically, writing_to
from predinet_prolog.service.streams import emit, note

if TYPE_CHECKING:
    from predinet_prolog.experiments.experiment import Experiment

PAGE = "README.md"
SECONDS_PER_PAGE = 300.0
"""While an experiment runs, its page is written this often."""


@click.command()
@click.argument(
    "name", required=False, metavar="[EXPERIMENT]", help="Which one; without it, all are listed with their cost."
)
@click.option("--quick", is_flag=True, help="Minutes on two cores: shows how it goes, not what comes of it.")
@click.option(
    "--runs",
    type=COUNT,
    metavar="N",
    help="Runs of every cell; asked for more, it goes on with those that are missing. (default: 10, quick 1)",
)
@click.option("--steps", type=COUNT, metavar="N", help="Batches of every run. (default: 100000, quick 1500)")
@engine_option
@output_option("DIR", "Folder of the results. (default: out/reproduce/EXPERIMENT, quick ones apart)")
def reproduce(
    name: str | None, quick: bool, runs: int | None, steps: int | None, engine: str, output: Path | None
) -> None:
    """Run one of the paper's experiments, and say where its results differ from the paper's.

    Writes data, figures and README.md, a page with the paper's claims beside what came of them. Interrupted, the same
    command goes on where it stopped; the page can be read at any time, and tells how far it is.

    \b
    Examples:
      predinet-prolog reproduce
      predinet-prolog reproduce table1 --quick
      predinet-prolog reproduce curriculum --runs 3 -o results/curriculum
      RAY_ADDRESS=head:6379 predinet-prolog reproduce table1 --engine ray
    """
    from predinet_prolog.experiments.experiment import EXPERIMENTS

    if name is None:
        emit(_listing(list(EXPERIMENTS.values())))
        return
    if name not in EXPERIMENTS:
        raise UsageError(f"no experiment {name}: choose {', '.join(EXPERIMENTS)}")
    experiment = EXPERIMENTS[name]
    plan = experiment.quick if quick else experiment.full
    steps = steps or plan.steps
    plan = replace(plan, runs=runs or plan.runs, steps=steps, measurements=min(plan.measurements, steps))
    folder = output or Path("out") / "reproduce" / (f"{name}-quick" if quick else name)
    _run(experiment, plan, folder, None if engine == ENGINES[0] else open_engine(engine))
    emit(f"{folder / PAGE}\n")


def _run(experiment: "Experiment", plan: Plan, folder: Path, engine: Engine | None) -> None:
    """Does what is missing and writes the page, also while it runs and when it is interrupted."""
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        take_folder(folder, experiment.name, plan)
        _ask_rules(experiment, folder)  # of what is there: rules are asked of networks that other tasks have trained
        with following(experiment.name, "steps") as report:
            experiment.run(plan, folder, _with_pages(experiment, folder, report), engine)
        _ask_rules(experiment, folder)
        _write_page(experiment, folder)
    except KeyboardInterrupt:
        _write_page(experiment, folder)
        note(f"stopped; the same command goes on from {folder}")
        raise
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror or error}") from error


def _ask_rules(experiment: "Experiment", folder: Path) -> None:
    """Makes what can be made of the rule column."""
    from predinet_prolog.experiments import rules_column

    _write_page(experiment, folder)  # to be read meanwhile
    with following("rules", "images") as report:
        rules_column.add(experiment, folder, open_model(None), report)


def _with_pages(
    experiment: "Experiment", folder: Path, report: Callable[[int, int, str], None]
) -> Callable[[int, int, str], None]:
    """`report`, which now and then writes the page too."""
    written = time.monotonic()

    def report_and_write(done: int, total: int, text: str) -> None:
        nonlocal written
        report(done, total, text)
        if time.monotonic() - written > SECONDS_PER_PAGE:
            _write_page(experiment, folder)
            written = time.monotonic()

    return report_and_write


def _write_page(experiment: "Experiment", folder: Path) -> None:
    write_atomically(folder / PAGE, experiment.write(folder).encode())


def _listing(experiments: "list[Experiment]") -> str:
    """Every experiment with the paper's claim and its cost."""
    lines = ["The paper's experiments (predinet-prolog reproduce NAME, or NAME --quick: minutes on two cores):", ""]
    for experiment in experiments:
        lines += [f"  {experiment.name:12}{experiment.claim}", f"{'':14}{experiment.cost}"]
    return "\n".join(lines) + "\n"
