"""What the service says of a scene: nothing that the program contradicts."""

import json
import re

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.domains.images import read_image
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import load_model
from predinet_prolog.service.api.scene_views import stored
from predinet_prolog.service.pipeline import see
from tests.pictures import encode


def test_details_agree_with_the_program() -> None:
    """Of boards that take different numbers of looks, in files of different sizes, and of one that shows nothing."""
    model = load_model("relations-game")
    boards = [*generate("scatter", 7, objects="hexos", seed=12).render(), np.zeros((36, 36, 3), np.uint8)]
    sides = zip(boards, (36, 100, 250, 72) * 2, strict=True)
    pictures = [Image.fromarray(board).resize((side, side), 0) for board, side in sides]
    looks = set()
    for seen in see(model, [read_image(encode(picture), picture=model.domain.picture) for picture in pictures]):
        kept = stored(seen)
        told = json.loads(kept.details)
        assert told["image"] == {"width": seen.image.width, "height": seen.image.height, "sha256": seen.image.sha256}
        assert told["notes"] == list(kept.notes)
        places = [*told["objects"], *told["background"]]
        assert [f"object({p['name']})." for p in told["objects"]] == re.findall(r"^object\(ob_.*", kept.program, re.M)
        # The program's own text of every position and look.
        positions = [f"position({p['name']}, {p['x']:.4f}, {p['y']:.4f})." for p in places]
        assert positions == re.findall(r"^position.*", kept.program, re.M)
        assert [f"look({p['name']}, {p['look']})." for p in places] == re.findall(r"^look.*", kept.program, re.M)
        for place in places:
            assert place["left"] + place["width"] / 2 == pytest.approx(place["x"], abs=2e-4)
            assert place["top"] + place["height"] / 2 == pytest.approx(place["y"], abs=2e-4)
            assert place["width"] == pytest.approx(seen.image.width / 3, abs=1e-4)
        looks |= {place["look"] for place in places}
    assert (told["objects"], max(looks) > 1) == ([], True)
