:- module(grammar,
          [ question//1,                % -Question
            position_question//1        % -Question
          ]).

/** <module> A grammar of questions about things, in English

A sentence is a list of words in small letters. Its parse is

    q(Definites, Asked)

Definites, in the order in which they can be found, are what the question takes for granted:

| the(X, Literals, Words)        | X is the only thing of which Literals hold; Words call it so         |
| some(X, Literals, Words)       | there is such a thing                                                |
| so_many(X, Literals, Words, N) | there are N such things                                              |

Asked is

| holds(Literals)                | is it so?                                                            |
| count(X, Literals)             | of how many things X?                                                |
| things(X, Literals)            | of which things X?                                                   |
| values(V, Literals)            | what is V?                                                           |
| kinds(V, Literals)             | of how many V?                                                       |
| compared(Count, Sign, Count)   | two numbers, each count(X, Literals) or a number                     |

A literal is a goal, or

| one_of(Ways)                   | the literals of one of Ways hold: each gives a reading               |
| exists(X, Literals)            | for a thing X                                                        |
| every(X, Literals, Literals)   | of every thing X of which the first hold the second do               |
| number(X, Literals, Sign, N)   | of so many things X                                                  |
| counted(X, Literals, N)        | there are N things X                                                 |
| none(Literals)                 | not all of them hold                                                 |
| either(Literals, Literals)     | the first hold or the second                                         |
| of(Y, X, Literals)             | what Literals say of X is true of Y                                  |
| other(X)                       | another literal says than which thing X is another                   |

Definites are threaded through as D0 and D, the last first, with it(X) for what "it" is.
*/

:- use_module(extremes).
:- use_module(lexicon, [attribute/3, relation/4]).
:- use_module(particles).
:- use_module(nouns).
:- use_module(phrases).
:- use_module(things).
:- use_module(values).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).
:- use_module(library(occurs), [sub_term/2]).

%!  question(-Question)// is nondet.
%
%   A question; the first parse is the one that is meant.

question(q(Definites, Asked)) -->
    ( introduced(D0), [;] ; { D0 = [] } ),
    asked(Asked, D0, D),
    ( [] ; in_picture ; [in,total] ),
    { taken_for_granted(D, [], Definites) }.

%!  position_question(-Question)// is nondet.
%
%   "is the cube behind the ball left of the ring": behind the ball may belong to the cube, or be what is asked.

position_question(q(Definites, holds(Ls))) -->
    be,
    definite(X, [], D0),
    relating(preposition, X, Y, Goal),
    object(X, Y, [Goal], Ls, D0, D),
    { taken_for_granted(D, [], Definites) }.

position_question(q([], Asked)) -->             % how many shapes are there: things, or kinds of shape?
    [how,many,shapes,are,there],
    {   attribute(shapes, [], A),
        value_in(A, X, V, Ls),
        Asked = kinds(V, [object(X)|Ls])
    ;   Asked = count(_, [])
    }.

taken_for_granted([], Definites, Definites).
taken_for_granted([Definite|D], Definites0, Definites) :-
    (   ( Definite = it(_) ; Definite = noun(_, _, _) )
    ->  taken_for_granted(D, Definites0, Definites)
    ;   taken_for_granted(D, [Definite|Definites0], Definites)
    ).

asked(compared(M, Sign, N), D0, D) --> comparison(M, Sign, N, D0, D).
asked(count(X, Ls), D0, D) -->
    ( [how,many] ; [what,number,of] ),
    counted(X, Ls, D0, D).
asked(kinds(V, [object(X)|Ls]), D, D) -->    % how many colours are there
    [how,many],
    maybe([different]),
    attribute_name(A),
    ( [are,there] ; any_of([do,can]), [you,see] ; [can,be,seen] ),
    { value_in(A, X, V, Ls) }.
asked(kinds(V, [Goal]), D0, D) -->
    [how,many,parts],
    any_of([do,does]),
    { relation(part, [], part, P) },
    definite(X, D0, D),
    [have],
    { Goal =.. [P,V,X] }.
asked(count(X, Ls), D0, D) -->
    [count],
    listed(X, Ls, D0, D).
asked(things(X, Ls), D0, D) -->
    any_of([list,name,show,find]),
    maybe([me]),
    listed(X, Ls, D0, D).
asked(holds(Asked), D0, D) -->
    ( there_be ; any_of([do,can]), [you,see] ; [does], picture, any_of([show,contain,have]) ),
    existing(X, Ls, D0, D1),
    (   [and], ahead([a,an]), existing(Y, Ls1, D1, D), { Asked = [exists(X, Ls),exists(Y, Ls1)] }
    ;   [or], ahead([a,an]), existing(Y, Ls1, D1, D), { Asked = [either([exists(X, Ls)], [exists(Y, Ls1)])] }
    ;   { both_scopes(X, Ls, Asked), D = D1 }
    ).
