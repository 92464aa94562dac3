:- module(reasons,
          [ proofs/6,                   % +Answers, +Module, +Goal, +Asked, +Seconds, -Texts
            miss/4                      % +Module, +Goal, +Seconds, -Text
          ]).

/** <module> Reasons for answers that are there already

The answers of a query are found first, without this module. Then the goal is run once more by why.pl, which proves
them. So reasons can neither change an answer nor prevent it: what cannot be told within the time, the
memory or the size that is left is told as {"goal":"...","by":"cut_off"} for a proof and as
{"goal":"...","by":"too_much_to_say"} for a miss.
*/

:- use_module(json_terms).
:- use_module(why).
:- use_module(why_json).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(solution_sequences), [call_nth/2]).
:- use_module(deadline).

%!  proofs(+Answers, +Module, +Goal, +Asked, +Seconds, -Texts) is det.
%
%   Texts say why for each of Answers, text(Json) of Goal's first answers, each written from Asked (json_answer/4). They are
%   members of a JSON object: "why", the proof, and before it "confidence", the least one of the proof's steps, if there is
%   one.

proofs(Answers, M, Goal, Asked, Seconds, Texts) :-
    Known =.. [answers|Answers],
    functor(Known, _, Count),
    functor(Told, proofs, Count),
    within(Seconds, tell_proofs(Known, M, Goal, Asked, Told)),
    Told =.. [_|Whys],
    maplist(members, Whys, Texts).

% members(+Why, -Text): Why is why(Proof, Least), as tell/5 made it, or unbound if there was no time for it.

members(why(Proof, Least), Text) :-
    told(cut_off, Proof),
    (   number(Least)
    ->  format(string(Text), '"confidence":~w,"why":~s', [Least,Proof])
    ;   format(string(Text), '"why":~s', [Proof])
    ).

% A proof is told only beside the very answer that it proves.

tell_proofs(Known, M, Goal, Asked, Told) :-
    functor(Known, _, Count),
    answer_budget(AnswerBudget),
    why_budget(WhyBudget),
    ignore(( call_nth(proof(M, Goal, Proof), N),
             json_answer(Asked, M, AnswerBudget, Answer),
             ( arg(N, Known, text(Answer)) -> tell(Proof, M, WhyBudget, N, Told) ; true ),
             ( N =:= Count ; spent(WhyBudget) ) )).

%!  miss(+Module, +Goal, +Seconds, -Text) is det.
%
%   Text is the JSON of the nearest miss of Goal, which has no answer.

miss(M, Goal, Seconds, Text) :-
    Told = miss(_),
    within(Seconds, tell_miss(M, Goal, Told)),
    arg(1, Told, why(Text, _)),
    told(too_much_to_say, Text).

tell_miss(M, Goal, Told) :-
    nearest_miss(M, Goal, Miss),
    why_budget(Budget),
    tell(Miss, M, Budget, 1, Told).

% tell(+Why, +Module, !Budget, +N, !Told): the Nth argument of Told becomes the text of Why, with the least of its
% confidences, for good.

tell(Why, M, Budget, N, Told) :-
    json_why(Why, M, Budget, Text, Least),
    nb_setarg(N, Told, why(Text, Least)).

% within(+Seconds, :Goal): runs Goal for its effects, as far as it comes.

within(Seconds, Goal) :- catch(ignore(call_within(Seconds, Goal)), _, true).

% told(+Kind, ?Text): Text is told, or says that it is not.

told(Kind, Text) :-
    ( var(Text) -> format(string(Text), '{"goal":"...","by":"~w"}', [Kind]) ; true ).
