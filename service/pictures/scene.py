"""The picture of `show`: the image with its objects outlined, and where the network's heads looked."""

import io
import math
import textwrap
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import colors
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnchoredOffsetbox, HPacker, TextArea
from matplotlib.patches import Polygon, Rectangle

from predinet_prolog.bridge import Scene, Thing
from predinet_prolog.bridge.scene import Box, FloatArray, Heads
from predinet_prolog.neural.model import NO_MODEL
from predinet_prolog.service.pipeline import View
from predinet_prolog.service.streams import counted

PAPER, INK, FAINT, WRONG = "#ffffff", "#22262b", "#8b929b", "#c8102e"
PALETTE = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#e8790c", "#0e9aa7", "#d6559f", "#8c564b", "#9a9a12")
"""One colour for each object: all tell apart from each other on a dark image and on white paper."""
WIDTH, HEIGHT, DPI = 16.0, 9.0, 120
"""Of the picture, in inches: a slide."""
MOST_HEADS = 32
LETTERS = 170
"""Of a warning, a line."""
TOP, BOTTOM, MIDDLE, RIGHT = 0.865, 0.05, 0.52, 0.985
"""Of the drawing, in shares of the picture: the image stands left of the middle, the heads right of it."""
CELL_WIDTH, CELL_HEIGHT, CELL_TEXT = 2.5, 1.45, 0.36
"""Place of a head in the grid, at least, in sides of a mask: two masks below a line of text, and gaps."""


def draw(view: View) -> bytes:
    """A PNG, 1920 × 1080: the image with its objects named; of a network with heads, the attention of its first look's
    on the right. Below the title stands how many objects were found, at the bottom what the view warns of."""
    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI, facecolor=PAPER)
    FigureCanvasAgg(figure)
    colours, heads = tints(view.scene), view.scene.heads
    figure.text(0.03, 0.945, shortened(view.image.name), fontsize=21, weight="bold", color=INK, parse_math=False)
    figure.text(0.03, 0.9, _found(view), fontsize=14, color=FAINT, parse_math=False)
    width = RIGHT - 0.03 if heads is None else (TOP - BOTTOM) * HEIGHT / WIDTH
    draw_image(figure.add_axes((0.03, BOTTOM, width, TOP - BOTTOM)), view, view.scene.things, colours)
    if heads is not None:
        _draw_heads(figure, heads, [symbol.name for symbol in view.scene.symbols], colours)
    text = textwrap.fill(f"Warning: {'; '.join(view.warnings)}.", LETTERS) if view.warnings else ""
    # Below the drawing two lines have room.
    figure.text(0.03, 0.006, text, fontsize=10.5, weight="bold", color=WRONG, parse_math=False)
    return png(figure)


def tints(scene: Scene) -> dict[str, str]:
    """Each symbol's colour; background is grey."""
    grey = {symbol.name: FAINT for symbol in scene.background}
    return grey | {thing.name: PALETTE[index % len(PALETTE)] for index, thing in enumerate(scene.things)}


def png(figure: Figure) -> bytes:
    """The figure as a PNG: the same figure gives the same bytes."""
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        # A name may hold letters that the font lacks; it draws boxes for them.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _found(view: View) -> str:
    name, objects = shortened(view.model.name), counted(len(view.scene.things), "object")
    if view.model is NO_MODEL:
        return f"{objects} given"
    if view.given is not None:
        return f"{objects} in the boxes given, seen by {name}"
    heads = view.scene.heads
    return f"{objects} found by {name}" + (f" in {counted(len(heads.attention), 'look')}" if heads else "")


def shortened(name: str) -> str:
    """A name that fits into a title, on one line."""
    plain = "".join(c if c.isprintable() else " " for c in name)
    return plain if len(plain) <= 44 else f"{plain[:30]}…{plain[-12:]}"


