/*  Tests of the theory of CLEVR, on five things given by hand: of what no program of functional.json asks.

    Run by test_plunit.py with the theory loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(plunit)).

thing_at(a, cube, red, metal, large).
thing_at(b, cube, gray, metal, small).
thing_at(c, sphere, gray, rubber, small).
thing_at(d, cylinder, red, rubber, small).
thing_at(e, cube, blue, rubber, large).

object(X) :- thing_at(X, _, _, _, _).
shape(X, Shape) :- thing_at(X, Shape, _, _, _).
color(X, Color) :- thing_at(X, _, Color, _, _).
material(X, Material) :- thing_at(X, _, _, Material, _).
size(X, Size) :- thing_at(X, _, _, _, Size).
left_of_ground(b, a).
left_of_ground(c, a).
right_of_ground(a, b).
behind(d, c).
in_front(c, d).

:- begin_tests(clevr).

test(filter_finds_none, Kept == []) :-
    filter(color, cyan, [a,b], Kept).
test(of_two_none_is_unique, fail) :-
    unique([a,b], _).
test(relate, [Left,Right,Behind,Front] == [[b,c],[a],[d],[c]]) :-
    relate(left, a, Left),
    relate(right, b, Right),
    relate(behind, c, Behind),
    relate(front, d, Front).
test(same_is_others, Others == [b,e]) :-
    same(shape, a, Others).
test(intersect, Both == [b]) :-
    intersect([a,b], [b,c], Both).
test(less_than, [A,B,C] == [yes,no,no]) :-
    less_than(1, 2, A),
    less_than(2, 2, B),
    less_than(3, 2, C).

:- end_tests(clevr).
