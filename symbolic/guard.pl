:- module(guard,
          [ check_goal/2,               % +Module, +Goal
            check_body/2,               % +Module, +Body
            claim/3,                    % +Module, +Source, +Head
            owner/3,                    % ?Module, ?GeneralHead, ?Source
            owned/2,                    % +Module, -PredicateIndicators
            forget/1                    % +Module
          ]).

/** <module> What a stranger's goal or clause may call

A goal passes if every predicate it can reach is known before it runs: a predicate that the program or
the rules define, or one listed in allowed.pl. Goals inside meta-calls are checked like the others, so they
must be there to be seen: a variable as a goal is refused. So is a module qualifier, anywhere.

Two facts make the check at load time sound. A loaded program never changes, because nothing that could
change it is allowed. And a name that means nothing when a clause is checked still means nothing when it runs,
unless a checked clause defines it: programs see only their own module, allowed.pl and the system's predicates,
autoloading is off (host.pl), and no control structure of the compiler passes for such a name (ordinary/1).

library(sandbox) is not asked as well. With it behind this guard, SWI-Prolog 9.0.4 refuses harmless library predicates
(nth0/3, numlist/3, order_by/2), takes milliseconds for dif/2 and aggregate_all/3, whose own code it reads each time,
and reports predicates as unknown that are never called.

Who defined what is kept in owner/3: program, or rules(I, Name) for the I-th rule file.

Refusals are exceptions: refused(Kind, Message) and unknown(PredicateIndicator).
*/

:- use_module(allowed).
:- use_module(library(lists), [append/3]).

:- dynamic owner/3.                     % owner(Module, GeneralHead, Source)

%!  check_goal(+Module, +Goal) is det.
%
%   True when Goal may be called in the program loaded in Module.
%
%   @throws refused(forbidden, Message)
%   @throws unknown(PredicateIndicator)

check_goal(M, Goal) :-
    refuse_qualifiers(Goal),
    check(Goal, M, query).

%!  check_body(+Module, +Body) is det.
%
%   As check_goal/2, but an unknown predicate is let through: it is an error when it is called.

check_body(M, Body) :-
    refuse_qualifiers(Body),
    check(Body, M, body).

check(Goal, _, _) :-
    var(Goal),
    !,
    refuse("a variable cannot be called as a goal: write the goal itself", []).
check(Goal, _, _) :-
    \+ callable(Goal),
    !,
    refuse("~q cannot be called: it is no goal", [Goal]).
check(Goal, M, Where) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    PI = Name/Arity,
    (   owner(M, Head, _)
    ->  true
    ;   functor(Spec, Name, Arity),
        meta(Spec),
        visible(M, Head)
    ->  check_arguments(Arity, Goal, Spec, M, Where)
    ;   pure(PI),
        visible(M, Head)
    ->  true
    ;   known_elsewhere(M, Head)
    ->  refuse_predicate(PI)
    ;   Where == body,
        ordinary(Name)
    ->  true
    ;   throw(unknown(PI))
    ).

% ordinary(+Name): no control structure has such a name. The compiler knows some that are no predicates, (a | b) for
% one: they would pass for unknown predicates here, and run in a clause.

ordinary(Name) :-
    atom(Name),
    sub_atom(Name, 0, 1, _, First),
    char_type(First, csymf),
    First \== '_'.

check_arguments(0, _, _, _, _) :- !.
check_arguments(I, Goal, Spec, M, Where) :-
    arg(I, Spec, Mode),
    arg(I, Goal, Arg),
    check_argument(Mode, Arg, M, Where),
    I1 is I-1,
    check_arguments(I1, Goal, Spec, M, Where).

check_argument(?, _, _, _) :- !.
check_argument(^, Arg, M, Where) :-
    !,
    strip_quantifiers(Arg, Goal),
    check(Goal, M, Where).
check_argument(Extra, Closure, M, Where) :-
    extended(Extra, Closure, Goal),
    check(Goal, M, Where).