def draw_image(axes: Axes, view: View, symbols: Sequence[Thing], tints: dict[str, str]) -> None:
    """The image that the network saw in `axes`, at its aspect, with the windows or boxes and names of the symbols."""
    height, width = view.image.pixels.shape[:2]
    axes.imshow(view.image.pixels, interpolation="nearest" if view.gridded else "auto", extent=(0, width, height, 0))
    axes.set(xlim=(0, width), ylim=(height, 0), anchor="N")
    axes.set_axis_off()
    for name, outline in view.scene.zones.outlines.items() if view.scene.zones else ():
        for corners in (part / view.image.scale for part in outline.parts):
            axes.add_patch(Polygon(corners, fill=False, edgecolor=INK, linestyle="--", linewidth=1.5, clip_on=True))
            left, top = corners[np.lexsort((corners[:, 0], corners[:, 1]))[0]].clip(0, (width, height))
            _label(axes, left, top, name, INK, fontsize=12)
    boxes = [view.place(symbol)[2] for symbol in symbols]
    for symbol, box in zip(symbols, boxes, strict=True):
        inside = any(b[0] < box[0] and box[2] < b[2] and b[1] < box[1] < b[3] for b in boxes)
        name = " ".join(filter(None, (symbol.name, symbol.category and shortened(symbol.category))))
        _outline(axes, name, box, tints[symbol.name], window=view.gridded, above=not inside)


def _outline(axes: Axes, name: str, box: Box, tint: str, *, window: bool, above: bool) -> None:
    """A symbol's window or a thing's box, and its name. Windows are drawn inside, so that neighbours' stand side by
    side; boxes at a distance from their things, with the name `above` where there is room, else below."""
    width, height = axes.get_xlim()[1], axes.get_ylim()[0]
    gap = -width / 180 if window else max(width, height) / 300
    left, top, right, bottom = box[0] - gap, box[1] - gap, box[2] + gap, box[3] + gap
    line = 3 if window else 2
    for colour, thickness in ((PAPER, line + 2), (tint, line)):
        outline = Rectangle((left, top), right - left, bottom - top, fill=False)
        outline.set(edgecolor=colour, linewidth=thickness)
        axes.add_patch(outline)
    if window:
        _label(axes, left, bottom, name, tint, fontsize=13)
    else:
        y, align = (top, "bottom") if above and top > 12 * gap else (bottom, "top")
        _label(axes, max(left, 0), y, name, tint, fontsize=10, align=align)


def _label(axes: Axes, left: float, y: float, name: str, tint: str, *, fontsize: float, align: str = "bottom") -> None:
    paper = {"facecolor": tint, "edgecolor": "none", "pad": 2.5}
    style: dict[str, Any] = {"weight": "bold", "color": PAPER, "verticalalignment": align, "parse_math": False}
    axes.text(left, y, name, fontsize=fontsize, bbox=paper, **style)


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
        _draw_head(axes, x, y, head, masks, names, tints, min(15.0, 0.2 * unit * 72))
    axes.set(xlim=(0, width / unit), ylim=(height / unit, 0))


def _draw_head(
    axes: Axes, x: float, y: float, head: int, masks: FloatArray, names: list[str], tints: dict[str, str], size: float
) -> None:
    """Both masks (2, side, side) of one head below a line of text of that `size`, its corner at `x`, `y`."""
    words = [(f"h{head}:", INK), (names[0], tints[names[0]]), ("→", INK), (names[1], tints[names[1]])]
    style = {"fontsize": size, "weight": "bold"}
    line = HPacker(children=[TextArea(word, textprops={"color": c, **style}) for word, c in words], pad=0, sep=size / 3)
    corner: dict[str, Any] = {"bbox_to_anchor": (x, y + CELL_TEXT - 0.07), "bbox_transform": axes.transData}
    axes.add_artist(AnchoredOffsetbox("lower left", child=line, pad=0, borderpad=0, frameon=False, **corner))
    for index, (mask, name) in enumerate(zip(masks, names, strict=True)):
        left, top = x + index * 1.1, y + CELL_TEXT
        axes.imshow(heat(mask, tints[name]), interpolation="nearest", extent=(left, left + 1, top + 1, top))
        axes.add_patch(Rectangle((left, top), 1, 1, fill=False, edgecolor="#c9ced4", linewidth=0.8))


def heat(mask: FloatArray, tint: str) -> FloatArray:
    """A mask (side, side) of values 0–1 as RGB, from nearly white to the tint."""
    low, high = (np.array(colors.to_rgb(colour)) for colour in ("#f4f5f7", tint))
    return np.asarray(low + mask[..., None] * (high - low))
