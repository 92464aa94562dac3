/*  Tests of Allen's relations, on all pairs of intervals and instants between 0 and 7: by the signs of how their four
    ends differ, a table of which says what holds.

    Run by test_plunit.py with the theory loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(plunit)).

%   signs(Relation, From - From, From - Until, Until - From, Until - Until): of the ends of I and J.

signs(before, -1, -1, -1, -1).
signs(meets, -1, -1, 0, -1).
signs(overlaps, -1, -1, 1, -1).
signs(starts, 0, -1, 1, -1).
signs(during, 1, -1, 1, -1).
signs(finishes, 1, -1, 1, 0).
signs(equals, 0, -1, 1, 0).
signs(started_by, 0, -1, 1, 1).
signs(contains, -1, -1, 1, 1).
signs(finished_by, -1, -1, 1, 0).
signs(overlapped_by, 1, -1, 1, 1).
signs(met_by, 1, 0, 1, 1).
signs(after, 1, 1, 1, 1).
signs(starts, 0, -1, 0, -1).            % from here on one of them is an instant
signs(finishes, 1, 0, 1, 0).
signs(started_by, 0, 0, 1, 1).
signs(finished_by, -1, -1, 0, 0).
signs(equals, 0, 0, 0, 0).

pair(A-B, C-D) :-
    between(0, 7, A),
    between(A, 7, B),
    between(0, 7, C),
    between(C, 7, D).

:- begin_tests(intervals).

test(one_of_the_thirteen_holds, all(N == [1296])) :-
    aggregate_all(count, pair(_, _), N),
    forall(( pair(A-B, C-D), findall(R, allen(R, A-B, C-D), Relations) ),
           ( AC is sign(A - C), AD is sign(A - D), BC is sign(B - C), BD is sign(B - D),
             findall(R, signs(R, AC, AD, BC, BD), Expected),
             Relations == Expected )).
test(all_thirteen_occur, N == 13) :-
    aggregate_all(count, R, ( distinct(R, signs(R, _, _, _, _)), once(( pair(I, J), allen(R, I, J) )) ), N).
test(fractions, true) :-
    meets(0.5-1, 1.0-2).

:- end_tests(intervals).
