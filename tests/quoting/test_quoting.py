"""Names in every language: what is written is what the language's own reader reads."""

from types import ModuleType

import clingo
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from problog.program import PrologString

from predinet_prolog.quoting import QuotingError, asp, popper, problog, prolog
from tests.asking import answers, solved
from tests.cases import cases

CASES = cases(__file__)

# fmt: off
HARD = [
    "", " ", "ob_1", "Ob", "_x", "x'", "[]", "{}", "!", ";", "|", "-", "a b", "it's", "''", '"', "\\", "\\n", "x\\",
    "\n", "\r\n", "\t", "\0", "a\x07b", "é", "Ünï", "e\u0301", "日本", "\u2028", "\ufeff", "a\u00a0b", "\U0001f600",
    "\x7f", "\U0010ffff", "0a", "a.", ". :- halt.", "/*", "%", "#sup", "not", "is", "mod", "dynamic", "table", "true",
    "end_of_file", "inf", "0", "7", "-7", "-0", "007", "1.5", "1e5", "0x1f", "0'a", "999999999", "2147483648",
    "-2147483649", "9007199254740993", "9" * 40, "_32_", "a b_32_", "3_4_5",
    *(f"x{chr(code)}y" for code in [*range(0xA1), 0x200B, 0x2029, 0xE000, 0xFFFD]),
]
# fmt: on
NAMES = st.sampled_from(HARD) | st.text() | st.text("_0123 é'\"\\\n")
LANGUAGES = [prolog, problog, asp]
by_language = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.__name__)


def read_prolog(written: list[str]) -> list[str]:
    return [str(name) for _, name in answers(_facts(written), "a(N, X)")]


def read_problog(written: list[str]) -> list[str]:
    """ProbLog keeps escapes as they are written: what they mean is asked of Prolog, which has the same."""
    return read_prolog([str(clause.args[1]) for clause in PrologString(_facts(written))])


def read_clingo(written: list[str]) -> list[str]:
    strings = clingo.SymbolType.String
    names = (name for _, name in sorted(atom.arguments for atom in solved(_facts(written))))
    return [name.string if name.type is strings else str(name) for name in names]


def _facts(written: list[str]) -> str:
    return "".join(f"a({number}, {name}).\n" for number, name in enumerate(written))


READERS = {prolog: read_prolog, problog: read_problog, asp: read_clingo}


@by_language
@settings(max_examples=100)
@example(texts=HARD)
@given(texts=st.lists(NAMES, min_size=1, max_size=8))
def test_the_languages_own_reader_gives_the_text_back(language: ModuleType, texts: list[str]) -> None:
    texts = [text for text in texts if language is not asp or "\0" not in text]
    for write in (language.atom, language.constant):
        assert READERS[language]([write(text) for text in texts]) == texts


@given(NAMES)
@example("a b_32_")
@example("a_3 b")
def test_ours_gives_it_back_too(text: str) -> None:
    for language in LANGUAGES:
        if language is not asp or "\0" not in text:
            assert [language.unquoted(write(text)) for write in (language.atom, language.constant)] == [text] * 2
    assert popper.unquoted(popper.ending(text)) == text


@settings(max_examples=50)
@example(texts=HARD)
@given(texts=st.lists(NAMES, min_size=1, max_size=8))
def test_poppers_names_are_names_for_both_that_read_them(texts: list[str]) -> None:
    names = [f"label_{popper.ending(text)}" for text in texts]
    assert [read_prolog(names), read_clingo(names)] == [names] * 2
    assert all(asp.atom(name) == prolog.atom(name) == name for name in names)


@pytest.mark.parametrize(("text", "in_prolog", "in_problog", "in_asp"), CASES["constants"])
def test_constants_as_people_write_them(text: str, in_prolog: str, in_problog: str, in_asp: str) -> None:
    assert [language.constant(text) for language in LANGUAGES] == [in_prolog, in_problog, in_asp]


@by_language
@pytest.mark.parametrize("text", ["\ud800", "a\udcffb", "\udfff.png"])
def test_what_is_no_text_is_refused(language: ModuleType, text: str) -> None:
    for write in (language.atom, language.constant):
        with pytest.raises(QuotingError, match=r"^'.*\\ud.*' cannot be written: surrogates not allowed .*: rename it$"):
            write(text)


def test_what_clingo_cannot_hold_is_refused() -> None:
    with pytest.raises(QuotingError, match=r"^'a\\x00b' cannot be written for clingo, .* NUL: rename it$"):
        asp.constant("a\0b")


@given(st.text())
def test_an_atom_of_prolog_is_one_line_that_does_nothing_to_a_terminal(text: str) -> None:
    written = prolog.atom(text)
    assert len(written.splitlines()) == 1
    assert not set(written) & {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u200e", "\u202e", "\ufeff"}
