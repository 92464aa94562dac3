% Grounded for the model with sha256 523fa7aab76b6da312b8985228e6fb5cc0fcb94a86b1d3c099aacb161b0f0477
% by 'predinet-prolog ground': chosen on pentos; the figures are balanced accuracies on fresh pairs.
%
% same(X, Y): X and Y look the same: shape, orientation and colour.
% pentos 1.0000, hexos 1.0000, stripes 1.0000
%
% same_shape(X, Y): X and Y have the same shape in the same orientation.
% pentos 0.7633, hexos 0.8312, stripes 0.7690
% Left out: below 0.95 on pentos, so this model does not tell it.
%
% same_colour(X, Y): X and Y have the same colour.
% pentos 0.7937, hexos 0.7387, stripes 0.7643
% Left out: below 0.95 on pentos, so this model does not tell it.
same(X, Y) :- near(r0, X, Y, 0.034), near(r3, X, Y, 0.034), near(r10, X, Y, 0.034), near(r12, X, Y, 0.034), near(r13, X, Y, 0.034), near(r14, X, Y, 0.034).
%
% near(R, X, Y, T): two objects lie within T of each other on relation R's axis.
near(R, X, Y, T) :-
    object(X), object(Y), X \== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T.
