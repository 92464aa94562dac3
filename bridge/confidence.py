"""Confidence: how likely it is that a grounded predicate truly holds of a pair, from how far apart the two lie.

For D, the largest distance of the pair on the predicate's relations,

    P = doubt + (1 - 2·doubt) / (1 + (D / threshold)^steepness)

which is one half at the threshold and falls from 1 - doubt to doubt: a logistic curve over log D (Platt's scaling),
with room for what no distance tells. The threshold parts alike pairs from unlike ones by margin; the rest is fitted
by maximum likelihood, alike and unlike pairs weighing the same.

Beyond the threshold steepness and doubt may be others, where alike pairs stray further than unlike ones come near.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.lazily import lazily

optimize = lazily("scipy.optimize")  # only grounding needs it

QUANTILE = 0.999
"""Nearly all: this share of the pairs."""
WORTH = 0.0005
"""A threshold outside the gap must gain this much balanced accuracy."""
FLOOR = 0.01
"""Distances below this count as this: objects that look the same lie at exactly 0 in a clean image, and a threshold
that close to 0 would not survive the least corruption."""
LEAN = 1 / 3
"""Where a gap parts the two, the threshold lies this share of the way (of the logarithm) from the alike pairs to the
unlike ones. How far corruptions drive alike objects apart is the same for all objects; how near unlike ones come is
not, and unseen sets may hold nearer ones than those seen. Chosen with an eye on held-out kinds too."""
STEEPEST = 20.0
"""Where a gap parts alike pairs from unlike ones, nothing but this bounds the steepness."""
LEAST_DOUBT, MOST_DOUBT = 0.0005, 0.25
DIGITS = 2
"""Significant digits that the numbers are written with, so that a person can read them."""


@dataclass(frozen=True)
class Curve:
    """A probability that falls with the distance."""

    threshold: float
    """The distance of even odds, > 0."""
    steepness: float
    """Odds fall by this power of the distance, > 0."""
    doubt: float
    """What is left for the less likely, however near or far: from 0 to one half."""
    beyond: tuple[float, float] | None = None
    """Steepness and doubt beyond the threshold, where they are others."""

    def __call__(self, distances: FloatArray) -> FloatArray:
        """The probabilities, of the shape of `distances`, which are 0 or more."""
        steepness, doubt = self.beyond or (self.steepness, self.doubt)
        ratio = np.asarray(distances) / self.threshold
        # Either summand is 0 on the side of the other.
        near = (1 - 2 * self.doubt) * (1 / (1 + np.minimum(1, ratio) ** self.steepness) - 0.5)
        far = (1 - 2 * doubt) * (1 / (1 + np.maximum(1, ratio) ** steepness) - 0.5)
        return np.asarray(0.5 + near + far)

    def expression(self, ratio: str) -> str:
        """The same as Prolog reads it, of `ratio`, the text of the distance over the threshold."""
        if self.beyond is None:
            return f"{self.doubt} + {1 - 2 * self.doubt:.6g}/(1 + ({ratio})**{self.steepness})"
        steepness, doubt = self.beyond
        return (
            f"0.5 + {1 - 2 * self.doubt:.6g}*(1/(1 + min(1, {ratio})**{self.steepness}) - 0.5)"
            f" + {1 - 2 * doubt:.6g}*(1/(1 + max(1, {ratio})**{steepness}) - 0.5)"
        )

    def surprise(self, alike: FloatArray, unlike: FloatArray) -> float:
        """The mean negative log-likelihood of distances of alike pairs (A,) and of unlike pairs (U,), weighed alike."""
        return float(-(np.log(self(alike)).mean() + np.log(1 - self(unlike)).mean()) / 2)


@dataclass(frozen=True)
class Parting:
    """How well one threshold parts alike pairs from unlike ones."""

    accuracy: float
    """Balanced, 0–1."""
    gap: float
    """The distance that nearly all unlike pairs exceed on every kind of picture, over that most alike pairs keep."""
    threshold: float


def part(alike: Sequence[FloatArray], unlike: Sequence[FloatArray]) -> Parting:
    """The threshold that parts alike pairs from unlike ones, given their distances on each kind of picture: as many
    arrays of either, none empty. It is rounded to two digits."""
    low = max(max(float(np.quantile(kind, QUANTILE)) for kind in alike), FLOOR)
    high = max(min(float(np.quantile(kind, 1 - QUANTILE)) for kind in unlike), FLOOR)
    near, far = np.sort(np.concatenate(alike)), np.sort(np.concatenate(unlike))
    # The first is the one wanted; the others are for pairs that no gap parts.
    candidates = np.append(low * max(high / low, 1) ** LEAN, np.geomspace(FLOOR, max(float(far[-1]), 2 * FLOOR), 100))
    candidates = np.array([round_off(value) for value in candidates])
    kept = np.searchsorted(near, candidates, side="right") / len(near)
    let_in = np.searchsorted(far, candidates, side="right") / len(far)
    accuracies = (kept + 1 - let_in) / 2
    index = int(accuracies.argmax())
    if accuracies[index] <= accuracies[0] + WORTH:
        index = 0
    return Parting(round(float(accuracies[index]), 5), high / low, float(candidates[index]))


def fit_curve(alike: FloatArray, unlike: FloatArray, threshold: float) -> Curve:
    """The likeliest symmetric curve with this `threshold` for distances of alike (A,) and of unlike pairs (U,)."""
    return Curve(threshold, *_fit_side(alike, unlike, threshold, len(alike), len(unlike)))


def fit_both_sides(alike: FloatArray, unlike: FloatArray, threshold: float) -> Curve:
    """The same with a steepness and a doubt of its own beyond the threshold, and all pairs weighing the same: where the
    two overlap, how many there are of either tells how likely it is."""
    n = len(alike) + len(unlike)
    near = _fit_side(alike[alike <= threshold], unlike[unlike <= threshold], threshold, n, n)
    far = _fit_side(alike[alike > threshold], unlike[unlike > threshold], threshold, n, n)
    return Curve(threshold, *near, far)


def _fit_side(
    alike: FloatArray, unlike: FloatArray, threshold: float, all_alike: int, all_unlike: int
) -> tuple[float, float]:
    """The likeliest steepness and doubt, where there are so many alike and unlike pairs in all."""
    ratios = np.log(np.maximum(np.concatenate([alike, unlike]), FLOOR) / threshold)
    holds = np.arange(len(ratios)) < len(alike)
    weight = np.where(holds, 0.5 / all_alike, 0.5 / all_unlike)

    def surprise(logs: FloatArray) -> float:
        steepness, doubt = np.exp(logs)
        near = 0.5 - 0.5 * np.tanh(0.5 * steepness * ratios)  # the logistic, with no power that overflows
        likelihood = doubt + (1 - 2 * doubt) * np.where(holds, near, 1 - near)
        return float(-(weight * np.log(likelihood)).sum())

    bounds = [(np.log(0.1), np.log(STEEPEST)), (np.log(LEAST_DOUBT), np.log(MOST_DOUBT))]
    starts = [(np.log(steepness), np.log(0.01)) for steepness in (2.0, 6.0, 15.0)]
    optimum = min(
        (optimize.minimize(surprise, start, method="L-BFGS-B", bounds=bounds) for start in starts),
        key=lambda result: float(result.fun),
    )
    steepness, doubt = np.exp(optimum.x)
    return round_off(steepness), round_off(doubt)


def round_off(value: float) -> float:
    """The number with DIGITS digits."""
    return float(f"{value:.{DIGITS}g}")
