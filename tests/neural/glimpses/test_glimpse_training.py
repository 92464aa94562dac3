"""Training finders and comparators: resumable to the byte, reproducible, and it stops at a bad loss."""

import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from predinet_prolog.domains import load_domain
from predinet_prolog.domains.domain import Annotated, Truth
from predinet_prolog.neural.errors import CheckpointError, NeuralError, TrainingDivergedError
from predinet_prolog.neural.glimpses import optimising, training
from predinet_prolog.neural.glimpses.comparator import Comparator
from predinet_prolog.neural.glimpses.config import GlimpseConfig
from predinet_prolog.neural.glimpses.drawn import draw
from predinet_prolog.neural.glimpses.model import GlimpseModel, load_any
from predinet_prolog.neural.glimpses.optimising import Plan, optimise
from predinet_prolog.neural.glimpses.training import GlimpseTraining, fine_tune, train_glimpses
from predinet_prolog.neural.states import part, read_state, write_state

SCENES = load_domain("scenes")
SHAPE = GlimpseConfig((2, 3, 4, 4), {"colour": 2, "look": 3, "shape": 3})
TINY = GlimpseTraining(pictures=12, side=64, finder_steps=8, batch=3, comparator_steps=8, glimpses=12)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports and saves so often that a run of 8 steps crosses several. torch._dynamo would take longer to load."""
    monkeypatch.setitem(sys.modules, "torch._dynamo", None)
    monkeypatch.setattr(optimising, "STEPS_PER_REPORT", 2)
    monkeypatch.setattr(optimising, "STEPS_PER_SAVE", 3)


def trained(folder: Path, config: GlimpseTraining = TINY, **more: object) -> GlimpseModel:
    return train_glimpses(SCENES, config, folder, shape=SHAPE, **{"processes": 1, **more})


def until(last: int) -> Callable[[int, int, str], None]:
    """A report to a run that is interrupted at a step."""

    def stop(step: int, steps: int, text: str) -> None:
        if step >= last:
            raise KeyboardInterrupt

    return stop


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> GlimpseModel:
    """Trained in two processes: the other trainings here are in this one."""
    told: list[tuple[int, int]] = []
    folder = tmp_path_factory.mktemp("trained")
    model = trained(folder, processes=2, report=lambda step, steps, text: told.append((step, steps)))
    assert told[-1] == (16, 16)
    return model


def own(pictures: int = 4) -> Annotated:
    """Pictures of two sizes, each of two discs, of which one is hollow; what kind the second is, is not told."""
    drawn = []
    y, x = np.mgrid[:60, :90]
    for number in range(pictures):
        picture = np.full((60, 90, 3), 220, dtype=np.uint8)
        for middle, hole in ((20, 0), (60, 6)):
            far = np.hypot(x - middle - number, y - 30)
            picture[(far < 10) & (far >= hole)] = (30, 60, 200)
        drawn.append(picture if number % 2 else picture.swapaxes(0, 1).copy())
    across = np.array([[10 + n, 20, 31 + n, 41] for n in range(pictures)], float)
    boxes = np.stack([across, np.add(across, [40, 0, 40, 0])], axis=1)
    boxes[::2] = boxes[::2][..., [1, 0, 3, 2]]
    attributes = {"filled": np.tile([1, 0], pictures), "type": np.tile([0, -1], pictures)}
    attributes["type"][0] = 1
    truth = Truth(np.repeat(np.arange(pictures), 2), boxes.reshape(-1, 4), attributes)
    return Annotated(tuple(f"{n}.png" for n in range(pictures)), drawn, truth, {"filled": ("false", "true")})


def test_a_trained_model_is_there_and_says_what_made_it(model: GlimpseModel) -> None:
    assert [path.name for path in model.path.parent.iterdir()] == ["model.safetensors"]
    assert (model.config, model.training["domain"]) == (SHAPE, "scenes")
    assert (model.training["seed"], model.training["pictures"]) == (0, 12)
    assert isinstance(load_any(model.path), GlimpseModel)
    assert model.graph.compare(np.zeros((1, 7, 32, 32), np.float32))[1].shape == (1, 8)


@pytest.mark.parametrize("part", ["finder", "comparator"])
def test_an_interrupted_run_goes_on_and_ends_the_same_in_any_number_of_processes(
    model: GlimpseModel, tmp_path: Path, part: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, report=until(4 if part == "finder" else 12))
    assert (tmp_path / "unfinished" / f"{part}.safetensors").is_file()
    steps: list[int] = []
    with caplog.at_level(logging.INFO, "predinet_prolog.neural.states"):
        again = trained(tmp_path, report=lambda step, _, text: steps.append(step) if text.startswith(part) else None)
    assert caplog.messages == [f"{tmp_path}/unfinished/{part}.safetensors: goes on from step 3 of 8"]
    assert again.path.read_bytes() == model.path.read_bytes()
    assert min(steps) > 3  # what was done was not done again


def test_another_run_does_not_go_on_from_it(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, report=until(4))
    with pytest.raises(CheckpointError, match="of another run"):
        trained(tmp_path, replace(TINY, finder_rate=1.0))
    state = tmp_path / "unfinished" / "finder.safetensors"
    metadata, tensors = read_state(state)
    write_state(state, metadata, part(tensors, "network."))
    with pytest.raises(CheckpointError, match="delete it"):
        trained(tmp_path)


@pytest.mark.parametrize(
    ("bad", "at", "said", "kept"),
    [("nan", 4, "nan at step 5", 3), ("inf", 2, "inf at step 3", None), ("weight", 2, "a weight became NaN", None)],
)
def test_what_is_no_number_stops_it_and_the_last_good_state_stays(
    tmp_path: Path, bad: str, at: int, said: str, kept: int | None
) -> None:
    network, path = nn.Linear(1, 1), tmp_path / "state.safetensors"

    def loss(step: int) -> Tensor:
        if step == at and bad == "weight":
            network.register_buffer("wrong", torch.tensor(float("nan")))
        return network.weight.sum() ** 2 * (float(bad) if step == at and bad != "weight" else 1.0)

    with pytest.raises(TrainingDivergedError, match=said):
        optimise(network, loss, Plan(8, 0.1), path, {}, lambda step, loss: None)
    assert (read_state(path)[0]["step"] if path.exists() else None) == kept


def test_pictures_are_drawn_once(tmp_path: Path) -> None:
    told: list[int] = []
    made = {"side": 64, "seed": 3, "folder": tmp_path, "processes": 1, "report": lambda ready, n: told.append(ready)}
    first, second = (draw("scenes", 5, **made) for _ in range(2))
    assert told == [5]
    assert (np.asarray(first.pixels) == second.pixels).all()
    things = np.all(first.values >= 0, axis=2)
    assert np.any(things, axis=1).all()
    for number in range(5):
        for thing in range(first.boxes.shape[1]):
            shown = first.owner[number] == thing + 1
            left, top, right, bottom = first.boxes[number, thing].astype(int)
            assert shown.any() == (right > left)
            assert shown[top:bottom, left:right].sum() == shown.sum()
            assert things[number, thing] or not shown.any()


def test_fine_tuning_adds_a_group_for_each_new_attribute(model: GlimpseModel, tmp_path: Path) -> None:
    tuned = fine_tune(model, own(), tmp_path, config=TINY, processes=1)
    assert tuned.config.groups == {**SHAPE.groups, "filled": 6, "type": 6}
    assert tuned.config.of_group("type") != tuned.config.of_group("filled")
    domain, told = tuned.training["domain"], tuned.training["tuned"]
    assert (domain, told["sha256"], told["pictures"], told["things"]) == ("scenes", model.sha256, 4, 8)
    assert told["attributes"] == ["filled", "type"]
    heads, _ = tuned.graph.find(np.zeros((40, 50, 3), np.uint8), np.zeros((3, 3)))
    assert heads.shape == (8, 20, 25)
    assert tuned.graph.compare(np.zeros((2, 7, 32, 32), np.float32))[1].shape == (2, 20)
    one = fine_tune(model, own().first(1), tmp_path / "one", config=TINY.of(1), processes=1)
    assert one.config.groups["filled"] == 6, "one picture will do"


def test_what_is_on_a_thing_is_counted_and_not_learned(model: GlimpseModel, tmp_path: Path) -> None:
    counted = replace(own(), truth=replace(own().truth, attributes={"number": own().truth.attributes["type"]}))
    with pytest.raises(NeuralError, match="counted, not learned: leave the attribute number out"):
        fine_tune(model, counted, tmp_path, config=TINY, inside=True)
    assert not list(tmp_path.iterdir())


def test_a_new_group_begins_as_look(model: GlimpseModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: dict[str, Tensor] = {}

    def keep(network: nn.Module, lesson: object, plan: Plan, *rest: object) -> None:
        if isinstance(network, Comparator):
            begun.update({name: value.clone() for name, value in network.state_dict().items()})
            raise KeyboardInterrupt

    monkeypatch.setattr(training, "optimise", keep)
    with pytest.raises(KeyboardInterrupt):
        fine_tune(model, own(), tmp_path, config=TINY, processes=1)
    layers = {name: value for name, value in begun.items() if name.startswith("groups.of_filled.layers")}
    assert layers
    for name, value in layers.items():
        assert torch.equal(value, begun[name.replace("of_filled", "look")])
    for name, known in model.weights.items():
        if name.startswith("comparator."):
            assert np.array_equal(begun[name.removeprefix("comparator.")].numpy(), known)


def test_a_folder_that_changed_does_not_go_on(model: GlimpseModel, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        fine_tune(model, own(), tmp_path, config=TINY, processes=1, report=until(4))
    changed = own()
    changed.pictures[1][0, 0] = 0
    with pytest.raises(CheckpointError, match="of another run"):
        fine_tune(model, changed, tmp_path, config=TINY, processes=1)
    assert fine_tune(model, own(), tmp_path, config=TINY, processes=1).config.groups["filled"] == 6


@pytest.mark.parametrize("truth", [None, Truth(np.zeros(0, np.int64), np.zeros((0, 4)), {})])
def test_nothing_to_go_by(model: GlimpseModel, tmp_path: Path, truth: Truth | None) -> None:
    with pytest.raises(NeuralError, match="nothing says where things are"):
        fine_tune(model, replace(own(), truth=truth), tmp_path / "new", config=TINY)
    assert not (tmp_path / "new").exists()
