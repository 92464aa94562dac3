% Who wears no helmet. Nothing is told of pixels: categories, scores and boxes are of the detector.

sure(X) :- score(X, S), S >= 0.5.

worn(Helmet, Person) :-
    category(Helmet, helmet), sure(Helmet),
    category(Person, person),
    overlaps(Helmet, Person),
    above(Helmet, Person).

bare(Person) :-
    category(Person, person), sure(Person),
    \+ worn(_, Person).
