"""name: words that the command line makes of examples, the file they are kept in, and every mistake."""

import itertools
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.service.naming import replaced
from tests.cases import cases
from tests.service.helpers import Refused

CASES = cases(__file__)

pytestmark = pytest.mark.slow(20)
MODEL = ("--model", "relations-game")


@pytest.fixture
def boards() -> None:
    """Pictures 0.png and 1.png here."""
    for number, pixels in enumerate(generate("scatter", 2, seed=41).render()):
        Image.fromarray(pixels).save(f"{number}.png")


def test_a_word_takes_the_place_of_its_own_clauses_alone() -> None:
    parts = {
        "red": "% word red: by colour, from 1 example of a.csv\nred(X) :- colour(X, 255, 0, 0).",
        "heart": "% word heart: by shape, from 1 example of a.csv\nshape(X, heart) :- object(X).",
        "ace": "% word ace: by shape, from 1 example of a.csv\nshape(X, ace) :- object(X).",
        "redder": "% word redder: by look, from 1 example of a.csv\nredder(X) :- object(X).",
    }
    start = "% my own\nmine(X) :- object(X)."
    texts = set()
    for order in itertools.permutations(parts):
        text = start
        for word in order:
            text = replaced(text, word, parts[word])
        texts.add(text)
    (text,) = texts
    assert text == "\n\n".join([start, *(parts[word] for word in ("ace", "heart", "red", "redder"))]) + "\n"
    assert replaced(text, "red", parts["red"]) == text
    assert replaced(text, "red", "% word red: new") == text.replace(parts["red"], "% word red: new")
    assert replaced("", "red", parts["red"]) == parts["red"] + "\n"


@pytest.mark.parametrize(("text", "rest"), CASES["clauses"])
def test_a_word_s_clauses_are_known_by_their_heads(text: str, rest: str) -> None:
    part = "% word red: by colour, from ob_1\nred(X) :- new."
    assert replaced(text, "red", part) == (f"{rest}\n\n" if rest else "") + f"{part}\n"


@pytest.mark.parametrize(("word", "lines", "message"), CASES["mistakes"])
@pytest.mark.usefixtures("boards")
def test_mistakes_are_one_line_and_write_nothing(refused: Refused, word: str, lines: str, message: str) -> None:
    Path("own.csv").write_text(lines)
    refused(message, "name", word, "own.csv", "-o", "words.pl", *MODEL)
    assert not Path("words.pl").exists()
