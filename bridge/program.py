"""The program of a picture as an object: where it comes from, its facts, and what it can be asked. Writers make text of
it."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.bridge import regional
from predinet_prolog.bridge.clauses import Literal, Section, changed, clause_of, rules
from predinet_prolog.bridge.colours import COLOURS
from predinet_prolog.bridge.definitions import Grounding, read_grounding
from predinet_prolog.bridge.glimpses.clauses import SHAPE_AND_SIZE, scene_rules
from predinet_prolog.bridge.kinds import gathered
from predinet_prolog.bridge.scene import FloatArray, Heads, Scene, Thing
from predinet_prolog.bridge.terms import numbers
from predinet_prolog.bridge.vocabulary import Dialect, base_facts_of, is_taken
from predinet_prolog.domains.detections.table import SIZE_IN_WORDS, keys_of
from predinet_prolog.domains.images import reduced
from predinet_prolog.neural.glimpses.scales import looked_at, usual_side
from predinet_prolog.neural.model import Model

Column = list[str] | list[int] | list[str | int | float] | NDArray[np.float64]
"""One argument of all facts of a predicate: names, counts, a mixture, or numbers."""
Facts = Mapping[str, list[Column]]
"""By predicate, its facts, argument by argument."""
PlainColumn = list[str] | list[int] | list[str | int | float] | list[float]
"""The same with numbers as the text has them."""
PlainFacts = Mapping[str, list[PlainColumn]]
Tables = Mapping[str, Callable[[], list[Column]]]
"""Facts that are made when they are wanted."""
Move = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]
"""Takes x and y in a scene to pixels of its image."""


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
    given_sha256: str | None = None
    """Of what was told of the image's things; None: they were found."""
    zones_sha256: str | None = None
    """Of the zones that were named; None: none were."""

    def to_json(self) -> dict[str, object]:
        """For a header and for JSON."""
        image = self.image
        return {
            "model": {"name": self.model, "sha256": self.model_sha256},
            "image": {"name": image.name, "sha256": image.sha256, "width": image.width, "height": image.height},
            "looks": self.looks,
            "warnings": list(image.warnings),
            **({} if self.given_sha256 is None else {"given": {"sha256": self.given_sha256}}),
            **({} if self.zones_sha256 is None else {"zones": {"sha256": self.zones_sha256}}),
        }

    def is_of(self, document: object) -> bool:
        """Whether `document`, made by `to_json` or not, tells of the same model, image file, looks and given things."""
        document_now = self.to_json()
        if not isinstance(document, dict) or not isinstance(document.get("image"), dict):
            return False
        image = [document["image"].get(name) for name in ("name", "sha256")]
        return (
            image == [self.image.name, self.image.sha256]
            and all(name in document and document[name] == document_now[name] for name in ("model", "looks"))
            and all(document.get(name) == document_now.get(name) for name in ("given", "zones"))
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

    def sections_with(self, keys: frozenset[str]) -> tuple[Section, ...]:
        """Its clauses, and those of attributes with those keys that were told."""
        sections = _with_long_sides(self.sections) if SIZE_IN_WORDS in keys else self.sections
        return (*sections, attributes) if (attributes := _attributes(self, keys)) else sections


@dataclass(frozen=True, eq=False)
class Program:
    """What a model saw in one image, and what it knows of such images."""

    provenance: Provenance
    facts: Facts
    rules: ModelRules
    keys: frozenset[str] = frozenset()
    """The attributes that are told of things, of these or of others."""

    @property
    def sections(self) -> tuple[Section, ...]:
        return self.rules.sections_with(self.keys)

    @property
    def definitions(self) -> Grounding | None:
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
    given_sha256: str | None = None,
    lot: regional.Lot | None = None,
) -> Program:
    """The program of a scene of the model.

    looks: the bound that it was perceived with. to_image: (3, 3), takes (x, y, 1) in the scene to pixels of the image,
    up to a factor; None: the scene is all of it. given_sha256: of what was told of its things, if they were. lot: of
    the scenes whose facts are made together with these.
    """
    zones_sha256 = None if scene.zones is None else scene.zones.sha256
    provenance = Provenance(model.name, model.sha256, image, looks, given_sha256, zones_sha256)
    rules = rules_of(model, given=scene.given, zones=scene.zones is not None)
    only = base_facts_of(rules.dialect) if not rules.dialect.looked else None
    scene = gathered(scene, rules.definitions) if rules.definitions and rules.definitions.kinds else scene
    facts = facts_of(scene, image, to_image, colours=tells_colours(model), only=only, lot=lot)
    keys = (keys_of(thing.attributes) for thing in scene.things if thing.attributes)
    return Program(provenance, facts, rules, scene.keys.union(*keys))


