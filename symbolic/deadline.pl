:- module(deadline,
          [ call_within/2               % +Seconds, :Goal
          ]).

/** <module> A time limit that nobody else knows

call_with_time_limit/2 of library(time) throws the atom time_limit_exceeded, and labeling/2 of library(clpfd) catches it:
`labeling([max(X)], Xs)` would take the end of its time for the end of the search, give the best it has found as the
best there is, and go on without a limit. So the ball here is our own.
*/

:- use_module(library(time), [alarm/4, install_alarm/1, remove_alarm/1]).

:- meta_predicate call_within(+, 0).

%!  call_within(+Seconds, :Goal) is semidet.
%
%   As once(Goal), but after Seconds it ends with an exception.
%
%   @throws out_of_time

call_within(Seconds, Goal) :-
    Seconds > 0,
    !,
    setup_call_cleanup(alarm(Seconds, throw(out_of_time), Alarm, [install(false)]),
                       ( install_alarm(Alarm), once(Goal) ),
                       remove_alarm(Alarm)).
call_within(_, _) :-
    throw(out_of_time).
