/** What lies within what, of things that were told. Facts of it: tpp(?X, ?Y), ntpp(?X, ?Y). */

% inside(X, Y): X lies within Y, by masks where they were given.
inside(X, Y) :- tpp(X, Y).
inside(X, Y) :- ntpp(X, Y).
