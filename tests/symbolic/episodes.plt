/*  Tests of the rules over time, on a ball and a paddle made by hand: the ball flies to the right, rests for a frame at
    the paddle, comes back and is lost.

    Run by test_plunit.py with the theory loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(plunit)).

seen(ball, 0, 10, 50).
seen(ball, 3, 20, 45).
seen(ball, 6, 30, 40).
seen(ball, 9, 30, 42).
seen(ball, 12, 20, 47).
seen(paddle, 0, 33, 60).
seen(paddle, 3, 33, 52).
seen(paddle, 6, 33, 44).
seen(paddle, 9, 33, 44).
seen(paddle, 12, 33, 44).
seen(paddle, 15, 33, 44).
seen(wall, T, 0, 47) :- seen(paddle, T, _, _).

next(0, 3).
next(3, 6).
next(6, 9).
next(9, 12).
next(12, 15).

at(T, object(X)) :- seen(X, T, _, _).
at(T, position(X, Px, Py)) :- seen(X, T, Px, Py).
at(_, pixel(1.0)).
at(T, centres_apart(X, Y, D)) :- seen(X, T, A, B), seen(Y, T, C, E), X \== Y, D is sqrt((A - C)**2 + (B - E)**2).
at(T, gap(X, Y, G)) :- at(T, centres_apart(X, Y, D)), G is max(0, D - 4).

:- begin_tests(episodes).

test(moves_right, all(T-X == [0-ball, 3-ball])) :-
    moves_right(T, X).
test(moves_left, all(T-X == [9-ball])) :-
    moves_left(T, X).
test(moves_up, all(T-X == [0-ball, 0-paddle, 3-ball, 3-paddle])) :-
    moves_up(T, X).
test(moves_down, all(T-X == [6-ball, 9-ball])) :-
    moves_down(T, X).
test(rests, set(T-X == [0-wall, 3-wall, 6-paddle, 6-wall, 9-paddle, 9-wall, 12-paddle, 12-wall])) :-
    rests(T, X).
test(approaches, all(T == [0, 3])) :-
    approaches(T, ball, paddle).
test(turns_with_a_rest_between, all(T-X == [9-ball])) :-
    turns(T, X, across).
test(turns_at_once, all(T-X == [6-ball])) :-
    turns(T, X, upright).
test(strikes_what_it_came_to, all(T-X-Y == [9-ball-paddle])) :-
    strikes(T, X, Y).
test(vanishes, all(T-X == [12-ball])) :-
    vanishes(T, X).
test(appears, fail) :-
    appears(_, _).

:- end_tests(episodes).
