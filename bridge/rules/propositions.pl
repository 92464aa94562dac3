/** The paper's propositions, of models of pictures of any size. Facts of it: object(?X), coordinate(?R, ?X, -A). */

% The propositions: V is the distance between X and Y on the axis of a relation.
holds(R, V, X, Y) :-
    object(X), object(Y), X \== Y, coordinate(R, X, A), coordinate(R, Y, B), V is A - B.
