"""The one reader of pictures: an image file becomes the pixels that are looked at, or one clear error."""

import hashlib
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError
from PIL.ImageFile import ImageFile as ImageFormat

from predinet_prolog.domains.data import Picture
from predinet_prolog.domains.errors import ImageError, LargeImageError
from predinet_prolog.domains.image_pieces import Pieces, check_pieces
from predinet_prolog.domains.samples import FORMATS, decode

MAX_BYTES = 20 * 2**20
"""No larger file is read."""
MAX_PIXELS = 4096 * 4096
"""No image of more pixels is decoded; its header says how many there are."""
FREE_BYTES, FREE_PIXELS = 64 * 2**20, 50 * 2**20
"""The same for pictures of any size: a camera's photographs."""
LONGEST = 1024
"""Pixels along the longer side of a picture of any size, at most; a larger one is reduced."""
QUICK_BYTES = 2**16
"""A larger file takes longer to read than the network takes to look at it. So may one of more pixels than these."""
QUICK_PIXELS = 2**19
OPAQUE, RIM = 128, 2
"""A pixel of so much alpha shows itself rather than what is behind; so many pixels are the rim of what is shown."""
NAMES = {(0, 0, 0): "black", (255, 255, 255): "white"}
FREE = Picture(0, 0)
"""A picture of any size."""
MIN_SIDE, FREE_MIN_SIDE = 12, 24
"""Smaller images have next to no pixels for a thing in them, or for several: there is nothing to see."""


