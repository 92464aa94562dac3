"""What one worker has been told, and what to tell it next: the engine's and the pool's logic without their pipes."""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple, TypeAlias

from symbolic import limits
from symbolic.errors import QuerySyntaxError, SymbolicError, TimeLimitError, error_from_reply, goal_time_limit
from symbolic.hints import syntax_hint
from symbolic.precheck import check_goal
from symbolic.rules import Rules
from symbolic.wire import dumps, pack


class OutOfTime(Exception):  # noqa: N818  (a signal to the session, which says what ran out of time)
    """The worker was killed, by its own alarm or by its parent, for taking too long."""


class Request(NamedTuple):
    """A message as it goes into the pipe, and the seconds that its reply may take."""

    message: bytes
    seconds: float


# Yields requests, is sent the replies, and returns the answers. OutOfTime is thrown into it in place of a reply.
Dialogue: TypeAlias = Generator[Request, bytes, bytes]


@dataclass(frozen=True, slots=True)
class Question:
    """A goal, checked, and all that its answers depend on."""

    program: str
    rules: tuple[Rules, ...]
    goal: str
    limit: int
    seconds: float
    why: bool

    @property
    def characters(self) -> int:
        """Of the program and the rules."""
        return len(self.program) + sum(len(file.text) for file in self.rules)


@dataclass(frozen=True)
class Bounds:
    """What a question gets if it asks for nothing else, and at most.

    time_limit: seconds that a goal may take, unless asked otherwise. answer_limit: answers that a question gets
    at most. Raises ValueError where they are not positive.
    """

    time_limit: float
    answer_limit: int

    def __post_init__(self) -> None:
        _positive_seconds(self.time_limit)
        _positive_count(self.answer_limit)

    def question(
        self, program: str, goal: str, rules: Sequence[Rules], limit: int | None, time_limit: float | None, why: bool
    ) -> Question:
        """The question, its goal checked. Raises QuerySyntaxError, and ValueError for limits that are not positive."""
        wanted = self.answer_limit if limit is None else min(_positive_count(limit), self.answer_limit)
        seconds = self.time_limit if time_limit is None else _positive_seconds(time_limit)
        check_goal(goal)
        return Question(program, tuple(rules), goal, wanted, seconds, why)


class Session:
    """One worker's memory, seen from outside: the programs it holds, and how many requests it served."""

    def __init__(self) -> None:
        self.requests = 0
        # What the worker has loaded, least recently asked first, and the key it knows it by.
        self._loaded: OrderedDict[tuple[str, tuple[Rules, ...]], str] = OrderedDict()
        self._characters = 0
        self._keys = count()

    def holds(self, question: Question) -> bool:
        """Whether the question's program and rules are loaded."""
        return (question.program, question.rules) in self._loaded

    def spent(self, memory: tuple[int, int]) -> bool:
        """Whether the worker has done enough: it served its share, or has, after a reply, too much `memory`.

        Prolog gives neither functors nor predicates back, so a goal that makes names without end leaves them behind;
        and what an attack took of the address space is missing to the stacks of those who come later.
        """
        size, resident = memory
        return self.requests >= limits.REQUESTS or resident > limits.RESIDENT or size > limits.SIZE

    def ask(self, question: Question, *, seconds: float | None = None, load_seconds: float | None = None) -> Dialogue:
        """The dialogue that ends with the JSON text of the answers; loads what is asked in if need be.

        seconds: what the goal may take; by default the question's own limit. load_seconds: what loading may take; by
        default LOAD_SECONDS. Raises SymbolicErrors.
        """
        if seconds is None:
            seconds = question.seconds
        sources = question.program, question.rules
        key = self._loaded.get(sources)
        if key is None:
            key = yield from self._load(question, limits.LOAD_SECONDS if load_seconds is None else load_seconds)
        self._loaded.move_to_end(sources)
        milliseconds = math.ceil(seconds * 1000)
        message = ["ask", key, question.goal, question.limit, milliseconds, int(question.why)]
        try:
            return (yield from self._exchange(message, seconds, goal_time_limit(seconds)))
        except QuerySyntaxError as error:
            if hint := syntax_hint(question.goal, error.position):
                raise QuerySyntaxError(f"{error.fault}: {hint}", error.position) from None
            raise

    def _load(self, question: Question, seconds: float) -> Generator[Request, bytes, str]:
        """Loads what is asked in, making room for it. Returns its key."""
        late = TimeLimitError(f"the program and its rules took longer than {seconds:g} s to load")
        self._characters += question.characters
        while self._loaded and (
            len(self._loaded) >= limits.LOADED_PROGRAMS or self._characters > limits.LOADED_CHARACTERS
        ):
            (program, rules), oldest = self._loaded.popitem(last=False)
            self._characters -= len(program) + sum(len(file.text) for file in rules)
            yield from self._exchange(["drop", oldest], seconds, late)
        texts = ["program", question.program]
        for file in question.rules:
            texts += [file.name, file.text]
        key = str(next(self._keys))
        try:
            yield from self._exchange(["load", key, texts], seconds, late)
        except SymbolicError:
            self._characters -= question.characters
            raise
        self._loaded[question.program, question.rules] = key
        return key

    def _exchange(self, message: list[object], seconds: float, late: TimeLimitError) -> Dialogue:
        self.requests += 1
        alarm = seconds + min(seconds, limits.WORKER_GRACE)
        try:
            reply = yield Request(pack(dumps([alarm, message])), seconds)
        except OutOfTime:
            raise late from None
        # The answers' text goes on as it is: it may be large, and an event loop may be waiting.
        if reply.startswith(b'{"error":'):
            raise error_from_reply(json.loads(reply)["error"], seconds)
        return reply


def _positive_seconds(seconds: float) -> float:
    if not 0 < seconds < math.inf:
        raise ValueError(f"a time limit is a positive number of seconds, not {seconds}")
    return seconds


def _positive_count(number: int) -> int:
    if number < 1:
        raise ValueError(f"a limit is a positive number of answers, not {number}")
    return number
