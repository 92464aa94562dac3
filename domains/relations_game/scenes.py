"""Scenes: what stands in which cell, drawn to pixels and found again in them."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from predinet_prolog.domains.data import Integers, Truth
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.relations_game.objects import CELL, MARGIN, SQUARE, ObjectSet, object_set

GRID = 3  # cells along a side of the image
SIDE = GRID * CELL  # pixels along a side of the image

_Index = slice | list[int] | npt.NDArray[np.integer] | npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Scenes:
    """N scenes of one task and object set, with their labels.

    Cells are numbered 3 · row + column, rows from top to bottom. Arrays of another integer type
    are converted; wrong shapes and numbers out of range raise DomainError.
    """

    object_set: str
    """One of `OBJECT_SETS`."""
    task: str
    """The task that the labels answer."""
    shapes: npt.NDArray[np.int16]
    """(N, 9) shape in every cell, an index into `ObjectSet.masks`; -1 where the cell is empty."""
    colours: npt.NDArray[np.int16]
    """(N, 9) its colour, below 25 (stripes: outer · 25 + inner); -1 where the cell is empty."""
    labels: npt.NDArray[np.int64]
    """(N,) the right answers: 1 true, 0 false; 0 to 3 in colour_and_or_shape."""
    task_ids: npt.NDArray[np.int64]
    """(N,) which of the task's questions is asked; 0 where it has only one."""

    def __post_init__(self) -> None:
        kind = object_set(self.object_set)
        n = len(self.labels)
        for name, dtype, shape, low, high in (
            ("shapes", np.int16, (n, GRID**2), -1, kind.n_shapes),
            ("colours", np.int16, (n, GRID**2), -1, kind.n_colours),
            ("labels", np.int64, (n,), 0, 4),
            ("task_ids", np.int64, (n,), 0, 5),
        ):
            object.__setattr__(
                self, name, checked(name, getattr(self, name), shape, low, high).astype(dtype, copy=False)
            )
        if ((self.shapes < 0) != (self.colours < 0)).any():
            raise DomainError("shapes and colours must be -1 in the same cells, the empty ones")

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: _Index) -> "Scenes":
        """The scenes of a slice, an index array or a boolean mask, in its order."""
        names = ("shapes", "colours", "labels", "task_ids")
        return replace(self, **{name: getattr(self, name)[index] for name in names})

    @property
    def occupied(self) -> npt.NDArray[np.bool_]:
        """(N, 9) which cells hold an object."""
        return self.shapes >= 0

    def render(self) -> npt.NDArray[np.uint8]:
        """The images, (N, 36, 36, 3) RGB: no anti-aliasing, black background."""
        kind = object_set(self.object_set)
        return _draw(kind, kind.join(self.shapes, self.colours))


def truth_of(scenes: Scenes, offsets: Integers | None = None) -> Truth:
    """The things of `scenes`, moved by `offsets` (N, 9, 2) pixels, x and y; None: not moved."""
    image, cell = np.nonzero(scenes.occupied)
    row, column = np.divmod(cell, GRID)
    corner = np.stack([column, row], axis=1) * CELL + MARGIN
    if offsets is not None:
        corner = corner + offsets[image, cell]
    shapes, colours = scenes.shapes[image, cell].astype(np.int64), scenes.colours[image, cell].astype(np.int64)
    extents = _extents(object_set(scenes.object_set))[shapes]  # (O, 4)
    return Truth(image, np.tile(corner, 2) + extents, {"shape": shapes, "colour": colours})


def _extents(kind: ObjectSet) -> np.ndarray:
    """(shapes, 4): left, top, right, bottom of every shape's lit squares, in pixels of its frame."""
    lit = [np.asarray(kind.masks.any(axis=axis)) for axis in (1, 2)]  # columns, rows
    first = [line.argmax(axis=1) for line in lit]
    last = [line.shape[1] - line[:, ::-1].argmax(axis=1) for line in lit]
    return np.stack(first + last, axis=1) * float(SQUARE)


def parse(pixels: npt.NDArray[np.uint8], objects: str) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """Reads shapes and colours, each (N, 9) as in `Scenes`, from images (N, 36, 36, 3): the inverse of `render`.

    Raises DomainError, naming the first image and cell that hold something else than objects of the set named.
    """
    kind = object_set(objects)
    n = len(pixels)
    # The middle pixels of the nine squares tell which object a cell can be at most ...
    middle = slice(MARGIN + SQUARE // 2, MARGIN + 3 * SQUARE, SQUARE)
    middles = pixels.reshape(n, GRID, CELL, GRID, CELL, 3).swapaxes(2, 3)[:, :, :, middle, middle]
    middles = middles.reshape(n * GRID**2, 3, 3, 3)
    codes = _as_words(kind.squares)
    order = np.argsort(codes)
    numbers = order[np.searchsorted(codes, _as_words(middles), sorter=order).clip(max=len(order) - 1)]
    numbers = np.where(numbers == kind.n_objects, -1, numbers).reshape(n, GRID**2)
    # ... and drawing it tells whether the cell is.
    drawn = _draw(kind, numbers)
    if not np.array_equal(drawn, pixels):
        wrong = (drawn != pixels).reshape(n, GRID, CELL, GRID, CELL * 3).any(axis=(2, 4))
        image, row, column = np.argwhere(wrong)[0]
        raise DomainError(f"image {image}, cell {GRID * row + column}: no object of the set {objects}")
    return kind.split(numbers)


def checked(name: str, values: object, shape: tuple[int, ...], low: int, high: int) -> npt.NDArray[np.integer]:
    """`values` as an array; DomainError, which calls them by `name`, unless they are integers of that shape from `low`
    to below `high`."""
    array = np.asarray(values)
    if array.shape != shape or array.dtype.kind not in "iu":
        raise DomainError(f"{name} must be integers of shape {shape}, not {array.dtype} of shape {array.shape}")
    if array.size and not low <= int(array.min()) <= int(array.max()) < high:
        raise DomainError(f"{name} must be from {low} to {high - 1}, not {array.min()} to {array.max()}")
    return array


def _draw(kind: ObjectSet, numbers: npt.NDArray[np.intp]) -> npt.NDArray[np.uint8]:
    """Draws object numbers (N, 9), -1 for an empty cell."""
    grid = numbers.reshape(len(numbers), GRID, GRID)
    images = np.empty((len(grid), GRID, CELL, GRID, CELL, 3), np.uint8)
    for column in range(GRID):
        images[:, :, :, column] = kind.cells[grid[:, :, column]]
    return images.reshape(len(numbers), SIDE, SIDE, 3)


def _as_words(squares: npt.NDArray[np.uint8]) -> npt.NDArray[np.bytes_]:
    """(N, 3, 3, 3) bytes as N words of 27 bytes, which numpy can sort and search."""
    return np.ascontiguousarray(squares).reshape(len(squares), 27).view("S27")[:, 0]
