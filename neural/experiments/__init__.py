"""The paper's experiments, each one command: data, figures and a page that says where ours differ from the paper's."""

from neural.experiments import ablation, attention, curriculum, optimiser, pca, size, table1
from neural.experiments.experiment import PAPER, Experiment, Plan, Report, read_plan, take_folder

EXPERIMENTS: dict[str, Experiment] = {
    module.EXPERIMENT.name: module.EXPERIMENT
    for module in (table1, curriculum, optimiser, size, attention, pca, ablation)
}
"""By name, in the order of the paper."""

__all__ = ["EXPERIMENTS", "PAPER", "Experiment", "Plan", "Report", "read_plan", "take_folder"]
