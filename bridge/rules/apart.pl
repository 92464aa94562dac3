/** How far things lie from each other on the axes of several relations. Facts of it: object(?X), coordinate(?R, ?X, -A). */

% apart(Rs, X, Y, D): D is the most that two objects differ by on the axes of the relations Rs.
apart(Rs, X, Y, D) :-
    object(X), object(Y), X \== Y, farthest(Rs, X, Y, 0, D).
farthest([], _, _, D, D).
farthest([R|Rs], X, Y, D0, D) :-
    coordinate(R, X, A), coordinate(R, Y, B), D1 is max(D0, abs(A - B)), farthest(Rs, X, Y, D1, D).
