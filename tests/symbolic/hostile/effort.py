"""Effort of every kind: endless, giant, uninterruptible. Each is ended by the limit that holds against it."""

SECONDS = 0.3

TIME = ("time_limit",)
TIME_OR_SPACE = ("time_limit", "prolog")
# The worker may die of it: its address space is bounded, and C code that gets no memory aborts.
DEADLY = ("time_limit", "prolog", "worker")

RULES = """
loop :- loop.
down(N) :- M is N+1, down(M), true.
grow(A) :- atom_concat(A, A, B), grow(B).
wide(N, T) :- M is N*2, length(L, M), T0 =.. [f|L], copy_term(T0, T1), T1 = T0, wide(M, T).
tree(0, leaf) :- !.
tree(N, f(L, R)) :- M is N-1, tree(M, L), tree(M, R).
doubled(0, a) :- !.
doubled(N, f(T, T)) :- M is N-1, doubled(M, T).
chain(0, []) :- !.
chain(N, f(T)) :- M is N-1, chain(M, T).
evil(O, X, Y) :- member(O, [<, >]), X \\== Y.
many(_) :- repeat.
ackermann(0, N, R) :- !, R is N+1.
ackermann(M, 0, R) :- !, M1 is M-1, ackermann(M1, 1, R).
ackermann(M, N, R) :- N1 is N-1, ackermann(M, N1, R1), M1 is M-1, ackermann(M1, R1, R).
"""

