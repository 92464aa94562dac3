"""why: proofs and nearest misses on the terminal, as JSON and as a picture."""

import functools
import json
import operator
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import colors

from predinet_prolog.service.pictures import proof as proof_pictures
from predinet_prolog.service.pictures.scene import PALETTE
from predinet_prolog.service.pipeline import View
from predinet_prolog.service.proof_text import likelihood, steps, write_steps
from predinet_prolog.symbolic import Engine, Proof
from tests.cases import cases
from tests.pictures import decode
from tests.service.helpers import Run

CASES = cases(__file__)

pytestmark = pytest.mark.slow(10)


PROGRAM = CASES["program"]
CONFIDENCE = """\
confidence(same(X, Y), P) :- coordinate(r1, X, A), coordinate(r1, Y, B), P is 1 / (1 + (abs(A - B) / 0.31)**4).
"""
MISS = CASES["miss"]


def unaligned(text: str) -> str:
    return re.sub(r" +%", "  %", text)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "scene.pl"
    path.write_text(PROGRAM)
    return path


def test_many_axes_are_summed_up_in_a_line_and_opened_by_numbers(run: Run, program: Path) -> None:
    program.write_text(
        PROGRAM.replace("near(r1, X, Y, 0.31).", "near(r1, X, Y, 0.31), near(r2, X, Y, 0.31).")
        + "coordinate(r2, ob_0, 0.5). coordinate(r2, ob_1, 0.5). coordinate(r2, ob_2, 0.3).\n"
        + "tells(r1, shape). tells(r2, shape).\n"
    )
    lines = unaligned(run("why", program, "same(ob_0, ob_2)").out).splitlines()
    assert lines[1:] == ["  same(ob_0, ob_2)  % rule", "    shape: 2 of 2 axes within 0.31, the largest 0.2"]
    missed = unaligned(run("why", program, "same(ob_0, ob_1)").out).splitlines()
    assert missed[2:] == ["    ✗ shape: 0 of 2 axes within 0.31, then r1 differs by 0.52"]
    opened = run("why", program, "same(ob_1, ob_0)", "--numbers").out
    assert "near(r2" not in opened
    assert unaligned(opened) == unaligned(MISS).replace("rule\n      obj", "rule; r1: shape\n      obj")
    assert run("why", program, "same(ob_0, ob_2)", "--numbers").out.count("0.31)") == 2


def test_a_step_and_the_answer_say_how_likely_they_are(run: Run, program: Path) -> None:
    program.write_text(PROGRAM + CONFIDENCE)
    lines = unaligned(run("why", program, "\\+ same(ob_0, ob_1), object(ob_2)").out).splitlines()
    assert lines[0] == "true (confidence 0.89), because"
    assert lines[2:4] == CASES["denied"]
    assert unaligned(run("why", program, "same(X, Y)").out).splitlines()[:2] == CASES["likely"]
    (answer,) = json.loads(run("why", program, "\\+ same(ob_0, ob_1)", "--json").out)["answers"]
    assert answer["confidence"] == answer["why"]["confidence"] == 0.8879


def test_what_was_shown_above_is_not_shown_again() -> None:
    fact, value = Proof("object(a)", "fact", "program"), Proof("c(a, 0.5)", "fact", "program")
    part = Proof("p(a)", "clause", "program", "p(A) :- object(A)", because=(fact, value))
    proof = Proof("q(a)", "clause", "program", "q(A) :- p(A)", because=(part, fact, value, part))
    assert [[line.depth, line.goal] for line in steps(proof)] == CASES["shown_once"]
    assert steps(proof)[-1].remark == "as above"
    assert write_steps(steps(fact)) == "object(a)  % fact\n"


def test_a_likelihood_is_short_and_never_rounded_to_certainty() -> None:
    confidences = (0.9712, 0.5, 0.99, 0.9949, 1.0, 0.01, 0.0099, 0.0001, 0.0)
    texts = ["0.97", "0.50", "0.99", "0.9949", "1", "0.01", "0.0099", "0.0001", "0"]
    assert [likelihood(confidence) for confidence in confidences] == texts


def count(pixels: np.ndarray, colour: str) -> int:
    return int((pixels == np.rint(np.array(colors.to_rgb(colour)) * 255)).all(-1).sum())


@pytest.mark.parametrize(
    ("goal", "status", "reason"),
    [
        ("same(X, Y)", 0, ("answers", 0, "why", "because", 0, "because", -1, "goal", "0.0 =< 0.31")),
        ("same(ob_1, X)", 1, ("why_not", "because", 0, "because", 0, "miss", 0.21)),
        ("object(ob_0)", 0, ("answers", 0, "why", "by", "fact")),
    ],
)
def test_a_proof_or_what_came_nearest_is_a_tree_as_json(
    run: Run, program: Path, goal: str, status: int, reason: tuple[Any, ...]
) -> None:
    """As text: docs/get-started.md and docs/teach-a-rule.md."""
    found = run("why", program, goal, "--json")
    assert (found.status, found.err) == (status, "")
    *path, last = reason
    assert functools.reduce(operator.getitem, path, json.loads(found.out)) == last


@pytest.mark.parametrize(("goal", "outlined", "red"), [("same(X, Y)", {0, 2}, False), ("same(ob_1, X)", {0, 1}, True)])
def test_objects_are_outlined_and_faults_stand_on_red(seen: View, goal: str, outlined: set[int], red: bool) -> None:
    with Engine() as engine:
        answers = engine.ask(PROGRAM, goal, limit=1, why=True)
    pixels = decode(proof_pictures.draw(seen, goal, answers))
    assert pixels.shape == (1080, 1920, 3)
    image = pixels[150:860, 60:770]
    assert {number for number in range(3) if count(image, PALETTE[number]) > 1000} == outlined
    assert all(count(image, PALETTE[number]) == 0 for number in {0, 1, 2} - outlined)
    assert (count(pixels[:, 860:], proof_pictures.WRONG_PAPER) > 3000) == red
    assert red or count(pixels, proof_pictures.WRONG_PAPER) == 0
