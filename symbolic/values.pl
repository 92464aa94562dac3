:- module(values,
          [ value//4,                   % -V, -Literals, +D0, -D
            comparison//5               % -M, -Sign, -N, +D0, -D
          ]).

/** <module> Questions for values, and of two numbers

The parts of the sentences of grammar.pl, which says what literals and definites are.
*/

:- use_module(lexicon, [attribute/3, relation/4]).
:- use_module(nouns).
:- use_module(particles).
:- use_module(phrases, [attribute_of//4]).
:- use_module(library(lists), [append/2, append/3, last/2, member/2, memberchk/2]).

%!  value(-V, -Literals, +D0, -D)// is nondet.

value(V, Ls, D0, D) -->                 % what colour is the cube, what is its colour
    [what],
    (   attribute_name(A), be, of_one(X, Ls0, D0, D)
    ;   attribute_name(A), any_of([do,does]), of_one(X, Ls0, D0, D), [have]
    ;   attribute_name(A), there_be, { Ls0 = [object(X)], D = D0 }
    ;   attribute_name(A), [of], thing_words, there_be, { Ls0 = [object(X)], D = D0 }
    ;   be, attribute_of(X, A, D0, D), { Ls0 = [] }
    ;   be, [the], attribute_name(A), [of], of_one(X, Ls0, D0, D)
    ),
    { value_in(A, X, V, Ls1),
      append(Ls0, Ls1, Ls) }.
value(V, Ls, D0, D) -->
    [what],
    ( attribute_name(A) ; { A = words(material) } ),
    be,
    of_one(X, Ls0, D0, D),
    [made,of],
    { value_in(A, X, V, Ls1),
      append(Ls0, Ls1, Ls) }.
value(V, Ls, D0, D) -->
    any_of([list,name,show]),
    [the],
    attribute_name(A),
    [of],
    of_one(X, Ls0, D0, D),
    { value_in(A, X, V, Ls1),
      append(Ls0, Ls1, Ls) }.
value(V, [Goal|Ls], D, D) -->           % which colour is the most common; which is more common, red or blue
    any_of([what,which]),
    (   attribute_name(A), ( be, maybe([the]), most_common(Sign) ; [occurs], often(Sign) ), { Goal = object(X), Of = [] }
    ;   be, [the], most_common(Sign), attribute_name(A), { Goal = object(X), Of = [] }
    ;   be, more_common(Sign), [','],
        property(X, _, L0), [or], property(Y, _, L1),
        { one_way(L0, P, V0), one_way(L1, P, V1), A = words(P), Goal = member(V, [V0,V1]), Of = [member(W, [V0,V1])] }
    ),
    { value_in(A, X, V, Ls0),
      value_in(A, Y, W, Ls1),
      value_in(A, Z, V, Ls2),
      value_in(A, U, W, Ls3),
      Comparison =.. [Sign,M,N],
      append([Of, Ls1, [counted(U, Ls3, M),Comparison]], Rival),
      append(Ls0, [counted(Z, Ls2, N),none([exists(Y, Rival)])], Ls) }.
value(V, Ls, D0, D) -->
    [how],
    any_of([big,large]),
    be,
    mentioned(X, D0, D),
    { value_in(words(size), X, V, Ls) }.
value(V, Ls, D0, D) -->                 % how sure is the detector of the cube
    [how],
    any_of([sure,certain]),
    [is,the,detector],
    any_of([of,about]),
    { attribute(score, [], A) },
    mentioned(X, D0, D),
    { value_in(A, X, V, Ls) }.
value(V, [Goal], D0, D) -->
    [how,far,is],
    mentioned(X, D0, D1),
    [from],
    definite(Y, D1, D),
    { relation(apart, [], apart, P),
      Goal =.. [P,X,Y,V] }.
value(V, Ls, D0, D) -->                 % the cube is what colour
    mentioned(X, D0, D),
    ( be ; any_of([has,have]) ; be, [made,of] ),
    [what],
    attribute_name(A),
    { value_in(A, X, V, Ls) }.
value(V, Ls, D0, D) -->                 % what is ob_2, what is the red thing
    [what,is],
    definite(X, D0, D),
    {   D = [the(_, _, Words)|_]
    ->  last(Words, Noun), memberchk(Noun, [thing,object,one])
    ;   true
    },
    { member(A, [words(category),words(shape)]),
      attribute(_, _, A),
      value_in(A, X, V, Ls) }.

one_way(one_of(Ways), P, V) :-
    !,
    member([Goal], Ways),
    Goal =.. [P,_,V].
one_way(Goal, P, V) :-
    Goal =.. [P,_,V].

most_common(>) --> [most], any_of([common,frequent]).
most_common(<) --> [least], any_of([common,frequent]).

more_common(>) --> [more], any_of([common,frequent]).
more_common(<) --> [less], any_of([common,frequent]).

often(>) --> [most], maybe([often]).
often(<) --> [least], maybe([often]).

thing_words --> any_of([thing,things,object,objects]).

% of_one(-X, -Literals, +D0, -D)//: a definite thing, or any of "the cubes".

of_one(X, [], D0, D) --> mentioned(X, D0, D).
of_one(X, [object(X)|Ls], D0, D) -->
    group(X, Ls, D0, D).

%!  comparison(-M, -Sign, -N, +D0, -D)// is nondet.
%
%   Two numbers, M and N.

comparison(M, Sign, N, D0, D) -->
    there_be,
    (   ( [the,same] ; [an,equal] ), [number,of], { Sign = (=:=), Link = and }
    ;   [as,many], { Sign = (=:=), Link = as }
    ;   more_or_fewer(Sign), { Link = than }
    ),
    number_of(M, D0, D1),
    [Link],
    number_of(N, D1, D).
comparison(count(X, [L|Ls]), Sign, count(Y, Ls0), D0, D) -->     % more red than blue things
    there_be,
    more_or_fewer(Sign),
    property(X, singular, L),
    [than],
    nominal(Y, plural, Ls0, D0, D),
    { member(noun(Y0, Ls1, _), D),
      Y0 == Y,
      copy_term(Y-Ls1, X-Ls) }.
comparison(count(X, [L0]), Sign, count(Y, [L1]), D, D) -->      % is red more common than blue
    be,
    property(X, _, L0),
    more_common(Sign),
    [than],
    property(Y, _, L1).
comparison(M, Sign, N, D0, D) -->
    [is,the,number,of],
    number_of(M, D0, D1),
    (   ( [the,same,as] ; [equal,to] ; [] ), { Sign = (=:=) }
    ;   more_or_fewer(Sign), [than]
    ),
    (   [the,number,of], number_of(N, D1, D)
    ;   number(N), { D = D1 }
    ).

number_of(count(X, Ls), D0, D) --> maybe([there,are]), nominal(X, plural, Ls, D0, D).

more_or_fewer(>) --> any_of([more,greater,larger]).
more_or_fewer(<) --> any_of([fewer,less,smaller]).
