"""Boxes that come with a picture, from a user's hand or another finder: they take the place of finding.

Two kinds of JSON are read. A list, with a box an entry: `[left, top, right, bottom]`, or `{"bbox": [left, top, width,
height]}` as SAM writes it. Or COCO's `{"images": […], "annotations": […]}`, whose boxes are `bbox` too. All are pixels
of the upright picture. Masks (`segmentation`) are not read: the box of each says where it is.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn, TypeGuard

import numpy as np

from bridge.errors import BoxesError
from bridge.scene import FloatArray

MOST_BOXES = 200
LEAST = 1.0
"""Pixels that a box is wide and high, at least."""
NAMED = 5
"""Images of a file that an error names."""
CORNERS, SIDES = "[left, top, right, bottom]", "[left, top, width, height]"


@dataclass(frozen=True, eq=False)
class GivenBoxes:
    """Where the things of a picture are, as somebody says."""

    boxes: FloatArray
    """(n, 4): left, top, right, bottom in pixels of the picture given, right and bottom outside; within the picture."""
    notes: tuple[str, ...] = ()
    """What was done to them, that the user should know of."""

    @property
    def sha256(self) -> str:
        """Of the boxes as JSON, 64 hexadecimal digits."""
        return hashlib.sha256(json.dumps(self.boxes.tolist()).encode()).hexdigest()


def parse_boxes(text: str, *, where: str, image: str, width: int, height: int) -> GivenBoxes:
    """The boxes that the JSON `text` gives for the picture called `image`, of so many pixels.

    Of COCO's with several images the one of that name is taken. A box that reaches over the picture's rim is cut there.
    Raises BoxesError, which calls the text `where`, and says which box is wrong and what to do.
    """
    try:
        document = _document(text)
    except (ValueError, RecursionError) as error:
        raise BoxesError(f"{where} is not JSON that can be read ({error}): {_wanted()}") from None
    entries = _of_image(document, where, image, width, height) if isinstance(document, dict) else document
    if not isinstance(entries, list):
        raise BoxesError(f"{where} is neither a list nor an object: {_wanted()}")
    if not entries:
        raise BoxesError(f"{where} has no box for {image}: give one at least, or none to have its things found")
    if len(entries) > MOST_BOXES:
        raise BoxesError(
            f"{where} has {len(entries)} boxes for {image}: at most {MOST_BOXES} are taken; crop the picture"
        )
    boxes = np.array([_corners(entry, f"box {n} of {where}") for n, entry in enumerate(entries, start=1)])
    inside = boxes.clip(0, [width, height] * 2)
    for number, (box, cut) in enumerate(zip(boxes, inside, strict=True), start=1):
        if min(cut[2:] - cut[:2]) < LEAST:
            told = ", ".join(f"{value:g}" for value in box)
            raise BoxesError(
                f"box {number} of {where}, from {told} as {CORNERS}, lies outside of the picture, which is "
                f"{width}x{height} pixels: boxes are in the upright picture's own pixels"
            )
    cut_off = int((boxes != inside).any(axis=1).sum())
    notes = (f"{cut_off} of {len(boxes)} boxes reached over the picture's rim: cut off there",) if cut_off else ()
    return GivenBoxes(inside, notes)


@lru_cache(1)
def _document(text: str) -> Any:
    """Read once for all the images of a folder; nobody changes it."""
    return json.loads(text)


def _wanted() -> str:
    return f"a list of boxes {CORNERS} was expected, or COCO's images and annotations"


def _of_image(document: dict[str, Any], where: str, image: str, width: int, height: int) -> list[Any]:
    """COCO's annotations of the picture."""
    images, annotations = document.get("images"), document.get("annotations")
    if not (images and _are_objects(images) and _are_objects(annotations)):
        raise BoxesError(f"{where} lacks the lists images and annotations that COCO has: {_wanted()}")
    names = [str(each.get("file_name")) for each in images]
    # A file's name may be told with its folder.
    found = [each for each, name in zip(images, names, strict=True) if name == image] or [
        each
        for each, name in zip(images, names, strict=True)
        if name.replace("\\", "/").rpartition("/")[2] == image.rpartition("/")[2]
    ]
    if len(images) == 1:
        found = images
    if len(found) != 1:
        some = ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
        raise BoxesError(f"{where} has {len(found) or 'no'} images called {image}: it has {some}; name one file so")
    (own,) = found
    told = own.get("width", width), own.get("height", height)
    if told != (width, height):
        raise BoxesError(
            f"{where} says that {image} is {told[0]}x{told[1]} pixels, and upright it is {width}x{height}: "
            "give boxes of this very file"
        )
    return [each for each in annotations if each.get("image_id") == own.get("id")]


def _are_objects(value: Any) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _corners(entry: Any, what: str) -> list[float]:
    """The corners of one box, wherever they lie."""
    sides = isinstance(entry, dict)
    given, form = (entry.get("bbox"), f'"bbox": {SIDES}') if sides else (entry, CORNERS)

    def refuse(fault: str) -> NoReturn:
        raise BoxesError(f"{what} {fault}: {form} was expected, in pixels")

    if not (isinstance(given, list) and len(given) == 4 and all(type(value) in (int, float) for value in given)):
        refuse("is not four numbers")
    if not all(abs(value) < 1e9 for value in given):  # NaN is not, either
        refuse("has a number that is none, or too large")
    left, top, right, bottom = map(float, given)
    if sides:
        right, bottom = left + right, top + bottom
    if min(right - left, bottom - top) < LEAST:
        refuse(f"is {right - left:g} wide and {bottom - top:g} high, less than a pixel")
    return [left, top, right, bottom]
