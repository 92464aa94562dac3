"""V-trace: targets for values, and advantages, of actions that another policy may have chosen (Espeholt et al. 2018,
section 4.1)."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class VTrace:
    """Of T steps in each of B games."""

    targets: Tensor
    """(T, B): v_s, what the values should be."""
    advantages: Tensor
    """(T, B): ρ_s (r_s + γ_s v_{s+1} − V(x_s)), the weights of the policy's gradient."""


@torch.no_grad()
def vtrace(log_ratios: Tensor, discounts: Tensor, rewards: Tensor, values: Tensor, last_values: Tensor) -> VTrace:
    """V-trace with ρ̄ = c̄ = 1. All arguments are (T, B), but for `last_values` (B,).

    `log_ratios` are log π(a) − log μ(a), of the learner's policy and of the one that acted; `discounts` γ, 0 where the
    game ended with the step; `values` the learner's V(x_s); `last_values` those after the last step.

    - ρ_s = c_s = min(1, π/μ), δ_s = ρ_s (r_s + γ_s V(x_{s+1}) − V(x_s))
    - v_s = V(x_s) + δ_s + γ_s c_s (v_{s+1} − V(x_{s+1})), from the last step backwards (equation 1, as remark 1 has it)
    """
    ratios = log_ratios.exp().clamp(max=1)
    deltas = ratios * (rewards + discounts * torch.cat([values[1:], last_values[None]]) - values)
    targets = torch.empty_like(values)
    correction = torch.zeros_like(last_values)
    for step in reversed(range(len(values))):
        correction = deltas[step] + discounts[step] * ratios[step] * correction
        targets[step] = values[step] + correction
    following = torch.cat([targets[1:], last_values[None]])
    return VTrace(targets, ratios * (rewards + discounts * following - values))
