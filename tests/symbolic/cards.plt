/*  Tests of the theory of the card game SET, on cards made by hand.

    Run by test_plunit.py with the theory loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(plunit)).

:- dynamic card/5.                      % card(Name, Colour, Number, Shape, Fill)

object(X) :- card(X, _, _, _, _).
same_colour(X, Y) :- card(X, V, _, _, _), card(Y, V, _, _, _), X \== Y.
same_number(X, Y) :- card(X, _, V, _, _), card(Y, _, V, _, _), X \== Y.
same_shape(X, Y) :- card(X, _, _, V, _), card(Y, _, _, V, _), X \== Y.
same_fill(X, Y) :- card(X, _, _, _, V), card(Y, _, _, _, V), X \== Y.
by_example(colour, X, V) :- card(X, V, _, _, _).
by_example(number, X, V) :- card(X, _, V, _, _).
by_example(shape, X, V) :- card(X, _, _, V, _).
by_example(fill, X, V) :- card(X, _, _, _, V).

%!  deal(+Cards) is det.

deal(Cards) :-
    retractall(card(_, _, _, _, _)),
    forall(nth1(N, Cards, [C, M, S, F]), ( format(atom(X), 'ob_~d', [N]), assertz(card(X, C, M, S, F)) )).

:- begin_tests(cards).

test(all_alike_but_one_attribute, [setup(deal([[red,1,oval,solid], [red,2,oval,solid], [red,3,oval,solid]])), nondet]) :-
    set(ob_1, ob_2, ob_3).
test(all_different, [setup(deal([[red,1,oval,solid], [green,2,diamond,striped], [purple,3,squiggle,empty]])), nondet]) :-
    set(ob_1, ob_2, ob_3).
test(each_set_once, [setup(deal([[red,1,oval,solid], [red,2,oval,solid], [red,3,oval,solid], [green,1,oval,solid]])),
                     all(A-B-C == [ob_1-ob_2-ob_3])]) :-
    set(A, B, C).
test(why_not, [setup(deal([[red,1,oval,striped], [red,2,oval,solid], [red,3,oval,striped]])),
               all(W-Two-One == [fill-striped-solid])]) :-
    no_set(ob_1, ob_2, ob_3, W, Two, One).
test(odd_one, [setup(deal([[red,1,oval,striped], [red,2,oval,solid], [red,3,oval,striped]])),
               all(W-Odd == [fill-ob_2])]) :-
    odd_one(W, ob_1, ob_3, Odd).
test(label, [setup(deal([[red,1,oval,solid], [red,2,oval,solid], [red,3,oval,solid], [green,1,oval,solid]])),
             true(L == set)]) :-
    hand_label(L).
test(label_of_none, [setup(deal([[red,1,oval,solid], [red,2,oval,solid], [red,3,oval,striped]])), true(L == none)]) :-
    hand_label(L).
test(no_card, [setup(deal([])), true(L == none)]) :-
    hand_label(L).
% Of the 27 cards of one colour any two are part of one set: 27 * 26 / 6.
test(all_cards_of_a_colour, [true(N == 117)]) :-
    findall([red,M,S,F], ( member(M, [1,2,3]), member(S, [a,b,c]), member(F, [d,e,f]) ), Cards),
    deal(Cards),
    aggregate_all(count, set(_, _, _), N).

:- end_tests(cards).
