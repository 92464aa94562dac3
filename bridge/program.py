"""Writers: a scene as a Prolog program that stands alone, or the same facts as JSON."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from bridge.grounding import read_grounding
from bridge.scene import Scene
from bridge.terms import atom, comment, number
from neural.checkpoint import Model

SMALL = 0.1
"""A relation's value below this counts as small: the paper's example clause, which gives no number."""

Argument = str | int | float
Row = tuple[Argument, ...]

GLOSSARY = """\
rI(V, X, Y)           V is the distance between X and Y in relation I's own 1-D space
holds(R, V, X, Y)     the same, with the relation as an argument
object(X)             X is a thing in the image; top to bottom, then left to right
background(X)         X is a place the network attended to that is no thing, or only a part of one
position(X, Px, Py)   centre of X in pixels of the image, x to the right, y down
look(X, N)            the network's Nth look was the first to pick X
head(H, X, Y)         head H picked the pair X, Y (once for every look)
coordinate(R, X, C)   X lies at C on relation R's axis, its place left out
slope(R, Ax, Ay)      V = difference of coordinates + Ax*dx + Ay*dy where a head attends to one window for
                      each of the pair, and less exactly where its masks are spread; dx and dy are in the
                      network's own places: x = (36*Px/W - 6)/30 in an image W pixels wide, y alike
tolerance(T)          places that differ by at most T pixels count as the same
left_of(X, Y)  above(X, Y)  same_row(X, Y)  same_column(X, Y)    objects' places
in_line(X, Y, Z)      three objects on a straight line
lies_between(Y, X, Z) Y lies on the straight line between X and Z
small(V)  large(V)    whether a distance is next to nothing"""


@dataclass(frozen=True)
class ImageInfo:
    """What a program's header says of its image."""

    name: str
    sha256: str
    """Of the image file's bytes, 64 hexadecimal digits."""
    width: int
    """Pixels of the image as it was given; positions are in these."""
    height: int


def write_program(scene: Scene, *, model: Model, image: ImageInfo, looks: int | None = None) -> str:
    """The scene as Prolog text. Same scene, model, image and options: same bytes.

    `looks` is the bound the scene was perceived with, for the header. Facts come grouped by predicate, in the
    order of the glossary. Every predicate of the glossary is defined, even where the scene has no fact of it. Those
    that were grounded for the model follow, with what they mean.
    """
    sections = [_header(model, image, looks)]
    for predicate, arity, rows in _grouped(scene, image):
        sections.append(_facts(predicate, rows) if rows else _nothing(predicate, arity))
    grounded = read_grounding(model)
    if grounded is not None:
        sections.append(grounded.strip())
    relations = [f"r{index}" for index in range(scene.values.shape[2])]
    sections.append("\n".join(f"holds({relation}, V, X, Y) :- {relation}(V, X, Y)." for relation in relations))
    sections.append(_spatial())
    sections.append(f"small(V) :- abs(V) < {SMALL}.\nlarge(V) :- abs(V) >= {SMALL}.")
    return "\n\n".join(sections) + "\n"


def write_json(scene: Scene, *, model: Model, image: ImageInfo, looks: int | None = None) -> str:
    """The same facts, without the clauses: {"model": …, "image": …, "facts": {"object": [["ob_0"], …], …}}."""
    facts = {
        predicate: [[float(number(value)) if isinstance(value, float) else value for value in row] for row in rows]
        for predicate, _, rows in _grouped(scene, image)
    }
    document = {
        "model": {"name": model.name, "sha256": model.sha256},
        "image": {"name": image.name, "sha256": image.sha256, "width": image.width, "height": image.height},
        "looks": looks,
        "facts": facts,
    }
    return json.dumps(document, indent=1) + "\n"


@cache
def _spatial() -> str:
    return resources.files("bridge").joinpath("spatial.pl").read_text("utf-8").strip()


def _header(model: Model, image: ImageInfo, looks: int | None) -> str:
    lines = [
        "What a PrediNet saw in an image, as a Prolog program.",
        "",
        f"model    {model.name} (sha256 {model.sha256})",
        f"image    {image.name}, {image.width} x {image.height} pixels (sha256 {image.sha256})",
        f"looks    {'until nothing new appears' if looks is None else looks}",
        "",
        *GLOSSARY.splitlines(),
    ]
    return "\n".join(f"% {comment(line)}".rstrip() for line in lines)


def _grouped(scene: Scene, image: ImageInfo) -> Iterator[tuple[str, int, list[Row]]]:
    """Every predicate with facts of its own: its name, arity and arguments, in the program's order.

    An argument's type is the same in all facts of a predicate.
    """
    scale_x, scale_y = image.width / scene.image_size, image.height / scene.image_size
    symbols = scene.symbols
    names = [symbol.name for symbol in symbols]
    heads, relations = scene.values.shape[1:]
    pairs = [(names[first], names[second]) for first, second in scene.pairs.reshape(-1, 2).tolist()]  # look by look
    values = scene.values.reshape(-1, relations).T.tolist()  # of each relation, for every pair
    coordinates = np.stack([symbol.coordinates for symbol in symbols], axis=1).tolist()
    yield "object", 1, [(symbol.name,) for symbol in symbols if symbol.is_object]
    yield "background", 1, [(symbol.name,) for symbol in symbols if not symbol.is_object]
    yield "position", 3, [(symbol.name, float(symbol.x * scale_x), float(symbol.y * scale_y)) for symbol in symbols]
    yield "look", 2, [(symbol.name, symbol.look) for symbol in symbols]
    yield "head", 3, [(f"h{index % heads}", *pair) for index, pair in enumerate(pairs)]
    for relation in range(relations):
        yield f"r{relation}", 3, [(value, *pair) for value, pair in zip(values[relation], pairs, strict=True)]
    yield (
        "coordinate",
        3,
        [
            (f"r{relation}", name, value)
            for relation in range(relations)
            for name, value in zip(names, coordinates[relation], strict=True)
        ],
    )
    yield "slope", 3, [(f"r{index}", *slope) for index, slope in enumerate(scene.slopes.tolist())]
    # A quarter of a window: half of what separates two neighbouring windows.
    yield "tolerance", 1, [(symbols[0].width * scale_x / 4,)]


def _facts(predicate: str, rows: list[Row]) -> str:
    """A fact on each line. Written argument by argument, not fact by fact: a program has a thousand facts and more,
    and a service writes one for every image."""
    columns = [map(_writer(column[0]), column) for column in zip(*rows, strict=True)]
    start = f"{atom(predicate)}("
    return "\n".join([f"{start}{', '.join(texts)})." for texts in zip(*columns, strict=True)])


def _writer(value: Argument) -> Callable[[Any], str]:
    """What writes arguments of the type of `value`."""
    if isinstance(value, str):
        return atom
    return str if isinstance(value, int) else number


def _nothing(predicate: str, arity: int) -> str:
    """A clause that defines the predicate and never holds."""
    return f"{atom(predicate)}({', '.join(['_'] * arity)}) :- fail."
