"""Writers: a scene as a Prolog program that stands alone, or the same facts as JSON."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from bridge.grounding import read_grounding
from bridge.scene import Scene
from bridge.terms import atom, comment, numbers
from neural.checkpoint import Model

SMALL = 0.1
"""A relation's value below this counts as small: the paper's example clause, which gives no number."""

Column = list[str] | list[int] | NDArray[np.float64]
"""One argument of all facts of a predicate: names, counts, or numbers."""
Facts = tuple[str, list[Column]]
"""A predicate and its facts, argument by argument."""

_SIZE = re.compile(r"^% image .*, (\d+) x (\d+) pixels \(sha256 [0-9a-f]{64}\)$", re.MULTILINE)
_WARNING = re.compile(r"^% warning  (.*)$", re.MULTILINE)
_HEADER = 2**13
"""Characters at the start of a program that hold all of its header that is not the same in every program."""

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
noise_level(N)        how spoiled the picture is: 0 if it is clean, more with noise, artefacts or blur
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
    warnings: tuple[str, ...] = ()
    """What a user should know before trusting what was seen, one line each."""


def write_program(scene: Scene, *, model: Model, image: ImageInfo, looks: int | None = None) -> str:
    """The scene as Prolog text. Same scene, model, image and options: same bytes.

    `looks` is the bound the scene was perceived with, for the header. Facts come grouped by predicate, in the
    order of `facts_of`. Every predicate of the glossary is defined, even where the scene has no fact of it. Those
    that were grounded for the model follow, with what they mean.
    """
    facts = list(facts_of(scene, image))
    texts = [
        text or nothing(predicate, len(columns))
        for (predicate, columns), (_, text) in zip(facts, write_facts(facts), strict=True)
    ]
    return "\n\n".join([_header(model, image, looks), *texts, write_rules(model)])


def write_rules(model: Model, *, heads: bool = True) -> str:
    """The clauses that end every program of the model, whatever its image; `heads` says whether those about what its
    heads picked are among them."""
    return _rules(read_grounding(model) or "", model.config.relations if heads else 0)


@lru_cache(16)  # every program of a model ends with the same text
def _rules(grounding: str, relations: int) -> str:
    names = [f"r{index}" for index in range(relations)]
    sections = [
        grounding.strip(),
        "\n".join(f"holds({name}, V, X, Y) :- {name}(V, X, Y)." for name in names),
        _spatial(),
        f"small(V) :- abs(V) < {SMALL}.\nlarge(V) :- abs(V) >= {SMALL}.",
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def is_program_of(text: str, image: str, sha256: str, *, model: Model, looks: int | None = None) -> bool:
    """Whether `text` is the program that `write_program` would write for the image of that name and hash.

    Its header and rules are compared; the facts between follow from what the header says.
    """
    size = _SIZE.search(text[:_HEADER])
    if size is None:
        return False
    info = ImageInfo(image, sha256, int(size[1]), int(size[2]), warnings_of(text))
    return text.startswith(_header(model, info, looks)) and text.endswith(write_rules(model))


def warnings_of(text: str) -> tuple[str, ...]:
    """The warnings in the header of the program `text`, as they were given when it was written."""
    return tuple(_WARNING.findall(text[:_HEADER]))


def write_json(scene: Scene, *, model: Model, image: ImageInfo, looks: int | None = None) -> str:
    """The same facts, without the clauses: {"model": …, "warnings": […], "facts": {"object": [["ob_0"], …], …}, …}."""
    facts = {
        predicate: list(zip(*map(_json_values, columns), strict=True)) for predicate, columns in facts_of(scene, image)
    }
    document = {
        "model": _model_json(model),
        "image": {"name": image.name, "sha256": image.sha256, "width": image.width, "height": image.height},
        "looks": looks,
        "warnings": image.warnings,
        "facts": facts,
    }
    return json.dumps(document, indent=1) + "\n"


def is_json_of(text: str, image: str, sha256: str, *, model: Model, looks: int | None = None) -> bool:
    """Whether `text` is JSON that `write_json` wrote for the image of that name and hash."""
    try:
        document = json.loads(text)
        of_image = document["image"]["name"], document["image"]["sha256"]
        return of_image == (image, sha256) and document["model"] == _model_json(model) and document["looks"] == looks
    except (ValueError, TypeError, KeyError):  # no JSON, or another's
        return False


def _model_json(model: Model) -> dict[str, str]:
    return {"name": model.name, "sha256": model.sha256}


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
        *(f"warning  {warning}" for warning in image.warnings),
        "",
        *GLOSSARY.splitlines(),
    ]
    return "\n".join(f"% {comment(line)}".rstrip() for line in lines)


def facts_of(scene: Scene, image: ImageInfo) -> Iterator[Facts]:
    """All facts, in the program's order."""
    scale_x, scale_y = image.width / scene.image_size, image.height / scene.image_size
    symbols = scene.symbols
    names = [symbol.name for symbol in symbols]
    looks, heads, relations = scene.values.shape
    of_relations = [f"r{index}" for index in range(relations)]
    first, second = ([names[index] for index in side] for side in scene.pairs.reshape(-1, 2).T.tolist())
    values = scene.values.reshape(-1, relations)  # look by look
    coordinates = np.array([symbol.coordinates for symbol in symbols]).T  # (j, symbols)
    x, y = (np.array([getattr(symbol, axis) for symbol in symbols]) for axis in "xy")
    yield "object", [[symbol.name for symbol in symbols if symbol.is_object]]
    yield "background", [[symbol.name for symbol in symbols if not symbol.is_object]]
    yield "position", [names, x * scale_x, y * scale_y]
    yield "look", [names, [symbol.look for symbol in symbols]]
    yield "head", [[f"h{index}" for index in range(heads)] * looks, first, second]
    for relation, name in enumerate(of_relations):
        yield name, [values[:, relation], first, second]
    yield (
        "coordinate",
        [
            [name for name in of_relations for _ in names],
            names * relations,
            coordinates.ravel(),
        ],
    )
    yield "slope", [of_relations, scene.slopes[:, 0], scene.slopes[:, 1]]
    yield "noise_level", [np.array([scene.noise_level])]
    # A quarter of a window: half of what separates two neighbouring windows.
    yield "tolerance", [np.array([symbols[0].width * scale_x / 4])]


