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
            vanishes/2,                       % ?T, ?X
            enters/3,                         % ?X, ?Zone, ?T
            leaves/3,                         % ?X, ?Zone, ?T
            stays/4,                          % ?X, ?Zone, ?T1, ?T2
            lasts/3                           % ?Fact, ?T1, ?T2
          ]).

/** <module> What happens in a film or a played game

Rules over the frames of a film, said of any film. Nothing here was learned.

    $ predinet-prolog agent export AGENT --frames 300 -o game.pl
    $ predinet-prolog query game.pl 'strikes(T, Ball, Paddle)' --rules episodes
    $ predinet-prolog export frames/ --film --detections mot/ --zones zones.json -o film.pl
    $ predinet-prolog query film.pl 'stays(X, dock, T1, T2), T2 - T1 > 25' --rules episodes

What the program has to say:

| next(T, U)                        | U is the time of the frame after that of T                          |
| at(T, object(X))                  | X is a thing in that frame; it keeps its name as long as it is seen |
| at(T, position(X, Px, Py))        | its middle in pixels, y down                                        |
| at(T, pixel(P))                   | nothing is measured more finely than P pixels                       |
| at(T, box(X, L, Top, R, B))       | where it reaches: for strikes/3                                     |
| at(T, centres_apart(X, Y, D))     | how far apart they are: for approaches/3                            |
| at(T, in_zone(X, Zone))           | that more than half of it lies there: for enters/3, leaves/3, stays/4 |

To move is to be at least P further when it is seen next. A thing that touches another may be seen as one with it for a
while: one that is seen again after four frames or fewer was there all the time.

Every predicate is pure.
*/

%@ at/2: ask a film, of export FRAMES --film -o film.pl, or a game, of agent export AGENT --frames 300 -o game.pl
%@ next/2: ask a film, of export FRAMES --film -o film.pl, or a game, of agent export AGENT --frames 300 -o game.pl

%!  moves_left(?T, ?X) is nondet.
%!  moves_right(?T, ?X) is nondet.
%!  moves_up(?T, ?X) is nondet.
%!  moves_down(?T, ?X) is nondet.
%
%   X lies further that way in the frame after that of T.

moves_left(T, X) :- way(T, X, across, back).
moves_right(T, X) :- way(T, X, across, forth).
moves_up(T, X) :- way(T, X, upright, back).
moves_down(T, X) :- way(T, X, upright, forth).

%!  rests(?T, ?X) is nondet.
%
%   X is where it was in the frame after that of T.

rests(T, X) :-
    moved(T, _, X, across, Dx),
    moved(T, _, X, upright, Dy),
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
%   X came one way to where it is at T and goes the other way from there, along Axis: across or upright. Where it turned
%   between two frames it may have rested for one of them.

turns(T, X, Axis) :-
    way(T, X, Axis, Way),
    way_before(T, X, Axis, Other),
    Way \== Other.

%!  strikes(?T, ?X, ?Y) is nondet.
%
%   X turns back across at T, and Y is what it came to: Y lies on the side that X came towards, and since X was seen before
%   there were not more than two of its steps between them.

strikes(T, X, Y) :-
    turns(T, X, across),
    seen_last(S, T, X),
    came(_, S, X, across, Before),
    moved(T, _, X, across, After),
    at(T, position(X, Ax, _)),
    at(T, position(Y, Bx, _)),
    (Ax - Bx)*After > 0,
    once(met(S, T, X, Y, 2*max(abs(Before), abs(After)))).

%   From S to T there was a time when Y was no further than that from where X is at S or at T.

met(S, T, X, Y, Most) :-
    until(S, T, W),
    ( At = S ; At = T ),
    at(At, box(X, L, Top, R, B)),
    at(W, box(Y, L1, Top1, R1, B1)),
    sqrt(max(0, max(L - R1, L1 - R))**2 + max(0, max(Top - B1, Top1 - B))**2) =< Most.

until(T, T, T) :-
    !.
until(S, _, S).
until(S, T, W) :-
    next(S, U),
    until(U, T, W).

%!  appears(?T, ?X) is nondet.
%!  vanishes(?T, ?X) is nondet.
%
%   X is seen at T and was not before; is not after it. Of the first frame and of the last five nothing can be said.

appears(T, X) :-
    next(_, T),
    at(T, object(X)),
    \+ seen_last(_, T, X).
