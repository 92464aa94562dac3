:- module(why,
          [ proof/3,                    % +Module, +Goal, -Proof
            nearest_miss/3              % +Module, +Goal, -Miss
          ]).

/** <module> Why a goal has an answer, and why it has none

An interpreter of loaded programs. It runs a goal that the guard has passed as Prolog itself would: the same clauses
in the same order, the same cuts, so the same answers in the same order. It keeps what it proved on the way, and
of all that failed the one failure that came furthest.

Clauses of the program and of rules are interpreted, and so are the control structures. Everything else is called as it
is, and becomes a leaf; what collects solutions has a proof of each of them. What is interpreted is pure, so a part may be
run once more to tell about it; nothing is ever run that the goal itself would not run.

A Proof is one of

| node(Goal, fact, [])             | a clause without a body                                                   |
| node(Goal, default(Miss), [])    | the same, taken once, for no clause before it holds; Miss came nearest    |
| node(Goal, clause(Ref), Proofs)  | Ref's body holds, its literals are proved by Proofs                       |
| node(Goal, builtin, [])          | called as it is                                                           |
| node(Goal, conjunction, Proofs)  | a query of several literals                                               |
| node(Goal, negation(Miss), [])   | nothing proves what Goal denies; Miss came nearest, or is the atom none   |
| node(Goal, forall, Proofs)       | Goal is forall(C, A) or \+ (C, \+ A): a proof for each of the cases       |
| node(Goal, findall, Proofs)      | Goal collects solutions: a proof for each of them                         |
| node(Goal, findall(Miss), [])    | Goal collects solutions and finds none; Miss came nearest                 |
| node(Goal, too_deep, [])         | true, and deeper in the proof than is told                                |
| node(Goal, cut_off, [])          | there are more like those before it                                       |

and a Miss one of

| miss(Goal, clause(Ref), Proofs, Miss)     | of Ref's body Proofs hold, and the next literal is missed by Miss |
| miss(Goal, conjunction, Proofs, Miss)     | the same for a query of several literals                          |
| miss(Goal, no_clause, [], none)           | no fact and no clause matches                                     |
| miss(Goal, builtin, [], none)             | called as it is, it fails                                         |
| miss(Goal, findall(Found), [], none)      | it fails because Found is what its solutions make                 |
| miss(Goal, negation, Proofs, none)        | Proofs are of what Goal denies                                    |
| miss(Goal, too_deep, [], none)            | false, and deeper than is told                                    |

Which failure came furthest is told in misses.pl.

A program that is not certain of what it says may define confidence/2: confidence(Goal, P) gives the probability that
the ground Goal is true. Proofs and misses are found without it; why_json.pl asks for it, step by step (confidence.pl).
*/

:- use_module(allowed, [meta/2]).
:- use_module(calls, [inner/4]).
:- use_module(guard, [owner/3]).
:- use_module(misses).
:- use_module(library(lists), [append/3, memberchk/2, reverse/2]).
:- use_module(library(prolog_code), [extend_goal/3, most_general_goal/2]).
:- use_module(library(solution_sequences), [limit/2]).

% Clauses, and goals solved aside, within each other. JSON nests twice as deep.
maximal_depth(50).

% Of forall/2, findall/3 and their kin, so many cases are told.
maximal_cases(20).

%!  proof(+Module, +Goal, -Proof) is nondet.
%
%   As Module:Goal, and Proof says why.

proof(M, Goal, Proof) :-
    unmissed(Furthest),
    local(Goal, context(M, none, 0, query(Goal), Furthest), [], Proofs),
    joined(Goal, Proofs, Proof).

%!  nearest_miss(+Module, +Goal, -Miss) is semidet.
%
%   Miss says how near Goal came to an answer. False if it has one.

nearest_miss(M, Goal, Miss) :-
    unmissed(Furthest),
    \+ local(Goal, context(M, none, 0, query(Goal), Furthest), [], _),
    furthest(Furthest, Miss).

% joined(+Goal, +Proofs, -Proof): Proofs, last first, are those of Goal's literals.

joined(_, [Proof], Proof) :- !.
joined(Goal, Reversed, node(Goal, conjunction, Proofs)) :-
    reverse(Reversed, Proofs).

% --- Control ---

/*  solve(Goal, Context, Proved0, Proved): Goal is true. Proved is Proved0 with the proofs of Goal's literals before it:
    the last one proved comes first. Context is

        context(Module, Choice, Depth, Place, Furthest)

    A cut in Goal prunes what was left to try since Choice. Place is where Goal stands: place(Head, Ref, Proved, Up) in
    the body of Ref, which was called for Head at the place Up, where Proved held by then; or query(Goal). Furthest
    collects misses.
*/

