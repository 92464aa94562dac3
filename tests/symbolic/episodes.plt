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

%   told(Template, Goal, Solutions): all of them, sorted.

told(T-X, moves_right(T, X), [0-ball, 3-ball]).
told(T-X, moves_left(T, X), [0-bird, 3-bird, 9-ball]).
told(T-X, moves_up(T, X), [0-ball, 0-paddle, 3-ball, 3-paddle]).
told(T-X, moves_down(T, X), [6-ball, 9-ball]).
told(T, rests(T, paddle), [6, 9, 12, 15, 18, 21, 24, 27, 30, 33]).
told(T, approaches(T, ball, paddle), [0, 3]).
told(T-X, turns(T, X, across), [9-ball]).           % with a rest between
told(T-X, turns(T, X, upright), [6-ball]).          % at once
told(T-X-Y, strikes(T, X, Y), [9-ball-paddle]).     % what it came to
told(T-X, vanishes(T, X), [0-moth, 12-ball, 18-bird, 18-moth]).
told(T-X, appears(T, X), [18-moth, 27-gnat]).
told(X-Zone-T, enters(X, Zone, T), [bird-middle-18]).       % what it was outside of before
told(X-Zone-T, leaves(X, Zone, T), [bird-right-18]).
told(X-A-B, stays(X, left, A, B), [ball-0-12, gnat-27-27, wall-0-36]).
told(X-A-B, stays(X, right, A, B), [bird-0-3, moth-0-18]).  % it goes on while nothing is seen
told(A-B, lasts(object(bird), A, B), [0-3, 18-18]).

test(told, [forall(told(Template, Goal, Solutions)), set(Template == Solutions)]) :-
    Goal.

:- end_tests(episodes).
