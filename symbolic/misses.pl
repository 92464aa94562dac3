:- module(misses,
          [ unmissed/1,                 % -Furthest
            missed/5,                   % +Kind, +Goal, +Proofs, +Context, +Proved
            furthest/2,                 % +Furthest, -Miss
            comparison/1                % +Goal
          ]).

/** <module> Of all that failed, what came furthest

Whenever why.pl finds no way to prove a literal, it reports that here, and the furthest miss so far is kept: the one
before which more literals of the query held; among equals, more literals of the clause that was called last, and so on
inwards; among equals the comparison whose sides differ least; among equals the first.
*/

:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [memberchk/2, reverse/2]).

%!  unmissed(-Furthest) is det.
%
%   Furthest keeps misses, and has none yet. It is a term that is changed in place, for backtracking must leave it as it
%   is: furthest(Path, Closeness, Miss). Path has, from the query inwards, how many literals held; standard order
%   compares it rightly.

unmissed(furthest([], 0, none)).

%!  furthest(+Furthest, -Miss) is det.
%
%   Miss is the furthest one, as why.pl describes it, or none.

furthest(furthest(_, _, Miss), Miss).

%!  missed(+Kind, +Goal, +Proofs, +Context, +Proved) is det.
%
%   Goal failed at Context's place (why.pl), where Proved held, the last of it first. Proofs, the last first, go with
%   Goal.

missed(Kind0, Goal, Proofs, context(M, _, _, Place, Furthest), Proved) :-
    length(Proved, Count),
    path(Place, [Count], Path),
    arg(1, Furthest, Path0),
    compare(Order, Path, Path0),
    (   further(Order, Goal, Furthest, Closeness)
    ->  (   Kind0 == builtin,           % a program's own aggregate_all/3 was not passed to call its second argument
            found(Goal, M, Found)
        ->  Kind = findall(Found)
        ;   Kind = Kind0
        ),
        reverse(Proofs, Proofs1),
        enclosed(Place, Proved, miss(Goal, Kind, Proofs1, none), Miss),
        nb_setarg(1, Furthest, Path),
        nb_setarg(2, Furthest, Closeness),
        nb_setarg(3, Furthest, Miss)
    ;   true
    ).

path(query(_), Path, Path).
path(place(_, _, Proved, Up), Path0, Path) :-
    length(Proved, Count),
    path(Up, [Count|Path0], Path).

further(>, Goal, _, Closeness) :- closeness(Goal, Closeness).
further(=, Goal, Furthest, Closeness) :-
    closeness(Goal, Closeness),
    arg(2, Furthest, Closeness0),
    Closeness > Closeness0.

closeness(Goal, Closeness) :-
    (   comparison(Goal),
        Goal =.. [_,Left,Right],
        catch(Closeness is -abs(Left-Right), error(evaluation_error(_), _), fail)
    ->  true
    ;   Closeness is -inf
    ).

% found(+Goal, +Module, -Found): Goal collects solutions, and was called with another result than Found.

found(findall(Template, A, _), M, Found) :- findall(Template, M:A, Found).
found(aggregate_all(Spec, A, _), M, Found) :- once(aggregate_all(Spec, M:A, Found)).

enclosed(query(_), [], Inner, Inner) :- !.
enclosed(query(Goal), Proved, Inner, miss(Goal, conjunction, Proofs, Inner)) :-
    reverse(Proved, Proofs).
enclosed(place(Goal, Ref, Proved1, Up), Proved, Inner, Miss) :-
    reverse(Proved, Proofs),
    enclosed(Up, Proved1, miss(Goal, clause(Ref), Proofs, Inner), Miss).

%!  comparison(+Goal) is semidet.
%
%   Goal compares the values of its two arguments.

comparison(Goal) :- compound(Goal), functor(Goal, Operator, 2), memberchk(Operator, [<,>,=<,>=,=:=,=\=]), !.
comparison(Value is _) :-
    number(Value).
