"""Image files of any size: how large they are without decoding them, and their pixels when they are wanted."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import overload

import numpy as np
from PIL import ExifTags, Image, ImageFile, UnidentifiedImageError

from domains.domain import Pixels
from domains.errors import DomainError
from domains.samples import FORMATS, decode

MOST_PIXELS = 50_000_000
"""No larger image is decoded."""
LONGEST = 1024
"""Pixels of the long side at most: larger images are reduced to it when they are read."""


def upright_size(path: Path) -> tuple[int, int]:
    """Width and height of the image in that file, turned as its EXIF orientation says. Raises DomainError."""
    with _opened(path) as image:
        # A TIFF's size is that of the image turned; of a PNG, Pillow decodes all to look for EXIF at its end.
        told = image.format != "TIFF" and (image.format != "PNG" or "exif" in image.info)
        turned = told and image.getexif().get(ExifTags.Base.Orientation) in (5, 6, 7, 8)
        return (image.height, image.width) if turned else image.size


def reduced(size: tuple[int, int]) -> tuple[int, int]:
    """The width and height that an image of `size` is read at."""
    factor = min(1.0, LONGEST / max(size))
    return max(1, round(size[0] * factor)), max(1, round(size[1] * factor))


def read_pixels(path: Path) -> Pixels:
    """The image in that file (H, W, 3), upright, at its `reduced` size. What is transparent is white; of an animation
    the first frame is taken. Raises DomainError."""
    with _opened(path) as image:
        upright, _ = decode(image, str(path))
        if upright.has_transparency_data:
            layers = upright.convert("RGBA")
            upright = Image.alpha_composite(Image.new("RGBA", layers.size, "white"), layers)
        return np.asarray(
            upright.convert("RGB").resize(reduced(upright.size), Image.Resampling.LANCZOS, reducing_gap=3)
        )


@contextmanager
def _opened(path: Path) -> Iterator[ImageFile.ImageFile]:
    """The image, not yet decoded; whatever is wrong with it, then or in the block, is a DomainError."""
    try:
        if not path.stat().st_size:
            raise DomainError(f"{path} is empty: an image file was expected")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd but readable files
            # Of a file that it opened itself, Pillow would close it once it is decoded.
            with path.open("rb") as file, Image.open(file, formats=FORMATS) as image:
                assert isinstance(image, ImageFile.ImageFile)
                if image.width * image.height > MOST_PIXELS:
                    raise Image.DecompressionBombError
                yield image
    except DomainError:
        raise
    except Image.DecompressionBombError:
        raise DomainError(f"{path} has more than {MOST_PIXELS:,} pixels: save it smaller") from None
    except UnidentifiedImageError:
        raise DomainError(f"{path} is not an image that can be read ({', '.join(FORMATS)})") from None
    except Exception as error:  # Pillow's readers promise no family of errors
        raise DomainError(f"{path} is damaged or cannot be read ({error})") from error


@dataclass(frozen=True)
class ImageFiles(Sequence[Pixels]):
    """The pictures in files, each read when it is asked for and not kept."""

    paths: Sequence[Path]
    sizes: Sequence[tuple[int, int]]
    """Width and height that each is read at."""
    read: Callable[[Path], Pixels]

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, index: int) -> Pixels: ...

    @overload
    def __getitem__(self, index: slice) -> "ImageFiles": ...

    def __getitem__(self, index: int | slice) -> "Pixels | ImageFiles":
        """DomainError if the file is no image any more, or of another size than it was."""
        if isinstance(index, slice):
            return ImageFiles(self.paths[index], self.sizes[index], self.read)
        pixels = self.read(self.paths[index])
        width, height = self.sizes[index]
        if pixels.shape != (height, width, 3):
            raise DomainError(
                f"{self.paths[index]} was read at {pixels.shape[1]}x{pixels.shape[0]} pixels, not {width}x{height}: "
                "it has changed since the folder was opened"
            )
        return pixels
