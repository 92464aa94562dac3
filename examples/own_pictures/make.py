"""Draws twenty pictures like those that people have, with what is in them in annotations.json.

    python -m examples.own_pictures.make [FOLDER]

They only judge: nothing is trained, chosen or tuned on them. Values of `shape` are outlines; things of one `look` look
the same, however large and however turned. `size` is told where all things of a picture are of one kind; `colour` where
no kind has a smaller share of it than another.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from examples.own_pictures.grounds import ground
from examples.own_pictures.parts import Colour, draw
from predinet_prolog.domains.annotations import write_annotations
from predinet_prolog.domains.domain import Truth

PICTURES = Path(__file__).parent / "pictures"
SHADE = 0.45
"""How dark shadows are."""
PIPS = {1: "c", 2: "ai", 3: "aci", 4: "agbi", 5: "agcbi", 6: "agbidf"}
PLACES = {"a": (-1, -1), "b": (1, -1), "c": (0, 0), "d": (-1, 0), "f": (1, 0), "g": (-1, 1), "i": (1, 1)}
"""Where the pips of a domino's half are, by number, and those places from its middle."""


@dataclass(frozen=True)
class Scene:
    """One of the pictures."""

    file: str
    size: tuple[int, int]
    """Width and height in pixels."""
    ground: str
    things: str
    """One a line: kind, colour, middle, size and turn, as pictures.toml says."""
    shadow: int
    """Pixels that shadows reach."""
    sized: bool = False
    """Whether sizes are told."""
    coloured: bool = True
    """Whether colours are told."""


_TOLD = tomllib.loads(Path(__file__).with_name("pictures.toml").read_text(encoding="utf-8"))
COLOURS: Mapping[str, Colour] = {name: (red, green, blue) for name, (red, green, blue) in _TOLD["colours"].items()}
KINDS: Mapping[str, str] = _TOLD["kinds"]
OVER: Mapping[str, str] = _TOLD["over"]
SCENES = tuple(Scene(**{**scene, "size": tuple(scene["size"])}) for scene in _TOLD["scenes"])


@dataclass(frozen=True)
class Thing:
    """One thing of a picture."""

    box: tuple[int, int, int, int]
    """left, top, right, bottom."""
    values: Mapping[str, str]
    """By attribute."""


def paint(scene: Scene) -> tuple[Image.Image, list[Thing]]:
    """The picture (RGB), and what is in it."""
    seed = [ord(letter) for letter in scene.file]
    rng = np.random.default_rng(seed)
    picture = ground(scene.ground, *scene.size, rng).convert("RGBA")
    things = []
    for text in scene.things.splitlines():
        name, colour, *numbers = text.split()
        x, y, size, turn = map(float, numbers)
        layer = Image.new("RGBA", picture.size, (0, 0, 0, 0))
        kind = name.partition(":")[0]
        drawn = draw(parts_of(name), shades(COLOURS[colour]), (round(size), round(size)))
        drawn = drawn.rotate(-turn, Image.Resampling.BICUBIC, expand=True)
        middle = x / 100 * scene.size[0], y / 100 * scene.size[1]
        layer.paste(drawn, (round(middle[0] - drawn.width / 2), round(middle[1] - drawn.height / 2)))
        box = layer.getchannel("A").point(lambda alpha: 255 * (alpha > 127)).getbbox()
        assert box is not None, text
        if scene.shadow:
            cast = Image.new("RGBA", picture.size, (0, 0, 0, 0))
            dark = layer.getchannel("A").point(lambda alpha: round(SHADE * alpha))
            cast.paste((10, 8, 16, 255), (scene.shadow // 2, scene.shadow), dark)
            picture.alpha_composite(cast.filter(ImageFilter.GaussianBlur(scene.shadow * 0.7)))
        picture.alpha_composite(layer)
        values = {
            "shape": kind if kind not in {"magnet", "brick"} else name,
            "colour": colour,
            "look": f"{colour} {name}",
        }
        values |= {"colour": colour} if scene.coloured else {}
        values |= {"size": str(round(size))} if scene.sized else {}
        things.append(Thing(box, values))
    if scene.file.endswith(".jpg"):  # what a camera adds
        pixels = np.asarray(picture.convert("RGB")) + rng.normal(0, 1.5, (scene.size[1], scene.size[0], 1))
        return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)), things
    return picture.convert("RGB"), things


