"""Answers in the manner of Prolog's own toplevel, from their JSON form."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from predinet_prolog.quoting.prolog import quoted

# SWI-Prolog's own operators; other compounds are written as f(X). Of each its priority, and the most that its
# arguments may have.
_INFIX = {
    **dict.fromkeys((":-", "-->", "=>"), (1200, 1199, 1199)),
    ";": (1100, 1099, 1100),
    **dict.fromkeys(("->", "*->"), (1050, 1049, 1050)),
    ",": (1000, 999, 1000),
    ":=": (800, 799, 799),
    **dict.fromkeys(("=", "\\=", "==", "\\==", "=@=", "\\=@=", "=..", "is", "as", ":<", ">:<"), (700, 699, 699)),
    **dict.fromkeys(("<", "=<", ">", ">=", "=:=", "=\\=", "@<", "@=<", "@>", "@>="), (700, 699, 699)),
    ":": (600, 599, 600),
    **dict.fromkeys(("+", "-", "/\\", "\\/"), (500, 500, 499)),
    **dict.fromkeys(("*", "/", "//", "<<", ">>", "div", "mod", "rdiv", "rem", "xor"), (400, 400, 399)),
    "**": (200, 199, 199),
    "^": (200, 199, 200),
}
_PREFIX = {
    **dict.fromkeys((":-", "?-"), (1200, 1199)),
    **dict.fromkeys(
        ("discontiguous", "dynamic", "initialization", "meta_predicate", "module_transparent"), (1150, 1149)
    ),
    **dict.fromkeys(
        ("multifile", "public", "table", "thread_initialization", "thread_local", "volatile"), (1150, 1149)
    ),
    "\\+": (900, 900),
    **dict.fromkeys(("+", "-", "\\"), (200, 200)),
}
_OTHERS = ("|", ".", "$")
"""Operators never written as such: what they are read as is not what they look like."""
_SIGNED = 1201
"""Priority of numbers with a sign or a fraction: in brackets beside any operator, and nowhere else."""
_SPECIAL = {"inf": "1.0Inf", "-inf": "-1.0Inf", "nan": "1.5NaN"}
_SYMBOLS = frozenset("-+*/\\^<>=~:.?@#&$")
"""Characters of which Prolog makes one name as long as they follow each other."""
_PLAIN_ATOM = re.compile(r"[a-zß-öø-ÿ][A-Za-z0-9_À-ÖØ-öø-ÿ]*|!|;|\{\}")


def write_answers(answers: Sequence[tuple[Mapping[str, Any], Sequence[str]]], *, more: bool) -> str:
    """`X = ob_1, V = 0.5 ;` lines, one for each answer's bindings and constraints, the last with a full stop.

    No answers are `false.`, an answer that binds nothing is `true`; `more` says so in a comment at the end.
    """
    if not answers:
        return "false.\n"
    lines = [write_answer(bindings, constraints) for bindings, constraints in answers]
    if more:
        return " ;\n".join(lines) + f" ;\n{more_than(len(lines))}"
    return " ;\n".join(lines) + ".\n"


def more_than(count: int) -> str:
    """The comment that says that there are more answers than `count`."""
    return f"% and more: {'this is the first' if count == 1 else f'these are the first {count}'}\n"


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
            return _float(repr(value)), _SIGNED if math.copysign(1, value) < 0 else 0  # -0.0, too, has a sign in front
        case int():
            return str(value), _SIGNED if value < 0 else 0
        case list():
            return f"[{','.join(map(_item, value))}]", 0
        case {"var": str(name)}:
            return name, 0
        case {"string": str(text)}:
            return quoted(text, '"'), 0
        case {"int": str(digits)}:
            return digits, _SIGNED if digits.startswith("-") else 0
        case {"rational": [numerator, denominator]}:
            return f"{numerator}r{denominator}", _SIGNED
        case {"float": str(special)}:
            return _SPECIAL[special], _SIGNED if special.startswith("-") else 0
        case {"functor": str(name), "args": list(arguments)}:
            return _compound(name, arguments)
        case {"functor": [], "args": list(arguments)}:
            return f"[]({','.join(map(_item, arguments))})", 0
    raise TypeError(f"no value of an answer: {value!r}")


def _compound(name: str, arguments: Sequence[Any]) -> tuple[str, int]:
    match arguments:
        case [_, _] if name == "[|]":
            return _partial_list(arguments), 0
        case [left, right] if name in _INFIX:
            priority, most_left, most_right = _INFIX[name]
            start, end = _operand(left, most_left), _operand(right, most_right)
            if name != "," and (priority >= 700 or name.isalpha()):
                return f"{start} {name} {end}", priority
            return f"{start}{name}{_apart(name, end)}", priority
        case [one] if name in _PREFIX:
            priority, most = _PREFIX[name]
            text, binding = _write(one)
            # Before a bracket the name would be a functor's, before a brace a dict's, and before a digit a sign.
            if binding <= most and text[0] not in "({" and not text[0].isdigit():
                return f"{name}{' ' if name.isidentifier() else ''}{_apart(name, text)}", priority
        case [inside] if name == "{}":
            return f"{{{_argument(inside, 1200)}}}", 0
    return f"{_name(name)}({','.join(map(_item, arguments))})", 0


def _partial_list(arguments: Sequence[Any]) -> str:
    items = []
    tail: Any = {"functor": "[|]", "args": arguments}
    while isinstance(tail, Mapping) and tail.get("functor") == "[|]" and len(tail["args"]) == 2:
        item, tail = tail["args"]
        items.append(_item(item))
    return f"[{','.join(items)}|{_item(tail)}]"


def _apart(name: str, text: str) -> str:
    """`text` behind an operator's name, with a space where the two would be read as one name."""
    return f" {text}" if name[-1] in _SYMBOLS and text[0] in _SYMBOLS else text


def _operand(value: Any, most: int) -> str:
    text, priority = _write(value)
    return f"({text})" if priority > most else text


def _argument(value: Any, most: int) -> str:
    """Numbers and atoms stand bare between commas; operators above `most` go in brackets."""
    text, priority = _write(value)
    return f"({text})" if most < priority < _SIGNED else text


def _item(value: Any) -> str:
    """Between commas stands a name bare even if it is an operator's."""
    return _name(value) if isinstance(value, str) else _argument(value, 999)


def _atom(name: str) -> str:
    # Bare, an operator's name would take its neighbours for operands, or grow together with the full stop.
    return f"({_name(name)})" if name in _INFIX or name in _PREFIX or name in _OTHERS else _name(name)


def _name(name: str) -> str:
    if (name in _INFIX and name != ",") or name in _PREFIX or _PLAIN_ATOM.fullmatch(name):
        return name
    return quoted(name, "'")


def _float(text: str) -> str:
    """Python's shortest text of a float, with the `.0` before an exponent that Prolog wants."""
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{mark}{exponent}"
