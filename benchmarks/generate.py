"""How many Relations Game images one core draws a second, beside a loop over single images.

    python benchmarks/generate.py [--images N] [--turns N]

Ours is the domain's `generate`, pictures with their truth. The peer does for every image what one would write first: it
draws each object's lit squares with Pillow's `ImageDraw` on an image and turns that into an array. It is given the
finished scenes and only draws them, so the ratio flatters it.
"""

import os

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

from functools import partial

import numpy as np
from PIL import Image, ImageDraw

from benchmarks.shared import GAME, INFO, options, print_head, print_row, take_turns
from domains.relations_game import Scenes, generate, object_set
from domains.relations_game.objects import CELL, MARGIN, SQUARE
from domains.relations_game.scenes import GRID

FEW = 100
"""Images that the peer draws in a turn."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--images", type=int, default=5000, help="images in each batch of ours")
    parser.add_argument("--turns", type=int, default=5, help="of each case; the best counts")
    chosen = parser.parse_args()
    for objects in GAME.kinds:
        # Pictures on which the two disagree would make the comparison worthless.
        sample = generate("scatter", 50, objects=objects, seed=0)
        assert (draw_one_by_one(sample) == sample.render()).all()

    print(f"images a second on one core, drawn and rendered, {chosen.images} at a time\n")
    print_head("task", "objects", "ours", "loop", "ratio")
    slowest = float("inf")
    for name, task in GAME.tasks.items():
        for objects in task.kinds:
            few = generate(name, FEW, objects=objects, seed=0)
            cases = {
                "ours": partial(GAME.generate, name, chosen.images, kind=objects, seed=0),
                "loop": partial(draw_one_by_one, few),
            }
            seconds = take_turns(cases, chosen.turns)
            ours, loop = chosen.images / min(seconds["ours"]), FEW / min(seconds["loop"])
            slowest = min(slowest, ours)
            print_row(name, objects, f"{ours:,.0f}", f"{loop:,.0f}", f"{ours / loop:.1f}")
    print(f"\nslowest: {slowest:,.0f} (wanted: at least 20,000)")


def draw_one_by_one(scenes: Scenes) -> np.ndarray:
    """The peer: the same pictures, square by square."""
    kind = object_set(scenes.object_set)
    squares = kind.squares.tolist()
    pictures = []
    for shapes, colours in zip(scenes.shapes.tolist(), scenes.colours.tolist(), strict=True):
        image = Image.new("RGB", (INFO.width, INFO.height))
        pen = ImageDraw.Draw(image)
        for cell, (shape, colour) in enumerate(zip(shapes, colours, strict=True)):
            if shape < 0:
                continue
            left, top = CELL * (cell % GRID) + MARGIN, CELL * (cell // GRID) + MARGIN
            for row, line in enumerate(squares[shape * kind.n_colours + colour]):
                for column, rgb in enumerate(line):
                    if any(rgb):
                        x, y = left + SQUARE * column, top + SQUARE * row
                        pen.rectangle((x, y, x + SQUARE - 1, y + SQUARE - 1), fill=tuple(rgb))
        pictures.append(np.asarray(image))
    return np.stack(pictures)


if __name__ == "__main__":
    main()
