"""Every kind of picture a user may hand in, boards and pictures of any size: read rightly, or refused in one line."""

import contextlib
import hashlib
import os
import warnings
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import ExifTags, Image

from predinet_prolog.domains import images
from predinet_prolog.domains.domain import Picture
from predinet_prolog.domains.errors import ImageError
from predinet_prolog.domains.image_files import upright_size
from predinet_prolog.domains.images import FORMATS, FREE, MAX_BYTES, MAX_PIXELS, InputImage
from tests.pictures import encode, png

SIDE = 36
BOARD = Picture(SIDE, SIDE)
read_image = partial(images.read_image, picture=BOARD)


def random_pixels(*shape: int) -> npt.NDArray[np.uint8]:
    return np.random.default_rng(7).integers(0, 256, shape, dtype=np.uint8)


# --- Read rightly ---


def test_a_picture_from_a_path_or_from_bytes(tmp_path: Path) -> None:
    pixels = random_pixels(SIDE, SIDE, 3)
    data = encode(pixels)
    path = tmp_path / os.fsdecode(b"caf\xe9 b.png")  # a name that cannot be written as it is
    path.write_bytes(data)
    for image in (read_image(path), read_image(data, name=path.name)):
        np.testing.assert_array_equal(image.pixels, pixels)
        assert (image.pixels.dtype, image.pixels.flags.c_contiguous) == (np.uint8, True)
        assert (image.width, image.height, image.notes, image.name) == (SIDE, SIDE, (), r"caf\udce9 b.png")
        assert image.sha256 == hashlib.sha256(data).hexdigest()


GREY = random_pixels(SIDE, SIDE)
RGB = random_pixels(SIDE, SIDE, 3)
RGBA = random_pixels(SIDE, SIDE, 4) | np.array([0, 0, 0, 255], np.uint8)
RED = np.full((SIDE, SIDE, 3), (255, 0, 0), np.uint8)
LOSSLESS = {"WEBP": {"lossless": True}}


def palette(colours: list[tuple[int, int, int]], **options: Any) -> tuple[bytes, npt.NDArray[np.uint8]]:
    """A picture of `colours` at random, and its pixels."""
    image = Image.fromarray((GREY % len(colours)).astype(np.uint8), mode="P")
    image.putpalette(np.array(colours).flatten().tolist())
    return encode(image, **options), np.array(colours, np.uint8)[GREY % len(colours)]


def animation(format: str) -> bytes:
    frames = [Image.new("RGB", (SIDE, SIDE), colour) for colour in [(255, 0, 0), (0, 255, 0), (0, 0, 255)]]
    return encode(frames[0], format, save_all=True, append_images=frames[1:], **LOSSLESS.get(format, {}))


READ: dict[str, tuple[bytes, npt.NDArray[Any], str | None]] = {  # file, pixels, the note if there is one
    **{
        format: (encode(RGB, format, **LOSSLESS.get(format, {})), RGB, None)
        for format in sorted(set(FORMATS) - {"JPEG", "GIF"})
    },
    "greyscale": (encode(GREY), GREY[..., None], None),
    "bilevel": (encode(GREY > 127), np.where(GREY[..., None] > 127, 255, 0), None),
    "palette": (*palette([(0, 0, 0), (255, 128, 0), (3, 5, 7)]), None),
    "opaque alpha": (encode(RGBA), RGBA[..., :3], None),
    "CMYK": (encode(Image.new("CMYK", (SIDE, SIDE), (0, 255, 255, 0)), "TIFF"), RED, None),
    **{
        f"animated {format}": (animation(format), RED, "animated: the first frame was taken")
        for format in ("GIF", "PNG", "WEBP")
    },
}


@pytest.mark.parametrize("case", READ)
def test_a_picture_is_read_rightly(case: str) -> None:
    data, pixels, note = READ[case]
    image = read_image(data)
    np.testing.assert_array_equal(image.pixels, np.broadcast_to(pixels, (SIDE, SIDE, 3)))
    assert image.notes == (() if note is None else (note,))


@pytest.mark.parametrize("side", [12, 18, 72, 108, 360])
def test_enlargement_by_whole_pixels_comes_back_exactly(side: int) -> None:
    unit = random_pixels(min(side, SIDE), min(side, SIDE), 3)
    grow = max(side, SIDE) // min(side, SIDE)
    large = unit.repeat(grow, 0).repeat(grow, 1)
    given, wanted = (unit, large) if side < SIDE else (large, unit)
    image = read_image(encode(given))
    np.testing.assert_array_equal(image.pixels, wanted)
    assert image.notes == (f"resized from {side}x{side} to 36x36",)
    assert (image.width, image.height) == (side, side)


