:- module(looks,
          [ scene/2,                    % +Module, -Scene
            defines/3,                  % +Module, ?Name, ?Arity
            told_anew/3,                % +Module, +Scene, -Head
            fact/3,                     % +Scene, +Changes, -Fact
            difference/4,               % +Scene, +Changes, -Gained, -Lost
            holds/5,                    % +Scene, +Changes, +Name, +X, +Y
            alike/5,                    % +Scene, +Changes, +A, +X, +Y
            interchangeable/4           % +Scene, +A, +X, +Y
          ]).

/** <module> How things look, and how they would look after changes

A program says which objects are the same in an attribute A, by same_A/2, and which in all of them, by same/2. A change
is

| change(A, X, like(Y)) | the object X takes what Y, as it was seen, has of A             |
| change(A, X, own(Y))  | X gets an A that no object has but those that get own(Y), too   |

Where the program has no same_A/2, same/2 is that of the one attribute `look`. After some changes it is a fact

| same_A(X, Y)     | if it was seen of the two whose A they have, or if that is one and the same                     |
| same(X, Y)       | if it was seen and neither has changed; of others if all same_A(X, Y) are facts                 |
| A(X, Value, ...) | if it was seen of the one whose A it is; not of an A of one's own, nor of a changed one's parts |
*/

:- use_module(guard, [owner/3, refuse/3]).
:- use_module(objects, [objects/2]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(ordsets), [ord_subtract/3]).
:- use_module(library(rbtrees), [list_to_rbtree/2, rb_lookup/3]).

/*  A scene is what a program says of looks:

        scene(Objects, Attributes, Names, Seen, Values)

    Attributes has A-Same for every attribute, and Names the names of all predicates of sameness, same among them. The
    tree Seen has a key Name-X-Y where two objects are the same. Values has a value(A, Name, X, Object, Arguments) for
    each fact that tells the A of X, which is Object, or its part.
*/

%!  scene(+Module, -Scene) is det.
%
%   @throws refused(supposition, Message) if the program does not say which objects are the same

scene(M, scene(Objects, Attributes, Names, Seen, Values)) :-
    objects(M, Objects),
    attributes(M, Attributes),
    findall(Name, ( member(_-Name, Attributes) ; \+ memberchk(_-same, Attributes), defines(M, same, 2), Name = same ), Names),
    aggregate_all(set((Name-X-Y)-true), ( member(Name, Names), pair(M, Name, Objects, X, Y) ), Pairs),
    list_to_rbtree(Pairs, Seen),
    findall(value(A, Name, X, Object, Arguments),
            ( teller(M, Attributes, A, Name, Arity),
              functor(Value, Name, Arity),
              M:Value,
              ground(Value),
              Value =.. [_,X|Arguments],
              ( defines(M, part_of, 2), M:part_of(X, Object) -> true ; Object = X )
            ),
            Values).

