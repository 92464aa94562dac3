"""Models with made-up definitions, for whoever tests what is told by name."""

from pathlib import Path

from predinet_prolog.bridge.confidence import Curve
from predinet_prolog.bridge.definitions import Definition, Grounding, grounding_path
from predinet_prolog.neural.glimpses.model import GlimpseModel
from tests.seen import made_up_model

SURE, NEAR = {"training": 1.0}, Curve(0.5, 3.0, 0.02, (2.0, 0.001))
DEFINITIONS = (
    Definition("same_colour", "X and Y are alike in colour", (0, 1), Curve(0.4, 6.0, 0.001), 0.1, SURE, {}),
    Definition("same_shape", "X and Y are alike in shape", (2, 3, 4), NEAR, 0.2, SURE, {}, 0.6),
    Definition("same", "X and Y look the same", (5, 6), Curve(0.9, 2.0, 0.003), 0.0, SURE, {}),
)


def grounded_model(folder: Path) -> GlimpseModel:
    """The made-up model for pictures of any size, with these definitions beside it."""
    model = made_up_model(folder)
    grounding = Grounding(model.sha256, "training", False, ("shape", "colour", "look"), DEFINITIONS)
    grounding_path(model).write_text(grounding.to_json(), encoding="utf-8")
    return model
