:- module(references,
          [ resolved/2                  % +Parse0, -Parse
          ]).

/** <module> Which things "other" and "such" mean in a parsed question
*/

:- use_module(things, [renamed/4]).
:- use_module(library(apply), [exclude/3, foldl/4, maplist/3]).
:- use_module(library(lists), [append/3, member/2, select/3]).
:- use_module(library(occurs), [sub_term/2]).

%!  resolved(+Parse0, -Parse) is det.
%
%   Parse is Parse0 with plain literals in the place of other(X) and of(Y, X, Literals). What a question takes to be one
%   thing is the same wherever it is spoken of; the other variables of Literals are those of Y alone.
%
%   @throws refused(question, Text) if nothing says than which thing X is another.

resolved(q(Definites0, Asked0), q(Definites, Asked)) :-
    foldl(only_thing, Definites0, [], Xs),
    Context = context(Xs, Definites0-Asked0, all),
    maplist(plain(Context), Definites0, Definites),
    plain(Context, Asked0, Asked).

only_thing(Definite, Xs0, Xs) :- ( Definite = the(X, _, _) -> Xs = [X|Xs0] ; Xs = Xs0 ).

%   plain(+Context, +Term0, -Term): Context is context(Xs, Parse, Among), of the things Xs that are taken to be one each.
%   The one at the top is Among such things; one at the top among all.

plain(_, Term, Term) :- \+ compound(Term), !.
plain(context(Xs, Parse, all), the(X, Ls0, Words), the(X, Ls, Words)) :- !, plain(context(Xs, Parse, such), Ls0, Ls).
plain(Context, [L|Ls0], Ls) :-
    !,
    plain_literals(L, Context, Plain),
    plain(Context, Ls0, Ls1),
    append(Plain, Ls1, Ls).
plain(Context, some(X, Ls0, Words), some(X, Ls, Words)) :-
    !,
    exclude(==(other(X)), Ls0, Ls1),
    plain(Context, Ls1, Ls).
plain(Context, every(X, Ls0, Goals0), every(X, Ls, Goals)) :-
    select(Other, Ls0, Ls1),
    Other == other(X),
    !,
    ( only_one_related(X, Context, Y) -> plain(Context, [X \== Y|Ls1], Ls) ; unsaid ),
    plain(Context, Goals0, Goals).
plain(Context, Term0, Term) :-
    Term0 =.. [Name|Args0],
    maplist(plain(Context), Args0, Args),
    Term =.. [Name|Args].

plain_literals(L, _, [L]) :- var(L), !.
plain_literals(of(Y, X, Ls0), Context, Ls) :-
    !,
    Context = context(Xs0, _, _),
    ( nonvar(X), X = Thing-_ -> true ; Thing = X ),        % with a number that goes with it
    ( atom(Thing) -> renamed(Thing, X-Ls0, _, V-Ls2) ; V-Ls2 = X-Ls0 ),
    exclude(==(Thing), Xs0, Xs),
    copy_term(Xs-V-Ls2, Xs-Y-Ls1),
    plain(Context, Ls1, Ls).
plain_literals(other(X), Context, Ls) :-
    !,
    (   only_one_related(X, Context, Y)
    ->  Ls = [X \== Y]
    ;   Context = context(_, Parse, _),
        related(X, Parse, _)
    ->  Ls = []                         % such as "touches another thing": nothing touches itself
    ;   unsaid
    ).
plain_literals(else, _, _) :- unsaid.
plain_literals(refused(Text), _, _) :- throw(refused(question, Text)).
plain_literals(cornered(X), context(_, _-Asked, Among), []) :-
    ( Among == such ; sub_term(Things, Asked), nonvar(Things), Things = things(X0, _), X0 == X ),
    !.
plain_literals(cornered(_), _, _) :-
    throw(refused(question, "something is always nearest to a corner: ask what is in the corner, which names it")).
plain_literals(sided, context(_, _, such), []) :- !.
plain_literals(sided, _, _) :-
    throw(refused(question, "a side or the middle of the picture may be half of it or one thing: ask for the \c
                             leftmost or the lowest thing, or what is left of ob_2")).
plain_literals(placed(Such, All), Context, Ls) :-
    !,
    ( Context = context(_, _, such) -> plain(Context, Such, Ls) ; plain(Context, All, Ls) ).
plain_literals(L0, Context, [L]) :- plain(Context, L0, L).

unsaid :-
    throw(refused(question, "other things than which? say of the same colour as the cube, or left of ob_2")).

only_one_related(X, context(Xs, Parse, _), Y) :-
    related(X, Parse, Y),
    ( atom(Y) -> true ; member(X1, Xs), X1 == Y ),
    !.

%   related(+X, +Parse, -Y): a literal of Parse says something of X and another thing or value Y.

related(X, Parse, Y) :-
    sub_term(Literal, Parse),
    compound(Literal),
    Literal =.. [Name|Args],
    Name \== of,
    select(Arg, Args, Rest),
    Arg == X,
    member(Y, Rest),
    ( var(Y) -> Y \== X ; atom(Y), sub_atom(Y, 0, _, _, ob_) ).
