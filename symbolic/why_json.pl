:- module(why_json,
          [ json_why/5,                 % +Why, +Module, !Budget, -Text, -Least
            why_budget/1,               % -Budget
            spent/1                     % +Budget
          ]).

/** <module> Proofs and misses as JSON

A proof or a miss of why.pl, folded by axes.pl, becomes an object, whose members are the fields of Proof and Miss in reasons.py. Only goal and
by are always there. Literals like a = a are left out of proofs: they say nothing once the values are known. Texts are
short: of large terms a part is written, and ... for the rest.

All the proofs of a query are paid for from a budget, a term budget(Characters, Purse) that is changed in place. Where the
characters end, {"goal":"...","by":"cut_off"} stands for all that would have followed.
*/

:- use_module(axes).
:- use_module(confidence).
:- use_module(goal_text).
:- use_module(guard, [owner/3]).
:- use_module(json_terms, [json_string/2]).
:- use_module(loader, [own_names/4]).
:- use_module(misses, [comparison/1]).
:- use_module(library(apply), [exclude/3]).
:- use_module(library(lists), [memberchk/2, same_length/2]).

%!  why_budget(-Budget) is det.
%
%   Budget pays for all the reasons of one query together.

why_budget(budget(2 000 000, Purse)) :- purse(Purse).

%!  spent(+Budget) is semidet.

spent(Budget) :-
    arg(1, Budget, Left),
    Left =< 0.

%!  json_why(+Why, +Module, !Budget, -Text, -Least) is det.
%
%   Text is the JSON of Why, a proof or a miss of a goal in Module. Least is the least confidence of the steps that a
%   proof rests on, or none.
%
%   A negation rests on what it denies being false. Where the program gives no probability of just that, it has at most
%   what the likeliest step of its nearest miss leaves it. Where there is no such step either, and what it denies rests
%   on something that the program does give probabilities of, nobody knows: then Least is none, too. So it is where a
%   step rests on all solutions of such a goal having been found, as a count does.

json_why(Why, M, Budget, Text, Least) :-
    (   Why = node(_, _, _)
    ->  phrase(proof(Why, M, Budget, weakest(Least0, Known)), Members),
        ( Known == true -> Least = Least0 ; Least = none )
    ;   phrase(miss(Why, M, Budget, _), Members),
        Least = none
    ),
    json_string(object(Members), Text).

% proof(+Proof, +Module, !Budget, -Weakest)//: the members of Proof's object. Weakest is weakest(Least, Known): the least
% confidence of its steps, or none, and whether that is known of all that Proof rests on.

proof(node(Goal, Kind, Proofs0), M, Budget, Weakest) -->
    { ( Kind == axes -> Proofs = Proofs0 ; folded(M, Proofs0, Proofs) ) },
    goal(Goal, Kind, M, Budget, Own),
    list(because, Proofs, M, Budget, weakest(Own, true), Weakest0),
    nearest(Kind, Goal, M, Budget, Likeliest),
    { rests(Kind, Goal, M, Budget, Own, Likeliest, Weakest0, Weakest) }.

% rests(+Kind, +Goal, ..., +Own, +Likeliest, +Weakest0, -Weakest): Weakest is that of Goal, whose own confidence is Own, or
% none, and that of whose proofs is Weakest0.

rests(negation(_), Goal, M, Budget, Own, Likeliest, _, Weakest) :-
    !,
    denied(Own, Likeliest, Goal, M, Budget, Weakest).
rests(_, _, _, _, Own, _, weakest(Least, _), weakest(Least, true)) :-
    Own \== none,                       % the program's own word covers whatever Goal rests on
    !.
rests(Kind, Goal, M, Budget, _, _, Weakest0, Weakest) :-
    (   memberchk(Kind, [findall, findall(_), forall, too_deep])
    ->  all_told(Goal, M, Budget, Weakest0, Weakest)
    ;   Weakest = Weakest0
    ).

% nearest(+Kind, +Goal, ..., -Likeliest)//: the nearest miss that Kind holds, if it does. Likeliest is the greatest
% confidence of what failed, or none.

nearest(Kind, Goal, M, Budget, Likeliest) -->
    { ( Kind = negation(Miss) ; Kind = findall(Miss) ; Kind = default(Miss) ), telling(Miss, Goal) },
    !,
    { phrase(miss(Miss, M, Budget, Likeliest), Members) },
    [nearest=object(Members)].
