:- module(clevr,
          [ scene/1,                          % -Things
            filter/4,                         % +Attribute, ?Value, +Things, -Kept
            unique/2,                         % +Things, -X
            relate/3,                         % ?Direction, ?X, -Things
            same/3,                           % ?Attribute, ?X, -Things
            intersect/3,                      % +Things, +Others, -Both
            union/3,                          % +Things, +Others, -All
            count/2,                          % +Things, -N
            exist/2,                          % +Things, -Answer
            query/3,                          % ?Attribute, ?X, ?Value
            equal/3,                          % +A, +B, -Answer
            less_than/3,                      % +M, +N, -Answer
            greater_than/3,                   % +M, +N, -Answer
            has/3,                            % ?Attribute, ?X, ?Value
            lies/3                            % ?Direction, ?Y, ?X
          ]).

/** <module> The theory of CLEVR

The functions that CLEVR's questions are programs of, said as rules: a question is a chain of them, each of which takes
what those before it gave. Nothing here was learned.

    $ predinet-prolog query scene.pl --rules clevr \
          'scene(A), filter(color, red, A, B), unique(B, C), relate(left, C, D), count(D, N)'
    A = [ob_0, ob_1, ob_2], B = [ob_1], C = ob_1, D = [ob_2], N = 1.

What the program has to say, in CLEVR's own words:

| object(X)                                          | X is a thing                                             |
| shape(X, cube), color(X, gray), ...                | its attributes: shape, color, material, size             |
| left_of_ground(Y, X), right_of_ground(Y, X)        | Y lies left of X, or right of it, on the ground          |
| behind(Y, X), in_front(Y, X)                       | Y lies behind X, or in front of it                       |

Things are lists of objects without repetition, in the order of the program. Every predicate is pure.
*/

%@ shape/2: see CLEVR's pictures by --model clevr, or give the picture's truth by --detections scenes.json
%@ color/2: take --model clevr or --detections scenes.json: they tell color/2, and other looks colour/2
%@ material/2: see CLEVR's pictures by --model clevr, or give the picture's truth by --detections scenes.json
%@ left_of_ground/2: take --model clevr or --detections scenes.json: other looks do not tell places on the ground

% --- Things ---

%!  scene(-Things) is det.
%!  filter(+Attribute, ?Value, +Things, -Kept) is det.
%
%   All things of the picture; Kept are those of Things whose Attribute is Value.

scene(Things) :-
    findall(X, object(X), Things).

filter(Attribute, Value, Things, Kept) :-
    findall(X, ( member(X, Things), has(Attribute, X, Value) ), Kept).

%!  unique(+Things, -X) is semidet.
%
%   X is the only one of Things. False where there is none, or several: the question supposes what is not so.

unique([X], X).

%!  relate(?Direction, ?X, -Things) is nondet.
%!  same(?Attribute, ?X, -Things) is semidet.
%
%   Things are those that lie in Direction from X: left, right, behind or front; the others that have the Attribute in
%   common with X.

relate(Direction, X, Things) :-
    findall(Y, lies(Direction, Y, X), Things).

same(Attribute, X, Things) :-
    has(Attribute, X, Value),
    findall(Y, ( has(Attribute, Y, Value), Y \== X ), Things).

%!  intersect(+Things, +Others, -Both) is det.
%!  union(+Things, +Others, -All) is det.
%
%   What is in both lists; what is in either.

intersect(Things, Others, Both) :-
    findall(X, ( member(X, Things), memberchk(X, Others) ), Both).

union(Things, Others, All) :-
    append(Things, Others, Both),
    list_to_set(Both, All).

% --- Answers ---

%!  count(+Things, -N) is det.
%!  exist(+Things, -Answer) is det.
%
%   There are N Things; Answer is yes if there is one, else no.

count(Things, N) :-
    length(Things, N).

exist([], no).
exist([_|_], yes).

%!  query(?Attribute, ?X, ?Value) is nondet.
%
%   The Attribute of X is Value.

query(Attribute, X, Value) :-
    has(Attribute, X, Value).

%!  equal(+A, +B, -Answer) is det.
%!  less_than(+M, +N, -Answer) is det.
%!  greater_than(+M, +N, -Answer) is det.
%
%   Answer is yes or no, of two values or two counts.

equal(A, B, Answer) :-
    ( A == B -> Answer = yes ; Answer = no ).

less_than(M, N, Answer) :-
    ( M < N -> Answer = yes ; Answer = no ).

greater_than(M, N, Answer) :-
    less_than(N, M, Answer).

% --- The program's ---

%!  has(?Attribute, ?X, ?Value) is nondet.
%
%   The Attribute of X is Value.

has(shape, X, Value) :- shape(X, Value).
has(color, X, Value) :- color(X, Value).
has(material, X, Value) :- material(X, Value).
has(size, X, Value) :- size(X, Value).

%!  lies(?Direction, ?Y, ?X) is nondet.
%
%   Y lies in that Direction from X.

lies(left, Y, X) :- left_of_ground(Y, X).
lies(right, Y, X) :- right_of_ground(Y, X).
lies(behind, Y, X) :- behind(Y, X).
lies(front, Y, X) :- in_front(Y, X).
