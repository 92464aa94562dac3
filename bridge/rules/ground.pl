/** How things lie on the ground, as a scene tells it. Facts of it: on_ground(?X, ?Way, ?Y). */

% How things lie on the ground, as seen from the camera: where it was told.
left_of_ground(X, Y) :- on_ground(X, left, Y).
right_of_ground(X, Y) :- on_ground(X, right, Y).
behind(X, Y) :- on_ground(X, behind, Y).
in_front(X, Y) :- on_ground(X, front, Y).
