"""Detections that a program has at hand: arrays, `supervision.Detections`, and the dict that torchvision's models give.

Nothing of these libraries is imported: their objects are read by the names of their fields.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from predinet_prolog.domains.detections.classes import Classes
from predinet_prolog.domains.detections.fields import Key, are_numbers, key_in, must_be
from predinet_prolog.domains.detections.outlines import Cut
from predinet_prolog.domains.detections.table import CORNERS, Detected, Listed, Row, Source, unread
from predinet_prolog.domains.errors import DomainError

Names = Sequence[str] | Mapping[int, str]


def from_arrays(
    boxes: Any,
    size: tuple[int, int],
    *,
    categories: Sequence[str | None] | None = None,
    scores: Any = None,
    tracks: Any = None,
    masks: Any = None,
    attributes: Sequence[Mapping[str, Any]] | None = None,
    keypoints: Sequence[Mapping[str, tuple[float, float]]] | None = None,
    remarks: Sequence[str] = (),
) -> Detected:
    """The n things of a picture of that width and height.

    boxes: (n, 4), left, top, right, bottom in its pixels. scores: (n,), 0 to 1. masks: (n, height, width), true, or of
    floats more than .5, where the thing is. The rest has n entries each. remarks: on each. DomainError for what does
    not fit.
    """
    table, pixels, (width, height) = _array(boxes), None if masks is None else _array(masks), map(int, size)
    if table.size and table.shape[1:] != (4,):
        raise DomainError(f"boxes must be of the shape (n, 4), not {table.shape}")
    n = len(table)
    if pixels is not None and pixels.shape != (n, height, width):
        raise DomainError(f"masks must be of the shape {(n, height, width)}, n, height, width, not {pixels.shape}")
    columns: dict[str, Any] = {"categories": categories, "attributes": attributes, "keypoints": keypoints}
    for name, column in (("scores", scores), ("tracks", tracks)):
        columns[name] = None if column is None else np.atleast_1d(_array(column)).tolist()
    for name, column in columns.items():
        if column is not None and len(column) != n:
            raise DomainError(f"{name} has {len(column)} entries, and there are {n} boxes")

    def read(number: int, place: str) -> Row:
        row = {name: None if column is None else column[number] for name, column in columns.items()}
        attributes = {name: _plain(value) for name, value in (row["attributes"] or {}).items()}
        outline = None if pixels is None else Cut(pixels[number] > (0.5 if pixels.dtype.kind == "f" else 0))
        category, box = _plain(row["categories"]), table[number].tolist()
        if not (category is None or isinstance(category, str)):
            raise DomainError(f"{place}: {must_be('its category', category, str)}: give the names of classes")
        points = {name: tuple(np.ravel(point).tolist()) for name, point in (row["keypoints"] or {}).items()}
        if odd := next((name for name, point in points.items() if len(point) != 2 or not are_numbers(point)), None):
            raise DomainError(f"{place}: its keypoint {odd} is not x and y in pixels, but {points[odd]}")
        return Row(box, CORNERS, outline, None, category, row["scores"], row["tracks"], attributes, points, remarks)

    listed = Listed("the arrays", None, sides={"width": width, "height": height}, entries=list(enumerate(range(n))))
    return Source("the arrays", [listed], "box {2} of {0}", read).things(listed, (width, height))


def from_supervision(detections: Any, size: tuple[int, int], *, names: Names = ()) -> Detected:
    """The things of `supervision.Detections`; `names` of classes are needed where it has no `class_name`."""
    n, data = len(detections.xyxy), dict(detections.data or {})
    categories = data.pop("class_name", None)
    columns = {name: column for name, column in data.items() if np.ndim(column) == 1 and len(column) == n}
    return from_arrays(
        detections.xyxy,
        size,
        categories=_names(detections.class_id, names) if categories is None else [str(name) for name in categories],
        scores=detections.confidence,
        tracks=detections.tracker_id,
        masks=detections.mask,
        attributes=[{name: column[row] for name, column in columns.items()} for row in range(n)],
        remarks=[unread(name) for name in data if name not in columns],
    )


def from_torchvision(output: Mapping[str, Any], size: tuple[int, int], *, names: Names) -> Detected:
    """The things of one picture as torchvision's detectors give them: `boxes`, `labels`, `scores`, and `masks` or
    `keypoints` of some. names: of classes by their labels, such as `weights.meta["categories"]`."""
    masks, points = output.get("masks"), output.get("keypoints")
    people = [] if points is None else _array(points).tolist()
    return from_arrays(
        output["boxes"],
        size,
        categories=_names(output.get("labels"), names),
        scores=output.get("scores"),
        masks=None if masks is None else _array(masks).reshape(-1, size[1], size[0]),
        keypoints=[{str(n): (x, y) for n, (x, y, visible) in enumerate(row) if visible} for row in people] or None,
    )


def _names(ids: Any, names: Names) -> list[str] | None:
    """What classes of the `ids` are called."""
    if ids is None:
        return None
    keys = [key_in({"class": key}, "class", "the arrays") for key in _array(ids).tolist()]
    mapping: dict[Key, str] = dict(names.items() if isinstance(names, Mapping) else enumerate(names))
    counted = not isinstance(names, Mapping) and mapping.get(0) != "__background__"
    classes = Classes("names", mapping, counted).meant_by(keys, "the arrays")
    return [classes.name(key, f"box {row} of the arrays") for row, key in enumerate(keys)]


def _array(values: Any) -> Any:
    """An array of what is one, or a tensor on any device."""
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)


def _plain(value: Any) -> Any:
    """Python's own number or text for numpy's."""
    return value.item() if isinstance(value, np.generic) else value
