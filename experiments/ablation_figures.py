"""The figure of `ablation`: accuracy by the number of heads kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from experiments.drawing import DARK, FAINT, LIGHT, MIDDLE, RULE, new_figure, save_figure

STYLES = ((DARK, "-", "o"), (MIDDLE, "--", "s"), (LIGHT, "-.", "^"))
"""Ink, dash and mark of each line."""
CHANCE = 0.25


@dataclass(frozen=True)
class Line:
    """One line and its band over S numbers of heads."""

    name: str
    heads: npt.NDArray[np.int64]
    """(S,): numbers of heads kept."""
    mean: npt.NDArray[np.float64]
    """(S,): mean accuracy, 0–1."""
    low: npt.NDArray[np.float64]
    """(S,): lower edge of the band."""
    high: npt.NDArray[np.float64]
    """(S,): upper edge of the band."""


def draw_ablation(path: Path, lines: Sequence[Line]) -> None:
    """All `lines` in one picture, up to three."""
    figure = new_figure(7.2, 4.6)
    axes = figure.subplots()
    for line, (colour, dash, mark) in zip(lines, STYLES, strict=False):
        axes.fill_between(line.heads, line.low, line.high, color=colour, alpha=0.14, linewidth=0)
        axes.plot(line.heads, line.mean, color=colour, linestyle=dash, marker=mark, markersize=4.5, label=line.name)
    axes.axhline(CHANCE, color=FAINT, linewidth=1, linestyle=":")
    last = max(int(line.heads[-1]) for line in lines)
    axes.text(last, CHANCE - 0.035, "chance", fontsize=9, color=FAINT, horizontalalignment="right")
    axes.set(xlabel="heads kept", ylabel="accuracy on hexominoes", ylim=(0.15, 1.02), xlim=(-0.5, last + 0.5))
    axes.grid(color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(lines), fontsize=10, frameon=False)
    save_figure(figure, path)
