"""What is seen in a text before Prolog's reader sees it, and what is not mistaken for it."""

import pytest

from predinet_prolog.symbolic import ProgramError, QuerySyntaxError
from predinet_prolog.symbolic.limits import DIGITS, NESTING
from predinet_prolog.symbolic.precheck import check_goal, check_text
from tests.cases import cases

CASES = cases(__file__)
DEEP = "(" * (NESTING + 1)
CODES = "[" + ",".join(["0'("] * 200) + "]", "[" + ",".join(["0'''"] * 200) + ", '{deep}']"
BRACKETS = "(')',0')," * (NESTING + 1), "(/*)*/" * (NESTING + 1)


@pytest.mark.parametrize("hidden", [*CASES["hidden"], *CODES])
def test_brackets_in_quotes_and_comments_do_not_count(hidden: str) -> None:
    check_goal(f"X = {hidden}".replace("{deep}", DEEP))


@pytest.mark.parametrize("seen", [*CASES["seen"], *BRACKETS])
def test_brackets_elsewhere_do(seen: str) -> None:
    seen = seen.replace("{deep}", DEEP)
    with pytest.raises(QuerySyntaxError, match="nested more than 100 deep") as caught:
        check_goal(seen)
    assert seen[caught.value.position] == "("
    assert caught.value.position >= seen.rindex("(") - 8


@pytest.mark.parametrize("pair", ["()", "[]", "{}"])
def test_nesting_is_counted_exactly(pair: str) -> None:
    def nested(depth: int) -> str:
        return pair[0] * depth + pair[1] * depth

    check_goal(nested(NESTING))
    check_goal(f"f(a), {nested(NESTING)}, [b]")
    check_text("t", "f(g(a), []).\n" * 100_000)
    with pytest.raises(QuerySyntaxError, match="nested"):
        check_goal(nested(NESTING + 1))
    with pytest.raises(QuerySyntaxError, match="nested"):
        check_goal(pair[0] * (NESTING + 1))


@pytest.mark.parametrize("separator", ["", "_", " ", "_ ", "_\n", "_ \n "])
def test_long_numbers_are_seen_however_they_are_grouped(separator: str) -> None:
    number = separator.join("1" * (DIGITS + 1))
    with pytest.raises(ProgramError, match="more than 1,000 digits") as caught:
        check_text("t", f"p(1).\np({number}).")
    assert caught.value.line == 2
    check_text("t", f"p('{number}').")
    check_text("t", "p(" + separator.join("1" * 100) + ").")


def test_comments_within_comments_are_refused() -> None:
    with pytest.raises(ProgramError, match="a comment within a comment") as caught:
        check_text("t", "p.\n/* one /* two */ */")
    assert caught.value.line == 2
    with pytest.raises(ProgramError, match="a comment within a comment"):
        check_text("t", "/* one *//* two /* three */ */")
    check_text("t", "p. % /* one /* two\n/* three */ q('/* /* */').")


def test_a_name_that_is_no_text_is_said_in_text() -> None:
    with pytest.raises(ProgramError, match=r"^\\udcff\.pl:1: the file's name") as caught:
        check_text("\udcff.pl", "p.")
    str(caught.value).encode()


@pytest.mark.parametrize("code", ["0'", "0'\\", "00'", "[0'", "a+0'"])
def test_a_character_code_needs_its_character(code: str) -> None:
    """A newline is put behind a goal, for it may end in a comment: the code would be that of the newline."""
    with pytest.raises(QuerySyntaxError, match="without its character") as caught:
        check_goal(f"X = {code}")
    assert caught.value.position == 4 + code.index("'")


@pytest.mark.parametrize("goal", ["X = 0'a", "X = 0''", "X = 0'''", "X = 0'\\n", "X = 1 % 0'", 'X = "0\'"', "X = '0'"])
def test_what_only_looks_like_half_a_character_code(goal: str) -> None:
    check_goal(goal)