GOALS: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "endless": [
        ("repeat, fail", TIME),
        ("between(1, inf, X), fail", TIME),
        ("loop", TIME),
        ("ackermann(4, 2, R)", TIME_OR_SPACE),
        ("length(L, X), fail", TIME_OR_SPACE),
        ("length(L, L)", (*TIME_OR_SPACE, "answers")),
        ("\\+ \\+ (repeat, fail)", TIME),
        ("limit(infinite, repeat), fail", TIME),
        ("offset(100000000000, repeat)", TIME),
        ("call_nth(repeat, 100000000000)", TIME),
        ("distinct(repeat), fail", TIME),
        ("order_by([asc(X)], between(1, inf, X))", TIME_OR_SPACE),
        ("findnsols(1, X, repeat, L), fail", TIME),
        ("findnsols(0, X, repeat, L), fail", (*TIME_OR_SPACE, "answers")),
        ("aggregate_all(count, repeat, N)", TIME),
        ("length(L, 100), maplist(between(0, 1), L), fail", TIME),
        ("numlist(1, 12, L), permutation(L, P), fail", TIME),
        ("length(L, 30), append(Ls, L), fail", ("prolog",)),
        ("length(L, 7), append(L, M), fail", TIME_OR_SPACE),
        ("length(X, 60), maplist([a, b, c], X)", ("forbidden", "unknown_predicate")),
        ("nth0(N, L, x), fail", TIME_OR_SPACE),
        ("append(X, Y, Z), fail", TIME_OR_SPACE),
        ("maplist(many, [a, b]), fail", TIME),
        ("include(many, [a], L), fail", ("answers",)),
        ("numlist(1, 1000, L), predsort(evil, L, M), fail", TIME),
        ("numlist(1, 2000, L), atomic_list_concat(L, A), sub_atom(A, _, _, _, S), fail", TIME),
        ("atom_length(A, 3)", ("prolog",)),
        ("sub_atom(A, B, 1, C, x)", ("prolog",)),
        ("atom_concat(X, Y, abc), fail", ("answers",)),
    ],
    "giant": [
        ("down(0)", TIME_OR_SPACE),
        ("findall(X, between(1, inf, X), L)", DEADLY),
        ("setof(X, between(1, inf, X), L)", DEADLY),
        ("aggregate_all(set(X), between(1, inf, X), L)", DEADLY),
        ("numlist(1, 100000000, L)", TIME_OR_SPACE),
        ("length(L, 10000000000)", ("prolog",)),
        ("functor(T, f, 1000000000)", ("prolog",)),
        ("compound_name_arity(T, f, 1000000000)", ("prolog",)),
        ("wide(8, T)", DEADLY),
        ("tree(40, T)", TIME_OR_SPACE),
        ("grow(abcdefgh)", DEADLY),
        ("findall(A, (between(1, inf, N), atom_concat(zz, N, A)), L)", DEADLY),
        ("findall(S, (repeat, string_concat(abc, def, S)), L)", DEADLY),
        ("between(1, inf, N), distinct(N, true), fail", DEADLY),
        ("distinct(N, between(1, inf, N)), fail", DEADLY),
        ("numlist(1, 500000, L), atomic_list_concat(L, A), split_string(A, `0`, ``, P), fail", ("answers", *DEADLY)),
        ("numlist(1, 300000, L), X =.. [f|L], copy_term(X, Y), fail", ("answers", *DEADLY)),
        ("numlist(1, 1000000, L), sort(0, @>=, L, M), msort(M, N), fail", ("answers", *TIME_OR_SPACE)),
    ],
    "atoms and functors without end": [
        ("between(1, inf, N), atom_concat(zz, N, A), fail", DEADLY),
        ("between(1, inf, N), functor(T, f, N), fail", DEADLY),
        ("between(1, inf, N), atom_concat(zz, N, A), functor(T, A, 1), fail", DEADLY),
    ],
    "one operation of arithmetic": [
        ("X is gcd(7**9000000, 3**15000000)", DEADLY),
        ("X is powm(3**200000, 7**200000, 11**200000)", DEADLY),
        ("X is 7**(7**(7**7))", ("prolog",)),
        ("X is 7**9000000, atom_length(X, N)", DEADLY),
        ("X is 1 << 1000000000", DEADLY),
        ("X is 1 >> -100000000000", ("prolog",)),
        ("X is (1 rdiv 3) ** 100000000", DEADLY),
        ("X is lcm(2**8000000, 3**8000000)", (*DEADLY, "answer_too_large")),
        ("X is 2**20000000 mod (3**10000000)", (*DEADLY, "answer_too_large")),
        ("between(1, inf, N), X is 7**10000+N, fail", TIME),
        ("X is random(2**100000000)", (*DEADLY, "answer_too_large")),
        ("X is rationalize(5.0e-324)", ("answers",)),
        ("X is powm(2, -1, 4)", ("prolog",)),
        ("X is powm(2, 3, 0)", ("prolog",)),
        ("X is -9223372036854775808 // -1", ("answers",)),
        ("X is 1 << (1 << 62)", ("answers", "prolog")),
        ("X is roundtoward(foo, to_positive)", ("prolog",)),
        ("X is roundtoward(1 / 0, to_positive)", ("prolog",)),
        ("X is msb(0)", ("prolog",)),
        ("X is 10 ** 400 * 1.0", ("prolog",)),
    ],
    "shared terms": [
        ("doubled(60, X)", ("time_limit", "answer_too_large")),
        ("doubled(60, X), doubled(60, Y), X == Y", DEADLY),
        ("doubled(60, X), doubled(60, Y), X = Y", (*DEADLY, "answer_too_large")),
        ("doubled(60, X), doubled(60, Y), compare(O, X, Y)", (*DEADLY, "answer_too_large")),
        ("doubled(60, X), doubled(60, Y), X =@= Y, fail", ("answers", *DEADLY)),
        ("doubled(60, X), doubled(60, Y), unify_with_occurs_check(X, Y)", (*DEADLY, "answer_too_large")),
        ("doubled(60, X), doubled(60, Y), msort([X, Y], L)", (*DEADLY, "answer_too_large")),
        ("doubled(60, X), doubled(60, Y), memberchk(X, [Y])", (*DEADLY, "answer_too_large")),
        ("doubled(60, X), findall(X, true, L)", (*DEADLY, "answer_too_large")),
        ("doubled(60, X), ground(X), copy_term(X, Y)", (*DEADLY, "answer_too_large")),
        ("doubled(60, X), atom_length(X, N)", DEADLY),
        ("doubled(60, X), between(1, X, Y)", DEADLY),
        ("doubled(60, X), arg(X, f(a), Y)", (*DEADLY, "answers")),
        ("doubled(60, X), Y is X", DEADLY),
        ("doubled(60, X), dif(X, Y)", (*DEADLY, "answer_too_large")),
        ("doubled(60, X), no_such_thing(X)", ("unknown_predicate",)),
    ],
    "giant answers": [
        ("numlist(1, 1000000, X)", ("answer_too_large", "time_limit")),
        ("length(X, 500000)", ("answer_too_large", "time_limit")),
        (
            "numlist(1, 250, L), findall(L, member(_, L), X), findall(X, member(_, L), Y)",
            ("answer_too_large", *TIME_OR_SPACE),
        ),
        ("between(1, 1000, X), numlist(1, 100000, Y)", ("answer_too_large", "time_limit")),
        ("chain(101, X)", ("answer_too_large",)),
        ("chain(1000000, X)", ("answer_too_large", "time_limit", "prolog")),
        ("X is 7 ** 100000, Y = [X, X, X]", ("answers", *TIME)),
        (
            "length(C, 50), maplist(=(0'a), C), atom_codes(A, C), findall(A, between(1, 100000, _), X)",
            ("answer_too_large", "time_limit"),
        ),
        ("repeat", ("answers",)),
        ("length(X, N)", ("answers",)),
        ("between(1, inf, X)", ("answers",)),
        ("numlist(1, 3000, L), maplist(dif(X), L)", ("answers", "time_limit", "answer_too_large")),
    ],
}

