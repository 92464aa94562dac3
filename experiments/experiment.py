"""What an experiment is: cells to train, something to measure of their networks, and a page about what came of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.cells import Cell, borrow_cell
from experiments.plans import PAPER, QUICK, Plan, Report, is_of, read_plan, take_folder
from experiments.training import train_cells

LENDERS = ("table1", "curriculum", "attention", "pca", "ablation")
"""Experiments that train the same cells."""


@dataclass(frozen=True)
class Experiment:
    """One experiment of the paper."""

    name: str
    title: str
    claim: str
    """What the paper says came of it."""
    cost: str
    """What the full plan takes, in a few words."""
    cells: Callable[[Plan], Sequence[Cell]]
    """What is trained, in this order."""
    page: Callable[[Path, Plan], Sequence[str]]
    """Draws the figures into the folder, and gives the paragraphs of the page, both from what the folder holds: that
    may be half of it."""
    measure: Callable[[Path, Plan], None] | None = None
    """Writes what is measured of the trained networks."""
    full: Plan = PAPER
    quick: Plan = QUICK

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
        if self.measure is not None:
            self.measure(folder, plan)

    def write(self, folder: Path) -> str:
        """Draws the figures into `folder` and returns the page in Markdown."""
        _, plan = read_plan(folder)
        return "\n".join([f"# {self.title}{' (quick)' if plan.quick else ''}\n", *self.page(folder, plan)])