nearest(_, _, _, _, none) --> [].

% denied(+Own, +Likeliest, +Negation, ...): Negation has the confidence Own, or none, and the likeliest step of its
% nearest miss has Likeliest, or none.

denied(Own, _, _, _, _, weakest(Own, true)) :-
    number(Own),
    !.
denied(_, Likeliest, _, _, _, weakest(Least, true)) :-
    number(Likeliest),
    !,
    Least is round((1-Likeliest)*10000)/10000.0.
denied(_, _, \+ Denied, M, Budget, Weakest) :-
    all_told(Denied, M, Budget, weakest(none, true), Weakest).

% all_told(+Goal, +Module, !Budget, +Weakest0, -Weakest): Weakest is Weakest0 of a step that rests on Goal having no more
% solutions than were found, or on steps of Goal's proof that are not told. That is not known if these rest on something
% that has a probability.

all_told(Goal, M, Budget, Weakest0, Weakest) :-
    arg(2, Budget, Purse),
    (   certain(M, Goal, Purse)
    ->  Weakest = Weakest0
    ;   Weakest0 = weakest(Least, _),
        Weakest = weakest(Least, false)
    ).

% miss(+Miss, +Module, !Budget, -Likeliest)//: the members of Miss's object. Likeliest is the greatest confidence of what
% failed, or none.

miss(Whole, M, Budget, Likeliest) -->
    { folded_miss(M, Whole, miss(Goal, Kind, Proofs, Miss)) },
    goal(Goal, Kind, M, Budget, Own),
    missed_by(Goal, Kind, M, Budget),
    list(proved, Proofs, M, Budget, weakest(none, true), _),
    (   { Miss == none }
    ->  { Likeliest = Own }
    ;   { phrase(miss(Miss, M, Budget, Inner), Members), likelier(Own, Inner, Likeliest) },
        [because=[object(Members)]]
    ).

likelier(none, P, P) :- !.
likelier(P, none, P) :- !.
likelier(P1, P2, P) :- P is max(P1, P2).

% telling(+Miss, +Goal): Miss, of what Goal denies, says more than Goal.

telling(miss(Missed, Kind, Proofs, Miss), Goal) :-
    \+ ( Kind \== too_deep,
         Proofs == [],
         Miss == none,
         Goal = (\+ Denied),
         Denied == Missed,
         \+ comparison(Missed)
       ).

% list(+Key, +Proofs, ..., +Weakest0, -Weakest)//: a member with the objects of Proofs, without those that say nothing.

list(Key, Proofs, M, Budget, Weakest0, Weakest) -->
    { exclude(says_nothing, Proofs, Telling) },
    (   { Telling == [] }
    ->  { Weakest = Weakest0 }
    ;   { objects(Telling, M, Budget, Weakest0, Weakest, Objects) },
        [Key=Objects]
    ).

says_nothing(node(A = B, builtin, _)) :- A == B.

objects([], _, _, Weakest, Weakest, []).
objects([Proof|Proofs], M, Budget, Weakest0, Weakest, [object(Members)|Objects]) :-
    (   spent(Budget)
    ->  Members = [goal="...", by=cut_off],
        Weakest = Weakest0,
        Objects = []
    ;   phrase(proof(Proof, M, Budget, Own), Members),
        weaker(Own, Weakest0, Weakest1),
        objects(Proofs, M, Budget, Weakest1, Weakest, Objects)
    ).

weaker(weakest(Least1, Known1), weakest(Least2, Known2), weakest(Least, Known)) :-
    ( Least1 @< Least2 -> Least = Least1 ; Least = Least2 ),   % none comes behind all numbers
    ( Known1 == true -> Known = Known2 ; Known = false ).

% goal(+Goal, +Kind, ..., -Confidence)//: the object's first members. Confidence is none where there is none.

goal(words(Text), axes, _, Budget, none) -->
    !,
    written(goal, Text, Budget),
    [by=axes].