CONSTRAINTS: list[tuple[str, tuple[str, ...]]] = [
    ("length(L, 40), L ins 0..1, sum(L, #=, 20), label(L), fail", TIME),
    ("X in 1..100000000, label([X]), fail", TIME),
    ("X #> Y, Y #> X, X in 0..1000000000", TIME),
    ("length(L, 2000), L ins 0..2000, all_distinct(L)", DEADLY),
    ("length(L, 200), L ins 0..200, all_distinct(L), label(L)", DEADLY),
    ("length(L, 300), circuit(L), label(L)", DEADLY),
    ("X #= 2 ^ 100000000", (*DEADLY, "answer_too_large")),
    ("X in inf..sup, label([X])", ("prolog",)),
    ("X in 1..1000000, findall(X, label([X]), L), fail", DEADLY),
    ("numlist(1, 200, N), findall(N, member(_, N), R), transpose(R, T), tuples_in([_, _], T)", (*DEADLY, "answers")),
    # The library itself catches the ball that SWI-Prolog's own time limit throws.
    ("length(L, 30), L ins 0..9, sum(L, #=, S), labeling([max(S)], L)", TIME),
    ("length(L, 30), L ins 0..9, sum(L, #=, S), labeling([min(S), ff, bisect], L), fail", TIME),
    ("labeling([min(halt)], [X])", ("prolog",)),
    ("X #= halt", ("prolog",)),
    ("X #<==> halt", ("prolog",)),
    ("sum([X, Y], halt, 3)", ("prolog",)),
    ("chain([X, Y], halt)", ("prolog",)),
    ("automaton([X], [source(a), sink(a)], [arc(a, 0, a)])", ("forbidden", "unknown_predicate")),
    ("in_set(X, S)", ("forbidden", "unknown_predicate")),
    ("X in 1..3, X = a", ("prolog",)),
    ("X = f(X), X #= Y", ("prolog",)),
    ("L = [X|L], all_different(L)", ("prolog",)),
    ("lex_chain([[X], [Y]])", ("answers",)),
]

# Rule files that take long to load, or much memory.
TEXTS: list[tuple[str, tuple[str, ...]]] = [
    ("".join(f"p{i}.\n" for i in range(30_000)), ("answers",)),
    ("p :- " + ",".join(["true"] * 4_000) + ".", ("answers",)),
    ("p([" + ",".join(["- - a"] * 100_000) + "]).", ("answers",)),
    *(
        (text, ("program",))
        for text in (
            "p :- " + ",".join(["true"] * 300_000) + ".",
            "p :- " + ";".join(["q"] * 50_000) + ".",
            "p :- " + "->".join(["q"] * 100_000) + ".",
            "p :- " + ";".join(["q->r"] * 100_000) + ".",
            "p :- " + "\\+ " * 100_000 + "true.",
            "p(X) :- X = " + "^".join(["1"] * 300_000) + ".",
            "p(X) :- X = " + "+".join(["1"] * 300_000) + ".",
            "p(X) :- X = " + "- " * 300_000 + "1.",
            "p(" + "+".join(["1"] * 100_000) + ").",
            "p([" + "+".join(["1"] * 100_000) + "]).",
        )
    ),
    ("p(" + ",".join(["a"] * 2000) + ").", ("program",)),
    ("p(" + ",".join(f"X{i}" for i in range(900)) + ").", ("answers",)),
    ("p([" + ",".join(f"x{i}" for i in range(50_000)) + "]).", ("answers",)),
    ("p('" + "a" * 1_000_000 + "').", ("answers",)),
    (":- foo('" + "a" * 1_000_000 + "').", ("program",)),
    ("p(" + "a" * 500_000 + ") :- " + "b" * 500_000 + ".", ("answers",)),
    (":- dynamic p/100000000.", ("program",)),
    (":- dynamic p/1025.", ("program",)),
    ("%" * 1_000_000, ("answers",)),
]
