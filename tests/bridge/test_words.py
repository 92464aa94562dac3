"""Words by showing: regions of colours and what is like something shown, as clauses that Prolog reads."""

from collections.abc import Sequence

import numpy as np
import pytest

from predinet_prolog.bridge import BridgeError, ImageInfo, Program
from predinet_prolog.bridge.confidence import Curve
from predinet_prolog.bridge.definitions import Definition, Grounding
from predinet_prolog.bridge.program import ModelRules, Provenance
from predinet_prolog.bridge.vocabulary import Dialect
from predinet_prolog.bridge.words import Thing, choose, thing, write_word
from predinet_prolog.bridge.writers.prolog import clause_text
from predinet_prolog.symbolic import Rules
from tests.asking import answers
from tests.cases import cases

CASES = cases(__file__)

Colour = tuple[float, float, float]
CURVE = Curve(0.2, 6.0, 0.01)
RED, DIM_RED, ORANGE, BLUE, WHITE, GREY = (250, 0, 0), (90, 0, 0), (250, 130, 0), (0, 0, 250), (255,) * 3, (120,) * 3


def seen(colours: Sequence[Colour], *places: tuple[float, float], shape: float = 1.0) -> Program:
    """A program with an object for each of the colours at `places` on r0, which tells shape, and r1, which tells
    colour. Its model tells shapes if `shape`, the accuracy, is high enough."""
    names = [f"ob_{number}" for number in range(len(colours))]
    axes = np.array(places or [(0.0, 0.0)] * len(names)).T
    told = [("same", (0, 1), 1.0), ("same_shape", (0,), shape), ("same_colour", (1,), 1.0)]
    definitions = [Definition(name, "", own, CURVE, 0.05, {"known": score}, {}) for name, own, score in told]
    return Program(
        Provenance("m", "0" * 64, ImageInfo("a.png", "0" * 64, 9, 9), None),
        {
            "object": [list(names)],
            "colour": [list(names), *(list(map(int, band)) for band in zip(*colours, strict=True))],
            "coordinate": [["r0"] * len(names) + ["r1"] * len(names), names * 2, axes.ravel()],
        },
        ModelRules(
            (), Grounding("0" * 64, "known", False, ("shape", "colour"), tuple(definitions)), Dialect(heads=True)
        ),
    )


def things(program: Program) -> list[Thing]:
    return [thing(program, str(name)) for name in program.facts["object"][0]]


def colour_word(shown: Sequence[Colour], others: Sequence[Colour] = ()) -> str:
    program = seen([*shown, *others])
    all_of = things(program)
    (clause,) = write_word("w", "colour", program, all_of[: len(shown)], all_of[len(shown) :])
    return clause_text(clause)


def holds_of(rules: str, colours: Sequence[Colour]) -> list[bool]:
    numbered = enumerate(colours)
    texts = (f"object(ob_{n}). colour(ob_{n}, {red}, {green}, {blue}).\n" for n, (red, green, blue) in numbered)
    facts = "".join(texts)
    rows = answers(facts, "w(X)", Rules("w.pl", rules))
    return [[f"ob_{number}"] in rows for number in range(len(colours))]


def test_a_word_for_colours_is_a_region_around_those_shown_in_any_light() -> None:
    word = colour_word([RED])
    assert holds_of(word, [RED, DIM_RED, (250, 60, 30), BLUE, WHITE, GREY, (0, 0, 0)]) == [True] * 3 + [False] * 4
    assert holds_of(colour_word([WHITE]), [WHITE, GREY, (0, 0, 0), RED]) == [True, True, True, False]


def test_a_counter_example_in_the_region_is_cut_off_half_way() -> None:
    near = (250, 60, 0)
    assert holds_of(colour_word([RED]), [near]) == [True]
    cut = colour_word([RED], [near, BLUE])
    assert holds_of(cut, [RED, (250, 20, 0), near, (250, 40, 0)]) == [True, True, False, False]


def test_brightness_counts_where_only_it_tells_the_counter_examples() -> None:
    word = colour_word([WHITE], [GREY])
    assert holds_of(word, [WHITE, (200, 200, 200), (180, 180, 180), GREY]) == [True, True, False, False]
    assert holds_of(colour_word([DIM_RED], [RED]), [DIM_RED, RED]) == [True, False]


def test_other_words_are_for_what_is_like_one_shown() -> None:
    """Co-ordinates near each other make one clause; the threshold grows with the noise of the picture asked."""
    program = seen([RED] * 4, (1.0, 5.0), (1.01, 9.0), (3.0, 5.0), (-2.0, 5.0))
    first, twin, other, against = things(program)
    clauses = write_word("heart", "shape", program, [other, twin, first], [against])
    assert [clause_text(clause) for clause in clauses] == [
        f"shape(X, heart) :-\n    object(X), noise_level(N), T is 0.2 + 0.05*N,\n"
        f"    coordinate(r0, X, C0), abs(C0 - {place}) =< T."
        for place in ("1.0000", "3.0000")
    ]
    (look,) = write_word("cup", "look", program, [first], [])
    assert clause_text(look).startswith("cup(X) :-")
    assert "abs(C0 - 1.0000) =< T,\n    coordinate(r1, X, C1), abs(C1 - 5.0000)" in clause_text(look)


AT = {"a": (0.0, 0.0), "a'": (0.0, 3.0), "b": (3.0, 0.0), "b'": (3.0, 3.0)}
"""Places by shape, letters, and colour: those with a dash have another."""


@pytest.mark.parametrize(("shown", "others", "chosen"), CASES["chosen"])
def test_a_word_is_for_what_its_examples_have_in_common(shown: str, others: str, chosen: str) -> None:
    own, against = shown.split(), others.split()
    program = seen([RED] * len(own + against), *(AT[name] for name in own + against))
    all_of = things(program)
    assert choose(program, all_of[: len(own)], all_of[len(own) :]) == chosen


def test_what_cannot_be_told_is_refused_by_name() -> None:
    program = seen([RED, BLUE], (1.0, 1.0), (1.0, 1.1), shape=0.7)
    one, other = things(program)
    with pytest.raises(BridgeError, match="the model m does not tell what has the same shape: choose shade or look"):
        write_word("w", "shape", program, [one], [])
    with pytest.raises(BridgeError, match=r"a.png, ob_0 and a.png, ob_1 are alike in look, but only the first is w"):
        write_word("w", "look", program, [one], [other])
    with pytest.raises(BridgeError, match=r"a.png, ob_7: no such object: there are ob_0, ob_1"):
        thing(program, "ob_7")
    with pytest.raises(BridgeError, match=r"a.png, ob_0: its program tells no colours"):
        write_word("w", "colour", program, [Thing(one.place, None, one.coordinates)], [])
