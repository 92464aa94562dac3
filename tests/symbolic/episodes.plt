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
seen(bird, 0, 80, 9).
seen(bird, 3, 70, 9).                   % overlooked in four frames
seen(bird, 18, 60, 9).
seen(moth, 0, 90, 90).                  % overlooked in five
seen(moth, 18, 90, 90).
seen(gnat, 27, 5, 5).                   % the last five frames do not tell whether it is gone
seen(paddle, 0, 38, 60).
seen(paddle, 3, 38, 52).
seen(paddle, T, 38, 44) :- later(T), T > 3.
seen(wall, T, 0, 47) :- later(T).

next(T, U) :- later(T), later(U), U =:= T + 3.

later(T) :- between(0, 12, N), T is 3*N.

at(T, object(X)) :- seen(X, T, _, _).
at(T, position(X, Px, Py)) :- seen(X, T, Px, Py).
at(T, box(X, L, Top, R, B)) :- seen(X, T, Px, Py), L is Px - 1, Top is Py - 2, R is Px + 1, B is Py + 2.
at(_, pixel(1.0)).
at(T, in_zone(X, left)) :- seen(X, T, Px, _), Px < 35.
at(T, in_zone(X, middle)) :- seen(X, T, Px, _), Px > 55, Px < 65.
at(T, in_zone(X, right)) :- seen(X, T, Px, _), Px > 65.
at(T, centres_apart(X, Y, D)) :- seen(X, T, A, B), seen(Y, T, C, E), X \== Y, D is sqrt((A - C)**2 + (B - E)**2).

:- begin_tests(episodes).

test(moves_right, all(T-X == [0-ball, 3-ball])) :-
    moves_right(T, X).
test(moves_left, set(T-X == [9-ball, 0-bird, 3-bird])) :-
    moves_left(T, X).
test(moves_up, set(T-X == [0-ball, 0-paddle, 3-ball, 3-paddle])) :-
    moves_up(T, X).
test(moves_down, all(T-X == [6-ball, 9-ball])) :-
    moves_down(T, X).
test(rests, set(T == [6, 9, 12, 15, 18, 21, 24, 27, 30, 33])) :-
    rests(T, paddle).
test(approaches, all(T == [0, 3])) :-
    approaches(T, ball, paddle).
test(turns_with_a_rest_between, all(T-X == [9-ball])) :-
    turns(T, X, across).
test(turns_at_once, all(T-X == [6-ball])) :-
    turns(T, X, upright).
test(strikes_what_it_came_to, all(T-X-Y == [9-ball-paddle])) :-
    strikes(T, X, Y).
test(vanishes, set(T-X == [12-ball, 18-bird, 0-moth, 18-moth])) :-
    vanishes(T, X).
test(appears, set(T-X == [18-moth, 27-gnat])) :-
    appears(T, X).
test(enters_what_it_was_outside_of_before, all(X-Zone-T == [bird-middle-18])) :-
    enters(X, Zone, T).
test(leaves, all(X-Zone-T == [bird-right-18])) :-
    leaves(X, Zone, T).
test(stays, set(X-T1-T2 == [ball-0-12, gnat-27-27, wall-0-36])) :-
    stays(X, left, T1, T2).
test(a_stay_goes_on_while_nothing_is_seen, set(X-T1-T2 == [bird-0-3, moth-0-18])) :-
    stays(X, right, T1, T2).
test(lasts, all(T1-T2 == [0-3, 18-18])) :-
    lasts(object(bird), T1, T2).

:- end_tests(episodes).
