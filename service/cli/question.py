"""What `query`, `ask`, `why` and `suppose` are given alike, and how their errors are told."""

import dataclasses
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from predinet_prolog.bridge.writers.header import read_header
from predinet_prolog.lazily import lazily
from predinet_prolog.service.cli.options import FILE, clauses_option, json_option, open_rules, rules_option, settings
from predinet_prolog.service.cli.seeing import Seeing, seeing_options
from predinet_prolog.service.cli.sources import ASKED, COMPILED, PROGRAMS, Source, check_source, open_program
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import read_text
from predinet_prolog.service.settings import Settings
from predinet_prolog.service.streams import emit, note
from predinet_prolog.service.theories import advice
from predinet_prolog.symbolic import errors
from predinet_prolog.symbolic.answers import Answers
from predinet_prolog.symbolic.engine import Engine
from predinet_prolog.symbolic.limits import TEXT_BYTES
from predinet_prolog.symbolic.rules import Rules

# A program is asked without them.
images = lazily("predinet_prolog.service.cli.images")
tables = lazily("predinet_prolog.bridge.tables")

_SOURCE = click.argument(
    "source", type=FILE, metavar="IMAGE|PROGRAM", help="What to ask about: an image, or what export made (.pl, .qlf)."
)
_GOAL = click.argument("goal", metavar="GOAL", help="A goal of Prolog, in quotes.")
_TRUST = click.option(
    "--trust",
    is_flag=True,
    help="Let the goal and the rules call all that Prolog has: catch/3, op/3, files, programs. For those of your own.",
)
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Question:
    """What `query`, `ask`, `why`, `suppose` and `repl` are given alike."""

    source: Path
    goal: str = ""
    rules: Sequence[str]
    clauses: Sequence[str]
    timeout: float | None
    seeing: Seeing
    as_json: bool = False
    trust: bool

    def ask(self, *, most: int | None = None, limit: int | None = None, why: bool = False) -> tuple[Source, Answers]:
        """The answers, and what was asked; says beside them what the goal may have been meant to say.

        most: the engine's limit of answers, None for that of the settings. limit: of this question's.
        """
        return self.put(
            lambda engine, asked, goal, rules: engine.ask(asked.program, goal, rules=rules, limit=limit, why=why),
            most=most,
        )

    def put(
        self, ask: Callable[[Engine, Source, str, list[Rules]], T], *, most: int | None = None, whole: bool = False
    ) -> tuple[Source, T]:
        """What `ask` is told by the engine of what is asked about, a goal and its rules, and what was asked; says
        beside it what the goal may have been meant to say.

        most: as in `ask`. whole: whether more than the goal's own words may be asked for.
        """
        engine, extra = self.engine(most), open_rules(self.rules, self.clauses)
        check_source(self.source, self.goal, self.seeing)
        with telling_where(self.source, self.goal, extra), engine:
            engine.start()  # while the image is looked at
            question = " ".join([self.goal, *(part.text for part in extra)])
            source = self.open(question, whole=whole)
            asked, answers = source.ask(lambda asked: ask(engine, asked, self.goal, extra))
        note(*getattr(answers, "hints", ()))
        return asked, answers

    def tell(
        self, asked: Source, document: Callable[[], dict[str, Any]], text: Callable[[], str], holds: object
    ) -> None:
        """Prints what was `asked`, as text or as JSON with what the service says; exits with 1 unless it `holds`."""
        emit(f"{json.dumps(document() | asked.to_json(), ensure_ascii=False)}\n" if self.as_json else text())
        if not holds:
            raise click.exceptions.Exit(1)

    def limits(self, most: int | None = None) -> Settings:
        """The settings, with its own time and at most so many answers."""
        names = {"time_limit": "--timeout", "answer_limit": "--limit"}
        return settings(names, time_limit=self.timeout, answer_limit=most)

    def engine(self, most: int | None = None) -> Engine:
        """What answers, within its limits."""
        limits = self.limits(most)
        base = self.source if self.source.suffix == COMPILED else None
        return Engine(
            time_limit=limits.time_limit,
            answer_limit=limits.answer_limit,
            text=not self.as_json,
            trust=self.trust,
            base=base,
        )

    def open(self, question: str, *, whole: bool = False) -> Source:
        """The program to ask, of an image or as it is; of a table, and of what was told alone unless the `whole` is
        wanted, what the `question`, the goal and its rules, speaks of. Tells the user of its warnings. Where things are
        told, pixels are not looked at, yet."""
        if self.source.suffix == ".parquet":
            return Source(tables.read_program(self.source, {"image", *re.findall(r"\w+", question)}, most=TEXT_BYTES))
        if self.source.suffix in PROGRAMS:
            return open_program(self.source)
        opened: Source = images.open_image(self.source, self.seeing, question, whole=whole)
        return opened


