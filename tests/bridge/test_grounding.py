"""Grounding: what is learned, what is left out, and that its text means what its figures measured."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from bridge import BridgeError, ImageInfo, Perceiver, write_program
from bridge import grounding as module
from bridge.grounding import Definition, ground, grounding_path, read_grounding, write_grounding
from neural import load_model
from neural.relations_game import generate
from symbolic import Engine

MOST_LITERALS = 10


def test_the_fit_finds_the_relations_that_tell_and_a_threshold_in_the_gap() -> None:
    """Relations 2 and 5 tell together what neither tells alone; the others are noise."""
    random = np.random.default_rng(0)
    truth = np.arange(4000) % 2 == 0
    distances = random.uniform(0, 1, (4000, 7))
    distances[truth, 2] = distances[truth, 5] = 0.01
    far = random.uniform(0.5, 1.0, 4000)
    distances[~truth, 2] = np.where(random.random(4000) < 0.5, far, 0.0)[~truth]
    distances[~truth, 5] = np.where(distances[:, 2] == 0, far, 0.0)[~truth]
    relations, threshold = module._fit(distances, truth)
    assert set(relations) == {2, 5}
    assert 0.01 < threshold < 0.5
    assert threshold == pytest.approx(np.sqrt(0.01 * 0.5), rel=0.05)


def test_the_fit_of_noise_is_near_chance() -> None:
    random = np.random.default_rng(1)
    distances, truth = random.uniform(0, 1, (4000, 5)), random.random(4000) < 0.5
    relations, threshold = module._fit(distances[:2000], truth[:2000])
    definition = Definition("same", relations, threshold, {})
    assert module._balanced(definition.holds(distances[2000:]), truth[2000:]) == pytest.approx(0.5, abs=0.05)


def test_balanced_accuracy() -> None:
    said, truth = np.array([1, 1, 0, 0, 0], dtype=bool), np.array([1, 1, 1, 1, 0], dtype=bool)
    assert module._balanced(said, truth) == pytest.approx((0.5 + 1.0) / 2)


@pytest.mark.parametrize("name", ["between", "between-small", "relations-game"])
def test_the_shipped_verdicts_are_those_of_ground(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer scenes than shipped with: the clauses need not agree, the verdict on each predicate must."""
    monkeypatch.setattr(module, "SCENES", 500)
    model = load_model(name)
    shipped = read_grounding(model) or ""
    for definition in ground(model):
        assert (f"\n{definition.predicate}(X, Y) :-\n" in shipped) == definition.trusted
        assert len(definition.relations) <= MOST_LITERALS


def test_between_tells_same_and_nothing_more() -> None:
    """Its task never needed colour apart from shape."""
    text = read_grounding(load_model("between")) or ""
    clauses = [line for line in text.splitlines() if not line.startswith("%")]
    assert sum(line.startswith("same(") for line in clauses) == 1
    assert not any(line.startswith(("same_shape(", "same_colour(")) for line in clauses)
    assert "Left out" in text


@pytest.mark.parametrize("name", ["between", "relations-game"])
@pytest.mark.parametrize("objects", ["hexos", "stripes"])
def test_the_program_says_of_every_pair_what_is_true(name: str, objects: str) -> None:
    """The clauses, asked in Prolog, against the symbolic truth."""
    model = load_model(name)
    truth = generate("scatter", 40, objects=objects, seed=12)
    predicates = ["same"] if name == "between" else ["same", "same_shape", "same_colour"]
    wrong, asked = dict.fromkeys(predicates, 0), 0
    with Engine() as engine:
        for index, scene in enumerate(Perceiver(model).perceive(truth.render())):
            program = write_program(scene, model=model, image=ImageInfo("i", "0" * 64, 36, 36))
            cells = np.flatnonzero(truth.occupied[index])
            assert len(cells) == len(scene.objects)
            shape, colour = truth.shapes[index, cells], truth.colours[index, cells]
            alike = {
                "same_shape": shape[:, None] == shape,
                "same_colour": colour[:, None] == colour,
                "same": (shape[:, None] == shape) & (colour[:, None] == colour),
            }
            for predicate in predicates:
                answers = engine.ask(program, f"{predicate}(X, Y)").answers
                said = {(answer.bindings["X"], answer.bindings["Y"]) for answer in answers}
                pairs = np.argwhere(alike[predicate] & ~np.eye(len(cells), dtype=bool))
                wrong[predicate] += len(said ^ {(f"ob_{first}", f"ob_{second}") for first, second in pairs})
            asked += len(cells) * (len(cells) - 1)
    assert wrong["same"] == 0
    # Of 48 hexomino shapes a few pairs lie close on the axes chosen on pentominoes: 0.9992 in the model's card.
    assert max(wrong.values()) <= 0.005 * asked


def test_text_for_other_weights_is_refused(tmp_path: Path) -> None:
    model = dataclasses.replace(load_model("between"), path=tmp_path / "mine.safetensors")
    assert read_grounding(model) is None
    other = dataclasses.replace(model, path=tmp_path / "other.safetensors")
    definition = Definition("same", (1, 3), 0.25, {"pentos": 1.0})
    grounding_path(other).write_text(write_grounding(other, [definition]), encoding="utf-8")
    assert "same(X, Y) :-\n    near(r1, X, Y, 0.25),\n    near(r3, X, Y, 0.25).\n" in (read_grounding(other) or "")
    changed = dataclasses.replace(other, sha256="0" * 64, path=tmp_path / "other.safetensors")
    with pytest.raises(BridgeError, match="grounded for other weights"):
        read_grounding(changed)