@pytest.mark.parametrize(
    ("ground", "said"), [((0, 0, 0), "black"), ((255, 255, 255), "white"), ((9, 8, 7), r"the colour (9, 8, 7)")]
)
def test_alpha_shows_the_background_and_is_said(ground: tuple[int, int, int], said: str) -> None:
    rgba = np.zeros((SIDE, SIDE, 4), np.uint8)
    for first, alpha in ((0, 255), (12, 128), (24, 0)):
        rgba[:, first : first + 12] = (200, 100, 50, alpha)
    image = read_image(encode(rgba), picture=Picture(SIDE, SIDE, background=ground))
    np.testing.assert_array_equal(image.pixels[0, 0], (200, 100, 50))
    np.testing.assert_allclose(image.pixels[0, 18], np.add((200, 100, 50), ground) / 2, atol=1)
    np.testing.assert_array_equal(image.pixels[0, 30], ground)
    assert image.notes == (f"transparency shown as {said}",)


@pytest.mark.parametrize("format", ["PNG", "TIFF"])
@pytest.mark.parametrize(
    ("orientation", "mirrored", "turns"),  # mirrored left to right, then turned so many quarters to the left
    [(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 0, 2), (4, 1, 2), (5, 1, 1), (6, 0, 3), (7, 1, 3), (8, 0, 1), (9, 0, 0)],
)
def test_exif_orientation_is_applied(format: str, orientation: int, mirrored: int, turns: int) -> None:
    pixels = random_pixels(SIDE, SIDE, 3)
    upright = np.rot90(pixels[:, ::-1] if mirrored else pixels, turns)
    exif = Image.Exif()
    exif[0x0112] = orientation
    image = read_image(encode(pixels, format, exif=exif))
    np.testing.assert_array_equal(image.pixels, upright)
    assert image.notes == (("turned upright as its EXIF orientation says",) if mirrored or turns else ())


# --- Refused in one line ---


def blank(width: int, height: int) -> Image.Image:
    return Image.new("L", (width, height))


