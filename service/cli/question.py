"""What `query`, `ask`, `why` and `suppose` are given alike, and how their errors are told."""

import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from predinet_prolog.service.cli.console import emit, note
from predinet_prolog.service.cli.options import (
    ASKED,
    Source,
    check_source,
    clauses_option,
    goal_argument,
    json_option,
    looks_option,
    open_rules,
    open_source,
    rules_option,
    settings,
    source_argument,
    suiting_model_option,
    timeout_option,
    trust_option,
)
from predinet_prolog.service.cli.things import Things, things_options
from predinet_prolog.service.errors import UsageError
from predinet_prolog.symbolic import (
    Answers,
    Engine,
    ForbiddenError,
    LeastChanges,
    ProgramError,
    QuerySyntaxError,
    Replied,
    Rules,
    Supposition,
    TimeLimitError,
)

if TYPE_CHECKING:
    from predinet_prolog.service.probability import Odds

T = TypeVar("T", bound="Answers | LeastChanges | Odds | Replied | Supposition")


@dataclass(frozen=True)
class Question:
    """What `query`, `ask`, `why` and `suppose` are given alike."""

    source: Path
    goal: str
    rules: Sequence[str]
    clauses: Sequence[str]
    timeout: float | None
    model: str | None
    looks: int | None
    things: Things
    as_json: bool
    trust: bool

    def ask(
        self, *, most: int | None = None, limit: int | None = None, why: bool = False, output: Path | None = None
    ) -> "tuple[Source, Answers]":
        """The answers, and what was asked; says beside them what the goal may have been meant to say.

        most: the engine's limit of answers, None for that of the settings. limit: of this question's.
        output: the picture that is wanted of them.
        """
        if output is not None and self.source.suffix in ASKED:
            raise UsageError(
                f"{self.source} is a program, without a picture to draw into: name the image, or leave out -o"
            )
        return self.put(
            lambda engine, asked, goal, rules: engine.ask(asked.program, goal, rules=rules, limit=limit, why=why),
            most=most,
        )

    def put(
        self, ask: "Callable[[Engine, Source, str, list[Rules]], T]", *, most: int | None = None, whole: bool = False
    ) -> "tuple[Source, T]":
        """What `ask` is told by the engine of what is asked about, a goal and its rules, and what was asked; says
        beside it what the goal may have been meant to say.

        most: as in `ask`. whole: whether more than the goal's own words may be asked for.
        """
        names = {"time_limit": "--timeout", "answer_limit": "--limit"}
        chosen = settings(names, time_limit=self.timeout, answer_limit=most)
        extra = open_rules(self.rules, self.clauses)
        check_source(self.source, self.goal, self.model, self.looks, self.things)
        engine = Engine(time_limit=chosen.time_limit, answer_limit=chosen.answer_limit, trust=self.trust)
        with telling_where(self.source, self.goal), engine:
            engine.start()  # while the image is looked at
            question = " ".join([self.goal, *(part.text for part in extra)])
            source = open_source(self.source, self.model, self.looks, self.things, question, whole=whole)
            asked, answers = source.ask(lambda asked: ask(engine, asked, self.goal, extra))
        if not isinstance(answers, Replied):
            for hint in answers.hints:
                note(hint)
        return asked, answers


def asks(
    timeout: str, *between: Callable[..., Any], goal: Callable[..., Any] = goal_argument
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command a Question, and the arguments and options that it is made of. `timeout`: what that one bounds;
    `between`: the arguments between image and `goal`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def packed(**given: Any) -> None:
            question = Question(**{field.name: given.pop(field.name) for field in dataclasses.fields(Question)})
            command(question, **given)

        options: tuple[Callable[..., Any], ...] = (
            source_argument,
            *between,
            goal,
            rules_option,
            clauses_option,
            timeout_option(timeout),
            suiting_model_option,
            looks_option,
            things_options,
            json_option,
            trust_option,
        )
        for option in reversed(options):
            packed = option(packed)
        return packed

    return decorate


def emit_json(asked: Source, document: dict[str, Any]) -> None:
    """Prints it, and what the service says beside it."""
    emit(json.dumps(document | asked.to_json(), ensure_ascii=False) + "\n")


@contextmanager
def telling_where(source: Path, goal: str) -> Iterator[None]:
    """Shows where in the goal a syntax error is; one in the program is told by its file's name. Names the option that
    a query which runs out of time needs."""
    try:
        yield
    except QuerySyntaxError as error:
        point_at(goal, error.position)
        raise
    except TimeLimitError as error:
        raise TimeLimitError(f"{error}; or give it more time with --timeout") from error
    except ProgramError as error:
        if error.name == "program" and source.suffix in ASKED:
            raise ProgramError(error.fault, str(source), error.line) from error
        if "is not allowed" in error.fault:
            raise ProgramError(f"{error.fault}; --trust allows it", error.name, error.line) from error
        raise
    except ForbiddenError as error:
        if not str(error).startswith("program:"):
            raise ForbiddenError(f"{error}; --trust allows it", loads=error.loads) from error
        if source.suffix in ASKED:
            raise ForbiddenError(f"{source}{str(error).removeprefix('program')}") from error
        raise


def point_at(goal: str, position: int) -> None:
    """Shows the line of the goal that holds character `position`, and a caret under it."""
    if not goal.strip():
        return
    position = min(position, len(goal))
    start = goal.rfind("\n", 0, position) + 1
    line = goal[start:].split("\n", 1)[0]
    line_printed = "".join(c if c.isprintable() else " " for c in line)
    sys.stderr.write(f"  {line_printed}\n  {' ' * (position - start)}^\n")
