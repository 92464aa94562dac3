"""Pictures as files: as Pillow writes them, and PNGs by hand for what it does not write."""

import io
import struct
import zlib
from typing import Any

import numpy as np
from PIL import Image


def encode(picture: Image.Image | np.ndarray, format: str = "PNG", **options: Any) -> bytes:
    """The picture as a file."""
    buffer = io.BytesIO()
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    image.save(buffer, format, **options)
    return buffer.getvalue()


def decode(data: bytes) -> np.ndarray:
    """The RGB pixels of a file."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, rows: bytes, *more: bytes, depth: int = 8, colour: int = 0) -> bytes:
    """What it says of itself need not be true of its `rows`; `more` chunks stand before them."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    parts = header, *more, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
