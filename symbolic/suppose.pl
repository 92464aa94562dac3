:- module(suppose,
          [ open_world/4,               % +Module, +Facts, +World, -Opened
            not_known/2,                % +Error, +Module
            told_changes/2,             % +World, -Members
            least_changes/5             % !World, +Goal, +Wanted, +Limit, -Members
          ]).

/** <module> What would be so if things looked otherwise

A supposition says that objects look otherwise, a goal what is asked of a world in which they do. A world is the program
in a module of its own: what it says of looks is replaced by the facts of looks.pl, and what rules make of these
follows. What was measured in the picture, such as coordinate/3, is not there.
*/

:- use_module(goal_text, [goal_text/3]).
:- use_module(guard, [check_goal/2, claim/3, refuse/3]).
:- use_module(loader, [copy/3]).
:- use_module(looks).
:- use_module(objects, [check_objects/2]).
:- use_module(library(apply), [foldl/4, maplist/3]).
:- use_module(library(lists), [append/3, list_to_set/2, member/2, memberchk/2, reverse/2, select/4]).
:- use_module(library(pairs), [pairs_keys/2]).
:- use_module(library(ugraphs), [reachable/3, vertices_edges_to_ugraph/3]).
:- use_module(library(solution_sequences), [limit/2]).

% So many changes at once are tried, at most: of three there are too many to look at while somebody waits.
maximal_changes(2).

% --- Suppositions ---

% supposed(+Module, +Scene, +Facts, -Changes): Facts are conjunctions of same_A(X, Y), same(X, Y) and their negations.
% What is supposed to be the same takes the attribute of the object that is named first; who is supposed to be different,
% and is not, gets one of its own.

supposed(M, Scene, Facts, Changes) :-
    findall(Literal, ( member(Fact, Facts), literal(Fact, M, Scene, Literal) ), Literals),
    arg(2, Scene, Attributes),
    findall(A-Groups, ( member(A-Same, Attributes), groups(Literals, Same, Groups) ), Groups),
    findall(Change, taking(Scene, Groups, Change), Changes0),
    foldl(made_same(Scene), Literals, Changes0, Changes1),
    foldl(made_different(Scene, Groups), Literals, Changes1, Changes).

% literal(+Fact, +Module, +Scene, -Literal): Literal is yes(Same, X, Y) or no(Same, X, Y), for each fact of Fact.

literal(Fact, _, _, _) :-
    \+ ground(Fact),
    !,
    refuse(supposition, "a supposition names its objects, as in same(ob_0, ob_1): it has no variables", []).
literal((A, B), M, Scene, Literal) :-
    !,
    ( literal(A, M, Scene, Literal) ; literal(B, M, Scene, Literal) ).
literal(\+ Fact, M, Scene, no(Name, X, Y)) :-
    Fact \= (_, _),
    !,
    literal(Fact, M, Scene, yes(Name, X, Y)).