attributes(M, Attributes) :-
    findall(A-Same,
            ( defines(M, Same, 2), atom_concat(same_, A, Same), \+ memberchk(A, [row,column,size,shape_and_size]) ),
            Attributes0),
    (   Attributes0 \== []
    ->  Attributes = Attributes0
    ;   defines(M, same, 2)
    ->  Attributes = [look-same]
    ;   refuse(supposition,
               "nothing can be supposed: the program does not say which objects are the same, by same/2 or \c
                same_colour/2 say", [])
    ).

%!  defines(+Module, ?Name, ?Arity) is nondet.
%
%   The program in Module itself defines Name/Arity.

defines(M, Name, Arity) :-
    owner(M, Head, program),
    functor(Head, Name, Arity).

pair(M, Name, Objects, X, Y) :-
    Same =.. [Name,X,Y],
    M:Same,
    member(X, Objects),
    member(Y, Objects),
    X \== Y.

% teller(+Module, +Attributes, -A, -Name, -Arity): Name/Arity tells the A of objects: colour/4, colour/2, or A_is/2.

teller(M, Attributes, A, Name, Arity) :-
    member(A-_, Attributes),
    owner(M, Head, program),
    functor(Head, Name, Arity),
    Arity > 1,
    ( Name == A ; atom_concat(A, '_is', Name) ).

%!  told_anew(+Module, +Scene, -Head) is nondet.
%
%   Head is that of a predicate that tells how things look: fact/3 tells all of it.

told_anew(M, scene(_, Attributes, Names, _, _), Head) :-
    (   member(Name, Names),
        Arity = 2
    ;   teller(M, Attributes, _, Name, Arity)
    ),
    functor(Head, Name, Arity).

%!  fact(+Scene, +Changes, -Fact) is nondet.
%
%   Fact is true after Changes.

fact(Scene, Changes, Fact) :-
    Scene = scene(Objects, _, Names, _, _),
    member(Name, Names),
    member(X, Objects),
    member(Y, Objects),
    X \== Y,
    holds(Scene, Changes, Name, X, Y),
    Fact =.. [Name,X,Y].
fact(Scene, Changes, Fact) :-
    Scene = scene(Objects, Attributes, _, _, _),
    member(A-_, Attributes),
    member(X, Objects),
    value(Scene, Changes, A, X, Fact).
fact(scene(Objects, _, _, _, Values), _, Fact) :-
    member(value(_, Name, X, X, Arguments), Values),
    \+ memberchk(X, Objects),
    Fact =.. [Name,X|Arguments].

% value(+Scene, +Changes, +A, +X, -Fact): Fact tells the A of the object X, or of a part of it.

value(scene(_, _, _, _, Values), Changes, A, X, Fact) :-
    has(A, X, Changes, like(Whose)),
    member(value(A, Name, Y, Whose, Arguments), Values),
    (   Y == Whose
    ->  Fact =.. [Name,X|Arguments]
    ;   Whose == X,
        Fact =.. [Name,Y|Arguments]
    ).

%!  difference(+Scene, +Changes, -Gained, -Lost) is det.
%
%   Without Changes the facts Lost are true instead of Gained.

difference(Scene, Changes, Gained, Lost) :-
    concerned(Scene, Changes, [], Before),
    concerned(Scene, Changes, Changes, After),
    ord_subtract(After, Before, Gained),
    ord_subtract(Before, After, Lost).

% concerned(+Scene, +Changed, +Changes, -Facts): what may depend on Changed, and is true after Changes.

concerned(Scene, Changed, Changes, Facts) :-
    Scene = scene(Objects, Attributes, Names, _, _),
    aggregate_all(set(Fact),
                  ( member(change(A, X, _), Changed),
                    memberchk(A-Same, Attributes),
                    (   value(Scene, Changes, A, X, Fact)
                    ;   member(Name, [Same,same]),
                        memberchk(Name, Names),
                        member(Y, Objects),
                        X \== Y,
                        member(U-V, [X-Y,Y-X]),
                        holds(Scene, Changes, Name, U, V),
                        Fact =.. [Name,U,V]
                    )
                  ),
                  Facts).

%!  holds(+Scene, +Changes, +Name, +X, +Y) is semidet.
%
%   After Changes the predicate of sameness called Name is true of X and Y.

holds(Scene, Changes, Name, X, Y) :-
    Scene = scene(_, Attributes, _, Seen, _),
    (   memberchk(A-Name, Attributes)
    ->  alike(Scene, Changes, A, X, Y)
    ;   ( memberchk(change(_, X, _), Changes) -> true ; memberchk(change(_, Y, _), Changes) )
    ->  \+ ( member(A-_, Attributes), \+ alike(Scene, Changes, A, X, Y) )
    ;   rb_lookup(Name-X-Y, true, Seen)
    ).

%!  alike(+Scene, +Changes, +A, +X, +Y) is semidet.
%
%   After Changes X and Y have the same A.

alike(scene(_, Attributes, _, Seen, _), Changes, A, X, Y) :-
    has(A, X, Changes, OfX),
    has(A, Y, Changes, OfY),
    (   OfX == OfY
    ->  true
    ;   OfX = like(U),
        OfY = like(V),
        memberchk(A-Same, Attributes),
        rb_lookup(Same-U-V, true, Seen)
    ).

% has(+A, +X, +Changes, ?Whose): X has the A that Whose says.

has(A, X, Changes, Whose) :-
    ( memberchk(change(A, X, Changed), Changes) -> Whose = Changed ; Whose = like(X) ).

%!  interchangeable(+Scene, +A, +X, +Y) is semidet.
%
%   It would change nothing if X took the A of Y.

interchangeable(Scene, A, X, Y) :-
    alike(Scene, [], A, X, Y),
    arg(1, Scene, Objects),
    \+ ( member(Z, Objects),
         Z \== X,
         Z \== Y,
         ( alike(Scene, [], A, X, Z) -> \+ alike(Scene, [], A, Y, Z) ; alike(Scene, [], A, Y, Z) )
       ).
