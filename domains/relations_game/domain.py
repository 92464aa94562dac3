"""The Relations Game as a domain: what networks, symbols and evaluations know of it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np

from predinet_prolog.domains.annotations import write_folder
from predinet_prolog.domains.data import Corruption, Integers, Labelled, Picture, Pixels, Seed, Spoilt, Task
from predinet_prolog.domains.domain import Alignment, AttributeWindows, Board
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.relations_game.boards import even_boards, find_board
from predinet_prolog.domains.relations_game.corruptions import EVERYDAY, augmented_images, corrupt, object_offsets
from predinet_prolog.domains.relations_game.files import load_folder, load_npz, save_npz
from predinet_prolog.domains.relations_game.objects import MARGIN, OBJECT_SETS, SQUARE, ObjectSet, object_set
from predinet_prolog.domains.relations_game.out_of_distribution import REMEDY, inspect
from predinet_prolog.domains.relations_game.scenes import GRID, SIDE, Scenes, parse, truth_of
from predinet_prolog.domains.relations_game.tasks import CATALOGUE, generate, task_info

GALLERY_CELLS = (4, 0, 1, 2, 3, 5, 6, 7, 8)
"""Where an object stands alone: in the middle first."""


class RelationsGame(Board):
    """Boards of 3 × 3 cells on black, an object or none in each; see `domains.relations_game`."""

    name = "relations_game"
    picture = Picture(SIDE, SIDE)
    attributes: tuple[str, ...] = ("shape", "colour")
    kinds: tuple[str, ...] = OBJECT_SETS
    most_objects = GRID**2
    free_task = "scatter"
    corruptions: tuple[Corruption, ...] = EVERYDAY
    remedy = REMEDY
    theory: str | None = "relations_game"
    encoder: Mapping[str, int] = {"image_size": SIDE, "filter_size": 12, "stride": 6}
    """Table S1 of the paper."""
    alignment: Alignment | None = Alignment(square=SQUARE, squares=3, margin=MARGIN, reach=SQUARE)
    """A slide reaches one square, beyond which the lines of other squares fit as well."""

    tasks: Mapping[str, Task] = CATALOGUE
    task = staticmethod(task_info)
    inspect = staticmethod(inspect)
    locate = staticmethod(find_board)
    even = staticmethod(even_boards)

    def generate(self, task: str, n: int, *, seed: Seed, kind: str | None = None, spoilt: Spoilt = None) -> Labelled:
        scenes = generate(task, n, objects=kind or self.kinds[0], seed=seed)
        if spoilt is None or spoilt == "mixed":
            return _labelled(scenes, augmented_images(scenes, seed=seed) if spoilt else scenes.render())
        # What spoils the pictures does not hang on what they show: a seed's first number is that of the corruption.
        number = seed[0] if isinstance(seed, tuple) else seed
        return _labelled(scenes, corrupt(scenes, *spoilt, seed=number), object_offsets(scenes, *spoilt, seed=number))

    @property
    def gallery(self) -> list[Labelled]:
        return [_alone(object_set(self.kinds[0]), cell) for cell in GALLERY_CELLS]

    def write(self, path: Path, task: str, n: int, *, kind: str, seed: Seed) -> None:
        """A path that ends in .npz becomes a file of the public format, another a folder of PNGs with a labels.csv and
        an annotations.json."""
        if path.suffix == ".npz":
            save_npz(path, generate(task, n, objects=kind, seed=seed))
        else:
            drawn = self.generate_annotated(n, seed=seed, kind=kind, task=task)
            write_folder(path, replace(drawn, words={}))  # shapes and colours have no names: their numbers are written

    def load(self, path: Path) -> Labelled:
        """The truth is taken from the file, else read from the pixels where they are a clean picture of the game."""
        images = load_folder(path) if path.is_dir() else load_npz(path)
        return images if images.truth is not None else _read_off(images)

    def attribute_windows(
        self, size: int, *, kind: str, seed: tuple[int, int], augmented: bool
    ) -> list[AttributeWindows]:
        # PyTorch takes a second to import: who only looks at images does without.
        from predinet_prolog.domains.relations_game.attribute_windows import attribute_windows

        return attribute_windows(object_set(kind), size, seed=seed, augmented=augmented)


def _alone(kind: ObjectSet, cell: int) -> Labelled:
    """Every object of the kind once, alone in that cell."""
    numbers = np.full((kind.n_objects, GRID**2), -1)
    numbers[:, cell] = np.arange(kind.n_objects)
    nothing = np.zeros(kind.n_objects, dtype=np.int64)
    scenes = Scenes(kind.name, "scatter", *kind.split(numbers), labels=nothing, task_ids=nothing)
    return _labelled(scenes, scenes.render())


def _labelled(scenes: Scenes, images: Pixels, offsets: Integers | None = None) -> Labelled:
    truth = truth_of(scenes, offsets)
    return Labelled(images, scenes.labels, scenes.task_ids, truth, scenes.task, scenes.object_set)


def _read_off(drawn: Labelled) -> Labelled:
    """The same with the truth, where the pictures are clean, and show objects of one set."""
    for kind in OBJECT_SETS:
        with suppress(DomainError):
            scenes = Scenes(kind, "scatter", *parse(drawn.images, kind), labels=drawn.labels, task_ids=drawn.task_ids)
            return replace(drawn, truth=truth_of(scenes), kind=kind)
    return drawn


DOMAIN = RelationsGame()
