"""V-trace against numbers worked out by hand and against a direct sum of its definition."""

import math

import torch

from predinet_prolog.neural.agents.vtrace import vtrace


def column(*numbers: float) -> torch.Tensor:
    """One game's numbers (T, 1)."""
    return torch.tensor(numbers, dtype=torch.float64)[:, None]


def test_two_steps_by_hand() -> None:
    """π/μ = ½ and 2, cut to 1; γ = ½; r = 1 and 3; V = 2, 4 and, after the last step, 6.

    δ_1 = 1 (3 + ½ · 6 − 4) = 2, so v_1 = 4 + 2 = 6. δ_0 = ½ (1 + ½ · 4 − 2) = ½, so v_0 = 2 + ½ + ½ · ½ · 2 = 3.
    Advantages: ½ (1 + ½ · 6 − 2) = 1 and 1 (3 + ½ · 6 − 4) = 2.
    """
    found = vtrace(column(math.log(0.5), math.log(2)), column(0.5, 0.5), column(1, 3), column(2, 4), column(6)[0])
    torch.testing.assert_close(found.targets, column(3, 6))
    torch.testing.assert_close(found.advantages, column(1, 2))


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
