"""The figures of `pca`: projections coloured by label."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from predinet_prolog.experiments.axes import Floats
from predinet_prolog.experiments.drawing import (
    DARK,
    FAINT,
    INK,
    LIGHT,
    MIDDLE,
    PAPER,
    RULE,
    new_figure,
    save_figure,
    tidy,
)

LABELS = (
    ("same colour, same shape", INK, "o"),
    ("same colour, different shape", MIDDLE, "^"),
    ("different colour, same shape", LIGHT, "s"),
    ("different colour, different shape", "#9fb6d4", "x"),
)
"""Of colour_and_or_shape, 0 to 3: what it says, its ink and its mark."""
ORDER = (3, 1, 2, 0)
"""In which labels are drawn, the widest spread first."""
HEADS_A_ROW = 8


@dataclass(frozen=True)
class Panel:
    """One projection."""

    title: str
    points: Floats
    """(N, 2)."""
    labels: npt.NDArray[np.int64]
    """(N,): 0 to 3."""


def draw_panels(path: Path, panels: Sequence[Panel]) -> None:
    """The `panels` side by side."""
    figure = new_figure(4.4 * len(panels), 4.9)
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        _draw(axes, panel, size=9)
        axes.set_title(panel.title, fontsize=11, color=INK)
        axes.set(xlabel="first component", ylabel="second component")
        axes.tick_params(labelsize=8)
        tidy(axes)
    _legend(figure)
    save_figure(figure, path)


def draw_heads(path: Path, title: str, panels: Sequence[Panel], *, framed: Sequence[bool]) -> None:
    """One small panel a head; those `framed` have a bold frame."""
    rows = -(-len(panels) // HEADS_A_ROW)
    figure = new_figure(14, 0.9 + 1.85 * rows)
    figure.suptitle(title, fontsize=13, color=INK)
    grid = figure.subplots(rows, HEADS_A_ROW, squeeze=False).ravel()
    for axes in grid:
        axes.set_axis_off()
    for axes, panel, bold in zip(grid, panels, framed, strict=False):
        axes.set_axis_on()
        _draw(axes, panel, size=3)
        axes.set_title(panel.title, fontsize=9, color=INK, weight="bold" if bold else "normal")
        axes.set(xticks=[], yticks=[])
        for spine in axes.spines.values():
            spine.set(color=DARK if bold else RULE, linewidth=2.5 if bold else 0.8)
    _legend(figure)
    save_figure(figure, path)


def _draw(axes: Axes, panel: Panel, *, size: float) -> None:
    for label in ORDER:
        _, colour, mark = LABELS[label]
        chosen = panel.points[panel.labels == label]
        axes.scatter(chosen[:, 0], chosen[:, 1], s=size, c=colour, marker=mark, linewidths=0.6 if mark == "x" else 0)
    # A few far points would press all others together: the axes end a little beyond the middle 98 %.
    low, high = np.quantile(panel.points, (0.01, 0.99), axis=0)
    room = 0.15 * (high - low) + 1e-6
    axes.set(xlim=(low[0] - room[0], high[0] + room[0]), ylim=(low[1] - room[1], high[1] + room[1]))
    axes.axhline(0, color=FAINT, linewidth=0.4, zorder=0)
    axes.axvline(0, color=FAINT, linewidth=0.4, zorder=0)


def _legend(figure: Figure) -> None:
    handles = [
        Line2D([], [], linestyle="none", marker=mark, color=colour, markersize=7, label=text)
        for text, colour, mark in LABELS
    ]
    figure.legend(
        handles=handles, loc="outside lower center", ncols=len(LABELS), fontsize=10, facecolor=PAPER, frameon=False
    )
