/** How much of a thing a pixel is. Facts of it: pixel(-P), size(?X, -S). */

% coarse(X, C): one pixel of the picture as it was looked at is the share C of X's size. Of two things the
% smaller counts: of small things less is to be seen.
coarse(X, C) :- size(X, S), pixel(P), C is P/S.
coarse(X, Y, C) :- coarse(X, A), coarse(Y, B), X \== Y, C is max(A, B).
