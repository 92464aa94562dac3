:- module(things,
          [ subject//5,                 % -X, +Literals0, -Literals, +D0, -D
            pronominal//5,              % -Quantifier, ?X, -Literals, +D0, -D
            object//6,                  % ?X, -Y, +Goals, -Literals, +D0, -D
            rest//1,                    % -N
            had/1,                      % +Goal
            is_other/2,                 % ?Y, +Literal
            two//4,                     % -X, -Y, +D0, -D
            several//3,                 % -Xs, +D0, -D
            shared_after/3,             % +Said0, +Said1, -Literals
            renamed/4,                  % +Y, +Goals, -Z, -Goals1
            other_than/4                % ?X, ?Y, +Literals0, -Literals
          ]).

/** <module> The things that a sentence is about: one, quantified ones, others

Subjects and objects of the sentences of grammar.pl, which says what literals and definites are.
*/

:- use_module(nouns).
:- use_module(numbers, [most//1]).
:- use_module(particles).
:- use_module(phrases, [is_among/2, modifiers//4]).
:- use_module(library(apply), [exclude/3, maplist/3]).
:- use_module(library(terms), [mapsubterms/3]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).

%!  subject(-X, +Literals0, -Literals, +D0, -D)// is nondet.
%!  pronominal(-Quantifier, ?X, -Literals, +D0, -D)// is nondet.
%
%   One thing, or a quantified one, of which Literals0 are said; something that a pronoun stands for.

subject(X, Ls, Ls, D0, D) --> definite(X, D0, D).
subject(X, Ls0, Ls, D0, D) -->
    quantifier(Q),
    { Q \== all },
    nominal(X, _, Ls1, D0, D),
    { quantified(Q, X, Ls1, Ls0, Ls) }.
subject(X, Ls0, [every(X, Ls1, Ls0)], D0, D) --> group(X, Ls1, D0, D).
subject(X, Ls0, Ls, D0, D) -->
    ( [either], { Q = some } ; [neither], { Q = no } ),
    of_the,
    so_many(2, X, Ls1, D0, D),
    { quantified(Q, X, Ls1, Ls0, Ls) }.
subject(X, Ls0, Ls, D0, D) --> pronominal(Q, X, Said, D0, D), { quantified(Q, X, Said, Ls0, Ls) }.

pronominal(Q, X, Ls, D0, D) -->
    pronoun(Q, X, Ls0),
    other([else], X, Ls1, D0),
    adjectives(X, Ls2),
    modifiers(X, Ls3, D0, D),
    { append([Ls0,Ls1,Ls2,Ls3], Ls) }.

%!  object(?X, -Y, +Goals, -Literals, +D0, -D)// is nondet.
%
%   One thing or a quantified one, Y, of which Goals say how X is related to it.

object(X, Y, Goals, Ls, D0, D) -->
    [neither],
    ( [] ; put(a) ),
    one_object(X, Y, Goals, Ls0, D0, D1),
    [nor],
    ( [] ; put(a) ),
    { renamed(Y, Goals, Z, Goals1) },
    one_object(X, Z, Goals1, Ls1, D1, D),
    { Ls = [none(Ls0),none(Ls1)] }.
object(X, Y, Goals, Ls, D0, D) -->
    ( [both], { Both = true } ; [either], { Both = false } ; [] ),
    one_object(X, Y, Goals, Ls0, D0, D1),
    (   { is_list(Goals),
          renamed(Y, Goals, Z, Goals1) },
        (   any_of([and,but]), [not], one_object(X, Z, Goals1, Ls1, D1, D), { append(Ls0, [none(Ls1)], Ls) }
        ;   { Both \== false }, ( [and] ; [but], unless(the) ), again, object(X, Z, Goals1, Ls1, D1, D), { append(Ls0, Ls1, Ls) }
        ;   [','], again, object(X, Z, Goals1, Ls1, D1, D),
            { Ls1 = [either(_, _)] -> Ls = [either(Ls0, Ls1)] ; Ls1 = [_,_|_], append(Ls0, Ls1, Ls) }
        ;   { Both \== true }, [or], again, object(X, Z, Goals1, Ls1, D1, D), { Ls = [either(Ls0, Ls1)] }
        )
    ;   { var(Both), Ls = Ls0, D = D1 }
    ).

again --> ahead([a,an,the,every,each,another,any,no]).
again, [Name] --> [Name], { atom(Name), sub_atom(Name, 0, _, _, ob_) }.

%!  renamed(+Y, +Goals, -Z, -Goals1) is det.
%
%   Goals1 say of Z what Goals say of Y.

renamed(Y, Goals, Z, Goals1) :- atom(Y), !, mapsubterms(in_place_of(Y, Z), Goals, Goals1).
renamed(Y, Goals, Z, Goals1) :-
    term_variables(Goals, Variables0),
    exclude(==(Y), Variables0, Variables),
    copy_term(Variables-Y-Goals, Variables-Z-Goals1).

in_place_of(Y, Z, Y0, Z) :- Y0 == Y.

one_object(X, Y, Goals, Goals, D0, D) -->
    definite(Y, D0, D),
    { \+ ( D = [the(Y0, [Other|_], _)|_], Y0 == Y, Other == other(Y), \+ is_one(X, D0) ) }.
one_object(X, Y, Goals, Goals, D, D) -->        % in front of the cube but not left of it
    [it],
    { \+ memberchk(it(_), D),
      with_it(D, [it(Y)|_]),
      Y \== X,
      findall(noun, member(noun(_, _, _), D), Nouns),
      \+ Nouns = [_,_,_|_] }.
one_object(X, Y, Goals, [every(Y, Ls, Goals)], D0, D) --> group(Y, Ls0, D0, D), { other_than(X, Y, Ls0, Ls) }.
one_object(X, Y, Goals, Ls, D0, D) -->          % the other red thing, the other two, the others; another
    (   [the], rest(N)
    ;   [another], { N = some }
    ),
    (   nominal(Y, _, Ls0, D0, D1)
    ;   \+ nominal(_, _, _, D0, _), { same_noun(D0, X, Y, Ls0), D1 = D0 }
    ),
    { others(N, X, Y, [Y \== X|Ls0], Goals, Ls, D1, D) }.
one_object(X, Y, Goals, [counted(Y, Ls, N),Some,one_of(Ways)], D0, D) -->
    [the],                                      % the most helmets: more than any other such thing
    most(Sign),
    nominal(Y, plural, Ls0, D0, D),
    { append(Ls0, Goals, Ls),
      More =.. [Sign,M,N],
      ( Sign == (>) -> Some = (N > 0) ; Some = (N >= 0) ),
      compared_with(D, X, Nouns),
      maplist(no_more(X-N, counted(Y, Ls, N), M-More), Nouns, Ways) }.
one_object(X, Y, Goals, Ls, D0, D) -->
    (   quantifier(Q), { Q \== all }
    ;   { Q = some, Number = plural }
    ),
    nominal(Y, Number, Ls1, D0, D),
    { other_than(X, Y, Ls1, Ls2),
      quantified(Q, Y, Ls2, Goals, Ls) }.
one_object(X, Y, Goals, Ls, D0, D) -->
    pronoun(Q, Y, Ls0),
    other([else], Y, Other, []),
    all_adjectives(Y, Ls1),
    modifiers(Y, Ls2, D0, D),
    {   Other == [other(Y)], ( member(noun(Z, _, _), D0) ; member(mentioned(Z), D0) ), Z \== X
    ->  Than = [else]
    ;   Than = []
    },
    { append([Than, [Y \== X|Ls0], Ls1, Ls2], Said),
      quantified(Q, Y, Said, Goals, Ls) }.

one_object(X, Y, [Goal], Ls, D0, D) -->         % a person with a helmet, one without one: what is had is the only other named
    [one],
    { had(Goal),
      exclude(called_as(X, D0), D0, D1),
      antecedent(D1, Y, Noun),
      (   Noun \== [], memberchk(noun(Z, [_|_], Such0), D1)
      ->  \+ ( append(_, [noun(X0, _, _)|Before], D0), X0 == X, \+ memberchk(noun(Z, _, Such0), Before) ),   % such as it has itself
          copy_term(Z-Such0, Y-Such), sort([Noun,Such], Ways), L = one_of(Ways)    % a yellow helmet: any, or a yellow one
      ;   L = refused("one of what? name it: say a person without a helmet")
      ) },
    modifiers(Y, Ls1, [noun(Y, Noun, Noun)|D0], D),
    { quantified(some, Y, [L|Ls1], [Goal], Ls) }.

%!  two(-X, -Y, +D0, -D)// is nondet.
%!  several(-Xs, +D0, -D)// is nondet.
%
%   The cube and the ball; the cube, the ball and the ring.

two(X, Y, D0, D) --> maybe([both]), definite(X, D0, D1), maybe([',']), [and], definite(Y, D1, D).

several([X,Y], D0, D) --> two(X, Y, D0, D).
several([X|Xs], D0, D) --> later([',']), definite(X, D0, D1), [','], several(Xs, D1, D).

no_more(XN, Counted, M-More, Noun, [none([exists(X, [of(X-M, XN, [Counted|Noun]),More])])]).

%!  shared_after(+Said0, +Said1, -Literals) is semidet.
%
%   A car or a bus that is red: what follows the second noun may be said of the first, too. Said0 and Said1 are X-Literals-D, D
%   as it is after the noun.

shared_after(X-Ls0-D0, Y-Ls1-D1, Ls) :-
    (   after_noun(X-Ls0-D0, []),
        after_noun(Y-Ls1-D1, Said),
        Said \== []
    ->  renamed(Y, Said, X, Shared),
        append(Ls0, Shared, Both),
        Ls = [one_of([Ls0,Both])]
    ;   Ls = Ls0
    ).

after_noun(X-Ls0-D, Ls) :- member(noun(X0, _, Noun), D), X0 == X, !, exclude(is_among(Noun), Ls0, Ls).

%!  rest(-N)// is nondet.

rest(N) --> [other], number(N).
rest(N) --> number(N), any_of([other,others]).
rest(1) --> [other].
rest(all) --> [others].

%   others(+N, ?X, ?Y, +Literals0, +Goals, -Literals, +D0, -D): Goals hold of some Y other than X, of all, or of all N that
%   there are; of a single X this is taken for granted.

others(some, _, Y, Ls0, Goals, Ls, D, D) :- !, quantified(some, Y, Ls0, Goals, Ls).
others(all, _, Y, Ls, Goals, [every(Y, Ls, Goals)], D, D) :- !.
others(N, X, Y, Ls, Goals, [every(Y, Ls, Goals)], D, [so_many(Y, Ls, [others], N)|D]) :- is_one(X, D), !.
others(N, _, Y, Ls, Goals, [every(Y, Ls, Goals)], D, [so_many(Z, Such, [things,compared], M)|D]) :-
    M is N+1,
    exclude(is_other(Y), Ls, Others),
    renamed(Y, Others, Z, Such).

%!  is_other(?Y, +Literal) is semidet.

is_other(Y, L) :- nonvar(L), L = (Y0 \== _), Y0 == Y.

is_one(X, _) :- atom(X), !.
is_one(X, D) :- member(the(X0, _, _), D), X0 == X, !.

%   called_as(?X, +D, +Definite): it is a noun of a thing that is called as X is in D.

called_as(X, D, noun(Z, Ls, _)) :- member(noun(X0, Ls0, _), D), X0 == X, \+ \+ ( Z = X, Ls == Ls0 ), !.

%!  had(+Goal) is semidet.

had(Goal) :- nonvar(Goal), functor(Goal, P, 2), memberchk(P, ['$had','$worn',has,wears]).

%   same_noun(+D, ?X, ?Y, -Literals): Y is called what X is; if X is the only one with its adjectives, without these.

same_noun(_, X, _, []) :- atom(X), !.
same_noun(D, X, Y, Ls) :-
    member(noun(X0, Ls0, Ls1), D),
    X0 == X,
    !,
    ( is_one(X, D) -> copy_term(X-Ls0, Y-Ls) ; copy_term(X-Ls1, Y-Ls) ).

%!  other_than(?X, ?Y, +Literals0, -Literals) is det.
%
%   A Y that Literals0 say is another one is another than X.

other_than(X, Y, Ls0, Ls) :- append(Before, [Other|Rest], Ls0), Other == other(Y), !, append(Before, [Y \== X|Rest], Ls).
other_than(_, _, Ls, Ls).

% all_adjectives(?X, -Literals)//: all that follow: of something red it is not said that something else is red.

all_adjectives(X, Ls) --> adjectives(X, Ls), !.
