"""Images, and what the service must say of them: made beforehand, without a server."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from benchmarks.load.pictures import Oracle, pictures
from benchmarks.load.queries import NEEDING_RULES, WITH_RULES

PARTS = ("program", "image", "picture", "masks")
"""What there is of a scene besides its details."""


@dataclass(eq=False)
class Reference:
    """An image, and what the service must say of it."""

    png: bytes
    details: dict[str, Any]
    """Those members of the scene's details that are always the same."""
    digests: dict[str, bytes]
    """SHA-256 of the program, image, picture and masks."""
    answers: dict[str, dict[str, Any]]
    """By goal."""
    id: str = ""
    """Of its scene, once it is stored."""


def references(oracle: Oracle, count: int, goals: Sequence[str], *, seed: int) -> list[Reference]:
    """References of `count` images, with the answers to some goals."""
    drawn = pictures(count, seed=seed)
    found = []
    for picture, scene in zip(drawn, oracle.scenes([picture.png for picture in drawn]), strict=True):
        answers = {
            goal: oracle.answers(scene.program, goal, WITH_RULES if goal in NEEDING_RULES else "") for goal in goals
        }
        digests = {"program": digest(scene.program.encode())}
        digests |= {part: digest(getattr(scene, part)) for part in PARTS[1:]}
        found.append(Reference(picture.png, json.loads(scene.details), digests, answers))
    return found


def digest(content: bytes) -> bytes:
    """SHA-256."""
    return sha256(content).digest()
