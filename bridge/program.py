"""The program of a picture as an object: where it comes from, its facts, and what it can be asked. Writers make text of
it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from bridge.clauses import Section, rules
from bridge.colours import COLOURS
from bridge.definitions import Grounding, read_grounding
from bridge.glimpses.clauses import SHAPE_AND_SIZE, scene_rules
from bridge.scene import FloatArray, Heads, Scene, Thing
from bridge.terms import numbers
from bridge.vocabulary import Dialect, base_facts_of
from neural.glimpses.scales import looked_at
from neural.model import Model

Column = list[str] | list[int] | NDArray[np.float64]
"""One argument of all facts of a predicate: names, counts, or numbers."""
Facts = Mapping[str, list[Column]]
"""By predicate, its facts, argument by argument."""
PlainFacts = Mapping[str, list[list[str] | list[int] | list[float]]]
"""The same with numbers as the text has them."""


SHARE, NOISE, GRAIN, MOST = 0.25, 2.5, 2.0, 0.5
"""The tolerance: a quarter of the usual size, for what lies in one row by eye may be off by that much; and what a pixel
of noise makes of how much further one thing is than another, up to half of that size. A pixel makes two of the picture,
and a little more aslant; and two of those that the finder looked at, for it knows where a box ends to half of one."""


@dataclass(frozen=True)
class ImageInfo:
    """What a program says of its image."""

    name: str
    sha256: str
    """Of the image file's bytes, 64 hexadecimal digits."""
    width: int
    """Pixels of the image as it was given; positions are in these."""
    height: int
    warnings: tuple[str, ...] = ()
    """What a user should know before trusting what was seen, one line each."""


@dataclass(frozen=True)
class Provenance:
    """Where a program comes from."""

    model: str
    model_sha256: str
    image: ImageInfo
    looks: int | None
    """The bound that the scene was perceived with; None: until nothing new appeared."""
    boxes_sha256: str | None = None
    """Of the boxes that were given; None: things were found."""

    def to_json(self) -> dict[str, object]:
        """For a header and for JSON."""
        image = self.image
        return {
            "model": {"name": self.model, "sha256": self.model_sha256},
            "image": {"name": image.name, "sha256": image.sha256, "width": image.width, "height": image.height},
            "looks": self.looks,
            "warnings": list(image.warnings),
            **({} if self.boxes_sha256 is None else {"boxes": {"sha256": self.boxes_sha256}}),
        }

    def is_of(self, document: object) -> bool:
        """Whether `document`, which `to_json` may have made, tells of the same model, image file, looks and
        boxes."""
        own = self.to_json()
        if not isinstance(document, dict) or not isinstance(document.get("image"), dict):
            return False
        image = [document["image"].get(name) for name in ("name", "sha256")]
        return (
            image == [self.image.name, self.image.sha256]
            and all(name in document and document[name] == own[name] for name in ("model", "looks"))
            and document.get("boxes") == own.get("boxes")
        )


@dataclass(frozen=True)
class ModelRules:
    """What is the same in all programs of a model."""

    sections: tuple[Section, ...]
    """Their clauses, those together that belong together."""
    definitions: Grounding | None
    """What was learned for the model."""
    dialect: Dialect
    """What their vocabulary is."""


@dataclass(frozen=True, eq=False)
class Program:
    """What a model saw in one image, and what it knows of such images."""

    provenance: Provenance
    facts: Facts
    rules: ModelRules

    @property
    def sections(self) -> tuple[Section, ...]:
        """Its clauses, those together that belong together."""
        return self.rules.sections

    @property
    def definitions(self) -> Grounding | None:
        """What was learned for the model."""
        return self.rules.definitions

    @property
    def predicates(self) -> list[str]:
        """`name/arity` of every predicate that it defines, in its order."""
        heads = (clause.head.indicator for section in self.sections for clause in section)
        return list(dict.fromkeys([*(f"{name}/{len(columns)}" for name, columns in self.facts.items()), *heads]))


