"""A catalogue of hostile goals and rules, by what they reach for, and what each of them gets.

No entry may have an effect: on files, on the worker, on other programs, on later questions.
"""

import os
from pathlib import Path

import pytest

from symbolic import (
    Engine,
    ForbiddenError,
    ProgramError,
    PrologError,
    QuerySyntaxError,
    Rules,
    SymbolicError,
    UnknownPredicateError,
)

FORBIDDEN_GOALS = {
    "files": [
        "open('{canary}', write, S)",
        "open('{canary}', append, S, [])",
        "see('{canary}')",
        "tell('{canary}')",
        "append('{canary}')",
        "delete_file('{canary}')",
        "rename_file('{canary}', x)",
        "exists_file('{canary}')",
        "directory_files('/', F)",
        "read_file_to_string('{canary}', S, [])",
        "read_term(user_input, T, [])",
        "consult('{canary}')",
        "['{canary}']",
        "load_files('{canary}', [])",
        "use_module(library(process))",
        "absolute_file_name(x, Y)",
        "working_directory(D, D)",
        "tmp_file(x, F)",
        "qsave_program('{canary}')",
        "open_shared_object('{canary}', H)",
        "load_foreign_library('{canary}')",
    ],
    "processes and the environment": [
        "shell(ls)",
        "shell('touch {canary}2', S)",
        "process_create(path(ls), [], [])",
        "getenv('PATH', X)",
        "setenv(x, y)",
        "unsetenv('HOME')",
        "halt",
        "halt(3)",
        "prolog_alert_signal(A, B)",
        "tcp_connect(localhost:80, S, [])",
        "http_open('http://localhost', S, [])",
        "thread_create(true, T, [])",
        "thread_send_message(main, x)",
        "thread_self(X)",
        "mutex_create(X)",
        "engine_create(X, member(X, [1]), E)",
        "message_queue_create(Q)",
        "sleep(1000)",
        "garbage_collect",
        "prolog_stack_property(A, B)",
        "on_signal(int, O, default)",
        "alarm(1, true, I, [])",
        "statistics(cputime, T)",
        "get_time(T)",
        "random(X)",
    ],
    "other modules": [
        "user:halt",
        "system:shell(ls)",
        "lists:append(X, Y, Z)",
        "X = user:halt",
        "@(halt, user)",
        "module(user)",
        "set_module(user)",
        "current_module(M)",
        "import_module(M, N)",
        "add_import_module(user, lists, start)",
        'host:ask("0", "true", 1, 1000, R)',
        "'$destroy_module'(user)",
        "'$set_source_module'(X, user)",
        "strip_module(a, M, T)",
        "predicate_property(P, dynamic)",
        "current_predicate(P)",
        "clause(object(X), B)",
        'pyrun("halt", B)',
    ],
    "lasting state": [
        "assertz(object(zebra))",
        "asserta(object(zebra))",
        "assert(object(zebra))",
        "retract(object(X))",
        "retractall(object(_))",
        "abolish(object/1)",
        "erase(x)",
        "dynamic(object/1)",
        "compile_predicates([object/1])",
        "set_prolog_flag(double_quotes, codes)",
        "create_prolog_flag(x, y, [])",
        "set_prolog_stack(global, limit(1))",
        "op(700, xfx, ===>)",
        "nb_setval(x, 1)",
        "b_setval(x, 1)",
        "nb_getval(x, V)",
        "flag(x, O, 1)",
        "gensym(a, X)",
        "recordz(a, b)",
        "recorded(a, X)",
        "nb_setarg(1, f(a), b)",
        "setarg(1, f(a), b)",
        "put_attr(X, m, v)",
        "table(object/1)",
        "tnot(object(X))",
        "abolish_all_tables",
        "set_random(seed(1))",
        "style_check(-singleton)",
        "term_expansion(a, b)",
        "expand_term(a, X)",
        "wrap_predicate(object(X), w, W, true)",
        "redefine_system_predicate(halt)",
    ],
    "output": [
        "write(x)",
        "print(x)",
        'format("~a", [x])',
        'format(atom(A), "~@", [halt])',
        "nl",
        "put_char(x)",
        "print_message(error, x)",
        "listing",
        "with_output_to(string(S), true)",
        "current_output(S)",
        "set_stream(user_output, alias(x))",
        "tab(3)",
        "portray_clause(x)",
        "writeq(x)",
    ],
    "what would swallow the limits": [
        "catch((repeat, fail), E, true)",
        "catch_with_backtrace(true, E, true)",
        "call_cleanup(true, true)",
        "setup_call_cleanup(true, true, repeat)",
        "call_with_time_limit(1000, true)",
        "call_with_depth_limit(true, 1, R)",
        "call_with_inference_limit(true, 1, R)",
        "freeze(X, halt)",
        "when(ground(X), halt)",
        "throw(time_limit_exceeded)",
        "abort",
        "prolog_current_frame(F)",
        "prolog_cut_to(x)",
        "shift(x)",
        "reset(true, B, C)",
        "findall(X, catch(member(X, [1]), _, true), L)",
        "snapshot(true)",
        "transaction(true)",
        "undo(halt)",
    ],
    "goals in disguise": [
        "X = halt, call(X)",
        "X = halt, X",
        "G =.. [halt], G",
        "atom_to_term('halt', T, B), call(T)",
        "term_to_atom(T, halt)",
        'term_string(T, "halt")',
        'sformat(S, "x", [])',
        "read_term_from_atom(halt, T, [])",
        "call(halt)",
        "call(call, halt)",
        "call(call(call), halt)",
        "call(',', true, halt)",
        "call((true, halt))",
        "call(shell, ls)",
        'call(format, "x", [])',
        "not(halt)",
        "\\+ halt",
        "once(halt)",
        "ignore(halt)",
        "(true ; halt)",
        "(true -> halt ; true)",
        "(fail *-> true ; halt)",
        "(halt | true)",
        "forall(true, halt)",
        "findall(X, (member(X, [halt]), X), L)",
        "findall(X, halt, L)",
        "findall(X, halt, L, [])",
        "findall(X, Y^halt, L)",
        "bagof(X, Y^halt, L)",
        "setof(X, Y^Z^halt, L)",
        "setof(X, Y^G, L)",
        "aggregate_all(count, halt, N)",
        "aggregate_all(max(X), Y, halt, N)",
        "maplist(halt, [])",
        "maplist(shell, [ls])",
        "maplist(call, [halt])",
        "maplist(G, [ls])",
        "maplist([X]>>halt, [1])",
        "maplist([X]>>shell(X), [ls])",
        'foldl(format, ["x"], [], L)',
        "foldl([X, A, B]>>halt, [1], 0, S)",
        "include(shell, [ls], L)",
        "exclude(call, [halt], L)",
        "partition(shell, [ls], I, E)",
        "convlist(shell, [ls], L)",
        "predsort(thread_create, [a, b], L)",
        "limit(1, halt)",
        "offset(1, halt)",
        "order_by([asc(X)], halt)",
        "distinct(halt)",
        "distinct(X, halt)",
        "call_nth(halt, 1)",
        "findnsols(1, X, halt, L)",
        "apply(halt, [])",
        "phrase(halt, [], [])",
        "{halt}",
        "aggregate_all(bag(X), (member(X, [a]), \\+ \\+ halt), L)",
        "'$sig_atomic'(halt)",
        "'$evalable'(x)",
        "halt :- true",
        "X^halt",
    ],
}

