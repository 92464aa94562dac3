"""The foreground's lessons: what is said of a picture's pixels is what it shows, and the network learns from them."""

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from scipy import ndimage

from examples.ground import finder
from examples.ground import teach as teaching
from examples.ground.backbone import Backbone
from examples.ground.canvas import Canvas, Shadow
from examples.ground.export import graph_of
from examples.ground.lessons import LAYOUTS, Lesson, lesson, nothing, rings
from examples.ground.objects import Objects
from examples.ground.teach import Learner, example, teach
from predinet_prolog.neural.glimpses.finding_loss import UNTOLD
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.sessions import opened

DISC = np.where(np.hypot(*np.mgrid[-20:20, -20:20])[..., None] < 20, (200, 20, 20, 255), 0).astype(np.uint8)
BLOCK = np.pad(np.full((20, 20, 4), 255, np.uint8), ((1, 1), (1, 1), (0, 0)))
STRIPES = np.tile(np.array([90, 110], np.uint8)[:, None], (192, 384, 3)).reshape(384, 384, 3)
OBJECTS = Objects({"a": [BLOCK], "b": [DISC]}, {"a": 0.5, "b": 0.5}, [STRIPES], [STRIPES])


def test_what_is_not_ground_is_said_to_be_a_things_and_shadows_are_ground() -> None:
    canvas = Canvas(np.full((60, 80, 3), 120.0), OBJECTS, np.random.default_rng(0), Shadow(5, 3, 0.5, 0.5))
    boxes = [canvas.put(22, 1, drawing=lambda _: BLOCK * 1.0, place=lambda *_, at=at: (at, 25)) for at in (30, 50)]
    white = (canvas.picture == 255).all(axis=2)
    assert [*boxes, white[26:46, 31:51].sum(), white.sum()] == [(30, 25, 22, 22), None, 400, 400]
    assert round(canvas.picture[47, 53, 0]) == 60  # in its shadow
    assert (np.stack([canvas.owner, canvas.alpha]) == white).all()
    canvas.put(22, 1, drawing=lambda _: BLOCK * 1.0, place=lambda *_: (26, 3))
    assert 127 <= canvas.picture[26, 40, 0].round() < 200  # a thing in another's
    for number, layout in enumerate(LAYOUTS):
        canvas = Canvas(np.full((160, 224, 3), 120.0), OBJECTS, np.random.default_rng(number))
        layout(canvas, 3)
        assert canvas.things == len(np.unique(canvas.owner)) - 1, layout
        assert (canvas.things == 0) == (layout is nothing)
        changed = (canvas.picture != 120).any(axis=2) & ~ndimage.binary_fill_holes(canvas.owner > 0)
        assert (canvas.alpha[changed] > 0).all(), layout
        assert ((canvas.owner > 0) == (canvas.alpha > 0.5)).all(), layout


def test_a_ring_may_shade_the_ground_inside_of_it_alone() -> None:
    for seed in range(12):
        canvas = Canvas(np.full((160, 224, 3), 120.0), OBJECTS, np.random.default_rng(seed))
        rings(canvas, 3)
        dark = (canvas.picture < 119).all(axis=2) & (canvas.alpha == 0)
        if dark.any():
            break
    assert dark.any()
    assert not dark[~ndimage.binary_fill_holes(canvas.owner > 0)].any()


def test_it_learns_from_lessons_and_answers_of_every_pixel() -> None:
    rng, learner = np.random.default_rng(1), Learner(0)
    columns = zip(*(example(lesson(64, 96, OBJECTS, rng)) for _ in range(2)), strict=True)
    batch = tuple(torch.from_numpy(np.stack(column)) for column in columns)
    losses = [learner.learn(batch, 0)[0] for _ in range(3)]
    inputs = batch[0].numpy()
    graph = graph_of(learner.average, inputs)
    (likely,) = opened(graph, {}).run(None, {"inputs": inputs[:1]})
    assert [losses[2] < losses[0], likely.shape] == [True, (1, 2, 64, 96)]
    with torch.no_grad():
        exact = torch.sigmoid(learner.average(batch[0][:1])).numpy()
    assert 0 < np.abs(likely - exact).mean() < 0.02 * np.ptp(exact)  # quantised, it comes near to that
    parts = onnx.load_model_from_string(graph).graph
    nodes, weights = parts.node, [onnx.numpy_helper.to_array(part) for part in parts.initializer]
    (split,) = (node for node in nodes if "inputs" in node.input)
    assert {node.op_type for node in nodes if set(node.input) & set(split.output)} == {"Conv"}  # as fine as they are
    assert sum(node.op_type == "QuantizeLinear" for node in nodes) > 50
    whole = {node.output[0] for node in nodes if node.op_type == "DequantizeLinear"}
    assert sum(node.op_type == "Conv" and node.input[1] not in whole for node in nodes) == 5  # export.FLOATS
    assert max(int(np.abs(array).max()) for array in weights if array.dtype == np.int8 and array.ndim == 4) == 64


