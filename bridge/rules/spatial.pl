/** Where objects lie to each other, of every program. Facts of it: object(?X), position(?X, -Px, -Py), tolerance(-T). */

% Where objects lie to each other, from their positions. Two places count as the
% same where they differ by no more than the tolerance (in pixels).
left_of(X, Y) :- object(X), object(Y), position(X, Ax, _), position(Y, Bx, _), tolerance(T), Bx - Ax > T.
above(X, Y) :- object(X), object(Y), position(X, _, Ay), position(Y, _, By), tolerance(T), By - Ay > T.
same_row(X, Y) :- object(X), object(Y), X \== Y, position(X, _, Ay), position(Y, _, By), tolerance(T), abs(Ay - By) =< T.
same_column(X, Y) :- object(X), object(Y), X \== Y, position(X, Ax, _), position(Y, Bx, _), tolerance(T), abs(Ax - Bx) =< T.
% in_line(X, Y, Z): three different objects on one straight line, in any order.
in_line(X, Y, Z) :- lies_between(Y, X, Z).
in_line(X, Y, Z) :- lies_between(X, Y, Z).
in_line(X, Y, Z) :- lies_between(Z, X, Y).
% lies_between(Y, X, Z): Y lies on the straight line from X to Z, between the two.
lies_between(Y, X, Z) :-
    object(X), object(Z), X \== Z, object(Y), Y \== X, Y \== Z,
    position(X, Ax, Ay), position(Z, Bx, By), position(Y, Px, Py), tolerance(T),
    abs((Ax - Px) * (By - Py) - (Ay - Py) * (Bx - Px)) =< T * sqrt((Bx - Ax) ** 2 + (By - Ay) ** 2),
    (Px - Ax) * (Bx - Ax) + (Py - Ay) * (By - Ay) > 0,
    (Px - Bx) * (Ax - Bx) + (Py - By) * (Ay - By) > 0.
