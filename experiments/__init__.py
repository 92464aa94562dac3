"""The paper's experiments, each one command: data, figures and a page that says where ours differ from the paper's."""

from predinet_prolog.experiments.plans import PAPER, Plan, Report, read_plan, take_folder

__all__ = ["PAPER", "Plan", "Report", "read_plan", "take_folder"]
