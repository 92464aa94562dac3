/** How things lie that were told. Facts of it: object(?X), the relations of RCC-8 but dc, as ec(?X, ?Y),
    category(?X, -Category), masks_apart(?X, ?Y, -D), gap(?X, ?Y, -D). */

% dc(X, Y): X and Y are apart. Which other relation of RCC-8 holds, facts tell, with room for a pixel: by
% masks where they were given, else by boxes.
dc(X, Y) :- object(X), object(Y), X \== Y,
    \+ eq(X, Y), \+ ntpp(X, Y), \+ tpp(X, Y), \+ ntppi(X, Y), \+ tppi(X, Y), \+ po(X, Y), \+ ec(X, Y).
overlaps(X, Y) :- eq(X, Y).
overlaps(X, Y) :- ntpp(X, Y).
overlaps(X, Y) :- tpp(X, Y).
overlaps(X, Y) :- ntppi(X, Y).
overlaps(X, Y) :- tppi(X, Y).
overlaps(X, Y) :- po(X, Y).
% overlaps_a(X, Category): it overlaps something that is called so.
overlaps_a(X, Category) :- object(X), overlaps(X, Y), category(Y, Category).
% distance(X, Y, D): from rim to rim, in the same way.
distance(X, Y, D) :- masks_apart(X, Y, D).
distance(X, Y, D) :- gap(X, Y, D), \+ masks_apart(X, Y, _).