def parts_of(name: str) -> str:
    """The parts of a thing of that name: its kind, and after a colon what sets it apart."""
    kind, _, more = name.partition(":")
    if kind == "domino":
        return "round 1 24 1 77 99; round 0 24 1 76 97; line 1 1 30 49 70 49;" + ";".join(_pips(more))
    if kind == "brick":
        return ";".join(_brick(*map(int, more.split("x"))))
    if kind == "magnet":
        return f"sign 1 51 52 110 {more}; sign 0 49 49 110 {more}"
    if kind == "block":
        return f"{KINDS[kind]}; sign 1 48 49 60 {more}"
    if kind == "coin":
        return f"{KINDS[kind]}; sign 1 50 51 {40 if len(more) > 1 else 52} {more}"
    return KINDS.get(name) or f"{KINDS[kind]}; {OVER.get(name, '')}"


def _pips(halves: str) -> Iterator[str]:
    for middle, number in zip((25, 73), halves.split(","), strict=True):
        for place in PIPS[int(number)]:
            x, y = 50 + 14 * PLACES[place][0], middle + 14 * PLACES[place][1]
            yield f"disc #202428 {x - 4.5} {y - 4.5} {x + 4.5} {y + 4.5}"


def _brick(rows: int, columns: int) -> Iterator[str]:
    """From above, studs in rows; they are equally large in pixels where sizes go with the columns."""
    step = 96 / columns
    top = 50 - rows * step / 2
    yield f"box 1 2 {top} 98 {top + rows * step}"
    yield f"box 0 2 {top} {98 - 0.04 * step} {top + (rows - 0.06) * step}"
    for row in range(rows):
        for column in range(columns):
            x, y, radius = 2 + (column + 0.5) * step, top + (row + 0.5) * step, 0.32 * step
            yield f"disc 1 {x - radius} {y - radius} {x + 1.15 * radius} {y + 1.2 * radius}"
            yield f"disc 2 {x - radius} {y - radius} {x + radius} {y + radius}"
            yield f"disc 0 {x - 0.8 * radius} {y - 0.8 * radius} {x + radius} {y + radius}"


def shades(colour: Colour) -> tuple[Colour, ...]:
    """The colour, that darker, that lighter, and white."""
    dark = tuple(round(0.66 * value) for value in colour)
    light = tuple(round(255 - 0.6 * (255 - value)) for value in colour)
    return (colour, (dark[0], dark[1], dark[2]), (light[0], light[1], light[2]), COLOURS["white"])


def main(folder: Path = PICTURES) -> None:
    """Writes all of them into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    image, boxes, values = [], [], []
    for number, scene in enumerate(SCENES):
        picture, things = paint(scene)
        if scene.file.endswith(".jpg"):
            picture.save(folder / scene.file, quality=72, optimize=True)
        else:
            picture.quantize(64, dither=Image.Dither.NONE).save(folder / scene.file, optimize=True)
        image += [number] * len(things)
        boxes += [thing.box for thing in things]
        values += [thing.values for thing in things]
    words, columns = {}, {}
    for name in ("shape", "colour", "look", "size"):
        words[name] = tuple(sorted({each[name] for each in values if name in each}))
        columns[name] = np.array([words[name].index(each[name]) if name in each else -1 for each in values])
    truth = Truth(np.array(image), np.array(boxes, dtype=np.float64), columns)
    write_annotations(folder, [scene.file for scene in SCENES], [scene.size for scene in SCENES], truth, words)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
