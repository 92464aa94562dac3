"""What an experiment is: cells to train, something to measure of their networks, and a page about what came of it."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from experiments.analysis import beginning
from experiments.cells import Cell, borrow_cell
from experiments.pages import OPTIMISERS, cost, recipe
from experiments.plans import PAPER, QUICK, Plan, Report, is_of, read_plan, take_folder
from experiments.training import train_cells

LENDERS = ("table1", "curriculum", "attention", "pca", "ablation")
"""Experiments that train the same cells."""


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
        return import_module(f"experiments.{self.name}")

    def cells(self, plan: Plan) -> Sequence[Cell]:
        """What is trained, in this order."""
        found: Sequence[Cell] = self._module.cells(plan)
        return found

    def run(self, plan: Plan, folder: Path, report: Report) -> None:
        """Makes what `folder` lacks, and goes on where it was interrupted; NeuralError if it is of another plan.

        What one of LENDERS has trained by the same plan, in a folder of its name beside this one, is copied from there.
        """
        take_folder(folder, self.name, plan)
        cells = self.cells(plan)
        for lender in LENDERS:
            beside = folder.parent / lender
            if beside != folder and is_of(beside, lender, plan):
                for cell in cells:
                    borrow_cell(folder, cell, beside, plan.runs)
        train_cells(folder, plan, cells, report)
        measure: Callable[[Path, Plan], None] | None = getattr(self._module, "measure", None)
        if measure is not None:
            measure(folder, plan)

    def write(self, folder: Path) -> str:
        """Draws the figures into `folder`, which may be half done, and returns the page in Markdown."""
        _, plan = read_plan(folder)
        cells, page = self.cells(plan), self._module.page(folder, plan)
        lines = [f"# {self.title}{' (quick)' if plan.quick else ''}\n"]
        if self.reading:
            lines += beginning(folder, plan, cells, measured=bool(page)) + page
            lines += [self.reading.format(**vars(self._module))] if page else []
        else:
            others = sorted({cell.descent for cell in cells if cell.descent is not None})
            lines += [recipe(plan, self.reduced)]
            lines += [f"{OPTIMISERS[name]} has the learning rate {rate:g}.\n" for name, rate in others]
            lines += [cost(folder, cells, plan), *page]
        return "\n".join(lines)


def _read(path: Path) -> dict[str, Experiment]:
    tables: dict[str, dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        name: Experiment(name, **{**table, "quick": replace(QUICK, **table.get("quick", {}))})
        for name, table in tables.items()
    }


EXPERIMENTS = _read(Path(__file__).with_name("experiments.toml"))
"""By name, in the order of the paper."""