strip_quantifiers(Arg, Arg) :-
    var(Arg),
    !.
strip_quantifiers(_^Arg, Goal) :-
    !,
    strip_quantifiers(Arg, Goal).
strip_quantifiers(Goal, Goal).

% extended(+N, +Closure, -Goal): Goal is Closure with N more arguments, which are not known yet.

extended(N, Closure, Goal) :-
    N > 0,
    callable(Closure),
    !,
    compound_parts(Closure, Name, Args0),
    length(Extra, N),
    append(Args0, Extra, Args),
    compound_name_arguments(Goal, Name, Args).
extended(_, Goal, Goal).

compound_parts(Closure, Name, Args) :-
    compound(Closure),
    !,
    compound_name_arguments(Closure, Name, Args).
compound_parts(Name, Name, []).

% visible(+Module, :Head): calling Head in Module runs a predicate that exists.

visible(M, Head) :-
    predicate_property(M:Head, defined),
    !.

% known_elsewhere(+Module, :Head): SWI-Prolog has such a predicate, but it is not for strangers.

known_elsewhere(M, Head) :-
    visible(M, Head),
    !.
known_elsewhere(_, Head) :-
    functor(Head, Name, Arity),
    '$in_library'(Name, Arity, Path),
    \+ sub_atom(Path, _, _, _, clpfd),
    !.

refuse_qualifiers(Term) :-
    (   qualified(Term)
    ->  refuse("module qualifiers (:) are not allowed", [])
    ;   true
    ).

qualified(Term) :-
    compound(Term),
    (   compound_name_arity(Term, :, 2)
    ->  true
    ;   arg(_, Term, Arg),
        qualified(Arg)
    ->  true
    ).

refuse_predicate(PI) :-
    refuse("~q is not allowed: ask with the predicates of the program and of your rules, and with pure \c
            built-ins (control, comparison, arithmetic, lists, findall/3 and its kin, text)", [PI]).

refuse(Format, Args) :-
    format(string(Message), Format, Args),
    throw(refused(forbidden, Message)).

%!  claim(+Module, +Source, +Head) is det.
%
%   From now on Head's predicate belongs to Source, which may define it: it is neither built in nor defined by another
%   source.
%
%   @throws refused(program, Message)

claim(M, Source, Head) :-
    functor_head(Head, General, PI),
    (   owner(M, General, Owner)
    ->  (   Owner == Source
        ->  true
        ;   source_name(Owner, Name),
            refuse_clause("~q is defined by ~w already and cannot be redefined", [PI, Name])
        )
    ;   PI == (:)/2
    ->  refuse_clause("module qualifiers (:) are not allowed", [])
    ;   built_in(General)
    ->  refuse_clause("~q is built in and cannot be redefined", [PI])
    ;   PI = Name/_,
        \+ ordinary(Name)
    ->  refuse_clause("~q cannot be defined: the name of a predicate begins with a letter", [PI])
    ;   assertz(owner(M, General, Source))
    ).

functor_head(Head, General, Name/Arity) :-
    callable(Head),
    !,
    functor(Head, Name, Arity),
    functor(General, Name, Arity).
functor_head(Head, _, _) :-
    refuse_clause("~q cannot be the head of a clause", [Head]).

source_name(program, "the program").
source_name(rules(_, Name), Name).

% As in SWI-Prolog itself, a program may give its own meaning to a library predicate (last/2), but not to
% one of the system.

built_in(Head) :-
    predicate_property(system:Head, defined),
    !.
refuse_clause(Format, Args) :-
    format(string(Message), Format, Args),
    throw(refused(program, Message)).

%!  owned(+Module, -PredicateIndicators) is det.
%
%   The predicates that the program and the rules define, in their order.

owned(M, PIs) :-
    findall(Name/Arity, ( owner(M, Head, _), functor(Head, Name, Arity) ), PIs).

%!  forget(+Module) is det.
%
%   Nothing is owned in Module any more.

forget(M) :-
    retractall(owner(M, _, _)).
