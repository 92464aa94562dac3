/*  Tests of the theory of sort-of-CLEVR, on six things whose boxes are given by hand: at its edges. All its answers are
    compared with the definitions in tests/domains/sort_of_clevr.

    Run by test_plunit.py with the theory loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(plunit)).

%   Red, green and orange are alike far from blue; the right column of red is behind grey; yellow lies far off.

thing_at(red,    square, 10, 20, 20, 31).
thing_at(green,  circle, 10, 40, 21, 51).
thing_at(blue,   square, 30, 30, 41, 41).
thing_at(orange, square, 50, 40, 61, 51).
thing_at(grey,   circle, 20, 20, 31, 31).
thing_at(yellow, square, 60, 64, 71, 75).

object(C) :- thing_at(C, _, _, _, _, _).
box(C, L, T, R, B) :- thing_at(C, _, L, T, R, B).
colour(C, C) :- object(C).
shape(C, S) :- thing_at(C, S, _, _, _, _).
task(48).

:- begin_tests(sort_of_clevr).

test(a_covered_column_counts, all(X-Y == [15.0-25.0])) :-
    sort_of_clevr:centre(red, X, Y).
test(at_a_tie_the_first_colour_counts, all(Y == [red])) :-
    closest_to(grey, Y).
test(a_lonely_thing_is_its_own_closest_as_published, all(S == [square])) :-
    answer(published(shape_of_closest(yellow)), S).
test(label_of_left_blue, all(L == [0])) :-
    not_relational_label(L).

:- end_tests(sort_of_clevr).
