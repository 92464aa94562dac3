"""What a world of pictures is: the one thing that networks, symbols and evaluations know of the pictures they see.

A domain draws pictures with their truth, and says of any picture whether it is one of its own. Shapes in docstrings:
N pictures of H × W pixels and C channels, O things in all of them together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from predinet_prolog.domains.annotations import as_annotated, write_folder
from predinet_prolog.domains.data import (
    Annotated,
    Corruption,
    Floats,
    Integers,
    Labelled,
    Picture,
    Pixels,
    Seed,
    Spoilt,
    Task,
    Truth,
)
from predinet_prolog.domains.errors import DomainError

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Annotated", "Floats", "Integers", "Labelled", "Picture", "Pixels", "Seed", "Spoilt", "Task", "Truth"]
"""What is defined elsewhere, and part of what a domain is written with."""


@dataclass(frozen=True, eq=False)
class TrainingPictures:
    """N drawn pictures of H × W pixels with every pixel's owner, O things in all."""

    pixels: Pixels
    """(N, H, W, 3), 0–255."""
    owner: Pixels
    """(N, H, W): the number of the thing that each pixel shows, from 1; 0 is ground, 255 clutter."""
    image: Integers
    """(O,): the picture that each thing is in, ascending; the first of a picture has the number 1."""
    attributes: Mapping[str, Integers]
    """(O,) each, by name; equal numbers are equal values within a picture."""


@dataclass(frozen=True)
class Inspection:
    """What the pixels of one picture tell, without any network."""

    score: float
    """How far it is from the domain's pictures, 0 or more; warnings begin at 1."""
    reason: str | None
    """What is odd, in a few words; None below 1."""
    noise_level: float
    """0 in a clean picture, 100 at most; learned thresholds make room for it."""
    empty: bool = False
    """Whether there is nothing to see but background or noise."""
    remedy: str | None = None
    """What to do about it, where it is not what the domain says of all pictures."""
    evened: bool = False
    """Whether uneven light was taken off before it was looked at."""
    trust: float | None = None
    """How likely all that is there was found, and nothing else; None where it is not told."""


@dataclass(frozen=True, eq=False)
class Located:
    """One of the domain's pictures, found in a picture of any size."""

    pixels: Pixels
    """(H, W, C) as the domain's pictures are."""
    to_picture: Floats
    """(3, 3): takes (x, y, 1) in `pixels` to the picture it was found in, up to a factor; corners of pixels are
    integers."""
    doubt: float = 0.0
    """0 or more; warnings begin at 1."""
    reason: str | None = None
    """What is doubted, in a few words; None below 1."""


@dataclass(frozen=True)
class Alignment:
    """Where an aligned encoder looks for things in a window: they are drawn in a frame of equal squares."""

    square: int
    """Pixels along a side of a square."""
    squares: int
    """Squares along a side of the frame."""
    margin: int
    """Pixels left of and above the frame of a thing in its place."""
    reach: int
    """Most pixels that a window slides, each way."""

    @property
    def frame(self) -> int:
        """Pixels along a side of the frame."""
        return self.square * self.squares

    @property
    def lines(self) -> tuple[int, ...]:
        """Where the edges of squares lie in the window of a thing in its place."""
        return tuple(self.margin + self.square * line for line in range(self.squares + 1))


@dataclass(frozen=True)
class AttributeWindows:
    """Single things, a window each, for the attribute loss."""

    attribute: str
    windows: "Tensor"
    """(n, 3, F, F): 0–255 with the background taken off."""
    value: "Tensor"
    """(n,): equal numbers are equal values of the attribute."""
    relations: int | None = None
    """How many relations suffice to tell its values apart; None, at most once: all that the others leave."""


