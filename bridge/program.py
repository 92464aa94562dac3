"""The program of an image as an object: where it comes from, its facts, and what it can be asked. Writers make text of
it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bridge.clauses import Section, rules
from bridge.colours import COLOURS
from bridge.definitions import Grounding, read_grounding
from bridge.glimpses.clauses import SHAPE_AND_SIZE, scene_rules
from bridge.scene import Scene
from bridge.terms import numbers
from bridge.vocabulary import base_facts_of
from neural.checkpoint import Model
from neural.glimpses.model import GlimpseModel

Column = list[str] | list[int] | NDArray[np.float64]
"""One argument of all facts of a predicate: names, counts, or numbers."""
Facts = Mapping[str, list[Column]]
"""By predicate, its facts, argument by argument."""
PlainFacts = Mapping[str, list[list[str] | list[int] | list[float]]]
"""The same with numbers as the text has them."""


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


@dataclass(frozen=True, eq=False)
class Program:
    """What a model saw in one image, and what it knows of such images."""

    provenance: Provenance
    facts: Facts
    sections: tuple[Section, ...]
    """Its clauses, those together that belong together."""
    definitions: Grounding | None
    """What was learned for the model."""
    place: str | None
    """How the model counts places, as a formula of the pixel Px and the image's width W; None if it has none: it takes
    pictures of any size."""

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
) -> Program:
    """The program of a scene of the model, which was perceived with the bound `looks`.

    to_image: (3, 3), takes (x, y, 1) in the scene to pixels of the image, up to a factor; None: the scene is all of it.
    """
    provenance, grounding = Provenance(model.name, model.sha256, image, looks), read_grounding(model)
    sections = _sections(grounding, model.config.relations)
    facts = facts_of(scene, image, to_image, colours=grounding is not None and grounding.tells_colours)
    return Program(provenance, facts, sections, grounding, place_of(model))


def sections_of(model: Model | GlimpseModel, *, propositions: bool = True) -> tuple[Section, ...]:
    """The clauses that end every program of the model, whatever its image; `propositions` says whether those about the
    paper's propositions are among them."""
    grounding = read_grounding(model)
    if isinstance(model, Model):
        return _sections(grounding, model.config.relations if propositions else 0)
    return _scene_sections(grounding, tuple(model.config.axes.items()), propositions)


@lru_cache(16)
def _sections(grounding: Grounding | None, relations: int) -> tuple[Section, ...]:
    return (*([grounding.section] if grounding else []), *rules(relations), COLOURS)


@lru_cache(16)
def _scene_sections(
    grounding: Grounding | None, groups: tuple[tuple[str, int], ...], propositions: bool
) -> tuple[Section, ...]:
    learned = [grounding.section] if grounding else []
    if grounding and any(each.predicate == "same_shape" for each in grounding.trusted):
        learned.append(SHAPE_AND_SIZE)
    return (*learned, *scene_rules(dict(groups), propositions=propositions))


def place_of(model: Model | GlimpseModel) -> str | None:
    """How the model counts places: its windows, each a stride after the one before, from 0 on to below 1; None of a
    model without windows."""
    if isinstance(model, GlimpseModel):
        return None
    config = model.config
    return f"({config.image_size}*Px/W - {config.filter_size / 2:g})/{config.stride * config.side}"


def facts_of(
    scene: Scene, image: ImageInfo, to_image: NDArray[np.float64] | None = None, *, colours: bool = True
) -> Facts:
    """All facts of an image, in the program's order; `to_image` is as make_program has it. `colours` says whether those
    of things are told."""
    scale_x, scale_y = image.width / scene.image_size, image.height / scene.image_size
    symbols = scene.symbols
    names = [symbol.name for symbol in symbols]
    looks, heads, relations = scene.values.shape
    of_relations = [f"r{index}" for index in range(relations)]
    first, second = ([names[index] for index in side] for side in scene.pairs.reshape(-1, 2).T.tolist())
    values = scene.values.reshape(-1, relations)  # look by look
    coordinates = np.array([symbol.coordinates for symbol in symbols]).T  # (j, symbols)
    x, y = (np.array([getattr(symbol, axis) for symbol in symbols]) for axis in "xy")
    objects = [symbol.name for symbol in scene.objects]
    tinted = [(each.name, each.colour) for each in scene.objects if each.colour] if colours else []
    boxes = np.array([symbol.box for symbol in scene.objects]).reshape(-1, 4) * [scale_x, scale_y, scale_x, scale_y]
    x, y = x * scale_x, y * scale_y
    if to_image is not None:
        back = to_image @ np.diag([1 / scale_x, 1 / scale_y, 1])
        x, y = _moved(back, x, y)
        across, down = _moved(
            back, boxes[:, [0, 0, 2, 2]], boxes[:, [1, 3, 1, 3]]
        )  # all four corners: it may be turned
        boxes = np.stack([across.min(1), down.min(1), across.max(1), down.max(1)], axis=1)
        scale_x = abs(float(np.linalg.det(to_image[:2, :2]))) ** 0.5 / float(to_image[2, 2])
    return {
        "object": [objects],
        "background": [[symbol.name for symbol in symbols if not symbol.is_object]],
        "position": [names, x, y],
        "box": [objects, *boxes.T],
        "colour": [[name for name, _ in tinted], *([colour[band] for _, colour in tinted] for band in range(3))],
        "look": [names, [symbol.look for symbol in symbols]],
        "head": [[f"h{index}" for index in range(heads)] * looks, first, second],
        **{name: [values[:, relation], first, second] for relation, name in enumerate(of_relations)},
        "coordinate": [[name for name in of_relations for _ in names], names * relations, coordinates.ravel()],
        "slope": [of_relations, scene.slopes[:, 0], scene.slopes[:, 1]],
        "noise_level": [np.array([scene.noise_level])],
        # A quarter of a window: half of what separates two neighbouring windows.
        "tolerance": [np.array([symbols[0].width * scale_x / 4])],
    }


def _moved(
    to_image: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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
    return {name: about[name] for name in base_facts_of(program.place)}


def plain(facts: Facts) -> PlainFacts:
    """The facts with their numbers rounded as in the text."""
    return {name: [values(column) for column in columns] for name, columns in facts.items()}


def values(column: Column) -> list[str] | list[int] | list[float]:
    """A column with its numbers rounded as in the text."""
    return list(map(float, numbers(column))) if isinstance(column, np.ndarray) else column
