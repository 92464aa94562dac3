"""The picture of `show`: the image with its objects outlined, and where the network's heads looked."""

import io
import math
import textwrap
import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib import colors
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnchoredOffsetbox, HPacker, TextArea
from matplotlib.patches import Polygon, Rectangle

from predinet_prolog.bridge import Thing
from predinet_prolog.bridge.scene import Box, Heads
from predinet_prolog.neural.model import NO_MODEL
from predinet_prolog.service.pictures.palette import FAINT, INK, PAPER, WRONG, tints
from predinet_prolog.service.pipeline import View

WIDTH, HEIGHT, DPI = 16.0, 9.0, 120
"""Of the picture, in inches: a slide."""
MOST_HEADS = 32
LETTERS = 170
"""Of a warning, a line."""
TOP, BOTTOM, MIDDLE, RIGHT = 0.865, 0.05, 0.52, 0.985
"""Of the drawing, in shares of the picture: the image stands left of the middle, the heads right of it."""
CELL_WIDTH, CELL_HEIGHT, CELL_TEXT = 2.5, 1.45, 0.36
"""Place of a head in the grid, at least, in sides of a mask: two masks below a line of text, and gaps."""


def draw(view: View, *, remark: str = "") -> bytes:
    """A PNG, 1920 × 1080: the image with its objects named; of a network with heads, the attention of its first look's
    on the right.

    Below the title stands how many objects were found, or the `remark` instead; at the bottom what the view warns of.
    """
    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI, facecolor=PAPER)
    FigureCanvasAgg(figure)
    colours = tints(view.scene)
    _draw_title(figure, view, remark)
    heads = view.scene.heads
    width = RIGHT - 0.03 if heads is None else (TOP - BOTTOM) * HEIGHT / WIDTH
    draw_image(figure.add_axes((0.03, BOTTOM, width, TOP - BOTTOM)), view, view.scene.things, colours)
    if heads is not None:
        _draw_heads(figure, heads, [symbol.name for symbol in view.scene.symbols], colours)
    _draw_warnings(figure, view.warnings)
    return png(figure)


def png(figure: Figure) -> bytes:
    """The figure as a PNG: the same figure gives the same bytes."""
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        # A name may hold letters that the font lacks; it draws boxes for them.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _draw_title(figure: Figure, view: View, remark: str) -> None:
    figure.text(0.03, 0.945, shortened(view.image.name), fontsize=21, weight="bold", color=INK, parse_math=False)
    figure.text(0.03, 0.9, remark or _found(view), fontsize=14, color=FAINT, parse_math=False)


def _found(view: View) -> str:
    name, objects = shortened(view.model.name), _count(len(view.scene.things), "object")
    if view.model is NO_MODEL:
        return f"{objects} given"
    if view.given is not None:
        return f"{objects} in the boxes given, seen by {name}"
    heads = view.scene.heads
    return f"{objects} found by {name}" + (f" in {_count(len(heads.attention), 'look')}" if heads else "")


def _draw_warnings(figure: Figure, warned: tuple[str, ...]) -> None:
    """Below the drawing, where two lines have room."""
    text = textwrap.fill(f"Warning: {'; '.join(warned)}.", LETTERS) if warned else ""
    figure.text(0.03, 0.006, text, fontsize=10.5, weight="bold", color=WRONG, parse_math=False)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def shortened(name: str) -> str:
    """A name that fits into a title, on one line."""
    plain = "".join(c if c.isprintable() else " " for c in name)
    return plain if len(plain) <= 44 else f"{plain[:30]}…{plain[-12:]}"


def draw_image(axes: Axes, view: View, symbols: Sequence[Thing], tints: dict[str, str]) -> None:
    """The image that the network saw in `axes`, at its aspect, with the windows or boxes and names of the symbols."""
    height, width = view.image.pixels.shape[:2]
    interpolation = "nearest" if view.gridded else "auto"
    axes.imshow(view.image.pixels, interpolation=interpolation, extent=(0, width, height, 0))
    axes.set(xlim=(0, width), ylim=(height, 0), anchor="N")
    axes.set_axis_off()
    for name, outline in view.scene.zones.outlines.items() if view.scene.zones else ():
        for corners in (part / view.image.scale for part in outline.parts):
            axes.add_patch(Polygon(corners, fill=False, edgecolor=INK, linestyle="--", linewidth=1.5, clip_on=True))
            left, top = corners[np.lexsort((corners[:, 0], corners[:, 1]))[0]].clip(0, (width, height))
            _label(axes, left, top, name, INK, fontsize=12)
    for symbol in symbols:
        place, tint = view.place(symbol)[2], tints[symbol.name]
        if view.gridded:
            _outline_window(axes, symbol.name, place, tint, inset=width / 180)
        else:
            _outline_box(axes, symbol.name, place, tint, gap=max(width, height) / 300)