def make_program(
    scene: Scene,
    *,
    model: Model,
    image: ImageInfo,
    looks: int | None = None,
    to_image: NDArray[np.float64] | None = None,
    boxes_sha256: str | None = None,
) -> Program:
    """The program of a scene of the model.

    looks: the bound that it was perceived with. to_image: (3, 3), takes (x, y, 1) in the scene to pixels of the image,
    up to a factor; None: the scene is all of it. boxes_sha256: of the boxes that were given, if they were.
    """
    provenance = Provenance(model.name, model.sha256, image, looks, boxes_sha256)
    return Program(provenance, facts_of(scene, image, to_image, colours=tells_colours(model)), rules_of(model))


def tells_colours(model: Model) -> bool:
    """Whether programs of the model say which colours things have: one that was grounded says how well it reads them,
    and glimpses read them as they are."""
    grounding = read_grounding(model)
    return model.kind == "glimpses" or (grounding is not None and grounding.tells_colours)


def rules_of(model: Model, *, propositions: bool = True) -> ModelRules:
    """What ends every program of the model, whatever its image; `propositions` says whether the clauses about the
    paper's propositions are among it."""
    grounding = read_grounding(model)
    return _rules_of(grounding, tuple(model.axes.items()), Dialect(model.kind, model.place), propositions)


@lru_cache(32)
def _rules_of(
    grounding: Grounding | None, axes: tuple[tuple[str, int], ...], dialect: Dialect, propositions: bool
) -> ModelRules:
    learned = [grounding.section] if grounding else []
    if dialect.kind == "windows":
        sections = (*learned, *rules(sum(count for _, count in axes) if propositions else 0), COLOURS)
        return ModelRules(sections, grounding, dialect)
    if grounding and any(definition.predicate == "same_shape" for definition in grounding.trusted):
        learned.append(SHAPE_AND_SIZE)
    return ModelRules((*learned, *scene_rules(dict(axes), propositions=propositions)), grounding, dialect)


def facts_of(
    scene: Scene, image: ImageInfo, to_image: NDArray[np.float64] | None = None, *, colours: bool = True
) -> Facts:
    """All facts of a picture, in the program's order; `to_image` is as make_program has it. `colours` says whether
    those of things are told."""
    if to_image is None:
        to_image = np.diag([image.width / scene.size[0], image.height / scene.size[1], 1.0])
        scale = float(to_image[0, 0])
    else:
        scale = abs(float(np.linalg.det(to_image[:2, :2]))) ** 0.5 / float(to_image[2, 2])
    things, symbols = scene.things, scene.symbols
    parts = [part for thing in things for part in thing.parts]
    placed, boxed = [*symbols, *parts], [*things, *parts]
    names = [symbol.name for symbol in symbols]
    boxes = _boxes(to_image, boxed)
    tinted = [(thing.name, thing.colour) for thing in boxed if thing.colour] if colours else []
    relations = [f"r{index}" for index in range(symbols[0].coordinates.size if symbols else 0)]
    coordinates = np.array([symbol.coordinates for symbol in symbols]).T  # (j, symbols)
    return {
        "object": [[thing.name for thing in things]],
        "background": [[symbol.name for symbol in scene.background]],
        "position": [[symbol.name for symbol in placed], *_middles(to_image, placed)],
        "box": [[thing.name for thing in boxed], *boxes.T],
        "colour": [[name for name, _ in tinted], *([colour[band] for _, colour in tinted] for band in range(3))],
        **(_facts_of_parts(scene) if scene.heads is None else _facts_of_heads(scene.heads, names)),
        "coordinate": [[name for name in relations for _ in names], names * len(relations), coordinates.ravel()],
        **({} if scene.heads is None else {"slope": [relations, *scene.heads.slopes.T]}),
        "noise_level": [np.array([scene.noise_level])],
        **_limits(scene, boxes[: len(things)], scale, max(to_image[0, 0], to_image[1, 1])),
    }


