% Grounded for the model with sha256 a9a363acead3442f0f0e33634dbb5312891a6f6e3dfeed2ee885044f05a23b4c
% chosen on pentos; the figures are balanced accuracies on fresh pairs of objects that were seen.
%
% same(X, Y): X and Y look the same: shape, orientation and colour.
% pentos 1.0000, hexos 1.0000, stripes 1.0000
%
% same_shape(X, Y): X and Y have the same shape in the same orientation.
% pentos 1.0000, hexos 0.9992
%
% same_colour(X, Y): X and Y have the same colour.
% pentos 1.0000, hexos 1.0000, stripes 1.0000
same(X, Y) :-
    near(r1, X, Y, 0.1),
    near(r2, X, Y, 0.1),
    near(r3, X, Y, 0.1),
    near(r6, X, Y, 0.1),
    near(r7, X, Y, 0.1),
    near(r9, X, Y, 0.1),
    near(r10, X, Y, 0.1),
    near(r15, X, Y, 0.1).
same_shape(X, Y) :-
    near(r7, X, Y, 0.11),
    near(r9, X, Y, 0.11),
    near(r15, X, Y, 0.11).
same_colour(X, Y) :-
    near(r1, X, Y, 0.31),
    near(r2, X, Y, 0.31),
    near(r3, X, Y, 0.31).
%
% near(R, X, Y, T): two objects lie within T of each other on relation R's axis.
near(R, X, Y, T) :-
    object(X), object(Y), X \== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T.
