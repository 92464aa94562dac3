"""What every perceiver does, and which one a model has: nobody behind this room asks which it was."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from predinet_prolog.bridge.perceiving.given import Given, GivenPerceiver
from predinet_prolog.bridge.perceiving.glimpses import GlimpsePerceiver
from predinet_prolog.bridge.perceiving.windows import WindowPerceiver
from predinet_prolog.bridge.scene import Scene
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.model import Model


class Perceiver(Protocol):
    """Sees what is in pictures."""

    @property
    def batch(self) -> int:
        """Pictures at a time: so many are less work together than one by one, and more are not."""

    def perceive(self, pictures: Sequence[Pixels], given: Sequence[Given | None] = ()) -> list[Scene]:
        """A scene of each of `pictures`, (H, W, 3) each, 0–255.

        given: of each picture what was told of its things, in pixels of the picture that `pictures` may have smaller;
        None: they are to be found. Raises PerceiverError for boxes or pictures that this perceiver does not take.
        """

    def check_boxes(self) -> None:
        """Raises PerceiverError if this perceiver takes no boxes, before any picture is read."""


def perceiver_of(model: Model, looks: int | None = None) -> Perceiver:
    """What sees with the model; `looks` bounds how often it looks at a picture, None: until nothing new appears.

    Raises PerceiverError for a bound of a model that looks once, NeuralError for one that is none, and for a model that
    has no propositions.
    """
    return PERCEIVERS[model.kind](model, looks)


PERCEIVERS: dict[str, Callable[[Any, int | None], Perceiver]] = {
    "windows": WindowPerceiver,
    "glimpses": GlimpsePerceiver,
    "given": GivenPerceiver,
}
"""By the kinds of models."""
