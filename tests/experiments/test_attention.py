"""Masks on hand-made attention, as section S2.2 of the paper defines them, and the experiment over tiny networks."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from domains.relations_game import Scenes
from experiments import PAPER, attention, heads, take_folder
from experiments.attention_figures import heat_map
from experiments.claims import Claim, differences, spread
from experiments.heads import HeadStatistics
from neural import NetworkConfig, NeuralError, RelationsNetwork

pytestmark = pytest.mark.slow(6)

CONFIG = NetworkConfig()
WINDOWS = 25


def scenes(*occupied: tuple[int, ...]) -> Scenes:
    """Scenes with objects in the cells named, 0 to 8."""
    shapes = np.full((len(occupied), 9), -1)
    for row, cells in zip(shapes, occupied, strict=True):
        row[list(cells)] = 0
    labels = np.zeros(len(occupied), np.int64)
    return Scenes("pentos", "colour_and_or_shape", shapes, shapes, labels, labels)


def window_of(cell: int) -> int:
    """The window that shows a cell: every second one along rows and columns."""
    row, column = divmod(cell, 3)
    return 2 * row * 5 + 2 * column


def on(*windows: int) -> np.ndarray:
    """A mask that is spread evenly over the windows."""
    mask = np.zeros(WINDOWS, np.float32)
    mask[list(windows)] = 1 / len(windows)
    return mask


def test_content_of_one_object() -> None:
    mask = heads.content_mask(scenes((4,)), CONFIG).reshape(5, 5)
    expected = np.zeros((5, 5))
    expected[1:4, 1:4] = 0.5  # windows half-way to the neighbours, and the corners of those
    expected[2, 2] = 1.0
    np.testing.assert_array_equal(mask, expected)


def test_content_between_two_objects_is_full_and_between_four_as_well() -> None:
    side_by_side, all_four, none, everywhere = heads.content_mask(
        scenes((0, 1), (0, 1, 3, 4), (), tuple(range(9))), CONFIG
    )
    assert side_by_side.reshape(5, 5)[0].tolist() == [1, 1, 1, 0.5, 0]
    assert side_by_side.reshape(5, 5)[1].tolist() == [0.5, 0.5, 0.5, 0.5, 0]
    assert all_four.reshape(5, 5)[:3, :3].tolist() == [[1] * 3] * 3
    assert not none.any()
    assert (everywhere == 1).all()


def test_lit_pixels_alone_could_never_be_full() -> None:
    """Why the content mask counts cells: at most 81 of a window's 144 pixels are lit."""
    assert heads.FULL > 81 / 144
    assert (heads.content_mask(scenes(tuple(range(9))), CONFIG) == 1).all()


def test_a_mask_on_an_objects_window_counts_as_content() -> None:
    content = heads.content_mask(scenes((0,), (8,)), CONFIG)
    masks = np.stack([on(window_of(0)), on(window_of(8)), on(window_of(0), window_of(8)), on(window_of(0) + 1)])
    attention_masks = np.broadcast_to(masks.reshape(1, 2, 2, WINDOWS), (2, 2, 2, WINDOWS))
    first, second = heads.attended(attention_masks, content)
    assert first.ravel().tolist() == [1.0, 0.0, 0.5, 0.5]
    assert second.ravel().tolist() == [0.0, 1.0, 0.5, 0.0]


def test_the_position_of_a_mask_is_its_windows_number() -> None:
    masks = np.stack([on(17), on(10, 20)]).reshape(1, 1, 2, WINDOWS)
    assert heads.attended(masks, heads.position_mask(WINDOWS)).ravel().tolist() == [17.0, 15.0]


def test_windows_that_show_one_object() -> None:
    shown = heads.object_windows(scenes((1, 5)), CONFIG)[0]
    assert {window: cell for window, cell in enumerate(shown) if cell >= 0} == {window_of(1): 1, window_of(5): 5}


