:- module(phrases,
          [ nominal//5,                 % -X, ?Number, -Literals, +D0, -D
            superlative//3,             % ?X, +Noun, -Literals
            nearest//5,                 % ?X, +Noun, -Literals, +D0, -D
            introduced//1,              % -D
            definite//3,                % -X, +D0, -D
            mentioned//3,               % -X, +D0, -D
            subject//5,                 % -X, +Literals0, -Literals, +D0, -D
            all_of_the//5,              % -X, ?Number, -Literals, +D0, -D
            object//6,                  % ?X, -Y, +Goals, -Literals, +D0, -D
            adjectives//2,              % ?X, -Literals
            modifiers//4,               % ?X, -Literals, +D0, -D
            predicate//4,               % ?X, -Literals, +D0, -D
            complement//4,              % ?X, -Literals, +D0, -D
            shared//4,                  % ?X, -Literals, +D0, -D
            verb_phrase//5,             % +Form, ?X, -Literals, +D0, -D
            relating//4,                % +Form, ?X, ?Y, -Goal
            same_in_both//3,            % +X, +Y, -Literals
            attribute_of//4             % -X, -Attribute, +D0, -D
          ]).

/** <module> Noun phrases and what is said of things, in English

The parts of the sentences of grammar.pl, which says what literals and definites are. What follows a noun belongs to the
noun nearest before it: in "the cube behind the sphere that is red" the sphere is. So a phrase has few parses, and the
first is the one that is meant; what a sentence means is composed of what its parts mean, however they are combined.
*/

:- use_module(lexicon).
:- use_module(particles).
:- use_module(library(lists), [append/2, append/3, memberchk/2]).

                 /*******************************
                 *        NOUN PHRASES          *
                 *******************************/

%!  nominal(-X, ?Number, -Literals, +D0, -D)// is nondet.
%
%   A noun with what belongs to it, without an article.

nominal(X, Number, Ls, D0, D) -->
    other(X, Ls0, D0),
    ( superlative(X, Noun, Ls1), ! ; { Ls1 = [] } ),
    adjectives(X, Ls2),
    noun(X, Number, Ls3),
    { append(Ls2, Ls3, Noun) },
    ( nearest(X, Noun, Ls4, D0, D1) ; { Ls4 = [], D1 = D0 } ),
    modifiers(X, Ls5, D1, D),
    { append([Ls0,Noun,Ls1,Ls4,Ls5], Ls) }.

% other(?X, -Literals, +D)//: another one than "it"; than a thing that it is related to says the relation, else nothing.

other(X, Ls, D) -->
    any_of([other,another]),
    !,
    { memberchk(it(Y), D) -> Ls = [X \== Y] ; Ls = [other(X)] }.
other(_, [], _) --> [].

%!  superlative(?X, +Noun, -Literals)// is nondet.
%!  nearest(?X, +Noun, -Literals, +D0, -D)// is nondet.
%
%   Largest, or closest to the sphere, of those of which the literals Noun hold.

superlative(X, Noun, [none([exists(Y, [of(Y, X, Noun),Goal])])]) -->
    [Word],
    { extreme(Word, [First|Rest]),
      relation(First, Rest, preposition, Relation),
      related(Relation, Y, X, Goal) }.

nearest(X, Noun, [Goal,none([exists(Y, [of(Y, X, Noun),Other,Closer])])], D0, D) -->
    { relation(apart, [], apart, P) },
    [Word,Link],
    { extreme_distance(Word, Link, Closer, E, D1) },
    definite(Z, D0, D),
    { Goal =.. [P,X,Z,D1],
      Other =.. [P,Y,Z,E] }.

%!  adjectives(?X, -Literals)// is multi.

adjectives(X, [L|Ls]) -->
    property(X, singular, L),
    maybe([',']),
    adjectives(X, Ls).
adjectives(_, []) --> [].

noun(_, singular, []) --> any_of([thing,object,one]).
noun(_, plural, []) --> any_of([things,objects,ones]).
noun(X, Number, [L]) -->
    property(X, Number, L),
    { \+ adjective(L) }.

% name(+Literal): words for it are nouns and no adjectives, as others are adjectives and no nouns (adjective/1): "left of
% the red car" ends with the car.

name(category(_, _)).

