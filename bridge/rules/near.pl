/** How far things lie from each other on the axes of relations. Facts of it: object(?X), coordinate(?R, ?X, -A). */

% near(R, X, Y, T): X and Y lie within T of each other on relation R's axis.
near(R, X, Y, T) :-
    object(X), object(Y), X \== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T.
