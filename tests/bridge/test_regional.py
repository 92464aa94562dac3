"""RCC-8 and distances of regions against the rule written out, and in programs of every format."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet
from scipy.ndimage import distance_transform_edt

from predinet_prolog.bridge.program import ImageInfo, Program, base_facts, make_program
from predinet_prolog.bridge.regions import CONVERSE, Region, connected, distance, relation, share_inside
from predinet_prolog.bridge.scene import Scene, Thing
from predinet_prolog.bridge.tables import read_program
from predinet_prolog.bridge.writers.asp import write_asp
from predinet_prolog.bridge.writers.json import write_json
from predinet_prolog.bridge.writers.parquet import table
from predinet_prolog.bridge.writers.problog import write_problog
from predinet_prolog.bridge.writers.prolog import write_prolog
from predinet_prolog.domains.detections.outlines import Polygons
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.domains.zones import Zones
from predinet_prolog.neural.model import NO_MODEL
from tests.asking import answers, asked, likely, solved
from tests.cases import cases
from tests.seen import Outlined, random_scene

CASES = cases(__file__)
INFO = ImageInfo("yard.jpg", "ab" * 32, 200, 100)
CORNERS = {"loading bay": [(0, 0), (60, 0), (60, 100), (0, 100)], "far": [(300, 0), (400, 0), (400, 50)]}
ZONES = Zones("zones.json", {name: Polygons((np.array(points, float),)) for name, points in CORNERS.items()}, "cd" * 32)
CORNER = np.arange(40)[:, None] < 8
L = CORNER | CORNER.T
"""(40, 40): as an L upside down, whose box holds what it does not touch."""


@pytest.fixture(scope="module")
def program() -> Program:
    boxes = enumerate(CASES["boxes"].items())
    things = [Thing(name, np.array(box, float), None, np.empty(0), source=n) for n, (name, box) in boxes]
    things[0] = replace(things[0], outline=Outlined(L))
    things[1] = replace(things[1], category="cart")
    scene = Scene(tuple(things), Inspection(0.0, None, 0.0), (200, 100), given=True, zones=ZONES)
    return make_program(scene, model=NO_MODEL, image=INFO)


ASKED = asked("regions")


@pytest.mark.parametrize("goal", ASKED)
def test_regions_are_asked_in_prolog(goal: str, program: Program) -> None:
    assert answers(write_prolog(program), goal) == ASKED[goal]


def test_they_are_the_same_in_json_in_a_table_in_problog_and_for_clingo(program: Program, tmp_path: Path) -> None:
    document = json.loads(write_json(program))
    assert document["zones"] == {"sha256": "cd" * 32}
    assert {tuple(row) for row in document["facts"]["share_inside"]} >= {("ob_3", "loading bay", 0.5)}
    assert [row["x"] for row in document["relations"] if row["predicate"] == "in_zone"] == ["ob_0", "ob_1", "ob_2"]
    assert {"predicate": "dc", "x": "ob_0", "y": "ob_4"} in document["relations"]
    parquet.write_table(table([("yard.jpg", base_facts(program))], program.rules), tmp_path / "kb.parquet")
    text = read_program(tmp_path / "kb.parquet", {"in_zone", "dc", "ec", "masks_apart"}, most=2**20)
    assert answers(text, "in_zone('yard.jpg', X, 'loading bay')") == [["ob_0"], ["ob_1"], ["ob_2"]]
    assert answers(text, "ec(_, ob_0, X), masks_apart(_, X, ob_0, D)") == [["ob_3", 0.0]]
    told = likely(write_problog(program), "in_zone(_, _)", "dc(ob_0, _)", "distance(ob_0, ob_1, _)")
    assert {"in_zone(ob_2,'loadingbay')", "dc(ob_0,ob_4)", "distance(ob_0,ob_1,12.0)"} <= told.keys()
    atoms = set(map(str, solved(write_asp(program))))
    assert {"dc(ob_0,ob_4)", "ec(ob_0,ob_3)", "distance(ob_0,ob_1,12000)"} <= atoms
    assert any(atom.startswith("in_zone(ob_2,") for atom in atoms)


def test_things_that_were_found_have_shares_of_zones_alone() -> None:
    scene = random_scene(3, 2)
    image = ImageInfo("a.png", "", *scene.size)
    without = make_program(scene, model=NO_MODEL, image=image)
    program = make_program(replace(scene, zones=ZONES), model=NO_MODEL, image=image)
    assert set(program.predicates) - set(without.predicates) == {"zone/1", "share_inside/3", "in_zone/2"}


def test_zones_have_names_even_where_they_look_like_numbers(program: Program) -> None:
    """In ProbLog and for clingo, too, whose facts of zones are no numbers then."""
    outline = ZONES.outlines["loading bay"]
    scene = Scene((), Inspection(0.0, None, 0.0), (200, 100), given=True, zones=Zones("", {"7": outline}, ""))
    named = make_program(scene, model=NO_MODEL, image=INFO)
    assert "zone('7')." in write_problog(named)
    assert "zone(7)" not in map(str, solved(write_asp(named)))


@pytest.mark.parametrize("count", [3, 120])
def test_masks_of_many_things_are_measured_where_their_boxes_meet(count: int) -> None:
    """Two of which lie in each other's boxes, and the others apart."""
    boxes = [(0, 0, 40, 40), (20, 20, 60, 60), *((100 * n, 200, 100 * n + 9, 209) for n in range(count - 2))]
    things = [Thing(f"ob_{n}", np.array(box, float), None, np.empty(0)) for n, box in enumerate(boxes)]
    things[0] = replace(things[0], outline=Outlined(L))
    scene = Scene(tuple(things), Inspection(0.0, None, 0.0), (20000, 300), given=True)
    facts = make_program(scene, model=NO_MODEL, image=ImageInfo("", "", 20000, 300)).facts["masks_apart"]
    apart = dict(zip(zip(*facts[:2], strict=True), facts[2], strict=True))
    assert (apart["ob_0", "ob_1"], len(apart)) == (pytest.approx(12), 4 if count == 3 else 2)


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
    discs = {"disc": radius <= 1, "ring": (radius <= 1) & (radius > 0.6), "specks": rng.random((SIDE, SIDE)) < 0.7}
    return inside & discs.get(kind, True)


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
    assert connected([regions, [], [*many, regions[1]]]) == [pairs, [], [(0, 70, "tpp")]]
    hollow = np.pad(np.zeros((24, 24), bool), 3, constant_values=True)
    assert connected([[*regions[:1], Region(regions[1].box, hollow), *regions[2:]]]) == [[(1, 3, "ec")]]


def test_a_box_of_less_than_a_pixel_lies_where_its_middle_does() -> None:
    disc = region(shape(np.random.default_rng(0), "disc", (10, 10, 40, 40)))
    assert relation(Region(np.array([24.6, 24.6, 24.9, 24.9])), disc) == "ntpp"
    assert share_inside(Region(np.array([24.6, 24.6, 24.9, 24.9])), disc) == pytest.approx(1)
    assert relation(Region(np.array([10.6, 10.6, 10.9, 10.9])), disc) == "dc"