property(X, Number, L) -->
    [First],
    { word(First, Rest, Number, Meanings) },
    these(Rest),
    { meant(Meanings, X, Goals),
      ( Goals = [[Goal]] -> L = Goal ; L = one_of(Goals) ) }.

meant([], _, []).
meant([Meaning|Meanings], X, [[Goal]|Goals]) :-
    meaning(Meaning, X, Goal),
    meant(Meanings, X, Goals).

%!  introduced(-D)// is nondet.
%
%   "there is a cube" makes a definite thing, which "it" is from then on.

introduced([it(X)|D]) -->
    [there,is],
    any_of([a,an,another,one]),
    noun_phrase(the, X, singular, [], D).

% noun_phrase(+Kind, -X, ?Number, +D0, -D)//: what is taken for granted, the or some, with its words.

noun_phrase(Kind, X, Number, D0, [Definite|D], S0, S) :-
    nominal(X, Number, Ls, D0, D, S0, S),
    once(append(Words, S, S0)),
    Definite =.. [Kind,X,Ls,Words].

%!  all_of_the(-X, ?Number, -Literals, +D0, -D)// is nondet.
%
%   "the cubes", of which there is one at least.

all_of_the(X, Number, Ls, D0, D) -->
    noun_phrase(some, X, Number, D0, D),
    { D = [some(_, Ls, _)|_] }.

%!  definite(-X, +D0, -D)// is nondet.
%
%   One thing: by its name, "it", or "the" only one that is so.

definite(X, D, D) -->
    maybe([object]),
    [X],
    { atom(X), sub_atom(X, 0, _, _, ob_) }.
definite(X, D, D) -->
    [it],
    { memberchk(it(X), D) }.
definite(X, D0, D) -->
    [the],
    noun_phrase(the, X, singular, D0, D).

%!  mentioned(-X, +D0, -D)// is nondet.
%
%   The same; where a sentence has no place for another phrase, the article may be missing.

mentioned(X, D0, D) --> definite(X, D0, D).
mentioned(X, D0, D) --> noun_phrase(the, X, singular, D0, D).

%!  subject(-X, +Literals0, -Literals, +D0, -D)// is nondet.
%
%   One thing, or a quantified one, of which Literals0 are said.

subject(X, Ls, Ls, D0, D) -->
    definite(X, D0, D).
subject(X, Ls0, Ls, D0, D) -->
    quantifier(Q),
    (   { Q == all }
    ->  all_of_the(X, _, Ls1, D0, D)
    ;   nominal(X, _, Ls1, D0, D)
    ),
    { quantified(Q, X, Ls1, Ls0, Ls) }.
subject(X, Ls0, [every(X, Ls1, Ls0)], D0, D) -->
    [the],
    all_of_the(X, plural, Ls1, D0, D).
subject(X, Ls0, Ls, D, D) -->
    pronoun(Q),
    { quantified(Q, X, [], Ls0, Ls) }.

%!  object(?X, -Y, +Goals, -Literals, +D0, -D)// is nondet.
%
%   One thing or a quantified one, Y, of which Goals say how X is related to it.

object(_, Y, Goals, Goals, D0, D) -->
    definite(Y, D0, D).
object(X, Y, Goals, [every(Y, Ls, Goals)], D0, D) -->
    quantifier(all),
    all_of_the(Y, _, Ls0, D0, D),
    { other_than(X, Y, Ls0, Ls) }.
object(X, Y, Goals, Ls, D0, D) -->
    (   quantifier(Q), { Q \== all }
    ;   { Q = some, Number = plural }
    ;   { Q = some }, ahead([another])
    ),
    nominal(Y, Number, Ls1, D0, D),
    { other_than(X, Y, Ls1, Ls2),
      quantified(Q, Y, Ls2, Goals, Ls) }.
object(X, Y, Goals, Ls, D0, D) -->
    pronoun(Q),
    all_adjectives(Y, Ls0),
    modifiers(Y, Ls1, D0, D),
    { append([Y \== X|Ls0], Ls1, Ls2),
      quantified(Q, Y, Ls2, Goals, Ls) }.

% other_than(?X, ?Y, +Literals0, -Literals): a Y that Literals0 say is another one is another than X.

other_than(X, Y, Ls0, Ls) :-
    (   append(Before, [Other|Rest], Ls0),
        Other == other(Y)
    ->  append(Before, [Y \== X|Rest], Ls)
    ;   Ls = Ls0
    ).