@dataclass(frozen=True, eq=False)
class ImageFile:
    """An image file that was opened: it can be read more than once, as pictures of several domains."""

    data: bytes
    name: str
    """As InputImage has it."""
    where: str
    """What errors call it."""

    @cached_property
    def sha256(self) -> str:
        """Of the bytes, 64 hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class InputImage:
    """An image as the network sees it, and what was done to make it so."""

    pixels: npt.NDArray[np.uint8]
    """(H, W, 3) RGB, 0-255, rows from top to bottom."""
    width: int
    """Of the image given, in pixels, after EXIF rotation."""
    height: int
    notes: tuple[str, ...]
    """Every change that the user should know of, such as "resized from 144x144 to 48x48"."""
    name: str
    """The file's name without its folder, or the name given."""
    sha256: str
    """Of the file's bytes, 64 hexadecimal digits."""

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels of the image given to one of `pixels`, across and down: times these, places in `pixels` are the
        user's; divided by these, the user's are places in `pixels`."""
        height, width = self.pixels.shape[:2]
        return self.width / width, self.height / height


Opened = str | Path | bytes | ImageFile
"""An image file: its path, its bytes, or opened already."""


def open_file(source: Opened, *, name: str | None = None) -> ImageFile:
    """The file at that path or with those bytes; `name` is what it is called, if not by the path. Raises ImageError for
    one that cannot be read, is empty or larger than any that is read."""
    if isinstance(source, ImageFile):
        return source
    source = Path(source) if isinstance(source, str) else source
    if not isinstance(source, Path | bytes):
        raise ImageError(f"an image is a path or a file's bytes, not a {type(source).__name__}: save it as PNG")
    label = name or (source.name if isinstance(source, Path) else "the image")
    # Names of files may hold bytes that are no text; Python's stand-ins for them cannot be written.
    label = label.encode("utf-8", "backslashreplace").decode()
    where = str(source) if isinstance(source, Path) else label
    data = source if isinstance(source, bytes) else _read_bytes(source)
    if not data:
        raise ImageError(f"{where} is empty: an image file was expected")
    return ImageFile(data, label, where)


def read_image(source: Opened, *, picture: Picture, name: str | None = None, quick: bool = False) -> InputImage:
    """Reads an image file as the RGB pixels of a `picture` of its domain.

    Greyscale, palette, CMYK and wider samples become 8-bit RGB. An EXIF orientation and a colour profile are applied.
    Of an animation the first frame is taken. Where pictures have a size, transparency shows the background of
    `picture`, and a square image of another size is resized; where one size is a multiple of the other, an enlargement
    by whole pixels comes back exactly. Where they are free, transparency shows white or black, whichever contrasts more
    with what it surrounds, and a picture of more than LONGEST pixels on a side is reduced: `scale` turns its places
    into the user's.

    Raises ImageError, and nothing else, for a file that cannot be read, is no image of `FORMATS`, is damaged,
    is not square where pictures have a size, or is outside the limits above and in image_pieces.py. Too many pixels are
    refused before any is decoded. If `quick`, raises LargeImageError for a file of more than QUICK_BYTES, QUICK_PIXELS
    or QUICK_READS, before it takes more than some milliseconds.
    """
    file = open_file(source, name=name)
    most = FREE_BYTES if picture.free else MAX_BYTES
    if len(file.data) > most:
        raise ImageError(f"{file.where} is larger than {most // 2**20} MiB: save the image smaller")
    if quick and len(file.data) > QUICK_BYTES:
        raise LargeImageError(f"{file.where} is larger than {QUICK_BYTES // 2**10} KiB")
    image, (width, height), notes = _decode(file.data, file.where, picture, quick=quick)
    size = picture.width
    if not picture.free and width != size:
        image = resized(image, size)
        notes.append(f"resized from {width}x{height} to {size}x{size}")
    return InputImage(np.asarray(image), width, height, tuple(notes), file.name, file.sha256)


@contextmanager
def opened(source: Path | Pieces, where: str, picture: Picture = FREE) -> Iterator[ImageFormat]:
    """The image file, not yet decoded. ImageError, which calls it `where`, for whatever is wrong with it, then or in
    the block, and for more pixels than are decoded of a `picture`."""
    side = math.isqrt(MAX_PIXELS)
    most = f"{FREE_PIXELS // 2**20} megapixels" if picture.free else f"{side}x{side} pixels"
    too_many = f"more than the {most} that are decoded: save it smaller"
    try:
        with warnings.catch_warnings(action="ignore"), Image.open(source, formats=FORMATS) as image:
            assert isinstance(image, ImageFormat)  # Pillow warns of odd but readable files
            if image.width * image.height > (FREE_PIXELS if picture.free else MAX_PIXELS):
                raise ImageError(f"{where} is {image.width}x{image.height} pixels, {too_many}")
            yield image
    except ImageError:
        raise
    except UnidentifiedImageError:
        raise ImageError(f"{where} is not an image that can be read ({', '.join(FORMATS)})") from None
    except Image.DecompressionBombError:
        raise ImageError(f"{where} has {too_many}") from None
    except Exception as error:
        # Pillow's readers promise no exception family: OSError, SyntaxError, struct.error were seen.
        raise ImageError(f"{where} is damaged or truncated ({error})") from error


def _read_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(FREE_BYTES + 1)  # never all of an endless file
    except FileNotFoundError:
        raise ImageError(f"no such file: {path}") from None
    except IsADirectoryError:
        raise ImageError(f"{path} is a directory: name an image in it") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise ImageError(f"{path} cannot be read: {reason}") from error


def _decode(
    data: bytes, where: str, picture: Picture, *, quick: bool
) -> tuple[Image.Image, tuple[int, int], list[str]]:
    """The upright RGB image in `data`, how wide and high it is in the file, and what the user should know of it."""
    check_pieces(data, where)
    with opened(Pieces(data, where, quick=quick), where, picture) as image:
        size = image.size
        _check_size(size, where, picture)
        if quick and image.width * image.height > QUICK_PIXELS:
            raise LargeImageError(f"{where} is {image.width}x{image.height} pixels")
        # A telephone's JPEG, which becomes an MPO, has further pictures that are no frames: a depth, for example.
        animated = getattr(image, "is_animated", False) and image.format != "MPO"
        notes = ["animated: the first frame was taken"] if animated else []
        if picture.free:
            image.draft(None, reduced(size))  # a JPEG is decoded at a half, a quarter or an eighth, if that is enough
        upright, changes = decode(image, where)
        notes += changes
        size = size if upright.size == image.size else size[::-1]
        return _to_rgb(upright, picture, notes), size, notes


def _check_size(size: tuple[int, int], where: str, picture: Picture) -> None:
    width, height = size
    least = FREE_MIN_SIDE if picture.free else MIN_SIDE
    if min(size) < least:
        raise ImageError(f"{where} is {width}x{height} pixels: at least {least}x{least} are needed")
    if picture.free and min(reduced(size)) < least:
        raise ImageError(f"{where} is {width}x{height} pixels, too long and narrow: crop it")
    if not picture.free and width != height:
        raise ImageError(f"{where} is {width}x{height} pixels, not square: crop it to a square")


def _to_rgb(image: Image.Image, picture: Picture, notes: list[str]) -> Image.Image:
    if not image.has_transparency_data:
        return _reduced(image, "RGB") if picture.free else image.convert("RGB")
    layers = _reduced(image, "RGBA") if picture.free else image.convert("RGBA")
    background = picture.background
    if layers.getchannel("A").getextrema() != (255, 255):
        background = _contrasting(layers) if picture.free else background
        notes.append(f"transparency shown as {NAMES.get(background, f'the colour {background}')}")
    ground = Image.new("RGBA", layers.size, (*background, 255))
    return Image.alpha_composite(ground, layers).convert("RGB")


def resized(image: Image.Image, size: int) -> Image.Image:
    """A square image with so many pixels along a side."""
    whole = max(image.width, size) % min(image.width, size) == 0
    return image.resize((size, size), Image.Resampling.BOX if whole else Image.Resampling.LANCZOS)


def reduced(size: tuple[int, int]) -> tuple[int, int]:
    """The width and height that a picture of any `size` is read at."""
    factor = min(LONGEST / max(size), 1)
    return round(size[0] * factor), round(size[1] * factor)


def _reduced(image: Image.Image, mode: str) -> Image.Image:
    """The picture in that mode, at the size it is read at. Edges do not ring, as LANCZOS would have them."""
    if max(image.size) <= LONGEST:
        return image.convert(mode)
    if image.mode != mode:  # a copy of a photograph takes as long as reducing it
        image = image.convert(mode)
    return image.resize(reduced(image.size), Image.Resampling.HAMMING, reducing_gap=2.0)


def _contrasting(layers: Image.Image) -> tuple[int, int, int]:
    """White or black, whichever is further from the mean lightness of what lies against transparency; of all that is
    opaque where nothing does."""
    opaque = np.asarray(layers.getchannel("A")) >= OPAQUE
    inner = opaque.copy()
    for axis in (0, 1):
        for step in (-RIM, RIM):
            inner &= np.roll(opaque, step, axis)
    lightness = np.asarray(layers.convert("L"))
    visible = next((part for part in (opaque & ~inner, opaque) if part.any()), ~opaque)
    return (255, 255, 255) if lightness[visible].mean() < 127.5 else (0, 0, 0)