goal(Goal, Kind, M, Budget, Confidence) -->
    (   { Kind == builtin, sides(Goal, Left, Right) }
    ->  { functor(Goal, Name, _), Values =.. [Name,Left,Right] },
        text(goal, Values, M, Budget),
        [by=comparison, left=Left, right=Right],
        ( { Goal == Values } -> [] ; text(expression, Goal, M, Budget) )
    ;   text(goal, Goal, M, Budget),
        { functor(Kind, By, _) },
        [by=By],
        origin(Kind, Goal, M, Budget),
        tells(Goal, Kind, M)
    ),
    confidence(Goal, Kind, M, Budget, Confidence).

confidence(Goal, Kind, M, Budget, Confidence) -->
    { Kind \== cut_off, arg(2, Budget, Purse), confidence(M, Goal, Purse, Confidence) },
    !,
    [confidence=Confidence].
confidence(_, _, _, _, none) --> [].

% tells(+Goal, +Kind, +Module)//: what the relation that Goal is about tells, if the program says so by its own predicate,
% tells(Relation, What).

tells(Goal, Kind, M) -->
    { owner(M, tells(_, _), program),
      about(Goal, Kind, Relation),
      clause(M:tells(Relation, What), true),
      atom(What)
    },
    !,
    { format(string(Text), "~w: ~w", [Relation, What]) },
    [tells=Text].
tells(_, _, _) --> [].

% about(+Goal, +Kind, -Relation): Goal's name is Relation, as in r4(V, X, Y), or that of a rule's first argument, as in
% near(r4, X, Y, T). The facts below such a rule do not say it again.

about(Goal, _, Relation) :-
    compound(Goal),
    functor(Goal, Relation, _).
about(Goal, clause(_), Relation) :-
    compound(Goal),
    arg(1, Goal, Relation),
    atom(Relation).

origin(Kind, Goal, M, _) -->
    { memberchk(Kind, [fact,default(_)]) },
    !,
    source(Goal, M).
origin(clause(Ref), Goal, M, Budget) -->
    !,
    source(Goal, M),
    { clause(M:Head, Body, Ref),
      term_variables((Head :- Body), Variables),
      (   own_names(M, Ref, _, Names),
          same_length(Names, Variables) % the compiler may have put a body in other words
      ->  rule_text((Head :- Body), M, Names, Text)
      ;   goal_text((Head :- Body), M, Text)
      )
    },
    written(clause, Text, Budget).
origin(_, _, _, _) --> [].

source(Goal, M) -->
    { owner(M, Goal, Source),
      !,
      ( Source = rules(_, Name) -> true ; Name = Source )
    },
    [source=Name].

missed_by(_, findall(Found), M, Budget) -->
    !,
    text(found, Found, M, Budget).
missed_by(Goal, builtin, _, _) -->
    { sides(Goal, Left, Right),
      !,
      Miss0 is abs(Left-Right),
      nine_digits(Miss0, Miss)
    },
    [miss=Miss].
missed_by(_, _, _, _) --> [].

% text(+Key, +Term, +Module, !Budget)//: Term's text as the value of Key.

text(Key, Term, M, Budget) -->
    { goal_text(Term, M, Text) },
    written(Key, Text, Budget).

written(Key, Text, Budget) -->
    { string_length(Text, Length),
      arg(1, Budget, Left0),
      Left is Left0-Length-40,
      nb_setarg(1, Budget, Left)
    },
    [Key=Text].

% --- Values ---

% sides(+Goal, -Left, -Right): Goal compares Left and Right, finite numbers. They are shortened, unless they would
% compare differently then.

sides(Goal, Left, Right) :-
    comparison(Goal),
    Goal =.. [_,Left0,Right0],
    value(Left0, Left1),
    value(Right0, Right1),
    nine_digits(Left1, Left2),
    nine_digits(Right1, Right2),
    compare(Order, Left1, Right1),
    ( compare(Order, Left2, Right2) -> Left-Right = Left2-Right2 ; Left-Right = Left1-Right1 ).

value(Expression, Value) :-
    catch(Value is Expression, error(evaluation_error(_), _), fail),
    ( integer(Value) ; float(Value) ),
    abs(Value) < 1.0e15,                % and neither infinite nor nan
    !.

nine_digits(Value, Short) :-
    (   float(Value)
    ->  format(string(Text), "~9g", [Value]),
        number_string(Number, Text),
        Short is float(Number)
    ;   Short = Value
    ).
