:- module(deadline,
          [ call_within/2               % +Seconds, :Goal
          ]).

/** <module> A time limit without threads and signals, which WebAssembly has none of

Prolog calls a hook every so many inferences; here it looks at the clock. No limit ends one long operation inside
Prolog: who waits for it ends the whole (playground.js).
*/

:- meta_predicate call_within(+, 0).

:- abolish(prolog:heartbeat/0).         % library(wasm)'s gives way to events of the page: there are none in a worker
:- multifile prolog:heartbeat/0.

prolog:heartbeat :-
    nb_current(deadline, Due),
    get_time(Now),
    Now > Due,
    !,
    nb_delete(deadline),
    throw(out_of_time).
prolog:heartbeat.

:- set_prolog_flag(heartbeat, 20_000).

%!  call_within(+Seconds, :Goal) is semidet.
%
%   As once(Goal), but after Seconds it ends with an exception.
%
%   @throws out_of_time

call_within(Seconds, Goal) :-
    Seconds > 0,
    !,
    get_time(Now),
    Due is Now+Seconds,
    setup_call_cleanup(nb_setval(deadline, Due),
                       once(Goal),
                       nb_delete(deadline)).
call_within(_, _) :-
    throw(out_of_time).
