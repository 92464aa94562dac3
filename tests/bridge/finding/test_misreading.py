"""When patches tell of a small picture, and when the network, which sees it as it is."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image, ImageDraw

from predinet_prolog.bridge import perceiver_of
from predinet_prolog.bridge.finding import misreading
from predinet_prolog.bridge.finding.instances import Reading, boxes_of
from predinet_prolog.bridge.finding.misreading import WEIGHTS, Weights
from predinet_prolog.bridge.finding.patches import Patches
from predinet_prolog.neural.glimpses.model import load_any

Block = tuple[int, int, int, int]
LARGE, SMALL = (10, 10, 80, 90), (82, 20, 92, 34)
PIECES = (10, 10, 80, 60), (20, 20, 60, 50), SMALL


def reading(*blocks: Block, scale: float = 1.0, side: int = 96) -> Reading:
    owner = np.zeros((round(side * scale),) * 2, dtype=np.int64)
    for number, block in enumerate(blocks, start=1):
        left, top, right, bottom = (round(side * scale) for side in block)
        owner[top:bottom, left:right] = number
    return Reading(np.array(blocks, dtype=np.float64).reshape(-1, 4), owner, scale)


def patches(*blocks: Block, likely: float = 0.95, side: int = 96) -> Patches:
    owner = reading(*blocks, side=side).owner
    doubts = np.zeros((0, 5))
    return Patches(boxes_of(owner), owner, 1.0, np.where(owner > 0, np.float32(likely), np.float32(0)), doubts, ())


def seen(*blocks: Block) -> Callable[[], Reading]:
    return lambda: reading(*blocks)


def misread(network: Reading, patches: Patches, afar: Callable[[], Reading], weights: Weights = WEIGHTS) -> float:
    return misreading.misread(network, patches, afar, weights)[0]


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_large_thing_that_the_network_takes_for_several_is_a_patch(scale: float) -> None:
    assert misread(reading(*PIECES, scale=scale), patches(LARGE, SMALL), seen(LARGE, SMALL)) > 0


@pytest.mark.parametrize("weight", ["nested", "unexplained", "sure", "afar"])
def test_every_evidence_tells(weight: str) -> None:
    without = replace(WEIGHTS, **{weight: 0.0})
    both = [misread(reading(*PIECES), patches(LARGE, SMALL), seen(LARGE), w) for w in (WEIGHTS, without)]
    assert abs(both[0] - both[1]) > 0.5


def test_two_things_that_touch_are_the_networks() -> None:
    """They explain all that is joined, and are two from further away."""
    two = (10, 10, 40, 40), (40, 15, 70, 45)
    joined = patches((10, 10, 70, 45))
    joined.owner[...] = np.minimum(reading(*two).owner, 1)
    assert misread(reading(*two), joined, seen(*two)) < 0


def test_what_the_network_sees_nothing_of_is_a_patch() -> None:
    bare = patches(LARGE, SMALL, likely=0.9)
    assert misread(reading(SMALL), bare, seen()) > 0
    assert misread(reading(SMALL), bare, seen(), replace(WEIGHTS, bare=0.0)) < 0


def test_patches_tell_sooner_in_pictures_larger_than_the_lessons() -> None:
    speaks = [
        misread(reading(*PIECES, side=side), patches(LARGE, SMALL, side=side), seen()) for side in (96, 128, 137, 200)
    ]
    assert np.round(np.diff(speaks), 6).tolist() == [0, 1, 1]


def test_where_nothing_from_afar_can_decide_it_is_not_asked() -> None:
    def afar() -> Reading:
        raise AssertionError

    assert misread(reading(LARGE, SMALL), patches(LARGE, SMALL), afar) < 0


def test_where_little_speaks_for_the_network_that_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    perceiver, picture = perceiver_of(load_any("scenes")), np.full((96, 96, 3), 240, dtype=np.uint8)
    picture[20:50, 20:50] = (200, 30, 40)
    for speaks, warned in ((-0.7, True), (-0.9, False)):
        answer = speaks, np.array([20.0, 20, 50, 50])
        monkeypatch.setattr("predinet_prolog.bridge.finding.finders.misread", lambda *_, answer=answer: answer)
        assert (perceiver.perceive([picture])[0].inspection.score >= 1) == warned


def test_what_both_find_speaks_for_neither() -> None:
    assert misread(reading(LARGE, SMALL), patches(LARGE, SMALL), seen(LARGE)) == -np.inf
    assert misread(reading(), patches(), seen()) == -np.inf


def test_a_ring_and_what_it_holds_are_two_in_a_picture_of_any_size() -> None:
    drawn = Image.new("RGB", (480, 480), (250, 250, 250))
    pen = ImageDraw.Draw(drawn)
    pen.ellipse((40, 40, 400, 400), outline=(200, 30, 40), width=20)
    pen.rectangle((180, 170, 260, 270), fill=(30, 60, 200))
    perceiver = perceiver_of(load_any("scenes"))
    for side in (80, 96, 120, 144, 240):
        small = np.asarray(drawn.resize((side, side), Image.Resampling.BOX))
        boxes = np.sort(perceiver.perceive([small])[0].boxes * 480 / side, axis=0)
        assert boxes.shape == (2, 4), side
        assert np.abs(boxes - [[40, 40, 261, 271], [180, 170, 401, 401]]).max() <= 12, side
