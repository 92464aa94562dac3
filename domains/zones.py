"""Zones: parts of a picture that a user has given names, `{"loading bay": [[x, y], [x, y], [x, y]], …}`, the corners of
each in pixels of the upright picture. What is drawn crosswise is in or out by the even-odd rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from predinet_prolog.domains.detections.fields import are_numbers, parsed
from predinet_prolog.domains.detections.outlines import Polygons
from predinet_prolog.domains.detections.table import SHARE
from predinet_prolog.domains.errors import DomainError, naming

MOST_BYTES, MOST = 2**20, 200
"""Of a file, and zones in it."""
FORM = '{"name": [[x, y], [x, y], [x, y], …], …} was expected, in pixels'


@dataclass(frozen=True, eq=False)
class Zones:
    where: str
    """What errors and notes call it."""
    outlines: Mapping[str, Polygons]
    sha256: str
    """Of its bytes, 64 hexadecimal digits."""


def read_zones(path: Path) -> Zones:
    """The zones of a file. DomainError, which names the zone and what to do, for what is none."""
    with naming(path):
        if path.stat().st_size > MOST_BYTES:
            raise DomainError(f"it is larger than {MOST_BYTES // 2**20} MiB: zones are a few polygons")
        data = path.read_bytes()
        zones = parsed(data.decode("utf-8-sig"), "it", FORM)
        if not (isinstance(zones, dict) and 0 < len(zones) <= MOST):
            raise DomainError(f"it names no zones, or more than {MOST}: {FORM}")
        outlines = {name: _outline(name, corners) for name, corners in zones.items()}
        return Zones(str(path), outlines, sha256(data).hexdigest())


def _outline(name: str, corners: Any) -> Polygons:
    points = isinstance(corners, Sequence) and all(are_numbers(point) and len(point) == 2 for point in corners)
    if not points or len(corners) < 3:
        raise DomainError(f"the zone {name!r} is no list of three corners or more: {FORM}")
    if not name.strip() or name.startswith("ob_"):
        raise DomainError(f"the zone {name!r} has no name of its own: give it one, which is no thing's, as ob_0 is")
    polygon = np.array(corners, dtype=np.float64)
    if np.abs(polygon).max() <= SHARE:
        raise DomainError(f"the zone {name!r} is in shares of the picture: multiply them by its width and height")
    if (np.ptp(polygon, axis=0) == 0).any():
        raise DomainError(f"the zone {name!r} has no area: {FORM}")
    return Polygons((polygon,))
