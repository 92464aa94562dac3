"""The picture of `show`."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib import colors

from predinet_prolog.domains.images import read_image
from predinet_prolog.neural import load_model
from predinet_prolog.service.pictures import palette
from predinet_prolog.service.pictures import scene as pictures
from predinet_prolog.service.pipeline import View, see
from tests.service.helpers import decode


@pytest.fixture
def seen(model_file: Path, picture: Path) -> View:
    """What the model saw, with two objects put where they are known."""
    model = load_model(model_file)
    (real,) = see(model, [read_image(picture, picture=model.domain.picture)])
    first, *rest = real.scene.symbols
    things = (
        replace(first, window=(12.0, 0.0, 24.0, 12.0)),
        replace(first, name="ob_1", window=(24.0, 18.0, 36.0, 30.0)),
    )
    return replace(real, scene=replace(real.scene, things=things, background=tuple(rest)))


def test_the_picture_is_a_slide_and_always_the_same(seen: View) -> None:
    png = pictures.draw(seen)
    assert decode(png).shape == (1080, 1920, 3)
    assert pictures.draw(seen) == png


def test_image_stands_left_and_every_object_has_its_colour(seen: View) -> None:
    drawn = decode(pictures.draw(seen))
    for value in np.unique(seen.image.pixels.reshape(-1, 3), axis=0):
        assert (drawn[:, :960] == value).all(-1).sum() > 1000
    assert len(seen.scene.things) == 2
    for symbol, tint in zip(seen.scene.things, palette.PALETTE, strict=False):
        rgb = np.rint(np.array(colors.to_rgb(tint)) * 255)
        found = np.argwhere((drawn[:, :960] == rgb).all(-1))
        assert len(found) > 100
        # The outline surrounds the symbol's own window; the image is 880 pixels wide, from 58 on.
        scale = 880 / 36
        centre = (found.max(0) + found.min(0)) / 2
        expected = (145 + symbol.y * scale, 58 + symbol.x * scale)
        np.testing.assert_allclose(centre, expected, atol=1.5 * scale)
