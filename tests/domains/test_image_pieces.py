"""Image files of very many small pieces are refused before they are read, and others are read as before."""

import struct
import zlib

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from predinet_prolog.domains.errors import ImageError, LargeImageError
from tests.domains.test_images import SIDE, read_image
from tests.pictures import chunk as png_chunk
from tests.pictures import encode

IMAGE = Image.fromarray(np.random.default_rng(3).integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8))
GIF = encode(IMAGE.quantize(16), "GIF")
GIF_COLOURS = 13 + 3 * (2 << (GIF[10] & 7))  # where they end, and blocks begin
MANY = 200_001  # more than any file is read in


def jpeg(*, before: bytes = b"", behind: bytes = b"", after: bytes = b"") -> bytes:
    """A JPEG with segments put in before the first and behind the last, and with bytes after its end."""
    data = encode(IMAGE, "JPEG", progressive=True)
    return data[:2] + before + data[2:-2] + behind + data[-2:] + after


def segment(marker: int, data: bytes = b"") -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


EMPTY_SCAN = segment(0xDA, bytes([1, 1, 0, 1, 63, 0]))


def png(*chunks: bytes) -> bytes:
    """A PNG with chunks put in before its pixels."""
    data = encode(IMAGE)
    start = data.index(b"IDAT") - 4
    return data[:start] + b"".join(chunks) + data[start:]


PROFILE = png_chunk(b"iCCP", b"name\0\0" + zlib.compress(bytes(1000)))
TEXT = png_chunk(b"tEXt", b"name\0text")
PACKED_TEXT = png_chunk(b"zTXt", b"name\0\0" + zlib.compress(bytes(1000)))


def international_text(*, packed: bool) -> bytes:
    """A chunk whose keyword is longer than the format allows, which Pillow reads all the same."""
    text = zlib.compress(bytes(1000)) if packed else b"text"
    return png_chunk(b"iTXt", b"name" * 50 + bytes([0, packed, 0]) + b"en\0name\0" + text)


def tiff(tags: dict[int, int], *, order: str = "<", big: bool = False, parts: int = 1) -> bytes:
    """A TIFF of grey pixels, with more tags; it says that its strips are so many."""
    start = 16 if big else 8
    values = {256: SIDE, 257: SIDE, 258: 8, 259: 1, 262: 1, 273: start, 277: 1, 278: SIDE, 279: SIDE**2, **tags}
    start += SIDE**2
    mark = b"II" if order == "<" else b"MM"
    head = struct.pack("<2sHHHQ", mark, 43, 8, 0, start) if big else struct.pack(order + "2sHL", mark, 42, start)
    entry = order + ("HHQQ" if big else "HHLL")
    rows = [(tag, 16 if big else 4, parts if tag == 273 else 1, value) for tag, value in values.items()]
    entries = b"".join(struct.pack(entry, *row) for row in rows)
    return head + bytes(SIDE**2) + struct.pack(order + ("Q" if big else "H"), len(values)) + entries + bytes(8)


def bmp(runs: bytes) -> bytes:
    """A BMP of grey pixels, packed as runs."""
    head = struct.pack("<IiiHHIIiiII", 40, SIDE, SIDE, 1, 8, 1, len(runs), 0, 0, 256, 0)
    return struct.pack("<2sIHHI", b"BM", 1078 + len(runs), 0, 0, 1078) + head + b"\1\2\3\0" * 256 + runs