def _facts_of_heads(heads: Heads, names: list[str]) -> Facts:
    """The paper's propositions, and when the symbols were first looked at."""
    looks, count, relations = heads.values.shape
    first, second = ([names[index] for index in side] for side in heads.pairs.reshape(-1, 2).T.tolist())
    values = heads.values.reshape(-1, relations)  # look by look
    return {
        "look": [names, list(heads.first_looks)],
        "head": [[f"h{index}" for index in range(count)] * looks, first, second],
        **{f"r{index}": [values[:, index], first, second] for index in range(relations)},
    }


def _facts_of_parts(scene: Scene) -> Facts:
    """What things are made of, and which lie against each other."""
    parts = [(part.name, thing.name) for thing in scene.things for part in thing.parts]
    pairs = sorted(chain(scene.touching, (pair[::-1] for pair in scene.touching)))
    names = [thing.name for thing in scene.things]
    return {
        "part": [[part for part, _ in parts]],
        "part_of": [[part for part, _ in parts], [thing for _, thing in parts]],
        "touches": [[names[first] for first, _ in pairs], [names[second] for _, second in pairs]],
    }


def _limits(scene: Scene, boxes: FloatArray, scale: float, pixel: float) -> Facts:
    """How far off places may be in pixels of the image, of which a pixel of the scene is `scale` wide and `pixel` long
    at most; `boxes` (n, 4) are those of the things there."""
    if scene.heads is not None:
        # A quarter of a window: half of what separates two neighbouring windows.
        left, _, right, _ = scene.symbols[0].place
        return {"tolerance": [np.array([(right - left) * scale / 4])]}
    usual = float(np.median((boxes[:, 2:] - boxes[:, :2]).max(axis=1))) if len(boxes) else 0.0
    noise = pixel * (NOISE + GRAIN * max(1 / looked_at(scene.size[1], scene.size[0], scene.boxes), 1.0))
    return {
        "tolerance": [np.array([max(SHARE * usual, min(MOST * usual, noise))])],
        "pixel": [np.array([pixel])],
    }


def _middles(to_image: NDArray[np.float64], things: list[Thing]) -> tuple[FloatArray, FloatArray]:
    """x and y (n,) of things in the image."""
    x, y = np.array([(thing.x, thing.y) for thing in things]).reshape(-1, 2).T
    return _moved(to_image, x, y)


def _boxes(to_image: NDArray[np.float64], things: list[Thing]) -> FloatArray:
    """(n, 4): the boxes of things in the image, which may be turned in it: all four corners count."""
    boxes = np.array([thing.box for thing in things]).reshape(-1, 4)
    across, down = _moved(to_image, boxes[:, [0, 0, 2, 2]], boxes[:, [1, 3, 1, 3]])
    return np.stack([across.min(1), down.min(1), across.max(1), down.max(1)], axis=1)


def _moved(to_image: NDArray[np.float64], x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where points come to lie: each row of the matrix, of `x`, `y` and 1."""
    across, down, factor = (row[0] * x + row[1] * y + row[2] for row in to_image)
    return across / factor, down / factor


def base_facts(program: Program) -> Facts:
    """What a knowledge base holds of an image; the image itself, which is every fact's first argument, is not said.

    Every predicate of a program is there but the propositions: `head/3`, `rI/3` and `holds/4` are left out. They are
    more than half of all facts, and nothing else in a program is defined by them: what a relation tells of two
    objects, their `coordinate/3` does as well.
    """
    image = program.provenance.image
    about: Facts = {
        "image": [[image.width], [image.height], [image.sha256]],
        "warning": [list(image.warnings)],
        **program.facts,
    }
    return {name: about[name] for name in base_facts_of(program.rules.dialect)}


def plain(facts: Facts) -> PlainFacts:
    """The facts with their numbers rounded as in the text."""
    return {name: [values(column) for column in columns] for name, columns in facts.items()}


def values(column: Column) -> list[str] | list[int] | list[float]:
    """A column with its numbers rounded as in the text."""
    return list(map(float, numbers(column))) if isinstance(column, np.ndarray) else column
