"""The program of a picture of any size."""

from bridge.glimpses.scene import SeenScene
from bridge.program import ImageInfo, Program
from neural.glimpses.model import GlimpseModel


def make_scene_program(
    scene: SeenScene, *, model: GlimpseModel, image: ImageInfo, scale: tuple[float, float]
) -> Program:
    """The program of a scene of the model."""
    raise NotImplementedError
