:- module(guard,
          [ check_goal/2,               % +Module, +Goal
            check_body/2,               % +Module, +Body
            claim/3,                    % +Module, +Source, +Head
            reclaim/3,                  % +Module, +Head, +NewHead
            owner/3,                    % ?Module, ?GeneralHead, ?Source
            owned/3,                    % +Module, -PredicateIndicators, -More
            indicator_text/2,           % +PredicateIndicator, -Text
            forget/1,                   % +Module
            trust/0,
            trusting/0,
            refuse_qualifiers/1,        % +Term
            refuse/3                    % +Kind, +Format, +Args
          ]).

/** <module> What a stranger's goal or clause may call

A goal passes if every predicate it can reach is known before it runs: a predicate that the program or
the rules define, or one listed in allowed.pl. Goals inside meta-calls are checked like the others, so they
must be there to be seen: a variable as a goal is refused. So is a module qualifier, anywhere.

Two facts make the check at load time sound. A loaded program never changes, because nothing that could
change it is allowed; suppose.pl changes facts of a copy, between goals, and never which predicates it has. And a name
that means nothing when a clause is checked still means nothing when it runs, unless a checked clause defines it: programs
see only their own module, the built-ins of allowed.pl and the system's predicates, autoloading is off (host.pl), and
what the compiler gives a meaning that no predicate has passes neither for such a name nor for one that can be defined:
its control structures (ordinary/1), and call/N for any N (built_in/1).

safe_goal/1 of library(sandbox) stands behind this guard, but not in every question: it needs autoloading, and takes
milliseconds for dif/2 and aggregate_all/3, whose own code it reads each time. What it would say of a goal follows from
what it says of the built-ins, which is always the same. So a test asks it of every one of them
(tests/symbolic/test_built_ins.py): the table is nowhere more generous than the library, but for exceptions with a
written reason.

A lambda expression passes if its parameters are a list, so that it is known how many arguments it takes of those that it
is called with, and its body passes with those that are left (calls.pl).

Where the goals and the rules are one's own, trust/0 lifts all of this, for good, in the process that calls it.

Who defined what is kept in owner/3: program, or rules(I, Name) for the I-th rule file.

Refusals are exceptions: refused(Kind, Message) and unknown(PredicateIndicator). They quote what they refuse, and no
message is longer than a few lines, however long the thing.
*/

:- use_module(allowed).
:- use_module(calls).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(solution_sequences), [limit/2]).

:- dynamic owner/3.                     % owner(Module, GeneralHead, Source)
:- dynamic trusting/0.

%!  check_goal(+Module, +Goal) is det.
%
%   True when Goal may be called in the program loaded in Module.
%
%   @throws refused(forbidden, Message)
%   @throws unknown(PredicateIndicator)

check_goal(M, Goal) :- checked(Goal, M, query).

%!  check_body(+Module, +Body) is det.
%
%   As check_goal/2, but an unknown predicate is let through: it is an error when it is called.

check_body(M, Body) :- checked(Body, M, body).

checked(Goal, M, Where) :- ( trusting -> true ; refuse_qualifiers(Goal), check(Goal, M, Where) ).

check(Goal, _, _) :-
    var(Goal),
    !,
    refuse(forbidden, "a variable cannot be called as a goal: write the goal itself", []).
check(Goal, _, _) :-
    \+ callable(Goal),
    !,
    ( number(Goal) -> Cure = ": a decimal number has a point, 0.5" ; Cure = "" ),
    refuse(forbidden, "~w cannot be called: it is no goal~w", [q(Goal), Cure]).
check(Goal, _, _) :-
    without_arguments(Goal),
    !,
    refuse(forbidden, "~w cannot be called: leave out the ()", [q(Goal)]).
check(Goal, M, Where) :-
    applied(Goal, Inner),
    !,
    check(Inner, M, Where).
