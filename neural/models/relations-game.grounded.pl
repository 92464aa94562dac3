% Grounded for the model with sha256 f48c4c636339f219eaa9c6008dac9cdbbe92af468852b31adfd5819280c7d8b4
% on pentos, clean and corrupted.
% The figures are balanced accuracies on fresh pairs of objects that were seen.
%
% same(X, Y): X and Y look the same: shape, orientation and colour.
% clean: pentos 1.0000, hexos 1.0000, stripes 0.9999
% corrupted: pentos 0.9993, hexos 0.9998, stripes 0.9969
%
% same_shape(X, Y): X and Y have the same shape in the same orientation.
% clean: pentos 1.0000, hexos 1.0000
% corrupted: pentos 0.9986, hexos 0.9987
%
% same_colour(X, Y): X and Y have the same colour.
% clean: pentos 1.0000, hexos 1.0000, stripes 0.9996
% corrupted: pentos 1.0000, hexos 1.0000, stripes 0.9966
same(X, Y) :-
    noise_level(N), T is 0.17 + 0.068*N,
    near(r4, X, Y, T),
    near(r6, X, Y, T),
    near(r11, X, Y, T),
    near(r12, X, Y, T),
    near(r13, X, Y, T),
    near(r14, X, Y, T),
    near(r15, X, Y, T).
same_shape(X, Y) :-
    noise_level(N), T is 0.11 + 0.044*N,
    near(r4, X, Y, T),
    near(r6, X, Y, T),
    near(r7, X, Y, T),
    near(r8, X, Y, T),
    near(r10, X, Y, T),
    near(r11, X, Y, T),
    near(r12, X, Y, T).
same_colour(X, Y) :-
    noise_level(N), T is 0.21 + 0.084*N,
    near(r1, X, Y, T),
    near(r2, X, Y, T),
    near(r3, X, Y, T).
%
% near(R, X, Y, T): X and Y lie within T of each other on relation R's axis.
near(R, X, Y, T) :-
    object(X), object(Y), X \== Y, coordinate(R, X, A), coordinate(R, Y, B), abs(A - B) =< T.
%
% confidence(G, P): P is the probability that G is true; G holds where it is one half or more.
confidence(same(X, Y), P) :-
    noise_level(N), T is 0.17 + 0.068*N,
    apart([r4, r6, r11, r12, r13, r14, r15], X, Y, D),
    P is 0.0005 + 0.999/(1 + (D/T)**6.3).
confidence(same_shape(X, Y), P) :-
    noise_level(N), T is 0.11 + 0.044*N,
    apart([r4, r6, r7, r8, r10, r11, r12], X, Y, D),
    P is 0.0005 + 0.999/(1 + (D/T)**9.6).
confidence(same_colour(X, Y), P) :-
    noise_level(N), T is 0.21 + 0.084*N,
    apart([r1, r2, r3], X, Y, D),
    P is 0.0005 + 0.999/(1 + (D/T)**20.0).
%
% apart(Rs, X, Y, D): D is the most that two objects differ by on the axes of the relations Rs.
apart(Rs, X, Y, D) :-
    object(X), object(Y), X \== Y, farthest(Rs, X, Y, 0, D).
farthest([], _, _, D, D).
farthest([R|Rs], X, Y, D0, D) :-
    coordinate(R, X, A), coordinate(R, Y, B), D1 is max(D0, abs(A - B)), farthest(Rs, X, Y, D1, D).
%
% tells(R, What): objects lie on relation R's axis by What: colour or shape, if that makes nine tenths of
% the variance at least, else mixed; position or nothing, where all of them lie at one point.
tells(r0, colour).
tells(r1, colour).
tells(r2, colour).
tells(r3, colour).
tells(r4, shape).
tells(r5, shape).
tells(r6, shape).
tells(r7, shape).
tells(r8, shape).
tells(r9, shape).
tells(r10, shape).
tells(r11, shape).
tells(r12, shape).
tells(r13, mixed).
tells(r14, colour).
tells(r15, mixed).