literal(Fact, M, scene(Objects, _, Names, _, _), yes(Name, X, Y)) :-
    check_goal(M, Fact),
    check_objects(M, Fact),
    functor(Fact, Name0, Arity),
    (   Arity =:= 2,
        memberchk(Name0, Names)
    ->  Fact =.. [Name,X,Y]
    ;   atomic_list_concat(Names, '/2, ', Known),
        refuse(supposition,
               "~w cannot be supposed: say how things look by ~w/2, and their negations with \\+; where they lie, \c
                how large they are and what was told of them stay as they are", [q(Name0/Arity),Known])
    ),
    forall(( member(Object, [X,Y]), \+ memberchk(Object, Objects) ), throw(unknown_object(Object, Objects))),
    forall(X == Y, refuse(supposition, "~w names one object twice: a supposition is about two", [q(Fact)])).

% groups(+Literals, +Same, -Groups): the objects of each group are supposed to be Same, first the one named first.

groups(Literals, Same, Groups) :-
    findall(Pair,
            ( member(yes(Name, X, Y), Literals), ( Name == Same -> true ; Name == same ), member(Pair, [X-Y,Y-X]) ),
            Pairs),
    pairs_keys(Pairs, Named0),
    list_to_set(Named0, Named),
    vertices_edges_to_ugraph([], Pairs, Graph),
    findall(Group,
            ( member(First, Named),
              reachable(First, Graph, Reached),
              findall(X, ( member(X, Named), memberchk(X, Reached) ), Group),
              Group = [First|_]
            ),
            Groups0),
    reverse(Groups0, Groups).

taking(Scene, Grouped, change(A, X, like(First))) :-
    member(A-Groups, Grouped),
    member([First|Others], Groups),
    \+ \+ ( member(X, [First|Others]), member(Y, Others), X \== Y, \+ alike(Scene, [], A, X, Y) ),
    member(X, Others),
    \+ interchangeable(Scene, A, X, First).

% made_same(+Scene, +Literal, +Changes0, -Changes): two that were seen alike in every attribute, and yet not the same.

made_same(Scene, Literal, Changes0, Changes) :-
    (   Literal = yes(Name, X, Y),
        \+ holds(Scene, Changes0, Name, X, Y)
    ->  arg(2, Scene, Attributes),
        findall(change(A, Y, like(X)), member(A-_, Attributes), Changes, Changes0)
    ;   Changes = Changes0
    ).

made_different(Scene, Grouped, Literal, Changes0, Changes) :-
    (   Literal = no(Name, X, Y),
        holds(Scene, Changes0, Name, X, Y)
    ->  arg(2, Scene, Attributes),
        findall(change(A, Z, own(Y)),
                ( member(A-Same, Attributes),
                  ( Name == Same -> true ; Name == same ),
                  memberchk(A-Groups, Grouped),
                  ( member(Group, Groups), memberchk(Y, Group) -> true ; Group = [Y] ),
                  \+ memberchk(X, Group),
                  member(Z, Group)
                ),
                Own),
        (   Own == []
        ->  refuse(supposition, "~w and ~w cannot be different and the same: the supposition contradicts itself",
                   [q(X),q(Y)])
        ;   foldl(replaced, Own, Changes0, Changes)
        )
    ;   Changes = Changes0
    ).

replaced(Change, Changes0, Changes) :-
    Change = change(A, X, _),
    ( select(change(A, X, _), Changes0, Change, Changes) -> true ; append(Changes0, [Change], Changes) ).

% --- Worlds ---

/*  world(World, Scene, Changes) is the module World, in which Scene is as it is after Changes. */

%!  open_world(+Module, +Facts, +World, -Opened) is det.
%
%   Opened is the world in which Facts are true, in the module World. Whoever opens it unloads that module.
%
%   @throws refused(supposition, Message)
%   @throws unknown(PredicateIndicator)
%   @throws unknown_object(Name, Objects)

open_world(M, Facts, W, world(W, Scene, Changes)) :-
    scene(M, Scene),
    supposed(M, Scene, Facts, Changes),
    findall(Head, told_anew(M, Scene, Head), Heads),
    copy(M, W, kept(Heads)),
    forall(member(Head, Heads),
           (   claim(W, rules(0, 'the supposition'), Head),
               functor(Head, Name, Arity),
               dynamic(W:Name/Arity)
           )),
    forall(fact(Scene, Changes, Fact), assertz(W:Fact)).

% kept(+Anew, +Head, +Source): a world has what Source says of Head.

kept(Anew, Head, Source) :-
    \+ memberchk(Head, Anew),
    \+ ( Source == program, measured(Head) ).

measured(coordinate(_, _, _)).
measured(holds(_, _, _, _)).
measured(head(_, _, _)).
measured(confidence(_, _)).
measured(Relation) :-
    functor(Relation, Name, 3),
    atom_concat(r, Digits, Name),
    atom_number(Digits, _).

%!  not_known(+Error, +Module) is erroneous.
%
%   Error was thrown in a world of Module's program. If it says that there is no such predicate, it tells why.

not_known(Error, M) :-
    (   ( Error = unknown(PI) ; Error = error(existence_error(procedure, PI0), _), strip_module(PI0, _, PI) )
    ->  PI = Name/Arity,
        (   defines(M, Name, Arity)
        ->  refuse(supposition,
                   "~w tells what was measured in the picture, and nobody knows what it would be if things looked \c
                    otherwise: ask by same/2 and its kin", [q(PI)])
        ;   throw(unknown(PI))
        )
    ;   throw(Error)
    ).

%!  told_changes(+World, -Members) is det.
%
%   Members tell the changes in World, and which facts of sameness they make true and which false, one of a pair's two.

told_changes(world(W, Scene, Changes), [changes=Told,true=True,false=False]) :-
    maplist(change, Changes, Told),
    difference(Scene, Changes, Gained, Lost),
    maplist(told_facts(W, Scene), [Gained,Lost], [True,False]).

change(change(A, X, Whose), object([object=X,attribute=A|Like])) :-
    ( Whose = like(Y) -> Like = [like=Y] ; Like = [] ).

told_facts(W, scene(Objects, _, Names, _, _), Facts, Texts) :-
    findall(Text,
            (   member(Fact, Facts),
                Fact =.. [Name,X,Y],
                memberchk(Name, Names),
                append(_, [X|Others], Objects),
                memberchk(Y, Others),
                goal_text(Fact, W, Text)
            ),
            Texts).

% --- Least changes ---

%!  least_changes(!World, +Goal, +Wanted, +Limit, -Members) is det.
%
%   Members tell the first Limit lists of changes after which Goal is Wanted, true or false, of all lists that are as
%   short as can be. There are none if no list of maximal_changes/1 does.

least_changes(World, Goal, Wanted, Limit, [wanted=text(Wanted),least=Told,more=text(More)]) :-
    arg(2, World, Scene),
    findall(Change, candidate(Scene, Change), Candidates),
    maximal_changes(Most),
    OneMore is Limit+1,
    once(( between(1, Most, Size),
           length(Changes, Size),
           findall(Changes, limit(OneMore, effective(Changes, Candidates, World, Goal, Wanted)), Found),
           Found \== []
         ; Found = []
         )),
    (   length(Kept, Limit),
        append(Kept, [_], Found)
    ->  More = true
    ;   Kept = Found,
        More = false
    ),
    maplist(maplist(change), Kept, Told).

% effective(?Changes, +Candidates, !World, +Goal, +Wanted): Goal is Wanted after Changes, a list of that length. They are
% made in World and undone.

effective(Changes, Candidates, world(W, Scene, _), Goal, Wanted) :-
    chosen(Changes, Candidates),
    difference(Scene, Changes, Gained, Lost),
    replaced_facts(W, Lost, Gained),
    ( \+ W:Goal -> Truth = false ; Truth = true ),
    replaced_facts(W, Gained, Lost),
    Truth == Wanted.

replaced_facts(W, Old, New) :-
    abolish_module_tables(W),
    forall(member(Fact, Old), retract(W:Fact)),
    forall(member(Fact, New), assertz(W:Fact)).

% candidate(+Scene, -Change): X takes the A of an object that it is not like, the first of those that are alike; or it
% gets its own, if it is like another one.

candidate(Scene, change(A, X, Whose)) :-
    Scene = scene(Objects, Attributes, _, _, _),
    member(X, Objects),
    member(A-_, Attributes),
    (   append(Before, [Y|_], Objects),
        Y \== X,
        \+ alike(Scene, [], A, X, Y),
        \+ ( member(Z, Before), Z \== X, alike(Scene, [], A, Z, Y) ),
        Whose = like(Y)
    ;   \+ \+ ( member(Y, Objects), Y \== X, alike(Scene, [], A, X, Y) ),
        Whose = own(X)
    ).

% chosen(?Changes, +Candidates): Changes, a list of that length, are some of Candidates in their order, of different
% objects or attributes.

chosen([], _).
chosen([Change|Changes], Candidates) :-
    append(_, [Change|Rest], Candidates),
    Change = change(A, X, _),
    chosen(Changes, Rest),
    \+ memberchk(change(A, X, _), Changes).