asked(holds(Ls), D0, D) --> yes_or_no(Ls, D0, D).
asked(values(V, Ls), D0, D) -->
    value(V, Ls, D0, D).
asked(things(X, Ls), D0, D) -->         % which is the largest thing: all that are
    [which],
    be,
    [the],
    \+ \+ superlative(_, [], _),
    nominal(X, singular, Ls, D0, D).
asked(things(X, Ls), D0, D) -->
    ( [which] ; [what], unless(shape), unless(shapes) ),
    which(X, Ls, D0, D).
asked(things(X, Ls), D0, D) -->
    ( [who], { person(X, Ls0) } ; any_of([what,which]), { Ls0 = [] } ),
    predicate(X, Ls1, D0, D),
    { append(Ls0, Ls1, Ls) }.

listed(X, Ls, D0, D) -->
    maybe([all]),
    maybe([the]),
    nominal(X, plural, Ls, D0, D).

counted(X, Ls, D0, D) -->
    maybe([of,the]),
    nominal(X, plural, Ls0, D0, D1),
    (   [are,there], modifiers(X, Ls1, D1, D)
    ;   predicate(X, Ls1, D1, D)
    ;   ( any_of([do,can]), [you,see] ; [does], picture, any_of([show,contain,have]) ; [] ), { Ls1 = [], D = D1 }
    ),
    { append(Ls0, Ls1, Ls) }.
counted(X, [either(Ls0, Ls1)], D0, D) -->       % persons and dogs
    nominal(X, plural, Ls0, D0, D1),
    any_of([and,or]),
    nominal(X, plural, Ls1, D1, D),
    [are,there].
counted(X, Ls, D0, D) --> predicate(X, Ls, D0, D).
counted(X, Ls, D0, D) -->
    [pairs,of],
    several(X, Y, Ls0, Same, D0, D),
    ( [are,there] ; [] ),
    { append(Ls0, [object(Y),of(Y, X, Ls0),X @< Y|Same], Ls) }.

which(X, Ls, D0, D) -->                 % which cube is the largest, is closest to the sphere, is at the top
    those(X, Ls0, D0, D1),
    (   be,
        (   maybe([the]), superlative(X, Ls0, Ls1), { D = D1 }
        ;   nearest(X, Ls0, Ls1, D1, D)
        ;   place(X, Ls0, Ls1), { D = D1 }
        )
    ;   alike(X, Ls0, Ls1), { D = D1 }
    ),
    { append(Ls0, Ls1, Ls) }.
which(X, Ls, D0, D) -->
    those(X, Ls0, D0, D1),
    predicate(X, Ls1, D1, D),
    { append(Ls0, Ls1, Ls) }.
which(X, Ls, D0, D) -->                 % what does the cube touch, which things does it touch
    ( nominal(X, _, Ls0, D0, D1) ; { Ls0 = [], D1 = D0 } ),
    (   any_of([do,does]), subject(Y, [Goal], Ls1, D1, D), relating(base, Y, X, Goal)
    ;   be, subject(Y, [Goal], Ls1, D1, D), relating(participle, Y, X, Goal)
    ),
    { append(Ls0, Ls1, Ls) }.

those(X, Ls, D0, D) -->
    maybe([of,the]),
    nominal(X, _, Ls, D0, D).
those(X, Ls, D0, D) -->
    [of,the],
    number(N),
    so_many(N, X, Ls, D0, D).

existing(X, Ls, D0, D) -->
    ( any_of([a,an,any,some,one]) ; [] ),
    nominal(X, _, Ls, D0, D).
existing(X, Ls, D0, D) -->
    pronoun(some, X, Ls0),
    adjectives(X, Ls1),
    modifiers(X, Ls2, D0, D),
    { append([Ls0,Ls1,Ls2], Ls) }.
existing(X, Ls, D0, D) -->              % two things of the same colour
    ( maybe([any]), [two] ; [a,pair,of] ; maybe([any]), [pairs,of] ; any_of([any,some]) ; [] ),
    several(X, Y, Ls0, Same, D0, D),
    { append(Ls0, [exists(Y, [of(Y, X, Ls0)|Same])], Ls) }.

%   both_scopes(?X, +Literals, -Asked): one X for every one that is spoken of last, or one for each.

