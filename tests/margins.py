"""Margins: how far a quantity that a test measures lies from its bound, on this processor and with these threads.

A test that trains, or that has a bound near a measured value, asks the fixture `bound` instead of comparing itself:

    def test_it_learns(bound: Bound, seed: int) -> None:
        bound.below("loss ratio", after / before, 0.6)

The test fails where the bound is crossed. `scripts/margins` runs all such tests with the code for several processors,
thread counts, seeds and slightly changed weights, and asks for a margin of a fifth under each of them.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

NUDGE = "PREDINET_TEST_NUDGE"
"""Environment variable: every weight of a new network is changed by this share of itself, up or down."""
SEED = "PREDINET_TEST_SEED"
"""Environment variable: added to the seeds of tests that train."""
FILE = "PREDINET_TEST_MARGINS"
"""Environment variable: the JSON lines file to which margins are appended."""


class Bound:
    """Compares quantities of one test with their bounds."""

    def __init__(self, test: str) -> None:
        self._test = test

    def below(self, quantity: str, value: float, bound: float) -> None:
        """`value` is at most `bound`, which is above 0. For shares near 1 give the share that is wrong."""
        self._hold(quantity, value, bound, 1 - value / bound)

    def above(self, quantity: str, value: float, bound: float) -> None:
        """`value` is at least `bound`, which is above 0."""
        self._hold(quantity, value, bound, 1 - bound / max(value, 1e-300))

    def _hold(self, quantity: str, value: float, bound: float, margin: float) -> None:
        """margin: share of the bound that is left, 0 at the bound, negative beyond it."""
        if path := os.environ.get(FILE):
            with Path(path).open("a", encoding="utf-8") as lines:
                found = {"test": self._test, "quantity": quantity, "value": value, "bound": bound, "margin": margin}
                lines.write(json.dumps(found) + "\n")
        assert margin >= 0, f"{quantity}: {value:.4g}, the bound is {bound:.4g}"  # false for NaN too


@pytest.fixture
def bound(request: pytest.FixtureRequest) -> Bound:
    """Compares a measured quantity with its bound, and records how far apart they are."""
    return Bound(request.node.nodeid)


@pytest.fixture
def seed() -> int:
    """What a test that trains adds to its seeds: 0 unless margins are measured."""
    return int(os.environ.get(SEED, 0))


@pytest.fixture(scope="session", autouse=True)
def _slightly_other_weights() -> Iterator[None]:
    """Where margins are measured: in every new network every weight is changed by a small share of itself."""
    share = float(os.environ.get(NUDGE, 0))
    if not share:
        yield
        return
    import torch

    from predinet_prolog.neural import RelationsNetwork

    plain = RelationsNetwork.__init__

    def begin(self: RelationsNetwork, *arguments: object, **named: object) -> None:
        plain(self, *arguments, **named)
        with torch.no_grad():
            for weight in self.parameters():
                up_and_down = 1 - 2 * (torch.arange(weight.numel(), device=weight.device) % 2).view(weight.shape)
                weight.mul_(1 + share * up_and_down)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RelationsNetwork, "__init__", begin)
        yield
