"""Rules that train networks: soft logic and truth values say what programs say, and the examples run."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from examples.differentiable import train_by_rule
from examples.differentiable.logic import conjunction, disjunction, exists, for_all, negation
from examples.differentiable.soft import SoftPredicate, soft_relations, spatial_relations
from examples.differentiable.train_by_rule import GAME, TASK, judge, new_soft_relations, share_right, train
from predinet_prolog.bridge import BridgeError, ImageInfo, make_program, perceiver_of
from predinet_prolog.bridge.confidence import Curve
from predinet_prolog.bridge.definitions import Definition, read_grounding
from predinet_prolog.bridge.relations import related_in
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import Model, load_model
from tests.margins import Bound

pytestmark = pytest.mark.slow(15)
absent = importlib.util.find_spec("deepproblog") is None
needs_deepproblog = pytest.mark.skipif(absent, reason="no deepproblog: pip install deepproblog")


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


INFO = ImageInfo("image", "0" * 64, 36, 36)
STEEP = SoftPredicate((0, 2, 4), threshold=0.1, steepness=20.0, doubt=0.2, beyond=(2.0, 0.001), slack=0.05)
"""Falls otherwise beyond the threshold than before it, which no definition of the model does."""


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model("relations-game")


def test_truth_values_are_the_confidence_of_the_definitions(model: Model) -> None:
    grounding = read_grounding(model)
    predicates = soft_relations(model).predicates
    assert list(predicates) == ["same", "same_shape", "same_colour"]
    places = np.random.default_rng(1).normal(scale=0.1, size=(4, 6, model.config.relations))
    noise_level = np.array([0.0, 0.3, 2.0, 40.0])
    apart = np.abs(places[:, :, None] - places[:, None]).reshape(4 * 36, -1)
    curve = Curve(STEEP.threshold, STEEP.steepness, STEEP.doubt, STEEP.beyond)
    steep = Definition("steep", "", STEEP.relations, curve, STEEP.slack, {}, {})
    for each in (*grounding.trusted, steep):
        told = (predicates | {"steep": STEEP})[each.predicate](torch.from_numpy(places), torch.from_numpy(noise_level))
        expected = each.probability(apart, noise_level.repeat(36))
        np.testing.assert_allclose(told.numpy().ravel(), expected, atol=1e-12)
        assert {True, False} == set((expected > 0.5).tolist())


def test_rounded_they_are_the_facts_of_exported_programs(model: Model) -> None:
    """Of clean pictures, with nine things at most; what holds of windows where nothing lies is no fact."""
    images = generate("scatter", 20, objects="hexos", seed=12).render()
    scenes = perceiver_of(model).perceive(images)
    rows = related_in([make_program(scene, model=model, image=INFO) for scene in scenes])
    module = soft_relations(model)
    shown = torch.from_numpy(images)
    objects = module.cells_that_show(shown)
    told = {name: truth.round() for name, truth in module(shown, objects).items()}
    for name, truth in spatial_relations(model.config).items():
        there = torch.einsum("bx,by->bxy", objects, objects)
        three = torch.einsum("bxy,bz->bxyz", there, objects)
        told[name] = truth * (there if truth.dim() == 2 else three)
    assert set(told) == {"same", "same_shape", "same_colour"} | set(spatial_relations(model.config))
    for image, scene in enumerate(scenes):
        window = {thing.name: thing.place[1] // 6 * 5 + thing.place[0] // 6 for thing in scene.things}
        for name, truth in told.items():
            held = [row for row in rows[image] if row["predicate"] == name]
            facts = {tuple(window[str(row[column])] for column in row if column in {"x", "y", "z"}) for row in held}
            assert facts == {tuple(each) for each in truth[image].nonzero().tolist()}, (image, name)


def test_a_model_that_was_never_grounded_has_no_predicates(model_file: Path) -> None:
    with pytest.raises(BridgeError, match="tiny has no definitions: ground it"):
        soft_relations(load_model(model_file))


def test_a_rule_says_softly_what_it_says_of_facts() -> None:
    """Some X is like itself and like all that any Y is like: rounded before or after, it is the same."""

    def rule(like: Tensor) -> Tensor:
        follows = disjunction(negation(like[:, None]), like[:, :, None])  # (B, X, Y, Z): like(Y, Z) -> like(X, Z)
        return exists(conjunction(like.diagonal(dim1=1, dim2=2), for_all(follows, (2, 3))), (1,))

    def holds(rows: list[list[float]]) -> bool:
        follows = [[a or not b for row in rows for a, b in zip(one, row, strict=True)] for one in rows]
        return any(row[x] and all(follows[x]) for x, row in enumerate(rows))

    for least in (0.4, 0.6):
        like = (torch.rand(99, 5, 5, generator=torch.Generator().manual_seed(3)) * 0.9 + least - 0.45).clamp(0, 1)
        expected = torch.tensor([holds(rows) for rows in like.round().tolist()])
        assert set(expected.tolist()) == {True, False}
        assert torch.equal(rule(like) > 0.5, expected)
        assert torch.equal(rule(like.round()), expected.float())


def test_gradients_are_finite_however_near_or_far() -> None:
    places = torch.tensor([0.0, 0.0, 1e-40, 1e-3, 1.0, 1e6, 1e30]).repeat(5, 1).T[None].requires_grad_()
    truth = STEEP(places)
    ((1 - truth).clamp_min(1e-6).log().sum() + truth.clamp_min(1e-6).log().sum()).backward()
    assert places.grad.isfinite().all()
    assert places.grad[0, 3, list(STEEP.relations)].abs().max() > 0
