"""Principal components of what heads give, and how well labels stand apart on the first two (section S2.1)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from predinet_prolog.domains.relations_game.objects import SAME_COLOUR, SAME_SHAPE

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]

NEIGHBOURS = 15
"""Points that vote on a label where `separation` measures how well labels cluster."""


@dataclass(frozen=True)
class Projection:
    """Points of several sets of images on the same two axes."""

    points: dict[str, Floats]
    """Of each set, (N, 2): the first two principal components of the set the axes were fitted on."""
    explained: tuple[float, float]
    """Share of that set's variance along each axis, 0–1."""


def project(fitted: str, representations: dict[str, Floats]) -> Projection:
    """Projects each set's `representations` (N, d) onto the two principal axes of the set named `fitted`.

    The paper fits on pentominoes, the training set, and projects held-out images onto the same axes.
    """
    axes = PCA(n_components=2, svd_solver="covariance_eigh").fit(representations[fitted])
    points = {name: axes.transform(rows).astype(np.float32) for name, rows in representations.items()}
    first, second = axes.explained_variance_ratio_
    return Projection(points, (float(first), float(second)))


def separation(reference: Floats, reference_labels: Labels, points: Floats, labels: Labels) -> float:
    """How well the labels of `points` (N, 2) can be told from where they lie: 0–1.

    The mean over labels of the share told by the NEIGHBOURS nearest points of `reference` (M, 2). Labels that form
    clusters of any form and number score high; labels strewn alike score one over their number. Ours: the paper
    judges by eye.
    """
    predicted = KNeighborsClassifier(NEIGHBOURS).fit(reference, reference_labels).predict(points)
    return float(np.mean([np.mean(predicted[labels == label] == label) for label in np.unique(labels)]))


def clusters(pentos: Floats, pentos_labels: Labels, held_out: Floats, held_out_labels: Labels) -> dict[str, float]:
    """How the labels of colour_and_or_shape lie in the projections (N, 2) of both sets on the same axes. Ours: the
    paper judges by eye.

    - `labels`: share of the four labels that places tell, 0–1, chance 0.25: half of the pentominoes tell the other half
    - `held_out`: the same for hexominoes, told by that half of the pentominoes
    - `shape_line`, `colour_line`: share of the spread of pairs that differ in that alone along their main direction:
      0.5 round, 1 a line
    - `angle`: degrees between these two directions, 0–90
    """
    half = len(pentos) // 2
    reference, reference_classes = pentos[:half], pentos_labels[:half]
    equal = pentos[pentos_labels == 0].mean(0)  # where no difference lies
    shape_line, shape_direction = main_direction(pentos[pentos_labels == 1 + SAME_COLOUR] - equal)
    colour_line, colour_direction = main_direction(pentos[pentos_labels == 1 + SAME_SHAPE] - equal)
    return {
        "labels": separation(reference, reference_classes, pentos[half:], pentos_labels[half:]),
        "held_out": separation(reference, reference_classes, held_out, held_out_labels),
        "shape_line": shape_line,
        "colour_line": colour_line,
        "angle": float(np.degrees(np.arccos(min(1.0, abs(float(shape_direction @ colour_direction)))))),
    }


def main_direction(points: Floats) -> tuple[float, Floats]:
    """The direction (2,), of length 1, along which `points` (N, 2) spread most about 0, after its share, 0.5–1."""
    spreads, directions = np.linalg.eigh(points.T @ points)
    return float(spreads[1] / spreads.sum()), directions[:, 1]
