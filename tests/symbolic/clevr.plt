/*  Tests of the theory of CLEVR, on five things given by hand: of what no program of functional.json asks.

    Run by test_plunit.py with the theory loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(plunit)).

:- dynamic object/1, shape/2, color/2, material/2, size/2, left_of_ground/2, right_of_ground/2, behind/2, in_front/2.

thing_at(a, cube, red, metal, large).
thing_at(b, cube, gray, metal, small).
thing_at(c, sphere, gray, rubber, small).
thing_at(d, cylinder, red, rubber, small).
thing_at(e, cube, blue, rubber, large).

setup :-
    forall(thing_at(X, Shape, Color, Material, Size),
           ( assertz(object(X)), assertz(shape(X, Shape)), assertz(color(X, Color)),
             assertz(material(X, Material)), assertz(size(X, Size)) )),
    assertz(left_of_ground(b, a)),
    assertz(left_of_ground(c, a)),
    assertz(right_of_ground(a, b)),
    assertz(behind(d, c)),
    assertz(in_front(c, d)).

cleanup :-
    forall(member(P, [object/1,shape/2,color/2,material/2,size/2,left_of_ground/2,right_of_ground/2,behind/2,in_front/2]),
           ( P = Name/Arity, functor(Head, Name, Arity), retractall(Head) )).

:- begin_tests(clevr, [setup(setup), cleanup(cleanup)]).

test(filter_finds_none, Kept == []) :-
    filter(color, cyan, [a,b], Kept).
test(of_two_none_is_unique, fail) :-
    unique([a,b], _).
test(relate, [Left,Right,Behind,Front] == [[b,c],[a],[d],[c]]) :-
    relate(left, a, Left),
    relate(right, b, Right),
    relate(behind, c, Behind),
    relate(front, d, Front).
test(same_is_others, Others == [b,e]) :-
    same(shape, a, Others).
test(intersect, Both == [b]) :-
    intersect([a,b], [b,c], Both).
test(less_than, [A,B,C] == [yes,no,no]) :-
    less_than(1, 2, A),
    less_than(2, 2, B),
    less_than(3, 2, C).

:- end_tests(clevr).
