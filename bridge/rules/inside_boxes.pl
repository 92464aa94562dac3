/** What lies within what, of things that were found. Facts of it: object(?X), box(?X, -L, -T, -R, -B). */

% inside(X, Y): the box of X lies within that of Y.
inside(X, Y) :-
    object(X), object(Y), X \== Y, box(X, L, T, R, B), box(Y, L1, T1, R1, B1),
    L >= L1, T >= T1, R =< R1, B =< B1, (R - L)*(B - T) < (R1 - L1)*(B1 - T1).
