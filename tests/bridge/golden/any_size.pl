%! {"model": {"name": "made-up", "sha256": "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"}, "image": {"name": "it's 50%.png", "sha256": "abababababababababababababababababababababababababababababababab", "width": 320, "height": 192}, "looks": null, "warnings": ["odd"], "rules": "89ecbca0be676400", "length": 13095}
% What a PrediNet saw in an image, as a Prolog program.
%
% model    made-up (sha256 cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd)
% image    it's 50%.png, 320 x 192 pixels (sha256 abababababababababababababababababababababababababababababababab)
% warning  odd
%
% object(X)             X is a thing in the image; top to bottom, then left to right
% position(X, Px, Py)   centre of X in pixels of the image, x to the right, y down
% box(X, Left, Top, Right, Bottom) where the object X reaches, in pixels of the image
% colour(X, Red, Green, Blue) mean colour of X, each 0 to 255
% colour(X, Word)       Word is the palette's for X's colour: that of the nearest shade
% left_of(X, Y)         X lies further left than Y
% above(X, Y)           X lies higher than Y
% same_row(X, Y)        X and Y lie at the same height
% same_column(X, Y)     X lies straight above or below Y
% in_line(X, Y, Z)      three objects on a straight line
% lies_between(Y, X, Z) Y lies on the straight line between X and Z
% size(X, S)            the long side of X's box in pixels; where sizes were told in words, the word, and
%                       long_side(X, S) the pixels
% same_size(X, Y)       the sizes of X and Y differ by at most 14 % of the smaller or one pixel
% larger(X, Y)          X is larger than Y and not of the same size
% inside(X, Y)          X lies within Y: X's box in Y's, of what was told by masks where there are any
% near_to(X, Y)         the gap between X and Y is less than half their mean size
% gap(X, Y, G)          G is what is free between the boxes of X and Y; 0 where they meet or overlap
% closest(X, Y)         Y is the object nearest to X, centre to centre; all that are further by at most the
%                       tolerance
% furthest(X, Y)        Y is the object furthest from X; all that are nearer by at most the tolerance
% centres_apart(X, Y, D) D is how far the centres of X and Y are apart
% part(Part)            Part is a thing on a thing, where the model looks for these, else a piece of one
%                       colour; it has a position, box and colour, too
% part_of(Part, X)      Part is a part of the object X
% touches(X, Y)         X and Y lie against each other; of what was told: they overlap, or are at most a
%                       pixel apart
% background(X)         X is a place the network attended to that is no thing, or only a part of one
% coarse(X, C)          C is pixel(P) over X's size
% coarse(X, Y, C)       that of the smaller of X and Y
% nearer(X, D)          something lies nearer to X than D by more than the tolerance
% further(X, D)         something lies further from X than D by more than the tolerance
% shade_apart(Red, Green, Blue, Word, D) D is how much a colour differs from a shade that is called Word
% palette(Word, Red, Green, Blue) a shade and what it is called
% noise_level(Level)    how spoiled the picture is: 0 if it is clean, more with noise, artefacts or blur
% trust(P)              P is the probability that the symbols are all things of a picture of any size and
%                       nothing else; 0 where it shows clutter, text or texture
% tolerance(T)          places, and how far things are apart, that differ by at most T pixels count as the
%                       same: a quarter of a window, or of the things' median size and no less than what a
%                       pixel of noise makes: 4.5 pixels, more where a large picture was looked at smaller,
%                       up to half of that size
% pixel(P)              one pixel as it was looked at is P pixels of the image
% rI(V, X, Y)           V is the distance between X and Y in relation I's own 1-D space
% holds(R, V, X, Y)     the same, with the relation as an argument
% coordinate(R, X, C)   X lies at C on relation R's axis, its place left out
% small(V)              V is next to nothing
% large(V)              V is more than next to nothing

object(ob_0).
object(ob_1).
object(ob_2).

background(_) :- fail.

position(ob_0, 149.0000, 99.5000).
position(ob_1, 749.0000, 99.5000).
position(ob_2, 136.0000, 83.0000).
position(pa_0, 747.0000, 97.5000).
position(pa_1, 747.0000, 97.5000).

box(ob_0, 132.0000, 80.0000, 166.0000, 119.0000).
box(ob_1, 732.0000, 80.0000, 766.0000, 119.0000).
box(ob_2, 134.0000, 82.0000, 138.0000, 84.0000).
box(pa_0, 730.0000, 78.0000, 764.0000, 117.0000).
box(pa_1, 730.0000, 78.0000, 764.0000, 117.0000).

colour(ob_0, 34, 94, 15).
colour(ob_1, 205, 66, 88).
colour(ob_2, 215, 148, 130).
colour(pa_0, 117, 164, 197).
colour(pa_1, 218, 55, 151).

part(pa_0).
part(pa_1).

part_of(pa_0, ob_1).
part_of(pa_1, ob_1).

touches(ob_0, ob_1).
touches(ob_0, ob_2).
touches(ob_1, ob_0).
touches(ob_2, ob_0).

