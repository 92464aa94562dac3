:- module(episodes,
          [ moves_left/2,                     % ?T, ?X
            moves_right/2,                    % ?T, ?X
            moves_up/2,                       % ?T, ?X
            moves_down/2,                     % ?T, ?X
            rests/2,                          % ?T, ?X
            approaches/3,                     % ?T, ?X, ?Y
            turns/3,                          % ?T, ?X, ?Axis
            strikes/3,                        % ?T, ?X, ?Y
            appears/2,                        % ?T, ?X
            vanishes/2                        % ?T, ?X
          ]).

/** <module> What happens in a played game

Rules over the frames of a game, said of any game. Nothing here was learned.

    $ predinet-prolog agent export AGENT --frames 300 -o game.pl
    $ predinet-prolog query game.pl 'strikes(T, Ball, Paddle)' --rules episodes

What the program has to say:

| next(T, U)                        | U is the time of the frame after that of T                          |
| at(T, object(X))                  | X is a thing in that frame; it keeps its name as long as it is seen |
| at(T, position(X, Px, Py))        | its middle in pixels, y down                                        |
| at(T, pixel(P))                   | nothing is measured more finely than P pixels                       |
| at(T, gap(X, Y, G))               | how much is free between two things: for strikes/3                  |
| at(T, centres_apart(X, Y, D))     | how far apart they are: for approaches/3                            |

To move is to be at least P further in the next frame. Every predicate is pure.
*/

%@ at/2: ask a played game: predinet-prolog agent export AGENT --frames 300 -o game.pl
%@ next/2: ask a played game: predinet-prolog agent export AGENT --frames 300 -o game.pl

%!  moves_left(?T, ?X) is nondet.
%!  moves_right(?T, ?X) is nondet.
%!  moves_up(?T, ?X) is nondet.
%!  moves_down(?T, ?X) is nondet.
%
%   X lies further that way in the frame after that of T.

moves_left(T, X) :-
    way(T, X, across, back).
moves_right(T, X) :-
    way(T, X, across, forth).
moves_up(T, X) :-
    way(T, X, upright, back).
moves_down(T, X) :-
    way(T, X, upright, forth).

%!  rests(?T, ?X) is nondet.
%
%   X is where it was in the frame after that of T.

rests(T, X) :-
    next(T, U),
    moved(T, U, X, across, Dx),
    moved(T, U, X, upright, Dy),
    at(T, pixel(P)),
    abs(Dx) < P,
    abs(Dy) < P.

%!  approaches(?T, ?X, ?Y) is nondet.
%
%   X and Y are nearer to each other in the frame after that of T, whichever of them moves.

approaches(T, X, Y) :-
    next(T, U),
    at(T, pixel(P)),
    at(T, centres_apart(X, Y, D)),
    at(U, centres_apart(X, Y, E)),
    D - E >= P.

%!  turns(?T, ?X, ?Axis) is nondet.
%
%   X moved one way before T and moves the other way after it, along Axis: across or upright. Where it turned between
%   two frames it may have rested for one of them.

turns(T, X, Axis) :-
    way(T, X, Axis, Way),
    way_before(T, X, Axis, Other),
    Way \== Other.

%!  strikes(?T, ?X, ?Y) is nondet.
%
%   X turns back across at T, and Y is what it came to: it lies on the side that X came towards, and no further away
%   than X goes from one frame to the next.

strikes(T, X, Y) :-
    turns(T, X, across),
    next(S, T),
    next(T, U),
    moved(S, T, X, across, Before),
    moved(T, U, X, across, After),
    at(T, gap(X, Y, G)),
    G =< max(abs(Before), abs(After)),
    at(T, position(X, Ax, _)),
    at(T, position(Y, Bx, _)),
    (Ax - Bx)*After > 0.

%!  appears(?T, ?X) is nondet.
%!  vanishes(?T, ?X) is nondet.
%
%   X is seen at T and was not in the frame before; is not in the one after.

appears(T, X) :-
    next(S, T),
    at(T, object(X)),
    \+ at(S, object(X)).
vanishes(T, X) :-
    next(T, U),
    at(T, object(X)),
    \+ at(U, object(X)).

%   How far X gets from T to U.

moved(T, U, X, Axis, D) :-
    at(T, position(X, Ax, Ay)),
    at(U, position(X, Bx, By)),
    along(Axis, Bx - Ax, By - Ay, D).

along(across, Dx, _, D) :-
    D is Dx.
along(upright, _, Dy, D) :-
    D is Dy.

way(T, X, Axis, Way) :-
    next(T, U),
    moved(T, U, X, Axis, D),
    at(T, pixel(P)),
    way_of(D, P, Way).

way_of(D, P, back) :-
    D =< -P.
way_of(D, P, forth) :-
    D >= P.

way_before(T, X, Axis, Way) :-
    next(S, T),
    way(S, X, Axis, Way).
way_before(T, X, Axis, Way) :-
    next(S, T),
    moved(S, T, X, Axis, D),
    at(S, pixel(P)),
    abs(D) < P,
    next(R, S),
    way(R, X, Axis, Way).
