"""What the figures of the analyses share: inks that stay apart in grey, and how a figure becomes a file."""

import io
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.figures import DPI

PAPER, INK, FAINT, RULE = "#ffffff", "#22262b", "#6b727b", "#d5d9de"
DARK, MIDDLE, LIGHT = "#1d3f72", "#d1495b", "#e9b44c"
"""Blue, red and yellow whose brightness falls apart as well: 0.24, 0.43 and 0.73 in grey."""


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of `width` × `height` inches, laid out by itself."""
    figure = Figure(figsize=(width, height), dpi=DPI, facecolor=PAPER, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: Figure, path: Path) -> None:
    """Writes a PNG. The same figure gives the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(buffer.getvalue())
