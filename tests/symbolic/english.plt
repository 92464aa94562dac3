/*  Tests of the grammar of questions: what sentences parse to, by the words of a program given by hand.

    Run by test_plunit.py with host.pl loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(plunit)).

program("object(ob_0). object(ob_1). shape(ob_0, cube). shape(ob_1, ball). color(ob_0, red). color(ob_1, blue). \c
         left_of(ob_0, ob_1). touches(ob_1, ob_0).").
words("english_relation('left of', left_of, straight). english_relation('right of', left_of, converse). \c
       english_verb(touch, touches, straight). english_attribute(color, colour).").

setup :-
    program(Program),
    words(Words),
    host:reply("load", ["english",["program",Program,"english",Words]], Reply),
    Reply == "{}".

cleanup :-
    host:reply("drop", ["english"], _).

%   parse(+Words, -Parse): the first parse.

parse(Words, Parse) :-
    lexicon:with_words(scene_english, phrase(grammar:question(Parse), Words)).

%   goal(+Text, -Goal): the goal of the first reading, as text.

goal(Text, Goal) :-
    lexicon:with_words(scene_english, english:answered_question(scene_english, 1.0, Text, object([readings=[object([goal=Goal|_])|_]]))).

:- begin_tests(english, [setup(setup), cleanup(cleanup)]).

test(count, true(Parse =@= q([],count(X,[shape(X,cube)])))) :-
    parse([how,many,cubes,are,there], Parse).
test(a_definite_thing_is_taken_for_granted,
     true(Parse =@= q([the(X,[color(X,red),shape(X,cube)],[red,cube])],holds([left_of(X,ob_1)])))) :-
    parse([is,the,red,cube,left,of,ob_1], Parse).
test(definite_things_stand_in_the_order_in_which_they_are_found,
     true(Parse =@= q([the(Y,[shape(Y,ball)],[ball]),the(X,[shape(X,cube),left_of(X,Y)],[cube,left,of,the,ball])],
                      values(V,[color(X,V)])))) :-
    parse([what,color,is,the,cube,left,of,the,ball], Parse).
test(what_follows_belongs_to_the_nearest_noun,
     true(Parse =@= q([],count(X,[shape(X,cube),exists(Y,[shape(Y,ball),color(Y,red)|Ls])])))) :-
    Ls = [left_of(X,Y)],
    parse([how,many,cubes,left,of,a,ball,that,is,red,are,there], Parse).
test(nouns_are_joined_with_nouns,
     true(Parse =@= q([],count(X,[either([shape(X,cube),color(X,red)],[shape(X,ball),color(X,blue)])])))) :-
    parse([how,many,things,are,cubes,that,are,red,or,balls,that,are,blue], Parse).
test(and_binds_tighter_than_or,
     true(Parse =@= q([],things(X,[either([color(X,red),shape(X,cube)],[color(X,blue)])])))) :-
    parse([which,things,are,red,and,a,cube,or,blue], Parse).
test(the_same_is_of_another, true(Parse =@= q([],things(X,[color(X,V),color(ob_0,V),X\==ob_0])))) :-
    parse([which,things,are,the,same,colour,as,ob_0], Parse).
test(it_is_what_was_introduced, true(Parse =@= q([the(X,[shape(X,cube)],[cube])],values(V,[color(X,V)])))) :-
    parse([there,is,a,cube,;,what,color,is,it], Parse).
test(another_is_not_it, true(Parse =@= q([the(X,[shape(X,cube)],[cube])],holds([exists(Y,[Y\==X,shape(Y,ball)])])))) :-
    parse([there,is,a,cube,;,is,there,another,ball], Parse).
test(numbers_are_compared, true(Parse =@= q([],compared(count(X,[shape(X,cube)]),<,count(Y,[shape(Y,ball)]))))) :-
    parse([are,there,fewer,cubes,than,balls], Parse).
test(quantifiers, true(Parse =@= q([some(X,[shape(X,cube)],[cube])],
                                   holds([every(X,[shape(X,cube)],[none([exists(Y,[shape(Y,ball),touches(X,Y)])])])])))) :-
    parse([does,every,cube,touch,no,ball], Parse).

test(goal_of_a_count, Goal == "aggregate_all(count, (object(X), color(X, red)), N)") :-
    goal("How many red things are there?", Goal).
test(goal_with_a_definite, Goal == "object(X), shape(X, ball), object(Y), left_of(Y, X)") :-
    goal("What is left of the ball?", Goal).
test(goal_of_all_others, Goal == "forall((object(X), X\\==ob_0), (color(X, Y), color(ob_0, Y)))") :-
    goal("Are all things the same color as ob_0?", Goal).
test(goal_of_a_superlative, Goal == "object(X), \\+ ( object(Y), left_of(Y, X) )") :-
    goal("Which thing is the leftmost?", Goal).
test(goal_of_either, Goal == "object(X), once((shape(X, cube);color(X, blue)))") :-
    goal("Which things are a cube or blue?", Goal).

:- end_tests(english).
