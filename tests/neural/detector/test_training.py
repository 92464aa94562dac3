"""What a detector is taught and shown, what its reader is blind to, where things stand, and the whole way once."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.neural.checkpoint import read_arrays, write_arrays
from predinet_prolog.neural.detector import lessons
from predinet_prolog.neural.detector.config import FRAME, INPUTS, DetectorConfig, weight_shapes
from predinet_prolog.neural.detector.lessons import FindingLesson, completed, partly_hidden
from predinet_prolog.neural.detector.model import load_detector, places_row
from predinet_prolog.neural.detector.parting import Parted
from predinet_prolog.neural.detector.reader import Reader
from predinet_prolog.neural.detector.taught import Taught, read_taught
from predinet_prolog.neural.detector.training import DetectorTraining, places, train_detector
from predinet_prolog.neural.errors import CheckpointError
from predinet_prolog.neural.glimpses.model import load_any

DRAWN = Path(__file__).parents[2] / "domains" / "clevr" / "drawn"


def with_scene(folder: Path, **changes: Any) -> Path:
    """A copy of the picture that is drawn, with changes of its first thing; None takes a field away."""
    shutil.copytree(DRAWN, folder)
    content = json.loads((folder / "scenes.json").read_text())
    thing = content["scenes"][0]["objects"][0]
    for name, value in changes.items():
        thing.pop(name)
        thing.update({} if value is None else {name: value})
    (folder / "scenes.json").write_text(json.dumps(content))
    return folder


def test_what_a_folder_teaches() -> None:
    taught, truth = read_taught(DRAWN), json.loads((DRAWN / "scenes.json").read_text())["scenes"][0]["objects"]
    assert (taught.pixels.shape, taught.config.words["shape"]) == ((1, 160, 240, 3), ("cube", "cylinder", "sphere"))
    assert taught.boxes.shape == (1, len(truth), 4)
    for number, thing in enumerate(truth):
        pixels = (taught.owner[0] == number + 1).sum()
        assert pixels == pytest.approx(sum(thing["mask"]["counts"][1::2]), rel=0.06)
        assert taught.middles[0, number] == pytest.approx(thing["pixel_coords"][:2], abs=1e-3)
        left, top, right, bottom = taught.boxes[0, number]
        assert [left, top, right - left, bottom - top] == pytest.approx(thing["bbox"])
        words = {name: told[taught.values[0, number, n]] for n, (name, told) in enumerate(taught.config.words.items())}
        assert words == {name: thing[name] for name in words}


@pytest.mark.parametrize(("field", "fault"), [("mask", "has no mask"), ("color", "color must be text")])
def test_what_does_not_teach_is_named(field: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=rf"object 0.*{fault}"):
        read_taught(with_scene(tmp_path / "other", **{field: None}))


def test_places_follow_from_where_middles_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a camera of one's own: things of a kind have their middles on a plane, which it sees in perspective."""
    taught, rng = read_taught(DRAWN), np.random.default_rng(7)
    ground, sizes, shapes = rng.uniform(-3, 3, (1, 90, 2)), rng.integers(2, size=(1, 90)), rng.integers(3, size=(1, 90))
    high = np.where(sizes == 0, 0.7, 0.35) / np.where(shapes == 0, 2**0.5, 1)
    depth = 11 + 0.88 * ground[..., 1] - 0.47 * high
    x = 120 - 262.5 * ground[..., 0] / depth
    y = 80 - 262.5 * (0.47 * ground[..., 1] + 0.88 * high) / depth
    words = list(taught.config.words)
    values = np.zeros((1, 90, 4), dtype=np.int64)
    values[..., words.index("size")], values[..., words.index("shape")] = sizes, shapes
    for name, array in {"ground": ground, "middles": np.stack([x, y], axis=-1), "values": values}.items():
        object.__setattr__(taught, name, array)
    weights = places(taught)
    rows = places_row(taught.middles[0], 160, 240)
    told = np.einsum("nt,ntw->nw", rows, weights[sizes[0] * 3 + shapes[0]])
    assert np.abs(told - ground[0]).max() < 0.1  # of the 0.4 by which things lie apart
    values[values[..., words.index("shape")] == 1] = 0  # a kind that nobody showed stands as all do
    assert np.abs(np.einsum("nt,tw->nw", rows, places(taught)[1]) - ground[0]).max() < 1


