"""What a trained model is to whoever sees with it, whatever networks are in it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains import load_domain
from predinet_prolog.domains.domain import Pictures
from predinet_prolog.neural.errors import NeuralError


class Model(ABC):
    """A trained model that sees pictures of its domain. What has a default here is so of one that sees by no heads."""

    name: str
    """A shipped model's name, else the file's name without its ending."""
    path: Path
    """Its checkpoint."""
    sha256: str
    """Of the checkpoint's bytes, 64 hexadecimal digits."""
    accuracies: Mapping[str, Mapping[str, float]]
    """{kind of things: {task: share of its right answers}}, measured when training ended."""
    kind: ClassVar[str]
    """What sees with it, by name: `windows` on a grid, `glimpses` of things anywhere, a `detector`, or `given`."""
    takes_boxes: ClassVar[bool] = False
    """Whether its things may be told of by boxes, in place of finding them."""

    @property
    @abstractmethod
    def domain(self) -> Pictures:
        """The world of its pictures; DomainError if it is not installed."""

    @property
    def place(self) -> str:
        """How it counts places, as a formula of the pixel Px and the image's width W; empty without windows."""
        return ""

    @property
    def axes(self) -> Mapping[str, int]:
        """What its relations compare by, with how many do: groups in their order. One group without a name where
        nobody told it what to compare by."""
        return {}

    @property
    def relations(self) -> int:
        """j, of all groups together; 0 if it compares nothing, and tells what it sees, if anything, in words."""
        return sum(self.axes.values())

    @property
    def tasks(self) -> Sequence[str]:
        """What its own output answers; () if it answers nothing."""
        return ()

    @property
    def heads(self) -> int:
        """How many pairs it attends to in a look; 0 if it has no heads."""
        return 0

    @property
    def slopes(self) -> NDArray[np.float64]:
        """(j, 2): what x and y weigh in each of its propositions; (0, 2) where places weigh nothing."""
        return np.zeros((0, 2))


@dataclass(frozen=True)
class FreeModel(Model):
    """A trained model of pictures of any size."""

    name: str
    path: Path
    weights: Mapping[str, NDArray[Any]]
    """Of its networks, behind their names and a dot, float32."""
    training: Mapping[str, Any]
    """What made it: the domain by name, seed, steps and so on."""
    sha256: str
    accuracies = MappingProxyType({})

    @cached_property
    def domain(self) -> Pictures:
        return load_domain(self.training["domain"])


@dataclass(frozen=True)
class NoModel(Model):
    """In place of a model, where no pixel is looked at."""

    name: str = "none"
    path: Path = Path()
    sha256: str = ""
    accuracies = MappingProxyType({})
    kind: ClassVar[str] = "given"
    takes_boxes: ClassVar[bool] = True

    @property
    def domain(self) -> Pictures:
        """NeuralError: none is known."""
        raise NeuralError("no model was opened, and so no domain is known")


NO_MODEL = NoModel()


def relations_of(axes: Mapping[str, int], group: str) -> tuple[int, ...]:
    """The numbers of a group's relations; KeyError if `axes` have none of that name."""
    end = dict(zip(axes, accumulate(axes.values()), strict=True))[group]
    return tuple(range(end - axes[group], end))
