/*  Tests of the worker's own Prolog: guard.pl, loader.pl and json_terms.pl, without the engine around them.

    Run by test_plunit.py with host.pl loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(plunit)).

:- begin_tests(table).

% The table names predicates that exist, and says rightly which of their arguments are called.

plain(Head) :- allowed:pure(Head), \+ allowed:constraint(Head).

test(defined, [forall(( plain(Head) ; allowed:meta(Head, _) ))]) :-
    predicate_property(built_ins:Head, defined),
    !.
test(constraint_defined, [setup(use_module(library(clpfd), [])), forall(allowed:constraint(Head))]) :-
    predicate_property(clpfd:Head, exported),
    !.
test(pure_calls_nothing, [forall(plain(Head)), true(Called == [])]) :-
    findall(Mode,
            ( predicate_property(built_ins:Head, meta_predicate(Modes)), arg(_, Modes, Mode), calls(Mode) ),
            Called).
test(constraints_call_nothing, [forall(allowed:constraint(Head)), true(Called == [])]) :-
    findall(Mode, ( predicate_property(clpfd:Head, meta_predicate(Modes)), arg(_, Modes, Mode), calls(Mode) ), Called).
test(meta_calls_what_it_says, [forall(( allowed:meta(Head, Spec), arg(I, Spec, Mode) )), true(Mode == Declared)]) :-
    predicate_property(built_ins:Head, meta_predicate(Modes)),
    arg(I, Modes, Declared0),
    !,
    ( Declared0 == (//) -> Declared = 2 ; calls(Declared0) -> Declared = Declared0 ; Declared = (?) ).
test(not_both, [forall(allowed:meta(Head, _)), fail]) :-
    allowed:pure(Head).
test(nothing_of_user_is_seen, true(Bases == [system])) :-
    findall(Base, import_module(built_ins, Base), Bases).
test(nothing_else_of_the_libraries_is_seen,
     [forall(( member(Library, [aggregate, apply, dif, lists, ordsets, pairs, solution_sequences, sort]),
               module_property(Library, exports(Exports)),
               member(Name/Arity, Exports),
               functor(Head, Name, Arity),
               \+ allowed:pure(Head),
               \+ allowed:meta(Head, _),
               \+ predicate_property(system:Head, defined) )),
      fail]) :-
    predicate_property(built_ins:Head, defined).
test(once_only, true(Sorted == All)) :-
    findall(Head, ( allowed:pure(Head) ; allowed:meta(Head, _) ), Heads),
    msort(Heads, All),
    sort(Heads, Sorted).

calls(Mode) :- integer(Mode).
calls(^).
calls(//).

:- end_tests(table).

:- begin_tests(guard).

loaded(Goal) :-
    setup_call_cleanup(loader:load(m, [source(program, "p(1). q(X, Y) :- p(X), p(Y). maplist(a).")]),
                       Goal,
                       loader:unload(m)).

allowed(Goal) :-
    member(Goal, [p(_), (p(X), \+ q(X, _)), maplist(q(1), [_]), call(q, 1, _), setof(X, Y^q(X, Y), _), _ = halt,
                  findall(X, (p(X) ; X = 1 -> true ; fail), _),
                  maplist(_)]).         % the program's own: not the library's

refused(Goal) :-
    member(Goal, [halt, _, 3, "p(1)", (p(_), halt), maplist(shell, [_]), maplist(_, [_]), call(call, halt),
                  setof(X, Y^Z^(p(X), p(Y), p(Z), halt), _), _ = (a:b), a:b, f(g([a:b]))]).

test(allowed, [forall(allowed(Goal))]) :-
    loaded(guard:check_goal(m, Goal)).
test(refused, [forall(refused(Goal)), throws(refused(forbidden, _))]) :-
    loaded(guard:check_goal(m, Goal)).
test(refused_in_bodies, [forall(refused(Goal)), throws(refused(forbidden, _))]) :-
    loaded(guard:check_body(m, Goal)).
test(unknown, throws(unknown(zebra/2))) :-
    loaded(guard:check_goal(m, zebra(_, _))).
test(unknown_in_a_body) :-
    loaded(guard:check_body(m, zebra(_, _))).
test(no_control_structure_is_unknown_in_a_body, [forall(member(Goal, ['|'(halt, true), _^halt, '$'(halt)]))]) :-
    catch(( loaded(guard:check_body(m, Goal)), Seen = let_through ), _, Seen = refused),
    Seen == refused.
test(head_control, [forall(member(Head, [','(a, b), '|'(a, b), (a:-b), '$'(a), '[]', [], {a}, _:p, 'X^Y'^z, _, 7])),
                    throws(refused(program, _))]) :-
    guard:claim(fresh, program, Head).
test(head_call, [forall(between(0, 20, Arity)), throws(refused(program, _))]) :-
    functor(Head, call, Arity),
    guard:claim(fresh, program, Head).
test(own_predicates_call_no_argument, true(Calling == [])) :-
    findall(Name/Arity, ( calling(Name), between(0, 12, Arity), calls_an_argument(Name, Arity) ), Calling).
test(too_large_for_the_memory, [setup(current_prolog_flag(stack_limit, Limit)),
                                cleanup(set_prolog_flag(stack_limit, Limit)),
                                throws(located(program, 1, refused(program, "too large: loading it needs more memory than there is")))]) :-
    set_prolog_flag(stack_limit, 8 000 000),
    findall("q(a, b). ", between(1, 60_000, _), Texts),
    atomics_to_string(Texts, Text),
    call_cleanup(loader:load(large, [source(program, Text)]), loader:unload(large)).
test(nothing_left_behind) :-
    loaded(true),
    \+ guard:owner(m, _, _),
    \+ current_predicate(m:p/1).

% calling(-Name): some predicate of this name calls an argument.

calling(Name) :-
    findall(Name0,
            ( ( allowed:meta(Head, _) ; predicate_property(system:Head, meta_predicate(_)) ), functor(Head, Name0, _) ),
            Names),
    sort(Names, Sorted),
    member(Name, Sorted).

% calls_an_argument(+Name, +Arity): Name/Arity, where a program may define it, calls an argument all the same when it
% is asked, or asked why.

calls_an_argument(Name, Arity) :-
    functor(Head, Name, Arity),
    Head =.. [_|Args],
    maplist(=(x), Args),
    format(string(Text), "~k.", [Head]),
    nb_setval(canary, untouched),
    call_cleanup(catch(( loader:load(m, [source(program, Text)]),
                         canaries(m),
                         forall(hostile(Name, Arity, Goal), asked(Goal))
                       ),
                       located(_, _, refused(_, _)),
                       true),
                 loader:unload(m)),
    \+ nb_getval(canary, untouched).

% hostile(+Name, +Arity, -Goal): all arguments are to be called, or all but the first, which is what aggregate_all/3
% and others want there.

hostile(Name, Arity, Goal) :-
    length(Canaries, Arity),
    maplist(=(canary), Canaries),
    (   Args = Canaries
    ;   Canaries = [_|Rest],
        member(First, [count, 1, [asc(x)], [canary]]),
        Args = [First|Rest]
    ),
    Goal =.. [Name|Args].

canaries(M) :-
    forall(between(0, 12, Arity),
           ( functor(Canary, canary, Arity), assertz(M:(Canary :- nb_setval(canary, called))) )).

asked(Goal) :-
    forall(member(Ask, [m:Goal, why:proof(m, Goal, _), why:nearest_miss(m, Goal, _)]), catch(ignore(Ask), _, true)).

:- end_tests(guard).

:- begin_tests(json).

test(what_is_written_stays_as_it_is) :-
    json_terms:answer_budget(Budget),
    json_terms:json_answer(asked(['X'=f(X, Y), 'Y'=Y], 1), user, Budget, _),
    X-Y =@= _-_,
    term_attvars(X-Y, []).

:- end_tests(json).
