"""What beginners most often mean by a goal that is no Prolog."""

import re

from predinet_prolog.symbolic.precheck import without_quoted

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_WRITTEN = {"and": "a comma", "or": "a semicolon", "<=": "=<", "!=": "\\==", "===": "=="}
_SIGNS = {"&&": "a comma", "||": "a semicolon"}
"""What Prolog has for words of other languages, and for signs that it has not at all."""
_OF_CONSTRAINTS = re.compile(r"\s*(#[=\\\\<>]+|ins?\b)")
_NAME_AND_BRACKET = re.compile(r"(?<!\w)(\w+)([ ]*)\(")  # from the start of a word: else its time goes with the square
_TERM = re.compile(r"""(?:\s+(?=[\w'"(\[{\\])|\s*(?=[<!=]=))(\w+|<=|!=|===|['"(\[{\\])""")
_END_OF_TERM = re.compile(r"""[\w)\]}'"]$""")


def syntax_hint(goal: str, position: int) -> str | None:
    """How `goal`, which has a syntax error at character `position`, was probably meant; None if nobody knows."""
    unquoted = without_quoted(goal)
    if sign := next((sign for sign in _SIGNS if sign in unquoted), None):
        return f"write {_SIGNS[sign]} for {sign}"
    if unquoted.rstrip().endswith("?"):
        return "a goal has no ? at its end: to put a question in English, use ask"
    for called in _NAME_AND_BRACKET.finditer(unquoted):
        name, blanks = called.groups()
        if called.start() <= position < called.end():
            if name[0].isupper():
                return f"{name} begins with a capital letter, so it is a variable: did you mean {name.lower()}?"
            if blanks:
                return f"no blank may stand between {name} and its bracket"
    if constraint := _OF_CONSTRAINTS.match(goal, position):
        return f"{constraint[1]} is of library(clpfd): begin a file of rules with `:- use_module(library(clpfd)).`"
    following, before = _TERM.match(goal, position), goal[:position].rstrip()
    if following and _END_OF_TERM.search(before):
        word = following[1]
        if word in _WRITTEN:
            return f"write {_WRITTEN[word]} for {word}"
        if re.search(r"\bnot$", before):
            return "write \\+ for not"
        stop = " or a full stop" * ("\n" in goal[len(before) : following.start(1)])
        return f"is a comma{stop} missing before {word}?"
    return _bracket_hint(unquoted)


def _bracket_hint(unquoted: str) -> str | None:
    """Which bracket has no partner."""
    opened: list[int] = []
    for place, character in enumerate(unquoted):
        if character in _CLOSING:
            opened.append(place)
        elif character in _CLOSING.values():
            if not opened:
                return f"the {character} at character {place} closes nothing"
            if character != _CLOSING[unquoted[opened[-1]]]:
                break
            opened.pop()
    if not opened:
        return None
    place = opened[-1]
    return f"a closing {_CLOSING[unquoted[place]]} is missing for the {unquoted[place]} at character {place}"
