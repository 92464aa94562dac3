"""The paper's experiments, each one command: data, figures and a page that says where ours differ from the paper's."""

from experiments.experiment import PAPER, Experiment, Plan, Report, read_plan, take_folder

__all__ = ["PAPER", "Experiment", "Plan", "Report", "read_plan", "take_folder"]
