"""Cuts glimpses: each thing of a picture, at one size, with the ground it lies on."""

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.neural.glimpses.config import GLIMPSE_INPUTS, MARGIN, SIDE

Floats = NDArray[np.float32]


def cut(picture: NDArray[np.uint8], plane: NDArray[np.floating], boxes: NDArray[np.floating]) -> Floats:
    """(n, 7, SIDE, SIDE): a glimpse of what each of `boxes` (n, 4: left, top, right, bottom) holds in `picture`
    (H, W, 3), 0–255, whose ground is `plane` (3, 3)."""
    height, width = picture.shape[:2]
    squares = squares_of(boxes)  # (n, 4)
    glimpses = np.empty((len(boxes), GLIMPSE_INPUTS, SIDE, SIDE), dtype=np.float32)
    pixels = resampled(picture, squares).astype(np.float32).transpose(0, 3, 1, 2)
    along = (np.arange(SIDE) + 0.5) / SIDE
    x = squares[:, :1] + along * (squares[:, 2:3] - squares[:, :1])  # (n, SIDE)
    y = squares[:, 1:2] + along * (squares[:, 3:4] - squares[:, 1:2])
    p = plane.T[None, :, :, None, None]  # (1, colours, 3, 1, 1)
    ground = (
        p[:, :, 0]
        + p[:, :, 1] * (x / width - 0.5)[:, None, None, :]
        + p[:, :, 2] * (y / height - 0.5)[:, None, :, None]
    )
    glimpses[:, :3] = pixels / 128 - 1
    glimpses[:, 3:6] = (pixels - ground) / 64
    half = (squares[:, 2:3] - squares[:, :1]) / SIDE / 2
    across, down = (
        np.clip((np.minimum(at + half, high) - np.maximum(at - half, low)) / (2 * half), 0, 1)
        for at, low, high in ((x, boxes[:, :1], boxes[:, 2:3]), (y, boxes[:, 1:2], boxes[:, 3:4]))
    )
    glimpses[:, 6] = down[:, :, None] * across[:, None, :]
    return glimpses


def alone(glimpses: Floats, masks: NDArray[np.floating]) -> Floats:
    """`glimpses` (n, 7, SIDE, SIDE) in which what the `masks` (n, SIDE, SIDE), 0–1, leave out is ground."""
    masks = masks[:, None].astype(np.float32)
    pixels, unlike = glimpses[:, :3] - (1 - masks) * glimpses[:, 3:6] / 2, glimpses[:, 3:6] * masks
    return np.concatenate([pixels, unlike, glimpses[:, 6:]], axis=1)


def squares_of(boxes: NDArray[np.floating]) -> NDArray[np.float64]:
    """(n, 4): left, top, right, bottom of the squares that glimpses of `boxes` (n, 4) show."""
    sides = np.maximum(boxes[:, 2:] - boxes[:, :2], 1.0).max(axis=1, keepdims=True) * MARGIN
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    return np.concatenate([middles - sides / 2, middles + sides / 2], axis=1).astype(np.float64)


def resampled(picture: NDArray[np.uint8], squares: NDArray[np.floating]) -> NDArray[np.uint8]:
    """(n, SIDE, SIDE, …): what `picture` (H, W, …) shows in `squares`; its edge goes on outside of it."""
    height, width = picture.shape[:2]
    out = np.empty((len(squares), SIDE, SIDE, *picture.shape[2:]), dtype=np.uint8)
    for number, (left, top, right, bottom) in enumerate(squares.tolist()):
        first, last = math.floor(left) - 1, math.ceil(right) + 1
        high, low = math.floor(top) - 1, math.ceil(bottom) + 1
        if high >= 0 and first >= 0 and low <= height and last <= width:
            patch = picture[high:low, first:last]
        else:
            rows, columns = np.arange(high, low), np.arange(first, last)
            patch = picture.take(rows, axis=0, mode="clip").take(columns, axis=1, mode="clip")
        box = (left - first, top - high, right - first, bottom - high)
        out[number] = Image.fromarray(np.ascontiguousarray(patch)).resize((SIDE, SIDE), Image.Resampling.BILINEAR, box)
    return out
