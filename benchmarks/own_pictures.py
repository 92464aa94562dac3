"""How well pictures of one's own are seen: what is found, what is said of pairs, and what is warned about.

    python benchmarks/own_pictures.py [--models NAME …] [--n N] [--sets NAME …] [--json FILE]

`exact` is the share of pictures in which every thing was found once and nothing else; the accuracies are balanced and
over all true pairs: a pair with a thing that was not found counts as wrong. `ECE` is the largest expected calibration
error of the learned predicates. `missed` and `false` are things a picture. Sets that must be warned about have no
truth. Beside each model stand what was asked for, connected components with hand-made features, and the design
experiment, which had 60–150 pictures a set and counted pairs of found things only.

Nothing was trained, grounded, chosen or tuned on these pictures.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

import numpy as np

from benchmarks.own_pictures_icons import icon_pictures
from benchmarks.own_pictures_peer import taught_peer
from benchmarks.own_pictures_sets import photographed_boards, photographs, texts, textures
from benchmarks.shared import GAME, options, print_head, print_row
from bridge import ImageInfo, Perceiver
from bridge.definitions import Definition
from bridge.glimpses.scene import SeenObject, SeenScene
from bridge.scene import FloatArray
from domains.domain import Annotated, Inspection, Pixels
from domains.scenes.domain import DOMAIN
from domains.scenes.domain import STYLES as STYLES_OF_SCENES
from domains.sort_of_clevr.domain import DOMAIN as SORT_OF_CLEVR
from experiments.folder_evaluation import FolderEvaluation, GlimpseSeer, definitions_of, evaluate_folder
from experiments.judging import Sight
from neural import Model, load_model
from neural.glimpses.model import GlimpseModel, load_any

SEED = 5_200_007
"""Pictures come from a seed that nothing was trained, grounded or tested with."""
PREDICATES = "same", "same_shape", "same_colour", "same_size"
STYLES = tuple(STYLES_OF_SCENES)[1:]
Figures = tuple[float | None, ...]
_SINGLE: Figures = (0.97, 0.98, 0.95, 0.98, 0.97)
_LIGHT: Figures = (0.99, 0.99, 0.98, 0.98, None)
_ICONS: Figures = (0.95, 0.99, 0.97, None, 0.97)
ASKED: Mapping[str, Figures] = {
    "plain": (0.99, 0.99, 0.98, 0.99, 0.98),
    **dict.fromkeys(("noise", "jpeg", "gradient", "shadow", "two_colours"), _SINGLE),
    "close": (0.97, 0.97, 0.94, 0.97, 0.96),
    "crowded": (0.92, 0.97, 0.94, 0.97, 0.96),
    "touching": (0.85, 0.96, 0.93, 0.97, 0.95),
    "disturbed": (0.94, 0.97, 0.92, 0.96, 0.95),
    "icons_96": _ICONS,
    "icons_192": _ICONS,
    "sort_of_clevr": (0.98, None, 0.98, None, None),
    "hexos": _LIGHT,
    "stripes": _LIGHT,
}
"""Least exact scenes and accuracies of the PREDICATES."""
EXPERIMENT: Mapping[str, Figures] = {
    "plain": (1.0, 0.987, 0.965, 0.985, 0.958),
    "noise": (0.99, 0.953, 0.926, 0.960, 0.949),
    "jpeg": (0.98, 0.956, 0.884, 0.950, 0.902),
    "gradient": (0.97, 0.967, 0.928, 0.972, 0.983),
    "shadow": (0.96, 0.974, 0.954, 0.948, 0.985),
    "two_colours": (0.96, 0.973, 0.935, None, 0.954),
    "close": (0.97, 0.903, 0.890, 0.951, 0.930),
    "crowded": (0.88, None, None, None, None),
    "touching": (0.42, None, None, None, None),
    "disturbed": (0.91, 0.955, 0.861, 0.946, 0.905),
    "many_parts": (0.87, None, None, None, None),
    "icons_96": (0.84, 0.996, 0.951, None, None),
    "icons_192": (0.90, None, None, None, None),
    "sort_of_clevr": (0.96, None, 0.956, None, None),
}
"""The same of the design experiment: exact scenes of its last finder, accuracies of its first glimpses."""
LEAST_WARNED, MOST_WARNED = 0.98, 0.01
"""Of sets that must be warned about, and of the others."""


class Sees(Protocol):
    """Whoever sees pictures."""

    @property
    def sizes(self) -> bool: ...

    @property
    def definitions(self) -> Sequence[Definition]: ...

    def perceive(self, pictures: Iterable[Pixels]) -> Iterator[SeenScene]: ...


@dataclass
class Watched:
    """Counts what somebody is warned about."""

    seer: Sees
    warned: int = 0

    @property
    def sizes(self) -> bool:
        return self.seer.sizes

    @property
    def definitions(self) -> Sequence[Definition]:
        return self.seer.definitions

    def perceive(self, pictures: Iterable[Pixels]) -> Iterator[SeenScene]:
        """A scene of each."""
        for scene in self.seer.perceive(pictures):
            self.warned += scene.inspection.score >= 1
            yield scene

    def program(self, scene: Sight, image: ImageInfo) -> str:
        raise AssertionError("no goal is asked")


@dataclass(frozen=True)
class BoardReader:
    """The game's own model, for pictures with a board somewhere in them; places are pixels of the true board."""

    model: Model
    to_picture: Sequence[FloatArray]
    """Of each picture, what takes places (x, y, 1) of the true board to it."""
    sizes: bool = False

    @property
    def definitions(self) -> Sequence[Definition]:
        return definitions_of(self.model)

    def perceive(self, pictures: Iterable[Pixels]) -> Iterator[SeenScene]:
        """A scene of each; without a board, nothing is seen, and that is said."""
        perceiver, (height, width) = Perceiver(self.model), (GAME.picture.height, GAME.picture.width)
        for picture, to_picture in zip(pictures, self.to_picture, strict=True):
            located = GAME.locate(picture)
            if located is None:
                yield SeenScene((), (), Inspection(1.0, "no board is found", 0.0), width, height)
                continue
            scene = perceiver.perceive(located.pixels[None])[0]
            to_board = np.linalg.inv(to_picture) @ located.to_picture
            things = tuple(
                SeenObject(thing.name, moved(thing.box, to_board), (0, 0, 0), np.asarray(thing.coordinates))
                for thing in scene.objects
            )
            yield SeenScene(things, (), Inspection(located.doubt, located.reason, scene.noise_level), width, height)


