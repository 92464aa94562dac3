"""What can go wrong between a question and its answers."""

import re
from collections.abc import Iterable, Sequence

_NUMBERED = re.compile(r"r\d+/3")  # a program has many of these, and they are all alike
# Names that are compared with an unknown one: those of strangers' rules could be many and long, and each pair takes
# time that goes with the product of the lengths.
_COMPARED = 50
_COMPARED_CHARACTERS = 25


class SymbolicError(Exception):
    """Base of everything that this package raises on bad input or bad luck. Its text is one clear line."""

    kind = "symbolic"

    def __reduce__(self) -> tuple[object, ...]:
        """Goes from one process to another as it is: what it was made of, it need not keep."""
        return _remade, (type(self), self.args), self.__dict__

    def to_json(self) -> dict[str, dict[str, str | int]]:
        """`{"error": {"kind": ..., "message": ...}}`, with `"position"` where the error has one."""
        return {"error": {"kind": self.kind, "message": str(self)}}


def _remade(cls: type[SymbolicError], arguments: tuple[object, ...]) -> SymbolicError:
    return cls.__new__(cls, *arguments)


class QuerySyntaxError(SymbolicError):
    """The goal is not exactly one Prolog term. `position` counts characters of the goal as given, from 0."""

    kind = "syntax"

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at character {position} of the query)")
        self.fault = message
        self.position = position

    def to_json(self) -> dict[str, dict[str, str | int]]:
        return {"error": {"kind": self.kind, "message": str(self), "position": self.position}}


class UnknownPredicateError(SymbolicError):
    """Neither the program nor the rules define `predicate` ("name/arity"). `known` are those that they define;
    there are `more` of them: the list leaves some out if there are very many.

    theory: the name of the theory that defines the predicate, if one does.
    """

    kind = "unknown_predicate"

    def __init__(self, predicate: str, defined: Sequence[str], more: int = 0) -> None:
        from predinet_prolog.symbolic.rules import defining_theories  # not at the top: workers have no use for it

        self.theory = defining_theories().get(predicate)
        what = f"the rules {self.theory} define it" if self.theory else _suggestion(predicate, defined, more)
        super().__init__(f"unknown predicate {predicate}: {what}")
        self.predicate = predicate
        self.known = tuple(defined)


class UnknownObjectError(SymbolicError):
    """The goal names an object, `name`, that the program does not have; `objects` are those it has, in its order."""

    kind = "unknown_object"

    def __init__(self, name: str, objects: Sequence[str]) -> None:
        there = ", ".join(objects) if len(objects) <= 2 else f"{objects[0]} … {objects[-1]}"
        super().__init__(f"no object {name}: there {'is' if len(objects) == 1 else 'are'} {there}")
        self.name = name
        self.objects = tuple(objects)


class EnglishError(SymbolicError):
    """What was asked in English is no question of a kind that is read, has a word that nothing means, or takes for
    granted what is not so."""

    kind = "question"


class SuppositionError(SymbolicError):
    """What is supposed is no fact of how things look, contradicts itself, or says nothing of what is asked."""

    kind = "supposition"


class ForbiddenError(SymbolicError):
    """The goal or a rule reaches for something that is not allowed; the message says what is.

    loads: the goal was to load a file.
    """

    kind = "forbidden"

    def __init__(self, message: str, *, loads: bool = False) -> None:
        super().__init__(message)
        self.loads = loads


class ProgramError(SymbolicError):
    """The program or a rule file cannot be loaded: `name` is "program" or the rules' name, `line` counts from 1."""

    kind = "program"

    def __init__(self, message: str, name: str, line: int) -> None:
        super().__init__(f"{name}:{line}: {message}")
        self.fault = message
        self.name = name
        self.line = line


class TimeLimitError(SymbolicError):
    """The goal took longer than its time limit, or the loading longer than its own."""

    kind = "time_limit"


class AnswerTooLargeError(SymbolicError):
    """The answers are too large to be written, nested too deep, or infinite (cyclic)."""

    kind = "answer_too_large"


class PrologError(SymbolicError):
    """The goal threw an exception, for instance a type error. `term` is its term as text."""

    kind = "prolog"

    def __init__(self, message: str, term: str) -> None:
        super().__init__(f"{message} [{term}]")
        self.term = term


class WorkerError(SymbolicError):
    """The Prolog process died or could not start. Another one is started for the next question."""

    kind = "worker"


