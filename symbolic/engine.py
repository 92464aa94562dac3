"""Asking Prolog: a program, hand-written rules and a goal go in, answers as JSON come out."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from predinet_prolog.lazily import lazily
from predinet_prolog.symbolic.answers import Answers, EachAnswers, LeastChanges, Supposition
from predinet_prolog.symbolic.errors import ProgramError, PrologError, SymbolicError, TimeLimitError, WorkerError
from predinet_prolog.symbolic.question import Bounds, Question
from predinet_prolog.symbolic.rules import Rules
from predinet_prolog.symbolic.worker import Worker

if TYPE_CHECKING:
    from predinet_prolog.symbolic.english import Replied

english = lazily("predinet_prolog.symbolic.english")  # a goal of Prolog needs none


class Engine(AbstractContextManager["Engine"]):
    """SWI-Prolog in a process of its own, for the questions of strangers.

        with Engine() as engine:
            answers = engine.ask("object(ob_0). object(ob_1).", "object(X)")

    Making an Engine costs nothing: the first question starts the worker (about 0.1 s), and so does the first one after
    a worker died, was killed at its time limit, or has served its share. Programs stay loaded, the last
    few of them, so asking one again is cheap. An Engine may be shared by threads: questions wait for each other.

    time_limit: seconds that a goal may take, unless asked otherwise. Loading has a limit of its own (limits.py).
    answer_limit: answers that a question gets at most.
    text: whether answers tell their values as Prolog writes them, too.
    trust: whether goals and rules may call whatever Prolog has, with nothing looked at before it runs. They still run
        in that process: without files to write, in bounded memory; a time limit they can catch ends the process.
    base: a compiled program, PROGRAM.qlf, to which every program that is asked belongs, of any size. It is loaded as
        `swipl PROGRAM.qlf` loads it: a directive in it runs, with the user's own rights.
    """

    def __init__(
        self,
        *,
        time_limit: float = 1.0,
        answer_limit: int = 1000,
        text: bool = False,
        trust: bool = False,
        base: Path | None = None,
    ) -> None:
        self._bounds = Bounds(time_limit, answer_limit, text)
        self._worker = Worker(trust=trust, base=base, checks=False)
        self._starter: threading.Thread | None = None

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the worker. The engine can be asked again afterwards, and then starts another one.

        A question that another thread is waiting for gets a WorkerError.
        """
        if self._starter is not None:
            self._starter.join()
            self._starter = None
        self._worker.close()

    def start(self) -> None:
        """Begins to start the worker if there is none, and does not wait for it: for who has a question soon. If it
        cannot start, the question tells why."""
        if self._starter is None or not self._starter.is_alive():
            self._starter = threading.Thread(target=self._start, daemon=True)
            self._starter.start()

    def ask(
        self,
        program: str,
        goal: str,
        *,
        rules: Sequence[Rules] = (),
        limit: int | None = None,
        time_limit: float | None = None,
        why: bool = False,
    ) -> Answers:
        """The answers of `goal` in `program` with `rules`.

        program: facts and clauses, no directives.
        goal: one Prolog term, at most 4,096 characters; a full stop at its end is accepted.
        limit: how many answers are wanted; never more than the engine's answer limit.
        time_limit: seconds that the goal may take; the engine's by default.
        why: whether each answer comes with its proof.

        Raises one of the SymbolicErrors of errors.py, and ValueError for limits that are not positive.
        """
        question = self._bounds.question(program, goal, rules, limit, time_limit, "ask", int(why))
        return Answers.from_json(self._put(question))

    def ask_each(
        self, program: str, pictures: Sequence[str], goal: str, *, rules: Sequence[Rules] = (), limit: int | None = None
    ) -> EachAnswers:
        """The answers of `goal` in `program` with `rules` and the facts of each of `pictures` in turn: a text of facts
        of predicates that the program has, those without any as `HEAD :- fail.`

        All are loaded and asked in one go, for which a picture costs a small part of what `ask` takes. Without pictures
        the goal is looked at alone. Each picture has the engine's time. A name of an object that one lacks is no error.
        The others are as in `ask`, and so is what is raised for a goal or rules that no picture can be asked; what goes
        wrong in one of them stands in its place.
        """
        question = self._bounds.question(program, goal, rules, limit, operation="ask_each", beside=[*pictures])
        try:
            return EachAnswers.from_reply(self._put(question), question.seconds)
        except (TimeLimitError, WorkerError, PrologError, ProgramError) as error:
            if not pictures or (isinstance(error, ProgramError) and error.name != "program"):
                raise
            if len(pictures) == 1:
                return EachAnswers((error,))
            alone = partial(self.ask_each, program, goal=goal, rules=rules, limit=limit)
            return EachAnswers.joined([alone((picture,)) for picture in pictures])  # whose fault it was

    def ask_in_english(
        self, program: str, pictures: Sequence[tuple[str, Sequence[str]]], *, rules: Sequence[Rules] = ()
    ) -> list[list[Replied | SymbolicError]]:
        """What questions in English get, of each of `pictures` those that are asked of it: its facts, as in `ask_each`,
        and they; an empty text where the program is asked as it is.

        rules: with the English of the program's vocabulary among them. A fault of one question stands in its place;
            that of the only one is raised.
        """
        question = self._bounds.in_english(program, pictures, rules)
        return list(english.replied(self._worker.ask(question), question))

    def read(self, program: str, goal: str, rules: Sequence[Rules] = ()) -> None:
        """Raises QuerySyntaxError if `goal` is not exactly one term as `ask` would read it. It may be one that `ask`
        refuses, a rule for instance. The others are as in `ask`, and so is what else is raised."""
        self._put(self._bounds.question(program, goal, rules, operation="read"))

    def suppose(
        self, program: str, facts: Sequence[str], goal: str, *, rules: Sequence[Rules] = (), limit: int | None = None
    ) -> Supposition:
        """What the answers of `goal` are and what they would be if the `facts` were true, these with proofs.

        facts: one at least, each `same(X, Y)` or `same_A(X, Y)`, A being an attribute that the program speaks of, a
            negation of that, or several with commas between. looks.pl tells what changes with them.
        The others are as in `ask`, and so is what is raised; and SuppositionError.
        """
        if not facts:
            raise ValueError("nothing is supposed: ask least_changes")
        question = self._bounds.question(program, goal, rules, limit, operation="suppose", beside=[*facts])
        return Supposition.from_json(self._put(question))

    def least_changes(
        self, program: str, goal: str, *, rules: Sequence[Rules] = (), limit: int | None = None
    ) -> LeastChanges:
        """The fewest changes of how objects look, two at most, that would give `goal` an answer, or take all away if it
        has any: the first `limit` ways. The others are as in `ask`, and so is what is raised; and SuppositionError."""
        question = self._bounds.question(program, goal, rules, limit, operation="suppose", beside=[])
        return LeastChanges.from_json(self._put(question))

    def _put(self, question: Question) -> Any:
        return json.loads(self._worker.ask(question))

    def _start(self) -> None:
        with suppress(SymbolicError, OSError):
            self._worker.start()
