/** Near and far, in pictures of any size. Facts of it: object(?X), position(?X, -Px, -Py), box(?X, -L, -T, -R, -B),
    size(?X, -S), tolerance(-T). */

% near_to(X, Y): what is free between their boxes is less than half their mean size.
near_to(X, Y) :- gap(X, Y, G), size(X, A), size(Y, B), G < (A + B)/4.
gap(X, Y, G) :-
    object(X), object(Y), X \== Y, box(X, L, T, R, B), box(Y, L1, T1, R1, B1),
    G is sqrt(max(0, max(L - R1, L1 - R))**2 + max(0, max(T - B1, T1 - B))**2).
% closest(X, Y), furthest(X, Y): Y is the object nearest to X, or furthest, up to the tolerance.
closest(X, Y) :- centres_apart(X, Y, D), \+ nearer(X, D).
furthest(X, Y) :- centres_apart(X, Y, D), \+ further(X, D).
nearer(X, D) :- centres_apart(X, _, D0), tolerance(T), D - D0 > T.
further(X, D) :- centres_apart(X, _, D0), tolerance(T), D0 - D > T.
centres_apart(X, Y, D) :-
    object(X), object(Y), X \== Y, position(X, Ax, Ay), position(Y, Bx, By),
    D is sqrt((Ax - Bx)**2 + (Ay - By)**2).
