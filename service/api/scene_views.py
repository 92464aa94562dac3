"""What the service tells of a scene besides its program: details, masks, a picture, and all of it to be kept.

Everything here depends on the image's bytes, the model, the bound on looks and the boxes given alone: the same four
give the same bytes, whatever the file was called and whichever images were seen with it. Names of files never come in.
"""

import base64
import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PIL import Image

from predinet_prolog.bridge import Thing
from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.bridge.terms import number
from predinet_prolog.neural.model import Model
from predinet_prolog.service.pictures.palette import PALETTE, PAPER
from predinet_prolog.service.pipeline import View
from predinet_prolog.service.store.content import SceneContent

FORMAT = 6
"""Of what is kept of a scene. A program that keeps something else counts it up, so that it never takes an older
one's scene for its own."""
IMAGE_NAME = "image"
"""What a kept scene's program calls its image."""
MASK_DIGITS = 3
SIDE = 720
"""Of a picture, in the pixels of a screen: the longer one."""
QUICK = 3
"""How hard a PNG of any size is compressed: harder takes half as long again and saves a photograph a tenth."""
_IMAGE = b'href="image.png"'
"""What stands in a kept picture for the image, which is kept once."""


def stored(view: View, id: str) -> SceneContent:
    """All that is kept of `view`, whose content_id is `id`. Takes some milliseconds: not for the event loop."""
    view = _named(view)
    return SceneContent(
        id=id,
        model=view.model.name,
        program=view.text,
        notes=view.image.notes,
        warnings=view.warnings,
        details=details(view),
        masks=masks(view),
        image=png(view),
        picture=outlines(view),
    )


def content_id(image_sha256: str, models: Sequence[Model], looks: int | None, things: Sequence[object] | None) -> str:
    """32 hexadecimal digits that stand for what is seen in the image, known before anybody looks at it.

    `image_sha256` is that of the image file's bytes. `models` are those that the image's own kind decides between, or
    the only one. `things`: what tells of its things. A model counts with its name, its weights and its grounded
    predicates: all that its programs say.
    """
    content = [FORMAT, image_sha256, looks, things]
    for model in models:
        grounding = read_grounding(model)
        grounded = hashlib.sha256((grounding.to_json() if grounding else "").encode()).hexdigest()
        content += [model.name, model.sha256, grounded]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


def details(view: View) -> bytes:
    """JSON of what the scene holds. Places are pixels of the image as it was given, x to the right, y down."""
    view = _named(view)
    image = view.image
    boxes = ("found" if view.given is None else "given") if view.scene.heads is None else None
    return _json(
        {
            "model": view.model.name,
            "notes": image.notes,
            "warnings": view.warnings,
            "image": {"width": image.width, "height": image.height, "sha256": image.sha256},
            "objects": [_place(view, thing) for thing in view.scene.things],
            "predicates": view.program.predicates,
            "looks": view.looks,
            "boxes": boxes,
            "background": [_place(view, symbol) for symbol in view.scene.background],
        }
    )


def masks(view: View) -> bytes:
    """JSON of where the network attended: every symbol's mean mask, and both masks of every head in every look. Of a
    picture of any size there are none, nor of one in which a board was found: they would lie beside it.

    A mask is a list of rows from top to bottom; its shares sum to 1, up to rounding.
    """
    attended = view.scene.heads
    if attended is None or not view.gridded:
        return _json({"size": 0, "symbols": {}, "heads": []})
    names = [symbol.name for symbol in view.scene.symbols]
    looks, heads = attended.pairs.shape[:2]
    rounded = attended.attention.round(MASK_DIGITS).tolist()
    return _json(
        {
            "size": attended.attention.shape[-1],
            "symbols": {
                symbol.name: symbol.mask.round(MASK_DIGITS).tolist()
                for symbol in view.scene.symbols
                if symbol.mask is not None
            },
            "heads": [
                {
                    "head": f"h{head}",
                    "look": look + 1,
                    "first": names[attended.pairs[look, head, 0]],
                    "second": names[attended.pairs[look, head, 1]],
                    "masks": rounded[look][head],
                }
                for look in range(looks)
                for head in range(heads)
            ],
        }
    )


def png(view: View) -> bytes:
    """The pixels that the network saw, as a PNG."""
    buffer = io.BytesIO()
    how: dict[str, Any] = {"optimize": True} if view.gridded else {"compress_level": QUICK}
    Image.fromarray(view.image.pixels).save(buffer, format="PNG", **how)
    return buffer.getvalue()


def picture(content: SceneContent) -> bytes:
    """The network's pixels with every object outlined and named, as an SVG in the given image's pixels.

    It stands alone: no script, no style sheet, no reference to anything outside, and no text but our own names.
    """
    return content.picture.replace(_IMAGE, b'href="data:image/png;base64,%b"' % base64.b64encode(content.image), 1)


def outlines(view: View) -> bytes:
    """The same without the pixels."""
    width, height = view.image.width, view.image.height
    across, down = (round(SIDE * length / max(width, height)) for length in (width, height))
    objects = view.scene.things
    title = f"{len(objects)} object{'s' * (len(objects) != 1)}"
    # The pixels of a board stay squares; the attribute, not a style, holds under any content security policy.
    rendering = 'image-rendering="pixelated" ' if view.gridded else ""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{across}" height="{down}" '
        'role="img">',
        f"<title>{title}{': ' * bool(objects)}{', '.join(thing.name for thing in objects)}</title>",
        f'<image width="{width}" height="{height}" preserveAspectRatio="none" {rendering}{_IMAGE.decode()}/>',
        *(_outline(view, thing, PALETTE[index % len(PALETTE)]) for index, thing in enumerate(objects)),
        "</svg>",
    ]
    return "\n".join(lines).encode() + b"\n"


def _outline(view: View, symbol: Thing, tint: str) -> str:
    """The object's window or box, white around its colour, and its name: in the window's lower left corner, but above
    the box, which may be small."""
    place = _place(view, symbol)
    if view.gridded:
        unit = gap = (
            view.image.width / 180
        )  # a line's width; neighbours' outlines stand side by side, not on each other
    else:
        unit, gap = max(view.image.width, view.image.height) / 360, 0.0
    left, top = place["left"] + gap, place["top"] + gap
    width, height = place["width"] - 2 * gap, place["height"] - 2 * gap
    frame = f'x="{_short(left)}" y="{_short(top)}" width="{_short(width)}" height="{_short(height)}" fill="none"'
    size = 6.5 * unit  # of the letters
    text_width, label_height = 0.6 * size * len(symbol.name), 1.2 * size
    label_top = top + height - label_height if gap else max(top - label_height, 0.0)
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


def _place(view: View, symbol: Thing) -> dict[str, Any]:
    """A symbol in pixels of the image given, with the digits that the program's position/3 has."""
    across, down = view.image.scale
    x, y, (left, top, right, bottom) = view.place(symbol)
    heads = view.scene.heads
    look = {} if heads is None else {"look": heads.first_looks[view.scene.symbols.index(symbol)]}
    places = {
        "x": x * across,
        "y": y * down,
        "left": left * across,
        "top": top * down,
        "width": (right - left) * across,
        "height": (bottom - top) * down,
    }
    return {"name": symbol.name, **{name: float(number(value)) for name, value in places.items()}, **look}


def _short(value: float) -> str:
    return number(value).rstrip("0").rstrip(".")


def _json(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()
