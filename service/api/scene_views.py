"""What the service tells of a scene besides its program: details, masks, a picture, and all of it to be kept.

Everything here depends on the image's bytes, the model and the bound on looks alone: the same three give the same
bytes, whatever the file was called and whichever images were seen with it. Names of files never come in.
"""

import base64
import hashlib
import io
import json
from dataclasses import replace
from typing import Any

from PIL import Image

from bridge import Symbol
from bridge.definitions import read_grounding
from bridge.terms import number
from neural import Model
from service.pictures.palette import PAPER, tints
from service.pipeline import View
from service.store.scenes import SceneContent

FORMAT = 4
"""Of what is kept of a scene. A program that keeps something else counts it up, so that it never takes an older
one's scene for its own."""
IMAGE_NAME = "image"
"""What a kept scene's program calls its image."""
MASK_DIGITS = 3


def stored(view: View) -> SceneContent:
    """All that is kept of `view`. Takes some milliseconds: not for the event loop."""
    view = _named(view)
    return SceneContent(
        id=content_id(view.image.sha256, view.model, view.looks),
        model=view.model.name,
        program=view.text,
        notes=view.image.notes,
        warnings=view.warnings,
        details=details(view),
        masks=masks(view),
        image=png(view),
        picture=picture(view),
    )


def content_id(image_sha256: str, model: Model, looks: int | None) -> str:
    """32 hexadecimal digits that stand for what is seen in the image, known before anybody looks at it.

    `image_sha256` is that of the image file's bytes. The model counts with its name, its weights and its grounded
    predicates: all that its programs say.
    """
    grounding = read_grounding(model)
    grounded = hashlib.sha256((grounding.to_json() if grounding else "").encode()).hexdigest()
    content = [FORMAT, image_sha256, model.name, model.sha256, grounded, looks]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


def details(view: View) -> bytes:
    """JSON of what the scene holds. Places are pixels of the image as it was given, x to the right, y down."""
    view = _named(view)
    image, symbols = view.image, view.scene.symbols
    return _json(
        {
            "model": view.model.name,
            "looks": view.looks,
            "notes": image.notes,
            "warnings": view.warnings,
            "image": {"width": image.width, "height": image.height, "sha256": image.sha256},
            "objects": [_place(view, symbol) for symbol in symbols if symbol.is_object],
            "background": [_place(view, symbol) for symbol in symbols if not symbol.is_object],
            "predicates": view.program.predicates,
        }
    )


def masks(view: View) -> bytes:
    """JSON of where the network attended: every symbol's mean mask, and both masks of every head in every look.

    A mask is a list of rows from top to bottom; its shares sum to 1, up to rounding.
    """
    scene = view.scene
    names = [symbol.name for symbol in scene.symbols]
    looks, heads = scene.pairs.shape[:2]
    rounded = scene.attention.round(MASK_DIGITS).tolist()
    return _json(
        {
            "size": scene.attention.shape[-1],
            "symbols": {symbol.name: symbol.mask.round(MASK_DIGITS).tolist() for symbol in scene.symbols},
            "heads": [
                {
                    "head": f"h{head}",
                    "look": look + 1,
                    "first": names[scene.pairs[look, head, 0]],
                    "second": names[scene.pairs[look, head, 1]],
                    "masks": rounded[look][head],
                }
                for look in range(looks)
                for head in range(heads)
            ],
        }
    )


def png(view: View) -> bytes:
    """The pixels that the network saw, as a PNG of its own image size."""
    buffer = io.BytesIO()
    Image.fromarray(view.image.pixels).save(buffer, format="PNG", optimize=True)
    return buffer.getvalue()


def picture(view: View) -> bytes:
    """The network's pixels with every object outlined and named, as an SVG in the given image's pixels.

    It stands alone: no script, no style sheet, no reference to anything outside, and no text but our own names.
    """
    width, height = view.image.width, view.image.height
    colours = tints(view.scene)
    data = base64.b64encode(png(view)).decode()
    objects = view.scene.objects
    title = f"{len(objects)} object{'s' * (len(objects) != 1)}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="720" height="720" role="img">',
        f"<title>{title}{': ' * bool(objects)}{', '.join(symbol.name for symbol in objects)}</title>",
        # Pixels stay squares; the attribute, not a style, holds under any content security policy.
        f'<image width="{width}" height="{height}" preserveAspectRatio="none" image-rendering="pixelated" '
        f'href="data:image/png;base64,{data}"/>',
        *(_outline(view, symbol, colours[symbol.name]) for symbol in objects),
        "</svg>",
    ]
    return "\n".join(lines).encode() + b"\n"


def _outline(view: View, symbol: Symbol, tint: str) -> str:
    """The object's window, white around its colour, and its name in the lower left corner."""
    unit = view.image.width / 180  # a line's width
    place = _place(view, symbol)
    # Neighbours' outlines stand side by side, not on each other.
    left, top = place["left"] + unit, place["top"] + unit
    width, height = place["width"] - 2 * unit, place["height"] - 2 * unit
    frame = f'x="{_short(left)}" y="{_short(top)}" width="{_short(width)}" height="{_short(height)}" fill="none"'
    size = 6.5 * unit  # of the letters
    text_width, label_height = 0.6 * size * len(symbol.name), 1.2 * size
    label_top = top + height - label_height
    return "\n".join(
        [
            f"<g><title>{symbol.name}</title>",
            f'<rect {frame} stroke="{PAPER}" stroke-width="{_short(1.8 * unit)}"/>',
            f'<rect {frame} stroke="{tint}" stroke-width="{_short(unit)}"/>',
            f'<rect x="{_short(left)}" y="{_short(label_top)}" width="{_short(text_width + 0.5 * size)}" '
            f'height="{_short(label_height)}" fill="{tint}"/>',
            # Whatever font is there, the name keeps to its label.
            f'<text x="{_short(left + 0.25 * size)}" y="{_short(label_top + 0.85 * size)}" fill="{PAPER}" '
            f'font-family="ui-monospace, monospace" font-weight="bold" font-size="{_short(size)}" '
            f'textLength="{_short(text_width)}" lengthAdjust="spacingAndGlyphs">{symbol.name}</text>',
            "</g>",
        ]
    )


def _named(view: View) -> View:
    """The view with our own name for the image."""
    if view.image.name == IMAGE_NAME:
        return view
    return replace(view, image=replace(view.image, name=IMAGE_NAME))


def _place(view: View, symbol: Symbol) -> dict[str, Any]:
    """A symbol in pixels of the image given, with the digits that the program's position/3 has."""
    scale_x, scale_y = view.image.width / view.scene.image_size, view.image.height / view.scene.image_size
    return {
        "name": symbol.name,
        "x": float(number(symbol.x * scale_x)),
        "y": float(number(symbol.y * scale_y)),
        "left": float(number(symbol.left * scale_x)),
        "top": float(number(symbol.top * scale_y)),
        "width": float(number(symbol.width * scale_x)),
        "height": float(number(symbol.height * scale_y)),
        "look": symbol.look,
    }


def _short(value: float) -> str:
    return number(value).rstrip("0").rstrip(".")


def _json(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()