def asks(
    timeout: str, *between: Callable[..., Any], goal: Callable[..., Any] | None = _GOAL
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command a Question, and the arguments and options that it is made of. `timeout`: what that one bounds;
    `between`: the arguments between image and `goal`; None: what is asked comes later."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def packed(**given: Any) -> None:
            names = [field.name for field in dataclasses.fields(Question) if field.name in given]
            command(Question(**{name: given.pop(name) for name in names}), **given)

        first = (_SOURCE, *between, *([] if goal is None else [goal]))
        default = "(default: $PREDINET_PROLOG_TIME_LIMIT, else 1)"
        bound = click.option("--timeout", type=float, metavar="S", help=f"{timeout} {default}")
        of_rules = (rules_option, clauses_option, bound)
        last = (_TRUST,) if goal is None else (json_option, _TRUST)
        for option in reversed((*first, *of_rules, seeing_options(), *last)):
            packed = option(packed)
        return packed

    return decorate


@contextmanager
def telling_where(source: Path, goal: str, extra: Sequence[Rules]) -> Iterator[None]:
    """Shows where in the goal or its rules a syntax error is; one in the program is told by its file's name. Names the
    option that a query which runs out of time needs."""
    try:
        yield
    except errors.QuerySyntaxError as error:
        point_at(goal, error.position)
        raise
    except (errors.EnglishError, errors.UnknownPredicateError) as error:
        brief = source.suffix == ".pl" and str(read_header(read_text(source)).get("rules")).startswith("brief ")
        if not brief or advice(error) != str(error) or "did you mean" in str(error):
            raise
        remedy = "does not say how things lie: export it without"
        raise UsageError(f"{error}; {source} was exported with --brief, which {remedy}") from error
    except errors.TimeLimitError as error:
        raise errors.TimeLimitError(f"{error}; or give it more time with --timeout") from error
    except errors.ProgramError as error:
        for text in [rules.text for rules in extra if rules.name == error.name and error.position is not None]:
            point_at(text, error.position or 0)
        if error.name == "program" and source.suffix in ASKED:
            raise errors.ProgramError(error.fault, str(source), error.line) from error
        if "is not allowed" in error.fault:
            raise errors.ProgramError(f"{error.fault}; --trust allows it", error.name, error.line) from error
        raise
    except errors.ForbiddenError as error:
        if not str(error).startswith("program:"):
            trusted = "; --trust allows it" if "not allowed" in str(error) else ""
            raise errors.ForbiddenError(f"{error}{trusted}", loads=error.loads) from error
        if source.suffix in ASKED:
            raise errors.ForbiddenError(f"{source}{str(error).removeprefix('program')}") from error
        raise


def point_at(goal: str, position: int) -> None:
    """Shows the line of the goal that holds character `position`, and a caret under it."""
    if not goal.strip():
        return
    position = min(position, len(goal))
    start = goal.rfind("\n", 0, position) + 1
    line_printed = "".join(c if c.isprintable() else " " for c in goal[start:].split("\n", 1)[0])
    sys.stderr.write(f"  {line_printed}\n  {' ' * (position - start)}^\n")
