"""RCC-8 of boxes and masks against the rule written out over whole pictures, and what is said of how they lie."""

import numpy as np
import pytest
from scipy.ndimage import distance_transform_edt

from predinet_prolog.bridge.regions import CONVERSE, Region, connected, distance, relation, share_inside
from tests.cases import cases

CASES = cases(__file__)

SIDE = 60


def by_rule(a: np.ndarray, b: np.ndarray) -> str:
    """The rule of one pixel, by how far the middles of pixels are apart: two with one pixel between them, straight or
    one aside, are √5 apart at most, and their squares a pixel."""
    to_a, to_b = distance_transform_edt(~a), distance_transform_edt(~b)
    rim_a, rim_b = distance_transform_edt(a), distance_transform_edt(b)
    in_b, in_a = to_b[a].max() <= 1, to_a[b].max() <= 1
    if in_b and in_a:
        return "eq"
    if in_b:
        return "ntpp" if rim_b[a].min() ** 2 > 5.5 else "tpp"
    if in_a:
        return "ntppi" if rim_a[b].min() ** 2 > 5.5 else "tppi"
    if (b & (rim_a > 1)).any() or (a & (rim_b > 1)).any():
        return "po"
    return "ec" if to_a[b].min() ** 2 < 5.5 else "dc"


def shape(rng: np.random.Generator, kind: str, box: tuple[int, int, int, int]) -> np.ndarray:
    """(SIDE, SIDE): a box, a disc, a ring or specks in the box."""
    left, top, right, bottom = box
    rows, columns = np.mgrid[:SIDE, :SIDE] + 0.5
    inside = (rows > top) & (rows < bottom) & (columns > left) & (columns < right)
    across, down = (columns * 2 - left - right) / (right - left), (rows * 2 - top - bottom) / (bottom - top)
    radius = np.hypot(across, down)
    return {
        "box": inside,
        "disc": inside & (radius <= 1),
        "ring": inside & (radius <= 1) & (radius > 0.6),
        "specks": inside & (rng.random((SIDE, SIDE)) < 0.7),
    }[kind]


def region(pixels: np.ndarray) -> Region:
    rows, columns = np.nonzero(pixels)
    left, top, right, bottom = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    return Region(np.array([left, top, right, bottom], float), pixels[top:bottom, left:right])


def pairs() -> list[tuple[str, np.ndarray, str, np.ndarray]]:
    """1,000 pairs, the second's box a little off the first's, or more, or well within it, or anywhere near it."""
    rng, drawn = np.random.default_rng(1), []
    while len(drawn) < 1000:
        first = np.array([*rng.integers(8, 25, 2), *rng.integers(30, 50, 2)])
        kinds = rng.choice(["box", "disc", "ring", "specks"], 2)
        if len(drawn) % 4 < 2:
            most = 1 + 5 * (len(drawn) % 4)
            second = first + rng.integers(-most, most + 1, 4)
            kinds[1] = kinds[0] if most == 1 else kinds[1]
        elif len(drawn) % 4 == 2:
            second = first + rng.integers(0, 11, 4) * [1, 1, -1, -1]
            second[2:] = np.maximum(second[2:], second[:2] + 1)
        else:
            corner = np.array([first[2] + rng.integers(-1, 4), rng.integers(2, 40)])[rng.permutation(2)]
            second = np.array([*corner, *np.minimum(corner + rng.integers(1, 30, 2), SIDE - 2)])
        a, b = shape(rng, kinds[0], tuple(first)), shape(rng, kinds[1], tuple(second))
        if a.any() and b.any():
            both = [(kinds[0], a), (kinds[1], b)]
            drawn.append((*both[len(drawn) // 4 % 2], *both[1 - len(drawn) // 4 % 2]))
    return drawn


def test_a_thousand_pairs_lie_as_the_rule_says() -> None:
    counts: dict[str, int] = {}
    for kind_a, a, kind_b, b in pairs():
        expected = by_rule(a, b)
        counts[expected] = counts.get(expected, 0) + 1
        first, second = region(a), region(b)
        assert relation(first, second) == expected, (kind_a, kind_b)
        assert relation(second, first) == CONVERSE.get(expected, expected)
        assert share_inside(first, second) == pytest.approx((a & b).sum() / a.sum())
        if kind_a == "box":  # the same, told as a box
            assert relation(Region(first.box), second) == expected
            assert share_inside(Region(first.box), second) == pytest.approx((a & b).sum() / a.sum())
            if kind_b == "box":
                assert relation(Region(first.box), Region(second.box)) == expected
    assert len(counts) == 8
    assert min(counts.values()) >= 15, counts


def test_distances_are_from_square_to_square() -> None:
    for kind_a, a, kind_b, b in pairs()[::7]:
        gaps = np.maximum(np.abs(np.argwhere(a)[:, None] - np.argwhere(b)[None]) - 1, 0)
        expected = 0 if (a & b).any() else np.hypot(*np.moveaxis(gaps, 2, 0)).min()
        assert distance(region(a), region(b)) == pytest.approx(expected)
        if (kind_a, kind_b) == ("box", "box"):
            assert distance(Region(region(a).box), Region(region(b).box)) == pytest.approx(expected)


@pytest.mark.parametrize(("first", "second", "expected"), CASES["fractions"])
def test_boxes_in_fractions_of_pixels(first: tuple[float, ...], second: tuple[float, ...], expected: str) -> None:
    assert relation(Region(np.array(first, float)), Region(np.array(second, float))) == expected


def test_pairs_are_told_once_and_what_is_apart_is_not() -> None:
    """A box, one in it, one beside it, one far off; a mask decides where boxes would say another thing."""
    boxes = [(50, 0, 60, 10), (0, 0, 30, 30), (10, 10, 20, 20), (31, 0, 40, 30)]
    regions = [Region(np.array(box, float)) for box in boxes]
    pairs = [(1, 2, "ntppi"), (1, 3, "ec")]
    many = [Region(np.array((100 * n, 0, 100 * n + 9, 9), float)) for n in range(70)]
    assert [connected(part) for part in (regions, [], [*many, regions[1]])] == [pairs, [], [(0, 70, "tpp")]]
    hollow = np.pad(np.zeros((24, 24), bool), 3, constant_values=True)
    assert connected([*regions[:1], Region(regions[1].box, hollow), *regions[2:]]) == [(1, 3, "ec")]


def test_a_box_of_less_than_a_pixel_lies_where_its_middle_does() -> None:
    disc = region(shape(np.random.default_rng(0), "disc", (10, 10, 40, 40)))
    assert relation(Region(np.array([24.6, 24.6, 24.9, 24.9])), disc) == "ntpp"
    assert share_inside(Region(np.array([24.6, 24.6, 24.9, 24.9])), disc) == pytest.approx(1)
    assert relation(Region(np.array([10.6, 10.6, 10.9, 10.9])), disc) == "dc"
