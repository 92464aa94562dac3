"""What a network says of a picture's pixels, and what it is given."""

import hashlib
from types import SimpleNamespace

import numpy as np
import pytest

from predinet_prolog.neural.glimpses.foreground import PATH, Unlike, foreground, lab, unlike_ground


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
    difference, hue, light, lightness = np.split(unlike_ground(picture.astype(np.uint8)).inputs, [3, 4, 5])
    ground = np.s_[:, 40:, :]
    assert max(np.abs(part[ground]).max() for part in (difference * 20, hue, light)) < 1
    assert hue[0][darker].max() < 0.1 < 2 < light[0][darker].min()
    assert hue[0][redder].min() > 2
    assert np.ptp(lightness[ground]) > 0.3


def test_what_lies_all_over_a_picture_is_even_and_what_lies_in_one_place_is_not() -> None:
    """However unlike both are from the ground's colour."""
    picture = np.full((121, 181, 3), 150, dtype=np.uint8)
    picture[:, ::12] = picture[:, 1::12] = (90, 60, 40)  # stripes
    picture[30:50, 60:80] = (90, 60, 140)
    even = unlike_ground(picture).even
    assert even[34:46, 64:76].max() < 0.3 < 0.5 < even[:, 24].min()


def test_a_ground_is_busy_by_its_deviation() -> None:
    grain = np.random.default_rng(0).normal(0, 1, (100, 150, 1))
    busy = [
        unlike_ground((150 + strength * grain).clip(0, 255).astype(np.uint8).repeat(3, 2)).busy
        for strength in (1, 8, 40)
    ]
    assert busy[0] == 0 < busy[1] < 1 == busy[2]


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
    likely = foreground(Unlike(np.zeros((6, *size), np.float32), 0.0))
    assert likely.shape == (2, *size)
    assert [side % 32 for side in given[0]] == [0, 0]
    assert likely.min() == 1


def test_what_is_a_things_depends_on_all_of_the_picture() -> None:
    """What is all over it is the ground. The network answers of the first 64 columns, and others are changed."""
    inputs = np.random.default_rng(0).normal(0, 0.5, (6, 192, 384)).astype(np.float32)
    inputs[:3, 80:110, 20:50] += 1
    changed = inputs.copy()
    changed[:, :, 224:] *= 3
    before, after = (foreground(Unlike(given, 0.0))[0, :, :64] for given in (inputs, changed))
    assert np.abs(after - before).max() > 0.05


def test_the_card_is_of_the_network_that_is_shipped() -> None:
    digest = hashlib.sha256(PATH.read_bytes()).hexdigest()
    assert f"sha256 `{digest}`" in PATH.with_suffix(".md").read_text(encoding="utf-8")


def test_on_a_busy_ground_what_lies_all_over_is_less_likely_a_things(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds of 1 to 1 and of 4 to 1, by a half at most of evenness: by up to the power of e to 1.5."""
    answer = np.full((1, 2, 32, 32), 0.5, dtype=np.float32)
    answer[0, 0, 16:] = 0.8
    session = SimpleNamespace(run=lambda names, inputs: [answer])
    monkeypatch.setattr("predinet_prolog.neural.glimpses.foreground._session", lambda: session)
    even = np.ones((32, 32), dtype=np.float32)
    even[:, 16:] = 0.4
    monkeypatch.setattr("predinet_prolog.neural.glimpses.foreground._even", lambda off, blur: even)
    for busy, first, second in (
        (0.0, 0.5, 0.8),
        (0.5, 1 / (1 + np.e**0.75), 4 / (4 + np.e**0.75)),
        (1.0, 1 / (1 + np.e**1.5), 4 / (4 + np.e**1.5)),
    ):
        likely, meeting = foreground(Unlike(np.zeros((6, 32, 32), np.float32), busy))
        assert [likely[4, 4], likely[28, 4]] == pytest.approx([first, second], abs=1e-5)
        assert [likely[4, 28], likely[28, 28], meeting.min()] == pytest.approx([0.5, 0.8, 0.5])
