"""The picture of `explain`: what the values of every relation are made of, one bar each."""

from collections.abc import Sequence
from itertools import cycle
from typing import NamedTuple

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from predinet_prolog.bridge.explaining import CLEAR, Meaning
from predinet_prolog.service.pictures.scene import png

WIDTH, DPI = 9.0, 200
"""Of the picture, inches and dots an inch."""
BAR, TOP, BOTTOM = 0.3, 1.35, 0.75
"""Inches: from one bar to the next, above the bars, below them."""
MOST_HEIGHT = 100.0
"""Inches: with more relations than fill it, bars are thinner."""
LEFT, RIGHT = 0.15, 0.77
"""Of the bars, in shares of the picture's width; numbers stand right of them."""
INK, FAINT = "#22262b", "#6b737c"


class _Part(NamedTuple):
    label: str
    colour: str
    """Its brightness tells it from its neighbours in grey, and so does the hatch."""
    hatch: str


ATTRIBUTES = ("#e69f00", ""), ("#25589a", "////"), ("#57a773", "\\\\\\\\"), ("#c05746", "||||")
INTERACTION, POSITION = _Part("both together", "#a487b8", "xxxx"), _Part("position", "#e4e7ea", "....")
"""Colour and hatch of the attributes, one after the other, and of the rest."""


def parts(meaning: Meaning) -> dict[_Part, float]:
    """The parts of a bar, from left to right, and their shares."""
    shares = {
        _Part(name, *style): meaning.attributes[name]
        for name, style in zip(meaning.attributes, cycle(ATTRIBUTES), strict=False)
    }
    return shares | {INTERACTION: meaning.interaction, POSITION: meaning.position}


def draw(meanings: Sequence[Meaning], name: str) -> bytes:
    """A PNG: for every relation of the model `name` one bar, the shares of its variance, and how well it tells."""
    height = min(TOP + BAR * len(meanings) + BOTTOM, MOST_HEIGHT)
    figure = Figure(figsize=(WIDTH, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    with rc_context({"hatch.linewidth": 0.6}):
        bottom, top = BOTTOM / height, 1 - TOP / height
        axes = figure.add_axes((LEFT, bottom, RIGHT - LEFT, top - bottom))
        _draw_bars(axes, meanings)
        _draw_numbers(axes, meanings)
        plain = "".join(c if c.isprintable() else " " for c in name)
        title = f"What the relations of {plain if len(plain) <= 40 else plain[:39] + '…'} tell"
        figure.text(0.03, 1 - 0.3 / height, title, fontsize=14, weight="bold", color=INK, va="center", parse_math=False)
        figure.legend(
            handles=[_patch(part, 0, 0, 1) for part in parts(meanings[0])],
            loc="center left",
            bbox_to_anchor=(LEFT, 1 - 0.7 / height),
            ncols=len(parts(meanings[0])),
            frameon=False,
            fontsize=10,
            borderaxespad=0,
            borderpad=0,
            handlelength=2.2,
            handleheight=1.1,
            columnspacing=1.6,
        )
        return png(figure)


def _draw_bars(axes: Axes, meanings: Sequence[Meaning]) -> None:
    for row, meaning in enumerate(meanings):
        left = 0.0
        for part, share in parts(meaning).items():
            axes.add_patch(_patch(part, left, row, 100 * share))
            left += 100 * share
    axes.set(xlim=(0, 100), ylim=(len(meanings) - 0.4, -0.6))
    axes.set_xlabel("share of the variance of V, random pairs of objects at two places (%)", fontsize=10, color=INK)
    axes.set_yticks(range(len(meanings)), [f"r{m.relation}  {m.tells}" for m in meanings], fontsize=10, color=INK)
    axes.tick_params(axis="y", length=0, pad=6)
    axes.tick_params(axis="x", labelsize=10, labelcolor=INK, color=FAINT)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)


def _draw_numbers(axes: Axes, meanings: Sequence[Meaning]) -> None:
    """Right of each bar, how well its relation tells things that have an attribute in common."""
    across = axes.get_yaxis_transform()  # x in shares of the axes, y in rows
    names = [*meanings[0].accuracy]
    places = [1.09 + 0.17 * index for index in range(len(names))]  # where the numbers stand
    heads = [f"same\n{name}" for name in names]
    for x, text in (*zip(places, heads, strict=True), (sum(places) / len(places), "|ΔC| alone tells\n\n")):
        axes.text(x, -0.75, text, transform=across, ha="center", va="bottom", fontsize=9, color=FAINT)
    for row, meaning in enumerate(meanings):
        for x, accuracy in zip(places, meaning.accuracy.values(), strict=True):
            high = accuracy >= CLEAR
            axes.text(
                x,
                row,
                f"{accuracy:.3f}",
                transform=across,
                ha="center",
                va="center_baseline",
                fontsize=10,
                weight="bold" if high else "normal",
                color=INK if high else FAINT,
            )


def _patch(part: _Part, left: float, row: float, share: float) -> Patch:
    """The piece of a bar, from `left` on. White edges part the pieces; position, the last, needs none."""
    last = part == POSITION
    return Rectangle(
        (left, row - 0.36),
        share,
        0.72,
        facecolor=part.colour,
        edgecolor=FAINT if last else "white",  # the hatch's colour, too
        linewidth=0 if last else 0.8,
        hatch=part.hatch,
        label=part.label,
    )