coordinate(r0, ob_0, -0.0058).
coordinate(r0, ob_1, -0.0542).
coordinate(r0, ob_2, 0.9778).
coordinate(r1, ob_0, 1.9844).
coordinate(r1, ob_1, 1.9622).
coordinate(r1, ob_2, 1.9924).
coordinate(r2, ob_0, -0.0051).
coordinate(r2, ob_1, 1.9965).
coordinate(r2, ob_2, 0.0409).
coordinate(r3, ob_0, 1.0002).
coordinate(r3, ob_1, 1.9916).
coordinate(r3, ob_2, 0.0129).
coordinate(r4, ob_0, 0.9945).
coordinate(r4, ob_1, 1.0043).
coordinate(r4, ob_2, 0.0133).
coordinate(r5, ob_0, 1.0259).
coordinate(r5, ob_1, 2.0043).
coordinate(r5, ob_2, 0.9897).
coordinate(r6, ob_0, 0.0201).
coordinate(r6, ob_1, 0.0424).
coordinate(r6, ob_2, 1.9670).

noise_level(0.5000).

trust(_) :- fail.

tolerance(9.7500).

pixel(2.0000).

% Grounded for the model with sha256 cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd
% on fresh, clean and corrupted.
% The figures are balanced accuracies on fresh pairs of objects that were seen.
%
% same_shape(X, Y): X and Y have the same shape.
% clean: fresh 0.9900
%
% same_filled(X, Y): X and Y are alike in filled.
% clean: fresh 0.9600
%
% filled(X, Value): the filled of X is Value.
% right: fresh 0.9700
same_shape(X, Y) :-
    noise_level(N), coarse(X, Y, C), T is 0.3 + 0.12*N + 0.4*C,
    near(r2, X, Y, T),
    near(r3, X, Y, T),
    near(r4, X, Y, T).
same_filled(X, Y) :-
    noise_level(N), T is 0.3 + 0.0*N,
    near(r0, X, Y, T).
%
% near(R, X, Y, T): X and Y lie within T of each other on relation R's axis.
near(R, X, Y, T) :-
    object(X), object(Y), X \== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T.
%
% confidence(G, P): P is the probability that G is true; G holds where it is one half or more.
confidence(same_shape(X, Y), P) :-
    noise_level(N), coarse(X, Y, C), T is 0.3 + 0.12*N + 0.4*C,
    apart([r2, r3, r4], X, Y, D),
    P is 0.5 + 0.98*(1/(1 + min(1, D/T)**4.0) - 0.5) + 0.8*(1/(1 + max(1, D/T)**8.0) - 0.5).
confidence(same_filled(X, Y), P) :-
    noise_level(N), T is 0.3 + 0.0*N,
    apart([r0], X, Y, D),
    P is 0.5 + 0.98*(1/(1 + min(1, D/T)**4.0) - 0.5) + 0.8*(1/(1 + max(1, D/T)**8.0) - 0.5).
%
% apart(Rs, X, Y, D): D is the most that two objects differ by on the axes of the relations Rs.
apart(Rs, X, Y, D) :-
    object(X), object(Y), X \== Y, farthest(Rs, X, Y, 0, D).
farthest([], _, _, D, D).
farthest([R|Rs], X, Y, D0, D) :-
    coordinate(R, X, A), coordinate(R, Y, B), D1 is max(D0, abs(A - B)), farthest(Rs, X, Y, D1, D).
%
% by_example(A, X, Value): of the examples of the attribute A, X is nearest to that of Value,
% by the sum of squares over its relations.
filled(X, Value) :- by_example(filled, X, Value).
by_example(A, X, Value) :- example_apart(A, X, Value, D), \+ nearer_example(A, X, D).
nearer_example(A, X, D) :- example_apart(A, X, _, D0), D0 < D.
example_apart(A, X, Value, D) :- object(X), example(A, Value, Places), off(Places, X, 0, D).
off([], _, D, D).
off([at(R,P)|Places], X, D0, D) :-
    coordinate(R, X, C), D1 is D0 + (C - P)**2, off(Places, X, D1, D).
%
% example(A, Value, Places): where things with that value lie in the mean.
example(filled, 'it\'s 100%', [at(r0, 0.0000), at(r5, 0.0000)]).
example(filled, 3, [at(r0, 1.0000), at(r5, 1.0000)]).
example(filled, hollow, [at(r0, 2.0000), at(r5, -0.2500)]).

same_shape_and_size(X, Y) :- same_shape(X, Y), same_size(X, Y).

% The propositions: V is the distance between X and Y on the axis of a relation.
holds(R, V, X, Y) :-
    object(X), object(Y), X \== Y, coordinate(R, X, A), coordinate(R, Y, B), V is A - B.
r0(V, X, Y) :- holds(r0, V, X, Y).
r1(V, X, Y) :- holds(r1, V, X, Y).
r2(V, X, Y) :- holds(r2, V, X, Y).
r3(V, X, Y) :- holds(r3, V, X, Y).
r4(V, X, Y) :- holds(r4, V, X, Y).
r5(V, X, Y) :- holds(r5, V, X, Y).
r6(V, X, Y) :- holds(r6, V, X, Y).

