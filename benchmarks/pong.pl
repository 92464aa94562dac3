% Pong in words: what of a played game is the ball, and which paddle is whose.
ball(T, X) :- at(T, colour(X, white)).
mine(T, X) :- at(T, colour(X, green)).
level(T) :-
    ball(T, Ball), mine(T, Paddle),
    at(T, position(Ball, _, Y)), at(T, box(Paddle, _, Top, _, Bottom)),
    Top =< Y, Y =< Bottom.
returned(T) :- ball(T, Ball), mine(T, Paddle), strikes(T, Ball, Paddle).
bounced(T) :- ball(T, Ball), turns(T, Ball, upright).
comes(T) :- ball(T, Ball), moves_right(T, Ball).
missed(T) :- ball(T, Ball), vanishes(T, Ball), at(T, position(Ball, X, _)), mine(T, Paddle), at(T, position(Paddle, Px, _)), X > Px - 16.
