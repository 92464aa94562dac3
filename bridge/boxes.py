"""Boxes that come with a picture, from a user's hand or another finder: they take the place of finding.

What they may be written in, `domains.detections.coco` says: it reads annotated folders, too.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bridge.errors import BoxesError
from bridge.scene import FloatArray
from domains.detections.coco import parse
from domains.detections.table import Listing
from domains.errors import DomainError

MOST_BOXES = 200


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

    Raises BoxesError, which calls the text `where`, and says which box is wrong and what to do.
    """
    try:
        detected = _listing(text, where).of(image, (width, height))
        if not (count := len(detected.things)):
            raise BoxesError(f"{where} has no box for {image}: give one at least, or none to have its things found")
        if count > MOST_BOXES:
            raise BoxesError(f"{where} has {count} boxes for {image}: at most {MOST_BOXES} are taken; crop the picture")
    except DomainError as error:
        raise BoxesError(str(error)) from None
    return GivenBoxes(np.array([thing.box for thing in detected.things]), detected.notes)


@lru_cache(1)
def _listing(text: str, where: str) -> Listing:
    """Read once for all the images of a folder; nobody changes it."""
    return parse(text, where)
