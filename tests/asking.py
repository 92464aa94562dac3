"""What tests ask: one Prolog engine for all, whose worker takes as long to start as a hundred questions, and clingo."""

import atexit
import json
from functools import cache
from pathlib import Path
from typing import Any

import clingo
from problog import get_evaluatable
from problog.program import PrologString

from predinet_prolog.symbolic import Engine, Rules
from predinet_prolog.symbolic.swipl import run_swipl


@cache
def asking() -> Engine:
    """The engine, which stays open for the next who asks."""
    engine = Engine(time_limit=20, answer_limit=10**7)
    atexit.register(engine.close)
    return engine


def answers(text: str, goal: str, *rules: Rules) -> list[list[Any]]:
    """The values of the goal's variables, answer by answer."""
    return [[*each.bindings.values()] for each in asking().ask(text, goal, rules=rules).answers]


def printed(program: Path, goals: list[str]) -> list[list[str]]:
    """As swipl itself prints them the values of each goal's variables, answer by answer; it prints nothing else."""
    helper = program.with_name("helper.pl")
    helper.write_text(
        ":- initialization(main).\n:- style_check(-singleton).\n"
        "main :- forall(clause(goal(G), true), (answers(G), writeln(--))), halt.\n"
        "answers(G) :- term_variables(G, Vs), forall(G, format('~q~n', [Vs])).\n"
        + "".join(f"goal(({goal})).\n" for goal in goals)
    )
    run = run_swipl("-q", program, helper)
    helper.unlink()
    assert (run.returncode, run.stderr) == (0, "")
    return [part.splitlines() for part in run.stdout.split("--\n")[:-1]]


def asked(world: str) -> dict[str, list[list[Any]]]:
    """By goal, what programs of a world of bridge/asked.json answer."""
    path = Path(__file__).parent / "bridge" / "asked.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))[world])


def likely(text: str, *goals: str) -> dict[str, float]:
    """How likely ProbLog says what is likely at all of the goals' answers is, without blanks."""
    queries = "".join(f"query({goal}).\n" for goal in goals)
    shares = get_evaluatable().create_from(PrologString(f"{text}\n{queries}")).evaluate()
    return {str(term).replace(" ", ""): share for term, share in shares.items() if share > 0}


def solved(text: str) -> list[clingo.Symbol]:
    """What holds in clingo's best answer set; it has nothing to say of the text."""
    complaints: list[str] = []
    control = clingo.Control(logger=lambda _, message: complaints.append(message))
    control.add("base", [], text)
    control.ground([("base", [])])
    best: list[clingo.Symbol] = []
    with control.solve(yield_=True) as models:
        for model in models:
            best = list(model.symbols(atoms=True))
    assert complaints == []
    return best
