"""Frames of a played game as programs: seen by the agent's own heads, or by a model of pictures of any size."""

import io
from dataclasses import replace
from hashlib import sha256

import matplotlib
import numpy as np
from PIL import Image

from predinet_prolog.bridge.clauses import rules
from predinet_prolog.bridge.colours import COLOURS
from predinet_prolog.bridge.episodes import Frame
from predinet_prolog.bridge.perceiving.heads import attended, window
from predinet_prolog.bridge.program import Facts, ImageInfo, ModelRules, Program, Provenance, facts_of
from predinet_prolog.bridge.vocabulary import Dialect
from predinet_prolog.bridge.writers.prolog import write_prolog
from predinet_prolog.domains.domain import Pixels
from predinet_prolog.neural.agents.playing import Moment, masks
from predinet_prolog.neural.agents.trained import TrainedAgent
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.pipeline import View, look

Crop = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels of a frame."""


class Seer:
    """What looks at the frames of a game that an agent plays."""

    def __init__(self, trained: TrainedAgent, model: str | None, crop: Crop | None) -> None:
        """By the model of that name, in the part `crop` of each frame (None: all of it); without a name by the agent's
        heads. UsageError for a model of pictures of one size, or a crop that it cannot have."""
        self._trained, self._model = trained, None if model is None else load_any(model)
        width, height = trained.config.width, trained.config.height
        self._crop = left, top, right, bottom = crop or (0, 0, width, height)
        if self._model is not None and not self._model.domain.picture.free:
            remedy = "name one of pictures of any size, as scenes"
            raise UsageError(f"the model {model} sees pictures of one size: {remedy}")
        if crop is not None and self._model is None:
            raise UsageError("--crop is for what a model sees: add --model scenes")
        if not (0 <= left < right <= width and 0 <= top < bottom <= height):
            raise UsageError(f"--crop {left} {top} {right} {bottom}: a frame is {width} x {height} pixels")
        self.warnings: set[str] = set()
        """Why what was seen may mean nothing."""

    def program(self, moment: Moment) -> str:
        """The frame as a program."""
        trained, (height, width) = self._trained, moment.frame.shape[:2]
        name, digest = f"{trained.game}, after {moment.step} actions", sha256(moment.frame.tobytes()).hexdigest()
        image = ImageInfo(name, digest, width, height)
        if self._model is not None:
            view = self._view(moment)
            provenance = replace(view.program.provenance, image=replace(image, warnings=view.warnings))
            return write_prolog(replace(view.program, provenance=provenance, facts=self._in_frame(view)))
        provenance = Provenance(trained.path.parent.name, trained.sha256, image, 1)
        dialect = Dialect(f"Px/{window(moment.frame, trained.grid) * trained.grid[1]}", heads=True)
        constant = ModelRules((*rules(trained.config.relations), COLOURS), None, dialect)
        return write_prolog(Program(provenance, self._attended(moment), constant))

    def frame(self, moment: Moment) -> Frame:
        """What is seen in the frame, for an episode."""
        score: Facts = {"score": [np.array([moment.score])]}
        if self._model is None:
            facts = self._attended(moment)
            return Frame(moment.step, {**facts, "pixel": [facts["tolerance"][0] * 4], **score})
        return Frame(moment.step, {**self._in_frame(self._view(moment)), **score})

    def _view(self, moment: Moment) -> View:
        left, top, right, bottom = self._crop
        buffer = io.BytesIO()
        Image.fromarray(coloured(moment.frame)[top:bottom, left:right]).save(buffer, "PNG")
        view = look(buffer.getvalue(), self._model)
        self.warnings.update(view.warnings)
        return view

    def _in_frame(self, view: View) -> Facts:
        """What was seen, in pixels of the whole frame."""
        (left, top), facts = self._crop[:2], view.program.facts
        name, x, y = facts["position"]
        of, *sides = facts["box"]
        boxes = [side + shift for side, shift in zip(sides, (left, top) * 2, strict=True)]  # type: ignore[operator]
        return {**facts, "position": [name, x + left, y + top], "box": [of, *boxes]}  # type: ignore[operator]

    def _attended(self, moment: Moment) -> Facts:
        attention = masks(self._trained, moment)
        assert moment.propositions is not None
        values = moment.propositions.values[0].numpy()
        scene = attended(attention, values, self._trained.slopes, coloured(moment.frame))
        return facts_of(scene, ImageInfo("", "", *scene.size))


def coloured(frame: Pixels) -> Pixels:
    """A `frame` (H, W, channels) as (H, W, 3): RGB as it is, else a colour for each channel."""
    if frame.shape[2] == 3:
        return frame
    picture = np.zeros((*frame.shape[:2], 3), np.uint8)
    for channel, colour in enumerate(matplotlib.colormaps["tab10"](np.arange(frame.shape[2]), bytes=True)[:, :3]):
        picture[frame[..., channel] > 0] = colour
    return picture
