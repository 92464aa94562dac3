"""What is drawn is what the truth says, of shapes whose families are kept apart; a seed draws the same bytes."""

from functools import cache
from itertools import combinations, groupby
from math import gcd

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from scipy import ndimage

from predinet_prolog.domains.domain import board
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.scenes.domain import DOMAIN, STYLES
from predinet_prolog.domains.scenes.drawing import Drawn, Group, draw
from predinet_prolog.domains.scenes.families import FAMILIES
from predinet_prolog.domains.scenes.fills import Fill, Part
from predinet_prolog.domains.scenes.light import disturb
from predinet_prolog.domains.scenes.pictures import chosen_groups, new_groups, training_pictures
from predinet_prolog.domains.scenes.placing import place
from predinet_prolog.domains.scenes.shapes import fit, new_shapes, overlap
from predinet_prolog.domains.scenes.signs import SIGNS

Bools = NDArray[np.bool_]


@pytest.fixture(autouse=True)
def few_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("predinet_prolog.domains.scenes.domain.GROUPS", 5)


@cache
def bank(kind: str) -> list[Group]:
    return new_groups(kind, 12, np.random.default_rng(0))


@cache
def drawn(style: str, n: int = 15, *, kind: str = "training") -> list[Drawn]:
    rng = np.random.default_rng(1)
    return [draw(100, 120, chosen_groups(bank(kind), rng), STYLES[style], rng) for _ in range(n)]


def gap(one: Bools, other: Bools) -> int:
    """Pixels of ground between two things, the diagonal as near as the sides; -1: they overlap."""
    far = ndimage.distance_transform_cdt(~one, metric="chessboard")
    return int(far[other].min()) - 1


def gaps(picture: Drawn) -> list[int]:
    things = [picture.owner == number for number in range(1, picture.owner.max() + 1)]
    return [gap(one, other) for one, other in combinations(things, 2)]


def test_the_same_seed_draws_the_same_bytes() -> None:
    once, again, other = (training_pictures(8, side=64, seed=seed, groups=6, cluttered=0.5) for seed in (5, 5, 6))
    for name in ("pixels", "owner", "image"):
        assert getattr(once, name).tobytes() == getattr(again, name).tobytes()
        assert getattr(once, name).tobytes() != getattr(other, name).tobytes()
    assert all(np.array_equal(once.attributes[name], again.attributes[name]) for name in once.attributes)


@pytest.mark.parametrize("style", STYLES)
def test_what_a_folder_is_told(style: str) -> None:
    """As many pictures as wanted, of the sides wanted, none empty; a box for each thing, within its picture."""
    said = [DOMAIN.generate_annotated(5, seed=2, kind="judging", task=style, sides=(50, 70)) for _ in range(2)]
    annotated, again = said[0], said[1]
    assert [a.tobytes() for a in annotated.pictures] == [b.tobytes() for b in again.pictures]
    truth = annotated.truth
    assert set(truth.image.tolist()) == set(range(5))
    assert (np.diff(truth.image) >= 0).all()
    sizes = np.array([picture.shape[1::-1] for picture in annotated.pictures])[truth.image]
    assert ((sizes >= 50) & (sizes <= 70)).all()
    assert (truth.boxes[:, :2] >= 1).all()
    assert (truth.boxes[:, 2:] < sizes).all()
    assert (truth.boxes[:, 2:] > truth.boxes[:, :2]).all()
    assert set(truth.attributes) == set(annotated.words) == {"shape", "colour", "look", "size"}
    for name, values in truth.attributes.items():
        assert values.shape == truth.image.shape
        assert values.max() < len(annotated.words[name])


def test_what_the_domain_has_not() -> None:
    with pytest.raises(DomainError, match="no task crossing"):
        DOMAIN.generate_annotated(1, seed=0, task="crossing")
    with pytest.raises(DomainError, match="no kind of things pentos: there are training, validation, judging"):
        DOMAIN.generate_annotated(1, seed=0, kind="pentos")
    with pytest.raises(DomainError, match=r"pictures of scenes have many sizes, .*: generate a folder of them"):
        board(DOMAIN)


def test_all_that_is_drawn_lies_in_the_boxes_and_fills_them() -> None:
    for picture in drawn("plain", kind="validation"):
        ground = picture.pixels[0, 0].astype(int)
        differs = np.abs(picture.pixels.astype(int) - ground).max(2)
        boxes = np.zeros(differs.shape, dtype=bool)
        for rows, columns in ndimage.find_objects(picture.owner):
            boxes[rows.start - 1 : rows.stop + 1, columns.start - 1 : columns.stop + 1] = True
            here = differs[rows, columns]
            assert min(edge.max() for edge in (here[0], here[-1], here[:, 0], here[:, -1])) >= 30
        assert (differs[~boxes] > 0).mean() < 0.01, "more is drawn than boxes tell of"


