:- module(reaching,
          [ calls/3,                    % +Module, +Goal, -Call
            closed/2,                   % +Goal, -Outer
            outer/3,                    % +Module, +Goal, -Outer
            reached/4,                  % +Module, :Kept, +Goals, -Head
            spent/3                     % +Error, +Module, +Goal
          ]).

/** <module> What a goal comes to, and whether it may run without end

A goal comes to what it calls, to what the clauses of that call, and so on. A rule that comes back to itself may run
without end: if it is left recursive, or what it speaks of goes round in circles, as same/2 does. What helps is `:- table`.
*/

:- use_module(allowed, [meta/2]).
:- use_module(calls, [inner/4]).
:- use_module(deadline).
:- use_module(guard, [owner/3]).
:- use_module(library(lists), [append/3, list_to_set/2, member/2, memberchk/2, reverse/2]).
:- use_module(library(terms), [mapsubterms/3]).

:- meta_predicate reached(+, 2, +, -).

%!  calls(+Module, +Goal, -Call) is nondet.
%
%   Goal is Call, or calls it inside, and the program or the rules define Call's predicate.

calls(M, Goal, Call) :-
    callable(Goal),
    (   owner(M, Goal, _)
    ->  Call = Goal
    ;   meta(Goal, Spec)
    ->  inner(_, Goal, Spec, Inner),
        calls(M, Inner, Call)
    ).

%!  closed(+Goal, -Outer) is semidet.
%!  outer(+Module, +Goal, -Outer) is det.
%
%   Goal denies or counts, and its variables, but for those of Outer, are its own; Outer is Goal without such.

closed(\+ _, []).
closed(forall(_, _), []).
closed(findall(_, _, L), L).
closed(aggregate_all(_, _, N), N).
closed(aggregate_all(_, _, _, N), N).

outer(M, Goal, Outer) :- mapsubterms(open_part(M), Goal, Outer).

open_part(M, Goal, Outer) :-
    compound(Goal),
    \+ owner(M, Goal, _),
    closed(Goal, Outer).

%!  reached(+Module, :Kept, +Goals, -Head) is nondet.
%
%   Goals come to the predicate of Head, the nearest first. Only such count of which call(Kept, Module, Head) is true.

reached(M, Kept, Goals, Head) :- reached(Goals, M, Kept, [], Head).

% Seen are the predicate indicators of those that were found before.

reached(Goals, M, Kept, Seen, Head) :-
    findall(Name/Arity,
            ( member(Goal, Goals),
              calls(M, Goal, Call),
              functor(Call, Name, Arity),
              \+ memberchk(Name/Arity, Seen),
              functor(General, Name, Arity),
              call(Kept, M, General)
            ),
            PIs0),
    list_to_set(PIs0, PIs),
    PIs \== [],
    (   member(Name/Arity, PIs),
        functor(Head, Name, Arity)
    ;   findall(Body,
                ( member(Name/Arity, PIs), functor(Caller, Name, Arity), clause(M:Caller, Body), Body \== true ),
                Bodies),
        append(PIs, Seen, Seen1),
        reached(Bodies, M, Kept, Seen1, Head)
    ).

%!  spent(+Error, +Module, +Goal) is erroneous.
%
%   @throws Error, and if it is for want of time or memory the predicate that a table would help, if that is known soon.

spent(Error, M, Goal) :-
    ( Error = out_of_time ; Error = error(resource_error(_), _) ),
    catch(call_within(0.05, recursive(M, Goal, PI)), _, fail),
    !,
    throw(recursive(PI, Error)).
spent(Error, _, _) :- throw(Error).

% recursive(+Module, +Goal, -PredicateIndicator): Goal comes to the predicate, which rules define, has no table and comes
% to itself. The cost goes with the size of the rules.

recursive(M, Goal, Name/Arity) :-
    findall(Head, reached(M, untabled_rule, [Goal], Head), Heads0),
    reverse(Heads0, Heads),             % a rule that only calls one that calls itself is not the cause
    member(Head, Heads),
    findall(Body, clause(M:Head, Body), Bodies),
    functor(Head, Name, Arity),
    reached(M, untabled_rule, Bodies, Again),
    functor(Again, Name, Arity),
    !.

untabled_rule(M, Head) :-
    owner(M, Head, rules(_, _)),
    \+ predicate_property(M:Head, tabled).
