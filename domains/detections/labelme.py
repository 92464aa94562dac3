"""LabelMe: a JSON file a picture. Polygons, rectangles by any two corners, circles by their middle and rim, and masks
are things; those of one label and `group_id` are one thing, and points of that group its keypoints."""

import base64
import io
from collections.abc import Mapping, Sequence
from math import hypot, pi
from pathlib import Path
from posixpath import normpath
from typing import Any

import numpy as np
from PIL import Image

from predinet_prolog.domains.data import Floats
from predinet_prolog.domains.detections.fields import are_numbers, must_be, text_in
from predinet_prolog.domains.detections.outlines import Cut, Outline, Polygons, cells
from predinet_prolog.domains.detections.table import Listed, Row, Source, unread
from predinet_prolog.domains.errors import DomainError

POINTS = {"polygon": 0, "rectangle": 2, "circle": 2, "mask": 2}
"""How many each has; 0: three or more."""
LINES = ("line", "linestrip", "point", "points")
NO_AREA = "{} of {} boxes left out: lines, and points without a group, are no things"
FORM = "shapes with a label and points, as LabelMe writes them"
ROUND = 72
"""Corners of a circle's outline: it lacks .1 % of its pixels."""
MOST_PIXELS = 2**26
"""Of a mask."""
READ = {"label", "points", "group_id", "shape_type", "flags", "description", "mask", "score"}
Shapes = Sequence[tuple[str, Mapping[str, Any]]]
"""Of one thing, with their places."""


def of_files(contents: Mapping[str, Any], where: str) -> Source:
    """What the files say, their JSON's `contents` by their paths; `where`: their folder."""
    images, paths = [], dict[str, str]()
    for path, content in contents.items():
        written = text_in(content, "imagePath", path).replace("\\", "/")
        folder = "" if path == where else Path(path).relative_to(where).parent.as_posix()
        name = normpath(f"/{folder}/{written}").lstrip("/")
        if (other := paths.setdefault(name, path)) != path:
            raise DomainError(f"{path}: {name} is the picture of {other} too: a picture has one file")
        if not isinstance(shapes := content.get("shapes"), list):
            raise DomainError(f"{path}: {FORM} were expected")
        sides = {"width": content.get("imageWidth"), "height": content.get("imageHeight")}
        images.append(Listed(path, name, sides=sides, entries=_grouped(shapes, path)))
    return Source(where, images, "{0}: shapes[{2}]", _read)


def _grouped(shapes: Sequence[Any], where: str) -> list[tuple[int, Any]]:
    """The shapes of each thing, the areas first, and the number of the first."""
    things: dict[object, list[tuple[str, Any]]] = {}
    numbers, points = dict[object, int](), []
    for number, shape in enumerate(shapes):
        place = f"{where}: shapes[{number}]"
        label, group = text_in(shape, "label", place), shape.get("group_id")
        if not (group is None or isinstance(group, int | str)):
            raise DomainError(f"{place}: its group_id must be a whole number or null")
        if shape.get("shape_type") == "point" and group is not None:
            points.append((number, group, place, shape))
            continue
        key = number if group is None else (label, group)
        numbers.setdefault(key, number)
        things.setdefault(key, []).append((place, shape))
    for number, group, place, shape in points:
        owners = [key for key in things if isinstance(key, tuple) and key[1] == group]
        if len(owners) > 1:
            raise DomainError(f"{place}: its group {group} has several things: give each its own")
        numbers.setdefault(owner := owners[0] if owners else number, number)
        things.setdefault(owner, []).append((place, shape))
    return [(numbers[key], shapes) for key, shapes in things.items()]


def _read(shapes: Shapes, place: str) -> Row | str:
    if not (areas := [(at, shape) for at, shape in shapes if _kind(shape, at) in POINTS]):
        return NO_AREA
    keypoints, attributes, remarks = {}, dict[str, Any](), list[str]()
    for at, shape in shapes:
        if _kind(shape, at) == "point":
            x, y = _points(shape, 1, at)[0].tolist()
            keypoints[shape["label"]] = (x, y)
        if shape.get("description"):
            attributes["description"] = shape["description"]
        flags = shape.get("flags") or {}
        if not isinstance(flags, dict):
            raise DomainError(f"{at}: {must_be('flags', flags, dict)}")
        attributes |= flags
        remarks += map(unread, sorted(shape.keys() - READ))
    outlines = [_outline(shape, at) for at, shape in areas]
    outline = outlines[0] if len(outlines) == 1 else _joined(outlines)
    box, first = list(outline.corners), areas[0][1]
    whole = None if [_kind(shape, at) for at, shape in areas] == ["rectangle"] else outline
    return Row(box, FORM, whole, None, first["label"], first.get("score"), None, attributes, keypoints, remarks)


def _kind(shape: Mapping[str, Any], place: str) -> str:
    if (kind := str(shape.get("shape_type") or "polygon")) not in (*POINTS, *LINES):
        raise DomainError(f"{place}: its shape_type must be one of {', '.join((*POINTS, *LINES))}, not {kind[:50]}")
    return kind


def _outline(shape: Mapping[str, Any], place: str) -> Outline:
    kind = _kind(shape, place)
    points = _points(shape, POINTS[kind], place)
    if kind == "polygon":
        return Polygons((points,))
    if kind == "circle":
        angles = np.arange(ROUND) * 2 * pi / ROUND
        rim = hypot(*(points[1] - points[0])) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        return Polygons((points[0] + rim,))
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    if kind == "rectangle":
        return Polygons((np.array([(left, top), (right, top), (right, bottom), (left, bottom)]),))
    try:
        with Image.open(io.BytesIO(base64.b64decode(shape.get("mask") or "", validate=True)), formats=["PNG"]) as image:
            if image.width * image.height > MOST_PIXELS:
                raise DomainError(f"{place}: its mask is larger than a picture may be")
            return Cut(np.array(image.convert("L")) > 0, round(left), round(top))
    except (OSError, SyntaxError, TypeError, ValueError, Image.DecompressionBombError) as error:
        if isinstance(error, DomainError):
            raise
        raise DomainError(f"{place}: its mask is no picture that can be read ({error})") from None


def _joined(outlines: Sequence[Outline]) -> Outline:
    """One outline of several."""
    parts = [part for outline in outlines if isinstance(outline, Polygons) for part in outline.parts]
    if all(isinstance(outline, Polygons) for outline in outlines):
        return Polygons(tuple(parts))
    corners = np.array([outline.corners for outline in outlines])
    left, top = np.maximum(corners.min(axis=0)[:2], 0).tolist()
    box = (left, top, *corners.max(axis=0)[2:].tolist())
    x, y, right, bottom = cells(box)
    if (right - x) * (bottom - y) > MOST_PIXELS:
        raise DomainError("a group of masks is larger than a picture may be")
    return Cut(np.logical_or.reduce([outline.mask(box) for outline in outlines]), x, y)


def _points(shape: Mapping[str, Any], count: int, place: str) -> Floats:
    """(count, 2): x and y of each; of count 0 three or more."""
    points = shape.get("points")
    pairs = [point for point in points if are_numbers(point) and len(point) == 2] if isinstance(points, list) else []
    if points == pairs and (len(pairs) == count if count else len(pairs) > 2):
        return np.array(pairs, dtype=np.float64)
    raise DomainError(f"{place}: its points must be {count or 'three or more'}, each of x and y in pixels")
