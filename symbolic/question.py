"""A question, and what it may take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from predinet_prolog.symbolic.errors import EnglishError, QuerySyntaxError, SuppositionError
from predinet_prolog.symbolic.limits import QUESTION_CHARACTERS
from predinet_prolog.symbolic.precheck import check_goal
from predinet_prolog.symbolic.rules import Rules


@dataclass(frozen=True, slots=True)
class Question:
    """A goal, checked, and all that its answers depend on."""

    program: str
    rules: tuple[Rules, ...]
    goal: str
    limit: int
    seconds: float
    why: bool
    facts: tuple[str, ...] | None = None
    """What is supposed (`Engine.suppose`); empty where the least changes are wanted, None where nothing is supposed."""
    read_only: bool = False
    """Whether the goal is read and not asked."""
    pictures: tuple[str, ...] | None = None
    """Texts of facts, of each of which beside the program it is asked (`Engine.ask_each`); None: of the program."""

    english: tuple[tuple[str, ...], ...] | None = None
    """Of pictures, the text of facts and questions in English, which take the place of the goal
    (`Engine.ask_in_english`)."""

    @property
    def characters(self) -> int:
        """Of the program and the rules."""
        return characters(self.program, self.rules)


def characters(program: str, rules: Sequence[Rules]) -> int:
    """Of a program and its rules."""
    return len(program) + sum(len(file.text) for file in rules)


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
        self,
        program: str,
        goal: str,
        rules: Sequence[Rules],
        limit: int | None,
        time_limit: float | None,
        why: bool = True,
        facts: Sequence[str] | None = None,
    ) -> Question:
        """The question, its texts checked. Raises QuerySyntaxError, SuppositionError, and ValueError for limits that
        are not positive."""
        wanted = self.answer_limit if limit is None else min(_positive_count(limit), self.answer_limit)
        seconds = self.time_limit if time_limit is None else _positive_seconds(time_limit)
        check_goal(goal)
        for fact in facts or ():
            _check_fact(fact)
        return Question(program, tuple(rules), goal, wanted, seconds, why, None if facts is None else tuple(facts))

    def in_english(
        self,
        program: str,
        pictures: Sequence[tuple[str, Sequence[str]]],
        rules: Sequence[Rules],
        time_limit: float | None = None,
    ) -> Question:
        """What questions in English are put as, of each picture its facts and those about it. Raises EnglishError for
        one that is too long, and ValueError for a limit that is not positive."""
        for text in (text for _, texts in pictures for text in texts):
            if len(text) > QUESTION_CHARACTERS:
                raise EnglishError(f"a question has at most {QUESTION_CHARACTERS:,} characters, not {len(text):,}")
        english = tuple((facts, *texts) for facts, texts in pictures)
        return replace(self.question(program, "true", rules, None, time_limit, why=False), english=english)


def _check_fact(fact: str) -> None:
    if not fact.strip():
        raise SuppositionError("the supposition is empty")
    try:
        check_goal(fact)
    except QuerySyntaxError as error:
        raise SuppositionError(f"{error.fault}, at character {error.position} of the supposition") from None


def _positive_seconds(seconds: float) -> float:
    if not 0 < seconds < math.inf:
        raise ValueError(f"a time limit is a positive number of seconds, not {seconds}")
    return seconds


def _positive_count(number: int) -> int:
    if number < 1:
        raise ValueError(f"a limit is a positive number of answers, not {number}")
    return number
