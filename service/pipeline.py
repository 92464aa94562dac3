"""The way from image files to programs: what every command and request that takes images shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from bridge import ImageInfo, Perceiver, Scene, novelty, write_json, write_program
from neural import Model
from neural.images import InputImage

Format = Literal["prolog", "json"]


@dataclass(frozen=True)
class View:
    """What a model saw in one image."""

    image: InputImage
    scene: Scene
    model: Model
    looks: int | None
    """The bound it was seen with; None: until nothing new appeared."""
    warnings: tuple[str, ...] = ()
    """Why what was seen may mean nothing, such as that the image is no board of the game; one line each."""

    @cached_property
    def program(self) -> str:
        """The program. Written once, however often it is asked for."""
        return write_program(self.scene, model=self.model, image=self._info, looks=self.looks)

    def write(self, format: Format = "prolog") -> str:
        """The program, or the same facts as JSON."""
        if format == "prolog":
            return self.program
        return write_json(self.scene, model=self.model, image=self._info, looks=self.looks)

    @property
    def _info(self) -> ImageInfo:
        return ImageInfo(self.image.name, self.image.sha256, self.image.width, self.image.height, self.warnings)


def view(model: Model, images: Sequence[InputImage], *, looks: int | None = None) -> list[View]:
    """Sees each of `images`, which were read at the model's own image size."""
    pixels = np.stack([image.pixels for image in images])
    scenes = Perceiver(model, looks=looks).perceive(pixels)
    return [
        View(image, scene, model, looks, (new.warning,) if new.warning else ())
        for image, scene, new in zip(images, scenes, novelty(pixels, scenes), strict=True)
    ]
