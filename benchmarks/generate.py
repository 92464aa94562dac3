"""How many Relations Game images one core draws a second, beside a loop over single images.

    python benchmarks/generate.py [--images N] [--seconds S]

Ours is `generate` followed by `render`. The peer does for every image what one would write first:
it draws each object's lit squares with Pillow's `ImageDraw` on an image and turns that into an
array. It is given the finished scenes and only draws them, so the ratio flatters it.
"""

import os

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import argparse
from collections.abc import Callable
from time import perf_counter

import numpy as np
from PIL import Image, ImageDraw

from domains.relations_game import OBJECT_SETS, TASKS, ObjectSet, Scenes, generate, object_set, task_info


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--images", type=int, default=5000, help="images in each batch of ours")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long each case is measured, at least")
    options = parser.parse_args()
    for objects in OBJECT_SETS:
        # Pictures on which the two disagree would make the comparison worthless.
        sample = generate("scatter", 50, objects=objects, seed=0)
        assert (draw_one_by_one(sample) == sample.render()).all()

    print(f"images a second on one core, drawn and rendered, {options.images} at a time")
    print(f"{'task':20} {'objects':8} {'ours':>9} {'loop':>9} {'ratio':>7}")
    slowest = float("inf")
    for task in TASKS:
        for objects in task_info(task).kinds:
            ours, loop = measure(task, objects, options.images, options.seconds)
            slowest = min(slowest, ours)
            print(f"{task:20} {objects:8} {ours:9,.0f} {loop:9,.0f} {ours / loop:7.1f}")
    print(f"slowest: {slowest:,.0f} (wanted: at least 20,000)")


def measure(task: str, objects: str, batch: int, seconds: float) -> tuple[float, float]:
    """Images a second: ours and the loop's."""
    few = generate(task, 100, objects=objects, seed=0)
    return (
        rate(lambda seed: len(generate(task, batch, objects=objects, seed=seed).render()), seconds),
        rate(lambda _: len(draw_one_by_one(few)), seconds),
    )


def rate(work: Callable[[int], int], seconds: float) -> float:
    """Images a second of `work`, which takes a number and returns how many images it made."""
    work(0)  # fills caches
    done, rounds, start = 0, 0, perf_counter()
    while (spent := perf_counter() - start) < seconds:
        rounds += 1
        done += work(rounds)
    return done / spent


def draw_one_by_one(scenes: Scenes) -> np.ndarray:
    """The peer: the same pictures, square by square."""
    kind = object_set(scenes.object_set)
    squares = kind.squares.tolist()
    return np.stack(
        [draw(kind, squares, s, c) for s, c in zip(scenes.shapes.tolist(), scenes.colours.tolist(), strict=True)]
    )


def draw(kind: ObjectSet, squares: list[list[list[list[int]]]], shapes: list[int], colours: list[int]) -> np.ndarray:
    image = Image.new("RGB", (36, 36))
    pen = ImageDraw.Draw(image)
    for cell, (shape, colour) in enumerate(zip(shapes, colours, strict=True)):
        if shape < 0:
            continue
        for row, line in enumerate(squares[shape * kind.n_colours + colour]):
            for column, rgb in enumerate(line):
                if any(rgb):
                    x, y = 12 * (cell % 3) + 1 + 3 * column, 12 * (cell // 3) + 1 + 3 * row
                    pen.rectangle((x, y, x + 2, y + 2), fill=tuple(rgb))
    return np.asarray(image)


if __name__ == "__main__":
    main()