% all_adjectives(?X, -Literals)//: all that follow: of something red it is not said that something else is red.

all_adjectives(X, Ls) -->
    adjectives(X, Ls),
    !.

                 /*******************************
                 *     WHAT IS SAID OF THEM     *
                 *******************************/

%!  modifiers(?X, -Literals, +D0, -D)// is nondet.
%
%   What follows a noun.

modifiers(X, Ls, D0, D) -->
    maybe([',']),
    modifier(X, Ls0, D0, D1),
    modifiers(X, Ls1, D1, D),
    { append(Ls0, Ls1, Ls) }.
modifiers(_, [], D, D) --> [].

modifier(X, Ls, D0, D) -->
    any_of([that,which,who]),
    predicate(X, Ls, D0, D).
modifier(X, Ls, D0, D) -->
    joined(place, X, Ls, D0, D).
modifier(X, Ls, D0, D) -->
    [with],
    shared(X, Ls, D0, D).

%!  predicate(?X, -Literals, +D0, -D)// is nondet.
%
%   Is red, touches the cube and is not behind it.

predicate(X, Ls, D0, D) -->
    joined(verb, X, Ls, D0, D).

%!  complement(?X, -Literals, +D0, -D)// is nondet.
%
%   What is said after "is".

complement(X, Ls, D0, D) -->
    joined(description, X, Ls, D0, D).
complement(X, Ls, D0, D) -->
    joined(nouns, X, Ls, D0, D).

% joined(+Kind, ?X, -Literals, +D0, -D)//: one or several of a kind, with "and" or "or" between. "and" binds tighter.

joined(Kind, X, Ls, D0, D) -->
    [both],
    single(Kind, X, Ls0, D0, D1),
    [and],
    single(Kind, X, Ls1, D1, D),
    { append(Ls0, Ls1, Ls) }.
joined(Kind, X, [none(Ls0),none(Ls1)], D0, D) -->
    [neither],
    single(Kind, X, Ls0, D0, D1),
    [nor],
    single(Kind, X, Ls1, D1, D).
joined(Kind, X, [either(Ls0, Ls1)], D0, D) -->
    [either],
    single(Kind, X, Ls0, D0, D1),
    [or],
    single(Kind, X, Ls1, D1, D).
joined(Kind, X, Ls, D0, D) -->
    single(Kind, X, Ls0, D0, D1),
    more(Kind, X, Ls0, Ls, D1, D).

more(Kind, X, Ls0, Ls, D0, D) -->
    [and],
    single(Kind, X, Ls1, D0, D1),
    { append(Ls0, Ls1, Ls2) },
    more(Kind, X, Ls2, Ls, D1, D).
more(Kind, X, Ls0, [either(Ls0, Ls)], D0, D) -->
    [or],
    joined(Kind, X, Ls, D0, D).
more(_, _, Ls, Ls, D, D) --> [].

single(verb, X, Ls, D0, D) -->
    any_of([is,are]),
    complement(X, Ls, D0, D).
single(verb, X, [none(Ls)], D0, D) -->
    any_of([do,does]),
    [not],
    verb_phrase(base, X, Ls, D0, D).
single(verb, X, Ls, D0, D) -->
    ( verb_phrase(finite, X, Ls, D0, D) ; verb_phrase(base, X, Ls, D0, D) ).
single(description, X, Ls, D0, D) -->
    negated(description, X, Ls, D0, D).
single(description, X, Ls, D0, D) -->
    ( single(place, X, Ls, D0, D) ; shared(X, Ls, D0, D) ).
single(description, X, Ls, D0, D) -->
    any_of([a,an]),
    nominal(X, singular, Ls, D0, D).
single(description, X, [L|Ls], D, D) -->
    maybe([made,of]),
    property(X, singular, L),
    { \+ name(L) },
    adjectives(X, Ls).
single(description, X, [X == Y], D0, D) -->
    definite(Y, D0, D).
single(description, _, [], D, D) --> ( any_of([visible,there]) ; in_picture ).
single(nouns, X, Ls, D0, D) -->
    negated(nouns, X, Ls, D0, D).
single(nouns, X, Ls, D0, D) -->
    nominal(X, plural, Ls, D0, D).