def moved(box: object, by: FloatArray) -> FloatArray:
    """The box (4,) around what `by` (3, 3) makes of a box."""
    left, top, right, bottom = np.asarray(box, dtype=np.float64)
    corners = by @ np.array([(left, top, 1), (right, top, 1), (left, bottom, 1), (right, bottom, 1)]).T
    places = corners[:2] / corners[2]
    return np.concatenate([places.min(axis=1), places.max(axis=1)])


@dataclass(frozen=True)
class Row:
    """What somebody made of a set of pictures."""

    name: str
    who: str
    evaluation: FolderEvaluation
    warned: float | None
    """Share of the pictures; None of those who never warn."""

    def to_json(self) -> dict[str, object]:
        return {"set": self.name, "who": self.who, **self.evaluation.to_json(), "warned": self.warned}

    def cells(self) -> list[str]:
        """Those of the table but the first two."""
        seen = self.evaluation
        if (faults := seen.all_faults) is None:
            return [*["–"] * 8, shown(self.warned)]
        errors = [error for error in seen.calibration.values() if error is not None]
        return [
            *map(shown, (seen.exact_scenes, *(seen.pairs.get(name) for name in PREDICATES))),
            shown(max(errors) if errors and self.warned is not None else None),
            f"{faults.missing / seen.n:.2f}",
            f"{(faults.spurious + faults.merged) / seen.n:.2f}",
            shown(self.warned),
        ]


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--models", nargs="*", default=["scenes"], help="names or files (default: scenes; none: peers)")
    parser.add_argument("--n", type=int, default=400, help="pictures a set (default: 400)")
    parser.add_argument("--sets", choices=SETS, nargs="+", default=list(SETS), help="some sets")
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    given = parser.parse_args()
    models = [load_any(name) for name in given.models]
    rows: list[Row] = []
    print_head("set", "who", "exact", *PREDICATES, "ECE", "missed", "false", "warned")
    for name in given.sets:
        report(f"{name}: drawing {given.n} pictures")
        for row in SETS[name](name, given.n, [model for model in models if isinstance(model, GlimpseModel)]):
            rows.append(row)
            print_row(name, row.who, *row.cells())
        for who, figures, most in (("asked", ASKED, MOST_WARNED), ("experiment", EXPERIMENT, None)):
            if name in figures:
                print_row(name, who, *map(shown, figures[name]), "0.020" if most else "–", "–", "–", shown(most))
        if name in WARNED:
            print_row(name, "asked", *["–"] * 8, shown(LEAST_WARNED))
    if given.json:
        given.json.write_text(json.dumps([row.to_json() for row in rows], indent=1) + "\n")


