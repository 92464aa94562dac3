"""Pictures from outside: an image file becomes the pixels the network is shown, or one clear error."""

import hashlib
import math
import threading
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import ExifTags, Image, UnidentifiedImageError
from PIL.TiffImagePlugin import BITSPERSAMPLE, PHOTOMETRIC_INTERPRETATION, TiffImageFile

from domains import ORIGINAL, load_domain
from domains.domain import Picture
from neural.errors import ImageError, LargeImageError
from neural.image_pieces import Pieces, check_pieces

FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF", "PPM")
"""What is read. Not all that Pillow could: some of its readers start other programs (EPS)."""
MAX_BYTES = 20 * 2**20
"""No larger file is read."""
MAX_PIXELS = 4096 * 4096
"""No image of more pixels is decoded; its header says how many there are."""
QUICK_BYTES = 2**16
"""A larger file takes longer to read than the network takes to look at it. So may one of more pixels than these."""
QUICK_PIXELS = 2**19
TURNED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What makes an image upright, by its EXIF orientation; 1 says that it is, all others nothing."""
WHITE_IS_ZERO = 0
"""The photometric interpretation of a TIFF whose samples are turned over."""
TOO_MANY = f"more than the {math.isqrt(MAX_PIXELS)}x{math.isqrt(MAX_PIXELS)} pixels that are decoded"
NAMES = {(0, 0, 0): "black", (255, 255, 255): "white"}
PICTURE = load_domain(ORIGINAL).picture
MIN_SIDE = 12
"""Smaller images have next to no pixels for a thing in them: there is nothing to see."""


@dataclass(frozen=True)
class InputImage:
    """An image as the network sees it, and what was done to make it so."""

    pixels: npt.NDArray[np.uint8]
    """(size, size, 3) RGB, 0-255, rows from top to bottom."""
    width: int
    """Of the image given, in pixels, after EXIF rotation."""
    height: int
    notes: tuple[str, ...]
    """Every change that the user should know of, such as "resized from 144x144 to 48x48"."""
    name: str
    """The file's name without its folder, or the name given."""
    sha256: str
    """Of the file's bytes, 64 hexadecimal digits."""


def read_image(
    source: str | Path | bytes,
    *,
    picture: Picture = PICTURE,
    name: str | None = None,
    quick: bool = False,
) -> InputImage:
    """Reads an image file (a path, or its bytes) as the RGB pixels of a `picture` of its domain.

    Greyscale, palette, CMYK and 16-bit images become 8-bit RGB. Transparency shows the background of `picture`. An EXIF
    orientation is applied. Of an animation the first frame is taken. A square image of another size is resized; where
    one size is a multiple of the other, an enlargement by whole pixels comes back exactly.

    Raises ImageError, and nothing else, for a file that cannot be read, is no image of `FORMATS`, is damaged,
    is not square, or is outside the limits above and in image_pieces.py. Too many pixels are refused before any is
    decoded. If `quick`, raises LargeImageError for a file of more than QUICK_BYTES, QUICK_PIXELS or
    QUICK_READS, before it takes more than some milliseconds.
    """
    if isinstance(source, str):
        source = Path(source)
    label = name or (source.name if isinstance(source, Path) else "the image")
    # Names of files may hold bytes that are no text; Python's stand-ins for them cannot be written.
    label = label.encode("utf-8", "backslashreplace").decode()
    where = str(source) if isinstance(source, Path) else label
    data = source if isinstance(source, bytes) else _read_bytes(source)
    if not data:
        raise ImageError(f"{where} is empty: an image file was expected")
    if len(data) > MAX_BYTES:
        raise ImageError(f"{where} is larger than {MAX_BYTES // 2**20} MiB: save the image smaller")
    if quick and len(data) > QUICK_BYTES:
        raise LargeImageError(f"{where} is larger than {QUICK_BYTES // 2**10} KiB")

    with _quiet:
        image, notes = _decode(data, where, picture.background, quick=quick)
    width, height = image.size
    size = picture.width
    if width != size:
        image = _resize(image, size)
        notes.append(f"resized from {width}x{height} to {size}x{size}")
    digest = hashlib.sha256(data).hexdigest()
    return InputImage(np.asarray(image), width, height, tuple(notes), label, digest)


