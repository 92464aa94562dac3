"""Fuzzing: asks an engine what a grammar makes up, as fast as it goes, and checks after every question.

    python -m tests.symbolic.hostile.fuzz --minutes 10 --seed 1

A violation is printed with what reproduces it, and the exit status is 1. What is checked: the reply is answers or a
SymbolicError; it comes within the time limit and half a second (the limit of loading, if the rules do not load); the
canary folder is as it was; and every hundred questions, that a reference program gets the answers it always got. In
batches the questions are asked once more in a plain swipl, whose state (flags, operators, records, global variables,
...) must be the same afterwards (state.pl).
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from predinet_prolog.symbolic import Engine, Rules, SymbolicError, WorkerError
from predinet_prolog.symbolic.built_ins import built_ins
from predinet_prolog.symbolic.limits import LOAD_SECONDS
from tests.symbolic.hostile.catalogue import ANSWERS, CLPFD, ENTRIES, PROGRAM, Entry
from tests.symbolic.hostile.inside import changes

SECONDS = 0.25
SLACK = 0.5
PROBE = (
    'findall(X-Y, same(X, Y), L), last([1, 2], Last), T = "t", A is 1 / 3.0, B is 7 // -2, dif(C, x),maplist(=(D), [D])'
)
# Without those whose very size is the attack: they would take all the time.
SHORT = [entry for entry in ENTRIES if len(entry.rules) + len(entry.program) < 5000]
ATOMIC = [
    *("X", "Y", "Z", "_", "a", "ob_0", "[]", "{}", "0", "-1", "3", "1.5", "1r3", "inf", "1.0Inf", "9" * 30),
    *('"s"', "'A b'", "0'a", "`ab`", "halt", "'$VAR'(1)", "_{a: 1}", "count", "max(X)", "(@>=)"),
]
FORBIDDEN = (
    "halt/0 shell/1 assertz/1 retract/1 open/3 consult/1 call/8 call/9 catch/3 freeze/2 nb_setval/2 setarg/3 op/3 "
    "write/1 format/2 term_to_atom/2 read/1 '.'/3 '|'/2 '^'/2 '@'/2 {}/1 not/1 apply/2 thread_create/1 put_attr/3 "
    "table/1 tnot/1 '$sig_atomic'/1 foreach/2 '>>'/3 phrase/2 maplist/8 foldl/8 findall/5 forall/3 call_cleanup/2 "
    "dynamic/1 nope/1 zebra/2 goal_expansion/2 portray/1 attr_unify_hook/2 '$'/0 '$'/1 '-->'/2 '=>'/2 ':-'/1 '?-'/1 "
    "gensym/2"
)
JUNK = "()[]{}|,.:;!?-+*/\\^~@#$&=<>'\"`_ %\n\t0aAzZ9éß∀😀\u0301\u00a0\ufeff\ud800\0"


def _indicator(text: str) -> tuple[str, int]:
    name, _, arity = text.rpartition("/")
    return name, int(arity)


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\")
    return f"'{escaped}'"


class Grammar:
    """Makes up questions. The same seed, the same questions."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        allowed = [_indicator(predicate) for group in built_ins() for predicate in group.predicates]
        # Predicates are written f(a, b) whatever they are, so that operators are no trouble.
        self._predicates = [
            *((_quoted(name), arity) for name, arity in allowed * 3),
            *(("object", 1), ("same", 2), ("mine", 1), ("mine", 2)) * 12,
            *map(_indicator, FORBIDDEN.split()),
        ]

    def entry(self) -> Entry:
        """The next question."""
        make = self._random.choices([self._made_up, self._mutated, self._junk], [7, 2, 1])[0]
        return replace(make(), seconds=SECONDS)

    def _made_up(self) -> Entry:
        rules = "\n".join(self._clause() for _ in range(self._random.choice([0, 0, 1, 3, 6])))
        if self._random.random() < 0.15:
            rules = CLPFD + rules
        program = PROGRAM
        if self._random.random() < 0.1:
            program += "\n".join(self._clause() for _ in range(3))
        return Entry("made up", self._goal(4), rules=rules, program=program)

    def _mutated(self) -> Entry:
        """An entry of the catalogue with a part taken out, doubled, replaced by another's, or spoiled."""
        one, other = self._random.choice(SHORT), self._random.choice(SHORT)
        part = self._random.choice(["goal", "rules", "program"])
        return replace(one, group="mutated", **{part: self._spoiled(getattr(one, part), getattr(other, part))})

    def _junk(self) -> Entry:
        text = "".join(self._random.choice(JUNK) for _ in range(self._random.randrange(1, 60)))
        return Entry("junk", text) if self._random.random() < 0.5 else Entry("junk", "true", rules=f"p :- {text}.")

    def _spoiled(self, text: str, other: str) -> str:
        start = self._random.randrange(len(text) + 1)
        end = min(len(text), start + self._random.randrange(12))
        middle = self._random.choice(
            [
                "",
                text[start:end] * 2,
                other[self._random.randrange(len(other) + 1) :][:20],
                self._random.choice(JUNK),
                self._term(2),
                self._goal(1),
            ]
        )
        return text[:start] + middle + text[end:]

    def _clause(self) -> str:
        head = self._random.choice([*["mine(X)", "mine(X, Y)", "mine(a)", "mine(X, f(X))"] * 8, self._call(1)])
        form = self._random.random()
        if form < 0.3:
            return f"{head}."
        if form < 0.98:
            return f"{head} :- {self._goal(3)}."
        return self._random.choice(
            [f":- {self._goal(1)}.", f"{head} --> [a].", f"{head} => true.", "X.", f"user:{head}."]
        )

    def _goal(self, depth: int) -> str:
        form = self._random.random()
        if depth == 0 or form < 0.55:
            return self._call(max(depth, 1))
        if form < 0.97:
            a, b = self._goal(depth - 1), self._goal(depth - 1)
            return self._random.choice(
                [
                    f"({a}, {b})",
                    f"({a} ; {b})",
                    f"({a} -> {b} ; true)",
                    f"({a} *-> {b} ; fail)",
                    f"\\+ {a}",
                    f"findall(X, {a}, L)",
                    f"setof(X, Y^{a}, L)",
                    f"forall({a}, {b})",
                    f"aggregate_all(count, {a}, N)",
                    f"limit(2, {a})",
                    f"once({a})",
                    f"call(({a}), {self._term(1)})",
                    f"call_nth({a}, N)",
                    f"order_by([asc(X)], {a})",
                    f"distinct(X, {a})",
                ]
            )
        return self._random.choice(["!", "X", "m:halt", "maplist(X, L)", "call(X)", '"true"', "7", "p()"])

    def _call(self, depth: int) -> str:
        name, arity = self._random.choice(self._predicates)
        arguments = ", ".join(self._argument(depth) for _ in range(arity))
        return f"{name}({arguments})" if arity else name

    def _argument(self, depth: int) -> str:
        if self._random.random() < 0.2:
            return self._goal(depth - 1) if depth > 1 else self._random.choice(["same(ob_0)", "mine", "halt", "succ"])
        return self._term(depth)

    def _term(self, depth: int) -> str:
        if depth == 0 or self._random.random() < 0.6:
            return self._random.choice(ATOMIC)
        a, b = self._term(depth - 1), self._term(depth - 1)
        return self._random.choice(
            [
                f"f({a})",
                f"g({a}, {b})",
                f"[{a}, {b}]",
                f"[{a}|{b}]",
                f"{a} - {b}",
                f"({a} :- {b})",
                f"{{{a}}}",
                f"({a} ^ {b})",
                f"{a} + {b}",
                f"{a} * {b}",
                f"- {a}",
                f"random({a})",
                f"{a} ** {b}",
                f"(X = {a})",
                f"'..'({a}, {b})",
            ]
        )


