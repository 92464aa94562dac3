:- module(intervals,
          [ allen/3,                          % ?Relation, +I, +J
            before/2,                         % +I, +J
            after/2,                          % +I, +J
            meets/2,                          % +I, +J
            met_by/2,                         % +I, +J
            overlaps/2,                       % +I, +J
            overlapped_by/2,                  % +I, +J
            starts/2,                         % +I, +J
            started_by/2,                     % +I, +J
            during/2,                         % +I, +J
            contains/2,                       % +I, +J
            finishes/2,                       % +I, +J
            finished_by/2,                    % +I, +J
            equals/2                          % +I, +J
          ]).

/** <module> Allen's relations between intervals of time

J. F. Allen, Maintaining Knowledge about Temporal Intervals, Communications of the ACM 26 (11), 1983. Of any two
intervals exactly one of the thirteen holds.

    $ predinet-prolog query film.pl 'stays(X, dock, A, B), stays(Y, dock, C, D), overlaps(A-B, C-D)' \\
          --rules episodes --rules intervals

An interval is From-Until, two numbers, From =< Until. One that is an instant, T-T, starts or finishes an interval that
it lies at an end of: it is not met by it.

Every predicate is pure.
*/

%!  allen(?Relation, +I, +J) is nondet.
%
%   Relation is the one of the thirteen that holds between I and J.

allen(before, I, J) :- before(I, J).
allen(after, I, J) :- after(I, J).
allen(meets, I, J) :- meets(I, J).
allen(met_by, I, J) :- met_by(I, J).
allen(overlaps, I, J) :- overlaps(I, J).
allen(overlapped_by, I, J) :- overlapped_by(I, J).
allen(starts, I, J) :- starts(I, J).
allen(started_by, I, J) :- started_by(I, J).
allen(during, I, J) :- during(I, J).
allen(contains, I, J) :- contains(I, J).
allen(finishes, I, J) :- finishes(I, J).
allen(finished_by, I, J) :- finished_by(I, J).
allen(equals, I, J) :- equals(I, J).

%!  before(+I, +J) is semidet.
%!  after(+I, +J) is semidet.
%
%   I ends before J begins; the converse.

before(_-B, C-_) :- B < C.
after(I, J) :- before(J, I).

%!  meets(+I, +J) is semidet.
%!  met_by(+I, +J) is semidet.
%
%   I ends when J begins; the converse.

meets(A-B, C-D) :- B =:= C, A < C, B < D.
met_by(I, J) :- meets(J, I).

%!  overlaps(+I, +J) is semidet.
%!  overlapped_by(+I, +J) is semidet.
%
%   I begins first, and ends while J lasts; the converse.

overlaps(A-B, C-D) :- A < C, C < B, B < D.
overlapped_by(I, J) :- overlaps(J, I).

%!  starts(+I, +J) is semidet.
%!  started_by(+I, +J) is semidet.
%
%   They begin together, and I ends first; the converse.

starts(A-B, C-D) :- A =:= C, B < D.
started_by(I, J) :- starts(J, I).

%!  during(+I, +J) is semidet.
%!  contains(+I, +J) is semidet.
%
%   I begins after J and ends before it; the converse.

during(A-B, C-D) :- A > C, B < D.
contains(I, J) :- during(J, I).

%!  finishes(+I, +J) is semidet.
%!  finished_by(+I, +J) is semidet.
%
%   They end together, and I begins last; the converse.

finishes(A-B, C-D) :- B =:= D, A > C.
finished_by(I, J) :- finishes(J, I).

%!  equals(+I, +J) is semidet.
%
%   They begin together and end together.

equals(A-B, C-D) :- A =:= C, B =:= D.
