"""What rules are learned from is what programs say."""

from itertools import permutations

import numpy as np
import pytest

from benchmarks import rule_learning_data as data
from benchmarks.shared import programs
from domains.relations_game.tasks import generate
from neural import load_model
from symbolic import Engine


@pytest.mark.parametrize(
    ("name", "kind", "task", "n"),
    [
        ("relations-game", "hexos", "scatter", 40),
        ("relations-game", "stripes", "match_rows", 20),
        ("between", "pentos", "scatter", 40),
    ],
)
def test_tables_say_what_prolog_says(name: str, kind: str, task: str, n: int) -> None:
    model, scenes = load_model(name), generate(task, n, objects=kind, seed=77)
    situations = data.seen(model, scenes).situations(model)
    known = data.predicates(model)
    assert {each.name for each in known} >= {"same", "lies_between", "above"}
    told = dict.fromkeys((each.name for each in known), 0)
    with Engine(time_limit=10, answer_limit=1) as engine:
        for situation, program in zip(situations, programs(model, scenes.render()), strict=True):
            for each in known:
                places = permutations(range(len(situation.objects)), each.arity)
                said = {
                    tuple(situation.objects[index] for index in own) for own in places if situation.holds[each][own]
                }
                arguments = ",".join("XYZ"[: each.arity])
                goal = f"findall([{arguments}],{each.name}({arguments}),L)"
                answers = engine.ask(program, goal).to_json()
                assert said == {tuple(own) for own in answers["answers"][0]["bindings"]["L"]}, (each.name, situation.name)
                told[each.name] += len(said)
                assert not np.einsum("ii->i" if each.arity == 2 else "iij->ij", situation.holds[each]).any()
    assert all(told.values())
