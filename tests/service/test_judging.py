"""Exams: where the truth comes from, and how answers and scenes are counted."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bridge import Scene, Symbol
from neural import Model, NetworkConfig, NeuralError, RelationsNetwork, load_model, predict, training_config
from neural.relations_game import Images, generate, save_folder, save_npz
from service import judging
from service.errors import UsageError
from service.judging import generated_exam, judge_network, judge_rules, load_exam
from symbolic import Engine, Rules, SymbolicError


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(time_limit=0.5) as engine:
        yield engine


@pytest.fixture
def model(model_file: Path) -> Model:
    return load_model(model_file)


def ignore(steps: int) -> None:
    pass


def scene(*centres: tuple[float, float]) -> Scene:
    """A scene whose objects have these centres."""
    symbols = tuple(
        Symbol(f"ob_{i}", True, x, y, int(x) - 6, int(y) - 6, 12, 12, 1, np.zeros((5, 5)), np.zeros(3))
        for i, (x, y) in enumerate(centres)
    )
    none = np.zeros((1, 0))
    return Scene(symbols, none.astype(np.int64), none, none, none, image_size=36)


def test_a_scene_is_exact_if_each_true_object_has_one_symbol() -> None:
    occupied = np.zeros((1, 9), bool)
    occupied[0, [0, 5]] = True  # top left; middle row, right
    right = [(6.0, 6.0), (30.0, 18.0)]
    assert judging._exact([scene(*right)], occupied) == 1
    assert judging._exact([scene(*reversed(right))], occupied) == 1
    assert judging._exact([scene((7.0, 5.5), (28.5, 18.0))], occupied) == 1
    for wrong in (
        right[:1],  # one missed
        [*right, (6.0, 30.0)],  # one invented
        [*right, right[0]],  # one seen twice
        [(6.0, 6.0), (30.0, 30.0)],  # one elsewhere
        [(6.0, 6.0), (24.0, 18.0)],  # one half-way between two cells
    ):
        assert judging._exact([scene(*wrong)], occupied) == 0


@pytest.mark.parametrize("objects", ["pentos", "hexos", "stripes"])
def test_truth_is_read_from_pixels_where_the_file_has_none(objects: str, tmp_path: Path) -> None:
    scenes = generate("scatter", 13, objects=objects, seed=5)
    save_npz(tmp_path / "known.npz", scenes)
    save_npz(tmp_path / "bare.npz", Images(scenes.render(), scenes.labels, scenes.task_ids))
    save_folder(tmp_path / "folder", scenes)
    known, bare, folder = (load_exam(tmp_path / name, limit=11) for name in ("known.npz", "bare.npz", "folder"))
    assert (known.task, known.objects) == ("scatter", objects)
    assert (bare.task, bare.objects) == (folder.task, folder.objects) == (None, objects)
    for exam in (known, bare, folder):
        assert len(exam.images) == 11
        np.testing.assert_array_equal(exam.occupied, scenes.occupied[:11])


def test_truth_of_noise_is_unknown(tmp_path: Path, model: Model) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (3, 36, 36, 3), dtype=np.uint8)
    save_npz(tmp_path / "noise.npz", Images(noise, np.zeros(3, int), np.zeros(3, int)))
    exam = load_exam(tmp_path / "noise.npz", limit=None)
    assert exam.occupied is None
    assert judge_network(model, exam, task=None, looks=1, report=ignore).exact_scenes is None


def test_network_is_judged_by_its_own_answers(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "CHUNK", 7)
    exam = generated_exam("between", n=23, objects="hexos", seed=2)
    steps: list[int] = []
    verdict = judge_network(model, exam, task=None, looks=1, report=steps.append)
    labels = predict(model.network, exam.images.pixels, exam.images.task_ids)
    assert verdict.accuracy == np.mean(labels == exam.images.labels)
    assert verdict.n == 23
    assert steps == [7, 7, 7, 2]
    flipped = replace(exam, images=replace(exam.images, labels=1 - exam.images.labels, scenes=None))
    assert judge_network(model, flipped, task=None, looks=1, report=ignore).accuracy == 1 - verdict.accuracy


def test_which_task_is_asked() -> None:
    tasks = ("between", "column_patterns_3")
    network = RelationsNetwork(NetworkConfig(heads=3, relations=2))
    model = Model("two", Path("two"), network, training_config(tasks), {}, "0" * 64)
    columns = generated_exam("column_patterns_3", n=40, objects="pentos", seed=1)

    def accuracy(task: str | None, known: str | None) -> float:
        return judge_network(model, replace(columns, task=known), task=task, looks=1, report=ignore).accuracy

    ids = columns.images.task_ids + 1  # behind the one id of between
    expected = np.mean(predict(network, columns.images.pixels, ids) == columns.images.labels)
    assert accuracy("3task_col_patts", None) == accuracy(None, "column_patterns_3") == expected
    with pytest.raises(UsageError, match=r"add --task between\|column_patterns_3"):
        accuracy(None, None)
    with pytest.raises(UsageError, match="questions up to number 2, and between has only 1"):
        accuracy("between", None)
    with pytest.raises(NeuralError, match="never trained on same"):
        accuracy("same", None)


def judged(
    model: Model, engine: Engine, goal: str, rules: str = "", task: str = "column_patterns_3"
) -> judging.Verdict:
    exam = generated_exam(task, n=20, objects="pentos", seed=4)
    return judge_rules(model, exam, rules=[Rules("my.pl", rules)], goal=goal, engine=engine, looks=1, report=ignore)


def test_rules_are_judged_by_their_first_answer(model: Model, engine: Engine) -> None:
    labels = generated_exam("column_patterns_3", n=20, objects="pentos", seed=4).images.labels
    assert judged(model, engine, "label(L)", "label(1). label(0).").accuracy == np.mean(labels == 1)
    assert judged(model, engine, "L = 0").accuracy == np.mean(labels == 0)
    assert judged(model, engine, "L = zero").accuracy == 0
    assert judged(model, engine, "fail, L = 0").accuracy == 0


def test_each_image_is_asked_its_own_question(model: Model, engine: Engine) -> None:
    exam = generated_exam("column_patterns_3", n=20, objects="pentos", seed=4)
    verdict = judged(model, engine, "task(T), L is T mod 2")
    assert verdict.accuracy == np.mean(exam.images.task_ids % 2 == exam.images.labels)


def test_goals_out_of_time_are_wrong_and_counted(model: Model) -> None:
    with Engine(time_limit=0.05) as engine:
        verdict = judged(model, engine, "L = 0, (task(0) -> repeat, fail ; true)")
    exam = generated_exam("column_patterns_3", n=20, objects="pentos", seed=4).images
    assert verdict.timeouts == (exam.task_ids == 0).sum() > 0
    assert verdict.accuracy == np.mean((exam.task_ids != 0) & (exam.labels == 0))


def test_a_goal_without_its_variable_or_with_a_mistake_ends_the_exam(model: Model, engine: Engine) -> None:
    with pytest.raises(UsageError, match="must answer with its variable L"):
        judged(model, engine, "task(T)")
    with pytest.raises(SymbolicError, match="lable/1"):
        judged(model, engine, "lable(L)")
