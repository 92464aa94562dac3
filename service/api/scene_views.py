"""What the service tells of a scene besides its program: details, masks, pixels, and all of it to be kept.

Everything here depends on the image's bytes, the model, the bound on looks and the boxes given alone: the same four
give the same bytes, whichever images were seen with it. Names of files never come in.
"""

import io
import json
from dataclasses import replace
from typing import Any

from PIL import Image

from predinet_prolog.bridge import Thing
from predinet_prolog.bridge.terms import number
from predinet_prolog.bridge.writers.brief import write_brief
from predinet_prolog.service.handlers import SceneContent
from predinet_prolog.service.naming import facts_of
from predinet_prolog.service.pipeline import View

IMAGE_NAME = "image"
"""What a kept scene's program calls its image."""
MASK_DIGITS = 3
QUICK = 3
"""How hard a PNG of any size is compressed: harder takes half as long again and saves a photograph a tenth."""


def stored(view: View) -> SceneContent:
    """All that is kept of `view`. Takes some milliseconds: not for the event loop."""
    if view.image.name != IMAGE_NAME:
        view = replace(view, image=replace(view.image, name=IMAGE_NAME))
    return SceneContent(
        program=view.text,
        model=view.model.name,
        notes=view.image.notes,
        warnings=view.warnings,
        categories=view.categories,
        brief=write_brief(view.program),
        facts=facts_of(view.program),
        details=details(view),
        masks=masks(view),
        image=png(view),
    )


def details(view: View) -> bytes:
    """JSON of what the scene holds. Places are pixels of the image as it was given, x to the right, y down."""
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
    symbols = view.scene.symbols
    rounded = attended.attention.round(MASK_DIGITS).tolist()
    heads = [
        {
            "head": f"h{head}",
            "look": look + 1,
            "first": symbols[first].name,
            "second": symbols[second].name,
            "masks": rounded[look][head],
        }
        for look, pairs in enumerate(attended.pairs)
        for head, (first, second) in enumerate(pairs)
    ]
    means = {symbol.name: symbol.mask.round(MASK_DIGITS).tolist() for symbol in symbols if symbol.mask is not None}
    return _json({"size": attended.attention.shape[-1], "symbols": means, "heads": heads})


def png(view: View) -> bytes:
    """The pixels that the network saw, as a PNG."""
    buffer = io.BytesIO()
    how: dict[str, Any] = {"optimize": True} if view.gridded else {"compress_level": QUICK}
    Image.fromarray(view.image.pixels).save(buffer, format="PNG", **how)
    return buffer.getvalue()


def _place(view: View, symbol: Thing) -> dict[str, Any]:
    """A symbol in pixels of the image given, with the digits that the program's position/3 has."""
    across, down = view.image.scale
    x, y, (left, top, right, bottom) = view.place(symbol)
    heads = view.scene.heads
    look = {} if heads is None else {"look": heads.first_looks[view.scene.symbols.index(symbol)]}
    sides = (x * across, y * down, left * across, top * down, (right - left) * across, (bottom - top) * down)
    places = zip(("x", "y", "left", "top", "width", "height"), sides, strict=True)
    return {"name": symbol.name, **{name: float(number(value)) for name, value in places}, **look}


def _json(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()