class Pictures(Protocol):
    """A world of pictures. Errors are DomainErrors. A world that derives from this class leaves out what has a default
    here."""

    @property
    def name(self) -> str:
        """As files and commands name it."""

    @property
    def picture(self) -> Picture: ...

    @property
    def attributes(self) -> tuple[str, ...]:
        """What things can have in common, such as shape and colour. Things that have all of them in common look the
        same."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things: networks are trained and grounded on the first, and evaluated on the others too."""

    @property
    def most_objects(self) -> int:
        """The most things that a picture shows."""

    @property
    def tasks(self) -> Mapping[str, Task]: ...

    @property
    def free_task(self) -> str:
        """The task whose pictures show any number of things anywhere: relations are grounded on it."""

    @property
    def joined(self) -> bool:
        """Whether one thing is what is joined and unlike the ground, whatever it is; else what was taught to be one."""
        return False

    @property
    def remedy(self) -> str:
        """What to do about a picture that is not the domain's, in a few words."""

    @property
    def theory(self) -> str | None:
        """The name of its rules among `symbolic.theories`."""
        return None

    def task(self, name: str) -> Task:
        """The task of that name or of another name that files give it; DomainError lists the known ones."""
        if name not in self.tasks:
            raise DomainError(f"no task {name}: {self.name} has {', '.join(self.tasks)}")
        return self.tasks[name]

    def generate_annotated(self, n: int, *, seed: Seed, kind: str | None = None, task: str | None = None) -> Annotated:
        """`n` pictures of a task (None: the free one) with things of that kind (None: the first), and what a folder
        says of them. The same arguments give the same pictures."""

    def write(self, path: Path, task: str, n: int, *, kind: str, seed: Seed) -> None:
        """Writes `n` pictures with their labels and what they show, into a file or a new folder. Raises OSError."""
        if path.suffix == ".npz":
            raise DomainError(f"{path}: pictures of {self.name} are written into a folder: give a name without ending")
        write_folder(path, self.generate_annotated(n, kind=kind, seed=seed, task=task))

    def inspect(self, images: Pixels) -> Sequence[Inspection]:
        """What the pixels of `images` (N, H, W, C) tell, each for itself, before a network has looked: only whether
        they are all background, where the domain knows no more."""
        empty = (images == self.picture.background).all(axis=(1, 2, 3)) & (not self.picture.free)
        return [Inspection(0.0, None, 0.0, empty=blank) for blank in empty.tolist()]


class Board(Pictures, Protocol):
    """Pictures of one size, whose tasks a network learns to answer."""

    @property
    def corruptions(self) -> tuple[Corruption, ...]:
        """What everyday pictures have: a model that was trained on augmented pictures is grounded on these, too."""
        return ()

    @property
    def encoder(self) -> Mapping[str, int]:
        """Defaults of a network's encoder, by the fields of its configuration."""
        return {}

    @property
    def alignment(self) -> Alignment | None:
        """What an aligned encoder goes by; None if the domain's things have no such frame."""
        return None

    @property
    def gallery(self) -> Sequence[Labelled]:
        """Every thing of the first kind once, alone in its picture, in the order of the attributes, the last one
        fastest: a full design. Once for each place that things can be at; empty where there is no such design."""
        return ()

    def generate(self, task: str, n: int, *, seed: Seed, kind: str | None = None, spoilt: Spoilt = None) -> Labelled:
        """`n` pictures of a task with things of that kind (None: the first). The same arguments give the same
        pictures."""

    def generate_annotated(self, n: int, *, seed: Seed, kind: str | None = None, task: str | None = None) -> Annotated:
        return as_annotated(self.generate(task or self.free_task, n, kind=kind, seed=seed))

    def even(self, images: Pixels) -> Pixels:
        """`images` (N, H, W, C) with uneven light taken off, where they tell it; the others as they are."""
        return images

    def locate(self, picture: Pixels) -> Located | None:
        """Where `picture` (H, W, 3), of any size, shows one of the domain's pictures; None if it does not."""
        return None

    def attribute_windows(
        self, size: int, *, kind: str, seed: tuple[int, int], augmented: bool
    ) -> Sequence[AttributeWindows]:
        """Fresh windows of `size` × `size` pixels for a step of the attribute loss, by attribute and last by the whole
        `look`. Only asked of a domain that has an `alignment`."""
        return ()


class Canvas(Pictures, Protocol):
    """Pictures of any size, which a finder and a comparator learn from."""

    def training_pictures(self, n: int, *, side: int, seed: Seed, kind: str | None = None) -> TrainingPictures:
        """`n` pictures of `side` × `side` pixels with all that spoils pictures. The same arguments give the same
        pictures."""


def board(domain: Pictures) -> Board:
    """The domain, if networks learn its tasks; DomainError tells what to do with another."""
    if hasattr(type(domain), "gallery"):  # of the domain itself, it would be drawn
        return cast(Board, domain)
    raise DomainError(
        f"pictures of {domain.name} have many sizes, and no network learns tasks from them: "
        "generate a folder of them, and name that"
    )


def canvas(domain: Pictures) -> Canvas:
    """The domain, if a finder and a comparator learn from it; DomainError tells what to do with another."""
    if hasattr(type(domain), "training_pictures"):
        return cast(Canvas, domain)
    raise DomainError(f"no finder learns from {domain.name}: train on a folder of its pictures")
