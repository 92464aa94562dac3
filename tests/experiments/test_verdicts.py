"""Means and intervals, the claims of the trained experiments on made-up results, pages that are half-way."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from predinet_prolog.experiments import PAPER, Plan, curriculum, table1, take_folder
from predinet_prolog.experiments.claims import Claim, differences, weigh
from predinet_prolog.experiments.configurations import Configuration, Curve, Estimate, Result, name_of
from predinet_prolog.experiments.experiment import EXPERIMENTS
from predinet_prolog.experiments.pages import beginnings
from tests.cases import cases

CASES = cases(__file__)

SETS = ("hexos", "stripes")
BASELINES = ("mlp1", "mlp2", "relation_net", "attention")


def made_up(mean: float) -> Result:
    last = {held: Estimate.of([mean, mean]) for held in SETS}
    curve = Curve([(100_000, run, held, mean, 0.0) for held in last for run in range(2)])
    return Result(steps=100_000, done=True, last=last, best=last, curve=curve)


def table1_results(predinet: float = 0.95, **others: float) -> dict[str, Result]:
    means = {name: others.get(name, 0.6) for name in BASELINES} | {"predinet": predinet}
    return {name_of(name, task): made_up(mean) for task in table1.TASKS for name, mean in means.items()}


def verdicts(results: Mapping[str, Result], plan: Plan = PAPER) -> list[str]:
    """Of the last checkpoints; those of the best measurements, here the same, are as theirs."""
    found = [claim.verdict.replace("*", "") for claim in table1.judge(results, plan)]
    assert found[4:] == found[:4]
    return found[:4]


@pytest.mark.parametrize(("means", "expected"), CASES["table1"])
def test_the_claims_of_table1(means: dict[str, float], expected: list[str]) -> None:
    assert verdicts(table1_results(**means)) == expected


def unfinish(results: dict[str, Result], name: str, *tasks: str) -> None:
    for task in tasks:
        results[name_of(name, task)] = replace(results[name_of(name, task)], done=False)


def test_nothing_is_claimed_of_what_was_not_run() -> None:
    results = table1_results(mlp1=0.95, attention=0.8)
    unfinish(results, "mlp1", "xoccurs")
    assert verdicts(results) == ["yes, without the MLP1", "yes, without the MLP1", "no", "yes"]
    unfinish(results, "attention", *table1.TASKS)
    both = "without the MLP1 and the multi-head attention"
    assert verdicts(results) == [f"yes, {both}", f"yes, {both}", "no", "not known yet"]
    unfinish(results, "predinet", "xoccurs")
    assert verdicts(results) == ["not known yet", "not known yet", "no", "not known yet"]
    assert verdicts({}) == ["not known yet"] * 4


def test_a_verdict_that_one_run_decides_is_said_to_hang_on_it() -> None:
    """On `xoccurs` the PrediNet is 9 points ahead, without its last run 11."""
    results = table1_results(predinet=0.95, attention=0.8)
    assert not any(claim.hangs for claim in weigh(table1.judge, results, PAPER))
    runs = dict.fromkeys(SETS, Estimate.of([0.89, 0.92, 0.92, 0.83]))
    name = name_of("predinet", "xoccurs")
    results[name] = replace(results[name], last=runs)
    found = weigh(table1.judge, results, PAPER)
    assert [claim.hangs for claim in found] == [True, True] + [False] * 6
    assert found[1].verdict == "**no** (hangs on one run)"
    one = {key: replace(result, last={held: Estimate.of([0.95]) for held in SETS}) for key, result in results.items()}
    assert weigh(table1.judge, one, PAPER)[2].verdict == "**no** (hangs on one run)", "there is no other"
    half_way = results | {name: replace(results[name], done=False)}
    assert [claim.verdict for claim in weigh(table1.judge, half_way, PAPER)][:2] == ["not known yet"] * 2


def curriculum_results(**frozen: Mapping[str, float]) -> dict[str, Result]:
    """By combination's field name in FIELDS and architecture the means of stage 3; 0.5 where not given. The PrediNet
    has learned every curriculum to 0.99, and in stage 4 the first target to 0.8."""
    found = {}
    for field, combination in FIELDS.items():
        for name in (*BASELINES, "predinet"):
            mean = frozen.get(field, {}).get(name, 0.5)
            found[curriculum.stage_name(name, combination, "frozen")] = made_up(mean)
        found[curriculum.stage_name("predinet", combination, "pre-train")] = made_up(0.99)
    found[curriculum.stage_name("predinet", curriculum.FIRST, "encoder-frozen")] = made_up(0.8)
    return found


FIELDS = dict(zip(("first", "columns", "other", "rows", "five"), curriculum.COMBINATIONS, strict=True))
AS_IN_PAPER = CASES["paper"]


def test_the_claims_of_the_curriculum_with_cells_missing() -> None:
    assert [claim.verdict for claim in curriculum.judge({}, PAPER)] == ["not known yet"] * 8
    missing = curriculum_results(**AS_IN_PAPER)
    for combination in curriculum.COMBINATIONS:
        del missing[curriculum.stage_name("relation_net", combination, "frozen")]
    yes = "**yes**, without the relation net"
    found = [claim.verdict for claim in curriculum.judge(missing, PAPER)]
    assert found == [yes, yes, "**yes**", yes, yes, "not known yet", "**yes**", yes]
    five = curriculum.judge(curriculum_results(**AS_IN_PAPER), PAPER)[4]
    assert five.ours.endswith("PrediNet 86.0; the PrediNet on its curriculum 99.0")


def test_what_differs_from_the_paper_is_named() -> None:
    yes, no, unknown = (Claim(str(holds), "", "", holds) for holds in (True, False, None))
    assert [claim.verdict for claim in (yes, no, unknown)] == ["**yes**", "**no**", "not known yet"]
    assert differences([yes, no]).endswith("\n\n- False\n")
    assert differences([yes, unknown]) == "Nothing that can be judged yet differs from the paper by these tests.\n"
    assert differences([yes]) == "Nothing differs from the paper by these tests.\n"
    assert differences([unknown]) == ""


def test_cells_of_the_full_plans() -> None:
    counts = {name: len(EXPERIMENTS[name].configurations(PAPER)) for name in EXPERIMENTS}
    assert counts == {"table1": 25, "curriculum": 80}
    for name, plan in product(EXPERIMENTS, (PAPER, EXPERIMENTS["table1"].quick)):
        before: dict[str, Configuration] = {}
        for configuration in EXPERIMENTS[name].configurations(plan):
            assert configuration.name not in before
            if configuration.start is not None:
                assert before[configuration.start].config == configuration.config, "begins with what was trained before"
            before[configuration.name] = configuration


@pytest.mark.parametrize(("name", "quick"), [("table1", False), *((name, True) for name in EXPERIMENTS)])
def test_pages_can_be_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, quick: bool) -> None:
    monkeypatch.setattr("predinet_prolog.experiments.drawing.DPI", 30)
    experiment = EXPERIMENTS[name]
    plan = experiment.quick if quick else experiment.full
    take_folder(tmp_path, name, plan)
    page = experiment.write(tmp_path)
    assert page.startswith(f"# {experiment.title}{' (quick)' if quick else ''}\n")
    assert "not known yet" in page
    assert ("quick version" in page) == quick
    for figure in tmp_path.glob("*.png"):
        assert f"({figure.name})" in page


@pytest.mark.parametrize(
    ("values", "half", "text"),
    [
        # Mean 3; variance (4 + 1 + 0 + 1 + 4) / 4 = 2.5; t of 4 degrees of freedom at 97.5 % is 2.776445 (any table);
        # half the width is 2.776445 · √(2.5 / 5) = 1.963243.
        ([1.0, 2.0, 3.0, 4.0, 5.0], 1.963243, "300.0 ± 196.3"),
        # t of 1 degree of freedom is 12.7062; the standard deviation of 0.5 and 0.7 is 0.1414, so ± 12.7062 · 0.1.
        ([0.5, 0.7], 1.270620, "60.0 ± 127.1"),
        ([0.9], None, "90.0"),
    ],
)
def test_an_interval_is_students_and_in_per_cent(values: list[float], half: float | None, text: str) -> None:
    found = Estimate.of(values)
    assert (found.runs, found.half) == (len(values), None if half is None else pytest.approx(half, abs=1e-6))
    assert str(found) == text


@pytest.mark.parametrize(("runs", "text"), CASES["beginnings"])
def test_learning_begins_where_a_run_leaves_chance_for_good(runs: list[list[float]], text: str) -> None:
    rows = [
        ((place + 1) * 1_000, run, held, accuracy if held == "hexos" else 0.5, 0.1)
        for place in range(4)
        for held in ("hexos", "stripes")
        for run, accuracy in enumerate(accuracies[place] for accuracies in runs)
    ]
    last = {"hexos": Estimate.of([run[-1] for run in runs])}
    done = Result(steps=4_000, done=True, last=last, best=last, curve=Curve(rows))
    table = beginnings({"predinet-same": done}, ["same"], ["predinet", "mlp1"])
    assert table.endswith(f"| `same` | {text} | – |\n")
    assert beginnings({"predinet-same": replace(done, done=False)}, ["same"], ["predinet"]).endswith("| `same` | – |\n")