check(Goal, M, Where) :-
    functor(Goal, Name, Arity),
    functor(Head, Name, Arity),
    PI = Name/Arity,
    (   owner(M, Head, _)
    ->  true
    ;   meta(Head, Spec),
        visible(M, Head)
    ->  forall(( between(1, Arity, I), inner(I, Goal, Spec, Inner) ), check(Inner, M, Where))
    ;   pure(Head),
        visible(M, Head)
    ->  true
    ;   instead(PI, Where, Kind, Advice)
    ->  refuse(Kind, Advice, [])
    ;   known_elsewhere(M, Head)
    ->  findall(Group, group(Group, _, _), Groups),
        atomic_list_concat(Groups, ', ', Names),
        refuse(forbidden,
               "~w is not allowed: ask with the predicates of the program and of your rules, and with the pure built-ins \c
                listed in docs/built-ins.md (~w)", [q(PI), Names])
    ;   Where == body,
        ordinary(Name),
        \+ calls_arguments(Name)
    ->  true
    ;   throw(unknown(PI))
    ).

% without_arguments(+Goal): Goal is written p(), which is neither p nor any other predicate.

without_arguments(Goal) :-
    compound(Goal),
    compound_name_arity(Goal, _, 0).

% ordinary(+Name): no control structure has such a name. The compiler knows some that are no predicates, (a | b) for
% one: they would pass for unknown predicates here, and run in a clause.

ordinary(Name) :-
    atom(Name),
    sub_atom(Name, 0, 1, _, First),
    char_type(First, csymf),
    First \== '_'.

% calls_arguments(+Name): a built-in of this name, if of another arity, calls arguments of its own. maplist/9 means nothing
% to Prolog, and its arguments were not checked: whoever interprets a body (why.pl) must not find a meaning for it.

calls_arguments(Name) :- once(( meta(Head, _), functor(Head, Name, _) )).

% visible(+Module, :Head): calling Head in Module runs a predicate that exists.

visible(M, Head) :- once(predicate_property(M:Head, defined)).

% known_elsewhere(+Module, :Head): SWI-Prolog has such a predicate, but it is not for strangers.

known_elsewhere(M, Head) :-
    functor(Head, Name, Arity),
    once(( visible(M, Head) ; '$in_library'(Name, Arity, Path), \+ sub_atom(Path, _, _, _, clpfd) )).

%!  refuse_qualifiers(+Term) is det.
%
%   @throws refused(forbidden, Message) where Term has a module qualifier, or a dot, unless it is trusted.

refuse_qualifiers(Term) :-
    forall(( \+ trusting, sub_term(Part, Term), nonvar(Part), meant_elsewhere(Part, Format, Args) ),
           refuse(forbidden, Format, Args)).

meant_elsewhere(_:_, "module qualifiers (:) are not allowed", []).
meant_elsewhere(Dotted, ".~w takes nothing out of a term: ask by a goal, as in colour(X, V); a full stop has a blank after it", [q(Key)]) :-
    compound(Dotted),
    compound_name_arguments(Dotted, '.', [_,Key]).

% instead(?PredicateIndicator, ?Where, -Kind, -Advice): what many a user calls in a query or a body, and what to do
% instead. Kind is that of the refusal.

instead((:-)/2, query, forbidden, "a clause cannot be asked: it belongs in a file of rules").
instead((:-)/1, query, forbidden, "a directive cannot be asked: it belongs in a file of rules").
instead(not/1, _, forbidden, "not/1 is not allowed: write \\+ Goal").
instead((=>)/2, query, forbidden, "=>/2 compares nothing: write >= for at least").
instead(listing/1, query, forbidden, "a query lists no clauses: `repl` does, and `export` writes the whole program").
instead(Name/_, _, forbidden, "nothing is changed by asking: give facts as rules") :- memberchk(Name, [assertz,asserta,assert]).
instead(PI, query, loads, "a query loads no files: give rules beside it") :-
    memberchk(PI, ['[|]'/2, consult/1]).

%!  refuse(+Kind, +Format, +Args) is erroneous.
%
%   An argument q(Term) becomes the text of Term, or its beginning if that is long; Name/Arity is no division.
%
%   @throws refused(Kind, Message)

refuse(Kind, Format, Args) :-
    maplist(quoted, Args, Texts),
    format(string(Message), Format, Texts),
    throw(refused(Kind, Message)).

quoted(Arg, Text) :-
    nonvar(Arg),
    Arg = q(Term),
    !,
    ( indicator_text(Term, Whole) -> true ; format(string(Whole), "~q", [Term]) ),
    (   sub_string(Whole, 0, 300, After, Beginning),
        After > 3
    ->  string_concat(Beginning, "...", Text)
    ;   Text = Whole
    ).
quoted(Text, Text).

%!  indicator_text(+PredicateIndicator, -Text) is semidet.
%
%   Text is `#=/2`, not `#= / 2` or `(#=)/2`. False if it is no predicate indicator.

indicator_text(PI, Text) :-
    nonvar(PI),
    PI = Name/Arity,
    ( atom(Name) -> true ; Name == [] ),        % no atom, but a name
    integer(Arity),
    format(string(Text), "~q/~d", [Name, Arity]).

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
        ;   ( Owner = rules(_, Name) -> true ; Name = "the program" ),
            refuse(program, "~w is defined by ~w already and cannot be redefined: rename it, or leave these rules out", [q(PI), Name])
        )
    ;   meant_elsewhere(Head, Format, Args)
    ->  refuse(program, Format, Args)
    ;   built_in(General)
    ->  refuse(program, "~w is built in and cannot be redefined", [q(PI)])
    ;   PI = Name/_,
        \+ ordinary(Name)
    ->  refuse(program, "~w cannot be defined: the name of a predicate begins with a letter", [q(PI)])
    ;   assertz(owner(M, General, Source))
    ).

%!  reclaim(+Module, +Head, +NewHead) is det.
%
%   Whoever claimed Head has claimed NewHead in its place.

reclaim(M, Head, NewHead) :-
    forall(retract(owner(M, Head, Source)), claim(M, Source, NewHead)).

functor_head(Head, General, Name/Arity) :-
    callable(Head),
    \+ without_arguments(Head),
    !,
    functor(Head, Name, Arity),
    functor(General, Name, Arity).
functor_head(Head, _, _) :-
    refuse(program, "~w cannot be the head of a clause", [q(Head)]).

% As in SWI-Prolog itself, a program may give its own meaning to a library predicate (last/2), but not to
% one of the system. Of call/N the system has predicates up to call/8, but the compiler takes every call/N for its own,
% whatever clauses there are: call/9 of a program's own would pass for one of its predicates, and call anything.

built_in(Head) :- once(( functor(Head, call, _) ; predicate_property(system:Head, defined) )).

%!  owned(+Module, -PredicateIndicators, -More) is det.
%
%   The predicates that the program and the rules define, in their order. Of very many, and of very long names, not
%   all: the list stands in messages, and is searched for similar names. There are More that are not in it.

owned(M, PIs, More) :-
    findall(Name/Arity,
            limit(200, ( owner(M, Head, _),
                         functor(Head, Name, Arity),
                         atom_length(Name, Length),
                         Length =< 60 )),
            PIs),
    length(PIs, Told),
    aggregate_all(count, owner(M, _, _), All),
    More is All-Told.

%!  forget(+Module) is det.
%
%   Nothing is owned in Module any more.

forget(M) :- retractall(owner(M, _, _)).

%!  trust is det.
%
%   From now on goals and rules may call whatever Prolog has, as they do outside of this program.

trust :-
    assertz(trusting),
    set_prolog_flag(autoload, true).
