"""A program as an object and as text: a golden file, numbers and comments, and what SWI-Prolog makes of it."""

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from predinet_prolog.bridge import ImageInfo, Program, Scene, Thing, make_program, write_json, write_prolog
from predinet_prolog.bridge.program import rules_of
from predinet_prolog.bridge.scene import Heads
from predinet_prolog.bridge.terms import comment, number, numbers
from predinet_prolog.bridge.vocabulary import VOCABULARY
from predinet_prolog.bridge.writers import json as json_writer
from predinet_prolog.bridge.writers import prolog
from predinet_prolog.bridge.writers.header import read_header, warnings_of
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.neural import Model, NetworkConfig, RelationsNetwork, training_config
from predinet_prolog.neural.checkpoint import weights_of
from tests.asking import answers, asked

GOLDEN = Path(__file__).parent / "golden" / "scene.pl"
IMAGE = ImageInfo(name="it's an\nimage.png", sha256="ab" * 32, width=72, height=36)


def symbol(name: str, x: float, y: float) -> Thing:
    """A symbol whose co-ordinates in the two relations follow from its place, checked by eye."""
    box, coordinates = np.array([x - 5, y - 5, x + 4, y + 1]), np.array([x / 100, -y / 100])
    return Thing(name, box, None, coordinates, window=(x - 6, y - 6, x + 6, y + 6), mask=np.full((5, 5), 0.04))


@pytest.fixture
def scene() -> Scene:
    """Three objects in the top row, one of them seen only by a second look, and a background; 2 looks, 1 head."""
    heads = Heads(
        pairs=np.array([[[0, 2]], [[1, 3]]]),
        values=np.array([[[0.25, -0.00001]], [[1.5, 0.0999]]]),
        attention=np.zeros((2, 1, 2, 5, 5)),
        slopes=np.array([[0.5, 0.0], [0.0, -0.125]]),
        first_looks=(1, 2, 1, 1),
    )
    things = symbol("ob_0", 6, 6), symbol("ob_1", 18, 6), symbol("ob_2", 30, 6)
    background = (symbol("ob_3", 12, 24),)
    return Scene(things, Inspection(0, None, 0.0), (36, 36), background=background, heads=heads)


@pytest.fixture
def model(tmp_path: Path) -> Model:
    network = RelationsNetwork(NetworkConfig(heads=1, relations=2), generator=torch.Generator().manual_seed(0))
    told = network.config, weights_of(network), training_config(["between"]), {}, "cd" * 32
    return Model("hand-made", tmp_path, *told)


@pytest.fixture
def program(scene: Scene, model: Model) -> Program:
    return make_program(scene, model=model, image=IMAGE)


def test_golden(program: Program, golden: Callable[[str, Path], None]) -> None:
    """The golden file's own header names the model, image and options it was made with."""
    golden(write_prolog(program), GOLDEN)


@pytest.mark.parametrize("goal", BOARD := asked("a board"))
def test_every_predicate_answers(program: Program, goal: str) -> None:
    assert answers(write_prolog(program), goal) == BOARD[goal]


def test_a_program_is_known_again(scene: Scene, model: Model) -> None:
    image = dataclasses.replace(IMAGE, warnings=("odd, 5 x 7 pixels (sha256 no)", 'é "}\n% warning  no'))
    program = make_program(scene, model=model, image=image)
    text, document = write_prolog(program), write_json(program)
    assert warnings_of(text) == (image.warnings[0], image.warnings[1].replace("\n", "\ufffd"))
    own = program.provenance
    assert prolog.is_current(text, own, rules_of(model))
    assert json_writer.is_current(document, own, rules_of(model))
    images = [dataclasses.replace(image, **change) for change in ({"name": "other.png"}, {"sha256": "ba" * 32})]
    changes = [{"model_sha256": "ef" * 32}, {"model": "other"}, {"looks": 1}, *({"image": each} for each in images)]
    for other in (dataclasses.replace(own, **change) for change in changes):
        assert not prolog.is_current(text, other, rules_of(model))
        assert not json_writer.is_current(document, other, rules_of(model))
    assert not prolog.is_current(text[:-1], own, rules_of(model)), "it ends too early"
    assert not json_writer.is_current(document[:-3], own, rules_of(model))
    other_windows = dataclasses.replace(model, config=dataclasses.replace(model.config, stride=3))
    assert not prolog.is_current(text, own, rules_of(other_windows)), "another glossary"
    assert not prolog.is_current("", own, rules_of(model))


@pytest.mark.parametrize(
    "text",
    ["", "object(a).", "%! ", "%! {", "%! []", "%! " + "[" * 100_000, '%! {"warnings": 3}', '\n%! {"warnings": ["x"]}'],
)
def test_what_is_no_header_says_nothing(text: str) -> None:
    assert warnings_of(text) == ()
    assert read_header(text).get("rules") is None


def test_the_vocabulary_is_what_programs_say(program: Program) -> None:
    """Every predicate of a program is in the table with as many arguments."""
    known = {each.indicator for each in VOCABULARY}
    told = {"rI/3" if name[1:-2].isdigit() else name for name in program.predicates}
    assert told <= known


@given(st.text())
def test_a_comment_is_one_line_of_printable_text(text: str) -> None:
    assert comment(text).isprintable()
    assert "\n" not in comment("x\n:- halt.\r\u2028y")


TOLD = "0.0000", "0.0000", "0.0000", "1.2346", "-2.5000", "1000000.0000"


@pytest.mark.parametrize(("value", "text"), [*zip((0.0, -1e-5, -0.0, 1.23456, -2.5, 1e6), TOLD, strict=True)])
def test_numbers_have_fixed_digits_and_no_minus_zero(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_refused(bad: float) -> None:
    for write in (lambda: number(bad), lambda: numbers(np.array([1.0, bad]))):
        with pytest.raises(ValueError, match="cannot be written"):
            write()
