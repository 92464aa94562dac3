"""Figures: learning curves as small multiples with one legend."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from predinet_prolog.experiments.configurations import Results

PAPER, INK, FAINT, RULE = "#ffffff", "#22262b", "#6b727b", "#d5d9de"
DPI = 150
PANEL_WIDTH, PANEL_HEIGHT = 2.5, 2.1
"""Inches."""


@dataclass(frozen=True)
class Line:
    """How the lines of one kind look: by dashes and by lightness, not by hue alone."""

    label: str
    colour: str
    dashes: tuple[float, ...]
    """Lengths on and off, in line widths; empty for a solid line."""
    width: float = 1.4


ARCHITECTURE_LINES = {
    "mlp1": Line("MLP1", "#cdb88e", (1.2, 1.4)),
    "mlp2": Line("MLP2", "#9ba23c", (4, 1.5)),
    "relation_net": Line("relation net", "#d06a2a", (6, 1.5, 1.2, 1.5)),
    "attention": Line("multi-head attention", "#2f6fb0", (9, 2)),
    "predinet": Line("PrediNet", "#3b0f70", (), 2.2),
}


@dataclass(frozen=True)
class Panel:
    """One plot, of what was measured on one held-out set."""

    title: str
    names: Mapping[str, str]
    """By kind of line, the configurations; those that are not begun have none."""
    held: str
    chance: float


def draw_curves(
    path: Path,
    rows: Sequence[Sequence[Panel | None]],
    lines: Mapping[str, Line],
    results: Results,
    steps: int,
    *,
    side_by_side: bool = False,
) -> None:
    """Draws `rows` of panels to a PNG: mean accuracy over `steps`, in a band from the lowest run to the highest.

    `side_by_side`: all panels in one row, for rows of one panel each.
    """
    if side_by_side:
        rows = [[panel for row in rows for panel in row]]
    columns = max(len(row) for row in rows)
    # The legend stands in one line, which takes the width of four panels.
    width, height = PANEL_WIDTH * max(columns, 4) + 0.6, PANEL_HEIGHT * len(rows) + 0.9
    figure = Figure(figsize=(width, height), dpi=DPI, facecolor=PAPER)
    FigureCanvasAgg(figure)
    grid = figure.subplots(len(rows), columns, squeeze=False, sharex=True, sharey=True)
    for row, axes_row in zip(rows, grid, strict=True):
        for place, axes in enumerate(axes_row):
            panel = row[place] if place < len(row) else None
            if panel is None:
                axes.set_visible(False)
            else:
                _draw_panel(axes, panel, lines, results, steps)
    chance = min(panel.chance for row in rows for panel in row if panel is not None)
    grid[0][0].set_ylim(chance - 0.1, 1.02)  # all panels share it
    for axes_row in grid:
        axes_row[0].set_ylabel("accuracy", color=INK, fontsize=8)
    for column in range(columns):
        visible = [axes_row[column] for axes_row in grid if axes_row[column].get_visible()]
        if visible:
            visible[-1].set_xlabel("batches", color=INK, fontsize=8)
            visible[-1].tick_params(labelbottom=True)
    handles = [
        grid[0][0].plot([], [], color=line.colour, lw=line.width, ls=_style(line), label=line.label)[0]
        for line in lines.values()
    ]
    figure.legend(
        handles=handles,
        loc="upper center",
        ncols=len(handles),
        frameon=False,
        fontsize=8.5,
        handlelength=4.5,
        labelcolor=INK,
    )
    # By hand: a layout that measures its texts takes seconds for many panels.
    figure.subplots_adjust(0.5 / width, 0.45 / height, 1 - 0.2 / width, 1 - 0.72 / height, wspace=0.16, hspace=0.42)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})  # the same figure gives the same bytes
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(buffer.getvalue())


def _draw_panel(axes: Axes, panel: Panel, lines: Mapping[str, Line], results: Results, steps: int) -> None:
    axes.axhline(panel.chance, color=FAINT, lw=0.8, ls=(0, (1, 2)))
    for kind, line in lines.items():
        result = results.get(panel.names[kind]) if kind in panel.names else None
        if result is None or panel.held not in result.last:
            continue
        runs = result.curve.accuracies(panel.held)
        measured = result.curve.steps
        # Not the 95 % interval: of three runs it is wider than the plot, and leaves the range of an accuracy.
        axes.fill_between(measured, np.min(runs, axis=0), np.max(runs, axis=0), color=line.colour, alpha=0.18, lw=0)
        axes.plot(measured, np.mean(runs, axis=0), color=line.colour, lw=line.width, ls=_style(line))
    axes.set_title(panel.title, fontsize=8.5, color=INK)
    axes.set_xlim(0, steps)
    axes.set_xticks([0, steps / 2, steps])
    axes.set_xticklabels(["0", _short(steps / 2), _short(steps)])
    axes.tick_params(labelsize=7, colors=INK, length=2.5)
    axes.spines[["left", "bottom"]].set_color(FAINT)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)


def _style(line: Line) -> str | tuple[float, tuple[float, ...]]:
    return (0.0, line.dashes) if line.dashes else "-"


def _short(number: float) -> str:
    return f"{number / 1000:g}k" if number >= 1000 else f"{number:g}"
