"""Checks on texts before Prolog's reader sees them: it has no limits of its own, and crashes when nested too deep.

Brackets and digits count where the reader would see them: what is quoted, and comments, are blanked out first, by
SWI-Prolog's own rules. Their last corners (combining characters before a digit, say) are left out, for a text that
slips through kills a worker at worst.
"""

import json
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate, islice
from typing import Any

from predinet_prolog.symbolic.errors import ProgramError, QuerySyntaxError
from predinet_prolog.symbolic.limits import DIGITS, GOAL_CHARACTERS, NESTING, TEXT_BYTES

_SYMBOL = r"[#$&*+\-./:<=>?@\\^~\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7]"
_FULL_STOP = re.compile(rf"(?<!{_SYMBOL})\.(?=\s|\Z)")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# At the very end a backslash escapes nothing, and yet ends what is quoted. Else the quote would stand for itself there,
# after the whole text was read, and so would each quote behind it: quadratic time.
_ESCAPE = r"\\(?:x[0-9a-fA-F]++\\?|[0-7]++\\?|.|\Z)"
_COMMENT = r"\*.*?(?:\*/|\Z)"  # after its first /
# 16'FF is a number, and so is 0'a; after any other number a quote begins an atom.
_RADIX = "|".join(
    rf"(?<={base}')(?<!\w{base}')(?=[{_DIGITS[: int(base)]}{_DIGITS[: int(base)].upper()}])"
    for number in range(1, 37)
    for base in {f"{number}", f"{number:02}"}
)


def _quoted(quote: str) -> str:
    return rf"(?<={quote})(?:[^{quote}\\]++|{_ESCAPE}|{quote}{quote})*(?:{quote}|\Z)"


# What begins with one of five characters may be hidden from the reader's grammar: comments, and what is quoted. Two
# groups are what is not: the quote of a radix, and that of a character code at the very end, which would take the
# character that is put behind a goal. The first character stands apart for speed: the search skips all others. No group
# of alternatives repeats possessively: Python 3.11 before 3.11.5, Debian 12's among them, reads too little then.
_TOKEN = rf"""[%/'"`](?:
        (?<=%)[^\n]*+
      | (?P<comments>(?<=/)(?<!{_SYMBOL}/){_COMMENT}(?:/{_COMMENT})*)
      | (?:(?<=0')(?<!\w0')|(?<=00')(?<!\w00'))(?:\\.|''|\\?(?P<open>\Z)|.)
      | (?P<radix>(?<=[0-9]')(?:RADIX))
      | {_quoted("'")} | {_quoted('"')} | {_quoted("`")}
    )"""

# Digits may be grouped: 1 000 000, 1_000, and 1_ with the rest on the next line.
_DIGIT = r"(?:[0-9A-Za-z']|[ ](?=[0-9])|_\s*+(?=[0-9A-Za-z]))"
_NUMBER = re.compile(rf"[0-9](?:{_DIGIT}{{{DIGITS}}}(?P<long>)|{_DIGIT}*)")
# Most texts are found faster to have no long number: unless its digits stand on several lines, it is a run of these.
_MAY_BE_DIGITS = bytes(b"0."[byte < 128 and not (chr(byte).isalnum() or chr(byte) in "_' ")] for byte in range(256))

_NOT_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
_UP_OR_DOWN = bytes.maketrans(b"([{)]}", b"\1\1\1\xff\xff\xff")


def check_goal(goal: str) -> None:
    """Raises QuerySyntaxError for a goal that is too long, too deep, or no text that Prolog can read."""
    if len(goal) > GOAL_CHARACTERS:
        size = f"the query has {len(goal):,} characters"
        raise QuerySyntaxError(f"{size}; {GOAL_CHARACTERS:,} are allowed", GOAL_CHARACTERS)
    if fault := _fault(goal):
        raise QuerySyntaxError(*fault)
    pairs = enumerate(zip(goal[1:], without_quoted(goal), strict=False), 1)  # with what is before, if it is not quoted
    if share := next((place for place, (sign, before) in pairs if sign == "%" and before.isdigit()), 0):
        raise QuerySyntaxError("a % begins a comment: write 0.5 for 50%", share)


