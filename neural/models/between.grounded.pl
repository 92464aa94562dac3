% Grounded for the model with sha256 4ca9b19e017093cdeebbcab0e52a83f20755e2ac9e17c2f4bcd6828a3d953aa4
% on pentos, clean.
% The figures are balanced accuracies on fresh pairs of objects that were seen.
%
% same(X, Y): X and Y look the same: shape, orientation and colour.
% clean: pentos 1.0000, hexos 1.0000, stripes 1.0000
% corrupted: pentos 0.8867, hexos 0.9081, stripes 0.9235
%
% same_shape(X, Y): X and Y have the same shape in the same orientation.
% clean: pentos 0.7406, hexos 0.8001
% corrupted: pentos 0.6123, hexos 0.6132
% Left out: below 0.95 on pentos, so this model does not tell it.
%
% same_colour(X, Y): X and Y have the same colour.
% clean: pentos 0.8104, hexos 0.7193, stripes 0.6850
% corrupted: pentos 0.6505, hexos 0.5842, stripes 0.5693
% Left out: below 0.95 on pentos, so this model does not tell it.
same(X, Y) :-
    noise_level(N), T is 0.028 + 0.011*N,
    near(r1, X, Y, T),
    near(r4, X, Y, T),
    near(r7, X, Y, T),
    near(r11, X, Y, T),
    near(r12, X, Y, T),
    near(r15, X, Y, T).
%
% near(R, X, Y, T): X and Y lie within T of each other on relation R's axis.
near(R, X, Y, T) :-
    object(X), object(Y), X \== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T.
%
% confidence(G, P): P is the probability that G is true; G holds where it is one half or more.
confidence(same(X, Y), P) :-
    noise_level(N), T is 0.028 + 0.011*N,
    apart([r1, r4, r7, r11, r12, r15], X, Y, D),
    P is 0.0005 + 0.999/(1 + (D/T)**15.0).
%
% apart(Rs, X, Y, D): D is the most that two objects differ by on the axes of the relations Rs.
apart(Rs, X, Y, D) :-
    object(X), object(Y), X \== Y, farthest(Rs, X, Y, 0, D).
farthest([], _, _, D, D).
farthest([R|Rs], X, Y, D0, D) :-
    coordinate(R, X, A), coordinate(R, Y, B), D1 is max(D0, abs(A - B)), farthest(Rs, X, Y, D1, D).
%
% tells(R, What): objects lie on relation R's axis by What: colour or shape, if that makes nine tenths of
% the variance at least, else mixed; position or nothing, where all of them lie at one point.
tells(r0, mixed).
tells(r1, mixed).
tells(r2, mixed).
tells(r3, mixed).
tells(r4, mixed).
tells(r5, mixed).
tells(r6, mixed).
tells(r7, mixed).
tells(r8, mixed).
tells(r9, mixed).
tells(r10, mixed).
tells(r11, mixed).
tells(r12, mixed).
tells(r13, mixed).
tells(r14, mixed).
tells(r15, mixed).