def measured(name: str, who: str, seer: Sees, annotated: Annotated, *, warns: bool = True) -> Row:
    """What `seer` makes of the pictures."""
    watched, seen = Watched(seer), 0

    def count(more: int) -> None:
        nonlocal seen
        seen += more
        report(f"{name}, {who}: {seen} of {len(annotated)} seen")

    evaluation = evaluate_folder(watched, annotated, report=count)
    report("")
    return Row(name, who, evaluation, watched.warned / len(annotated) if warns else None)


def rows_of(name: str, annotated: Annotated, models: Sequence[GlimpseModel]) -> Iterator[Row]:
    """One of each model, then that of the peer."""
    for model in models:
        yield measured(name, model.name, GlimpseSeer(model), annotated)
    if annotated.truth is not None:
        yield measured(name, "components", PEER(), annotated, warns=False)


class _Taught:
    """The peer, taught when it is first asked for."""

    peer: Sees | None = None

    def __call__(self) -> Sees:
        self.peer = self.peer or taught_peer()
        return self.peer


PEER = _Taught()


def drawn(name: str, n: int, models: Sequence[GlimpseModel]) -> Iterator[Row]:
    """Scenes of the style `name`, of families of shapes that only measure."""
    return rows_of(name, DOMAIN.generate_annotated(n, seed=SEED, kind="judging", task=name), models)


def icons(name: str, n: int, models: Sequence[GlimpseModel]) -> Iterator[Row]:
    """Icons in pictures of as many pixels as the name ends with."""
    return rows_of(name, icon_pictures(n, side=int(name.rpartition("_")[2]), seed=SEED), models)


def clevr(name: str, n: int, models: Sequence[GlimpseModel]) -> Iterator[Row]:
    """Sort-of-CLEVR; that no two things of a picture have one colour is told, too."""
    drawn = SORT_OF_CLEVR.generate_annotated(n, seed=SEED)
    assert drawn.truth is not None
    colour = np.arange(len(drawn.truth.image)) % SORT_OF_CLEVR.most_objects
    truth = replace(drawn.truth, attributes={**drawn.truth.attributes, "colour": colour})
    return rows_of(name, replace(drawn, truth=truth), models)


def boards(name: str, n: int, models: Sequence[GlimpseModel]) -> Iterator[Row]:
    """Boards in real light with things of the kind `name`, read by the game's own model."""
    del models
    annotated, to_picture = photographed_boards(n, kind=name, seed=SEED)
    model = load_model("relations-game")
    yield measured(name, model.name, BoardReader(model, to_picture), annotated)


def warned(name: str, n: int, models: Sequence[GlimpseModel]) -> Iterator[Row]:
    """Pictures that must be warned about."""
    pictures = tuple(WARNED[name](n, SEED))
    return rows_of(name, Annotated(tuple(map(str, range(n))), pictures), models)


WARNED: Mapping[str, Callable[[int, int], Iterator[Pixels]]] = {
    "photographs": lambda n, seed: photographs(n, seed=seed),
    "texts": lambda n, seed: texts(n, seed=seed),
    "textures": lambda n, seed: textures(n, seed=seed),
}
SETS: Mapping[str, Callable[[str, int, Sequence[GlimpseModel]], Iterator[Row]]] = {
    **dict.fromkeys(STYLES, drawn),
    **dict.fromkeys(("icons_96", "icons_192"), icons),
    "sort_of_clevr": clevr,
    **dict.fromkeys(("hexos", "stripes"), boards),
    **dict.fromkeys(WARNED, warned),
}


def shown(figure: float | None) -> str:
    """With three digits; a dash for what is not known."""
    return "–" if figure is None else f"{figure:.3f}"


def report(progress: str) -> None:
    """Writes over the line before, where somebody is looking."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{progress}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
