%! {"model": {"name": "hand-made", "sha256": "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"}, "image": {"name": "it's an\nimage.png", "sha256": "abababababababababababababababababababababababababababababababab", "width": 72, "height": 36}, "looks": null, "warnings": [], "rules": "18688aaeac5a06bd", "length": 6875}
% What a PrediNet saw in an image, as a Prolog program.
%
% model    hand-made (sha256 cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd)
% image    it's an�image.png, 72 x 36 pixels (sha256 abababababababababababababababababababababababababababababababab)
% looks    until nothing new appears
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
% background(X)         X is a place the network attended to that is no thing, or only a part of one
% shade_apart(Red, Green, Blue, Word, D) D is how much a colour differs from a shade that is called Word
% palette(Word, Red, Green, Blue) a shade and what it is called
% noise_level(Level)    how spoiled the picture is: 0 if it is clean, more with noise, artefacts or blur
% tolerance(T)          places, and how far things are apart, that differ by at most T pixels count as the
%                       same: a quarter of a window, or of the things' median size and no less than what a
%                       pixel of noise makes: 4.5 pixels, more where a large picture was looked at smaller,
%                       up to half of that size
% rI(V, X, Y)           V is the distance between X and Y in relation I's own 1-D space
% holds(R, V, X, Y)     the same, with the relation as an argument
% coordinate(R, X, C)   X lies at C on relation R's axis, its place left out
% look(X, N)            the network's Nth look was the first to pick X
% head(H, X, Y)         head H picked the pair X, Y (once for every look)
% slope(R, Ax, Ay)      V = difference of coordinates + Ax*dx + Ay*dy where a head attends to one window for
%                       each of the pair, and less exactly where its masks are spread; dx and dy are in the
%                       network's own places: x = (36*Px/W - 6)/30 in an image W pixels wide, y alike
% small(V)              V is next to nothing
% large(V)              V is more than next to nothing
/** <module> Its predicates, with modes and determinism
  - nondet: object(?X), background(?X), position(?X, -Px, -Py), box(?X, -Left, -Top, -Right, -Bottom),
    colour(?X, -Red, -Green, -Blue), look(?X, ?N), head(?H, ?X, ?Y), rI(-V, ?X, ?Y),
    coordinate(?R, ?X, -C), slope(?R, -Ax, -Ay), holds(?R, -V, ?X, ?Y), left_of(?X, ?Y), above(?X, ?Y),
    same_row(?X, ?Y), same_column(?X, ?Y), in_line(?X, ?Y, ?Z), lies_between(?Y, ?X, ?Z),
    colour(?X, ?Word), shade_apart(+Red, +Green, +Blue, ?Word, -D), palette(?Word, -Red, -Green, -Blue)
  - det: noise_level(-Level), tolerance(-T)
  - semidet: small(+V), large(+V)
*/

object(ob_0).
object(ob_1).
object(ob_2).

background(ob_3).

position(ob_0, 12.0000, 6.0000).
position(ob_1, 36.0000, 6.0000).
position(ob_2, 60.0000, 6.0000).
position(ob_3, 24.0000, 24.0000).

box(ob_0, 2.0000, 1.0000, 20.0000, 7.0000).
box(ob_1, 26.0000, 1.0000, 44.0000, 7.0000).
box(ob_2, 50.0000, 1.0000, 68.0000, 7.0000).

colour(_, _, _, _) :- fail.

look(ob_0, 1).
look(ob_1, 2).
look(ob_2, 1).
look(ob_3, 1).

head(h0, ob_0, ob_2).
head(h0, ob_1, ob_3).

r0(0.2500, ob_0, ob_2).
r0(1.5000, ob_1, ob_3).

r1(0.0000, ob_0, ob_2).
r1(0.0999, ob_1, ob_3).

coordinate(r0, ob_0, 0.0600).
coordinate(r0, ob_1, 0.1800).
coordinate(r0, ob_2, 0.3000).
coordinate(r0, ob_3, 0.1200).
coordinate(r1, ob_0, -0.0600).
coordinate(r1, ob_1, -0.0600).
coordinate(r1, ob_2, -0.0600).
coordinate(r1, ob_3, -0.2400).

slope(r0, 0.5000, 0.0000).
slope(r1, 0.0000, -0.1250).

noise_level(0.0000).

tolerance(6.0000).

holds(r0, V, X, Y) :- r0(V, X, Y).
holds(r1, V, X, Y) :- r1(V, X, Y).

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

small(V) :- abs(V) < 0.1.
large(V) :- abs(V) >= 0.1.

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
