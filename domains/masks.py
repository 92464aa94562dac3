"""COCO's masks of things: the box around each, without drawing it."""

from typing import Any, TypeGuard

import numpy as np


def corners_of_mask(mask: Any, width: int, height: int) -> list[float] | None:
    """The box around COCO's polygons, `[[x, y, x, y, …], …]`, or runs, `{"size": [height, width], "counts": …}`, in a
    picture of that size; None for what is neither."""
    if isinstance(mask, list):
        if not all(isinstance(polygon, list) and all(map(is_number, polygon)) for polygon in mask):
            return None
        xs, ys = ([value for polygon in mask for value in polygon[start::2]] for start in (0, 1))
        return [min(xs), min(ys), max(xs), max(ys)] if len(xs) == len(ys) > 1 else None
    if not isinstance(mask, dict):
        return None
    counts = mask.get("counts")
    if isinstance(counts, str):
        counts = _counts(counts)
    if not (mask.get("size") == [height, width] and _are_lengths(counts) and sum(counts) == width * height):
        return None
    ends = np.cumsum(counts)[1::2]  # of the mask's runs down the columns, one column after the other
    starts = ends - counts[1::2]
    starts, lasts = starts[starts < ends], ends[starts < ends] - 1
    if not len(starts):
        return [0, 0, 0, 0]
    over = bool((starts // height < lasts // height).any())  # a run that goes on in the next column
    rows = (0, height - 1) if over else (int((starts % height).min()), int((lasts % height).max()))
    return [int(starts.min()) // height, rows[0], int(lasts.max()) // height + 1, rows[1] + 1]


def _counts(text: str) -> list[int]:
    """The lengths of runs that COCO's compressed text tells: five bits a sign, the lowest first; from the third on
    they are differences from the last but one."""
    counts: list[int] = []
    value = shift = 0
    for sign in text:
        bits = ord(sign) - 48
        value |= (bits & 31) << shift
        shift += 5
        if bits & 32:
            continue
        if bits & 16:
            value -= 1 << shift
        counts.append(value + (counts[-2] if len(counts) > 2 else 0))
        value = shift = 0
    return counts


def _are_lengths(values: Any) -> TypeGuard[list[int]]:
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 1e9 for value in values)


def is_number(value: object) -> bool:
    """Whether JSON has a number there; true and false are none."""
    return type(value) in (int, float)
