"""What a network says of a picture's pixels, and what it is given."""

import hashlib
from types import SimpleNamespace

import numpy as np
import pytest

from predinet_prolog.neural.glimpses.foreground import PATH, foreground, lab, unlike_ground


def test_colours_are_those_of_lab() -> None:
    """White, and sRGB's red, as published for D65."""
    colours = lab(np.array([[[255, 255, 255], [255, 0, 0]]], dtype=np.uint8))[:, 0].T
    assert np.abs(colours - [[116, 0, 0], [69.2, 80.1, 67.2]]).max() < 0.1


def test_inputs_are_of_the_difference_from_a_ground_in_uneven_light() -> None:
    """Less light is no other colour, but is told; another hue is both."""
    picture = np.full((60, 80, 3), 180.0) * (0.8 + np.linspace(0, 0.3, 80)[:, None])
    darker, redder = (slice(20, 30), slice(20, 30)), (slice(20, 30), slice(50, 60))
    picture[darker] *= 0.8
    picture[redder] = (200, 60, 40)
    difference, hue, light, lightness, seen = np.split(unlike_ground(picture.astype(np.uint8)), [3, 4, 5, 6])
    ground = np.s_[:, 40:, :]
    assert max(np.abs(part[ground]).max() for part in (difference * 20, hue, light)) < 1
    assert hue[0][darker].max() < 0.1 < 2 < light[0][darker].min()
    assert hue[0][redder].min() > 2
    assert np.ptp(lightness[ground]) > 0.3
    assert seen[:, 25, 55].tolist() == [73 / 128, -67 / 128, -87 / 128]


@pytest.mark.parametrize("size", [(20, 70), (64, 32)])
def test_the_outermost_pixels_are_as_those_beside(monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    """The network is given multiples of 32, and its answer may be one that cannot be written to."""
    given: list[tuple[int, ...]] = []

    def run(names: None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        given.append(inputs["inputs"].shape[2:])
        answer = np.ones((1, 2, *given[0]), dtype=np.float32)
        answer[:, :, [0, size[0] - 1]] = answer[:, :, :, [0, size[1] - 1]] = 0
        answer.flags.writeable = False
        return [answer]

    monkeypatch.setattr("predinet_prolog.neural.glimpses.foreground._session", lambda: SimpleNamespace(run=run))
    likely = foreground(np.zeros((9, *size), np.float32))
    assert likely.shape == (2, *size)
    assert [side % 32 for side in given[0]] == [0, 0]
    assert likely.min() == 1


def test_what_is_a_things_depends_on_all_of_the_picture() -> None:
    """Stripes that are all over it are the ground; four of them are things. Asked are the first two, 64 pixels from
    where both pictures differ."""
    stripes = np.arange(384) % 24 < 8
    answers = []
    for many in (16, 4):
        picture = np.full((192, 384, 3), 150, dtype=np.uint8)
        picture[:, stripes & (np.arange(384) < 24 * many)] = (110, 90, 70)
        likely, _ = foreground(unlike_ground(picture))
        answers.append(likely[:, :40][:, stripes[:40]].mean())
    assert answers[0] < answers[1] - 0.4


def test_what_the_picture_shows_tells_of_it_beside_how_it_differs_from_its_ground() -> None:
    block = np.full((70, 90, 3), 190, dtype=np.uint8)
    inputs = unlike_ground(np.pad(block, ((60, 62), (150, 144), (0, 0)), constant_values=210))
    before = foreground(inputs)[0, 96, 192]
    inputs[6:] = np.sin(np.arange(384) / 5)
    assert before > foreground(inputs)[0, 96, 192] + 0.5


def test_the_card_is_of_the_network_that_is_shipped() -> None:
    digest = hashlib.sha256(PATH.read_bytes()).hexdigest()
    assert f"sha256 `{digest}`" in PATH.with_suffix(".md").read_text(encoding="utf-8")
