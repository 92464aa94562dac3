/** Sizes, of pictures of any size. Facts of it: object(?X), box(?X, -L, -T, -R, -B), pixel(-P). */

% Sizes are long sides of boxes, and the same where they differ by at most 14% of the
% smaller or by one pixel of the picture as it was looked at.
size(X, S) :- object(X), box(X, L, T, R, B), S is max(R - L, B - T).
same_size(X, Y) :- size(X, A), size(Y, B), X \== Y, pixel(P), abs(A - B) =< max(P, 0.14*min(A, B)).
larger(X, Y) :- size(X, A), size(Y, B), pixel(P), A - B > max(P, 0.14*B).
