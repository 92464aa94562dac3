:- module(values,
          [ value//4                    % -V, -Literals, +D0, -D
          ]).

/** <module> Values that are asked for

What colour the cube is, how far apart two things are, how sure the program is. What literals and definites are says
grammar.pl.
*/

:- use_module(lexicon).
:- use_module(nouns).
:- use_module(numbers).
:- use_module(particles).
:- use_module(phrases).
:- use_module(things, [two//4]).
:- use_module(library(apply), [exclude/3]).
:- use_module(library(lists), [append/2, append/3, last/2, member/2, memberchk/2]).

%!  value(-V, -Literals, +D0, -D)// is nondet.
%
%   V is the value of which Literals hold.

value(V, Ls, D0, D) -->                 % what colour is the cube, what is its colour
    (   any_of([what,which]),
        (   attribute_name(A), be, of_one(X, Ls0, D0, D), maybe([made,of])
        ;   attribute_name(A), any_of([do,does]), of_one(X, Ls0, D0, D), [have]
        ;   attribute_name(A), ( [] ; [of], any_of([thing,things,object,objects]) ), ( there_be ; be, present ; occurs ), { Ls0 = [object(X)], D = D0 }
        ;   ( any_of([colour,color]) ; [] ), be, attribute_of(X, A, D0, D), { Ls0 = [] }
        ;   be, [the], attribute_name(A), [of], of_one(X, Ls0, D0, D)
        ;   be, of_one(X, Ls0, D0, D), [made,of], { A = words(material) }
        )
    ;   [how,Measure], { measured_by(Measure, A) }, be, of_one(X, Ls0, D0, D)
    ;   [list], maybe([all]), maybe([the]), attribute_name(A), ( [of], of_one(X, Ls0, D0, D) ; { Ls0 = [object(X)], D = D0 } )
    ;   mentioned(X, D0, D), ( be ; any_of([has,have]) ; be, [made,of] ), [what], attribute_name(A), { Ls0 = [] }
    ),
    { value_in(A, X, V, Ls1),
      append(Ls0, Ls1, Ls) }.
value(Px/Py, Ls, D0, D) --> [where], be, of_one(X, Ls0, D0, D), { append(Ls0, [position(X, Px, Py)], Ls) }.
value(V, [Goal], D0, D) -->
    [how,far,is],
    mentioned(X, D0, D1),
    [from],
    definite(Y, D1, D),
    { apart(X, Y, V, Goal) }.
value(V, [Goal], D0, D) -->
    [how,much,of],
    definite(X, D0, D1),
    be,
    any_of([covered,inside,in,within]),
    maybe([by]),
    definite(Y, D1, D),
    { relation(share, [], share, P),
      Goal =.. [P,X,Y,V] }.
value(V, Ls, D0, D) -->
    [how,far,apart,are],
    (   two(X, Y, D0, D), { Ls = [Goal] }
    ;   group(X, Ls0, D0, D), { append(Ls0, [of(Y, X, Ls0),X @< Y,Goal], Ls1), Ls = [object(X),object(Y)|Ls1] }
    ),
    { apart(X, Y, V, Goal) }.
value(Mean, [counted(X, All, N),N > 0,summed(X, All, V, Sum)|Ls], D0, D) -->      % what is the average score of the cars
    [what,is,the],
    (   any_of([average,mean]), { Ls = [Mean is Sum/N] }
    ;   any_of([total,combined]), { Ls = [], Mean = Sum }
    ),
    attribute_name(number(P)),
    among(X, Ls0, D0, D),
    { value_in(number(P), X, V, Goals),
      append(Ls0, Goals, All) }.
value(V, [confidence(Goal, V)], D0, D) -->      % how certain is it that ob_2 is a car, that two look the same
    [how],
    sure,
    be,
    ( any_of([it,you]) ; [the,detector] ),
    [that],
    (   [there,is], any_of([a,an]), noun_phrase(the, X, singular, D0, D), { D = [the(X, [Goal], _)|_] }
    ;   (   two(X, Y, D0, D), any_of([are,have,look]), same_in_both(X, Y, Ls)
        ;   definite(X, D0, D1), predicate(X, Ls, D1, D)
        ),
        { exclude(of_two, Ls, [Goal]) }
    ),
    { nonvar(Goal),
      functor(Goal, P, _),
      relation(P, [], certain, _) }.
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

of_two(L) :- nonvar(L), L = (_ \== _).

% of_one(-X, -Literals, +D0, -D)//: a definite thing, or any of "the cubes".

of_one(X, [], D0, D) --> mentioned(X, D0, D).
of_one(X, [object(X)|Ls], D0, D) --> group(X, Ls, D0, D).

measured_by(wide, number(width)).
measured_by(tall, number(height)).
measured_by(Word, A) :- memberchk(Word, [big,large]), member(A, [words(size),number(size)]), attribute(size, [], A), !.