def write_facts(facts: Iterable[Facts], first: str = "") -> Iterator[tuple[str, str]]:
    """Each predicate and its facts as Prolog text, a fact on each line; `first` stands before all arguments.

    A program has a thousand facts and more, and a service writes one for every image. So nothing is done for each fact
    that can be done for many: all numbers are written at once, and what stands around them is one template for every
    predicate, put together once for predicates that have their names in common, as the relations have.
    """
    whole = list(facts)
    written = iter(numbers(np.concatenate([_numbers(columns) for _, columns in whole])))
    common: dict[tuple[int, ...], list[str]] = {}
    for predicate, columns in whole:
        key = tuple(0 if isinstance(column, np.ndarray) else id(column) for column in columns)
        if key not in common:
            common[key] = [f"{', '.join(row)})." for row in zip(*map(_texts, columns), strict=True)]
        start = _literally(f"{atom(predicate)}({first}")
        template = start + f"\n{start}".join(common[key]) if common[key] else ""
        yield predicate, template % tuple(islice(written, key.count(0) * len(common[key])))


def _numbers(columns: list[Column]) -> NDArray[np.float64]:
    """All numbers of a predicate's facts, fact by fact."""
    own = [column for column in columns if isinstance(column, np.ndarray)]
    return own[0] if len(own) == 1 else np.array(own).T.ravel()


def nothing(predicate: str, arity: int) -> str:
    """A clause that defines the predicate and never holds."""
    return f"{atom(predicate)}({', '.join(['_'] * arity)}) :- fail."


def _texts(column: Column) -> Iterable[str]:
    """The column's arguments in a template."""
    if isinstance(column, np.ndarray):
        return ["%s"] * len(column)
    return map(_literal, column)


@lru_cache(4096)  # a program repeats a few dozen names thousands of times
def _literal(value: str | int) -> str:
    """The atom or count in a template."""
    return str(value) if isinstance(value, int) else _literally(atom(value))


def _literally(text: str) -> str:
    """What stands for `text` in a template."""
    return text.replace("%", "%%")


def _json_values(column: Column) -> Sequence[str | int | float]:
    return list(map(float, numbers(column))) if isinstance(column, np.ndarray) else column
