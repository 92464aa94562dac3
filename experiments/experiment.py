"""What an experiment is: configurations to train, and a page about what their networks reached."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from predinet_prolog.experiments import curriculum, table1
from predinet_prolog.experiments.configurations import Configuration
from predinet_prolog.experiments.pages import cost, recipe
from predinet_prolog.experiments.plans import PAPER, QUICK, Plan, Report, read_plan, take_folder
from predinet_prolog.experiments.training import train_configurations
from predinet_prolog.neural.engines import Engine
from predinet_prolog.neural.states import alone_in


@dataclass(frozen=True)
class Experiment:
    """One experiment of the paper.

    Its `module` has `configurations(plan)`, what is trained and in this order, and `page(folder, plan)`, which draws
    the figures into the folder and gives the paragraphs of its page.
    """

    name: str
    module: ModuleType
    title: str
    claim: str
    """What the paper says came of it."""
    cost: str
    """What the full plan takes."""
    reduced: str
    """What the quick plan leaves out, beside the paper's recipe."""
    full: Plan = PAPER
    quick: Plan = QUICK

    def configurations(self, plan: Plan) -> Sequence[Configuration]:
        configurations: Sequence[Configuration] = self.module.configurations(plan)
        return configurations

    def run(self, plan: Plan, folder: Path, report: Report, engine: Engine | None = None) -> None:
        """Makes what `folder` lacks, and goes on where it was interrupted; NeuralError if it is of another plan or at
        work in another process. The `engine` trains; None: this machine, as suits it."""
        take_folder(folder, self.name, plan)
        with alone_in(folder):
            train_configurations(folder, plan, self.configurations(plan), report, engine)

    def write(self, folder: Path) -> str:
        """Draws the figures into `folder`, which may be half done, and returns the page in Markdown."""
        _, plan = read_plan(folder)
        title = f"# {self.title}{' (quick)' if plan.quick else ''}\n"
        costs = cost(folder, self.configurations(plan), plan)
        return "\n".join([title, recipe(plan, self.reduced), costs, *self.module.page(folder, plan)])


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            name="table1",
            module=table1,
            title="Table 1: one task at a time",
            claim="the PrediNet alone reaches more than 90 % on all five tasks and both held-out sets",
            cost="25 cells of 10 runs: three and a half days on two cores, four fifths of it for the relation net; a "
            "day and a half where the processor multiplies bfloat16",
            reduced="Here it is one run of fewer batches by Adam, on three of the five tasks, and without the relation "
            "net, whose batches take ten to twenty times as long as the others'.",
        ),
        Experiment(
            name="curriculum",
            module=curriculum,
            title="Curricula: what was learned for one task, used for another",
            claim="with all but its output frozen, the PrediNet learns new tasks better than every baseline does, in "
            "all combinations but one",
            cost="80 cells of 10 runs: three times table1's time",
            reduced="Here it is one run of fewer batches by Adam, on the first combination alone, with two of the four "
            "baselines.",
        ),
    )
}
"""By name, in the order of the paper."""
