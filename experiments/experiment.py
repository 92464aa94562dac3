"""What an experiment is: configurations to train, and a page about what their networks reached."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
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
    rules: str
    """How the page tells of its column of rules, with a place for the `model` of rules alone."""
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


_MODULES = {"table1": table1, "curriculum": curriculum}
_TEXTS = tomllib.loads(resources.files(__package__).joinpath("experiments.toml").read_text(encoding="utf-8"))
EXPERIMENTS = {name: Experiment(name, module, **_TEXTS[name]) for name, module in _MODULES.items()}
"""By name, in the order of the paper."""
