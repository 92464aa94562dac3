"""The out-of-distribution score: boards pass, corrupted ones too; everything else is warned of."""

import dataclasses

import numpy as np
import pytest
from PIL import Image, ImageDraw

from benchmarks.others import KINDS, others
from predinet_prolog.bridge import Scene, Thing
from predinet_prolog.bridge.out_of_distribution import OutOfDistribution, out_of_distribution
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.domains.relations_game import OBJECT_SETS, Scenes, corrupt, generate
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.domains.relations_game.out_of_distribution import measure
from tests.margins import Bound

SEED = 31


def scene(objects: int) -> Scene:
    """A scene of so many objects; nothing else of it counts."""
    none = np.zeros(0)
    return Scene((Thing("ob_0", none, None, none),) * objects, Inspection(0, None, 0), (36, 36))


def judged(images: np.ndarray, objects: int = 1) -> list[OutOfDistribution]:
    scenes = [dataclasses.replace(scene(objects), inspection=each) for each in DOMAIN.inspect(images)]
    return [out_of_distribution(each, DOMAIN.remedy) for each in scenes]


def warned(images: np.ndarray) -> np.ndarray:
    return np.array([new.warning is not None for new in judged(images)])


def boards(objects: str, n: int = 60) -> Scenes:
    return generate("scatter", n, objects=objects, seed=SEED)


@pytest.mark.parametrize("objects", OBJECT_SETS)
def test_boards_leave_nothing_unexplained_and_are_without_noise(objects: str) -> None:
    measures = measure(boards(objects).render())
    assert not measures.unexplained.any()
    assert not measures.noise_level.any()
    assert not warned(boards(objects).render()).any()


@pytest.mark.parametrize("way", [(0, 1), (0, -1), (1, 0), (-1, 0)])
def test_an_object_may_lie_two_pixels_off_its_place_and_no_more(way: tuple[int, int]) -> None:
    full = np.zeros((36, 36, 3), np.uint8)
    full[13:22, 13:22] = 200, 30, 90  # a whole frame in the middle, so that all its sides count
    for pixels in (1, 2):
        assert not measure(np.roll(full, np.multiply(way, pixels), axis=(0, 1))[None]).unexplained.any()
    assert measure(np.roll(full, np.multiply(way, 3), axis=(0, 1))[None]).unexplained.all()


def test_a_background_is_warned_of_from_where_scenes_are_no_longer_exact() -> None:
    """Grey levels: the default model's scenes are exact up to 51, and not at 64."""
    scenes = boards("pentos")
    for level, wanted in ((51, False), (64, True)):
        images = corrupt(scenes, "background", level / 255, seed=SEED)
        assert (warned(images) == wanted).all(), level


@pytest.mark.margins
def test_other_pictures_are_noticed(bound: Bound, seed: int) -> None:
    shares = {kind: float(warned(others(kind, 12, seed=SEED + seed)).mean()) for kind in KINDS}
    assert len(shares) >= 10
    bound.below("share that is not noticed", 1 - float(np.mean(list(shares.values()))), 0.05)
    bound.above("share noticed of the hardest kind", min(shares.values()), 0.5)
    for kind in ("one colour", "white noise", "gradient", "photograph", "text", "program's window"):
        assert shares[kind] == 1, kind


EXTREMES = [
    np.zeros((36, 36, 3), np.uint8),
    np.full((36, 36, 3), 255, np.uint8),
    np.pad(np.full((1, 1, 3), 255, np.uint8), ((17, 18), (17, 18), (0, 0))),  # one pixel
    np.pad(np.zeros((34, 34, 3), np.uint8), ((1, 1), (1, 1), (0, 0)), constant_values=255),  # a rim
    np.indices((36, 36)).sum(0)[..., None].repeat(3, 2).astype(np.uint8) % 2 * 255,  # fine checks
]