def tells_colours(model: Model) -> bool:
    """Whether programs of the model say which colours things have: one that was grounded says how well it reads them,
    and glimpses read them as they are."""
    grounding = read_grounding(model)
    return bool(model.relations and not model.heads) or (grounding is not None and grounding.tells_colours)


def rules_of(model: Model, *, propositions: bool = True, given: bool = False, zones: bool = False) -> ModelRules:
    """What ends every program of the model, whatever its image; `propositions` says whether the clauses about the
    paper's propositions are among it, `given` whether things were told, `zones` whether parts of it were named."""
    grounding = read_grounding(model)
    looked = model.relations > 0  # who compares nothing says all as if somebody had told it
    dialect = Dialect(model.place, model.heads > 0, looked, given or not looked, zones)
    return _rules_of(grounding, tuple(model.axes.items()), dialect, propositions)


_SURE = clause_of(
    "confidence(category(X, Category), P) :- category(X, Category), score(X, P)",
    ["confidence(category(X, Category), P): P is the score of what was told."],
)


@lru_cache(32)
def _rules_of(
    grounding: Grounding | None, axes: tuple[tuple[str, int], ...], dialect: Dialect, propositions: bool
) -> ModelRules:
    learned = [_besides(grounding.section if grounding else (), dialect)] if grounding or dialect.given else []
    regions = regional.sections(dialect.given, dialect.zones)
    if dialect.heads:
        sections = (*learned, *rules(sum(count for _, count in axes) if propositions else 0), COLOURS, *regions)
        return ModelRules(sections, grounding, dialect)
    if grounding and any(definition.predicate == "same_shape" for definition in grounding.trusted):
        learned.append(SHAPE_AND_SIZE)
    sections = scene_rules(dict(axes), propositions=propositions, looked=dialect.looked, given=dialect.given)
    return ModelRules((*learned, *sections, *regions), grounding, dialect)


def _besides(section: Section, dialect: Dialect) -> Section:
    """The learned clauses; where things were told, without those that tell what was told already, and with how sure
    that is."""
    if not dialect.given:
        return section
    base = {predicate.indicator for predicate in base_facts_of(dialect).values()}
    rest = [clause for clause in section if clause.head.indicator not in base]
    places = [place for place, clause in enumerate(rest) if clause.head.indicator == _SURE.head.indicator]
    rest.insert(places[-1] + 1 if places else len(rest), _SURE)  # a predicate's clauses stand together
    return tuple(rest)


@lru_cache(64)
def _attributes(model_rules: ModelRules, keys: frozenset[str]) -> Section:
    """For each attribute that was told and whose name is free, a predicate of that name."""
    heads = {clause.head.indicator for section in model_rules.sections for clause in section}
    free = {"size"} if SIZE_IN_WORDS in keys else set()
    free |= {key for key in keys if f"{key}/2" not in heads and not is_taken(key, given=True)}
    names = [key for key in sorted(free & keys) if re.fullmatch(r"[a-z][a-z0-9_]*", key)]
    clauses = [clause_of(f"{name}(X, Value) :- attribute(X, {name}, Value)") for name in names]
    remarks = ("What was told of things, by name.",)
    return tuple(replace(clause, remarks=() if at else remarks) for at, clause in enumerate(clauses))


