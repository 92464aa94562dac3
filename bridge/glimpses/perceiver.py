"""From pictures of any size to scenes."""

from dataclasses import dataclass

from bridge.glimpses.scene import SeenScene
from bridge.scene import FloatArray
from domains.domain import Pixels
from neural.glimpses.model import GlimpseModel


@dataclass(frozen=True)
class GlimpsePerceiver:
    """Sees what is in pictures with `model`."""

    model: GlimpseModel

    def perceive(self, picture: Pixels, boxes: FloatArray | None = None) -> SeenScene:
        """The scene of one `picture` (H, W, 3), 0–255. `boxes` (n, 4) says where its things are; None: they are found."""
        raise NotImplementedError
