"""Questions that nobody thought of: each gets answers or an error of ours, in time, and leaves nothing behind."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from predinet_prolog.symbolic import Engine, Rules, SymbolicError, WorkerError
from predinet_prolog.symbolic.built_ins import built_ins
from predinet_prolog.symbolic.limits import LOAD_SECONDS
from tests.symbolic.hostile.catalogue import CLPFD, ENTRIES, PROGRAM, Entry
from tests.symbolic.hostile.inside import changes

pytestmark = pytest.mark.slow(9)

SECONDS = 0.25
SLACK = 1.0
PROBE = 'findall(X-Y, same(X, Y), L), last([1, 2], Last), T = "t", A is 1 / 3.0, dif(C, x), maplist(=(D), [D])'
FORBIDDEN = (
    "halt/0 shell/1 assertz/1 retract/1 open/3 consult/1 call/8 catch/3 freeze/2 nb_setval/2 setarg/3 op/3 format/2 "
    "term_to_atom/2 read/1 not/1 thread_create/1 put_attr/3 table/1 '$sig_atomic'/1 '>>'/3 call_cleanup/2 nope/1 "
    "goal_expansion/2 '-->'/2 ':-'/1 gensym/2"
)
JUNK = "()[]{}|,.:;!?-+*/\\^~@#$&=<>'\"`_ %\n\t0aAzZ9éß∀😀\u0301\u00a0\ufeff\ud800\0"

constants = st.sampled_from(["X", "Y", "_", "a", "ob_0", "[]", "-1", "1.5", "1r3", "inf", "9" * 30, '"s"', "'A b'"])
terms = st.recursive(
    constants,
    lambda parts: st.one_of(
        *(
            st.builds(shape.format, parts, parts)
            for shape in ("f({})", "[{}|{}]", "{} - {}", "({} :- {})", "{{{}}}", "({} ^ {})", "{} ** {}", "(X = {})")
        )
    ),
    max_leaves=5,
)


@st.composite
def calls(draw: st.DrawFn) -> str:
    """A call of what is allowed, of the program's own, or of what is forbidden."""
    allowed = [indicator for group in built_ins() for indicator in group.predicates]
    indicator = draw(st.sampled_from([*allowed * 3, *["object/1", "same/2", "mine/1"] * 12, *FORBIDDEN.split()]))
    name, _, arity = indicator.rpartition("/")
    arguments = draw(st.lists(st.one_of(terms, terms, st.just("same(ob_0)")), min_size=int(arity), max_size=int(arity)))
    quoted = name if name.startswith("'") else "'" + name.replace("\\", "\\\\") + "'"
    return f"{quoted}({', '.join(arguments)})" if arguments else quoted


goals = st.recursive(
    st.one_of(calls(), calls(), calls(), st.sampled_from(["!", "X", "m:halt", "call(X)", '"true"', "7", "p()"])),
    lambda parts: st.one_of(
        *(
            st.builds(shape.format, parts, parts)
            for shape in (
                *("({}, {})", "({} ; {})", "({} -> {} ; true)", "({} *-> {} ; fail)", "forall({}, {})", "\\+ {}"),
                *("findall(X, {}, L)", "setof(X, Y^{}, L)", "aggregate_all(count, {}, N)", "limit(2, {})"),
                *("call_nth({}, N)", "order_by([asc(X)], {})", "distinct(X, {})"),
            )
        )
    ),
    max_leaves=6,
)
clauses = st.builds("{} :- {}.".format, st.sampled_from(["mine(X)", "mine(a)", "user:mine(X)"]) | calls(), goals)
rules = st.builds("{}{}".format, st.sampled_from(["", "", "", "", CLPFD]), st.lists(clauses, max_size=4).map("\n".join))
junk = st.text(JUNK, min_size=1, max_size=60)
SHORT = [entry for entry in ENTRIES if len(entry.rules) + len(entry.program) < 5000]


@st.composite
def spoiled(draw: st.DrawFn) -> Entry:
    """An entry of the catalogue with something else in the middle of a part."""
    entry, part = draw(st.sampled_from(SHORT)), draw(st.sampled_from(["goal", "rules", "program"]))
    text, place = getattr(entry, part), draw(st.integers(0, 200))
    return replace(entry, **{part: text[:place] + draw(junk | goals) + text[place + draw(st.integers(0, 12)) :]})


entries = st.one_of(
    st.builds(Entry, st.just("made up"), goals, rules=rules),
    spoiled(),
    st.builds(Entry, st.just("junk"), junk, rules=st.just("") | junk),
)


def test_what_a_grammar_makes_up_gets_a_reply_in_time_and_leaves_nothing_behind(tmp_path: Path) -> None:
    canary = tmp_path / "canary.pl"
    canary.write_text("object(from_the_file).\n:- halt.\n")
    harmless: list[Entry] = []
    with Engine(time_limit=SECONDS, answer_limit=100) as engine:
        reference = engine.ask(PROGRAM, PROBE, time_limit=10).to_json()

        @settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(entries, st.booleans())
        def ask(entry: Entry, why: bool) -> None:
            note(json.dumps([entry.program, entry.rules, entry.goal, why]))
            entry = replace(entry.at(canary), seconds=SECONDS)
            engine.ask(PROGRAM, "true", time_limit=10)  # the start of a worker is not the question's time
            start, message = time.monotonic(), ""
            try:
                answers = engine.ask(entry.program, entry.goal, rules=[Rules("fuzz.pl", entry.rules)], why=why)
                json.dumps(answers.to_json()).encode()
            except WorkerError:  # it died of its limit on memory
                pass
            except SymbolicError as error:
                message = str(error)
            assert len(message) < 10_000
            seconds = time.monotonic() - start
            assert seconds < LOAD_SECONDS + SECONDS + SLACK
            assert [path.name for path in tmp_path.iterdir()] == ["canary.pl"]
            if seconds < 0.05:
                harmless.append(entry)

        ask()
        assert engine.ask(PROGRAM, PROBE, time_limit=10).to_json() == reference
    assert len(harmless) > 30
    assert changes(harmless, tmp_path) == ""
