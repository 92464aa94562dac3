"""What every perceiver does, and which one a model has: nobody behind this room asks which it was."""

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from predinet_prolog.bridge.errors import PerceiverError
from predinet_prolog.bridge.perceiving.given import Given
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


def perceiver_of(model: Model, looks: int | None = None) -> Perceiver:
    """What sees with the model; `looks` bounds how often it looks at a picture, None: until nothing new appears.

    Raises PerceiverError for a bound of a model that takes one look, NeuralError for one that is none, and for a model
    that has no propositions.
    """
    sees = getattr(import_module(f"{__package__}.{model.kind}"), PERCEIVERS[model.kind])
    if not model.heads and looks is not None:
        raise PerceiverError(f"the model {model.name} takes one look at any picture: leave out looks")
    perceiver: Perceiver = sees(model, **({} if looks is None else {"looks": looks}))
    return perceiver


def check_boxes(model: Model) -> None:
    """Raises PerceiverError, before any picture is read, if what sees with the model finds things itself alone."""
    if not model.takes_boxes:
        raise PerceiverError(
            f"the model {model.name} finds things itself and takes no boxes: leave them out, or name another, as scenes"
        )


PERCEIVERS = {
    "windows": "WindowPerceiver",
    "glimpses": "GlimpsePerceiver",
    "detector": "DetectorPerceiver",
    "given": "GivenPerceiver",
}
"""The class of each kind of model, in the module of that name, which is imported where it is needed."""
