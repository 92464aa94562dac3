"""How notebooks show a picture that was looked at."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.bridge.scene import Box

LETTERS = 40
"""So many of a name's letters are as high as the picture's longer side: a notebook shows all pictures alike large."""


def figure(pixels: NDArray[np.uint8], boxes: Mapping[str, Box], caption: str) -> str:
    """HTML of the picture, (H, W, 3) RGB, with each thing's box and name over it."""
    height, width = pixels.shape[:2]
    with BytesIO() as file:
        Image.fromarray(pixels).save(file, "PNG")
        data = b64encode(file.getvalue()).decode()
    unit = max(width, height) / LETTERS
    letters = f'font-size="{unit:g}" fill="#fff" stroke="#000" stroke-width="{unit / 6:g}" paint-order="stroke"'
    marks = [f'<image href="data:image/png;base64,{data}" width="{width}" height="{height}"/>']
    for name, (left, top, right, bottom) in boxes.items():
        box = f'x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}"'
        marks.append(f'<rect {box} fill="none" stroke="#ff9150" stroke-width="{unit / 5:g}"/>')
        marks.append(f'<text x="{left:g}" y="{max(top, unit):g}" {letters}>{escape(name)}</text>')
    view = f'viewBox="0 0 {width} {height}" style="width: 24em; image-rendering: pixelated"'
    return f"<figure><svg {view}>{''.join(marks)}</svg><figcaption>{escape(caption)}</figcaption></figure>"