both_scopes(X, Ls, Asked) :-
    (   append(_, [Last], Ls),
        nonvar(Last),
        Last = every(_, _, _)
    ->  scoped(some, [Last], [exists(X, Ls)], Asked)
    ;   Asked = [exists(X, Ls)]
    ).

                 /*******************************
                 *          YES OR NO           *
                 *******************************/

yes_or_no(Ls, D0, D) -->                % is there no cube, are there two
    there_be,
    quantifier(Q),
    { Q \== some, Q \== all },
    nominal(X, _, Ls0, D0, D),
    { quantified(Q, X, Ls0, [], Ls) }.
yes_or_no(Ls, D0, D) -->                % are the cube and the sphere of the same colour
    be,
    two(X, Y, D0, D),
    likeness(X, Y, Ls).
yes_or_no(Ls, D0, D) -->
    [do],
    two(X, Y, D0, D),
    ( any_of([have,look]), likeness(X, Y, Ls) ; relating(base, X, Y, Goal), maybe([each,other]), { Ls = [Goal] } ).
yes_or_no(Ls, D0, D) -->                % do all cubes, do the two cubes look alike
    any_of([do,are]),
    group(X, Ls0, D0, D),
    ( any_of([have,look]) ; [] ),
    likeness(X, Y, Same),
    { every_two(X, Y, Ls0, Same, Every),
      (   Same = [none(Equal)]
      ->  every_two(X, Y, Ls0, Equal, All),
          Ls = [one_of([[Every],[none([All])]])]
      ;   Ls = [Every]
      ) }.
yes_or_no(Ls, D0, D) -->                % do any two cubes have the same colour
    any_of([do,are]),
    ( ( [any] ; [] ), { Ls = Two } ; [no], { Ls = [none(Two)] } ),
    ( [two] ; ahead([of]) ),
    maybe([of,the]),
    nominal(X, plural, Ls0, D0, D),
    ( any_of([have,look]) ; [] ),
    likeness(X, Y, Same),
    { append(Ls0, [exists(Y, [of(Y, X, Ls0),X \== Y|Same])], Ls1),
      Two = [exists(X, Ls1)] }.
yes_or_no(Ls, D0, D) -->                % is the colour of the cube the same as the sphere's, is it red
    be,
    attribute_of(X, A, D0, D1),
    (   [the,same,as],
        ( [that,of] ; [the], attribute_name(A), [of] ; [] ),
        mentioned(Y, D1, D),
        { equal_in(A, X, Y, Ls) }
    ;   valued(A, X, Ls),
        { D = D1 }
    ;   bound(Sign, N),
        { relation(_, _, measure, A), value_in(A, X, V, [Goal]), Comparison =.. [Sign,V,N], Ls = [Goal,Comparison], D = D1 }
    ).
yes_or_no([every(Z, [member(Z, [X,Y])], Ls)], D0, D) -->
    be,
    two(X, Y, D0, D1),
    maybe([both]),
    complement(Z, Ls, D1, D).
yes_or_no(Ls, D0, D) -->                % of two ways to read "is the cube made of the same ..." the one without a rest
    be,
    definite(X, D0, D1),
    ( [made,of] ; [of] ),
    shared(X, Ls, D1, D).
yes_or_no(Ls, D0, D) -->                % isn't the cube red: is it?
    be,
    ( [] ; [not], ahead([the,it]) ),
    scope(Scope),
    subject(X, Ls0, Ls1, D0, D1),
    complement(X, Ls0, D1, D),
    { scoped(Scope, Ls0, Ls1, Ls) }.
yes_or_no(Ls, D0, D) -->
    any_of([do,does]),
    ( [] ; [not], ahead([the,it]) ),
    scope(Scope),
    subject(X, Ls0, Ls1, D0, D1),
    verb_phrase(base, X, Ls0, D1, D),
    { scoped(Scope, Ls0, Ls1, Ls) }.

% scope(-Scope)//: "any" is any one for all that is said of it; "a person touches every helmet" may be another for each.

scope(any) --> ahead([any,anything,anyone,anybody]), !.
scope(some) --> [].

scoped(some, [every(Y, Ls0, Goals)], [exists(X, Ls1)], [one_of([[exists(X, Ls1)],[every(Y, Ls0, [exists(X, Ls2)])]])]) :-
    append(Ls, [every(_, _, _)], Ls1),
    \+ ( sub_term(Term, Ls0), Term == X ),
    !,
    append(Ls, Goals, Ls2).
scoped(_, _, Ls, Ls).

every_two(X, Y, Ls, Same, every(X, Ls, [every(Y, [of(Y, X, Ls),X \== Y], Same)])).

two(X, Y, D0, D) -->
    maybe([both]),
    definite(X, D0, D1),
    [and],
    definite(Y, D1, D).
