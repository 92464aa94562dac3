:- module(recursion,
          [ recursive/3                 % +Module, +Goal, -PredicateIndicator
          ]).

/** <module> Whether a goal may run without end

A rule that calls itself comes back to where it was, if it is left recursive or what it speaks of goes round in circles,
as same/2 does. What helps is `:- table`.
*/

:- use_module(allowed, [meta/2]).
:- use_module(guard, [inner/3, owner/3]).
:- use_module(library(lists), [memberchk/2]).

%!  recursive(+Module, +Goal, -PredicateIndicator) is semidet.
%
%   Goal calls the predicate, which rules define, has no table and calls itself. The cost goes with the size of the rules.

recursive(M, Goal, Name/Arity) :-
    reached(M, [Goal], [], Heads),
    '$member'(Head, Heads),
    findall(Body, clause(M:Head, Body), Bodies),
    reached(M, Bodies, [], Inner),
    memberchk(Head, Inner),
    !,
    functor(Head, Name, Arity).

% reached(+Module, +Bodies, +Heads0, -Heads): Heads are Heads0 and the predicates without tables that Bodies, and what
% they call, call.

reached(_, [], Heads, Heads).
reached(M, [Body|Bodies], Heads0, Heads) :-
    findall(Head, callee(M, Body, Head), Callees),
    new(Callees, Heads0, Heads1, M, Bodies, Bodies1),
    reached(M, Bodies1, Heads1, Heads).

new([], Heads, Heads, _, Bodies, Bodies).
new([Head|Callees], Heads0, Heads, M, Bodies0, Bodies) :-
    (   memberchk(Head, Heads0)
    ->  Heads1 = Heads0,
        Bodies1 = Bodies0
    ;   Heads1 = [Head|Heads0],
        findall(Body, clause(M:Head, Body), Bodies1, Bodies0)
    ),
    new(Callees, Heads1, Heads, M, Bodies1, Bodies).

% callee(+Module, +Body, -Head): Body calls Head, which is of the rules and has no table.

callee(M, Body, Head) :-
    callable(Body),
    functor(Body, Name, Arity),
    functor(General, Name, Arity),
    (   owner(M, General, Source)
    ->  Source = rules(_, _),
        \+ predicate_property(M:General, tabled),
        Head = General
    ;   meta(General, Spec)
    ->  inner(Body, Spec, Inner),
        callee(M, Inner, Head)
    ).
