"""Image files made of so many small pieces that reading them takes seconds or minutes, however few their pixels.

Pillow's readers have bounds on pixels and memory, none on time. What a look at the bytes tells is said before any
reader sees them; for the rest the reads are counted.
"""

import io
import re
import struct

from predinet_prolog.domains.errors import ImageError, LargeImageError

MOST_READS = 200_000
"""A file is read in fewer steps: they take a quarter of a second. A GIF of 20 MiB has some 160,000."""
QUICK_READS = 4000
"""Of a file that is read quickly: they take some five milliseconds."""
MOST_SCANS = 100
"""Of a JPEG. A progressive one has about ten."""
MOST_SEGMENTS = 1000
"""Of a JPEG, its scans and markers without a segment among them. Pillow joins those of one kind one by one, in
quadratic time."""
MOST_CHUNKS = 20_480
"""Of a PNG: as many as 20 MiB have in chunks of 1 KiB."""
MOST_OTHER_CHUNKS = 1000
"""Those of a PNG that hold no pixels, but texts, for example. Images have about ten."""
MOST_PACKED = 10
"""Packed texts and colour profiles of a PNG. Each may take some milliseconds to unpack."""
MOST_PARTS = 2**16
"""Strips or tiles of a TIFF: as many as an image of 4096x4096 pixels has in tiles of the least size, 16x16."""
MOST_TAGS = 1000
"""Of a TIFF. A photograph has about fifty."""
_PLAIN = re.compile(rb"P[123]\s")
# Within a scan, 0 follows the byte that begins markers where it is none; markers to restart decoding have no length.
_JPEG_MARKER = re.compile(rb"\xff([\x02-\xcf\xd8-\xfe])")
_BEGIN, _END, _SCAN = 0xD8, 0xD9, 0xDA
_PIXEL_CHUNKS = (b"IDAT", b"fdAT", b"fcTL")  # the last two are an animation's
_PARTS_TAGS = (273, 324)  # StripOffsets, TileOffsets


class Pieces(io.BytesIO):
    """The bytes of an image file, for Pillow to read.

    Raises ImageError, which calls the file `where`, once that takes more than MOST_READS reads; LargeImageError if it
    is to be `quick` and takes more than QUICK_READS.
    """

    def __init__(self, data: bytes, where: str, *, quick: bool = False) -> None:
        super().__init__(data)
        self._where = where
        self._quick = quick
        self._reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self._reads += 1
        if self._quick and self._reads > QUICK_READS:
            raise LargeImageError(f"{self._where} is made of more than {QUICK_READS:,} pieces")
        if self._reads > MOST_READS:
            raise ImageError(f"{self._where} is made of more than {MOST_READS:,} pieces: save it again, as PNG")
        return super().read(size)


def check_pieces(data: bytes, where: str) -> None:
    """Raises ImageError, which calls the file `where`, if `data` has more pieces of some kind than an image needs."""
    if _PLAIN.match(data):
        raise ImageError(f"{where} has its samples as text, which takes long to read: save it as PNG, or as binary PNM")
    if data.startswith(b"\xff\xd8"):
        _check_jpeg(data, where)
    elif data.startswith(b"\x89PNG"):
        _check_png(data, where)
    elif data.startswith((b"II", b"MM")):
        _check_tiff(data, where)


def _check_jpeg(data: bytes, where: str) -> None:
    scans = segments = 0
    position = 0
    while match := _JPEG_MARKER.search(data, position):
        marker, position = match[1][0], match.end()
        if marker == _END and scans:
            return
        segments += 1
        scans += marker == _SCAN
        if scans > MOST_SCANS or segments > MOST_SEGMENTS:
            culprit = f"{MOST_SCANS} scans" if scans > MOST_SCANS else f"{MOST_SEGMENTS} segments"
            raise ImageError(f"{where} has more than {culprit}: save it again, as PNG")
        if marker not in (_BEGIN, _END):
            position += int.from_bytes(data[position : position + 2])


def _check_png(data: bytes, where: str) -> None:
    chunks = ancillary = packed = 0
    position = 8
    while (kind := data[position + 4 : position + 8]) not in (b"", b"IEND"):
        chunks += 1
        ancillary += kind not in _PIXEL_CHUNKS
        packed += kind in (b"iCCP", b"zTXt") or (kind == b"iTXt" and _is_packed(data, position + 8))
        for count, most, what in (
            (packed, MOST_PACKED, "packed texts or colour profiles"),
            (ancillary, MOST_OTHER_CHUNKS, "chunks without pixels"),
            (chunks, MOST_CHUNKS, "chunks"),
        ):
            if count > most:
                raise ImageError(f"{where} has more than {most:,} {what}: save it again without them")
        position += 12 + int.from_bytes(data[position : position + 4])


def _is_packed(data: bytes, start: int) -> bool:
    """Whether the international text that starts there is packed: a byte behind its keyword says so."""
    end = data.find(b"\0", start)
    return end >= 0 and data[end + 1 : end + 2] != b"\0"


def _check_tiff(data: bytes, where: str) -> None:
    """Looks at the first directory: the others, of further images, are not read."""
    order = "<" if data.startswith(b"II") else ">"
    # The directory's place; how many tags it has; and of each its number and how many values it has.
    large = data[2:3] == b"+"  # a BigTIFF; Pillow knows none but those whose lowest byte comes first
    place, count, tag = ("8xQ", "Q", "H2xQ8x") if large else ("4xL", "H", "H2xL4x")
    try:
        (start,) = struct.unpack_from(order + place, data)
        (tags,) = struct.unpack_from(order + count, data, start)
        if tags > MOST_TAGS:
            raise ImageError(f"{where} has more than {MOST_TAGS} tags: save it again, as PNG")
        start += struct.calcsize(order + count)
        for number in range(tags):
            name, values = struct.unpack_from(order + tag, data, start + number * struct.calcsize(order + tag))
            if name in _PARTS_TAGS and values > MOST_PARTS:
                raise ImageError(f"{where} has more than {MOST_PARTS:,} strips or tiles: save it again, as PNG")
    except struct.error:
        return  # it ends too soon, and its reader says so