GOALS = [(group, goal) for group, goals in FORBIDDEN_GOALS.items() for goal in goals]


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    path = tmp_path / "canary.pl"
    path.write_text("object(from_the_file).\n:- halt.\n")
    return path


def state(engine: Engine, program: str) -> object:
    """What a hostile question could have changed, as far as questions can tell."""
    return (
        engine._worker and engine._worker.pid,
        engine.ask(program, "object(X)").to_json(),
        engine.ask(program, 'X = "text", Y = [1, a - 2], atom_length(abc, N), last([1, 2], L)').to_json(),
        engine.ask(program, "X is 1 / 3.0, Y is 7 // 2").to_json(),
    )


@pytest.mark.parametrize(("group", "goal"), GOALS, ids=[goal for _, goal in GOALS])
def test_forbidden_goals(engine: Engine, program: str, canary: Path, group: str, goal: str) -> None:
    engine.ask(program, "true")
    before, files, environment = state(engine, program), sorted(canary.parent.iterdir()), dict(os.environ)
    # Unknown is as good: SWI-Prolog's libraries differ from place to place.
    with pytest.raises((ForbiddenError, UnknownPredicateError)):
        engine.ask(program, goal.format(canary=canary) if "{canary}" in goal else goal)
    assert state(engine, program) == before
    assert sorted(canary.parent.iterdir()) == files
    assert canary.read_text() == "object(from_the_file).\n:- halt.\n"
    assert dict(os.environ) == environment


