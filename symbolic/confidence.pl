:- module(confidence,
          [ confidence/4,               % +Module, +Goal, !Purse, -P
            certain/3,                  % +Module, +Goal, !Purse
            purse/1                     % -Purse
          ]).

/** <module> How likely a program thinks it that a goal is true

A program may define confidence(Goal, P): P is a number from 0 to 1, the probability that Goal is true, whether or not
Goal has a proof. It is asked for ground goals, and its first answer counts. Only the program itself is believed,
not rules that come with a question.

confidence/2 passed the guard like any other predicate, so it can do no harm, but it may be slow. So all that is asked
for one query is paid for from a purse of inferences, a term purse(Inferences) that is changed in place. Once it is empty,
nothing is asked any more: an endless confidence/2 costs a query its confidences, not its proofs. The query's time gets
no longer for them, either: where it ends, so do the proofs, as they do without confidences.
*/

:- use_module(guard, [owner/3]).
:- use_module(reaching, [reached/4]).

%!  purse(-Purse) is det.
%
%   Purse pays for the confidences of one query: some 10,000 of an exported program's. To spend it takes 0.1 s.

purse(purse(1 000 000)).

%!  confidence(+Module, +Goal, !Purse, -P) is semidet.
%
%   The program in Module thinks Goal true with probability P, a float of four decimals at most. For \+ Goal that is 1
%   less the probability of Goal. False if the program says nothing of Goal, or no probability.

confidence(M, Goal, Purse, P) :-
    owner(M, confidence(_, _), program),
    !,
    probability(Goal, M, Purse, P0),
    P is round(P0*10000)/10000.0.

probability(Goal, M, Purse, P) :-
    ground(Goal),
    (   Goal = (\+ Denied)
    ->  probability(Denied, M, Purse, P0),
        P is 1-P0
    ;   paid(M:confidence(Goal, P), Purse),
        number(P),
        P >= 0,
        P =< 1
    ).

%!  certain(+Module, +Goal, !Purse) is semidet.
%
%   Whatever decides whether Goal is true, the program gives no probability of it: Goal rests on none of the predicates
%   that confidence/2 speaks of. False also where the purse does not suffice to tell.

certain(M, Goal, Purse) :-
    (   owner(M, confidence(_, _), program)
    ->  % of no Head by `confidence(Head, _) :- fail`, which a program has that has no probabilities
        paid(\+ ( reached(M, defined, [Goal], Head), clause(M:confidence(Head, _), Body), Body \== fail ), Purse)
    ;   true
    ).

defined(_, _).

% paid(:Goal, !Purse): once(Goal), as far as the purse goes. A fault of Goal is no answer; the end of the query's time is no
% fault of it.

paid(Goal, Purse) :-
    arg(1, Purse, Left),
    Left > 0,
    statistics(inferences, Before),
    call_cleanup(catch(once(call_with_inference_limit(Goal, Left, Result)), error(_, _), fail), spend(Before, Purse)),
    Result \== inference_limit_exceeded.

spend(Before, Purse) :-
    statistics(inferences, Now),
    arg(1, Purse, Left0),
    Left is Left0-(Now-Before),
    nb_setarg(1, Purse, Left).
