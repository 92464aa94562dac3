:- module(nine, [triplet/3, same_coloured_line/3, lonely/1, kinds/1]).

/** <module> Questions about any number of objects

Nobody trained a network for these. They are asked of programs that have object/1, same/2, same_colour/2 and
in_line/3.
*/

%!  triplet(?X, ?Y, ?Z) is nondet.
%
%   X, Y and Z are three different objects that all look the same, named in the standard order.

triplet(X, Y, Z) :-
    same(X, Y),
    X @< Y,
    same(Y, Z),
    Y @< Z.

%!  same_coloured_line(?X, ?Y, ?Z) is nondet.
%
%   X, Y and Z have one colour, and Y lies on the line between the other two.

same_coloured_line(X, Y, Z) :-
    lies_between(Y, X, Z),
    X @< Z,
    same_colour(X, Y),
    same_colour(Y, Z).

%!  lonely(?X) is nondet.
%
%   No other object looks like X.

lonely(X) :-
    object(X),
    \+ same(X, _).

%!  kinds(-Count) is det.
%
%   There are Count different kinds of object: each kind is counted at its first in the standard order.

kinds(Count) :-
    findall(X, ( object(X), \+ ( same(X, Y), Y @< X ) ), Firsts),
    length(Firsts, Count).
