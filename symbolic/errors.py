"""What can go wrong between a question and its answers."""

from collections.abc import Sequence


class SymbolicError(Exception):
    """Base of everything that this package raises on bad input or bad luck. Its text is one clear line."""

    def __reduce__(self) -> tuple[object, ...]:
        """Goes from one process to another as it is: what it was made of, it need not keep."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class QuerySyntaxError(SymbolicError):
    """The goal is not exactly one Prolog term. `position` counts characters of the goal as given, from 0."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at character {position} of the query)")
        self.fault = message
        self.position = position


class UnknownPredicateError(SymbolicError):
    """Neither the program nor the rules define `predicate` ("name/arity"). `known` are those that they define, or some
    of very many. advice: what to do. theory: the one that defines it, if one does. at: file and line of a rule's call.
    """

    def __init__(self, predicate: str, names: Sequence[str], advice: str, theory: str | None, at: str) -> None:
        self.fault = f"{at and f'{at}: '}unknown predicate {predicate}"
        super().__init__(f"{self.fault}: {advice}")
        self.predicate = predicate
        self.known = tuple(names)
        self.theory = theory


class UnknownObjectError(SymbolicError):
    """The goal names an object, `name`, that the program has not: it has `objects`, in its order, and `zones`."""

    def __init__(self, name: str, objects: Sequence[str], zones: Sequence[str] = ()) -> None:
        there = ", ".join(objects) or "none" if len(objects) <= 2 else f"{objects[0]} … {objects[-1]}"
        parts = f", and the zone{'s' * (len(zones) > 1)} {', '.join(zones)}" if zones else ""
        super().__init__(f"no object {name}: there {'is' if len(objects) == 1 else 'are'} {there}{parts}")
        self.name = name
        self.objects = tuple(objects)


class EnglishError(SymbolicError):
    """What was asked in English is no question of a kind that is read, has a word that nothing means, or takes for
    granted what is not so."""

    def __init__(self, message: str, word: str | None = None) -> None:
        super().__init__(message)
        self.word = word
        """The one that nothing means; None: it is not that."""


class SuppositionError(SymbolicError):
    """What is supposed is no fact of how things look, contradicts itself, or says nothing of what is asked."""


class ForbiddenError(SymbolicError):
    """The goal or a rule reaches for something that is not allowed; the message says what is.

    loads: the goal was to load a file.
    """

    def __init__(self, message: str, *, loads: bool = False) -> None:
        super().__init__(message)
        self.loads = loads


class ProgramError(SymbolicError):
    """The program or a rule file cannot be loaded: `name` is "program" or the rules' name, `line` counts from 1, and
    `position`, of what cannot be read, characters of the text, from 0."""

    def __init__(self, message: str, name: str, line: int, position: int | None = None) -> None:
        super().__init__(f"{name}:{line}: {message}")
        self.fault = message
        self.name = name
        self.line = line
        self.position = position


class TimeLimitError(SymbolicError):
    """The goal took longer than its time limit, or the loading longer than its own."""


class AnswerTooLargeError(SymbolicError):
    """The answers are too large to be written, nested too deep, or infinite (cyclic)."""


class PrologError(SymbolicError):
    """The goal threw an exception, for instance a type error. `term` is its term as text."""

    def __init__(self, message: str, term: str) -> None:
        super().__init__(f"{message} [{term}]")
        self.term = term


class WorkerError(SymbolicError):
    """The Prolog process died or could not start. Another one is started for the next question."""


class TryLaterError(SymbolicError):
    """Not now. `retry_after`: whole seconds, 1 at least."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(f"{message}: try again in {retry_after} s")
        self.retry_after = retry_after


class OverloadedError(TryLaterError):
    """Too many questions wait, or this one has waited too long."""


class ClientLimitError(TryLaterError):
    """One client asks too much at once."""


class SwiPrologMissingError(SymbolicError):
    """SWI-Prolog is absent or too old; the message says how to install it."""
