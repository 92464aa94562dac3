"""Axes come from pentominoes alone, clusters are measured as said, and the experiment over tiny networks."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from domains.relations_game import generate
from experiments import PAPER, pca, take_folder
from experiments.axes import clusters, main_direction, project, separation
from experiments.heads import head_outputs
from neural import RelationsNetwork

pytestmark = pytest.mark.slow(3)

RNG = np.random.default_rng(3)
POINTS = RNG.normal(size=(211, 5)).astype(np.float32) * np.array([1, 7, 2, 3, 1], np.float32)
OTHERS = RNG.normal(size=(97, 5)).astype(np.float32)


def test_held_out_images_do_not_move_the_axes() -> None:
    alone = project("pentos", {"pentos": POINTS, "hexos": OTHERS})
    moved = project("pentos", {"pentos": POINTS, "hexos": 50 + 9 * OTHERS})
    np.testing.assert_array_equal(alone.points["pentos"], moved.points["pentos"])
    assert alone.explained == moved.explained
    assert not np.allclose(alone.points["hexos"], moved.points["hexos"])


def test_held_out_images_are_projected_onto_the_same_axes() -> None:
    found = project("pentos", {"pentos": POINTS, "hexos": OTHERS})
    centred = POINTS.astype(np.float64) - POINTS.mean(0)
    directions = np.linalg.svd(centred, full_matrices=False)[2][:2]
    for name, rows in (("pentos", POINTS), ("hexos", OTHERS)):
        expected = (rows - POINTS.mean(0)) @ directions.T
        np.testing.assert_allclose(np.abs(found.points[name]), np.abs(expected), rtol=1e-3, atol=1e-3)


def test_every_head_has_axes_of_its_own(tiny: Callable[..., RelationsNetwork]) -> None:
    images = {name: generate("colour_and_or_shape", 30, objects=name, seed=1).render() for name in ("pentos", "hexos")}
    given = {name: head_outputs(tiny("attention"), pixels) for name, pixels in images.items()}
    found = pca.projections(given)
    assert list(found) == ["whole", "0", "1", "2"]
    only_second = project("pentos", {name: rows[:, 1] for name, rows in given.items()})
    np.testing.assert_allclose(found["1"].points["hexos"], only_second.points["hexos"], rtol=1e-4, atol=1e-6)


def test_heads_are_parts_of_the_whole_output(tiny: Callable[..., RelationsNetwork]) -> None:
    """For both architectures: what a head gives is what the network gives with the others' parts cut off."""
    images = generate("colour_and_or_shape", 4, seed=1).render()
    network = tiny("attention")
    before = head_outputs(network, images)
    network.central.W_V.view(-1, 3, 6)[:, 2] = 0.0  # the third head's values
    after = head_outputs(network, images)
    np.testing.assert_array_equal(after[:, :2], before[:, :2])
    assert not after[:, 2].any()
    predinet = tiny()
    before = head_outputs(predinet, images)
    predinet.predinet.W_Q1.view(-1, 3, 7)[:, 1] += 1.0  # the second head's query
    after = head_outputs(predinet, images)
    np.testing.assert_array_equal(after[:, [0, 2]], before[:, [0, 2]])
    assert not np.allclose(after[:, 1], before[:, 1])


def test_places_tell_labels_that_cluster_and_no_others() -> None:
    labels = RNG.integers(4, size=800)
    corners = np.array([[0, 0], [9, 0], [0, 9], [9, 9]])[labels]
    apart = (corners + RNG.normal(size=(800, 2))).astype(np.float32)
    strewn = RNG.normal(size=(800, 2)).astype(np.float32)
    assert separation(apart[:400], labels[:400], apart[400:], labels[400:]) > 0.99
    assert 0.15 < separation(strewn[:400], labels[:400], strewn[400:], labels[400:]) < 0.35


