"""What schemathesis cannot make up: images that the service can use, queries that are Prolog, a scene that is there.

Loaded by test_schemathesis.py, and by the command line through SCHEMATHESIS_HOOKS (docs/service.md). The environment
variable SCENE holds the id of a stored scene. What breaks the document's schema on purpose stays as it is.
"""

import os
import re
import zlib
from typing import Any

import schemathesis
from PIL import Image
from schemathesis import HookContext

from tests.pictures import encode

QUERIES = (
    "object(X)",
    "position(X, Y, Z), Y > 10",
    "true",
    "fail",
    "X = f(_, \"s\", 2.5e300, 'A b', -7)",
    "length(X, 3), member(Y, [1, a, [b]])",
    "between(1, 2000, X)",
    "X is 2 ** 100",
)


@schemathesis.hook
def map_body(context: HookContext, body: Any) -> Any:
    """Makes two of three requests workable."""
    dice = zlib.crc32(repr(body).encode("utf-8", "backslashreplace"))
    if not isinstance(body, dict) or dice % 3 == 0:
        return body
    changed = dict(body)
    if isinstance(body.get("examples"), list):
        changed |= {"examples": [_taught(each) for each in body["examples"]], "unlabelled": []}
    if isinstance(scene := body.get("scene"), str) and re.fullmatch("[0-9a-f]{32}", scene):
        changed["scene"] = os.environ["SCENE"]
    for field, name in (("objects", "ob_0"), ("others", "ob_1")):
        names = body.get(field)
        if isinstance(names, list) and 0 < len(names) <= 200 and all(map(_object, names)):
            changed[field] = [name]
    if isinstance(body.get("image"), bytes | str):
        side, colour = (36, 72, 50)[dice % 7 % 3], (dice % 256, 255 - dice % 256, 90)
        changed["image"] = encode(Image.new("RGB", (side, side), colour))
    either = "" if context.operation.path.endswith("/query") else None
    # One of the two is asked.
    if _text(body.get("question", ""), 0, 1024) and _text(body.get("query", either), 0, 4096):
        changed["query"] = QUERIES[dice // 3 % len(QUERIES)]
        changed.pop("question", None)
    if _text(body.get("fact"), 0, 4096):
        changed["fact"] = "same_colour(ob_0, ob_1)"
    if _text(body.get("rules"), 0, 32768):
        changed["rules"] = "p(a)."
    for field, most in (("boxes", 32768), ("model", 65536)):  # the default model takes no boxes
        if _text(body.get(field), 0, most):
            del changed[field]
    for field, kind in (("detections", bytes), ("classes", bytes), ("min_score", float | int), ("no_look", bool)):
        if isinstance(body.get(field), kind):  # which is of no picture that comes here
            del changed[field]
    return changed


@schemathesis.hook
def map_path_parameters(context: HookContext, parameters: Any) -> Any:
    """Asks the scene that is there instead of one that cannot be, and never deletes it."""
    id = (parameters or {}).get("id")
    if context.operation.method.upper() != "DELETE" and isinstance(id, str) and re.fullmatch("[0-9a-f]{32}", id):
        return {"id": os.environ["SCENE"]}
    return parameters


def _taught(example: object) -> object:
    """The example with the scene that is there."""
    return {**example, "scene": os.environ["SCENE"]} if isinstance(example, dict) and "scene" in example else example


def _object(name: object) -> bool:
    return isinstance(name, str) and re.fullmatch("ob_[0-9]{1,6}", name) is not None


def _text(value: object, least: int, most: int) -> bool:
    return isinstance(value, str) and least <= len(value) <= most
