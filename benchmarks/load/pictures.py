"""Pictures nobody sent before, and what must be answered about them."""

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np
from PIL import Image

from domains.relations_game.domain import DOMAIN
from domains.relations_game.objects import CELL
from neural import load_model
from neural.images import read_image
from service.api.scene_views import content_id, stored
from service.pipeline import view
from service.store.content import SceneContent
from symbolic import Engine

MODEL = "relations-game"
TASK, OBJECTS = "scatter", "hexos"  # 1 to 9 objects anywhere, none of which the network was trained on
_BATCH = 256


@dataclass(frozen=True)
class Picture:
    """A PNG of a scene, and the scene."""

    png: bytes
    places: tuple[tuple[float, float], ...]
    """Centres of its objects in pixels, top to bottom, then left to right."""


def pictures(count: int, *, seed: int) -> list[Picture]:
    """`count` different pictures."""
    found: dict[bytes, Picture] = {}
    while len(found) < count:
        drawn = DOMAIN.generate(TASK, min(2 * _BATCH, 2 * (count - len(found)) + 8), kind=OBJECTS, seed=seed)
        assert drawn.truth is not None
        places = (drawn.truth.boxes[:, :2] // CELL + 0.5) * CELL  # things lie in cells, row by row
        for number, pixels in enumerate(drawn.images):
            own = [(float(x), float(y)) for x, y in places[drawn.truth.rows(number)]]
            found.setdefault(pixels.tobytes(), Picture(encode(pixels), tuple(own)))
        seed += 1
    return list(found.values())[:count]


def encode(pixels: np.ndarray) -> bytes:
    """Pixels (H, W, 3) as a PNG file."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", compress_level=1)
    return file.getvalue()


class Oracle:
    """Scenes and answers made in this process, without a server. A context manager."""

    def __init__(self) -> None:
        self._model = load_model(MODEL)
        self._engine = Engine(time_limit=60)

    def __enter__(self) -> "Oracle":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._engine.close()

    def scenes(self, pngs: Sequence[bytes]) -> Iterator[SceneContent]:
        """What the service must keep of each image."""
        for start in range(0, len(pngs), _BATCH):
            images = [read_image(png, picture=self._model.domain.picture) for png in pngs[start : start + _BATCH]]
            for seen in view(self._model, images):
                yield stored(seen, content_id(seen.image.sha256, [self._model], None, None))

    def answers(self, program: str, goal: str) -> dict[str, Any]:
        """`{"answers": [...], "more": ...}` as the service must give it."""
        return dict(self._engine.ask(program, goal).to_json())


def same_answers(body: bytes, expected: dict[str, Any]) -> bool:
    """Whether an answer's body says what it must: the same answers in the same order, and no other claim about them."""
    try:
        said = json.loads(body)
    except ValueError:
        return False
    return isinstance(said, dict) and all(said.get(key) == value for key, value in expected.items())
