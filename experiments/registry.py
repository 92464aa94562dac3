"""Every experiment by its name. A module of its own: a process that trains cells loads none of them."""

from experiments import ablation, attention, curriculum, optimiser, pca, size, table1
from experiments.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    module.EXPERIMENT.name: module.EXPERIMENT
    for module in (table1, curriculum, optimiser, size, attention, pca, ablation)
}
"""By name, in the order of the paper."""