@dataclass
class Report:
    """What came of it."""

    outcomes: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    deaths: list[str] = field(default_factory=list)  # what killed a worker otherwise than by taking too long
    slowest: tuple[float, Entry | None] = (0.0, None)
    workers: int = 0

    def __str__(self) -> str:
        seconds, entry = self.slowest
        lines = [f"{sum(self.outcomes.values()):,} questions, {self.workers} workers"]
        lines += [f"  {count:8,} {kind}" for kind, count in self.outcomes.most_common()]
        if entry is not None:
            lines.append(f"slowest: {seconds:.3f} s for {_reproducer(entry, False)}")
        lines += [f"death: {death}" for death in self.deaths]
        lines += [f"VIOLATION {violation}" for violation in self.violations]
        lines.append(f"{len(self.violations)} violations")
        return "\n".join(lines)


def fuzz(seed: int, seconds: float, folder: Path, say: Callable[[str], object] = lambda _: None) -> Report:
    """Asks for so many seconds. `folder` is an empty one; nothing may appear in it."""
    grammar, report = Grammar(seed), Report()
    canaries, work = folder / "canaries", folder / "work"
    canaries.mkdir()
    work.mkdir()
    canary = canaries / "canary.pl"
    canary.write_text("object(from_the_file).\n:- halt.\n")
    contents = _contents(canaries)
    batch: list[Entry] = []
    with Engine(time_limit=SECONDS, answer_limit=100) as engine:
        reference = engine.ask(PROGRAM, PROBE, time_limit=10).to_json()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            number = report.outcomes.total()
            entry = grammar.entry().at(canary)
            why = number % 3 == 0
            fault = _ask(engine, entry, why, report, batch)
            if fault is None and _contents(canaries) != contents:
                fault = "touched the canaries"
                contents = _contents(canaries)
            if fault is None and number % 100 == 0 and engine.ask(PROGRAM, PROBE, time_limit=10).to_json() != reference:
                fault = "changed what the reference program answers (it, or one of the 99 before)"
            if fault is not None:
                report.violations.append(f"{fault}: {_reproducer(entry, why)}")
                say(report.violations[-1])
            if len(batch) >= 3000:
                _replay(batch, work, report)
                batch.clear()
                say(f"{number:,} questions")
    _replay(batch, work, report)
    return report