def test_the_backbone_takes_weights_and_norms_and_pads_as_they_were_learned() -> None:
    """A stride of 2 begins at the first pixel: nothing is added before it. Norms have a mean of 1, a variance of 4, a
    weight of 6 and a bias of 3: what they are given counts threefold, and nothing is 0."""
    backbone, names = Backbone(), ("weight", "bias", "running_mean", "running_var")
    norm = {f"n.{name}": torch.full((32,), value) for name, value in zip(names, (6.0, 3, 1, 4), strict=True)}
    kernels = torch.arange(9.0).reshape(3, 3).expand(32, 3, 3, 3) / 27
    backbone.stem.take(norm | {"c.weight": kernels}, "c", "n")
    picture = torch.zeros(1, 3, 64, 64)
    picture[0, :, 2, 2] = 1
    seen = backbone.stem(picture)[0, 0, :3, :3] * 3
    assert seen.round(decimals=2).tolist() == [[8, 6, 0], [2, 0, 0], [0, 0, 0]]
    shapes = [tuple(features.shape[1:]) for features in backbone(picture)]
    assert shapes == [(24, 16, 16), (40, 8, 8), (112, 4, 4), (192, 2, 2)]


def test_of_the_backbone_later_stages_alone_learn() -> None:
    learner = Learner(0)
    before = [[weights.clone() for weights in stage.parameters()] for stage in learner.network.backbone.stages]
    drawn = example(lesson(64, 96, OBJECTS, np.random.default_rng(1)))
    for _ in range(3):  # what it sees counts for nothing until others have learned
        learner.learn(tuple(torch.from_numpy(part[None]) for part in drawn), 0)
    after = [list(stage.parameters()) for stage in learner.network.backbone.stages]
    kept = [all(map(torch.equal, *pair)) for pair in zip(before, after, strict=True)]
    assert kept == [True, True, True, False, False, False]


def test_what_was_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It begins with a backbone that has learned, which would be fetched, once."""
    begun: list[object] = []
    monkeypatch.setattr(teaching, "COURSE", teaching.Course(calibration=1))
    monkeypatch.setattr("examples.ground.teach.pretrained", dict)
    monkeypatch.setattr("examples.ground.teach.Learner.begin", lambda _, weights: begun.append(weights))
    monkeypatch.setattr("examples.ground.teach.DataLoader", lambda *_, **__: [()])
    teach(tmp_path, OBJECTS, 0, 0)
    teach(tmp_path, OBJECTS, 0, 0)  # goes on
    assert begun == [{}]
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'foreground.onnx'}: learned in 0 steps; to learn longer")
    assert (tmp_path / "foreground.onnx").stat().st_size


def test_a_finder_learns_on_from_lessons_and_its_comparator_stays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(finder, "COURSE", finder.Course(drawings=4, lessons=3, batch=2))
    before = load_any("scenes")
    finder.teach(before.path, tmp_path, OBJECTS, steps=2, seed=0)
    after = load_any(tmp_path / "model.safetensors")
    unlike = {name for name, weight in after.weights.items() if not np.array_equal(weight, before.weights[name])}
    assert {name.partition(".")[0] for name in unlike} == {"finder"}
    assert after.training["finder taught by lessons"]["steps"] == 2


def test_a_reduced_lessons_pixel_is_a_things_where_half_of_it_is() -> None:
    owner = np.zeros((12, 24), dtype=np.int32)
    owner[:8, :7], owner[8:10, 14:20] = 1, 2
    picture = np.where(owner[..., None] > 0, 200, 0).astype(np.uint8).repeat(3, axis=2)
    small, owners = finder.reduced(Lesson(picture, owner, (owner > 0).astype(np.float32)), 2)
    assert [(owners == 1).sum(), (owners == UNTOLD).sum(), (owners == 0).sum()] == [16, 3, 53]
    assert [small[0, 0, 0], small[0, 3, 0], small[5, 11, 0]] == [200, 100, 0]
