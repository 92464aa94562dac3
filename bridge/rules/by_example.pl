/** Values of attributes by what they look like in the mean. Facts of it: object(?X), coordinate(?R, ?X, -A),
    example(?Attribute, ?Value, -Places). */

by_example(A, X, Value) :- example_apart(A, X, Value, D), \+ nearer_example(A, X, D).
nearer_example(A, X, D) :- example_apart(A, X, _, D0), D0 < D.
example_apart(A, X, Value, D) :- object(X), example(A, Value, Places), off(Places, X, 0, D).
off([], _, D, D).
off([at(R,P)|Places], X, D0, D) :-
    coordinate(R, X, C), D1 is D0 + (C - P)**2, off(Places, X, D1, D).
