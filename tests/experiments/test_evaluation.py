"""Evaluation: where the truth comes from, and how answers and scenes are counted."""

import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from predinet_prolog.bridge import Scene, Thing
from predinet_prolog.bridge.perceiving.windows import WindowPerceiver
from predinet_prolog.domains.annotations import as_annotated
from predinet_prolog.domains.domain import Annotated, Inspection
from predinet_prolog.domains.relations_game import generate, save_npz
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.domains.relations_game.scenes import truth_of
from predinet_prolog.experiments.errors import ExperimentError
from predinet_prolog.experiments.evaluation import Goal, OwnOutput, evaluate, faults_of, load_test_set
from predinet_prolog.experiments.outcomes import Evaluation, Faults, Outcome
from predinet_prolog.neural import Model, NetworkConfig, RelationsNetwork, load_model, predict, training_config
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.symbolic import Engine, Rules, SymbolicError
from tests.cases import cases

CASES = cases(__file__)

pytestmark = pytest.mark.slow(7)


@pytest.fixture
def model(model_file: Path) -> Model:
    return load_model(model_file)


def scene(*centres: tuple[float, float]) -> Scene:
    """A scene whose objects, 9 × 9 pixels each, have these centres."""
    boxes = [np.array([x - 4.5, y - 4.5, x + 4.5, y + 4.5]) for x, y in centres]
    things = tuple(Thing(f"ob_{number}", box, None, np.zeros(3)) for number, box in enumerate(boxes))
    return Scene(things, Inspection(0, None, 0), (36, 36))