class _Quiet:
    """No warnings while any thread is inside: Pillow warns of odd but readable files.

    Python silences them for all threads or none, and would forget how it was before if each did so for itself.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
                warnings.simplefilter("ignore")
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._before.__exit__(None, None, None)


_quiet = _Quiet()


def _read_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)  # never all of an endless file
    except FileNotFoundError:
        raise ImageError(f"no such file: {path}") from None
    except IsADirectoryError:
        raise ImageError(f"{path} is a directory: name an image in it") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise ImageError(f"{path} cannot be read: {reason}") from error


def _decode(data: bytes, where: str, background: tuple[int, int, int], *, quick: bool) -> tuple[Image.Image, list[str]]:
    """The upright RGB image in `data`, and what the user should know of it."""
    try:
        check_pieces(data, where)
        with Image.open(Pieces(data, where, quick=quick), formats=FORMATS) as image:
            _check_size(image.size, where)
            if quick and image.width * image.height > QUICK_PIXELS:
                raise LargeImageError(f"{where} is {image.width}x{image.height} pixels")
            notes = ["animated: the first frame was taken"] if getattr(image, "is_animated", False) else []
            # A TIFF loses its orientation when it is loaded, for it is turned then, and its tags when it is copied.
            orientation = image.getexif().get(ExifTags.Base.Orientation)
            tags = image.tag_v2 if isinstance(image, TiffImageFile) else {}
            image.load()
            upright: Image.Image = image
            if orientation in TURNED:
                notes.append("turned upright as its EXIF orientation says")
                # Not by ImageOps.exif_transpose, which writes all EXIF values again: seconds, where they are many.
                if not isinstance(image, TiffImageFile):
                    upright = image.transpose(TURNED[orientation])
            return _to_rgb(upright, tags, where, background, notes), notes
    except ImageError:
        raise
    except UnidentifiedImageError:
        raise ImageError(f"{where} is not an image that can be read ({', '.join(FORMATS)})") from None
    except Image.DecompressionBombError:
        raise ImageError(f"{where} has {TOO_MANY}") from None
    except Exception as error:
        # Pillow's readers promise no exception family: OSError, SyntaxError, struct.error were seen.
        raise ImageError(f"{where} is damaged or truncated ({error})") from error


def _check_size(size: tuple[int, int], where: str) -> None:
    width, height = size
    if width * height > MAX_PIXELS:
        raise ImageError(f"{where} is {width}x{height} pixels, {TOO_MANY}")
    if min(size) < MIN_SIDE:
        raise ImageError(f"{where} is {width}x{height} pixels: at least {MIN_SIDE}x{MIN_SIDE} are needed")
    if width != height:
        raise ImageError(f"{where} is {width}x{height} pixels, not square: crop it to a square")


def _to_rgb(
    image: Image.Image, tags: Mapping[int, Any], where: str, background: tuple[int, int, int], notes: list[str]
) -> Image.Image:
    if image.mode == "F":
        raise ImageError(f"{where} has floating-point samples: save it with 8 bits a channel")
    if image.mode == "I" or image.mode.startswith("I;"):
        image = _to_8_bits(image, tags, where, background)
        notes.append("reduced from 16 to 8 bits a channel")
    if image.has_transparency_data:
        layers = image.convert("RGBA")
        if layers.getchannel("A").getextrema() != (255, 255):
            shown = NAMES.get(background, f"the colour {background}")
            notes.append(f"transparency shown as {shown}")
        ground = Image.new("RGBA", layers.size, (*background, 255))
        image = Image.alpha_composite(ground, layers)
    return image.convert("RGB")


def _to_8_bits(
    image: Image.Image, tags: Mapping[int, Any], where: str, background: tuple[int, int, int]
) -> Image.Image:
    """Greyscale of 16 bits, which Pillow's own conversion would clip at 255, scaled to 8."""
    if (bits := tags.get(BITSPERSAMPLE, (16,))[0]) != 16:  # the other formats have no wide samples but these
        raise ImageError(f"{where} has samples of {bits} bits: save it with 8 bits a channel")
    samples = np.asarray(image).astype(np.int32)
    if tags.get(PHOTOMETRIC_INTERPRETATION) == WHITE_IS_ZERO:
        samples = 65535 - samples  # Pillow turns those of 8 bits over, and not these
    transparent = image.info.get("transparency")
    if transparent is not None:
        samples[samples == transparent] = 257 * round(sum(background) / 3)  # all that a grey image can show of it
    return Image.fromarray(((samples + 128) // 257).astype(np.uint8))


def _resize(image: Image.Image, size: int) -> Image.Image:
    whole = max(image.width, size) % min(image.width, size) == 0
    return image.resize((size, size), Image.Resampling.BOX if whole else Image.Resampling.LANCZOS)
