"""Draws small pictures of people at work, and writes what a detector would say of them.

    python make.py FOLDER COUNT SEED    (the folder here: . 40 44)

pictures/ are the images, and labels.csv among them says in which somebody wears no helmet. predictions.json is what
ultralytics' `yolo predict save_json=True` writes, and data.yaml has the names of its classes. The detector's boxes are
off by up to two pixels, and it sees a few things that are not there, with little confidence.
"""

import csv
import json
import sys
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

SIZE = (160, 120)
CLASSES = ("person", "helmet", "vest")
GROUNDS = ("#c9d3d6", "#d8d0c0", "#bfc8b6")
CLOTHES, HELMETS = ("#3b5b8c", "#6b4a3a", "#54606b"), ("#f2c230", "#f4f4f0", "#d9542b")
Box = tuple[int, int, int, int]


def make(folder: Path, count: int, random: Random) -> None:
    """Writes so many pictures, and what goes with them, into the folder."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    predictions, labels = [], []
    for number in range(count):
        name, picture = f"{number:02}.png", Image.new("RGB", SIZE, random.choice(GROUNDS))
        things, bare = draw(picture, random)
        picture.save(pictures / name, optimize=True)
        things += [("helmet", (x, 8, x + 9, 14), 0.2) for x in (random.randrange(140),) if random.random() < 0.3]
        predictions += [
            {
                "image_id": number,
                "file_name": name,
                "category_id": CLASSES.index(category),
                "bbox": [left, top, right - left, bottom - top],
                "score": round(score, 3),
            }
            for category, (left, top, right, bottom), score in things
        ]
        labels.append((name, "bare" if bare else "safe"))
    (folder / "predictions.json").write_text(json.dumps(predictions) + "\n")
    (folder / "data.yaml").write_text(f"names: [{', '.join(CLASSES)}]\n")
    with (pictures / "labels.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("file", "label"), *labels])


def draw(picture: Image.Image, random: Random) -> tuple[list[tuple[str, Box, float]], bool]:
    """Draws one to four people. Returns what is seen, with how sure the detector is, and whether a head is bare."""
    pen, things, bare = ImageDraw.Draw(picture), [], False
    people = random.randint(1, 4)
    careless = random.random() < 0.5  # half of the pictures have somebody without a helmet
    for place in range(people):
        x, height = 8 + 36 * place + random.randrange(8), random.randint(56, 84)
        foot = random.randint(100, 116)
        top, head = foot - height, height // 5
        person = (x, top, x + height // 3, foot)
        middle = (person[0] + person[2]) // 2
        pen.rectangle((person[0], top + head, person[2], foot), fill=random.choice(CLOTHES))
        pen.ellipse((middle - head // 2, top, middle + head // 2, top + head), fill="#d9a884")
        things.append(("person", near(person, random), random.uniform(0.7, 0.98)))
        if random.random() < 0.4:
            vest = (person[0], top + head + 3, person[2], top + head + height // 3)
            pen.rectangle(vest, fill="#e8743b")
            things.append(("vest", near(vest, random), random.uniform(0.6, 0.95)))
        helmet: Box = (middle - head // 2 - 1, top - 2, middle + head // 2 + 1, top + 2 * head // 3)
        if careless and (place == people - 1 or random.random() < 0.3):
            bare = True
            helmet = (person[2] + 4, foot - 2 * head // 3, person[2] + 4 + head, foot)  # beside the feet
            if helmet[2] > SIZE[0] or random.random() < 0.5:
                continue
        dome = helmet[0], helmet[1], helmet[2], 2 * helmet[3] - helmet[1]
        pen.pieslice(dome, 180, 360, fill=random.choice(HELMETS))
        things.append(("helmet", near(helmet, random), random.uniform(0.6, 0.95)))
    return things, bare


def near(box: Box, random: Random) -> Box:
    """The box as a detector has it."""
    left, top, right, bottom = (side + random.randint(-2, 2) for side in box)
    return max(left, 0), max(top, 0), min(right, SIZE[0]), min(bottom, SIZE[1])


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), Random(int(sys.argv[3])))
