"""A question, and what it may take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from predinet_prolog.symbolic import limits
from predinet_prolog.symbolic.errors import EnglishError, QuerySyntaxError, SuppositionError
from predinet_prolog.symbolic.precheck import check_goal
from predinet_prolog.symbolic.rules import Rules

Operation = Literal["read", "ask", "ask_each", "english", "suppose"]
"""Of host.pl. What stands beside the goal is, of ask, whether proofs are wanted; of ask_each the pictures, texts of
facts; of english, where it takes the place of the goal, lists of such a text and the questions about it; of suppose the
facts, none where the least changes are wanted."""


class Question(NamedTuple):
    """A goal, checked, and all that its answers depend on."""

    program: str
    rules: tuple[Rules, ...]
    operation: Operation
    goal: str
    limit: int
    seconds: float
    """That the goal may take, of each picture."""
    text: bool
    """Whether answers tell their values as Prolog writes them, too."""
    beside: Any
    """See Operation."""

    @property
    def all_seconds(self) -> float:
        """That all of it may take."""
        match self.operation:
            case "ask_each":
                return limits.LOAD_SECONDS + self.seconds * len(self.beside)
            case "english":  # reading a question and answering it take so long each
                return limits.LOAD_SECONDS + 2 * self.seconds * sum(map(len, self.beside))
        return self.seconds


@dataclass(frozen=True)
class Bounds:
    """What a question gets if it asks for nothing else, and at most.

    time_limit: seconds that a goal may take, unless asked otherwise. answer_limit: answers that a question gets
    at most. text: as a Question has it. Raises ValueError where limits are not positive.
    """

    time_limit: float
    answer_limit: int
    text: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.time_limit < math.inf:
            raise ValueError(f"a time limit is a positive number of seconds, not {self.time_limit}")
        if self.answer_limit < 1:
            raise ValueError(f"a limit is a positive number of answers, not {self.answer_limit}")

    def question(
        self,
        program: str,
        goal: str,
        rules: Sequence[Rules],
        limit: int | None = None,
        time_limit: float | None = None,
        operation: Operation = "ask",
        beside: Any = 0,
    ) -> Question:
        """The question, its texts checked. Raises QuerySyntaxError, SuppositionError, EnglishError, and ValueError for
        limits that are not positive."""
        seconds = self.time_limit if time_limit is None else time_limit
        wanted = min(self.answer_limit if limit is None else limit, self.answer_limit)
        Bounds(seconds, wanted)  # which says what is wrong with them
        check_goal(goal)
        if operation == "suppose":
            for fact in beside:
                _check_fact(fact)
        return Question(program, tuple(rules), operation, goal, wanted, seconds, self.text, beside)

    def in_english(
        self, program: str, pictures: Sequence[tuple[str, Sequence[str]]], rules: Sequence[Rules]
    ) -> Question:
        """What questions in English are put as, of each picture its facts and those about it. Raises EnglishError for
        one that is too long."""
        most = limits.QUESTION_CHARACTERS
        for text in (text for _, texts in pictures for text in texts):
            if len(text) > most:
                raise EnglishError(f"a question has at most {most:,} characters, not {len(text):,}")
        beside = [[facts, *texts] for facts, texts in pictures]
        return self.question(program, "true", rules, operation="english", beside=beside)


def _check_fact(fact: str) -> None:
    if not fact.strip():
        raise SuppositionError("the supposition is empty")
    try:
        check_goal(fact)
    except QuerySyntaxError as error:
        raise SuppositionError(f"{error.fault}, at character {error.position} of the supposition") from None
