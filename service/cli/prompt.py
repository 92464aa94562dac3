"""repl: question after question about one image or program."""

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any

import click
from platformdirs import user_state_path

from predinet_prolog.service.cli.options import DomainCommand, open_rules
from predinet_prolog.service.cli.question import Question, asks, telling_where
from predinet_prolog.service.cli.questions import in_english
from predinet_prolog.service.cli.reasons import reasons_text
from predinet_prolog.service.cli.sources import COMPILED, check_source, program_text
from predinet_prolog.service.cli.terms import Terms, clauses_of, is_english, is_rule
from predinet_prolog.service.errors import UsageError, failure
from predinet_prolog.service.prolog_text import write_answers
from predinet_prolog.service.streams import emit, note
from predinet_prolog.service.theories import advice
from predinet_prolog.symbolic import Engine, QuerySyntaxError
from predinet_prolog.symbolic.built_ins import built_ins

readline: Any
try:
    import readline
except ImportError:  # Windows has none, and edits lines itself
    readline = None

LINES_KEPT = 1000
"""Lines that the history holds."""
HELP = """\
GOAL.                 has its answers: same(X, Y).
why GOAL.             their proofs, or what came nearest to one
QUESTION              in English, a line: the goal that it means, and its answer; why before it as well
HEAD :- BODY.         is a rule from then on; so is a fact as HEAD :- true.
listing(NAME).        the clauses of a predicate
help.                 this
halt.                 ends, as the end of the input does
A full stop ends each, over as many lines as it takes. A goal that is one line may lack it.
"""
_WHY = re.compile(r"^why\s+")


@click.command(cls=DomainCommand)
@asks("Seconds that each question may take.", goal=None)
def repl(question: Question) -> None:
    """Ask question after question about an image or a program.

    A goal has the answers that `query` prints, and a line in English the goal and answer of `ask`.
    `why GOAL.` prints their proofs, or what came nearest to one. A clause `HEAD :- BODY.` is a rule from then on.
    `listing(NAME).` prints the clauses of a predicate, `help.` this in short. `halt.` ends, and so does the end of the
    input.

    What is asked or told ends with a full stop, as in every Prolog, and may go over several lines, with comments. A
    line that is a goal may lack it.

    On a terminal Tab completes names of the program, of its rules and of Prolog, and the arrow keys bring back lines
    of earlier sessions. Elsewhere the lines are read from standard input.

    \b
    Examples:
      predinet-prolog repl holiday.jpg
      predinet-prolog repl scene.png --rules THEORY
      printf '%s\\n' 'same(X, Y).' 'why same(X, Y).' | predinet-prolog repl scene.pl
    """
    if question.source.suffix == ".parquet":
        remedy = f"predinet-prolog query {question.source} GOAL loads what the goal speaks of"
        raise UsageError(f"{question.source} is a table: {remedy}")
    check_source(question.source, question.goal, question.seeing)
    with question.engine() as engine:
        engine.start()  # while the image is looked at
        session = _Session(engine, question)
        session.ask("true")  # says what is wrong with the program or the rules before the first question
        with _editing(session):
            for term in _terms(session):
                if _command(term) == "halt":
                    return
                with _reporting(session):
                    _tell(session, term)


