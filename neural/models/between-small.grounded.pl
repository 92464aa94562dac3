% Grounded for the model with sha256 f2cf67eb597fc7cc11e70c184786a5842c586ccf880166a88ad04f974331bac8
% on pentos, clean.
% The figures are balanced accuracies on fresh pairs of objects that were seen.
%
% same(X, Y): X and Y look the same: shape, orientation and colour.
% clean: pentos 1.0000, hexos 1.0000, stripes 0.9994
% corrupted: pentos 0.9393, hexos 0.9705, stripes 0.9486
%
% same_shape(X, Y): X and Y have the same shape in the same orientation.
% clean: pentos 0.7305, hexos 0.7809
% corrupted: pentos 0.6448, hexos 0.6306
% Left out: below 0.95 on pentos, so this model does not tell it.
%
% same_colour(X, Y): X and Y have the same colour.
% clean: pentos 0.7485, hexos 0.6627, stripes 0.5608
% corrupted: pentos 0.6355, hexos 0.5708, stripes 0.5266
% Left out: below 0.95 on pentos, so this model does not tell it.
same(X, Y) :-
    noise_level(N), T is 0.022 + 0.0088*N,
    near(r0, X, Y, T),
    near(r2, X, Y, T),
    near(r3, X, Y, T),
    near(r6, X, Y, T),
    near(r7, X, Y, T).
%
% near(R, X, Y, T): X and Y lie within T of each other on relation R's axis.
near(R, X, Y, T) :-
    object(X), object(Y), X \== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T.
%
% confidence(G, P): P is the probability that G is true; G holds where it is one half or more.
confidence(same(X, Y), P) :-
    noise_level(N), T is 0.022 + 0.0088*N,
    apart([r0, r2, r3, r6, r7], X, Y, D),
    P is 0.0005 + 0.999/(1 + (D/T)**20.0).
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
