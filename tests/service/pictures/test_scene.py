"""The picture of `show`."""

import numpy as np
from matplotlib import colors

from predinet_prolog.service.pictures import scene as pictures
from predinet_prolog.service.pipeline import View
from tests.pictures import decode


def test_on_a_slide_the_image_stands_left_and_every_object_has_its_colour(seen: View) -> None:
    drawn = decode(pictures.draw(seen))
    assert drawn.shape == (1080, 1920, 3)
    for value in np.unique(seen.image.pixels.reshape(-1, 3), axis=0):
        assert (drawn[:, :960] == value).all(-1).sum() > 1000
    assert len(seen.scene.things) == 3
    for symbol, tint in zip(seen.scene.things, pictures.PALETTE, strict=False):
        rgb = np.rint(np.array(colors.to_rgb(tint)) * 255)
        found = np.argwhere((drawn[:, :960] == rgb).all(-1))
        assert len(found) > 100
        # The outline surrounds the symbol's own window; the image is 880 pixels wide, from 58 on.
        scale = 880 / 36
        centre = (found.max(0) + found.min(0)) / 2
        np.testing.assert_allclose(centre, (145 + symbol.y * scale, 58 + symbol.x * scale), atol=1.5 * scale)