% tells(R, What): relation R compares by What alone; look is all that is seen of a thing.
tells(r0, colour).
tells(r1, colour).
tells(r2, shape).
tells(r3, shape).
tells(r4, shape).
tells(r5, look).
tells(r6, look).

% Where objects lie to each other, from their positions. Two places count as the
% same where they differ by no more than the tolerance (in pixels).
left_of(X, Y) :- object(X), object(Y), position(X, Ax, _), position(Y, Bx, _), tolerance(T), Bx - Ax > T.
above(X, Y) :- object(X), object(Y), position(X, _, Ay), position(Y, _, By), tolerance(T), By - Ay > T.
same_row(X, Y) :- object(X), object(Y), X \== Y, position(X, _, Ay), position(Y, _, By), tolerance(T), abs(Ay - By) =< T.
same_column(X, Y) :- object(X), object(Y), X \== Y, position(X, Ax, _), position(Y, Bx, _), tolerance(T), abs(Ax - Bx) =< T.
% in_line(X, Y, Z): three different objects on one straight line, in any order.
in_line(X, Y, Z) :- lies_between(Y, X, Z).
in_line(X, Y, Z) :- lies_between(X, Y, Z).
in_line(X, Y, Z) :- lies_between(Z, X, Y).
% lies_between(Y, X, Z): Y lies on the straight line from X to Z, between the two.
lies_between(Y, X, Z) :-
    object(X), object(Z), X \== Z, object(Y), Y \== X, Y \== Z,
    position(X, Ax, Ay), position(Z, Bx, By), position(Y, Px, Py), tolerance(T),
    abs((Ax - Px) * (By - Py) - (Ay - Py) * (Bx - Px)) =< T * sqrt((Bx - Ax) ** 2 + (By - Ay) ** 2),
    (Px - Ax) * (Bx - Ax) + (Py - Ay) * (By - Ay) > 0,
    (Px - Bx) * (Ax - Bx) + (Py - By) * (Ay - By) > 0.

% Sizes are long sides of boxes, and the same where they differ by at most 14% of the
% smaller or by one pixel of the picture as it was looked at.
size(X, S) :- object(X), box(X, L, T, R, B), S is max(R - L, B - T).
same_size(X, Y) :- size(X, A), size(Y, B), X \== Y, pixel(P), abs(A - B) =< max(P, 0.14*min(A, B)).
larger(X, Y) :- size(X, A), size(Y, B), pixel(P), A - B > max(P, 0.14*B).

% coarse(X, C): one pixel of the picture as it was looked at is the share C of X's size. Of two things the
% smaller counts: of small things less is to be seen.
coarse(X, C) :- size(X, S), pixel(P), C is P/S.
coarse(X, Y, C) :- coarse(X, A), coarse(Y, B), X \== Y, C is max(A, B).

% inside(X, Y): the box of X lies within that of Y.
inside(X, Y) :-
    object(X), object(Y), X \== Y, box(X, L, T, R, B), box(Y, L1, T1, R1, B1),
    L >= L1, T >= T1, R =< R1, B =< B1, (R - L)*(B - T) < (R1 - L1)*(B1 - T1).
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

% colour(X, Word): the nearest shade of the palette is called Word. Edit the palette: add shades and words.
colour(X, Word) :- colour(X, Red, Green, Blue),
    findall(D-W, shade_apart(Red, Green, Blue, W, D), Shades),
    keysort(Shades, [_-Word|_]).
shade_apart(Red, Green, Blue, Word, D) :-
    palette(Word, R, G, B), Dr is Red - R, Dg is Green - G, Db is Blue - B,
    D is ((Dr + Dg + Db)/6)**2 + (Dr - Dg)**2 + ((Dr + Dg)/2 - Db)**2/2.
palette(red, 230, 20, 20).
palette(red, 140, 10, 15).
palette(orange, 255, 130, 0).
palette(orange, 230, 110, 40).
palette(yellow, 250, 230, 40).
palette(yellow, 250, 245, 150).
palette(green, 30, 160, 50).
palette(green, 0, 80, 20).
palette(green, 130, 230, 100).
palette(green, 120, 130, 40).
palette(cyan, 0, 230, 230).
palette(cyan, 140, 250, 250).
palette(blue, 20, 60, 220).
palette(blue, 10, 10, 110).
palette(blue, 120, 180, 240).
palette(blue, 70, 110, 160).
palette(purple, 130, 40, 170).
palette(purple, 70, 10, 80).
palette(purple, 180, 130, 220).
palette(pink, 255, 150, 190).
palette(pink, 255, 30, 150).
palette(pink, 210, 100, 130).
palette(brown, 130, 80, 30).
palette(brown, 80, 45, 15).
palette(brown, 170, 130, 85).
palette(white, 255, 255, 255).
palette(grey, 128, 128, 128).
palette(grey, 80, 85, 85).
palette(grey, 190, 190, 190).
palette(black, 0, 0, 0).
palette(black, 25, 25, 25).

small(V) :- abs(V) < 0.1.
large(V) :- abs(V) >= 0.1.
