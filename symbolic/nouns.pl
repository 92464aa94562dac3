:- module(nouns,
          [ nominal//5,                 % -X, ?Number, -Literals, +D0, -D
            introduced//1,              % -D
            definite//3,                % -X, +D0, -D
            mentioned//3,               % -X, +D0, -D
            group//4,                   % -X, -Literals, +D0, -D
            with_it/2,                  % +D0, -D
            noun_phrase//5,             % +Kind, -X, ?Number, +D0, -D
            so_many//5,                 % +N, -X, -Literals, +D0, -D
            adjectives//2,              % ?X, -Literals
            other//4,                   % +Words, ?X, -Literals, +D
            antecedent/3,               % +D, ?X, -Literals
            compared_with/3,            % +D, ?X, -Nouns
            property//3,                % ?X, ?Number, -Literal
            name/1                      % +Literal
          ]).

/** <module> Noun phrases

The parts of the sentences of grammar.pl that stand for things; it says what literals and definites are. D has also
noun(X, Noun, Literals) of what was spoken of: Noun is what X is called, Literals these and its adjectives.
*/

:- use_module(extremes).
:- use_module(lexicon).
:- use_module(particles).
:- use_module(phrases, [modifiers//4, related_by/4]).
:- use_module(library(apply), [maplist/2]).
:- use_module(library(pairs), [pairs_keys_values/3]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).

%!  nominal(-X, ?Number, -Literals, +D0, -D)// is nondet.
%
%   A noun with what belongs to it, without an article.

nominal(X, Number, Ls, D0, D) -->
    other([other,another], X, Ls0, D0),
    ( \+ long_name, superlative(X, Such, Ls1), ! ; ( [Near], { extreme_distance(Near, _, _) } ; [] ), { Ls1 = [] } ),
    attributes(X, Number, Ls2),
    ( head(X, Number, D0, Ls3) ; { Ls1 = [_|_], Ls2 == [], Number = singular, antecedent(D0, X, Ls3) } ),
    { \+ ( member(L0, Ls2), name(L0), member(L1, Ls3), name(L1) ),     % a dog house is neither
      append(Ls2, Ls3, Noun),
      D1 = [noun(X, Ls3, Noun),numbered(X, Number)|D0] },
    (   ( { var(Near) } ; put(Near) ), nearest(X, Noun, Ls4, D1, D2)       % the thing nearest to the cube, the nearest one to it
    ;   { var(Near), D2 = D1 },
        ( placed(X, Noun, Ls4) ; { Ls4 = [] } )
    ),
    modifiers(X, Ls5, D2, D),
    { append([Noun,Ls4,Ls5], Such),             % the largest thing in the top row: of those
      append([Ls0,Noun,Ls1,Ls4,Ls5], Ls) }.

nominal(X, plural, [of(X, Y, Ls0)|Ls], D0, D) --> [them], { memberchk(them(Y, Ls0), D0) }, modifiers(X, Ls, D0, D).
nominal(X, singular, Ls, D0, D) -->             % the third shape from the left in the top row
    ordinal(N),
    attributes(X, singular, Ls0),
    head(X, singular, D0, Ls1),
    counted_from(N, X, Noun, Ls2),
    ( place(X, [], Ls3) ; { Ls3 = [] } ),
    { append([Ls0,Ls1,Ls3], Noun) },
    modifiers(X, Ls4, [noun(X, Ls1, Noun)|D0], D),
    { append([Noun,Ls2,Ls4], Ls) }.

long_name --> [First], { word(First, [Second|Rest], _, _) }, these([Second|Rest]).      % a left hand

% head(?X, ?Number, +D, -Literals)//: a noun; "one" is of the only kind of things that D speaks of, and so is "the largest".

head(X, Number, D, Ls) -->
    ( [one], { Number = singular } ; [ones], { Number = plural } ),
    !,
    { antecedent(D, X, Ls) }.
head(X, Number, _, Ls) --> noun(X, Number, Ls).

%!  compared_with(+D, ?X, -Nouns) is det.
%
%   Nouns are literals of what X may be the largest of: of what it is called, and of all, where a question is of one thing. The dog
%   is not asked to be the largest dog.

compared_with(D, X, Nouns) :-
    (   \+ ( member(noun(X0, _, _), D), X0 == X )
    ->  Nouns = [[]]
    ;   member(Definite, D), Definite =.. [Kind,X0,Ls|_], memberchk(Kind, [the,some,so_many]), X0 == X
    ->  once(( member(noun(X1, Head, _), D), X1 == X )),
        ( memberchk(Head, [[],Ls]) -> Nouns = [[]] ; Nouns = [Head,[]] )
    ;   append(_, [noun(X1, _, Noun)|Said], D),
        X1 == X,
        \+ ( member(noun(X2, _, _), Said), X2 == X )       % what it is called first: a thing that is no person
    ->  Nouns = [Noun]
    ).

%!  antecedent(+D, ?X, -Literals) is det.

antecedent(D, X, Ls) :-
    findall(Y-Ls0, ( member(noun(Y, Ls0, _), D), Ls0 \== [] ), Pairs),
    pairs_keys_values(Pairs, Things, Nouns0),
    maplist(=(X), Things),
    sort(Nouns0, Nouns),
    ( Nouns = [Ls1] -> Ls = Ls1 ; Ls = [] ).

% placed(?X, +Noun, -Literals)//: at the top, of such things or of all.

placed(X, Noun, [placed(Ls0, Ls1)], S0, S) :- phrase(place(X, Noun, Ls0), S0, S), phrase(place(X, [], Ls1), S0, S).

% attributes(?X, ?Number, -Literals)//: adjectives before a noun. "red and blue things" are of either colour.

attributes(X, Number, [L|Ls]) -->
    property(X, singular, L0),
    (   [or],
        maybe([a]),
        property(X, singular, L1),
        { L = either([L0], [L1]) }
    ;   [and],
        property(X, singular, L1),
        { Number = plural, functor(L0, P, 2), functor(L1, P, 2), L = either([L0], [L1]) }
    ;   { L = L0 }
    ),
    maybe([',']),
    attributes(X, Number, Ls).
attributes(_, _, []) --> [].

%!  other(+Words, ?X, -Literals, +D)// is det.
%
%   One of Words, of another one than "it"; than a thing that it is related to says the relation, else nothing.

other(Words, X, Ls, D) --> any_of(Words), !, { memberchk(it(Y), D) -> Ls = [X \== Y] ; Ls = [other(X)] }.
other(_, _, [], _) --> [].

%!  adjectives(?X, -Literals)// is multi.

adjectives(X, [L|Ls]) --> property(X, singular, L), maybe([',']), adjectives(X, Ls).
adjectives(_, []) --> [].

noun(X, Number, Ls) -->                         % all are objects, and some may be called so
    [Noun],
    { member(Number-Nouns, [ singular-[thing,object,shape,item,figure,element,piece,detection],
                             plural-[things,objects,shapes,items,figures,elements,pieces,detections] ]),
      memberchk(Noun, Nouns),
      ( word(Noun, [], Number, Meanings), meant(Meanings, X, Goals) -> Ls = [one_of([[]|Goals])] ; Ls = [] ) }.
noun(X, Number, [L]) --> property(X, Number, L), { \+ adjective(L) }.

%!  name(+Literal) is semidet.
%
%   Words for it are nouns and no adjectives, as others are adjectives and no nouns (adjective/1): "left of
%   the red car" ends with the car.

name(category(_, _)).

%!  property(?X, ?Number, -Literal)// is nondet.

property(X, Number, L) -->
    [First],
    { word(First, Rest, Number, Meanings) },
    these(Rest),
    { meant(Meanings, X, Goals),
      ( Goals = [[Goal]] -> L = Goal ; L = one_of(Goals) ) }.

meant([], _, []).
meant([Meaning|Meanings], X, [[Goal]|Goals]) :- meaning(Meaning, X, Goal), meant(Meanings, X, Goals).

%!  introduced(-D)// is nondet.
%
%   "there is a cube" makes a definite thing, which "it" is from then on; "there are two cubes" makes "them". The cube, is it red?

introduced([it(X)|D]) --> maybe([if]), [there,is], any_of([a,an,another,one]), noun_phrase(the, X, singular, [], D).
introduced([them(X, Ls)|D]) --> maybe([if]), [there,are], ( number(N), so_many(N, X, Ls, [], D) ; maybe([some]), all_of_the(X, plural, Ls, [], D) ).
introduced([it(X)|D]) --> definite(X, [], D), ahead([',']).

% noun_phrase(+Kind, -X, ?Number, +D0, -D)//: what is taken for granted, the or some, with its words.

noun_phrase(Kind, X, Number, D0, [Definite|D]) -->
    words(nominal(X, Number, Ls, D0, D), Words),
    { Kind = so_many(N) -> Definite = so_many(X, Ls, Words, N) ; Definite =.. [Kind,X,Ls,Words] }.

% all_of_the(-X, ?Number, -Literals, +D0, -D)//: those of which there is one at least.

all_of_the(X, Number, Ls, D0, D) --> noun_phrase(some, X, Number, D0, D), { D = [some(_, Ls, _)|_] }.

%!  group(-X, -Literals, +D0, -D)// is nondet.
%
%   "the cubes", every cube; both cubes, the two cubes and all three cubes, which are so many.

group(X, Ls, D0, D) -->
    ( [the] ; they ; [all], ( [] ; [the] ; of_the ) ),
    all_of_the(X, plural, Ls, D0, D),
    maybe([all]).                               % are the cubes all red
group(X, Ls, D0, D) --> quantifier(all), all_of_the(X, _, Ls, D0, D).
group(X, Ls, D0, D) -->
    (   [both], { N = 2 }, ( of_the ; [the] ; [] )
    ;   ( [the] ; [all], ( of_the ; [the] ; [] ) ), number(N), ( [] ; ahead([in,on,at,that,with]), put(ones) )
    ),
    so_many(N, X, Ls, D0, D).
group(X, Ls, D0, D) --> ( [the] ; they ), so_many(2, X, Ls, D0, D), [both].

they, [them] --> [they].

%!  so_many(+N, -X, -Literals, +D0, -D)// is nondet.
%
%   N things X, and no more.

so_many(N, X, Ls, D0, D) --> noun_phrase(so_many(N), X, plural, D0, D), { D = [so_many(_, Ls, _, _)|_] }.

%!  definite(-X, +D0, -D)// is nondet.
%
%   One thing: by its name, "it", or "the" only one that is so.

definite(X, D, [mentioned(X)|D]) --> maybe([object]), [X], { atom(X), sub_atom(X, 0, _, _, ob_) }.
definite(X, D, [the(X, [refused("the middle of the picture is no thing: ask which thing is closest to ob_2, say")], [])|D]) -->
    middle, ( [] ; [of], picture ).
definite(X, D, D) --> [it], { memberchk(it(X), D) }.
definite(X, D0, D) --> [the], maybe([only]), noun_phrase(the, X, singular, D0, D).
definite(X, D0, [the(X, Ls, Words)|D]) -->      % the person's helmet
    [the],
    noun_phrase(the, Y, singular, D0, D1),
    ['\'s'],
    { related_by([with], Y, X, Goal) },
    noun_phrase(the, X, singular, D1, [the(X, Ls0, Words)|D]),
    { append(Ls0, [Goal], Ls) }.

definite(X, D0, [the(X, [Such|Ls], Words)|D]) -->       % the smaller of the two red things
    [the],
    words(one_of_group(X, [Such], Ls, D0, D), Words).

one_of_group(X, Such, Ls, D0, D) --> superlative(X, Such, Ls), [of], group(Y, Noun, D0, D), { Such = [of(X, Y, Noun)] }.

%!  with_it(+D0, -D) is semidet.
%
%   In D "it" is the only single thing that D0 speaks of.

with_it(D0, [it(X)|D0]) :- findall(D0-X0, ( member(the(X0, _, _), D0) ; member(mentioned(X0), D0) ), [D0-X]).

%!  mentioned(-X, +D0, -D)// is nondet.
%
%   The same; where a sentence has no place for another phrase, the article may be missing.

mentioned(X, D0, D) --> definite(X, D0, D).
mentioned(X, D0, D) --> noun_phrase(the, X, singular, D0, D).
