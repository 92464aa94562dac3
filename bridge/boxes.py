"""Boxes that come with a picture, from a user's hand or another finder: they take the place of finding.

What they may be written in, `domains.coco` says: it reads annotated folders, too.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bridge.errors import BoxesError
from bridge.scene import FloatArray
from domains.coco import Document, notes_on, parse
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
        document = _document(text, where)
        listed = document.called(image)
        remarks = document.check_size(listed, (width, height))
        if not (count := len(listed.things)):
            raise BoxesError(f"{where} has no box for {image}: give one at least, or none to have its things found")
        if count > MOST_BOXES:
            raise BoxesError(f"{where} has {count} boxes for {image}: at most {MOST_BOXES} are taken; crop the picture")
        boxes, more = document.boxes(listed, (width, height))
    except DomainError as error:
        raise BoxesError(str(error)) from None
    return GivenBoxes(np.array(boxes), notes_on([*remarks, *more], boxes=len(listed.entries), images=1))


@lru_cache(1)
def _document(text: str, where: str) -> Document:
    """Read once for all the images of a folder; nobody changes it."""
    return parse(text, where)
