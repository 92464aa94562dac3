"""The scale that pictures are looked at: things are looked at again, larger, where they are too small."""

import numpy as np
import pytest
from numpy.typing import NDArray

from predinet_prolog.neural.glimpses.scales import first_scale, looked_at, second_scale


def squares(side: float) -> NDArray[np.float64]:
    """Three boxes of that side in pixels."""
    corners = np.array([[10.0, 10, 10, 10], [400, 100, 400, 100], [700, 700, 700, 700]])
    return corners + np.array([0, 0, side, side])


@pytest.mark.parametrize(
    ("side", "scale"),
    [
        (100, None),  # 10 pixels at the first scale of a tenth
        (60, 0.3),  # 6 become 18
        (30, 0.4),  # 3 would become 18 at 0.6, in 600 pixels squared: 400 are the most
    ],
)
def test_small_things_are_looked_at_again(side: float, scale: float | None) -> None:
    assert first_scale(1000, 1000) == pytest.approx(0.1)
    assert second_scale(1000, 1000, squares(side)) == (None if scale is None else pytest.approx(scale))
    assert looked_at(1000, 1000, squares(side)) == pytest.approx(scale or 0.1)


def test_nothing_is_made_larger_than_it_is() -> None:
    assert second_scale(160, 160, squares(1)) == 1.0
    assert second_scale(120, 120, squares(1)) is None