BOUND = int(MAX_PIXELS**0.5) + 1
TOO_MANY = "more than the 4096x4096"
REFUSED: dict[str, tuple[Picture, bytes, str]] = {
    "empty": (BOARD, b"", "is empty"),
    "text": (BOARD, b"a picture of a cat", "is not an image that can be read (PNG, JPEG"),
    "PostScript": (BOARD, b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 36 36\n", "is not an image"),
    "11x11": (BOARD, encode(blank(11, 11)), "is 11x11 pixels: at least"),
    "12x100": (BOARD, encode(blank(12, 100)), "is 12x100 pixels, not square: crop it to a square"),
    "floats": (BOARD, encode(Image.new("F", (SIDE, SIDE)), "TIFF"), "floating-point samples: save it with 8 bits"),
    "a bomb of a board": (BOARD, png(20_000, 20_000, b"\0"), TOO_MANY),
    "a row too many": (BOARD, png(BOUND, BOUND, b"\0"), TOO_MANY),
    "a column too many": (BOARD, png(BOUND, BOUND - 1, b"\0"), TOO_MANY),
    "narrow": (FREE, encode(blank(23, 400)), "is 23x400 pixels: at least 24x24 are needed"),
    "a line": (FREE, encode(blank(24, 4000)), "is 24x4000 pixels, too long and narrow: crop it"),
    "100 megapixels": (
        FREE,
        png(10_000, 10_000, b"\0"),
        "is 10000x10000 pixels, more than the 50 megapixels that are decoded: save it smaller",
    ),
    "a bomb": (FREE, png(30_000, 30_000, b"\0"), "has more than the 50 megapixels"),
    "cut": (FREE, encode(Image.new("RGB", (900, 300), "red"), "JPEG")[:600], "is damaged or truncated"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_refused_in_one_line_before_it_is_decoded(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, data, message = REFUSED[case]
    if case not in ("cut", "floats"):
        monkeypatch.setattr("PIL.ImageFile.ImageFile.load", lambda *_, **__: pytest.fail("decoded"))
    path = tmp_path / "bad.png"
    path.write_bytes(data)
    for given, name in ((path, str(path)), (data, "upload.png")):
        with pytest.raises(ImageError) as caught:
            images.read_image(given, picture=picture, **({} if given is path else {"name": name}))
        assert str(caught.value).startswith(name)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("format", FORMATS)
def test_flipped_bytes_raise_nothing_but_image_errors(format: str) -> None:
    """Damage of any kind: an image or an ImageError comes out, no warning, no other exception."""
    whole = encode(random_pixels(SIDE, SIDE, 3) // 64 * 64, format)
    rng = np.random.default_rng(13)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(150):
            data = np.frombuffer(whole, np.uint8).copy()
            at = rng.integers(len(data), size=3) // rng.integers(1, 30)  # most of it in the header
            data[at] = rng.integers(256, size=3)
            with contextlib.suppress(ImageError):
                assert read_image(data.tobytes()).pixels.shape == (SIDE, SIDE, 3)


def test_large_file_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(ImageError, match="is larger than 20 MiB"):
        read_image(path)
    with pytest.raises(ImageError, match="is larger than 20 MiB"):
        read_image(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing.png", r"no such file: .*nothing"),
        ("", "is a directory: name an image in it"),
        ("a\0b", "cannot be read"),
        ("x" * 5000, "cannot be read: File name too long"),
    ],
    ids=["missing", "folder", "zero byte", "long"],
)
def test_paths_that_are_no_files(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=message):
        read_image(tmp_path / name)


@pytest.mark.parametrize("orientation", [None, 1, 6])
@pytest.mark.parametrize("format", ["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF", "PPM"])
def test_the_size_is_that_of_the_picture_read(format: str, orientation: int | None, tmp_path: Path) -> None:
    """Also where the first bytes are enough to tell it, as of most PNG and JPEG."""
    path = tmp_path / "image"
    exif = Image.Exif()
    if orientation is not None:
        exif[ExifTags.Base.Orientation] = orientation
    options = {"exif": exif} if orientation is not None and format not in ("GIF", "BMP", "PPM") else {}
    for progressive in (False, True):
        Image.new("RGB", (70, 41), (200, 10, 10)).save(path, format, progressive=progressive, **options)
        read = images.read_image(path, picture=FREE)
        assert upright_size(path) == (read.width, read.height)
    path.write_bytes(path.read_bytes()[:9])
    with pytest.raises(ImageError):
        upright_size(path)


WHITE, DARK = (255, 255, 255), (0, 0, 0)


def read(image: Image.Image | np.ndarray, format: str = "PNG", **options: Any) -> InputImage:
    picture = image if isinstance(image, Image.Image) else Image.fromarray(image)
    return images.read_image(encode(picture, format, **options), picture=FREE)


@pytest.mark.parametrize("shape", [(24, 24), (24, 1000), (700, 31), (1024, 1024), (480, 640)])
def test_pixels_up_to_the_longest_side_come_as_they_are(shape: tuple[int, int]) -> None:
    pixels = random_pixels(*shape, 3)
    image = read(pixels)
    np.testing.assert_array_equal(image.pixels, pixels)
    assert (image.height, image.width, image.scale, image.notes) == (*shape, (1.0, 1.0), ())


@pytest.mark.parametrize(
    ("format", "size"),
    [*product(["PNG", "JPEG", "TIFF", "WEBP"], [(1500, 2600)]), *product(["JPEG"], [(4000, 3000), (1025, 300)])],
)
def test_a_larger_picture_is_reduced_and_its_places_are_the_users(format: str, size: tuple[int, int]) -> None:
    """Whatever reads it: things lie where they lie in the file, within a pixel of what is shown."""
    width, height = size
    left, top, right, bottom = (round(share * side) for share, side in zip((0.2, 0.3, 0.6, 0.9), size * 2, strict=True))
    given = Image.new("RGB", size, WHITE)
    given.paste((200, 30, 40), (left, top, right, bottom))
    image = read(given, format, **({"quality": 90} if format in ("JPEG", "WEBP") else {}))
    rows, columns = np.nonzero(image.pixels[..., 1] < 140)
    box = np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]) * (image.scale * 2)
    np.testing.assert_allclose(box, (left, top, right, bottom), atol=1.1 * max(image.scale))
    assert max(image.pixels.shape) == 1024
    assert (image.width, image.height, image.notes) == (width, height, ())
    assert image.pixels.flags.c_contiguous
    middle = image.pixels[(rows.min() + rows.max()) // 2, (columns.min() + columns.max()) // 2]
    np.testing.assert_allclose(middle, (200, 30, 40), atol=6)


def icon(rim: tuple[int, int, int], inside: tuple[int, int, int], side: int) -> np.ndarray:
    """A square of one colour with a rim of another, and nothing around it."""
    rgba = np.zeros((side, side, 4), np.uint8)
    quarter, wide = side // 4, side // 16
    rgba[quarter:-quarter, quarter:-quarter] = (*rim, 255)
    rgba[quarter + wide : -quarter - wide, quarter + wide : -quarter - wide] = (*inside, 255)
    return rgba


@pytest.mark.parametrize("side", [64, 2048])
@pytest.mark.parametrize(
    ("rim", "inside", "ground"),
    [
        ((20, 20, 60), (20, 20, 60), WHITE),
        ((250, 240, 220), (250, 240, 220), DARK),
        ((10, 10, 10), (250, 250, 250), WHITE),  # an outline has to be seen
        ((250, 250, 250), (10, 10, 10), DARK),  # a sticker's, too
    ],
)
def test_transparency_shows_what_contrasts_with_its_rim(
    rim: tuple[int, int, int], inside: tuple[int, int, int], ground: tuple[int, int, int], side: int
) -> None:
    image = read(icon(rim, inside, side))
    shown = image.pixels.shape[0]
    np.testing.assert_array_equal(image.pixels[0, 0], ground)
    np.testing.assert_array_equal(image.pixels[shown // 2, shown // 2], inside)
    assert image.notes == (f"transparency shown as {'white' if ground == WHITE else 'black'}",)