def things(*cells: int) -> np.ndarray:
    """The boxes (N, 4) of things of 9 × 9 pixels, each in the middle of its cell of 12 × 12, row by row."""
    corner = 12 * np.array([(cell % 3, cell // 3) for cell in cells]).reshape(-1, 2) + 1.5
    return np.concatenate([corner, corner + 9], axis=1)


# Cells 0 and 5 are top left, and middle row, right. Windows are 12 wide: that around (12, 6) covers halves of
# cells 0 and 1, that around (12, 12) quarters of cells 0, 1, 3 and 4.
@pytest.mark.parametrize(
    ("occupied", "centres", "expected"),
    [
        ((0, 5), [(7, 5.5), (24, 18)], Faults(1, 1, 0)),  # a little off; half-way, but only one object is there
        ((0, 1), [(12, 6)], Faults(2, 0, 1)),  # stands for both
        ((0, 1), [(12, 6), (6, 6)], Faults(1, 1, 0)),  # one of them has its own, so it stands for one at most
        ((0, 4), [(12, 12)], Faults(2, 0, 1)),  # diagonal neighbours
        ((0, 1, 3), [(12, 12), (6, 6)], Faults(2, 0, 1)),  # two of its three have none of their own
        ((0, 1, 4), [(12, 6), (18, 12)], Faults(3, 0, 2)),  # two merged ones may share an object
        ((0, 1), [(12, 6), (12, 6)], Faults(2, 0, 2)),
        ((0, 2), [(12, 6)], Faults(2, 1, 0)),  # does not reach cell 2
        ((1, 4), [(6, 12)], Faults(2, 1, 0)),  # only touches both
    ],
)
def test_faults_of_a_scene(occupied: tuple[int, ...], centres: list[tuple[float, float]], expected: Faults) -> None:
    found = faults_of(scene(*centres), things(*occupied))
    assert (found, found.total) == (expected, expected.missing + expected.spurious + expected.merged)


places = st.tuples(*[st.sampled_from([6.0, 12.0, 18.0, 24.0, 30.0])] * 2)


@given(st.sets(st.integers(0, 8)), st.data())
def test_a_scene_has_no_faults_only_if_each_true_object_has_one_symbol(occupied: set[int], data: st.DataObject) -> None:
    """The grid's places are all windows the network has; some symbols are left out, others are too many."""
    centres = [(6.0 + 12 * (cell % 3), 6.0 + 12 * (cell // 3)) for cell in sorted(occupied)]
    kept = [centre for centre in centres if data.draw(st.integers(0, 4))]
    seen = data.draw(st.permutations(kept + data.draw(st.lists(places, max_size=2))))
    found = faults_of(scene(*seen), things(*sorted(occupied)))
    assert (found.total == 0) == (sorted(seen) == sorted(centres))
    assert found.missing == len(set(centres) - set(seen))
    assert found.spurious + found.merged == len(seen) - len(set(centres) & set(seen))


def test_a_verdict_counts_its_outcomes() -> None:
    clean, bad = Faults(0, 0, 0), Faults(2, 1, 3)
    rows = [("1", 1), ("1", 0), ("0", None), ("none", None), ("0", "a\nb"), ("0", 0), ("1", 1.0)]
    outcomes = tuple(Outcome(n, *row, timed_out=n == 2, exact=n not in (2, 3, 5)) for n, row in enumerate(rows))
    verdict = Evaluation(8, outcomes, (clean, clean, bad, Faults(1, 0, 0), clean, bad, clean, clean))
    assert verdict.to_json() == CASES["verdict"]
    unknown = replace(verdict, scene_faults=None).to_json()
    nulls = dict.fromkeys(("exact_scenes", "missing", "spurious", "merged", "wrong_on_exact"))
    assert unknown == {**verdict.to_json(), **nulls}
    assert json.loads(json.dumps(unknown)) == unknown


@pytest.mark.parametrize("objects", ["pentos", "hexos", "stripes"])
def test_truth_is_read_from_pixels_where_the_file_has_none(objects: str, tmp_path: Path) -> None:
    scenes = generate("scatter", 13, objects=objects, seed=5)
    save_npz(tmp_path / "known.npz", scenes)
    arrays = {"images": scenes.render(), "labels": scenes.labels[:, None], "tasks": scenes.task_ids[:, None]}
    np.savez(tmp_path / "bare.npz", **arrays)
    DOMAIN.write(tmp_path / "folder", "scatter", 13, kind=objects, seed=5)
    known, bare, folder = (load_test_set(tmp_path / name) for name in ("known.npz", "bare.npz", "folder"))
    assert (known.task, known.kind) == ("scatter", objects)
    assert (bare.task, bare.kind) == (None, objects)
    assert (folder.task, folder.kind) == (None, objects)
    expected = truth_of(scenes)
    for test_set in (known, bare, folder):
        assert len(test_set.images) == len(test_set.labels) == 13
        np.testing.assert_array_equal(test_set.truth.boxes, expected.boxes)
        np.testing.assert_array_equal(test_set.truth.image, expected.image)


def test_network_is_judged_by_its_own_answers(model: Model) -> None:
    test_set = DOMAIN.generate("between", 23, kind="hexos", seed=2)
    steps: list[int] = []
    verdict = evaluate(model, as_annotated(test_set), OwnOutput(), looks=1, report=steps.append)
    labels = predict(model.network, test_set.images, test_set.task_ids)
    assert (verdict.accuracy, verdict.n) == (np.mean(labels == test_set.labels), 23)
    assert steps == [1] * 23


def test_which_task_is_asked(tmp_path: Path) -> None:
    tasks = ("between", "column_patterns_3")
    network = RelationsNetwork(NetworkConfig(heads=3, relations=2))
    weights = {name: weight.numpy() for name, weight in network.state_dict().items()}
    told = network.config, weights, training_config(tasks), {}, "0" * 64
    model = Model("two", tmp_path / "two.safetensors", *told)
    columns = DOMAIN.generate("column_patterns_3", 40, kind="pentos", seed=1)

    def accuracy(task: str | None) -> float | None:
        return evaluate(model, as_annotated(columns), OwnOutput(task), looks=1).accuracy

    ids = columns.task_ids + 1  # behind the one id of between
    expected = np.mean(predict(network, columns.images, ids) == columns.labels)
    assert accuracy("3task_col_patts") == expected
    with pytest.raises(ExperimentError, match=r"add --task between\|column_patterns_3"):
        accuracy(None)
    with pytest.raises(ExperimentError, match="questions up to number 2, and between has only 1"):
        accuracy("between")
    with pytest.raises(NeuralError, match="never trained on same"):
        accuracy("same")


COLUMNS = DOMAIN.generate("column_patterns_3", 200, kind="pentos", seed=4)
FEW = replace(as_annotated(COLUMNS).first(20), truth=None)
LABELS, TASKS = COLUMNS.labels[:20], COLUMNS.task_ids[:20]


def judged(model: Model, goal: str, rules: str = "", *, test_set: Annotated = FEW, limit: float = 0.5) -> Evaluation:
    return evaluate(model, test_set, Goal(goal, [Rules("my.pl", rules)], limit), looks=1)


@pytest.mark.parametrize(
    ("goal", "rules", "label"),
    [
        ("label(L)", "label(1). label(0).", 1),
        ("L = zero", "", None),
        ("L = 0.0", "", None),
        # No picture shows a hundred objects: no answer, as where a goal fails, and no end of the evaluation.
        ("above(ob_0, ob_99), L = 0", "", None),
    ],
)
def test_rules_are_judged_by_their_first_answer(model: Model, goal: str, rules: str, label: int | None) -> None:
    found = judged(model, goal, rules)
    assert (found.accuracy, found.confusion.keys()) == (np.mean((-1 if label is None else label) == LABELS), {"0", "1"})


def test_each_program_and_question_is_its_own_image_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """Late answers change no order, also across chunks: the objects counted are those of the scene watched."""
    model = load_model("between")  # sees objects, which the random one does not
    test_set = DOMAIN.generate("scatter", 23, kind="pentos", seed=4)
    test_set = as_annotated(replace(test_set, task_ids=np.arange(23) % 4))
    ask = Engine.ask

    def dawdling(engine: Engine, program: str, *rest: object, **more: object) -> object:
        time.sleep(0.05 * (len(program) % 3 == 0))
        return ask(engine, program, *rest, **more)

    monkeypatch.setattr(WindowPerceiver, "batch", 7)
    monkeypatch.setattr(Engine, "ask", dawdling)
    scenes: list[Scene] = []
    steps: list[int] = []
    goal = Goal("aggregate_all(count, object(_), N), task(T), L is 10 * T + N", time_limit=0.5)
    verdict = evaluate(model, test_set, goal, report=steps.append, watch=scenes.append)
    expected = [10 * (number % 4) + len(scene.things) for number, scene in enumerate(scenes)]
    assert [outcome.answer for outcome in verdict.outcomes] == expected
    assert len({len(scene.things) for scene in scenes}) > 1
    assert [outcome.number for outcome in verdict.outcomes] == list(range(23))
    assert tuple(outcome.label for outcome in verdict.outcomes) == test_set.labels
    truth = test_set.truth
    faults = tuple(faults_of(scene, truth.boxes[truth.rows(number)]) for number, scene in enumerate(scenes))
    assert verdict.scene_faults == faults
    assert [outcome.exact for outcome in verdict.outcomes] == [not fault.total for fault in faults]
    assert sum(steps) == 23
    assert evaluate(model, replace(test_set, tasks=("0",) * 23), OwnOutput("between")).scene_faults == faults


def test_goals_out_of_time_are_wrong_and_counted(model: Model) -> None:
    verdict = judged(model, "L = 0, (task(0) -> repeat, fail ; true)", limit=0.05)
    assert verdict.timeouts == (TASKS == 0).sum() > 0
    assert verdict.accuracy == np.mean((TASKS != 0) & (LABELS == 0))


def test_a_goal_without_its_variable_or_with_a_mistake_ends_the_exam(model: Model) -> None:
    with pytest.raises(ExperimentError, match="must answer with its variable L"):
        judged(model, "task(T)")
    with pytest.raises(SymbolicError, match="lable/1"):
        judged(model, "lable(L)")