@pytest.mark.parametrize(
    ("data", "culprit"),
    [
        (jpeg(behind=EMPTY_SCAN * 100), "more than 100 scans"),
        (jpeg(before=segment(0xE1, b"Exif\0\0") * 1000), "more than 1000 segments"),
        (jpeg(before=b"\xff" * MANY), "pieces"),
        (jpeg(before=segment(0xFE) + bytes(MANY)), "pieces"),
        (b"\xff\xd8" * 100_000, "more than 1000 segments"),
        (png(PROFILE * 11), "more than 10 packed texts or colour profiles"),
        (png(PROFILE * 4 + PACKED_TEXT * 4 + international_text(packed=True) * 3), "more than 10 packed texts"),
        (png(TEXT * 50_000), "more than 1,000 chunks without pixels"),
        (png(png_chunk(b"IDAT", b"") * 20_480), "more than 20,480 chunks"),
        (b"P1\n36 36\n" + b"0 " * SIDE**2, "samples as text"),
        (b"P6\n" + b"#\n" * MANY + b"36 36\n255\n" + bytes(3 * SIDE**2), "pieces"),
        (b"P6\n500 500\n254\n" + bytes(3 * 500**2), "pieces"),
        (GIF[:GIF_COLOURS] + b"!\xfe" + b"\1a" * MANY + b"\0" + GIF[GIF_COLOURS:], "pieces"),
        (tiff({}, parts=65_537, order=">"), "more than 65,536 strips or tiles"),
        (tiff({}, parts=65_537, big=True), "more than 65,536 strips or tiles"),
        (tiff({}, parts=65_537, order=">").replace(b"MM\0*", b"MM\0+"), "more than 65,536 strips or tiles"),
        (tiff({1000 + tag: 1 for tag in range(1000)}), "more than 1000 tags"),
        (bmp(b"\0\2\0\0" * MANY + b"\0\1"), "pieces"),
    ],
)
def test_a_file_of_very_many_pieces_is_refused(data: bytes, culprit: str) -> None:
    with pytest.raises(ImageError, match=rf"^odd\.img .*{culprit}.*: save it") as caught:
        read_image(data, name="odd.img")
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, LargeImageError)


PIXELS = np.asarray(IMAGE)
AS_JPEG = read_image(jpeg()).pixels
BLACK = np.zeros((SIDE, SIDE, 3), np.uint8)


@pytest.mark.parametrize(
    ("data", "pixels"),
    [
        (jpeg(before=segment(0xE1, b"Exif\0\0") * 50 + segment(0xFE, EMPTY_SCAN * 200)), AS_JPEG),
        (jpeg(after=EMPTY_SCAN * 200), AS_JPEG),  # a film, say, that a telephone took with the photograph
        (png(PROFILE, TEXT * 900, PACKED_TEXT * 9), PIXELS),
        (png(international_text(packed=False) * 20), PIXELS),
        (png(png_chunk(b"IDAT", b"") * 10_000), PIXELS),
        (png() + PROFILE * 11 + TEXT * 1001, PIXELS),  # behind its end
        (b"P6\n# binary\n36 36\n255\n" + PIXELS.tobytes(), PIXELS),
        (b"P6\n400 400\n254\n" + bytes(3 * 400**2), BLACK),
        (tiff({}), BLACK),
        (tiff({}, big=True), BLACK),
        (bmp((b"\1\5" * SIDE + b"\0\0") * SIDE + b"\0\1"), BLACK + np.array([3, 2, 1], np.uint8)),
    ],
)
def test_others_are_read(data: bytes, pixels: npt.NDArray[np.uint8]) -> None:
    np.testing.assert_array_equal(read_image(data).pixels, pixels)


@pytest.mark.parametrize(
    ("quick", "large"),
    [
        (encode(Image.new("L", (720, 720))), encode(Image.new("L", (730, 730)))),  # 2^19 pixels
        (png(png_chunk(b"prVt", bytes(50_000))), png(png_chunk(b"prVt", bytes(70_000)))),  # 64 KiB
        (jpeg(before=b"\xff" * 3000), jpeg(before=b"\xff" * 5000)),  # 4000 reads
        (b"P6\n50 50\n254\n" + bytes(3 * 50**2), b"P6\n70 70\n254\n" + bytes(3 * 70**2)),
    ],
)
def test_what_takes_longer_is_no_quick_reading(quick: bytes, large: bytes) -> None:
    """The limits are crossed between the two files; without haste both are the same as ever."""
    np.testing.assert_array_equal(read_image(quick, quick=True).pixels, read_image(quick).pixels)
    with pytest.raises(LargeImageError, match=r"^odd\.img "):
        read_image(large, name="odd.img", quick=True)
    read_image(large)