def test_the_whole_way(tmp_path: Path) -> None:
    config = DetectorTraining(finder_steps=1, reader_steps=2, batch=1, things=4, save=1)
    model = train_detector(load_any("scenes"), DRAWN, tmp_path / "out", config=config, processes=1)
    again = load_any(tmp_path / "out" / "model.safetensors")
    assert again.sha256 == model.sha256
    assert not (tmp_path / "out" / "unfinished").exists()
    metadata, arrays = read_arrays(model.path)
    for name, array in {
        "places": arrays["places"][:, :3],
        "reader.first.bias": arrays["reader.first.bias"][:2],
    }.items():
        write_arrays(tmp_path / "wrong.safetensors", metadata, {**arrays, name: array})
        with pytest.raises(CheckpointError, match=name):
            load_detector(tmp_path / "wrong.safetensors")


def test_boxes_and_middles_lie_where_the_picture_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(lessons, "finding_loss", lambda maps, targets: shown.append((maps, targets)))
    taught = read_taught(DRAWN)
    lesson = FindingLesson(lambda inputs: inputs, taught, 0, 1)
    for step in range(8):
        lesson(step)
    upright = 0
    for inputs, targets in shown:
        owner, boxes, middles = (tensor[0].numpy() for tensor in (targets.owner, targets.boxes, targets.middles))
        same = np.array_equal(owner, taught.owner[0])
        upright += same
        x = taught.middles[0, :, 0]
        assert middles[:, 0] == pytest.approx(x if same else 240 - x)
        for number, (left, top, right, bottom) in enumerate(boxes):
            rows, columns = np.nonzero(owner == number + 1)
            extent = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
            assert [left, top, right, bottom] == pytest.approx(extent, abs=1.5)
        # What differs most from the ground is a thing's, wherever it was mirrored to.
        difference = inputs[0, 3:].abs().amax(0)
        clear = difference > difference.quantile(0.95)
        assert torch.from_numpy(owner)[clear].gt(0).float().mean() > 0.8
    assert 0 < upright < 8


def test_what_is_laid_hides_what_stands_behind_it() -> None:
    """A square that reaches further down is laid before another; what would hide a thing is not laid."""
    taught = taught_squares()
    lesson, outcomes = FindingLesson(None, taught, 0, 1), set()
    for seed in range(20):
        arrays = taught.pixels, taught.owner, taught.boxes, taught.middles
        pixels, owner, boxes, middles = (array[0].copy() for array in arrays)
        lesson._lay(pixels, owner, boxes, middles, np.random.default_rng(seed))
        shows = np.bincount(owner.ravel(), minlength=4)[1:]
        outcomes.add(tuple(shows.tolist()))
        for number in np.flatnonzero(shows):
            ys, xs = np.nonzero(owner == number + 1)
            assert boxes[number].tolist() == [xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]
        assert set(pixels[owner == 3][:, 0]) <= {100}
        assert middles[2].tolist() == ([12, 14] if shows[2] else [0, 0])
    assert outcomes == {(64, 16, 0), (56, 16, 64)}


def taught_squares() -> Taught:
    """Three pictures of 32 × 32 pixels: a square of 8 pixels and one of 4, a lower one of 8, and none."""
    pixels, owner = np.zeros((3, 32, 32, 3), np.uint8), np.zeros((3, 32, 32), np.uint8)
    boxes, middles, values = np.zeros((3, 3, 4), np.float32), np.zeros((3, 3, 2), np.float32), np.full((3, 3, 1), -1)
    for picture, number, left, top, side in ((0, 0, 4, 4, 8), (0, 1, 24, 24, 4), (1, 0, 8, 10, 8)):
        place = picture, slice(top, top + side), slice(left, left + side)
        owner[place], pixels[place], values[picture, number] = number + 1, 50 + 50 * picture, 0
        boxes[picture, number] = left, top, left + side, top + side
        middles[picture, number] = left + side / 2, top + side / 2
    planes = np.zeros((3, 3, 3), np.float32)
    return Taught(DetectorConfig({}), pixels, pixels, planes, owner, boxes, middles, values, None)


def test_a_finders_things_take_the_place_of_true_ones_and_what_it_missed_stays() -> None:
    """It finds the large square a pixel aside, not the small one, and one more where nothing is."""
    taught = taught_squares()
    owner = np.zeros((32, 32), np.uint8)
    owner[4:12, 5:13], owner[0:3, 20:23] = 2, 1
    told = Parted(np.array([[20.0, 0, 23, 3], [5, 4, 13, 12]]), np.array([[21.0, 1], [9, 8]]), np.ones(2), owner)
    boxes, middles = taught.boxes[0, :2].astype(np.float64), taught.middles[0, :2]
    mine, moved, near = completed(told, taught.owner[0], boxes, middles)
    assert (moved.tolist(), near.tolist()) == ([[5, 4, 13, 12], boxes[1].tolist()], [[9, 8], [26, 26]])
    assert np.array_equal(mine == 1, owner == 2)
    assert np.array_equal(mine == 2, taught.owner[0] == 2)
    assert mine.max() == 2