def test_what_the_heads_attend_to(tiny: Callable[..., RelationsNetwork], monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, between, empty = window_of(0), window_of(1), window_of(0) + 1, window_of(8)
    # Three heads over two images: a pair of objects; the same object twice, then its half; background and all over.
    first = [[on(a), on(b)], [on(a), on(a)], [on(empty), np.full(WINDOWS, 1 / WINDOWS, np.float32)]]
    second = [[on(b), on(a)], [on(a), on(between)], [on(empty), np.full(WINDOWS, 1 / WINDOWS, np.float32)]]
    monkeypatch.setattr(heads, "attention_masks", lambda network, images: np.array([first, second], np.float32))
    found = heads.head_statistics(tiny(), scenes((0, 1), (0, 1)))
    assert found.pairs.tolist() == [1.0, 0.0, 0.0]
    assert found.centred.tolist() == [1.0, 0.75, 0.0]
    assert found.partial.tolist() == [0.0, 0.25, 0.0]
    assert found.diffuse.tolist() == [0.0, 0.0, 0.5]
    assert found.object_heads().tolist() == [True, True, False]
    assert found.content[0, 2, 0] == 0.0
    assert found.position[0, 0].tolist() == [(a + b) / 2] * 2
    assert found.position[1, 0].tolist() == [(b - a) / 2] * 2
    assert found.position[1, 2].tolist() == [0.0, 0.0], "these masks never move"


def test_output_weights_are_the_mean_over_each_heads_rows(tiny: Callable[..., RelationsNetwork]) -> None:
    network = tiny()
    weight = network.output.hidden_weight  # (3 heads · 6 values + 5 task ids, 5)
    weight.zero_()
    weight[6:12] = -2.0  # the second head's
    weight[12, 0] = 30.0  # one of the third head's 30
    weight[18:] = 99.0  # the task id's
    assert heads.output_weights(network).tolist() == [0.0, 2.0, 1.0]


def test_only_a_predinet_has_pairs_of_masks(tiny: Callable[..., RelationsNetwork]) -> None:
    images = scenes((0, 1)).render()
    assert heads.attention_masks(tiny(), images).shape == (1, 3, 2, WINDOWS)
    with pytest.raises(NeuralError, match="only a PrediNet has pairs of masks, and this is attention"):
        heads.attention_masks(tiny("attention"), images)
    with pytest.raises(NeuralError, match="mlp1 has no heads"):
        heads.head_outputs(tiny("mlp1"), images)


def test_batches_make_no_difference(tiny: Callable[..., RelationsNetwork], monkeypatch: pytest.MonkeyPatch) -> None:
    images = scenes((0, 1), (2, 4), (3, 8), (5, 6), (0, 7)).render()
    whole = heads.head_outputs(tiny(), images)
    monkeypatch.setattr(heads, "BATCH", 2)
    np.testing.assert_allclose(heads.head_outputs(tiny(), images), whole, rtol=1e-5, atol=1e-5)


def test_a_heat_map_lights_the_middle_of_the_window() -> None:
    black = np.zeros((36, 36, 3), np.uint8)
    bright = heat_map(black, on(7))[..., 0] > 0.9
    rows, columns = np.nonzero(bright)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (9, 14, 15, 20)  # window 7 is 6..17 × 12..23
    assert (heat_map(black, np.zeros(WINDOWS, np.float32)) < 0.1).all()


def test_claims_follow_the_majority_of_the_runs() -> None:
    claims = [
        Claim("a", "", "", [True, True]),
        Claim("b", "", "", [True, False, False]),
        Claim("c", "", "", [True, True, False]),
    ]
    assert [claim.verdict for claim in claims] == [
        "**yes**",
        "**no** (so in 1 of 3 networks)",
        "**yes** (so in 2 of 3 networks)",
    ]
    assert Claim("d", "", "", []).verdict == "not known yet"
    assert "- b\n" in differences(claims)
    assert "- a\n" not in differences(claims)
    undecided = Claim("e", "", "", [True, False])
    assert (
        differences([claims[0], undecided]) == "Nothing that can be judged yet differs from the paper by these tests.\n"
    )
    assert differences(claims[:1]) == "Nothing differs from the paper by these tests.\n"
    assert (spread([2, 2], 0), spread([0.25, 0.75])) == ("2", "0.50 (0.25 – 0.75)")


def statistics(**other: np.ndarray) -> HeadStatistics:
    """Of four heads that are as the paper says: two on pairs of objects, one on parts, one diffuse."""
    parts = {
        "content": np.array([[[1, 1], [1, 1], [0.5, 1], [0.3, 0.2]], [[0, 0]] * 4], np.float32),
        "position": np.array([[[12, 12]] * 4, [[8, 8], [8, 8], [4, 8], [0.5, 0.5]]], np.float32),
        "weights": np.array([2, 2, 1, 1], np.float32),
        "pairs": np.array([0.6, 0.9, 0, 0], np.float32),
        "centred": np.array([1, 1, 0.3, 0], np.float32),
        "partial": np.array([0, 0, 0.7, 0], np.float32),
        "diffuse": np.array([0, 0, 0, 1], np.float32),
    }
    return HeadStatistics(**(parts | other))


def verdicts(**other: np.ndarray) -> list[str]:
    results = {(task, objects): [statistics(**other)] for task in attention.TASKS for objects in attention.SETS}
    return [claim.verdict.strip("*") for claim in attention.judge(results)]


def test_the_claims_hold_where_they_hold() -> None:
    assert verdicts() == ["yes"] * 8


@pytest.mark.parametrize(
    ("part", "values", "failing"),
    [
        ("centred", np.full(4, 0.5), 0),
        ("pairs", np.full(4, 0.5), 1),
        ("partial", np.zeros(4), 2),
        ("diffuse", np.full(4, 0.5), 3),
        ("content", np.full((2, 4, 2), 0.95), 4),
        ("position", np.full((2, 4, 2), 0.9), 6),
        ("weights", np.array([1, 1, 2, 2]), 7),
    ],
)
def test_the_claims_fail_where_they_fail(part: str, values: np.ndarray, failing: int) -> None:
    found = verdicts(**{part: values.astype(np.float32)})
    assert found[failing] == "no"


def test_held_out_images_that_differ_are_told() -> None:
    results = {(task, objects): [statistics()] for task in attention.TASKS for objects in attention.SETS}
    results["colour_and_or_shape", "hexos"] = [statistics(content=np.zeros((2, 4, 2), np.float32))]
    assert attention.judge(results)[5].verdict == "**no**"


def test_the_experiment_writes_data_figures_and_a_page(
    finish_cells: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(PAPER, runs=2)
    take_folder(tmp_path, "attention", plan)
    half_way = attention.EXPERIMENT.write(tmp_path)
    assert "not all trained yet" in half_way
    assert "not trained yet" in half_way

    monkeypatch.setattr(attention, "CONTENT_IMAGES", 40)
    finish_cells(tmp_path, attention.cells(plan), plan.runs)
    attention.EXPERIMENT.run(plan, tmp_path, lambda done, total, text: None)
    with (tmp_path / "heads.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 2 * 2 * 3  # tasks, sets, runs, heads
    page = attention.EXPERIMENT.write(tmp_path)
    assert page.count("**yes**") + page.count("**no**") == 8
    assert "**Not learnt**, in some run at least: PrediNet on `same`" in page
    pictures = [line.split("](")[1].rstrip(")") for line in page.splitlines() if line.startswith("![")]
    assert len(pictures) == 4
    for name in pictures:
        with Image.open(tmp_path / name) as image:
            assert len(image.convert("L").getcolors() or []) > 10, f"{name} is empty"
    assert attention.EXPERIMENT.write(tmp_path) == page, "from the same data the same page"


def test_statistics_survive_the_table(tiny: Callable[..., RelationsNetwork], tmp_path: Path) -> None:
    found = heads.head_statistics(tiny(), scenes((0, 1), (2, 8), (4, 7)))
    rows = attention._head_rows(found)
    again = attention._statistics([{name: f"{value:.9g}" for name, value in row.items()} for row in rows])
    for name in ("content", "position", "weights", "pairs", "centred", "partial", "diffuse"):
        np.testing.assert_allclose(getattr(again, name), getattr(found, name), rtol=1e-6, err_msg=name)


def test_masks_are_the_networks_own(tiny: Callable[..., RelationsNetwork]) -> None:
    network, images = tiny(), scenes((0, 1), (4, 8)).render()
    direct = network.predinet.attend(network.encoder(torch.from_numpy(images)))
    np.testing.assert_allclose(heads.attention_masks(network, images), direct.numpy(), rtol=1e-5)