@lru_cache(64)
def _with_long_sides(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """The clauses with long_side/2 for size/2, where size/2 is the word that was told."""

    def renamed(literal: Literal, _: str) -> Literal:
        return replace(literal, name="long_side") if literal.indicator == "size/2" else literal

    return tuple(changed(sections, renamed))


def facts_of(
    scene: Scene,
    image: ImageInfo,
    to_image: NDArray[np.float64] | None = None,
    *,
    colours: bool = True,
    only: Container[str] | None = None,
    lot: regional.Lot | None = None,
) -> Facts:
    """All facts of a picture, in the program's order; `to_image` and `lot` are as make_program has them. `colours` says
    whether those of things are told, `only` which predicates are; None: all."""
    if to_image is None:
        across, down = image.width / scene.size[0], image.height / scene.size[1]
        move, scale = lambda x, y: (across * x, down * y), across
    else:
        across, down = float(to_image[0, 0]), float(to_image[1, 1])
        move = partial(_moved, to_image)
        scale = abs(float(np.linalg.det(to_image[:2, :2]))) ** 0.5 / float(to_image[2, 2])
    things, symbols, trust = scene.things, scene.symbols, scene.inspection.trust
    parts = [part for thing in things for part in thing.parts]
    boxed = [*things, *parts]
    names = [symbol.name for symbol in symbols]
    places = np.array([thing.box for thing in boxed]).reshape(-1, 4)
    boxes = places * (across, down, across, down) if to_image is None else _hulls(move, places)
    tables: dict[str, Callable[[], list[Column]]] = {
        "object": lambda: [[thing.name for thing in things]],
        "background": lambda: [[symbol.name for symbol in scene.background]],
        "position": lambda: _positions(move, [*symbols, *parts]),
        "box": lambda: [[thing.name for thing in boxed], *boxes.T],
        "colour": lambda: _columns(4, ((thing.name, *thing.colour) for thing in boxed if thing.colour and colours)),
        **(_given(scene, boxes, move, scale) if scene.given else {}),
        **regional.tables(scene, boxes[: len(things)], (image.width, image.height), [] if lot is None else lot),
        **(_of_parts(scene) if scene.heads is None else _of_heads(scene.heads, names)),
        "coordinate": lambda: _coordinates(symbols, names),
        **({} if scene.heads is None else {"slope": partial(_slopes, scene.heads)}),
        "noise_level": lambda: [np.array([scene.noise_level])],
        **({"trust": lambda: [[] if trust is None else np.array([trust])]} if scene.heads is None else {}),
        **_limits(scene, places[: len(things)], boxes[: len(things)], scale, max(across, down)),
    }
    return _Facts({name: table for name, table in tables.items() if only is None or name in only})


class _Facts(Mapping[str, list[Column]]):
    """Facts, each predicate's made once it is asked for: a question reaches few of them."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._made: dict[str, list[Column]] = {}

    def __getitem__(self, name: str) -> list[Column]:
        if name not in self._made:
            self._made[name] = self._tables[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)


def _positions(move: Move, placed: list[Thing]) -> list[Column]:
    places = [symbol.box if symbol.window is None else symbol.window for symbol in placed]
    left, top, right, bottom = np.array(places).reshape(-1, 4).T
    return [[symbol.name for symbol in placed], *move((left + right) / 2, (top + bottom) / 2)]


def _hulls(move: Move, boxes: FloatArray) -> FloatArray:
    """(n, 4): the boxes in the image, which may be turned in it: all four corners count."""
    across, down = move(boxes[:, [0, 0, 2, 2]], boxes[:, [1, 3, 1, 3]])
    return np.array([across.min(1), down.min(1), across.max(1), down.max(1)]).T


def _columns(count: int, rows: Iterable[tuple[str | float, ...]]) -> list[Column]:
    """Rows of so many values as as many columns."""
    return list(map(list, zip(*rows, strict=True))) or [[]] * count


def _given(scene: Scene, boxes: FloatArray, move: Move, scale: float) -> Tables:
    """What was told of things, as it was told: true and false are names, whole numbers stay so."""
    things = scene.things

    def told(name: str) -> list[Column]:
        rows = ((thing.name, getattr(thing, name)) for thing in things)
        return _columns(2, (row for row in rows if row[1] is not None))

    def scores() -> list[Column]:
        names, values = told("score")
        return [names, np.array(values, dtype=np.float64)]

    def attributes() -> list[Column]:
        rows = ((thing.name, *pair) for thing in things for pair in thing.attributes.items())
        return _columns(3, ((*row, str(value).lower() if isinstance(value, bool) else value) for *row, value in rows))

    def keypoints() -> list[Column]:
        rows = ((thing.name, key, *place) for thing in things for key, place in thing.keypoints.items())
        names, keys, x, y = _columns(4, rows)
        return [names, keys, *move(np.array(x), np.array(y))]

    def areas() -> list[Column]:
        areas = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
        for place, thing in enumerate(things):
            if thing.region is not None and thing.region.any():  # a mask may have no pixel in the box
                areas[place] = scale**2 * np.count_nonzero(thing.region)
        return [[thing.name for thing in things], areas]

    return {
        "category": lambda: told("category"),
        "score": scores,
        "attribute": attributes,
        "track": lambda: told("track"),
        "keypoint": keypoints,
        "area": areas,
        "source": lambda: told("source"),
        "on_ground": lambda: _columns(3, ((things[a].name, way, things[b].name) for a, way, b in scene.ground)),
    }


def _of_heads(heads: Heads, names: list[str]) -> Tables:
    """The paper's propositions, and when the symbols were first looked at."""
    looks, count, relations = heads.values.shape
    first, second = ([names[index] for index in side] for side in heads.pairs.reshape(-1, 2).T.tolist())
    values = heads.values.reshape(-1, relations)  # look by look
    return {
        "look": lambda: [names, list(heads.first_looks)],
        "head": lambda: [[f"h{index}" for index in range(count)] * looks, first, second],
        **{f"r{index}": partial(list, [values[:, index], first, second]) for index in range(relations)},
    }


def _of_parts(scene: Scene) -> Tables:
    """What things are made of, and which lie against each other."""
    parts = [(part.name, thing.name) for thing in scene.things for part in thing.parts]
    names = [thing.name for thing in scene.things]

    def touches() -> list[Column]:
        pairs = sorted(chain(scene.touching, (pair[::-1] for pair in scene.touching)))
        return _columns(2, ((names[first], names[second]) for first, second in pairs))

    return {
        "part": lambda: [[part for part, _ in parts]],
        "part_of": lambda: _columns(2, parts),
        **({} if scene.given else {"touches": touches}),
    }


def _coordinates(symbols: Sequence[Thing], names: list[str]) -> list[Column]:
    relations = [f"r{index}" for index in range(symbols[0].coordinates.size if symbols else 0)]
    places = np.array([symbol.coordinates for symbol in symbols]).T  # (j, symbols)
    return [[name for name in relations for _ in names], names * len(relations), places.ravel()]


def _slopes(heads: Heads) -> list[Column]:
    return [[f"r{index}" for index in range(len(heads.slopes))], *heads.slopes.T]


def _limits(scene: Scene, places: FloatArray, boxes: FloatArray, scale: float, pixel: float) -> Tables:
    """How far off places may be in pixels of the image, of which a pixel of the scene is `scale` wide and `pixel` long
    at most; `places` (n, 4) are those of the things in the scene, `boxes` in the image."""
    if scene.heads is not None:
        # A quarter of a window: half of what separates two neighbouring windows.
        left, _, right, _ = scene.symbols[0].place
        return {"tolerance": lambda: [np.array([(right - left) * scale / 4])]}
    # What was told is looked at smaller than it was told, if at all.
    read = reduced(scene.size) if scene.given else scene.size
    width, height = (side // scene.block for side in read)
    shrunk = max(scene.size[0] / width, scene.size[1] / height)

    def tolerance() -> list[Column]:
        usual = usual_side(boxes)
        grain = max(1 / looked_at(height, width, places / shrunk), 1.0)
        noise = pixel * shrunk * (NOISE + GRAIN * grain)
        return [np.array([max(SHARE * usual, min(MOST * usual, noise))])]

    return {"tolerance": tolerance, "pixel": lambda: [np.array([pixel * shrunk])]}


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


def values(column: Column) -> PlainColumn:
    """A column with its numbers rounded as in the text."""
    return list(map(float, numbers(column))) if isinstance(column, np.ndarray) else column
