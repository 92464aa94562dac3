"""The picture of `show`: the image with its objects outlined, and where the network's heads looked."""

import io
import math

import numpy as np
import numpy.typing as npt
from matplotlib import colors
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnchoredOffsetbox, HPacker, TextArea
from matplotlib.patches import Rectangle

from bridge import Scene, Symbol
from service.pipeline import View

WIDTH, HEIGHT, DPI = 16.0, 9.0, 120
"""Of the picture, in inches: a slide."""
MOST_HEADS = 32
PAPER, INK, FAINT = "#ffffff", "#22262b", "#8b929b"
PALETTE = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#e8790c", "#0e9aa7", "#d6559f", "#8c564b", "#9a9a12")
"""One colour for each object: all tell apart from each other on the black image and on white paper."""


def draw(view: View) -> bytes:
    """A PNG, 1920 × 1080: left the image with its objects named, right the attention of the first look's heads."""
    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=DPI, facecolor=PAPER)
    FigureCanvasAgg(figure)
    tints = _tints(view.scene)
    _draw_title(figure, view)
    _draw_image(figure.add_axes((0.03, 0.06, 0.43, 0.43 * WIDTH / HEIGHT)), view, tints)
    _draw_heads(figure, view.scene, tints)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _tints(scene: Scene) -> dict[str, str]:
    """Each symbol's colour; background is grey."""
    names = [symbol.name for symbol in scene.objects]
    tints = {name: PALETTE[index % len(PALETTE)] for index, name in enumerate(names)}
    return {symbol.name: tints.get(symbol.name, FAINT) for symbol in scene.symbols}


def _draw_title(figure: Figure, view: View) -> None:
    scene, config = view.scene, view.model.config
    objects, looks = len(scene.objects), len(scene.attention)
    shown = min(config.heads, MOST_HEADS)
    heads = f"{shown} heads" if shown == config.heads else f"the first {shown} of {config.heads} heads"
    figure.text(0.03, 0.945, _shortened(view.image.name), fontsize=21, weight="bold", color=INK)
    figure.text(
        0.03,
        0.905,
        f"{objects} object{'s' * (objects != 1)} found in {looks} look{'s' * (looks != 1)} by the model {view.model.name}",
        fontsize=14,
        color=FAINT,
    )
    figure.text(0.5, 0.945, "Which pair each head picked", fontsize=21, weight="bold", color=INK)
    figure.text(
        0.5,
        0.905,
        f"attention masks of {heads}, first look; the stronger the colour, the more attention",
        fontsize=14,
        color=FAINT,
    )


def _shortened(name: str) -> str:
    plain = name.replace("$", r"\$")  # matplotlib would read mathematics between two of them
    return plain if len(plain) <= 44 else f"{plain[:30]}…{plain[-12:]}"


def _draw_image(axes: Axes, view: View, tints: dict[str, str]) -> None:
    size = view.scene.image_size
    axes.imshow(view.image.pixels, interpolation="nearest", extent=(0, size, size, 0))
    axes.set(xlim=(0, size), ylim=(size, 0))
    axes.set_axis_off()
    for symbol in view.scene.symbols:
        if symbol.is_object:
            _outline(axes, symbol, tints[symbol.name], size)


def _outline(axes: Axes, symbol: Symbol, tint: str, size: int) -> None:
    inset = size / 180  # neighbours' outlines stand side by side, not on each other
    left, top = symbol.left + inset, symbol.top + inset
    width, height = symbol.width - 2 * inset, symbol.height - 2 * inset
    axes.add_patch(Rectangle((left, top), width, height, fill=False, edgecolor=PAPER, linewidth=5))
    axes.add_patch(Rectangle((left, top), width, height, fill=False, edgecolor=tint, linewidth=3))
    axes.text(
        left,
        top + height,
        symbol.name,
        fontsize=13,
        weight="bold",
        color=PAPER,
        verticalalignment="bottom",
        bbox={"facecolor": tint, "edgecolor": "none", "pad": 2.5},
    )


def _draw_heads(figure: Figure, scene: Scene, tints: dict[str, str]) -> None:
    """A tidy grid of the first look's heads, as large as fits."""
    attention = scene.attention[0][:MOST_HEADS]  # (k, 2, side, side)
    x0, y0, width, height = 0.5, 0.06, 0.475, 0.81
    # In units of one mask's side: two masks and the gaps around them, below a line of text.
    cell_width, cell_height = 2.55, 1.42
    heads = len(attention)
    columns = min(
        range(1, heads + 1),
        key=lambda c: max(c * cell_width / (width * WIDTH), math.ceil(heads / c) * cell_height / (height * HEIGHT)),
    )
    rows = math.ceil(heads / columns)
    axes = figure.add_axes((x0, y0, width, height))
    axes.set_axis_off()
    scale = max(columns * cell_width / (width * WIDTH), rows * cell_height / (height * HEIGHT))
    axes.set(xlim=(0, width * WIDTH * scale), ylim=(height * HEIGHT * scale, 0))
    fontsize = min(15.0, 0.22 * 72 / scale)
    for head, masks in enumerate(attention):
        row, column = divmod(head, columns)
        names = [scene.symbols[index].name for index in scene.pairs[0, head]]
        _draw_head(axes, column * cell_width, row * cell_height, head, masks, names, tints, fontsize)
    axes.set(xlim=(0, width * WIDTH * scale), ylim=(height * HEIGHT * scale, 0))


def _draw_head(
    axes: Axes,
    x: float,
    y: float,
    head: int,
    masks: npt.NDArray[np.float64],
    names: list[str],
    tints: dict[str, str],
    fontsize: float,
) -> None:
    """Both masks (2, side, side) of one head, the corner of its place in the grid at `x`, `y`."""
    text = 0.36
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
            bbox_to_anchor=(x, y + text - 0.07),
            bbox_transform=axes.transData,
        )
    )
    for index, (mask, name) in enumerate(zip(masks, names, strict=True)):
        left = x + index * 1.1
        axes.imshow(_heat(mask, tints[name]), interpolation="nearest", extent=(left, left + 1, y + text + 1, y + text))
        axes.add_patch(Rectangle((left, y + text), 1, 1, fill=False, edgecolor="#c9ced4", linewidth=0.8))


def _heat(mask: npt.NDArray[np.float64], tint: str) -> npt.NDArray[np.float64]:
    """A mask (side, side) of values 0–1 as RGB, from nearly white to the tint."""
    low, high = np.array(colors.to_rgb("#f4f5f7")), np.array(colors.to_rgb(tint))
    return low + mask[..., None] * (high - low)
