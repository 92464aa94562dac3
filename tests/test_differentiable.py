"""Rules that train networks: the examples run, and DeepProbLog says what our own rule says."""

import importlib.util

import pytest
import torch

from examples.differentiable import train_by_rule
from examples.differentiable.train_by_rule import GAME, TASK, judge, new_soft_relations, share_right, train
from tests.margins import Bound

pytestmark = pytest.mark.slow(15)
needs_deepproblog = pytest.mark.skipif(
    importlib.util.find_spec("deepproblog") is None, reason="no deepproblog: pip install deepproblog"
)


@pytest.mark.margins
def test_a_network_learns_through_a_rule(bound: Bound, seed: int) -> None:
    """From labels of images alone; what it has learned holds of things it has never seen."""
    soft = new_soft_relations(seed)
    shown = {kind: GAME.generate(TASK, 300, kind=kind, seed=9) for kind in ("pentos", "hexos")}
    for images in shown.values():
        assert share_right(soft, images) < 0.75
    train(soft, GAME.generate(TASK, 200, seed=seed), steps=150, seed=seed)
    for kind, images in shown.items():
        bound.below(f"wrong answers, {kind}", 1 - share_right(soft, images), 0.25)


def test_the_example_judges_by_every_rule(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["train_by_rule.py", "--images", "32", "--steps", "2"])
    monkeypatch.setattr(train_by_rule, "TEST_IMAGES", 20)
    train_by_rule.main()
    told = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [words[0] for words in told if words[1] == "untrained"] == ["same", "occurs", "xoccurs", "match_rows"]
    assert [words[0] for words in told if words[1] == "trained"] == ["between"]
    assert all(0 <= float(words[place].rstrip(",")) <= 1 for words in told for place in (3, 5, 7))


@needs_deepproblog
@pytest.mark.filterwarnings("ignore")
def test_deepproblog_proves_what_the_rule_says_and_trains_the_network() -> None:
    from examples.differentiable import with_deepproblog as door

    soft = new_soft_relations(3)
    images = door.Images("shown", soft, GAME.generate(TASK, 30, seed=4))
    model = door.model_of(soft)
    model.add_tensor_source("shown", images)
    told = [float(next(iter(result.result.values()))) for result in model.solve(images.to_queries())]
    assert told == pytest.approx(judge(soft, TASK, images.pixels).tolist(), abs=1e-6)
    assert {0.0} < set(told)
    before = {name: weight.clone() for name, weight in soft.named_parameters()}
    door.train(model, images, epochs=1, seed=0)
    changed = {name for name, weight in soft.named_parameters() if not torch.equal(weight, before[name])}
    assert changed == {"encoder.weight", "encoder.bias", "predinet.W_S"}
