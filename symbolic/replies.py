"""What workers reply: dataclasses, and exceptions that say what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, cast

from predinet_prolog.lazily import lazily
from predinet_prolog.symbolic import errors
from predinet_prolog.symbolic.rules import defining_theories, missing_advice

difflib = lazily("difflib")  # for what is misspelt

T = TypeVar("T", bound="Told")
_FIELDS = {"found": "result"}
"""Of JSON's keys, the fields that are called otherwise."""
_KEYS = {name: key for key, name in _FIELDS.items()}
_NUMBERED = re.compile(r"r\d+/3")  # a program has many of these, and they are all alike
_USUAL = ("object", "same", "same_shape", "same_colour", "colour", "category", "left_of", "above", "larger", "inside")
# Names that are compared with an unknown one: those of strangers' rules could be many and long, and each pair takes
# time that goes with the product of the lengths.
_COMPARED = 50
_LISTED = 12
_COMPARED_CHARACTERS = 25


class Told:
    """A dataclass that is told as JSON."""

    parts: ClassVar[Mapping[str, Callable[[], type[Told]]]] = MappingProxyType({})
    """Of fields that hold such dataclasses, one or many, which: loaded for what is told."""

    @classmethod
    def from_json(cls: type[T], json: Mapping[str, Any]) -> T:
        """What `to_json` gives."""
        return cls(**{_FIELDS.get(key, key): _value(value, cls.parts.get(key)) for key, value in json.items()})

    def to_json(self) -> dict[str, Any]:
        """The fields, but for those that are empty and need not be given."""
        values = [(field, getattr(self, field.name)) for field in fields(cast(Any, self))]
        kept = ((field.name, value) for field, value in values if field.default is MISSING or value not in (None, ()))
        return {_KEYS.get(name, name): _json(value) for name, value in kept}


def _value(json: Any, part: Callable[[], type[Told]] | None) -> Any:
    """What a field holds, JSON's arrays being tuples."""
    if isinstance(json, list):
        return tuple(_value(element, part) for element in json)
    return part().from_json(json) if part and json is not None else json


def _json(value: object) -> object:
    match value:
        case Told():
            return value.to_json()
        case tuple():
            return [_json(element) for element in value]
    return value


def error_from_reply(reply: Mapping[str, Any], time_limit: float) -> errors.SymbolicError:
    """The exception for what a worker reported (see `error_reply/3` in host.pl)."""
    kind, message, recursive = str(reply["kind"]), str(reply.get("message", "")), str(reply.get("recursive", ""))
    hints = "".join(f"; {hint}" for hint in reply.get("hints", ()))
    match reply:
        case {"kind": "query_syntax", "position": int(position)}:
            return errors.QuerySyntaxError(message, position)
        case {"kind": "unknown_predicate", "predicate": str(predicate), "known": list(names), "more": int(more)}:
            theory, defined = defining_theories().get(predicate), [str(pi) for pi in names]
            advice = f"the rules {theory} define it" if theory else _suggestion(predicate, defined, more)
            return errors.UnknownPredicateError(predicate, defined, advice, theory, reply.get("at", ""))
        case {"kind": "unknown_object", "name": str(name), "objects": list(objects), "zones": list(zones)}:
            return errors.UnknownObjectError(name, [*map(str, objects)], [*map(str, zones)])
        case {"kind": "forbidden", "name": str(name), "line": int(line)}:
            return errors.ForbiddenError(f"{name}:{line}: {message}")
        case {"kind": "forbidden" | "loads"}:
            return errors.ForbiddenError(message, loads=kind == "loads")
        case {"kind": "question"}:
            return errors.EnglishError(message)
        case {"kind": "supposition"}:
            return errors.SuppositionError(message)
        case {"kind": "answer_too_large"}:
            return errors.AnswerTooLargeError(message)
        case {"kind": "program", "name": str(name), "line": int(line)}:
            return errors.ProgramError(message, name, line, reply.get("position"))
        case {"kind": "time_limit"}:
            return goal_time_limit(time_limit, recursive, hints)
        case {"kind": "prolog", "term": str(term)}:
            message += f"; {_tabling(recursive)}" * bool(recursive)
            return errors.PrologError(message + hints, term)
    raise AssertionError(f"host.pl reported an error of the unknown kind {kind!r}")


def out_of_memory() -> errors.PrologError:
    """The goal broke its process twice, as goals do that fill the memory faster than Prolog looks after it."""
    return errors.PrologError(
        "the goal broke its process: it needs more memory than a query may have", "resource_error"
    )


def goal_time_limit(seconds: float, recursive: str = "", hints: str = "") -> errors.TimeLimitError:
    """The goal ran out of its `seconds`. `recursive`: a predicate that calls itself and may do so without end; `hints`:
    what else may be amiss."""
    cure = _tabling(recursive) if recursive else "ask for fewer answers, or something narrower"
    return errors.TimeLimitError(f"the query took longer than its time limit of {seconds:g} s: {cure}{hints}")


def _tabling(predicate: str) -> str:
    return f"{predicate} calls itself, perhaps without end: put `:- table {predicate}.` before its clauses"


def _suggestion(predicate: str, names: Sequence[str], more: int) -> str:
    """Of those that the program and the rules define, `names` are told, and there are `more`."""
    for (name, missing), advice in missing_advice().items():
        if missing == predicate and any(defining_theories().get(pi) == name for pi in names):
            return advice
    if not names:
        return "the program and the rules define nothing"
    name, _, arity = predicate.rpartition("/")
    close = {name, *_close_names(name, {pi.rpartition("/")[0] for pi in names})}
    similar = sorted(
        (pi for pi in names if pi.rpartition("/")[0] in close), key=lambda pi: not pi.endswith(f"/{arity}")
    )
    if similar:
        return f"did you mean {' or '.join(similar)}?"
    rest = " and more" * (more > 0 or len(names) > _LISTED)
    return f"the program and the rules define {', '.join(_told(names)[:_LISTED])}{rest}"


def _close_names(name: str, names: Iterable[str]) -> list[str]:
    """The three of `names`, at most, that `name` is likely to be a misspelling of."""
    if len(name) > _COMPARED_CHARACTERS:
        return []
    short = [other for other in names if len(other) <= _COMPARED_CHARACTERS]
    likely = sorted(short, key=lambda other: (abs(len(other) - len(name)), other))[:_COMPARED]
    return list(difflib.get_close_matches(name, likely, n=3, cutoff=0.7))  # shape is no same


def _told(names: Sequence[str]) -> list[str]:
    """The names, the usual first, then those of few arguments; of the relations the first and the last."""
    relations = sorted(filter(_NUMBERED.fullmatch, names), key=lambda pi: (len(pi), pi))
    rest = [pi for pi in names if pi not in relations]
    ends = [" ... ".join(dict.fromkeys((relations[0], relations[-1])))] if relations else []
    usual = [pi for name in _USUAL for pi in rest if pi.startswith(f"{name}/")]
    return usual + sorted({*rest, *ends} - {*usual}, key=lambda pi: (int(pi.rpartition("/")[2]) > 2, pi))