class _Session:
    """What is asked about, and the rules so far."""

    def __init__(self, engine: Engine, question: Question) -> None:
        self._engine, self._source, self._asked = engine, question.source, question.open("", whole=True)
        self._rules, self._clauses = question.rules, [*question.clauses]

    def ask(self, goal: str, *, why: bool = False) -> str:
        """The answers as text, or the reasons for the first; tells what the goal may have been meant to say."""
        extra = open_rules(self._rules, self._clauses)
        with telling_where(self._source, goal, extra):
            self._asked, answers = self._asked.ask(
                lambda asked: self._engine.ask(asked.program, goal, rules=extra, limit=1 if why else None, why=why)
            )
        note(*answers.hints)
        return reasons_text(answers) if why else write_answers(answers)

    def answer(self, question: str, *, why: bool = False) -> str:
        """The goal that a question in English means and its answer, and the reasons for it."""
        extra = open_rules(self._rules, self._clauses)
        with telling_where(self._source, question, extra):
            self._asked, reply = self._asked.ask(lambda asked: in_english(self._engine, asked, question, extra))
        answer = f"{reply.reading.goal}.\n{reply.reading.answer}\n"
        return answer + self.ask(reply.reading.goal, why=True) if why else answer

    def add(self, clause: str) -> None:
        """Takes the clause from now on, if it can be loaded."""
        self._clauses.append(clause)
        try:
            self.ask("true")
        except BaseException:
            self._clauses.pop()
            raise

    def can_read(self, text: str) -> bool:
        """Whether the text is exactly one term, `why` before it or not."""
        try:
            self._engine.read(self._asked.program, _WHY.sub("", text.strip()), open_rules(self._rules, self._clauses))
        except QuerySyntaxError:
            return False
        return True

    def listing(self, name: str) -> str:
        """The clauses of the predicates of that name, NAME or NAME/ARITY, as they stand there and in rules."""
        texts = [self._program, *(rules.text for rules in open_rules(self._rules, self._clauses))]
        clauses = [clause for text in texts for clause in clauses_of(text, re.sub(r"/[0-9]+$", "", name))]
        if not clauses:
            raise UsageError(f"neither the program nor a rule has a clause of {name}: say listing(NAME)")
        return "".join(f"{clause}\n" for clause in clauses)

    @property
    def _program(self) -> str:
        return program_text(self._source) if self._source.suffix == COMPILED else self._asked.program

    def interrupt(self) -> None:
        """Ends the question that runs; the next one starts another Prolog process."""
        self._engine.close()

    @cached_property
    def _names(self) -> list[str]:
        """What a question can speak of, sorted. Found at the first Tab."""
        texts = [self._program, *(rules.text for rules in open_rules(self._rules, ()))]
        lines = (line for text in texts for line in text.splitlines() if not line.lstrip().startswith("%"))
        names = {name for line in lines for name in re.findall(r"\b[a-z]\w*", line)}
        names |= {name.partition("/")[0] for group in built_ins() for name in group.predicates if name[0].islower()}
        return sorted(names)

    def complete(self, beginning: str, number: int) -> str | None:
        """The name of that number, from 0, that begins so; None if there are no more."""
        completions = [name for name in self._names if name.startswith(beginning)] if beginning else []
        return completions[number] if number < len(completions) else None


def _tell(session: _Session, term: str) -> None:
    """Does what one term says."""
    command = _command(term)
    if is_rule(term):
        session.add(term)
    elif command == "help":
        emit(HELP)
    elif command in ("quit", "exit"):
        raise UsageError("halt. ends, as the end of the input does")
    elif command.startswith("suppose "):
        raise UsageError("suppose is a command of its own: predinet-prolog suppose IMAGE|PROGRAM FACT GOAL")
    elif listed := re.fullmatch(r"listing\s*\((.*)\)", command, re.DOTALL):
        emit(session.listing(listed[1].strip()))
    else:
        goal = _WHY.sub("", term)
        ask = session.answer if is_english(goal) and not session.can_read(goal) else session.ask
        emit(ask(goal, why=goal != term))


def _command(term: str) -> str:
    """What may be a word to the prompt itself."""
    return term.removeprefix("?-").removesuffix(".").strip()


@contextmanager
def _reporting(session: _Session) -> Iterator[None]:
    """An error or an interruption ends what is in the block and not the session."""
    try:
        yield
    except KeyboardInterrupt:
        if not sys.stdin.isatty():
            raise
        session.interrupt()
        emit("\n")
    except Exception as error:
        if failure(error) is None:
            raise
        note(advice(error))


def _terms(session: _Session) -> Iterator[str]:
    """The terms of the user, until the input ends. On a terminal Ctrl-C drops one that is not done."""
    terms = Terms(session.can_read)
    for line in _typed(terms) if sys.stdin.isatty() else _piped():
        with _reporting(session):
            yield from terms.add(line)
    with _reporting(session):
        yield from terms.end()


def _piped() -> Iterator[str]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")  # Prolog's check says what is no text
    for number, line in enumerate(sys.stdin):
        yield line if number else line.removeprefix("\ufeff")


def _typed(terms: "Terms") -> Iterator[str]:
    while True:
        try:
            yield input("|    " if terms.begun else "?- ") + "\n"
        except EOFError:
            emit("\n")
            return
        except KeyboardInterrupt:
            emit("\n")
            terms.drop()


@contextmanager
def _editing(session: _Session) -> Iterator[None]:
    """On a terminal: completion, and a history that is kept."""
    if readline is None or not sys.stdin.isatty():
        yield
        return
    history = user_state_path("predinet-prolog", appauthor=False) / "history"
    libedit = "libedit" in (readline.__doc__ or "")  # macOS
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    readline.set_completer_delims(" \t()[]{},;:-+*/\\=<>'\"|")
    readline.set_completer(session.complete)
    readline.set_history_length(LINES_KEPT)
    with suppress(OSError):
        readline.read_history_file(history)
    try:
        yield
    finally:
        with suppress(OSError):  # a history is no reason to fail
            history.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(history)