solve((A, B), C, Proved0, Proved) :-
    !,
    solve(A, C, Proved0, Proved1),
    solve(B, C, Proved1, Proved).
solve(true, _, Proved, Proved) :- !.
solve(!, context(_, Choice, _, _, _), Proved, Proved) :-
    !,
    prolog_cut_to(Choice).
solve((A ; B), C, Proved0, Proved) :-
    !,
    either(A, B, C, Proved0, Proved).
solve((A -> B), C, Proved0, Proved) :-
    !,
    once(local(A, C, Proved0, Proved1)),
    solve(B, C, Proved1, Proved).
solve((A *-> B), C, Proved0, Proved) :-
    !,
    local(A, C, Proved0, Proved1),
    solve(B, C, Proved1, Proved).
solve(\+ A, C, Proved0, Proved) :-
    !,
    without(A, \+ A, C, Proved0, Proved).
solve(forall(A, B), C, Proved0, Proved) :-
    !,
    without((A, \+ B), forall(A, B), C, Proved0, Proved).
solve(once(A), C, Proved0, Proved) :-
    !,
    copy_term_nat(A, Asked),
    once(local(A, C, Proved0, Proved1)),
    defaulted(A, Asked, C, Proved1, Proved).
solve(ignore(A), C, Proved0, Proved) :-
    !,
    either((A -> true), true, C, Proved0, Proved).
solve(Call, C, Proved0, Proved) :-
    compound(Call),
    compound_name_arguments(Call, call, [Closure|Extra]),
    !,
    extend_goal(Closure, Extra, Goal),
    local(Goal, C, Proved0, Proved).
solve(Goal, C, Proved0, Proved) :-
    arg(1, C, M),
    (   predicate_property(M:Goal, tabled)
    ->  prove_tabled(Goal, C, Proved0, Proved)
    ;   owner(M, Goal, _)
    ->  prove(Goal, C, Proved0, Proved)
    ;   attempt(M:Goal, builtin, Goal, C, Proved0),
        called(Goal, C, Proof),
        Proved = [Proof|Proved0]
    ).

% defaulted(+A, +Asked, +Context, +Proved0, -Proved): a fact that A, Asked so, found behind rules was found for none of them holds.

defaulted(A, Asked, C, [node(Goal, fact, [])|Proved], [node(Goal, default(Miss), [])|Proved]) :-
    A == Goal,
    most_general_goal(Goal, Head),
    arg(1, C, M),
    once(clause(M:Head, Body)),
    Body \== true,
    !,
    unmissed(Furthest),
    once(aside(Asked, C, Furthest, _)),
    furthest(Furthest, Miss).
defaulted(_, _, _, Proved, Proved).

% either(+A, +B, ...): the disjunction (A ; B).

either(If, Else, C, Proved0, Proved) :-
    Aside = aside(A, C, Furthest, Proofs),
    ( If = (A -> B), Try = once(Aside) ; If = (A *-> B), Try = Aside ),
    !,
    unmissed(Furthest),
    (   call(Try)
    *-> append(Proofs, Proved0, Proved1),
        solve(B, C, Proved1, Proved)
    ;   furthest(Furthest, Miss),
        solve(Else, C, [node(\+ A, negation(Miss), [])|Proved0], Proved)
    ).
either(A, _, C, Proved0, Proved) :- solve(A, C, Proved0, Proved).
either(_, B, C, Proved0, Proved) :- solve(B, C, Proved0, Proved).

% without(+A, +Goal, ...): Goal says that A has no solution.

without(A, Goal, C, Proved0, [Proof|Proved0]) :-
    unmissed(Furthest),
    findall(Proofs0, limit(1, aside(A, C, Furthest, Proofs0)), Found),   % which leaves Goal as it is
    (   Found = [Proofs]
    ->  missed(negation, Goal, Proofs, C, Proved0),
        fail
    ;   every(A, Condition, Action)
    ->  cases((Condition, Action), (Condition, once(Action)), C, Cases, _),
        Proof = node(Goal, forall, Cases)
    ;   furthest(Furthest, Miss),
        Proof = node(Goal, negation(Miss), [])
    ).

% every(+A, -Condition, -Action): A is (Condition, \+ Action).

every((Condition, \+ Action), Condition, Action) :- !.
every((A, B), (A, Condition), Action) :- every(B, Condition, Action).

% local(+Goal, +Context, +Proved0, -Proved): as solve/4, but a cut in Goal ends there.

