%! {"model": {"name": "hand-made", "sha256": "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"}, "image": {"name": "it's an\nimage.png", "sha256": "abababababababababababababababababababababababababababababababab", "width": 72, "height": 36}, "looks": null, "warnings": [], "rules": "c83661458d759669", "length": 4264}
% What a PrediNet saw in an image, as a Prolog program.
%
% model    hand-made (sha256 cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd)
% image    it's an�image.png, 72 x 36 pixels (sha256 abababababababababababababababababababababababababababababababab)
% looks    until nothing new appears
%
% rI(V, X, Y)           V is the distance between X and Y in relation I's own 1-D space
% holds(R, V, X, Y)     the same, with the relation as an argument
% object(X)             X is a thing in the image; top to bottom, then left to right
% background(X)         X is a place the network attended to that is no thing, or only a part of one
% position(X, Px, Py)   centre of X in pixels of the image, x to the right, y down
% box(X, Left, Top, Right, Bottom) where the object X reaches, in pixels of the image
% look(X, N)            the network's Nth look was the first to pick X
% head(H, X, Y)         head H picked the pair X, Y (once for every look)
% coordinate(R, X, C)   X lies at C on relation R's axis, its place left out
% slope(R, Ax, Ay)      V = difference of coordinates + Ax*dx + Ay*dy where a head attends to one window for
%                       each of the pair, and less exactly where its masks are spread; dx and dy are in the
%                       network's own places: x = (36*Px/W - 6)/30 in an image W pixels wide, y alike
% noise_level(Level)    how spoiled the picture is: 0 if it is clean, more with noise, artefacts or blur
% tolerance(T)          places that differ by at most T pixels count as the same
% left_of(X, Y)         X lies further left than Y
% above(X, Y)           X lies higher than Y
% same_row(X, Y)        X and Y lie at the same height
% same_column(X, Y)     X lies straight above or below Y
% in_line(X, Y, Z)      three objects on a straight line
% lies_between(Y, X, Z) Y lies on the straight line between X and Z
% small(V)              V is next to nothing
% large(V)              V is more than next to nothing

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
    abs((Bx - Ax) * (Py - Ay) - (By - Ay) * (Px - Ax)) =< T * sqrt((Bx - Ax) ** 2 + (By - Ay) ** 2),
    (Px - Ax) * (Bx - Ax) + (Py - Ay) * (By - Ay) > 0,
    (Px - Bx) * (Ax - Bx) + (Py - By) * (Ay - By) > 0.

small(V) :- abs(V) < 0.1.
large(V) :- abs(V) >= 0.1.