WORDS = {"shape": ("cube", "sphere", "cylinder"), "color": ("red", "cyan"), "ripe": ("no", "yes")}


@pytest.fixture
def reader() -> Reader:
    torch.manual_seed(3)
    return Reader(WORDS).eval()


def logits(reader: Reader, glimpses: torch.Tensor) -> dict[str, torch.Tensor]:
    with torch.no_grad():
        parts = reader(glimpses, torch.zeros(len(glimpses), FRAME), torch.full((1, 3), 1 / 3)).split([3, 2, 2], dim=1)
    return dict(zip(WORDS, parts, strict=True))


@pytest.fixture
def glimpses() -> torch.Tensor:
    torch.manual_seed(4)
    x = torch.rand(5, INPUTS, 32, 32)
    x[:, 6] = (x[:, 6] > 0.4).float()
    return x


def test_shape_sees_no_colour_and_an_attribute_of_ones_own_does(reader: Reader, glimpses: torch.Tensor) -> None:
    before = logits(reader, glimpses)
    after = logits(reader, glimpses[:, [2, 0, 1, 3, 4, 5, 6, 7]])  # red, green and blue are exchanged
    assert torch.allclose(before["shape"], after["shape"], atol=1e-5)
    assert not torch.allclose(before["color"], after["color"], atol=1e-3)
    assert not torch.allclose(before["ripe"], after["ripe"], atol=1e-4)


def test_shape_sees_no_paint(reader: Reader, glimpses: torch.Tensor) -> None:
    light = glimpses.clone()
    light[:, :3] = light[:, :3] * 0.5 + 0.3
    assert torch.allclose(logits(reader, glimpses)["shape"], logits(reader, light)["shape"], atol=2e-2)


def test_colour_sees_no_place(reader: Reader, glimpses: torch.Tensor) -> None:
    order = torch.randperm(16)
    moved = glimpses.clone()
    moved[..., ::2, ::2] = glimpses[..., ::2, ::2][..., order, :]  # the pixels that colour looks at
    assert torch.allclose(logits(reader, glimpses)["color"], logits(reader, moved)["color"], atol=1e-5)
    assert not torch.allclose(logits(reader, glimpses)["shape"], logits(reader, moved)["shape"], atol=1e-3)


def test_ground_does_not_tell_which_things_are_gray() -> None:
    """One of nearly a gray thing's grey would: so in lessons it has any."""
    taught, shown = read_taught(DRAWN), list[torch.Tensor]()
    reader = Reader(taught.config.words)
    reader.register_forward_pre_hook(lambda _, inputs: shown.append(inputs[0]))
    lessons.ReadingLesson(reader, taught, seed=0, batch=64)(0)
    bare = shown[0][:, 6:].amax(dim=1) < 0.01
    assert np.std([float(glimpse[0][ground].median()) for glimpse, ground in zip(shown[0], bare, strict=True)]) > 0.2


def test_things_are_hidden_by_others_but_never_whole() -> None:
    glimpses = np.zeros((300, INPUTS, 32, 32), dtype=np.float32)
    glimpses[:, :6] = np.arange(300)[:, None, None, None]  # each has a colour of its own
    glimpses[:, 6, 6:26, 6:26] = 1
    hidden = partly_hidden(glimpses, np.random.default_rng(5))
    left = hidden[:, 6].sum((1, 2)) / 400
    assert 0.3 < (left < 1).mean() < 0.6
    assert left.min() >= 0.15
    before = hidden[:, 7] == 1
    assert not before[:, :10].any()  # what hides stands further down
    assert (before.sum((1, 2)) > 0).tolist() == (left < 1).tolist()
    assert all((hidden[n, 0][before[n]] == n - 1).all() for n in range(1, 300))  # the colours of the one before
    assert np.array_equal(hidden[:, 0][~before], glimpses[:, 0][~before])


def test_its_weights_are_known_without_it(reader: Reader) -> None:
    shapes = {f"reader.{name}": tuple(value.shape) for name, value in reader.state_dict().items()}
    wanted = weight_shapes(DetectorConfig(WORDS))
    assert shapes == {name: shape for name, shape in wanted.items() if name.startswith("reader.")}