def test_the_score_and_the_warning_agree() -> None:
    assert warned(np.array(EXTREMES)).all()
    images = np.concatenate([boards("pentos").render(), EXTREMES, *(others(kind, 3, seed=SEED) for kind in KINDS)])
    for new in judged(images):
        assert 0 <= new.score <= 10
        assert (new.warning is not None) == (new.score >= 1)
        if new.warning is not None:
            assert "; give one whole board and nothing else, 3x3 cells upright, black around " in new.warning
            assert new.warning.isprintable(), "one line"


def test_an_image_gets_the_same_in_any_batch() -> None:
    noisy = corrupt(boards("hexos", 45), "noise", 0.05, seed=SEED)
    images = np.concatenate([noisy, *(others(kind, 3, seed=SEED) for kind in KINDS)])
    together = judged(images)
    assert [judged(image[None])[0] for image in images] == together
    order = np.random.default_rng(SEED).permutation(len(images))
    assert judged(images[order]) == [together[index] for index in order]
    assert judged(images[:0]) == []


def test_an_image_without_objects_is_always_warned_of() -> None:
    images = boards("hexos", 2).render()
    (first,), (second,) = judged(images[:1], 0), judged(images[1:])
    assert first.score == 1
    assert "the network found no object" in first.warning
    assert second.warning is None
    (black,) = judged(np.zeros_like(images[:1]), 0)
    assert black == dataclasses.replace(black, score=10)
    assert "no object is to be seen" in black.warning


def test_objects_named_where_only_noise_is_are_doubted() -> None:
    faint = np.random.default_rng(0).normal(0, 5, (1, 36, 36, 3)).clip(0, 255).astype(np.uint8)
    (new,) = judged(faint)
    assert new.warning.startswith("nothing but background or noise is to be seen: the objects named are probably none")


def test_the_warning_says_where() -> None:
    image = Image.fromarray(boards("hexos", 1).render()[0] * 0)
    pen = ImageDraw.Draw(image)
    pen.rectangle((1, 1, 9, 3), fill=(200, 0, 0))
    pen.line((13, 25, 21, 33), (255, 255, 255))
    pen.line((13, 33, 21, 25), (255, 255, 255))
    assert "most of it in row 3, column 2;" in told(image)
    pen.rectangle((12, 24, 23, 35), fill=(0, 0, 0))
    pen.line((0, 11, 35, 11), (255, 255, 255))
    assert "most of it around the objects;" in told(image)
    assert "the background is not black" in told(Image.fromarray(255 - boards("pentos", 1).render()[0]))


def told(image: Image.Image) -> str:
    (new,) = judged(np.asarray(image)[None])
    return new.warning or ""


# --- The noise level: none on clean boards, more the more they are corrupted. ---


def one_pixel_off(by_cell: dict[int, int]) -> np.ndarray:
    """(1, 36, 36, 3): grey squares of 9 × 9 in all nine cells, with one pixel brighter by so much in some of them."""
    image = np.zeros((1, 36, 36, 3), np.uint8)
    for cell in range(9):
        row, column = divmod(cell, 3)
        image[0, 12 * row + 1 : 12 * row + 10, 12 * column + 1 : 12 * column + 10] = 100
        image[0, 12 * row + 5, 12 * column + 5] += by_cell.get(cell, 0)
    return image


@pytest.mark.parametrize("cell", range(9))
def test_one_pixel_by_hand(cell: int) -> None:
    """The mean of its square of 3 × 3 pixels grows by d / 9: 8/9 d² are left over in each channel of a frame of 81."""
    expected = 90 * np.sqrt(8 / 9 / 81) / 255 * 100
    assert measure(one_pixel_off({cell: 90})).noise_level == pytest.approx([expected])


def test_it_is_that_of_the_worst_cell() -> None:
    """Neither the sum nor the mean of what the cells have."""
    for other in (0, 3, 8):
        assert measure(one_pixel_off({4: 90, other: 60})).noise_level == measure(one_pixel_off({4: 90})).noise_level