single(place, X, Ls, D0, D) -->
    ( relating(preposition, X, Y, Goal) ; relating(participle, X, Y, Goal) ),
    object(X, Y, [Goal], Ls, D0, D).
single(place, X, [Goal], D0, D) -->
    [between],
    { relation(between, [], between, P) },
    definite(Y, D0, D1),
    [and],
    definite(Z, D1, D),
    { Goal =.. [P,X,Y,Z] }.
single(place, X, [in_zone(X, Zone)], D, D) -->
    any_of([in,inside]),
    maybe([the]),
    [First],
    { relation(First, Rest, zone, Zone) },
    these(Rest).
single(place, X, Ls, D0, D) -->
    ( [made,of] ; [of] ),
    shared(X, Ls, D0, D).

% negated(+Kind, ?X, -Literals, +D0, -D)//: "not red or blue" is neither; "not red and blue" may be blue or not.

negated(Kind, X, Ls, D0, D) -->
    [not],
    single(Kind, X, Ls0, D0, D1),
    (   [or], unless(not),
        joined(Kind, X, Ls1, D1, D),
        { Ls = [none([either(Ls0, Ls1)])] }
    ;   [and], unless(not),
        joined(Kind, X, Ls1, D1, D),
        { append(Ls0, Ls1, Both),
          Ls = [one_of([[none(Both)],[none(Ls0)|Ls1]])] }
    ;   { Ls = [none(Ls0)], D = D1 }
    ).

%!  shared(?X, -Literals, +D0, -D)// is nondet.
%
%   The same size as the cube.

shared(X, Ls, D0, D) -->
    maybe([made,of]),
    [the,same],
    compared_attribute(A),
    ( [and], compared_attribute(B), { equal_in(B, X, Y, More) } ; { More = [] } ),
    [as],
    { equal_in(A, X, Y, Ls0),
      append([Ls0, More, [X \== Y]], Ls1) },
    (   object(X, Y, Ls1, Ls, D0, D)
    ;   mentioned(Y, D0, D), { Ls = Ls1 }
    ).
shared(X, Ls, D0, D) -->
    ( [the,same,as] ; [identical,to] ),
    { same_look(X, Y, Ls0) },
    object(X, Y, Ls0, Ls, D0, D).

%!  verb_phrase(+Form, ?X, -Literals, +D0, -D)// is nondet.
%
%   Touches the cube; has the same size as it, has the colour red. Form is that of the verb: base or finite.

verb_phrase(Form, X, Ls, D0, D) -->
    relating(Form, X, Y, Goal),
    object(X, Y, [Goal], Ls, D0, D).
verb_phrase(_, X, Ls, D0, D) -->
    any_of([have,has]),
    (   shared(X, Ls, D0, D)
    ;   maybe([the]),
        attribute_name(A),
        valued(A, X, Ls),
        { D = D0 }
    ).

%!  relating(+Form, ?X, ?Y, -Goal)// is nondet.

relating(Form, X, Y, Goal) -->
    [First],
    { relation(First, Rest, Form, Relation) },
    these(Rest),
    ( { Form == preposition } -> [] ; maybe([with]) ),
    { related(Relation, X, Y, Goal) }.

related(P-straight, X, Y, Goal) :-
    Goal =.. [P,X,Y].
related(P-converse, X, Y, Goal) :-
    Goal =.. [P,Y,X].

%!  same_in_both(+X, +Y, -Literals)// is nondet.

same_in_both(X, Y, Ls) -->
    ( [made,of] ; [of] ; [] ),
    [the,same],
    compared_attribute(A),
    { equal_in(A, X, Y, Ls) }.
same_in_both(X, Y, Ls) -->
    ( [the,same] ; any_of([identical,alike]) ),
    { same_look(X, Y, Ls) }.

                 /*******************************
                 *         ATTRIBUTES           *
                 *******************************/

%!  attribute_of(-X, -Attribute, +D0, -D)// is nondet.
%
%   The colour of the cube, its colour.

attribute_of(X, A, D0, D) -->
    [the],
    attribute_name(A),
    [of],
    mentioned(X, D0, D).
attribute_of(X, A, D0, D) -->
    definite(X, D0, D),
    ['\'s'],
    attribute_name(A).
attribute_of(X, A, D, D) -->
    [its],
    attribute_name(A),
    { memberchk(it(X), D) }.

