"""The figures of `attention`: heat maps of every head, and what the heads' masks fall on."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from predinet_prolog.experiments.drawing import DARK, FAINT, INK, MIDDLE, new_figure, save_figure, tidy
from predinet_prolog.experiments.heads import ON_OBJECTS, Floats, object_heads
from predinet_prolog.experiments.tables import Columns

HEADS_A_ROW = 8
DIM = 0.35
"""Brightness of the image below its heat map."""
GAP = 6
"""Pixels between the two masks of a head; between heads it is three times as much."""
TEXT = 14
"""Pixels above a head's masks, for its number."""


def draw_heat_maps(path: Path, images: npt.NDArray[np.uint8], masks: Floats) -> None:
    """The attention of every head over each of `images` (N, S, S, 3) by their `masks` (N, k, 2, n).

    Beside each image stand its heads, each with its two masks; a window's share lights up the middle of the window.
    """
    size, heads = images.shape[1], masks.shape[1]
    rows = -(-heads // HEADS_A_ROW)
    width, height = 2 * size + 4 * GAP, size + GAP + TEXT  # of a head's place
    figure = new_figure(15.0, 0.2 + rows * len(images))
    grid = figure.subplots(len(images), 2, width_ratios=(1.0, 5.0), squeeze=False)
    for index, image in enumerate(images):
        panel, block = grid[index]
        panel.imshow(image, interpolation="nearest")
        panel.set_title(f"image {index + 1}", fontsize=11, color=INK)
        # All masks are one picture: hundreds of small ones take matplotlib a minute.
        mosaic = np.ones((rows * height, HEADS_A_ROW * width, 3))
        for head in range(heads):
            top, left = height * (head // HEADS_A_ROW) + TEXT, width * (head % HEADS_A_ROW)
            block.text(left, top - 2, f"head {head}", fontsize=8, color=INK, verticalalignment="bottom")
            for mask in (0, 1):
                x = left + mask * (size + GAP)
                mosaic[top : top + size, x : x + size] = heat_map(image, masks[index, head, mask])
        block.imshow(mosaic, interpolation="nearest", extent=(0, mosaic.shape[1], mosaic.shape[0], 0))
        for axes in (panel, block):
            axes.set_axis_off()
    save_figure(figure, path)


def heat_map(image: npt.NDArray[np.uint8], mask: Floats) -> npt.NDArray[np.float64]:
    """`image` (S, S, 3) dimmed and grey, lit up towards yellow by `mask` (n,): RGB (S, S, 3), 0–1.

    The n windows, each twice as wide as its distance to the next, are drawn by their middles, which do not overlap.
    """
    size, side = len(image), int(len(mask) ** 0.5)
    stride = size // (side + 1)
    heat = np.zeros((size, size))
    inner = slice(stride // 2, stride // 2 + side * stride)
    heat[inner, inner] = np.kron(mask.reshape(side, side), np.ones((stride, stride)))
    grey = image.max(-1) / 255 * DIM + 0.08
    yellow = np.array([1.0, 0.85, 0.2])
    lit: npt.NDArray[np.float64] = grey[..., None] * (1 - heat[..., None]) + yellow * heat[..., None]
    return lit


def draw_heads(path: Path, heads: Columns) -> None:
    """Figure S10: how much the masks of every head attend to objects, where they lie, and their output weights.

    Heads that attend to objects with both masks have full bars, the others hatched ones.
    """
    figure = new_figure(12, 8.4)
    content, position, weights = figure.subplots(3, 1, sharex=True)
    _draw_masks(content, heads, "content")
    content.axhline(ON_OBJECTS, color=FAINT, linewidth=0.8, linestyle=":")
    content.set(ylabel="content\n(0 background, 1 object)", ylim=(-0.1, 1.2))
    _draw_masks(position, heads, "position")
    position.set(ylabel="position\n(number of the window)")
    chosen = object_heads(heads)
    places = np.arange(len(chosen))
    for which, colour, hatch, label in (
        (chosen, DARK, "", f"both masks on objects (content ≥ {ON_OBJECTS})"),
        (~chosen, "#ffffff", "////", "other heads"),
    ):
        weights.bar(places[which], heads["weights"][which], color=colour, edgecolor=DARK, hatch=hatch, label=label)
    weights.set(ylabel="mean absolute\noutput weight", xlabel="head", xlim=(-0.7, len(chosen) - 0.3), xticks=places)
    for axes in (content, position, weights):
        tidy(axes, "y")
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.99), fontsize=9, ncols=2, frameon=False)
    save_figure(figure, path)


def _draw_masks(axes: Axes, heads: Columns, name: str) -> None:
    """Mean and standard deviation of the column `name` of both masks of every head."""
    for mask, (colour, marker, offset) in enumerate(((DARK, "o", -0.16), (MIDDLE, "s", 0.16))):
        axes.errorbar(
            heads["head"] + offset,
            heads[f"{name}_{mask + 1}"],
            heads[f"{name}_{mask + 1}_sd"],
            fmt=marker,
            color=colour,
            markerfacecolor=colour if mask == 0 else "#ffffff",
            markersize=5,
            elinewidth=1,
            capsize=2,
            label=f"mask {mask + 1}",
        )