def _ask(engine: Engine, entry: Entry, why: bool, report: Report, batch: list[Entry]) -> str | None:
    """Asks, counts, and says what is wrong with the reply, if something is."""
    rules = [Rules("fuzz.pl", entry.rules)] if entry.rules else []
    worker = engine._worker
    if worker is None or not worker.alive:
        engine.ask(PROGRAM, "true", time_limit=10)  # its start is not the question's time
        report.workers += 1
    bound = SECONDS + SLACK
    try:
        engine.ask(entry.program, "true", rules=rules)
    except SymbolicError:  # what does not load has the limit of loading
        bound = LOAD_SECONDS + SLACK
    if engine._worker is None:
        engine.ask(PROGRAM, "true", time_limit=10)
    start, fault = time.monotonic(), None
    try:
        answers = engine.ask(entry.program, entry.goal, rules=rules, why=why)
        json.dumps(answers.to_json()).encode()
        kind = ANSWERS
    except SymbolicError as error:
        kind = error.kind
        if kind == WorkerError.kind:
            report.deaths.append(f"{error}: {_reproducer(entry, why)}")
        if len(str(error)) > 10_000:
            fault = f"an error's message of {len(str(error)):,} characters"
    except Exception as error:
        kind, fault = type(error).__name__, f"{type(error).__name__}: {error}"
    seconds = time.monotonic() - start
    report.outcomes[kind] += 1
    if seconds > report.slowest[0]:
        report.slowest = seconds, entry
    if seconds > bound:
        fault = fault or f"took {seconds:.2f} s"
    if fault is None and kind not in ("time_limit", "worker") and seconds < 0.05:
        batch.append(entry)
    return fault


def _replay(batch: list[Entry], folder: Path, report: Report) -> None:
    """Asks the batch in one process, looked at from inside; on a change, looks for the question that made it."""
    if not batch or not (changed := changes(batch, folder)):
        return
    while len(batch) > 1:
        half = batch[: len(batch) // 2]
        batch = half if changes(half, folder) else batch[len(half) :]
    report.violations.append(f"left behind {changed.strip()!r}: {_reproducer(batch[0], True)}")


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def _reproducer(entry: Entry, why: bool) -> str:
    text = json.dumps({**asdict(entry), "why": why})
    return text if len(text) < 3000 else f"{text[:1000]} ... {text[-1000:]}"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to go on")
    parser.add_argument("--seed", type=int, default=1, help="of the questions made up")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = fuzz(arguments.seed, arguments.minutes * 60, Path(folder), lambda text: print(text, flush=True))
    print(report)
    return 1 if report.violations else 0


if __name__ == "__main__":
    sys.exit(main())
