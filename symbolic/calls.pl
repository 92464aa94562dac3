:- module(calls,
          [ inner/4,                    % ?I, +Goal, +Spec, -Inner
            applied/2,                  % +Goal, -Inner
            literal/2                   % +Body, -Literal
          ]).

/** <module> Goals inside of goals

A goal may call its arguments: allowed.pl says which, and a module's own predicate of the same name need not. A lambda
expression, Parameters>>Body or Free/Parameters>>Body, is called with more arguments, and calls Body with those that
are left.
*/

:- use_module(library(lists), [append/3, same_length/2]).
:- use_module(library(prolog_code), [extend_goal/3]).

%!  inner(?I, +Goal, +Spec, -Inner) is nondet.
%
%   Argument I of Goal, whose predicate meta/2 gives Spec, is called: as Inner, with arguments that are not known yet. What
%   cannot be called is Inner as it is.

inner(I, Goal, Spec, Inner) :-
    arg(I, Spec, Mode),
    Mode \== (?),
    arg(I, Goal, Arg),
    (   Mode == (^)
    ->  strip_quantifiers(Arg, Inner)
    ;   callable(Arg)
    ->  length(Extra, Mode),
        extend_goal(Arg, Extra, Inner0),
        ( applied(Inner0, Inner) -> true ; Inner = Inner0 )
    ;   Inner = Arg
    ).

% strip_quantifiers(+Arg, -Goal): Goal is Arg without the variables that it quantifies, as in X^Goal.

strip_quantifiers(Arg, Goal) :-
    nonvar(Arg),
    Arg = _^Inner,
    !,
    strip_quantifiers(Inner, Goal).
strip_quantifiers(Goal, Goal).

%!  applied(+Goal, -Inner) is semidet.
%
%   Goal is a lambda expression, called with more arguments, and calls Inner.

applied(Goal, Inner) :-
    compound(Goal),
    compound_name_arguments(Goal, >>, [Parameters0,Body|Arguments]),
    (   nonvar(Parameters0),
        Parameters0 = _/Parameters
    ->  true
    ;   Parameters = Parameters0
    ),
    is_list(Parameters),
    callable(Body),
    (   same_length(Parameters, Taken),
        append(Taken, Left, Arguments)
    ->  true
    ;   Left = []
    ),
    extend_goal(Body, Left, Inner).

%!  literal(+Body, -Literal) is nondet.
%
%   Body is a conjunction with Literal, which has arguments, in it.

literal((A, B), Literal) :-
    !,
    ( literal(A, Literal) ; literal(B, Literal) ).
literal(Literal, Literal) :-
    compound(Literal).
