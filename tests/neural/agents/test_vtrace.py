"""V-trace against numbers worked out by hand and against a direct sum of its definition."""

import math

import torch

from predinet_prolog.neural.agents.vtrace import vtrace


def test_it_is_the_sum_that_defines_it() -> None:
    """v_s = V(x_s) + Σ_t γ^{t−s} (Π_{s ≤ i < t} c_i) δ_t V, of each game by itself."""
    T, B = 7, 3
    generator = torch.Generator().manual_seed(5)
    log_ratios, rewards, values = (torch.randn(T, B, generator=generator, dtype=torch.float64) for _ in range(3))
    discounts = 0.9 * (torch.rand(T, B, generator=generator) > 0.3).double()
    last = torch.randn(B, generator=generator, dtype=torch.float64)
    found = vtrace(log_ratios, discounts, rewards, values, last)
    for b in range(B):
        V = [*values[:, b].tolist(), last[b].item()]
        rho = [min(1.0, math.exp(each)) for each in log_ratios[:, b].tolist()]
        gamma, r = discounts[:, b].tolist(), rewards[:, b].tolist()
        targets = []
        for s in range(T):
            total, weight = V[s], 1.0
            for t in range(s, T):
                total += weight * rho[t] * (r[t] + gamma[t] * V[t + 1] - V[t])
                weight *= gamma[t] * rho[t]
            targets.append(total)
        torch.testing.assert_close(found.targets[:, b].tolist(), targets)
        after = [*targets[1:], V[T]]
        torch.testing.assert_close(
            found.advantages[:, b].tolist(), [rho[s] * (r[s] + gamma[s] * after[s] - V[s]) for s in range(T)]
        )