vanishes(T, X) :-
    at(T, object(X)),
    \+ seen_next(T, _, X),
    ahead(5, T).

ahead(0, _) :-
    !.
ahead(N, T) :-
    next(T, U),
    M is N - 1,
    ahead(M, U).

%!  enters(?X, ?Zone, ?T) is nondet.
%!  leaves(?X, ?Zone, ?T) is nondet.
%
%   X is in the zone at T, and was outside when it was seen before; is outside at T, and was in it. However long it was
%   not seen between: a thing that is first seen in a zone has not entered it.

enters(X, Zone, T) :-
    at(T, in_zone(X, Zone)),
    seen_before(S, T, X),
    \+ at(S, in_zone(X, Zone)).
leaves(X, Zone, T) :-
    at(S, in_zone(X, Zone)),
    seen_after(S, T, X),
    \+ at(T, in_zone(X, Zone)).

%!  stays(?X, ?Zone, ?T1, ?T2) is nondet.
%
%   From T1 to T2, both included, X is in the zone whenever it is seen, and neither just before nor just after.

stays(X, Zone, T1, T2) :-
    at(T1, in_zone(X, Zone)),
    \+ ( seen_before(S, T1, X), at(S, in_zone(X, Zone)) ),
    stays_until(X, Zone, T1, T2).

stays_until(X, Zone, T, T2) :-
    (   seen_after(T, U, X),
        at(U, in_zone(X, Zone))
    ->  stays_until(X, Zone, U, T2)
    ;   T2 = T
    ).

%!  lasts(?Fact, ?T1, ?T2) is nondet.
%
%   Fact is so in every frame from T1 to T2, both included, and neither in the one before nor in the one after. The rules
%   `intervals` compare such times: lasts(near_to(X, Y), A, B), stays(X, Z, C, D), during(A-B, C-D).

lasts(Fact, T1, T2) :-
    at(T1, Fact),
    \+ ( next(S, T1), at(S, Fact) ),
    lasts_until(Fact, T1, T2).

lasts_until(Fact, T, T2) :-
    (   next(T, U),
        \+ \+ at(U, Fact)
    ->  lasts_until(Fact, U, T2)
    ;   T2 = T
    ).

%   T and U are two frames, one after the other, of those in which X is seen; the same, however many frames lie between in
%   which it is not seen.

seen_next(T, U, X) :- seen_from(T, 4, forth, U, X).
seen_last(T, U, X) :- seen_from(U, 4, back, T, X).
seen_before(T, U, X) :- seen_from(U, -1, back, T, X).
seen_after(T, U, X) :- seen_from(T, -1, forth, U, X).

seen_from(T, N, Direction, U, X) :-
    at(T, object(X)),
    frame_beside(Direction, T, S),
    first_seen(N, Direction, S, U, X).

%   From S on, in that direction, U is the first frame in which X is seen; no more than N others lie before it, or for a
%   negative N any number.

first_seen(N, Direction, S, U, X) :-
    (   at(S, object(X))
    ->  U = S
    ;   N =\= 0,
        frame_beside(Direction, S, R),
        M is N - 1,
        first_seen(M, Direction, R, U, X)
    ).

frame_beside(forth, S, R) :- next(S, R).
frame_beside(back, S, R) :- next(R, S).

%   How far X gets from T to where it is seen next, and how far it came to T from where it was seen last.

moved(T, U, X, Axis, D) :-
    seen_next(T, U, X),
    between_them(T, U, X, Axis, D).

came(S, T, X, Axis, D) :-
    seen_last(S, T, X),
    between_them(S, T, X, Axis, D).

between_them(T, U, X, Axis, D) :-
    at(T, position(X, Ax, Ay)),
    at(U, position(X, Bx, By)),
    ( Axis = across, D is Bx - Ax ; Axis = upright, D is By - Ay ).

%   X goes back (to the left, or up) or forth.

way(T, X, Axis, Way) :-
    moved(T, _, X, Axis, D),
    at(T, pixel(P)),
    way_of(D, P, Way).

way_of(D, P, back) :- D =< -P.
way_of(D, P, forth) :- D >= P.

way_before(T, X, Axis, Way) :-
    came(S, T, X, Axis, D),
    at(S, pixel(P)),
    (   way_of(D, P, Way)
    ;   abs(D) < P,
        came(_, S, X, Axis, Before),
        way_of(Before, P, Way)
    ).
