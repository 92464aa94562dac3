:- module(numbers,
          [ value//4,                   % -V, -Literals, +D0, -D
            comparison//5,              % -M, -Sign, -N, +D0, -D
            more_or_fewer//1,           % -Sign
            most//1,                    % -Sign
            commonest//4,               % ?V, -Literals, +D0, -D
            is_commonest//4,            % ?V, -Literals, +D0, -D
            commoner//2,                % -V, -Literals
            measured_by/2,              % ?Word, -Attribute
            measured//3,                % ?X, +D, -Literals
            greatest//3,                % ?X, +Nouns, -Literals
            so_common/5,                % +Attribute, ?V, +Noun, -Literal, -N
            limit//3,                   % +Attribute, ?V, -Comparison
            extreme_amount//4           % -V, -Literals, +D0, -D
          ]).

/** <module> Numbers that are compared, and values that are asked for

More cubes than balls, the most common colour, the most helmets, a score below 0.5; what colour the cube is, how far apart two
things are. What literals and definites are says grammar.pl.
*/

:- use_module(lexicon).
:- use_module(nouns).
:- use_module(particles).
:- use_module(phrases).
:- use_module(things, [shared_after/3, two//4]).
:- use_module(library(apply), [exclude/3, maplist/3]).
:- use_module(library(lists), [append/2, append/3, last/2, member/2, memberchk/2]).

%!  comparison(-M, -Sign, -N, +D0, -D)// is nondet.
%
%   Two numbers, M and N.

comparison(M, Sign, N, D0, D) -->
    there_be,
    (   ( [the,same] ; [an,equal] ), [number,of], { Sign = (=:=), Link = and }
    ;   [as,many], { Sign = (=:=), Link = as }
    ;   [at,least,as,many], { Sign = (>=), Link = as }
    ;   more_or_fewer(Sign), { Link = than }
    ),
    number_of(count(X, Ls0), D0, D1),
    [Link],
    (   number_of(count(Y, Ls1), D1, D), { shared_after(X-Ls0-D1, Y-Ls1-D, Ls), M = count(X, Ls), N = count(Y, Ls1) }
    ;   { M = count(X, Ls0) }, number_of_such(M, N, D1, D)
    ).
comparison(count(X, [L|Ls]), Sign, count(Y, Ls0), D0, D) -->     % more red than blue things
    there_be, more_or_fewer(Sign), property(X, singular, L), [than], nominal(Y, plural, Ls0, D0, D),
    { member(noun(Y0, Ls1, _), D),
      Y0 == Y,
      copy_term(Y-Ls1, X-Ls) }.
comparison(M, Sign, N, D0, D) -->
    [is,the,number,of],
    number_of(M, D0, D1),
    (   ( [the,same,as] ; [equal,to] ; [] ), { Sign = (=:=) }
    ;   bound(Sign)
    ),
    (   [the,number,of], number_of(N, D1, D)
    ;   number(N), { D = D1 }
    ).
comparison(count(X, [L0]), Sign, count(Y, [L1]), D, D) -->       % is red more common than blue
    be, property(X, _, L0), more_or_fewer(Sign), [common,than],
    property(Y, _, L1).

number_of(count(X, Ls), D0, D) --> maybe([there,are]), nominal(X, plural, Ls, D0, D).

% number_of_such(+M, -N, +D0, -D)//: more things above ob_0 than below it.

number_of_such(count(X, _), count(Y, [of(Y, X, Noun)|Ls]), D0, D) -->
    { with_it(D0, D1) },
    modifiers(Y, Ls, D1, D),
    { Ls = [_|_],
      member(noun(X0, _, Noun), D),
      X0 == X }.

more_or_fewer(>) --> any_of([more,greater,larger,higher]).
more_or_fewer(<) --> any_of([fewer,less,smaller,lower]).

%!  most(-Sign)// is semidet.
%
%   Sign compares the number that is meant with all others.

most(>) --> [most].
most(<) --> [fewest].

%!  commonest(?V, -Literals, +D0, -D)// is nondet.
%
%   Which colour is the most common, which has the most things; what is the most common colour of the cubes.

commonest(V, Ls, D0, D) -->
    any_of([what,which]),
    (   attribute_name(A), be, maybe([the]), commonness(Sign), among(X, Ls0, D0, D)
    ;   attribute_name(A), any_of([has,have]), [the], most(Sign), nominal(X, plural, Ls0, D0, D)
    ;   attribute_name(A), [do], [the], most(Sign), nominal(X, plural, Ls0, D0, D), [have]
    ;   be, [the], commonness(Sign), attribute_name(A), among(X, Ls0, D0, D)
    ),
    { uncommon(A, X, Ls0, V, Sign, Ls) }.

%!  is_commonest(?V, -Literals, +D0, -D)// is nondet.
%
%   Red is the most common colour.

is_commonest(V, Ls, D0, D) -->
    (   property(_, _, L), [the], commonness(Sign), attribute_name(A), among(X, Ls0, D0, D)
    ;   [the], commonness(Sign), attribute_name(A), among(X, Ls0, D0, D), property(_, _, L)
    ),
    { way(L, P, V),
      value_in(A, _, V, [Goal]),
      functor(Goal, P, 2),
      uncommon(A, X, Ls0, V, Sign, Ls) }.

commonness(>) --> [most,common].
commonness(<) --> [least,common].

among(X, Ls, D0, D) --> any_of([among,of,for]), group(X, Ls, D0, D).
among(_, [], D, D) --> [].

%   uncommon(+Attribute, ?X, +Noun, ?V, +Sign, -Literals): more X of Noun, or fewer, have the value V than any other.

uncommon(A, X, Noun, V, Sign, [object(X),of(X, X, Noun),Goal,N,none([exists(Y, [of(Y, X, Noun),Other,M,Comparison])])]) :-
    value_in(A, X, V, [Goal]),
    value_in(A, Y, W, [Other]),
    so_common(A, V, X-Noun, N, I),
    so_common(A, W, X-Noun, M, J),
    Comparison =.. [Sign,J,I].

so_common(A, V, X-Noun, counted(Z, [of(Z, X, Noun),Goal], N), N) :- value_in(A, Z, V, [Goal]).

%!  commoner(-V, -Literals)// is nondet.
%
%   Which is more common, red or blue.

commoner(V, [member(V, [V0,V1]),counted(X, [Goal], N),member(W, [V0,V1]),V \== W,counted(Y, [Other], M),Comparison]) -->
    any_of([what,which]),
    ( attribute_name(_) ; [] ),
    be, more_or_fewer(Sign), [common], maybe([',']), property(X, _, L0), [or], property(X, _, L1),
    { way(L0, P, V0),
      way(L1, P, V1),
      Goal =.. [P,X,V],
      Other =.. [P,Y,W],
      Comparison =.. [Sign,N,M] }.

%   way(+Literal, -P, -V): a way to read Literal says P(X, V) of a thing.

way(one_of(Ways), P, V) :- !, member([Goal], Ways), way(Goal, P, V).
way(Goal, P, V) :- Goal =.. [P,_,V].

%!  measured(?X, +D, -Literals)// is nondet.
%!  greatest(?X, +Nouns, -Literals)// is semidet.
%
%   A score below 0.5; the highest score of all things that are what X is called in D, or of which the literals of one of Nouns hold.

measured(X, _, [Goal,Comparison]) -->
    maybe([a]), attribute_name(A), { value_in(A, X, V, [Goal]) }, limit(A, V, Comparison).
measured(X, _, [Goal,Comparison]) --> bound(Sign), amount(N), attribute_name(A), { value_in(A, X, V, [Goal]), Comparison =.. [Sign,V,N] }.
measured(X, D, Ls) --> { compared_with(D, X, Nouns) }, greatest(X, Nouns, Ls).

greatest(X, Nouns, [one_of(Ways)]) -->
    [the],
    extreme(Sign),
    attribute_name(number(P)),
    { maplist(highest(number(P), Sign, X, _), Nouns, Ways) }.

highest(A, Sign, X, V, Noun, [Goal,none([exists(Y, [of(Y, X, Noun),Other,Comparison])])]) :-
    value_in(A, X, V, [Goal]),
    value_in(A, Y, W, [Other]),
    Comparison =.. [Sign,W,V].

%!  extreme_amount(-V, -Literals, +D0, -D)// is nondet.
%
%   The highest score of the cubes.

extreme_amount(V, [object(X)|Ls], D0, D) -->
    [the],
    extreme(Sign),
    attribute_name(number(P)),
    among(X, Noun, D0, D),
    { highest(number(P), Sign, X, V, Noun, Ls0),
      append(Noun, Ls0, Ls) }.

%!  limit(+Attribute, ?V, -Comparison)// is nondet.
%
%   Below 0.5, of at least 0.9.

limit(number(_), V, (V >= M, V =< N)) --> [between], amount(M), [and], amount(N).
limit(number(_), V, Comparison) --> maybe([of]), bound(Sign), amount(N), { Comparison =.. [Sign,V,N] }.

bound(>) --> any_of([above,over]).
bound(<) --> any_of([below,under]).
bound(Sign) --> more_or_fewer(Sign), [than].
bound(Sign) --> at_least(Sign), { Sign \== either }.

amount(N) --> number(N).
amount(N) --> [Word], { atom_number(Word, N), \+ integer(N) }.

extreme(>) --> any_of([highest,higher,largest,larger,greatest,greater,best,better]).
extreme(<) --> any_of([lowest,lower,smallest,smaller,least,worst,worse]).

%!  value(-V, -Literals, +D0, -D)// is nondet.
%
%   V is the value of which Literals hold.

value(V, Ls, D0, D) -->                 % what colour do both cubes have: one and the same
    any_of([what,which]),
    words(attribute_name(A), Words),
    { last(Words, Word), \+ atom_concat(_, s, Word) },
    [do],
    ahead([both,all]),
    !,
    group(X, Ls0, D0, D),
    [have],
    { value_in(A, X, V, Ls1),
      value_in(A, Y, V, Ls2),
      append([[object(Y),of(Y, X, Ls0)], Ls2, [every(X, Ls0, Ls1)]], Ls) }.
value(V, Ls, D0, D) -->                 % what colour is the cube, what is its colour
    (   any_of([what,which]),
        (   attribute_name(A), be, of_one(X, Ls0, D0, D), maybe([made,of])
        ;   attribute_name(A), any_of([do,does]), of_one(X, Ls0, D0, D), [have]
        ;   attribute_name(A), ( [] ; [of], any_of([thing,things,object,objects]) ), ( \+ [_,not], there_be ; be, present ; occurs ), { Ls0 = [object(X)], D = D0 }
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
    ( [how,far,is], mentioned(X, D0, D1), [from], definite(Y, D1, D) ; [how,far,apart,are], two(X, Y, D0, D) ),
    { apart(X, Y, V, Goal) }.
value(V, [Goal], D0, D) -->
    [how,much,of], definite(X, D0, D1), be, any_of([covered,inside,in,within]), maybe([by]),
    definite(Y, D1, D),
    { relation(share, [], share, P),
      Goal =.. [P,X,Y,V] }.
value(V, [object(X),object(Y)|Ls], D0, D) -->
    [how,far,apart,are],
    group(X, Ls0, D0, D),
    { apart(X, Y, V, Goal), append(Ls0, [of(Y, X, Ls0),X @< Y,Goal], Ls) }.
value(Mean, [counted(X, All, N),N > 0,summed(X, All, V, Sum)|Ls], D0, D) -->      % what is the average score of the cars
    [what,is,the],
    (   any_of([average,mean]), { Ls = [Mean is Sum/N] }
    ;   any_of([total,combined]), { Ls = [], Mean = Sum }
    ),
    attribute_name(number(P)),
    among(X, Ls0, D0, D),
    { value_in(number(P), X, V, Goals),
      append(Ls0, Goals, All) }.
value(V, [counted(X, All, N),counted(X, Ls0, M),V is Whole*N/M], D0, D) -->     % what percentage of the cars are red
    ( [what] ; [how,many] ),
    ( any_of([percentage,percent]), { Whole = 100 } ; any_of([fraction,proportion,share]), { Whole = 1 } ),
    ( of_the ; [of] ),
    noun_phrase(some, X, plural, D0, D1),
    { D1 = [some(_, Ls0, _)|_] },
    predicate(X, Ls1, D1, D),
    { append(Ls0, Ls1, All) }.
value(V, [score(X, V)], D0, D) --> [how,certain], be, whoever, any_of([of,about]), mentioned(X, D0, D).
value(V, [confidence(Goal, V)], D0, D) -->      % how certain is it that ob_2 is a car, that two look the same
    [how,certain], be, whoever, [that],
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

%!  measured_by(?Word, -Attribute) is nondet.

measured_by(wide, number(width)).
measured_by(tall, number(height)).
measured_by(Word, A) :- memberchk(Word, [big,large]), member(A, [words(size),number(size)]), attribute(size, [], A), !.