@pytest.mark.parametrize("style", ["plain", "two_colours", "many_parts"])
def test_equal_numbers_are_equal_to_see(style: str) -> None:
    """Two things of one shape, look and size are the same pixels; of one shape and unlike sizes, a quarter apart."""
    pairs = 0
    for picture in drawn(style, 40):
        boxes = ndimage.find_objects(picture.owner)
        told = list(zip(*(picture.attributes[name] for name in ("shape", "colour", "look", "size")), strict=True))
        assert len(told) == len(boxes)
        seen = []
        for number, box in enumerate(boxes, start=1):
            own = picture.owner[box] == number
            seen.append((own, picture.pixels[box] * own[..., None]))
        for (one, (mask, pixels)), (other, (mask_2, pixels_2)) in combinations(zip(told, seen, strict=True), 2):
            if one == other:
                pairs += 1
                assert np.array_equal(mask, mask_2)
                assert np.array_equal(pixels, pixels_2)
            if one[0] == other[0] and one[3] == other[3] and style != "many_parts":
                assert mask.shape == mask_2.shape
            if one[0] == other[0] and one[3] < other[3] and style != "many_parts":
                assert max(mask_2.shape) >= 1.25 * max(mask.shape) - 3
            assert one[2] != other[2] or one[:2] == other[:2], "one look, unlike in shape or colour"
    assert pairs > 10


def test_things_stand_apart_unless_the_style_says_otherwise() -> None:
    assert min(each for picture in drawn("plain") for each in gaps(picture)) >= 2
    close = [gaps(picture) for picture in drawn("close")]
    assert min(min(each) for each in close if each) == 1
    assert np.mean([min(each) <= 2 for each in close if each]) > 0.9
    touching = [min(each) for picture in drawn("touching") if (each := gaps(picture))]
    assert np.mean(np.array(touching) <= 0) > 0.8


