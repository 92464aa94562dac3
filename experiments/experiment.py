"""What an experiment is: configurations to train, something to measure of their networks, and a page about it."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from predinet_prolog.experiments.analysis import beginning
from predinet_prolog.experiments.configurations import Configuration, borrow
from predinet_prolog.experiments.pages import OPTIMISERS, cost, recipe
from predinet_prolog.experiments.plans import PAPER, QUICK, Plan, Report, is_of, read_plan, take_folder
from predinet_prolog.experiments.training import train_configurations
from predinet_prolog.neural.engines import Engine
from predinet_prolog.neural.states import alone_in

LENDERS = ("table1", "curriculum", "attention", "pca", "ablation")
"""Experiments that train the same configurations."""


@dataclass(frozen=True)
class Experiment:
    """One experiment of the paper, as experiments.toml tells of it."""

    name: str
    title: str
    claim: str
    cost: str
    reduced: str = ""
    reading: str = ""
    full: Plan = PAPER
    quick: Plan = QUICK

    @property
    def _module(self) -> Any:
        return import_module(f"predinet_prolog.experiments.{self.name}")

    def configurations(self, plan: Plan) -> Sequence[Configuration]:
        """What is trained, in this order."""
        configurations: Sequence[Configuration] = self._module.configurations(plan)
        return configurations

    def run(self, plan: Plan, folder: Path, report: Report, engine: Engine | None = None) -> None:
        """Makes what `folder` lacks, and goes on where it was interrupted; NeuralError if it is of another plan or at
        work in another process.

        What one of LENDERS has trained by the same plan, in a folder of its name beside this one, is copied from there.
        The `engine` trains the rest; None: this machine, as suits it.
        """
        measure: Callable[[Path, Plan], None] | None = getattr(self._module, "measure", None)
        take_folder(folder, self.name, plan)
        with alone_in(folder):
            configurations = self.configurations(plan)
            for lender in LENDERS:
                beside = folder.parent / lender
                if beside != folder and is_of(beside, lender, plan):
                    for configuration in configurations:
                        # Only an analysis needs the networks of what it takes over.
                        borrow(folder, configuration, beside, plan.runs, without=measure is None)
            train_configurations(folder, plan, configurations, report, engine)
            if measure is not None:
                measure(folder, plan)

    def write(self, folder: Path) -> str:
        """Draws the figures into `folder`, which may be half done, and returns the page in Markdown."""
        _, plan = read_plan(folder)
        configurations, page = self.configurations(plan), self._module.page(folder, plan)
        lines = [f"# {self.title}{' (quick)' if plan.quick else ''}\n"]
        if self.reading:
            lines += beginning(folder, plan, configurations, measured=bool(page)) + page
            lines += [self.reading.format(**vars(self._module))] if page else []
        else:
            rest = sorted(
                {configuration.descent for configuration in configurations if configuration.descent is not None}
            )
            lines += [recipe(plan, self.reduced)]
            lines += [f"{OPTIMISERS[name]} has the learning rate {rate:g}.\n" for name, rate in rest]
            lines += [cost(folder, configurations, plan), *page]
        return "\n".join(lines)


def _read(path: Path) -> dict[str, Experiment]:
    tables: dict[str, dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        name: Experiment(name, **{**table, "quick": replace(QUICK, **table.get("quick", {}))})
        for name, table in tables.items()
    }


EXPERIMENTS = _read(Path(__file__).with_name("experiments.toml"))
"""By name, in the order of the paper."""