class TryLaterError(SymbolicError):
    """Not now. `retry_after`: whole seconds, 1 at least."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(f"{message}: try again in {retry_after} s")
        self.retry_after = retry_after


class OverloadedError(TryLaterError):
    """Too many questions wait, or this one has waited too long."""

    kind = "overloaded"


class ClientLimitError(TryLaterError):
    """One client asks too much at once."""

    kind = "client_limit"


class SwiPrologMissingError(SymbolicError):
    """SWI-Prolog is absent or too old; the message says how to install it."""

    kind = "swi_prolog_missing"


def error_from_reply(reply: dict[str, object], time_limit: float) -> SymbolicError:
    """The exception for what a worker reported (see `error_reply/3` in host.pl)."""
    kind = reply["kind"]
    message = str(reply.get("message", ""))
    match reply:
        case {"kind": "query_syntax", "position": int(position)}:
            return QuerySyntaxError(message, position)
        case {"kind": "unknown_predicate", "predicate": str(predicate), "known": list(names), "more": int(more)}:
            return UnknownPredicateError(predicate, [str(pi) for pi in names], more)
        case {"kind": "unknown_object", "name": str(name), "objects": list(objects)}:
            return UnknownObjectError(name, [str(name_of) for name_of in objects])
        case {"kind": "forbidden", "name": str(name), "line": int(line)}:
            return ForbiddenError(f"{name}:{line}: {message}")
        case {"kind": "forbidden" | "loads"}:
            return ForbiddenError(message, loads=kind == "loads")
        case {"kind": "question"}:
            return EnglishError(message)
        case {"kind": "supposition"}:
            return SuppositionError(message)
        case {"kind": "program", "name": str(name), "line": int(line)}:
            return ProgramError(message, name, line)
        case {"kind": "time_limit", "recursive": str(predicate)}:
            return goal_time_limit(time_limit, predicate)
        case {"kind": "time_limit"}:
            return goal_time_limit(time_limit)
        case {"kind": "answer_too_large"}:
            return AnswerTooLargeError(message)
        case {"kind": "prolog", "term": str(term), "recursive": str(predicate)}:
            return PrologError(f"{message}; {_tabling(predicate)}", term)
        case {"kind": "prolog", "term": str(term)}:
            return PrologError(message, term)
    raise AssertionError(f"host.pl reported an error of the unknown kind {kind!r}")


def out_of_memory() -> PrologError:
    """The goal broke its process twice, as goals do that fill the memory faster than Prolog looks after it."""
    return PrologError("the goal broke its process: it needs more memory than a query may have", "resource_error")


def goal_time_limit(seconds: float, recursive: str | None = None) -> TimeLimitError:
    """The goal ran out of its `seconds`. `recursive`: a predicate that calls itself and may do so without end."""
    cure = _tabling(recursive) if recursive else "ask for fewer answers, or something narrower"
    return TimeLimitError(f"the query took longer than its time limit of {seconds:g} s: {cure}")


def _tabling(predicate: str) -> str:
    return f"{predicate} calls itself, perhaps without end: put `:- table {predicate}.` before its clauses"


def _suggestion(predicate: str, names: Sequence[str], more: int) -> str:
    from predinet_prolog.symbolic.rules import defining_theories, missing_advice

    for (name, missing), advice in missing_advice().items():
        if missing == predicate and any(defining_theories().get(pi) == name for pi in names):
            return advice
    if not names:
        return "the program and the rules define nothing"
    name = predicate.rpartition("/")[0]
    close = {name, *_close_names(name, {pi.rpartition("/")[0] for pi in names})}
    similar = [pi for pi in names if pi.rpartition("/")[0] in close]
    if similar:
        return f"did you mean {' or '.join(similar)}?"
    return f"the program and the rules define {', '.join(_told(names))}{f' and {more:,} more' if more else ''}"


def _close_names(name: str, names: Iterable[str]) -> list[str]:
    """The three of `names`, at most, that `name` is likely to be a misspelling of."""
    import difflib

    if len(name) > _COMPARED_CHARACTERS:
        return []
    short = [other for other in names if len(other) <= _COMPARED_CHARACTERS]
    likely = sorted(short, key=lambda other: (abs(len(other) - len(name)), other))[:_COMPARED]
    return difflib.get_close_matches(name, likely, n=3)


def _told(names: Sequence[str]) -> list[str]:
    """The names, those of few arguments first, in alphabetical order; of the relations the first and the last."""
    relations = sorted((pi for pi in names if _NUMBERED.fullmatch(pi)), key=lambda pi: (len(pi), pi))
    rest = [pi for pi in names if not _NUMBERED.fullmatch(pi)]
    ends = [" ... ".join(dict.fromkeys((relations[0], relations[-1])))] if relations else []
    return sorted(rest + ends, key=lambda pi: (int(pi.rpartition("/")[2]) > 2, pi))
