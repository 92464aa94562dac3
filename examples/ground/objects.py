"""What lessons are drawn of: things with their outlines, and pictures of surfaces, out of packages of npm and Debian.

Archives are fetched once into the user's cache; each must have its hash. `apt-get` has to know Debian 12's packages,
and SVG takes `pip install resvg_py==0.5.0`.
"""

import io
import re
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from scipy import ndimage

from examples.own_pictures.others import archive, drawn, fetched
from predinet_prolog.bridge.finding.patches import EIGHT
from predinet_prolog.domains.domain import Pixels

COLOURS = (
    "#c0392b",
    "#1f618d",
    "#27ae60",
    "#d68910",
    "#6c3483",
    "#17202a",
    "#ecf0f1",
    "#e84393",
    "#7f8c8d",
    "#5d4037",
)
"""Of icons that have none of their own."""
PLAN = tomllib.loads(Path(__file__).with_name("objects.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Rules:
    """Which files are things and surfaces."""

    lot: int = 5
    """The seed by which a maker's files are chosen."""
    long: int = 224
    """Pixels along a thing's long side at most: in lessons hardly any is longer."""
    fewest: int = 200
    """Pixels of a thing."""
    joined: float = 0.995
    """Share of a thing that is one piece: the rest is crumbs."""
    opaque: int = 200
    thick: int = 5
    """What is less opaque, of 255, and at least so many pixels thick is a shadow or a glow that the maker drew, and no
    part of the thing."""
    small: tuple[int, int] = (40, 60)
    """Pixels of the short or of the long side: of what has fewer, little is left to learn from."""
    narrow: float = 0.12
    """Share of the long side that the short one has at least."""
    texture: int = 384
    """Pixels along a texture's sides; …"""
    least: int = 200
    """… its file has no fewer."""
    black: float = 12.0
    """Nothing shows on a darker texture."""


RULES = Rules()


@dataclass(frozen=True)
class Objects:
    """What lessons are drawn of."""

    sprites: Mapping[str, Sequence[Pixels]]
    """Things (h, w, 4) by maker, at most RULES.long along a side."""
    shares: Mapping[str, float]
    """How often a thing is a maker's; together 1."""
    textures: Sequence[Pixels]
    """Even surfaces (h, h, 3)."""
    pictures: Sequence[Pixels]
    """What is not even (h, h, 3)."""


def objects() -> Objects:
    """Those of objects.toml. Ends where an archive cannot be had or is not what it was."""
    makers = PLAN["makers"]
    sprites = {maker: sprites_of(plan) for maker, plan in makers.items()}
    archive.cache_clear()  # hundreds of megabytes
    return Objects(sprites, {maker: plan["share"] for maker, plan in makers.items()}, *surfaces_of(PLAN["textures"]))


def sprites_of(plan: Mapping[str, Any]) -> list[Pixels]:
    """A maker's things, of as many files as the plan says, by lot."""
    held, without = set(plan.get("held", "").split()), plan.get("without", "^$")
    drawings = dict(files(plan["archive"], plan["files"]))
    names = sorted(name for name in drawings if Path(name).stem not in held and not re.search(without, name))
    rng = np.random.default_rng(RULES.lot)
    sprites = []
    for number in rng.permutation(len(names))[: plan["files_at_most"]]:
        image = drawn(drawings[names[number]])
        if plan.get("coloured"):
            tinted = Image.new("RGBA", image.size, COLOURS[rng.integers(len(COLOURS))])
            tinted.putalpha(image.getchannel("A"))
            image = tinted
        if (thing := one_thing(image)) is not None:
            sprites.append(thing)
    return sprites


def one_thing(image: Image.Image) -> Pixels | None:
    """What an image (RGBA) shows, without margin and crumbs; None where that isn't one joined thing."""
    alpha = np.array(image.getchannel("A"))
    faint = ndimage.binary_opening((alpha > 0) & (alpha < RULES.opaque), np.ones((RULES.thick, RULES.thick)))
    alpha[ndimage.binary_dilation(faint, iterations=2) & (alpha < RULES.opaque)] = 0
    image.putalpha(Image.fromarray(alpha))
    mask = alpha > 127
    if mask.sum() < RULES.fewest or mask.all():
        return None
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    image = image.crop((columns[0], rows[0], columns[-1] + 1, rows[-1] + 1))
    small = min(image.size) < RULES.small[0] and max(image.size) < RULES.small[1]
    if min(image.size) < RULES.narrow * max(image.size) or small:
        return None
    alpha = np.array(image.getchannel("A"))
    pieces, _ = ndimage.label(alpha > 127, EIGHT)
    areas = np.bincount(pieces[pieces > 0])
    if areas.max() < RULES.joined * areas.sum():
        return None
    alpha[~ndimage.binary_dilation(pieces == areas.argmax(), iterations=2)] = 0
    image.putalpha(Image.fromarray(alpha))
    image.thumbnail((RULES.long, RULES.long), Image.Resampling.LANCZOS)
    return np.asarray(image)


def surfaces_of(plan: Mapping[str, Any]) -> tuple[list[Pixels], list[Pixels]]:
    """The surfaces of the plan that are even all over, and by lot some of what else its files show."""
    of, without = (
        re.compile(rf"(?is)({words})[^/]*$".replace("\n", ""))
        for words in (plan["of"], f"{plan['maps']}|{plan['held']}")
    )
    contents = {
        re.split(r"\.(?:pk3|zip)/", path)[-1]: content  # of two of the same path, the last archive's
        for package in plan["archives"]
        for path, content in files(package, plan["files"])
        if not without.search(path)
    }
    textures, pictures = [], []
    for path in sorted(contents):
        if (surface := square(contents[path])) is not None:
            if not is_even(surface):
                pictures.append(surface)
            elif of.search(path):
                textures.append(surface)
    chosen = np.random.default_rng(RULES.lot).permutation(len(pictures))[: plan["pictures_at_most"]]
    return textures, [pictures[number] for number in chosen]


def square(content: bytes) -> Pixels | None:
    """What a file shows, as a square; None where it's no picture, or a small, dark or transparent one."""
    try:
        image = Image.open(io.BytesIO(content))
    except (OSError, ValueError):  # the latter of some of SGI's
        return None
    if image.mode not in {"RGB", "RGBA", "L"} or min(image.size) < RULES.least:
        return None
    if image.mode == "RGBA" and np.asarray(image)[..., 3].min() < 255:
        return None
    pixels = np.asarray(image.convert("RGB").resize((RULES.texture, RULES.texture), Image.Resampling.LANCZOS))
    return pixels if pixels.mean() >= RULES.black else None


def is_even(surface: Pixels) -> bool:
    """Whether it looks alike all over."""
    grey, side = surface.mean(axis=2), RULES.texture
    blocks = grey.reshape(4, side // 4, 4, side // 4).swapaxes(1, 2).reshape(16, -1)
    means, deviations = blocks.mean(axis=1), blocks.std(axis=1)
    even = means.std() < 0.5 * grey.std() + 1 and deviations.max() < 2.2 * deviations.min() + 3
    return bool(even and grey.std() < 0.4 * grey.mean() + 4)


def files(package: str, pattern: str) -> Iterator[tuple[str, bytes]]:
    """The files of a package of npm, NAME@VERSION, or of Debian, NAME=VERSION, whose whole path is of the pattern. What
    lies in an archive of an archive (.pk3, .sh3f) has both their paths."""
    if "=" not in package:
        yield from ((path, content) for path, content in archive(package).items() if re.fullmatch(pattern, path))
        return
    unpacking = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", debian(package)], stdout=subprocess.PIPE)
    with unpacking, tarfile.open(fileobj=unpacking.stdout, mode="r|") as tar:
        for member in tar:
            inner = member.name.endswith((".pk3", ".sh3f", ".zip"))
            if member.isfile() and (inner or re.fullmatch(pattern, member.name)) and (file := tar.extractfile(member)):
                content = file.read()
                yield from _inside(member.name, content, pattern) if inner else [(member.name, content)]


def _inside(archive_path: str, content: bytes, pattern: str) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as folder:
        for name in folder.namelist():
            if re.fullmatch(pattern, path := f"{archive_path}/{name}"):
                yield path, folder.read(name)


def debian(package: str) -> Path:
    """The file of a package of Debian, NAME=VERSION. Ends where it cannot be had or is not what it was."""
    return fetched(package, PLAN["archives"][package])
