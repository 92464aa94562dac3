"""Pictures of any size: read rightly at any aspect, with the user's own pixels known, or refused in one line."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.domains.errors import ImageError
from predinet_prolog.domains.images import FREE, InputImage, read_image
from tests.domains.test_images import encoded, png, random_pixels

WHITE, DARK = (255, 255, 255), (0, 0, 0)


def read(image: Image.Image | np.ndarray, format: str = "PNG", **options: Any) -> InputImage:
    picture = image if isinstance(image, Image.Image) else Image.fromarray(image)
    return read_image(encoded(picture, format, **options), picture=FREE)


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


REFUSED = {
    "nothing": (b"", "is empty"),
    "narrow": (encoded(Image.new("L", (23, 400))), "is 23x400 pixels: at least 24x24 are needed"),
    "a line": (encoded(Image.new("L", (24, 4000))), "is 24x4000 pixels, too long and narrow: crop it"),
    "100 megapixels": (
        png(10_000, 10_000, depth=8, colour=0, rows=b"\0"),
        "is 10000x10000 pixels, more than the 50 megapixels that are decoded: save it smaller",
    ),
    "a bomb": (png(30_000, 30_000, depth=8, colour=0, rows=b"\0"), "has more than the 50 megapixels"),
    "cut": (encoded(Image.new("RGB", (900, 300), "red"), "JPEG")[:600], "is damaged or truncated"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_refused_before_it_is_decoded(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def decode(*_: object, **__: object) -> None:
        raise AssertionError("decoded")

    data, message = REFUSED[case]
    if case != "cut":
        monkeypatch.setattr("PIL.ImageFile.ImageFile.load", decode)
    with pytest.raises(ImageError, match=f"^mine {message}"):
        read_image(data, picture=FREE, name="mine")