def _outline_window(axes: Axes, name: str, window: Box, tint: str, inset: float) -> None:
    """A symbol's window and name; `inset` pixels, so that neighbours' outlines stand side by side."""
    left, top, right, bottom = window
    _frame(axes, left + inset, top + inset, right - left - 2 * inset, bottom - top - 2 * inset, tint, linewidth=3)
    _label(axes, left + inset, bottom - inset, name, tint, fontsize=13)


def _outline_box(axes: Axes, name: str, box: Box, tint: str, gap: float) -> None:
    """A thing's box, `gap` pixels away from it, and above that its name; below, where above there is no room."""
    left, top, right, bottom = box
    left, top, right, bottom = left - gap, top - gap, right + gap, bottom + gap
    _frame(axes, left, top, right - left, bottom - top, tint, linewidth=2)
    if top > 12 * gap:
        _label(axes, max(left, 0), top, name, tint, fontsize=10)
    else:
        _label(axes, max(left, 0), bottom, name, tint, fontsize=10, upwards=False)


def _frame(axes: Axes, left: float, top: float, width: float, height: float, tint: str, *, linewidth: float) -> None:
    for colour, thickness in ((PAPER, linewidth + 2), (tint, linewidth)):
        axes.add_patch(Rectangle((left, top), width, height, fill=False, edgecolor=colour, linewidth=thickness))


def _label(axes: Axes, left: float, y: float, name: str, tint: str, *, fontsize: float, upwards: bool = True) -> None:
    axes.text(
        left,
        y,
        name,
        fontsize=fontsize,
        weight="bold",
        color=PAPER,
        verticalalignment="bottom" if upwards else "top",
        bbox={"facecolor": tint, "edgecolor": "none", "pad": 2.5},
    )


def _draw_heads(figure: Figure, attended: Heads, symbols: Sequence[str], tints: dict[str, str]) -> None:
    """A tidy grid of the first look's heads, as large as fits; `symbols` are the names of those they attend to."""
    attention = attended.attention[0][:MOST_HEADS]  # (k, 2, side, side)
    heads, total = len(attention), attended.pairs.shape[1]
    count = f"{heads} heads" if heads == total else f"the first {heads} of {total} heads"
    figure.text(MIDDLE, 0.945, "Which pair each head picked", fontsize=21, weight="bold", color=INK)
    legend = f"attention of {count}, first look; grey where it picked no object"
    figure.text(MIDDLE, 0.9, legend, fontsize=14, color=FAINT)
    width, height = (RIGHT - MIDDLE) * WIDTH, (TOP - BOTTOM) * HEIGHT  # inches

    def side(columns: int) -> float:
        """Of a mask, in inches, if the grid has so many columns."""
        return min(width / columns / CELL_WIDTH, height / math.ceil(heads / columns) / CELL_HEIGHT)

    columns = max(range(1, heads + 1), key=side)
    unit = side(columns)
    axes = figure.add_axes((MIDDLE, BOTTOM, RIGHT - MIDDLE, TOP - BOTTOM))
    axes.set_axis_off()
    for head, masks in enumerate(attention):
        row, column = divmod(head, columns)
        names = [symbols[index] for index in attended.pairs[0, head]]
        x, y = column * width / columns / unit, row * CELL_HEIGHT
        _draw_head(axes, x, y, head, masks, names, tints, fontsize=min(15.0, 0.2 * unit * 72))
    axes.set(xlim=(0, width / unit), ylim=(height / unit, 0))


def _draw_head(
    axes: Axes,
    x: float,
    y: float,
    head: int,
    masks: npt.NDArray[np.float64],
    names: list[str],
    tints: dict[str, str],
    *,
    fontsize: float,
) -> None:
    """Both masks (2, side, side) of one head, the corner of its place in the grid at `x`, `y`."""
    words = [(f"h{head}:", INK), (names[0], tints[names[0]]), ("→", INK), (names[1], tints[names[1]])]
    line = HPacker(
        children=[
            TextArea(word, textprops={"color": color, "fontsize": fontsize, "weight": "bold"}) for word, color in words
        ],
        pad=0,
        sep=fontsize / 3,
    )
    axes.add_artist(
        AnchoredOffsetbox(
            "lower left",
            child=line,
            pad=0,
            borderpad=0,
            frameon=False,
            bbox_to_anchor=(x, y + CELL_TEXT - 0.07),
            bbox_transform=axes.transData,
        )
    )
    for index, (mask, name) in enumerate(zip(masks, names, strict=True)):
        left = x + index * 1.1
        axes.imshow(
            heat(mask, tints[name]), interpolation="nearest", extent=(left, left + 1, y + CELL_TEXT + 1, y + CELL_TEXT)
        )
        axes.add_patch(Rectangle((left, y + CELL_TEXT), 1, 1, fill=False, edgecolor="#c9ced4", linewidth=0.8))


def heat(mask: npt.NDArray[np.float64], tint: str) -> npt.NDArray[np.float64]:
    """A mask (side, side) of values 0–1 as RGB, from nearly white to the tint."""
    low, high = (np.array(colors.to_rgb(colour)) for colour in ("#f4f5f7", tint))
    rgb: npt.NDArray[np.float64] = low + mask[..., None] * (high - low)
    return rgb
