"""Image files that take long to read for their size, as somebody would craft them who means no good."""

import io
import struct
import zlib
from collections.abc import Callable

import numpy as np
from PIL import Image

SIDE = 36
PIXELS = np.random.default_rng(7).integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)


def crafted_files() -> dict[str, bytes]:
    """The files by what is odd about them; most could be read."""
    return {name: make() for name, make in _KINDS.items()}


def _encoded(format: str, **options: object) -> bytes:
    file = io.BytesIO()
    Image.fromarray(PIXELS).save(file, format, **options)
    return file.getvalue()


def _jpeg(before: bytes) -> bytes:
    """A JPEG with bytes put in behind its first marker."""
    data = _encoded("JPEG")
    return data[:2] + before + data[2:]


def _segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def _png(chunks: bytes) -> bytes:
    """A PNG with chunks put in before its pixels."""
    data = _encoded("PNG")
    start = data.index(b"IDAT") - 4
    return data[:start] + chunks + data[start:]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))


def _gif(blocks: bytes) -> bytes:
    """A GIF with blocks put in before its pixels."""
    data = _encoded("GIF")
    start = 13 + 3 * (2 << (data[10] & 7))  # where its colours end
    return data[:start] + blocks + data[start:]


def _exif(values: int) -> bytes:
    """Tags: an orientation, which has the image turned, and a resolution of so many fractions."""
    tags = (274, 3, 1, 6), (282, 5, values, 50), (296, 3, 1, 2)
    entries = b"".join(struct.pack("<HHLL", *tag) for tag in tags)
    return struct.pack("<2sHLH", b"II", 42, 8, len(tags)) + entries + bytes(4) + struct.pack("<LL", 1, 3) * values


def _bmp(runs: bytes) -> bytes:
    """A BMP of grey pixels, packed as runs."""
    head = struct.pack("<IiiHHIIiiII", 40, SIDE, SIDE, 1, 8, 1, len(runs), 0, 0, 256, 0)
    return struct.pack("<2sIHHI", b"BM", 1078 + len(runs), 0, 0, 1078) + head + b"\1\2\3\0" * 256 + runs


def _tiff(tags: int) -> bytes:
    """A TIFF of black pixels, with more tags."""
    values = {256: SIDE, 257: SIDE, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: SIDE, 279: SIDE**2}
    values |= {1000 + number: 1 for number in range(tags)}
    entries = b"".join(struct.pack("<HHLL", tag, 4, 1, value) for tag, value in values.items())
    head = struct.pack("<2sHL", b"II", 42, 8 + SIDE**2)
    return head + bytes(SIDE**2) + struct.pack("<H", len(values)) + entries + bytes(4)


def _webp(chunks: bytes) -> bytes:
    """A WebP with chunks put in behind its pixels."""
    side = (SIDE - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<LL", 10, 0) + side + side + _encoded("WEBP", lossless=True)[12:] + chunks
    return b"RIFF" + struct.pack("<L", len(body)) + body


_KINDS: dict[str, Callable[[], bytes]] = {
    "FF D8": lambda: b"\xff\xd8" * 100_000,
    "JPEG fill bytes": lambda: _jpeg(b"\xff" * 190_000),
    "JPEG restart markers": lambda: _jpeg(b"\xff\xd0" * 95_000),
    "JPEG APP1": lambda: _jpeg(_segment(0xE1, b"Exif\0\0") * 950),
    "JPEG DQT": lambda: _jpeg(_segment(0xDB, (b"\0" + b"\1" * 64) * 1000) * 10),
    "JPEG Exif": lambda: _jpeg(_segment(0xE1, b"Exif\0\0" + _exif(8000))),
    "PNG tEXt": lambda: _png(_chunk(b"tEXt", b"a\0b") * 50_000),
    "PNG zTXt": lambda: _png(_chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(10**6))) * 60),
    "PNG eXIf": lambda: _png(_chunk(b"eXIf", _exif(25_000))),
    "GIF comment": lambda: _gif(b"!\xfe" + b"\1a" * 90_000 + b"\0"),
    "GIF extensions": lambda: _gif(b"!\xfe\0" * 60_000),
    "PPM blanks": lambda: b"P6\n" + b" " * 190_000 + b"36 36\n255\n" + bytes(3 * SIDE**2),
    "PPM of 254": lambda: b"P6\n240 240\n254\n" + bytes(3 * 240**2),
    "BMP runs": lambda: _bmp(b"\0\2\0\0" * 45_000 + b"\0\1"),
    "TIFF tags": lambda: _tiff(980),
    "WebP chunks": lambda: _webp(b"abcd\0\0\0\0" * 50_000),
}