def check_text(name: str, text: str) -> None:
    """The same for the program or a rule file. Raises ProgramError with the line."""
    printable = name.encode(errors="backslashreplace").decode()
    if printable != name:
        raise ProgramError("the file's name is no Unicode text", printable, 1)
    if len(text) > TEXT_BYTES:
        raise ProgramError(
            f"the text has {len(text):,} characters; {TEXT_BYTES:,} are allowed", name, text.count("\n") + 1
        )
    if fault := _fault(text):
        message, position = fault
        raise ProgramError(message, name, text.count("\n", 0, position) + 1)


def refusal(operation: str, arguments: list[Any]) -> bytes | None:
    """What a worker replies where texts that it is asked with must not be seen by Prolog's reader; None: they may."""
    named: Iterable[tuple[str, str]] = ()
    match operation, arguments[-1]:
        case "load", list(texts):
            named = zip(texts[::2], texts[1::2], strict=True)
        case "ask_each", list(pictures):
            named = (("program", text) for text in pictures)
        case "english", list(pictures):
            named = (("program", text) for text, *_ in pictures)
    try:
        for name, text in named:
            check_text(name, text)
    except ProgramError as error:
        fault = {"kind": "program", "message": error.fault, "name": error.name, "line": error.line}
        return json.dumps({"error": fault}).encode()
    return None


def without_quoted(text: str, but: Sequence[str] = ()) -> str:
    """`text` with blanks for comments and what is quoted, as long as before; atoms among `but` lose their quotes alone.
    It is one that the checks have passed."""
    bare = {f"'{atom}'": f" {atom} " for atom in but}
    return _with_tokens(text, lambda token: bare.get(token[0]) or _blank(token))


def without_comments(text: str) -> str:
    """`text` with blanks for comments, in as many lines as before. It is one that the checks have passed."""
    return _with_tokens(text, lambda token: token[0] if token[0][0] in "'\"`" else re.sub(r"[^\n]", " ", token[0]))


def clause_ends(text: str) -> list[int]:
    """Where the clauses of `text` end, behind their full stops; it is one `without_quoted`."""
    return [stop.end() for stop in _FULL_STOP.finditer(text)]


def _with_tokens(text: str, written: Callable[[re.Match[str]], str]) -> str:
    """`text` with each token as it is to be `written`. Most goals have none, and few texts a radix: what finds them is
    compiled when it is needed, for that takes longer than the rest of a short text's checks."""
    if not re.search(r"[%/'\"`]", text):
        return text
    return _tokens(radix=re.search("[0-9]'", text) is not None).sub(written, text)


@cache
def _tokens(*, radix: bool) -> re.Pattern[str]:
    return re.compile(_TOKEN.replace("RADIX", _RADIX if radix else "(?!)"), re.VERBOSE | re.DOTALL)


def _fault(text: str) -> tuple[str, int] | None:
    """What is wrong with `text`, and at which character; None if nothing is."""
    if (position := text.find("\0")) >= 0:
        return "a NUL character", position
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return "a character that is no Unicode text (a lone surrogate)", error.start
    try:
        unquoted = without_quoted(text)
    except _TokenError as error:
        message, position = error.args
        return message, position
    if b"0" * DIGITS in unquoted.encode().translate(_MAY_BE_DIGITS) or re.search(r"_\s", unquoted):
        for number in _NUMBER.finditer(unquoted):
            if number.lastgroup:
                return f"a number of more than {DIGITS:,} digits", number.start()
    bracket = _first_too_deep(unquoted)
    return None if bracket is None else (f"brackets nested more than {NESTING} deep", bracket)


class _TokenError(Exception):
    """A message, and a position."""


def _blank(token: re.Match[str]) -> str:
    """`token` if the reader's grammar sees it, else as many blanks."""
    match token.lastgroup:
        case "comments" if any("/*" in comment[1:] for comment in re.findall(f"/({_COMMENT})", token[0], re.DOTALL)):
            raise _TokenError("a comment within a comment", token.start())
        case "open":
            raise _TokenError("a character code (0') without its character", token.start())
        case "comments" | None:
            return " " * len(token[0])
        case _:
            return token[0]


def _first_too_deep(text: str) -> int | None:
    """Where brackets nest too deep, the kinds not told apart: where they do not pair, the reader stops at once."""
    depths = list(accumulate(array("b", text.encode().translate(_UP_OR_DOWN, _NOT_BRACKETS))))
    if max(depths, default=0) <= NESTING:
        return None
    return next(islice(re.finditer(r"[()\[\]{}]", text), depths.index(NESTING + 1), None)).start()
