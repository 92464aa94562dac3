"""What rules are learned from is what programs say, and what is measured of them is counted as it should be."""

import pytest

from benchmarks import rule_learning
from benchmarks.shared import programs
from predinet_prolog.domains.relations_game.tasks import generate
from predinet_prolog.neural import load_model
from predinet_prolog.symbolic import Engine, Rules
from predinet_prolog.symbolic.learning import learn


@pytest.mark.parametrize("task", ["xoccurs", "colour_and_or_shape", "row_patterns_3"])
def test_rules_are_judged_as_prolog_judges_them(task: str) -> None:
    situations, labels = rule_learning.told("relations-game", generate(task, 20, objects="pentos", seed=78))
    theory = learn(situations, labels, tuple(situations[0].holds)).theory
    model, scenes = load_model("relations-game"), generate(task, 20, objects="hexos", seed=79)
    predicted = theory.predict(rule_learning.told("relations-game", scenes)[0])
    assert len(set(predicted)) > 1
    rules = Rules("learned", theory.write())
    with Engine(time_limit=10, answer_limit=2) as engine:
        for program, number, label in zip(
            programs(model, scenes.render()), scenes.task_ids.tolist(), predicted, strict=True
        ):
            answers = engine.ask(program, "label(L)", rules=[rules, Rules("task", f"task({number}).\n")])
            assert [str(each["bindings"]["L"]) for each in answers.to_json()["answers"]] == [label]