@pytest.mark.parametrize("wanted", [-1, 0, 1, 2])
def test_a_thing_is_placed_at_the_gap_wanted(wanted: int) -> None:
    """And one that lies over another does so with its rim: a pixel back, and it lies clear."""
    rng = np.random.default_rng(wanted + 1)
    found = 0
    for _ in range(25):
        masks = [mask for _ in range(2) for mask in new_shapes("training", rng, 1)]
        first, second = (np.asarray(mask[:: 64 // 20, :: 64 // 20] > 127) for mask in masks)
        owner = np.zeros((70, 80), dtype=np.uint8)
        owner[20 : 20 + first.shape[0], 25 : 25 + first.shape[1]][first] = 1
        corner = place(owner, second, wanted, rng)
        if corner is None:
            continue
        found += 1
        top, left = corner
        laid = np.zeros_like(owner, dtype=bool)
        laid[top : top + second.shape[0], left : left + second.shape[1]] = second
        assert laid[1:-1, 1:-1].sum() == second.sum(), "it reaches the picture's edge"
        if wanted >= 0:
            assert gap(owner > 0, laid) == wanted
            continue
        back = [np.roll(laid, (down, right), (0, 1)) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        assert any(not (owner[each] > 0).any() for each in back)
    assert found > 15


def test_there_is_no_place() -> None:
    rng = np.random.default_rng(0)
    full = np.ones((40, 40), dtype=np.uint8)
    small, large = np.ones((5, 5), dtype=bool), np.ones((39, 5), dtype=bool)
    assert place(full, small, None, rng) is None
    assert place(np.zeros((40, 40), dtype=np.uint8), large, None, rng) is None
    assert place(np.zeros((40, 40), dtype=np.uint8), small, 1, rng) is not None, "the first thing has no neighbour"


def test_parts_lie_on_their_base_and_nothing_of_them_beyond_its_box() -> None:
    base, dot = np.zeros((64, 64), dtype=np.uint8), np.full((64, 64), 255, dtype=np.uint8)
    base[:, :32] = 255
    red, blue = (250.0, 0.0, 0.0), (0.0, 0.0, 250.0)
    for x, y, seen in ((0.25, 0.5, (20, 10)), (0.75, 0.5, (20, 30)), (0.98, 0.98, (39, 39)), (0.0, 0.0, (0, 0))):
        paint, cover = Fill((red, blue), parts=(Part(dot, 1, x, y, 0.25),)).draw(base, 40, 40, seed=0)
        assert paint.shape == (40, 40, 3)
        assert tuple(paint[seen]) == blue
        assert cover[seen] == 1, "a part belongs to the thing where its base does not reach"
        assert tuple(paint[20, 1]) == red
        blue_share = (paint[..., 2] > 125).mean()
        assert 0.01 < blue_share <= 0.0625 + 0.01


def test_each_disturbance_alone_and_all_together() -> None:
    flat = np.full((40, 50, 3), 120, dtype=np.float32)

    def of(**strengths: float) -> NDArray[np.float64]:
        return disturb(flat, strengths, np.random.default_rng(0)).astype(np.float64)

    assert (of() == 120).all()
    assert 0.045 * 255 < of(noise=0.05).std() < 0.055 * 255
    assert of(gradient=0.25).min() < 0.8 * 120
    assert of(gradient=0.25).max() > 1.2 * 120
    assert abs(of(shadow=0.35).min() - 0.65 * 120) < 4
    assert of(shadow=0.35).max() <= 120
    noisy = of(noise=0.05)
    assert np.abs(of(noise=0.05, jpeg=75.0) - noisy).mean() > 1
    for name in ("noise", "jpeg", "gradient", "shadow"):
        assert [a.pixels.tobytes() for a in drawn(name, 3)] != [a.pixels.tobytes() for a in drawn("plain", 3)]


def test_clutter_covers_the_picture_or_a_side_and_is_told_by_its_owner() -> None:
    pictures = training_pictures(30, side=48, seed=1, groups=8, cluttered=1.0)
    covered = (pictures.owner == 255).mean((1, 2))
    assert ((covered == 1) | ((covered > 0.3) & (covered < 0.7))).all()
    assert 0.4 < (covered == 1).mean() < 0.95
    assert not (training_pictures(20, side=48, seed=1, groups=8, cluttered=0.0).owner == 255).any()


def test_things_of_training_pictures_are_numbered_by_their_owners() -> None:
    pictures = training_pictures(30, side=64, seed=2, groups=10, cluttered=0.0)
    for number in range(30):
        mine = pictures.image == number
        assert pictures.owner[number].max() == mine.sum()
    for values in pictures.attributes.values():
        assert values.shape == pictures.image.shape


KINDS = ("training", "validation", "judging")


def test_the_kinds_have_no_family_in_common() -> None:
    assert tuple(FAMILIES) == KINDS
    drawn = {kind: {str(draw) if hasattr(draw, "keywords") else draw.__name__ for draw in FAMILIES[kind].values()}
             for kind in KINDS}  # fmt: skip
    for one, other in combinations(KINDS, 2):
        assert not FAMILIES[one].keys() & FAMILIES[other].keys()
        assert not drawn[one] & drawn[other]
        assert not set(SIGNS[one][0]) & set(SIGNS[other][0]), "a font of two kinds"


@pytest.mark.parametrize(("kind", "family", "cells"), [("training", "polyomino", {2, 3, 4, 5}),
                                                       ("validation", "large polyomino", {7, 8})])  # fmt: skip
def test_polyominoes_of_six_cells_are_drawn_nowhere(kind: str, family: str, cells: set[int]) -> None:
    rng, seen = np.random.default_rng(0), set()
    for _ in range(150):
        lit = np.asarray(FAMILIES[kind][family](rng)) > 127
        lines = [*lit, *lit.T]
        runs = [len(list(run)) for line in lines for value, run in groupby(line.tolist()) if value]
        seen.add(int(lit.sum()) // gcd(*runs) ** 2)
    assert 6 not in seen
    assert max(seen) == max(cells)
    assert len(seen & cells) > 1  # a rectangle of four or eight may be told for one of larger cells


@pytest.mark.parametrize("kind", KINDS)
def test_masks_fill_their_box_and_twins_are_unlike(kind: str) -> None:
    rng = np.random.default_rng(1)
    groups = [new_shapes(kind, rng) for _ in range(20)]
    assert sum(len(group) for group in groups) > 2.5 * 20, "few shapes have twins"
    for mask in (mask for group in groups for mask in group):
        assert mask.dtype == np.uint8
        assert max(mask.shape) == 64
        assert min(mask.shape) >= 8
        assert all(edge.any() for edge in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))
        assert overlap(mask, mask) == 1
    for group in groups:
        for one, other in combinations(group, 2):
            assert overlap(one, other) == overlap(other, one) < 0.87


def test_what_is_empty_or_thin_still_has_a_mask() -> None:
    assert fit(Image.new("L", (20, 20))).all()
    thin = Image.new("L", (200, 2), 255)
    assert fit(thin).shape == (8, 64)
