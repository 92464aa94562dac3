"""Answers in the manner of Prolog's own toplevel, from their JSON form."""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

# Priority of the operators that answers are likely to hold, and that of their left and right arguments at most.
_OPERATORS = {
    "=": (700, 699, 699),
    "-": (500, 500, 499),
    "+": (500, 500, 499),
    "*": (400, 400, 399),
    "/": (400, 400, 399),
    "^": (200, 199, 200),
}
_PLAIN_ATOM = re.compile(r"[a-zß-öø-ÿ][A-Za-z0-9_À-ÖØ-öø-ÿ]*|!|;|\{\}")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def write_answers(answers: Sequence[tuple[Mapping[str, Any], Sequence[str]]], *, more: bool) -> str:
    """`X = ob_1, V = 0.5 ;` lines, one for each answer's bindings and constraints, the last with a full stop.

    No answers are `false.`, an answer that binds nothing is `true`; `more` says so in a comment at the end.
    """
    if not answers:
        return "false.\n"
    lines = [write_answer(bindings, constraints) for bindings, constraints in answers]
    if more:
        return " ;\n".join(lines) + f" ;\n% and more: these are the first {len(lines)}\n"
    return " ;\n".join(lines) + ".\n"


def write_answer(bindings: Mapping[str, Any], constraints: Sequence[str]) -> str:
    """One answer's bindings and constraints, `true` if there are none."""
    bound = [f"{name} = {_argument(value, 699)}" for name, value in bindings.items() if value != {"var": name}]
    return ", ".join([*bound, *constraints]) or "true"


def write_value(value: Any) -> str:
    """Prolog text of one value in the JSON form of answers."""
    return _write(value)[0]


def _write(value: Any) -> tuple[str, int]:
    """Text of a value, and its priority as an argument of an operator."""
    match value:
        case bool() | None:
            raise TypeError(f"answers hold no {value!r}")
        case str():
            return _atom(value), 0
        case float():
            return _float(repr(value)), 1200 if math.copysign(1, value) < 0 else 0  # -0.0, too, has a sign in front
        case int():
            return str(value), 1200 if value < 0 else 0
        case list():
            return f"[{','.join(_argument(item, 999) for item in value)}]", 0
        case {"var": str(name)}:
            return name, 0
        case {"string": str(text)}:
            return f'"{_escape(text, chr(34))}"', 0
        case {"int": str(digits)}:
            return digits, 1200 if digits.startswith("-") else 0
        case {"rational": [numerator, denominator]}:
            return f"{numerator}r{denominator}", 1200
        case {"float": str(special)}:
            return special, 1200 if special.startswith("-") else 0
        case {"functor": str(name), "args": [left, right]} if name in _OPERATORS:
            priority, most_left, most_right = _OPERATORS[name]
            infix = f" {name} " if priority == 700 else name
            return f"{_operand(left, most_left)}{infix}{_operand(right, most_right)}", priority
        case {"functor": str(name), "args": list(arguments)}:
            return f"{_functor(name)}({','.join(_argument(item, 999) for item in arguments)})", 0
    raise TypeError(f"no value of an answer: {value!r}")


def _operand(value: Any, most: int) -> str:
    text, priority = _write(value)
    return f"({text})" if priority > most else text


def _argument(value: Any, most: int) -> str:
    """Numbers and atoms stand bare between commas; operators above `most` go in brackets."""
    text, priority = _write(value)
    return f"({text})" if most < priority < 1200 else text


def _atom(name: str) -> str:
    if name in _OPERATORS:
        return f"({name})"  # bare, it would grow together with the full stop
    return name if _PLAIN_ATOM.fullmatch(name) else f"'{_escape(name, chr(39))}'"


def _functor(name: str) -> str:
    return f"'{name}'" if name in _OPERATORS else _atom(name)


def _escape(text: str, quote: str) -> str:
    escapes = {**_ESCAPES, quote: f"\\{quote}"}
    # Control and format characters would play with the terminal.
    return "".join(
        escapes.get(c) or (f"\\x{ord(c):x}\\" if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") else c)
        for c in text
    )


def _float(text: str) -> str:
    """Python's shortest text of a float, with the `.0` before an exponent that Prolog wants."""
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{mark}{exponent}"