def cross(angle: float, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Equal pairs in the middle; pairs that differ in shape along x, in colour along a line at `angle` degrees."""
    labels = np.arange(2_000) % 4
    along, across = RNG.normal(size=2_000) * 5, RNG.normal(size=2_000) * width
    turn = np.radians(np.where(labels == 2, angle, 0.0))
    points = np.stack([along * np.cos(turn) - across * np.sin(turn), along * np.sin(turn) + across * np.cos(turn)], 1)
    points[labels == 0] = RNG.normal(size=(500, 2)) * 0.01
    points[labels == 3] = RNG.normal(size=(500, 2)) * 5
    return points.astype(np.float32), labels


@pytest.mark.parametrize(
    ("angle", "width", "separate"), [(90, 0.5, True), (100, 0.5, True), (20, 0.5, False), (90, 5, False)]
)
def test_separate_axes(angle: float, width: float, separate: bool) -> None:
    points, labels = cross(angle, width)
    found = clusters(points, labels, points, labels)
    assert found.on_separate_axes(line=pca.LINE, angle=pca.ANGLE) is separate
    moved = clusters(points + 30, labels, points + 30, labels)
    assert moved.angle == pytest.approx(found.angle, abs=0.5), "directions are from where equal pairs lie"
    if width < 1:
        assert found.angle == pytest.approx(min(angle, 180 - angle), abs=2)
        assert found.shape_line == pytest.approx(25 / 25.25, abs=0.01)


def test_the_main_direction_is_of_the_spread_about_zero() -> None:
    share, direction = main_direction(np.array([[3, 4], [-6, -8], [-0.4, 0.3]], np.float32))
    assert abs(direction @ np.array([0.6, 0.8])) == pytest.approx(1)
    assert share == pytest.approx(125 / 125.25)


def rows(**other: str) -> list[dict[str, str]]:
    """The table of a run that is as the paper says: four heads of the PrediNet cluster, and attend to objects."""
    weak = {"labels": "0.3", "held_out": "0.3", "shape_line": "0.9", "colour_line": "0.9", "angle": "85"} | {
        "run": "0",
        "accuracy": "0.9",
    }
    found = []
    for head in ("whole", *map(str, range(8))):
        strong = head != "whole" and int(head) < 4
        row = weak | {"architecture": "predinet", "head": head, "on_objects": str(int(strong))}
        if strong:
            row |= {"labels": "0.7", "held_out": "0.65"} | other
        found += [row, weak | {"architecture": "attention", "head": head, "on_objects": "0"}]
    return found


def test_the_claims_hold_where_they_hold() -> None:
    assert [claim.verdict for claim in pca.judge(rows())] == ["**yes**"] * 6


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        ({"labels": "0.4"}, {1, 2, 4, 5}),
        ({"angle": "50"}, {2}),
        ({"colour_line": "0.7"}, {2}),
        ({"held_out": "0.5"}, {4}),
        ({"on_objects": "0"}, {5}),
    ],
)
def test_the_claims_fail_where_they_fail(change: dict[str, str], failing: set[int]) -> None:
    found = pca.judge(rows(**change))
    assert {index for index, claim in enumerate(found) if claim.verdict == "**no**"} == failing


def test_heads_of_attention_and_whole_outputs_that_cluster_are_told() -> None:
    table = rows()
    for row in table:
        if row["architecture"] == "attention" and row["head"] in ("whole", "5"):
            row["labels"] = "0.6"
    found = pca.judge(table)
    assert (found[0].verdict, found[3].verdict) == ("**no**", "**no**")


def test_nothing_is_said_of_attention_that_learnt_nothing() -> None:
    table = [row | ({"accuracy": "0.3"} if row["architecture"] == "attention" else {}) for row in rows()]
    assert pca.judge(table)[3].verdict == "not known yet"


def test_the_experiment_writes_data_figures_and_a_page(
    finish_cells: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(PAPER, runs=2)
    take_folder(tmp_path, "pca", plan)
    assert "not all trained yet" in pca.EXPERIMENT.write(tmp_path)

    for name, count in (("IMAGES", 160), ("DRAWN", 40)):
        monkeypatch.setattr(pca, name, count)
    finish_cells(tmp_path, pca.CELLS, plan.runs)
    pca.EXPERIMENT.run(plan, tmp_path, lambda done, total, text: None)
    with (tmp_path / "clusters.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 2 * 2 * 4  # architectures, runs, the whole and three heads
    with (tmp_path / "points.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 2 * 2 * 4 * 40  # architectures, sets, the whole and heads, points
    page = pca.EXPERIMENT.write(tmp_path)
    assert page.count("**yes**") + page.count("**no**") + page.count("not known yet") == 6
    pictures = [line.split("](")[1].rstrip(")") for line in page.splitlines() if line.startswith("![")]
    assert len(pictures) == 5
    for name in pictures:
        with Image.open(tmp_path / name) as image:
            assert len(image.convert("L").getcolors() or []) > 10, f"{name} is empty"
