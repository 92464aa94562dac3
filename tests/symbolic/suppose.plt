/*  Tests of looks.pl and suppose.pl on a scene of three objects, without the engine around them.

    Run by test_plunit.py with host.pl loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(lists)).
:- use_module(library(plunit)).

:- begin_tests(suppose, [setup(loaded), cleanup(loader:unload(p))]).

loaded :-
    loader:load(p, [source(program,
                           "object(a). object(b). object(c). left_of(a, b). same_row(a, b).
                            same_colour(a, b). same_colour(b, a). same_shape(b, c). same_shape(c, b). same(_, _) :- fail.
                            colour(a, red). colour(b, red). colour(c, blue). part(k). part_of(k, b). colour(k, white).
                            r0(0.5, a, b). lone(X) :- object(X), \\+ same_colour(X, _).")]).

changes(Facts, Changes) :-
    looks:scene(p, Scene),
    suppose:supposed(p, Scene, Facts, Changes).

facts(Changes, Name, Facts) :-
    looks:scene(p, Scene),
    findall(Fact, ( looks:fact(Scene, Changes, Fact), functor(Fact, Name, 2) ), Facts).

test(attributes, Attributes-Names == [colour-same_colour,shape-same_shape]-[same_colour,same_shape,same]) :-
    looks:scene(p, scene(_, Attributes, Names, _, _)).

test(unchanged, Facts == [same_colour(a, b),same_colour(b, a)]) :-
    facts([], same_colour, Facts).
test(taken, Facts == [same_colour(b, c),same_colour(c, b)]) :-
    facts([change(colour, b, like(c))], same_colour, Facts).
test(swapped, Facts == [same_colour(b, c),same_colour(c, b)]) :-
    facts([change(colour, a, like(c)), change(colour, c, like(a))], same_colour, Facts).
test(own_and_shared, Facts == [same_colour(b, c),same_colour(c, b)]) :-
    facts([change(colour, b, own(b)), change(colour, c, own(b))], same_colour, Facts).
test(all_attributes, Facts == [same(b, c),same(c, b)]) :-
    facts([change(colour, b, like(c))], same, Facts).
test(values, Facts == [colour(a, red),colour(b, blue),colour(c, blue)]) :-
    facts([change(colour, b, like(c))], colour, Facts).
test(values_of_parts, Facts == [colour(a, blue),colour(b, red),colour(c, blue),colour(k, white)]) :-
    facts([change(colour, a, like(c))], colour, Facts0),
    msort(Facts0, Facts).

test(nothing, Changes == []) :-
    changes([same_colour(b, a)], Changes).
test(one_attribute, Changes == [change(shape, b, like(a))]) :-
    changes([same(a, b)], Changes).
test(first_named, Changes == [change(colour, a, like(c)),change(colour, b, like(c))]) :-
    changes([same_colour(c, a), same_colour(b, a)], Changes).
test(own, Changes == [change(colour, b, own(b))]) :-
    changes([\+ same_colour(a, b)], Changes).
test(kept_together, Changes == [change(colour, c, own(b)),change(colour, b, own(b))]) :-
    changes([same_colour(b, c), \+ same_colour(a, b)], Changes).
test(different_in_what_is_left, Changes == [change(shape, b, own(b))]) :-
    changes([same_colour(c, b), \+ same_shape(c, b)], Changes0),
    subtract(Changes0, [change(colour, b, like(c))], Changes).
test(contradiction, throws(refused(supposition, _))) :-
    changes([(same(a, b), \+ same_colour(b, a))], _).
test(of_place, throws(refused(supposition, _))) :-
    changes([same_row(a, b)], _).

test(difference, Gained-Lost == [colour(b, blue),same(b, c),same(c, b),same_colour(b, c),same_colour(c, b)]-
                                [colour(b, red),colour(k, white),same_colour(a, b),same_colour(b, a)]) :-
    looks:scene(p, Scene),
    looks:difference(Scene, [change(colour, b, like(c))], Gained, Lost).

test(candidates, Candidates == [like(c),own(b)]) :-
    looks:scene(p, Scene),
    findall(Whose, suppose:candidate(Scene, change(colour, b, Whose)), Candidates).

% A world has the program's clauses but what was measured, and looks of its own. Its module is named by a variable here:
% it must not be there before.

test(world, [cleanup(loader:unload(w)), Lone-Kept-Measured == [a]-true-false]) :-
    W = w,
    suppose:open_world(p, [same_colour(c, b)], W, _),
    findall(X, W:lone(X), Lone),
    ( W:left_of(a, b) -> Kept = true ; Kept = false ),
    ( guard:owner(W, r0(_, _, _), _) -> Measured = true ; Measured = false ).

test(least, [cleanup(loader:unload(w)), Told == [[object([object=a,attribute=colour])],
                                                 [object([object=b,attribute=colour,like=c])],
                                                 [object([object=b,attribute=colour])]]]) :-
    suppose:open_world(p, [], w, World),
    suppose:least_changes(World, (lone(a), lone(A), A == a), true, 10, [wanted=_,least=Told,more=text(false)]).
test(the_world_is_as_before, [cleanup(loader:unload(w)), Facts == [a-b,b-a]]) :-
    W = w,
    suppose:open_world(p, [], W, World),
    suppose:least_changes(World, fail, true, 10, [_,least=[],_]),
    findall(X-Y, W:same_colour(X, Y), Facts0),
    msort(Facts0, Facts).

:- end_tests(suppose).
