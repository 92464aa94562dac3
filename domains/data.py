"""Pictures as data: their size, their truth thing by thing, and those that come with labels or annotations.

Shapes in docstrings: N pictures of H × W pixels and C channels, O things in all of them together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Seed = int | tuple[int, ...]
Corruption = tuple[str, float]
"""The name of a corruption and its strength."""
Spoilt = Corruption | Literal["mixed"] | None
"""How drawn pictures are spoilt: by that corruption, or each by a mixture of its own, as training wants it."""


@dataclass(frozen=True)
class Picture:
    """The size of a domain's pictures in pixels. Height and width 0: each has a size of its own."""

    height: int
    width: int
    background: tuple[int, int, int] = (0, 0, 0)
    """What shows where there is nothing, 0–255. Pictures that are free have grounds of their own."""

    @property
    def free(self) -> bool:
        """Whether the pictures may have any size and aspect."""
        return not self.height


@dataclass(frozen=True)
class Task:
    """A question, or a family of them, about pictures of a domain."""

    name: str
    labels: int
    """Number of answers: 2 (0 false, 1 true) or more."""
    task_ids: int
    """Number of questions that share the task's pictures, 1 or more."""
    kinds: tuple[str, ...]
    """The kinds of things it is defined for."""
    summary: str
    """When the answer is true, in one sentence."""
    other_name: str | None = None
    """Its name in other people's files; accepted wherever a task is named."""


@dataclass(frozen=True, eq=False)
class Truth:
    """What N pictures truly show, thing by thing."""

    image: Integers
    """(O,): the picture that each thing is in, 0 to N - 1, ascending."""
    boxes: Floats
    """(O, 4): left, top, right, bottom in pixels; the box fits the thing, right and bottom are outside of it."""
    attributes: Mapping[str, Integers]
    """(O,) for each attribute: equal numbers are equal values; -1 where it is not told, of which nothing follows."""

    def rows(self, image: int) -> slice:
        """The things of one picture."""
        first, last = np.searchsorted(self.image, (image, image + 1))
        return slice(int(first), int(last))

    def first(self, n: int) -> "Truth":
        end = int(np.searchsorted(self.image, n))
        values = {name: column[:end] for name, column in self.attributes.items()}
        return Truth(self.image[:end], self.boxes[:end], values)


@dataclass(frozen=True, eq=False)
class Labelled:
    """N pictures with their answers, and the truth behind them where it is known."""

    images: Pixels
    """(N, H, W, C), 0–255."""
    labels: Integers
    """(N,): the right answers."""
    task_ids: Integers
    """(N,): which of the task's questions is asked; 0 where it has only one."""
    truth: Truth | None = None
    task: str | None = None
    """The task that the labels answer; None where that is not known."""
    kind: str | None = None
    """The kind of things shown; None where that is not known."""

    def __len__(self) -> int:
        return len(self.images)


@dataclass(frozen=True, eq=False)
class Annotated:
    """N pictures of any size with what is known of them."""

    names: tuple[str, ...]
    """(N,): of their files, each its own."""
    pictures: Sequence[Pixels]
    """(N,) of (H, W, 3), 0–255. Those of a folder are read when they are asked for."""
    truth: Truth | None = None
    """None where no thing is told."""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By attribute of the truth, the names of its values, in the order of their numbers."""
    labels: tuple[str | None, ...] = ()
    """(N,): each picture's right answer; None where that is not told; () if none is."""
    tasks: tuple[str | None, ...] = ()
    """(N,): which question is asked of each; as labels."""
    notes: tuple[str, ...] = ()
    """What was read otherwise than it was written, a sentence each, for people."""

    def __len__(self) -> int:
        return len(self.pictures)

    def first(self, n: int) -> "Annotated":
        parts = {name: getattr(self, name)[:n] for name in ("names", "pictures", "labels", "tasks")}
        return replace(self, **parts, truth=None if self.truth is None else self.truth.first(n))
