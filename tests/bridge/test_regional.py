"""Regions in programs: RCC-8 and distances of things that were given, shares in zones, the same in every format."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from predinet_prolog.bridge.program import ImageInfo, Program, base_facts, make_program
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
from tests.seen import Outlined, random_scene

INFO = ImageInfo("yard.jpg", "ab" * 32, 200, 100)
CORNERS = {"loading bay": [(0, 0), (60, 0), (60, 100), (0, 100)], "far": [(300, 0), (400, 0), (400, 50)]}
ZONES = Zones("zones.json", {name: Polygons((np.array(points, float),)) for name, points in CORNERS.items()}, "cd" * 32)
CORNER = np.arange(40)[:, None] < 8
L = CORNER | CORNER.T
"""(40, 40): as an L upside down, whose box holds what it does not touch."""
BOXES = {
    "ob_0": (10, 10, 50, 50),  # the L
    "ob_1": (30, 30, 45, 45),  # in its box
    "ob_2": (34, 34, 38, 38),  # deep in that
    "ob_3": (50, 10, 70, 30),  # beside the L, half of it in the bay
    "ob_4": (150, 80, 170, 90),
}


@pytest.fixture(scope="module")
def program() -> Program:
    things = [
        Thing(name, np.array(box, float), None, np.empty(0), source=n) for n, (name, box) in enumerate(BOXES.items())
    ]
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
    rows = [
        np.array([0, 0, 40, 40]),
        np.array([20, 20, 60, 60]),
        *(np.array([100 * n, 200, 100 * n + 9, 209]) for n in range(count - 2)),
    ]
    things = [Thing(f"ob_{n}", box.astype(float), None, np.empty(0)) for n, box in enumerate(rows)]
    things[0] = replace(things[0], outline=Outlined(L))
    scene = Scene(tuple(things), Inspection(0.0, None, 0.0), (20000, 300), given=True)
    facts = make_program(scene, model=NO_MODEL, image=ImageInfo("", "", 20000, 300)).facts["masks_apart"]
    apart = dict(zip(zip(*facts[:2], strict=True), facts[2], strict=True))
    assert apart["ob_0", "ob_1"] == pytest.approx(12)
    assert len(apart) == (4 if count == 3 else 2)
