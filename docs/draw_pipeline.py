"""Draws docs/pipeline.png, the README's picture, from a real image and the model's real answers.

python docs/draw_pipeline.py
"""

from itertools import pairwise
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from predinet_prolog.bridge import Scene
from predinet_prolog.domains.images import InputImage
from predinet_prolog.service.pipeline import ask, look
from predinet_prolog.symbolic import theory

ROOT = Path(__file__).parent.parent
IMAGE = ROOT / "examples" / "between" / "image.png"
COLOURS = ("#1f77b4", "#d62728", "#2ca02c")
INK, QUIET = "#22262b", "#848c96"
GOAL = "flanked_by_twins(Middle, X, Y)"


def main() -> None:
    seen = look(IMAGE)
    (answer, *_) = ask(seen, GOAL, rules=[theory("relations_game")]).answers
    figure = plt.figure(figsize=(16, 4.22))
    places = [(0.01, 0.19), (0.25, 0.19), (0.49, 0.25), (0.79, 0.2)]  # left edge and width of each panel
    axes = [figure.add_axes((left, 0.05, width, 0.72)) for left, width in places]
    draw_image(axes[0], seen.image)
    draw_masks(axes[1], seen.scene)
    draw_program(axes[2], seen.text)
    draw_answer(axes[3], ", ".join(f"{name} = {value}" for name, value in answer.bindings.items()))
    for left, right in pairwise(places):
        figure.text((left[0] + left[1] + right[0]) / 2, 0.41, "➜", ha="center", va="center", fontsize=24, color=QUIET)
    figure.savefig(ROOT / "docs" / "pipeline.png", dpi=110, facecolor="white")


def title(axes: Axes, name: str, what: str) -> None:
    axes.set_axis_off()
    axes.text(0, 1.14, name, transform=axes.transAxes, fontsize=17, fontweight="bold", color=INK)
    axes.text(0, 1.05, what, transform=axes.transAxes, fontsize=12, color=QUIET)


def draw_image(axes: Axes, image: InputImage) -> None:
    axes.imshow(image.pixels, interpolation="nearest")
    title(axes, "neural/", "an image, seen by a PrediNet")


def draw_masks(axes: Axes, scene: Scene) -> None:
    axes.set_xlim(0, scene.size[0])
    axes.set_ylim(scene.size[1], 0)
    axes.set_aspect("equal")
    axes.add_patch(Rectangle((0, 0), *scene.size, facecolor="#f2f4f6"))
    for symbol in scene.things:
        colour = COLOURS[int(symbol.name.removeprefix("ob_")) % len(COLOURS)]
        left, top, right, bottom = symbol.place
        box = Rectangle((left + 0.5, top + 0.5), right - left - 1, bottom - top - 1, facecolor=colour, alpha=0.75)
        axes.add_patch(box)
        axes.text(symbol.x, symbol.y, symbol.name, ha="center", va="center", color="white", fontweight="bold")
    title(axes, "bridge/", "its attention, clustered: symbols")


def draw_program(axes: Axes, program: str) -> None:
    lines = program.splitlines()
    shown = [next(line for line in lines if line.startswith(kind)) for kind in ("object(", "head(h0", "r3(")]
    start = lines.index("same(X, Y) :-")
    clause = lines[start : start + 3]
    text = "\n".join([*(line for fact in shown for line in (fact, "…")), "", *clause, "    …"])
    write(axes, text)
    title(axes, "program.pl", "facts and rules, standing alone")


def draw_answer(axes: Axes, answer: str) -> None:
    write(axes, f"?- flanked_by_twins(\n     Middle, X, Y).\n\n{answer.replace(', ', ',' + chr(10))}.")
    title(axes, "symbolic/", "SWI-Prolog answers")


def write(axes: Axes, text: str) -> None:
    axes.text(0, 1, text, transform=axes.transAxes, va="top", family="monospace", fontsize=12, color=INK)


if __name__ == "__main__":
    main()
