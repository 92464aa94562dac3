"""An image file read as pictures of several domains, once as each: what is seen in it may hang on what it shows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from PIL import Image

from predinet_prolog.domains import ORIGINAL, load_domain
from predinet_prolog.domains.domain import Board, Floats, Located, Pictures, Pixels, board
from predinet_prolog.domains.errors import ImageError, LargeImageError
from predinet_prolog.domains.image_files import upright_size
from predinet_prolog.domains.image_pieces import Pieces
from predinet_prolog.domains.images import FREE, QUICK_BYTES, InputImage, Opened, open_file, read_image, resized

T = TypeVar("T")
SURE = 0.7
"""An image that a domain scores below this is one of its pictures, if it is even. Warnings begin later, at 1: boards of
the first kind have 0.2, as JPEG of that size 0.6 in 95 of 100."""
ROUGH = 11.0
"""Noise level, where the brightest has 255, that no everyday picture of a domain reaches: JPEG of that size has 9 at
most, as have photographs. Discs and triangles that lie as things do on a board have 15 and more."""


@dataclass(frozen=True)
class FramedImage(InputImage):
    """An image of any size in which one of a domain's pictures was found."""

    frame: Located
    """Its places are those of `pixels`."""

    @property
    def to_image(self) -> Floats:
        """(3, 3): takes (x, y, 1) in what was found to pixels of the image as it was given, up to a factor."""
        return np.asarray(np.diag([*self.scale, 1.0]) @ self.frame.to_picture)


class Readings:
    """The file `source`, read as often as is needed. `quick` is as read_image has it; so are the errors."""

    def __init__(self, source: Opened, *, quick: bool = False) -> None:
        self.file = open_file(source)
        self._quick = quick
        self._located: dict[str, Located | None] = {}

    @cached_property
    def free(self) -> InputImage:
        """As a picture of any size."""
        return read_image(self.file, picture=FREE, quick=self._quick)

    @cached_property
    def unread(self) -> InputImage:
        """As a picture of any size, of which nothing is read but the size: all its pixels are 0."""
        file = self.file
        width, height = upright_size(Pieces(file.data, file.where, quick=self._quick), file.where)
        return InputImage(np.broadcast_to(np.uint8(0), (height, width, 3)), width, height, (), file.name, file.sha256)

    def sized(self, domain: Board) -> InputImage:
        """As a picture of the domain's size."""
        return read_image(self.file, picture=domain.picture, quick=self._quick)

    def located(self, domain: Board) -> Located | None:
        """Where it shows one of the domain's pictures; None if it does not, or cannot be read."""
        if domain.name not in self._located:
            self._located[domain.name] = _readable(lambda: domain.locate(self.free.pixels))
        return self._located[domain.name]

    @cached_property
    def of_original(self) -> bool:
        """Whether it shows a picture of the original domain, all over it or somewhere in it."""
        domain = board(load_domain(ORIGINAL))
        if self._fits(domain):
            return True
        located = self.located(domain)
        if located is None or located.doubt >= 1:
            return False
        return _even(located.pixels, domain.inspect(located.pixels[None])[0].noise_level)

    def of(self, pictures: Pictures) -> InputImage:
        """As what a model of such pictures looks at: the whole, where that is one of them or shows none, else the
        picture that was found in it. ImageError for what is neither."""
        if pictures.picture.free:
            return self.free
        domain = board(pictures)
        try:
            whole = self.sized(domain)
        except ImageError as error:  # not square, most often
            if isinstance(error, LargeImageError) or (located := self.located(domain)) is None:
                raise
            return _framed(self.free, located)
        score = domain.inspect(whole.pixels[None])[0].score
        if score < SURE or (located := self.located(domain)) is None or np.array_equal(located.pixels, whole.pixels):
            return whole
        return whole if score < 1 <= located.doubt else _framed(self.free, located)

    def board(self, domain: Pictures) -> InputImage:
        """The same, with the pixels of the picture that was found alone."""
        image = self.of(domain)
        pixels = image.frame.pixels if isinstance(image, FramedImage) else image.pixels
        return InputImage(pixels, image.width, image.height, image.notes, image.name, image.sha256)

    def _fits(self, domain: Board) -> bool:
        """Whether all of it is one of the domain's pictures. A large file, slow to read, is judged as of any size."""
        large = len(self.file.data) > QUICK_BYTES
        image = _readable(lambda: self.free if large else self.sized(domain))
        if image is None or (large and image.width != image.height):
            return False
        pixels = image.pixels
        if large:
            pixels = np.asarray(resized(Image.fromarray(pixels), domain.picture.width))
        inspection = domain.inspect(pixels[None])[0]
        return inspection.score < SURE and _even(pixels, inspection.noise_level)


def _readable(read: Callable[[], T | None]) -> T | None:
    """What is read; None for what cannot be. Raises LargeImageError for what may be read slowly."""
    try:
        return read()
    except LargeImageError:
        raise
    except ImageError:
        return None


def _even(pixels: Pixels, noise_level: float) -> bool:
    """Whether things are as even in themselves as the domain's are."""
    return noise_level * 255 < ROUGH * max(int(pixels.max()), 1)


def _framed(image: InputImage, located: Located) -> FramedImage:
    framed = FramedImage(image.pixels, image.width, image.height, image.notes, image.name, image.sha256, frame=located)
    height, width = located.pixels.shape[:2]
    left, top, right, bottom = hull(framed.to_image, (0, 0, width, height))
    note = f"a board was found in it, from {left:.0f},{top:.0f} to {right:.0f},{bottom:.0f}, and looked at alone"
    return replace(framed, notes=(*image.notes, note))


def moved(to_picture: Floats, x: float, y: float) -> tuple[float, float]:
    """Where the point comes to lie."""
    across, down, factor = to_picture @ (x, y, 1.0)
    return float(across / factor), float(down / factor)


def hull(to_picture: Floats, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """The upright box around the corners of `box`, where they come to lie: left, top, right, bottom."""
    corners = np.array([moved(to_picture, x, y) for x in box[::2] for y in box[1::2]])
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return left, top, right, bottom