local(Goal, context(M, _, Depth, Place, Furthest), Proved0, Proved) :-
    cut_here(Choice),
    solve(Goal, context(M, Choice, Depth, Place, Furthest), Proved0, Proved).

% cut_here(-Choice): cuts may prune back to Choice. It is a choice point of its own: prolog_cut_to/1 does not find one
% that belongs to the condition of *-> once the condition was true.

cut_here(Choice) :-
    ( true ; fail ),
    prolog_current_choice(Choice).

% aside(+Goal, +Context, !Furthest, -Proofs): Goal is solved as a query of its own, whose misses are not those of the
% clause it stands in. Proofs, the last first, are those of its literals. In what is told, they and those misses stand
% one level further in, and those of several literals one more.

aside(Goal, context(M, _, Depth0, _, _), Furthest, Proofs) :-
    ( memberchk(Goal, [(_, _), (_ ; _), (_ -> _), (_ *-> _)]) -> Depth is Depth0+2 ; Depth is Depth0+1 ),
    C = context(M, none, Depth, query(Goal), Furthest),
    (   too_deep(Depth)
    ->  attempt(M:Goal, too_deep, Goal, C, []),
        Proofs = [node(Goal, too_deep, [])]
    ;   local(Goal, C, [], Proofs)
    ).

too_deep(Depth) :-
    maximal_depth(Most),
    Depth >= Most.

% --- Literals ---

% prove(+Goal, ...): Goal is of a predicate that the program or the rules define.

prove(Goal, C, Proved0, [Proof|Proved0]) :-
    cut_here(Choice),
    C = context(M, _, Depth0, Place, Furthest),
    Depth is Depth0+1,
    (   too_deep(Depth)
    ->  attempt(M:Goal, too_deep, Goal, C, Proved0),
        Proof = node(Goal, too_deep, [])
    ;   attempt(( clause(M:Goal, Body, Ref), Body \== fail ), no_clause, Goal, C, Proved0),
        solve(Body, context(M, Choice, Depth, place(Goal, Ref, Proved0, Place), Furthest), [], Proofs0),
        (   Body == true
        ->  Proof = node(Goal, fact, [])
        ;   reverse(Proofs0, Proofs),
            Proof = node(Goal, clause(Ref), Proofs)
        )
    ).

% prove_tabled(+Goal, ...): its clauses may come back to it without end. So answers come from its table, and each has a
% proof in which no goal rests on itself.

prove_tabled(Goal, C, Proved0, [Proof|Proved0]) :-
    C = context(M, _, Depth, Place, _),
    attempt(M:Goal, builtin, Goal, C, Proved0),
    \+ rests_on(Place, Goal),
    unmissed(Furthest),
    once(prove(Goal, context(M, none, Depth, Place, Furthest), Proved0, [Proof|_])).

rests_on(place(Head, _, _, Up), Goal) :-
    ( Head == Goal -> true ; rests_on(Up, Goal) ).

% attempt(:Call, +Kind, +Goal, ...): Call is true. If it never is, Goal is missed.

attempt(Call, Kind, Goal, C, Proved0) :-
    (   call(Call)
    *-> true
    ;   missed(Kind, Goal, [], C, Proved0),
        fail
    ).

% called(+Goal, +Context, -Proof): Goal's predicate is built in, and was true when called as it is.

called(Goal, C, Proof) :-
    (   collects(Goal, A)
    ->  cases(A, A, C, Cases, Miss),
        ( Cases == [] -> Proof = node(Goal, findall(Miss), []) ; Proof = node(Goal, findall, Cases) )
    ;   Proof = node(Goal, builtin, [])
    ).

collects(Goal, A) :-
    functor(Goal, Name, _),
    memberchk(Name, [findall,bagof,setof,aggregate_all,aggregate]),
    meta(Goal, Spec),
    inner(_, Goal, Spec, A).

% cases(+Goal, +Call, +Context, -Proofs, -Miss): a proof of Goal for each solution of Call. Miss came nearest to another
% one.

cases(Goal, Call, C, Proofs, Miss) :-
    maximal_cases(Most),
    OneMore is Most+1,
    unmissed(Furthest),
    findall(Proof,
            limit(OneMore, ( aside(Call, C, Furthest, Proofs0), joined(Goal, Proofs0, Proof) )),
            Found),
    furthest(Furthest, Miss),
    (   length(Kept, Most),
        append(Kept, [_], Found)
    ->  append(Kept, [node(Goal, cut_off, [])], Proofs)
    ;   Proofs = Found
    ).
