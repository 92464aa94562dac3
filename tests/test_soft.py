"""Soft truth values are what exported programs say: their confidence, and rounded, their facts."""

from pathlib import Path

import numpy as np
import pytest
import torch

from examples.differentiable.soft import soft_relations, spatial_relations
from predinet_prolog.bridge import BridgeError, ImageInfo, make_program, perceiver_of
from predinet_prolog.bridge.definitions import read_grounding
from predinet_prolog.bridge.relations import related_in
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import Model, load_model

INFO = ImageInfo("image", "0" * 64, 36, 36)


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model("relations-game")


def test_truth_values_are_the_confidence_of_the_definitions(model: Model) -> None:
    grounding = read_grounding(model)
    assert grounding is not None
    predicates = soft_relations(model).predicates
    assert list(predicates) == ["same", "same_shape", "same_colour"]
    places = np.random.default_rng(1).normal(scale=0.1, size=(4, 6, model.config.relations))
    noise_level = np.array([0.0, 0.3, 2.0, 40.0])
    apart = np.abs(places[:, :, None] - places[:, None]).reshape(4 * 36, -1)
    for each in grounding.trusted:
        told = predicates[each.predicate](torch.from_numpy(places), torch.from_numpy(noise_level))
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
            facts = {
                tuple(window[str(row[column])] for column in row if column in {"x", "y", "z"})
                for row in rows[image]
                if row["predicate"] == name
            }
            assert facts == {tuple(each) for each in truth[image].nonzero().tolist()}, (image, name)


def test_a_model_that_was_never_grounded_has_no_predicates(model_file: Path) -> None:
    with pytest.raises(BridgeError, match="tiny has no definitions: ground it"):
        soft_relations(load_model(model_file))
