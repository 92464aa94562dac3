:- module(axes,
          [ folded/3,                   % +Module, +Proofs, -Folded
            folded_miss/3               % +Module, +Miss, -Folded
          ]).

/** <module> Comparisons on many axes as one step

A learned predicate compares two objects on up to a dozen axes and more, a literal each, as in near(r4, X, Y, T). What is
told of a proof has such a run of literals as one step, whose goal is a sentence:

| node(words(Text), axes, Proofs)        | all literals of the run hold, by Proofs                           |
| miss(words(Text), axes, Proofs, Miss)  | its first literals hold, by Proofs, and Miss is of the next       |

A run has two literals or more. They differ in nothing but their first argument, a relation of which the program says
what it tells, tells(Relation, What); and the clause of each ends by comparing how far two things are apart with one
bound. If the literal before the run works that bound out, all that stands before the run goes with it.

A colour is that of the nearest shade, of dozens. So where a findall of distances is sorted, both are one step: the nearest.
*/

:- use_module(calls, [literal/2]).
:- use_module(guard, [owner/3]).
:- use_module(library(lists), [append/3, last/2, list_to_set/2, max_list/2]).
:- use_module(library(pairs), [pairs_values/2]).

%!  folded(+Module, +Proofs, -Folded) is det.
%
%   Folded are Proofs, of a clause's literals in their order, with each run as one step.

folded(_, Proofs, Folded) :-
    append(Kept, [Shades,node(Sorting, builtin, [])|After], Proofs),
    nearest(Shades, Sorting, Text),
    !,
    append(Kept, [node(words(Text), axes, [Shades,node(Sorting, builtin, [])])|After], Folded).
folded(M, Proofs, Folded) :-
    owner(M, tells(_, _), program),
    append(Before, [First|Rest], Proofs),
    axis(M, First, Same, What, D),
    run(M, Same, Rest, Run, Whats, Ds, After),
    Run \== [],
    !,
    length([D|Ds], Count),
    max_list([D|Ds], Most),
    Same = same(_, Bound),
    bounding(Before, Bound, Kept, Bounding),
    sentence([What|Whats], Count, Count, Bound, "the largest ~2g", [Most], Text),
    append(Bounding, [First|Run], Inner),
    folded(M, After, Others),
    append(Kept, [node(words(Text), axes, Inner)|Others], Folded).
folded(_, Proofs, Proofs).

%!  folded_miss(+Module, +Miss, -Folded) is det.
%
%   Folded is Miss; if a run's literal failed, with that run as one step.

folded_miss(_, miss(Goal, clause(Ref), Proofs, Miss), miss(Goal, clause(Ref), Kept, miss(words(Text), axes, [Shades], Miss))) :-
    Miss = miss(Sorting, builtin, _, _),
    append(Kept, [Shades], Proofs),
    nearest(Shades, Sorting, Text),
    !.
folded_miss(M, miss(Goal, clause(Ref), Proofs, Miss), miss(Goal, clause(Ref), Kept, miss(words(Text), axes, Inner, Miss))) :-
    owner(M, tells(_, _), program),
    Miss = miss(Literal, clause(_), _, miss(Apart =< Bound, builtin, _, _)),
    number(Bound),
    about(M, Literal, Relation, _, Pattern),
    clause(M:Goal, Body, Ref),
    findall(What, ( literal(Body, Other), about(M, Other, _, What, Alike), subsumes_term(Alike, Pattern) ), Whats),
    length(Whats, Count),
    Count > 1,
    !,
    append(Before, Run, Proofs),
    run(M, same(Pattern, Bound), Run, Run, _, _, []),
    !,
    length(Run, Held),
    D is Apart,
    bounding(Before, Bound, Kept, Bounding),
    sentence(Whats, Held, Count, Bound, "then ~w differs by ~3g", [Relation,D], Text),
    append(Bounding, Run, Inner).
folded_miss(_, Miss, Miss).

% nearest(+Proof, +Sorting, -Text): Proof is of a findall of distances and names, which Sorting sorts.

nearest(node(findall(_, _, Pairs), _, _), keysort(Pairs0, [_-_|_]), Text) :-
    Pairs0 == Pairs,
    ground(Pairs),
    keysort(Pairs, Sorted),
    pairs_values(Sorted, Names),
    list_to_set(Names, [First|Rest]),
    ( Rest = [Second|_] -> format(string(Text), "the nearest is ~w, then ~w", [First,Second]) ; format(string(Text), "all are ~w", [First]) ).

% run(+Module, +Same, +Proofs, -Run, -Whats, -Differences, -After): Proofs begin with Run, literals that have the same
% arguments but the first, and the same bound.

run(M, Same, [Proof|Proofs], [Proof|Run], [What|Whats], [D|Ds], After) :-
    axis(M, Proof, Same0, What, D),
    Same0 == Same,
    !,
    run(M, Same, Proofs, Run, Whats, Ds, After).
run(_, _, After, [], [], [], After).

axis(M, node(Literal, clause(_), Steps), same(Pattern, Bound), What, D) :-
    about(M, Literal, _, What, Pattern),
    last(Steps, node(Apart =< Bound, builtin, [])),
    number(Bound),
    D is Apart.

% about(+Module, +Literal, -Relation, -What, -Pattern): Literal's first argument is Relation, which tells What; Pattern
% is all but that.

about(M, Literal, Relation, What, Pattern) :-
    compound(Literal),
    compound_name_arguments(Literal, Name, [Relation|Arguments]),
    atom(Relation),
    clause(M:tells(Relation, What), true),
    atom(What),
    !,
    Pattern =.. [Name|Arguments].

% bounding(+Before, +Bound, -Kept, -Bounding): of what stands before a run, Bounding works out its Bound.

bounding(Before, Bound, [], Before) :-
    last(Before, node(Value is _, builtin, [])),
    Value == Bound,
    !.
bounding(Before, _, Before, []).

sentence(Whats, Held, Count, Bound, Format, Arguments, Text) :-
    list_to_set(Whats, Set),
    atomic_list_concat(Set, ', ', What),
    format(string(End), Format, Arguments),
    format(string(Text), "~w: ~d of ~d axes within ~2g, ~s", [What,Held,Count,Bound,End]).
