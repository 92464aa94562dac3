:- module(cards,
          [ set/3,                            % ?A, ?B, ?C
            odd_one/4,                        % ?What, ?X, ?Y, ?Odd
            no_set/6,                         % ?A, ?B, ?C, ?What, ?Two, ?One
            hand_label/1                      % -Label
          ]).

/** <module> The rules of the card game SET

Three cards are a set if in each of colour, number, shape and fill they are all alike or all different. Nothing here
was learned: a program exported from a picture of cards says which of them are alike.

    $ predinet-prolog query table.jpg 'set(A, B, C)' --rules cards --model cards

What the program has to say:

| object(X)             | X is a card                                                |
| same_colour(X, Y)     | what is on X and on Y has one colour; symmetric            |
| same_number(X, Y)     | as many things are on X as on Y; symmetric                 |
| same_shape(X, Y)      | what is on X and on Y has one shape; symmetric             |
| same_fill(X, Y)       | it is filled in one way; symmetric                         |
| by_example(A, X, V)   | V is the value of X in the attribute A: for no_set/6 alone |

Every predicate is pure.
*/

%!  set(?A, ?B, ?C) is nondet.
%
%   Three cards, in the standard order of their names, are a set: in nothing are two alike and the third not.

set(A, B, C) :-
    trio(A, B, C),
    \+ ( pair_of(A, B, C, X, Y, Odd),
         odd_one(_, X, Y, Odd)
       ).

trio(A, B, C) :-
    object(A),
    object(B),
    A @< B,
    object(C),
    B @< C.

pair_of(A, B, C, A, B, C).
pair_of(A, B, C, A, C, B).
pair_of(A, B, C, B, C, A).

%!  odd_one(?What, ?X, ?Y, ?Odd) is nondet.
%
%   In What, the cards X and Y are alike, and Odd is another card that is not like X.

odd_one(What, X, Y, Odd) :-
    alike(What, X, Y),
    object(Odd),
    Odd \== X,
    Odd \== Y,
    \+ alike(What, X, Odd).

alike(colour, X, Y) :- same_colour(X, Y).
alike(number, X, Y) :- same_number(X, Y).
alike(shape, X, Y) :- same_shape(X, Y).
alike(fill, X, Y) :- same_fill(X, Y).

%!  no_set(?A, ?B, ?C, ?What, ?Two, ?One) is nondet.
%
%   Why A, B and C, in the standard order of their names, are no set: in What, two of them are Two and the third is One.

no_set(A, B, C, What, Two, One) :-
    trio(A, B, C),
    pair_of(A, B, C, X, Y, Odd),
    odd_one(What, X, Y, Odd),
    by_example(What, X, Two),
    by_example(What, Odd, One).

%!  hand_label(-Label) is det.
%
%   Label is `set` if some three of the cards are a set, else `none`.

hand_label(Label) :-
    ( set(_, _, _) -> Label = set ; Label = none ).
