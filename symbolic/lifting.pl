:- module(lifting,
          [ lift_sources/3,             % +Module, +Sources, -Lifted
            lift_declaration/3,         % +Module, +PredicateIndicator, -PredicateIndicators
            lift_goal/5,                % +Module, +Goal, +Bindings, -Lifted, -AllBindings
            unlift/1                    % +Module
          ]).

/** <module> What was written for one picture, asked of a base of many

A knowledge base has the picture as first argument of every predicate: object(Image, X). Rules and goals that speak of
object(X) mean one picture. Asked of a base, a predicate of theirs that comes to speak of a picture so has it as first
argument, and image/4 names every picture in turn: so `\+ p(X)`, findall/3 and tables are of one picture each.
in(Image, Goal) says of which picture a goal is meant. What names the picture itself stays as it is.
*/

:- use_module(allowed, [meta/2]).
:- use_module(guard, [owner/3, reclaim/3]).
:- use_module(library(apply), [maplist/3, maplist/4]).
:- use_module(library(occurs), [contains_var/2]).
:- use_module(library(prolog_code), [extend_goal/3]).

:- dynamic lifted/2.                    % lifted(Module, GeneralHead): a predicate of rules that speaks of one picture

%!  lift_sources(+Module, +Sources, -Lifted) is det.
%
%   Sources are Id-Clauses as loader.pl reads them, the program first; their heads are claimed.

lift_sources(M, [Program|Files0], [Program|Files]) :-
    base(M),
    !,
    mark(M, Files0),
    forall(lifted(M, Head), ( with_picture(_, Head, Wide), reclaim(M, Head, Wide) )),
    maplist(lift_file(M), Files0, Files).
lift_sources(_, Sources, Sources).

base(M) :- once(owner(M, image(_, _, _, _), program)).

% mark(+Module, +Files): lifted/2 has all predicates that speak of a picture, if need be by others.

mark(M, Files) :-
    (   '$member'(_-Clauses, Files),
        '$member'(read(_, (Head0 :- Body), _), Clauses),
        functor(Head0, Name, Arity),
        functor(Head, Name, Arity),
        \+ lifted(M, Head),
        lift_goal(M, Body, [], _, [_])
    ->  assertz(lifted(M, Head)),
        mark(M, Files)
    ;   true
    ).

lift_file(M, Id-Clauses0, Id-Clauses) :- maplist(lift_clause(M), Clauses0, Clauses).

lift_clause(M, read(Line, Clause0, Bindings0), read(Line, Clause, Bindings)) :-
    ( Clause0 = (Head0 :- Body0) -> true ; Clause0 = Head0, Body0 = true ),
    (   lifted(M, Head0)
    ->  lift(Body0, M, Image, Body),
        named(Image, Bindings0, Bindings),
        with_picture(Image, Head0, Head),
        Clause = (Head :- image(Image, _, _, _), Body)
    ;   Clause0 = (_ :- _)
    ->  lift(Body0, M, _, Body),
        Bindings = Bindings0,
        Clause = (Head0 :- Body)
    ;   Clause-Bindings = Clause0-Bindings0
    ).

%!  lift_declaration(+Module, +PredicateIndicator, -PredicateIndicators) is det.
%
%   What a declaration of the predicate declares: nothing if the base has it, with the picture.

lift_declaration(M, Name/Arity, PIs) :-
    functor(Head, Name, Arity),
    (   lifted(M, Head)
    ->  Wide is Arity+1,
        PIs = [Name/Wide]
    ;   of_picture(M, Head)
    ->  PIs = []
    ;   PIs = [Name/Arity]
    ).

%!  lift_goal(+Module, +Goal, +Bindings, -Lifted, -AllBindings) is det.
%
%   Lifted is Goal of a base's every picture, the variable Image, if Goal speaks of one; else AllBindings are Bindings.

lift_goal(M, Goal0, Bindings0, Goal, Bindings) :-
    base(M),
    !,
    lift(Goal0, M, Image, Goal1),
    (   contains_var(Image, Goal1)
    ->  named(Image, Bindings0, Bindings),
        Goal = (image(Image, _, _, _), Goal1)
    ;   Goal-Bindings = Goal1-Bindings0
    ).
lift_goal(_, Goal, Bindings, Goal, Bindings).

% named(?Image, +Bindings, -AllBindings): the picture is called Image, by the user, too.

named(Image, Bindings, Bindings) :-
    '$member'('Image'=Image, Bindings),
    !.
named(Image, Bindings, ['Image'=Image|Bindings]).

%!  unlift(+Module) is det.
%
%   Forgets what was lifted there.

unlift(M) :- retractall(lifted(M, _)).

% lift(+Goal, +Module, ?Image, -Lifted): Lifted is Goal of the picture Image.

lift(Goal, _, _, Goal) :-
    \+ callable(Goal),
    !.
lift(in(Image, Goal0), M, _, (image(Image, _, _, _), Goal)) :-
    !,
    lift(Goal0, M, Image, Goal).
lift(confidence(Goal0, P), M, Image, confidence(Goal, P)) :-
    of_picture(M, Goal0),
    !,
    with_picture(Image, Goal0, Goal).
lift(Goal0, M, Image, Goal) :-
    of_picture(M, Goal0),
    !,
    with_picture(Image, Goal0, Goal).
lift(Goal0, M, Image, Goal) :-
    meta(Goal0, Spec),
    \+ owner(M, Goal0, _),
    !,
    compound_name_arguments(Goal0, Name, Args0),
    compound_name_arguments(Spec, _, Modes),
    maplist(lift_argument(M, Image), Modes, Args0, Args),
    compound_name_arguments(Goal, Name, Args).
lift(Goal, _, _, Goal).

lift_argument(_, _, ?, Arg, Arg) :- !.
lift_argument(M, Image, ^, Arg0, V^Inner) :-
    nonvar(Arg0),
    Arg0 = V^Inner0,
    !,
    lift_argument(M, Image, ^, Inner0, Inner).
lift_argument(M, Image, Mode, Goal0, Goal) :-
    memberchk(Mode, [0,^]),
    !,
    lift(Goal0, M, Image, Goal).
lift_argument(M, Image, Extra, Parameters>>Body0, Parameters>>Body) :-
    is_list(Parameters),
    length(Parameters, Extra),
    !,
    lift(Body0, M, Image, Body).
lift_argument(M, Image, Extra, Closure, Lifted) :-
    (   callable(Closure),
        length(More, Extra),
        extend_goal(Closure, More, Goal),
        of_picture(M, Goal)
    ->  with_picture(Image, Closure, Lifted)
    ;   Lifted = Closure
    ).

% of_picture(+Module, @Goal): Goal's predicate speaks of one picture, and is there with the picture before its arguments.

of_picture(M, Goal) :-
    callable(Goal),
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    (   lifted(M, Head)
    ->  true
    ;   \+ owner(M, Head, _),
        with_picture(_, Head, Wide),
        owner(M, Wide, program)
    ),
    !.

with_picture(Image, Goal, Wide) :-
    Goal =.. [Name|Args],
    Wide =.. [Name,Image|Args].
