% Over a knowledge base of many images: swipl images.qlf in_line.pl
:- use_module(library(solution_sequences)).

%!  three_in_line(?Image, ?X, ?Y, ?Z) is nondet.
%
%   Three objects of Image have the same colour and lie on a straight line, Y between X and Z.

three_in_line(Image, X, Y, Z) :-
    lies_between(Image, Y, X, Z),
    X @< Z,
    same_colour(Image, X, Y),
    same_colour(Image, Y, Z).

% Each such image once, with one of its lines.
:- initialization(main, main).

main :-
    forall(distinct(Image, three_in_line(Image, X, Y, Z)),
           format("~w: ~w, ~w and ~w~n", [Image, X, Y, Z])).
