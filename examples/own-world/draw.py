"""Draws a world of its own: things that are filled or hollow, with annotations.json.

    python draw.py signs 200        200 pictures in the folder signs
    python draw.py others 100 1     100 others, with the seed 1

It stands for a person with a drawing program and an annotation tool: it uses nothing of this project.
"""

import json
import math
import random
import sys
from pathlib import Path

from PIL import Image, ImageDraw

WIDTH, HEIGHT, GAP = 320, 240, 6
CORNERS = {"disc": 60, "square": 4, "triangle": 3, "hexagon": 6}
COLOURS = {"red": (200, 40, 40), "green": (40, 150, 60), "blue": (50, 80, 200), "orange": (230, 140, 20)}


def outline(shape: str, x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """The corners of a shape around (x, y)."""
    turns = [math.tau * (corner + 0.5) / CORNERS[shape] for corner in range(CORNERS[shape])]
    return [(x + radius * math.sin(turn), y + radius * math.cos(turn)) for turn in turns]


def draw(rng: random.Random) -> tuple[Image.Image, list[dict[str, object]]]:
    """A picture, and what is in it."""
    ground = tuple(rng.randint(200, 255) for _ in range(3))
    picture = Image.new("RGB", (WIDTH, HEIGHT), ground)
    pen, things = ImageDraw.Draw(picture), list[dict[str, object]]()
    places: list[tuple[float, float, float]] = []
    wanted = rng.randint(3, 8)
    while len(things) < wanted:
        radius = rng.uniform(12, 32)
        x, y = rng.uniform(radius + 2, WIDTH - radius - 2), rng.uniform(radius + 2, HEIGHT - radius - 2)
        if any(math.hypot(x - a, y - b) < radius + other + GAP for a, b, other in places):
            continue
        places.append((x, y, radius))
        shape, colour, filled = rng.choice([*CORNERS]), rng.choice([*COLOURS]), rng.random() < 0.5
        points = outline(shape, x, y, radius)
        pen.polygon(points, fill=COLOURS[colour])
        if not filled:
            pen.polygon(outline(shape, x, y, radius * 0.62), fill=ground)
        left, top = (math.floor(min(point[axis] for point in points)) for axis in (0, 1))
        right, bottom = (math.ceil(max(point[axis] for point in points)) + 1 for axis in (0, 1))
        things.append(
            {
                "bbox": [left, top, right - left, bottom - top],
                "attributes": {"shape": shape, "colour": colour, "filled": filled},
            }
        )
    return picture, things


def main(folder: Path, count: int, seed: int) -> None:
    """Writes the folder."""
    rng = random.Random(seed)
    folder.mkdir(parents=True)
    images, annotations = [], []
    for number in range(count):
        picture, things = draw(rng)
        name = f"{number:04}.png"
        picture.save(folder / name)
        images.append({"id": number, "file_name": name, "width": WIDTH, "height": HEIGHT})
        annotations += [{"image_id": number, **thing} for thing in things]
    (folder / "annotations.json").write_text(json.dumps({"images": images, "annotations": annotations}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