@pytest.mark.parametrize(
    "goal",
    [
        "X = halt",
        "member(X, [halt, shell(ls)])",
        "same(X, halt)",
        "copy_term(shell(ls), X)",
        "findall(halt, true, L)",
        "atom_codes(halt, X)",
        "X =.. [shell, ls]",
        "sort(0, @>=, [halt, assertz(x)], L)",
        "forall(member(X, [halt]), X \\== a)",
        "X = '$VAR'(1)",
        "X = _{halt: 1}",
    ],
)
def test_terms_that_look_like_goals_are_data(engine: Engine, program: str, goal: str) -> None:
    engine.ask(program, goal)
    assert engine.ask(program, "true").answers


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        (":- halt.", "true"),
        (":- initialization(halt).", "true"),
        (":- shell(ls).", "true"),
        (":- use_module(library(process)).", "true"),
        (":- use_module(library(lists), [append/3 as halt]). p.", "p"),
        (":- ensure_loaded(library(process)).", "true"),
        (":- include('/etc/passwd').", "true"),
        (":- set_prolog_flag(autoload, true).", "true"),
        (":- multifile user:portray/1.", "true"),
        (":- module(lists, [append/3]).\nappend(X, _, X).", "append(a, b, X)"),
        (":- module(system, [shell/1]).\nshell(x).", "true"),
        ("user:portray(_) :- halt.", "true"),
        ("user:goal_expansion(_, halt).", "true"),
        ("system:object(x).", "true"),
        ("object(zebra).", "true"),
        ("halt :- true.", "true"),
        ("true :- halt.", "true"),
        ("(a :- b) :- c.", "true"),
        ("','(a, b).", "true"),
        ("[a].", "true"),
        ("[].", "true"),
        ("'[]'.", "'[]'"),
        ("{halt}.", "true"),
        ("p :- halt.", "p"),
        ("p :- (halt | true).", "p"),
        ("'|'(a, b). p :- (halt | true).", "p"),
        ("p :- forall(true, (halt | true)).", "p"),
        ("'^'(a, b). p :- X^halt.", "p"),
        ("'$call'(a). p :- '$call'(halt).", "p"),
        ("p :- call(halt).", "p"),
        ("p(G) :- G.", "p(halt)"),
        ("p(G) :- call(G).", "p(halt)"),
        ("p(G) :- maplist(G, [ls]).", "p(shell)"),
        ("p(G) :- findall(x, G, _).", "p(halt)"),
        ("p(G) :- \\+ G.", "p(halt)"),
        ("p(X) :- catch(X, _, true).", "p(halt)"),
        ("p :- assertz(q).", "p"),
        ("p :- a:b.", "p"),
        ("p(M) :- M:halt.", "p(user)"),
        ("p :- @(halt, user).", "p"),
        ("goal_expansion(true, halt).", "true"),
        ("term_expansion(a, b). a.", "a"),
        ("portray(_) :- true.", "X = 1"),
        ("attr_unify_hook(_, _) :- true.", "dif(X, a), X = b"),
        ("exception(_, _, retry).", "true"),
        ("'$pi_head'(a, b).", "true"),
        ("p --> [a], {halt}.", "true"),
        ("p, [halt] --> [].", "true"),
        ("p => halt.", "p"),
        ("p ?=> halt.", "p"),
        ("X.", "true"),
        ("p :- X.", "p"),
        ("p(X) :- X = _{a: 1}.put(b, 2).", "p(X)"),
        ("M.p() := 1.", "true"),
        ("p :- {|quasi||text|}.", "p"),
        ("maplist(halt, _).", "maplist(shell, [ls])"),
        ("member(_, _) :- halt.", "member(X, [a])"),
    ],
)
def test_hostile_rules(engine: Engine, program: str, text: str, goal: str) -> None:
    """Refused, or loaded as clauses that harm nobody: later questions see nothing of them."""
    engine.ask(program, "true")
    before = state(engine, program)
    try:
        engine.ask(program, goal, rules=[Rules("hostile.pl", text)])
    except SymbolicError as error:
        assert isinstance(  # noqa: PT017  (some are harmless)
            error, ForbiddenError | UnknownPredicateError | ProgramError | PrologError | QuerySyntaxError
        )
    assert state(engine, program) == before
    assert engine.ask("", "maplist(=(1), L), member(M, [a])", limit=1).answers[0].bindings == {"L": [], "M": "a"}


def test_questions_do_not_see_each_others_programs(engine: Engine) -> None:
    assert engine.ask("secret(1).", "secret(X)").answers
    with pytest.raises(UnknownPredicateError):
        engine.ask("common(1).", "secret(X)")
    with pytest.raises(UnknownPredicateError):
        engine.ask("secret(1).", "helper(X)")
    assert engine.ask("secret(1).", "helper(X)", rules=[Rules("r.pl", "helper(2).")]).answers
    with pytest.raises(UnknownPredicateError):
        engine.ask("secret(1).", "helper(X)")


def test_operators_of_one_question_mean_nothing_to_the_next(engine: Engine) -> None:
    engine.ask("", "X #> 1", rules=[Rules("c.pl", ":- use_module(library(clpfd)).")])
    with pytest.raises(QuerySyntaxError):
        engine.ask("", "X #> 1")
