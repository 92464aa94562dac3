:- module(phrases,
          [ modifiers//4,               % ?X, -Literals, +D0, -D
            but_for//4,                 % ?X, -Literals, +D0, -D
            predicate//4,               % ?X, -Literals, +D0, -D
            complement//4,              % ?X, -Literals, +D0, -D
            shared//4,                  % ?X, -Literals, +D0, -D
            verb_phrase//5,             % +Form, ?X, -Literals, +D0, -D
            relating//4,                % +Form, ?X, ?Y, -Goal
            way//3,                     % ?X, ?Y, -Goal
            related/4,                  % +Relation, ?X, ?Y, -Goal
            related_by/4,               % +Words, ?X, ?Y, -Goal
            same_in_both//3,            % +X, +Y, -Literals
            reciprocal//3,              % ?X, ?Y, -Literals
            couple//6,                  % -X, -Y, -LiteralsX, -LiteralsY, +D0, -D
            so_much//3,                 % +Attribute, ?X, -Literals
            alike//3,                   % ?X, +Noun, -Literals
            is_among/2,                 % +Literals, ?Literal
            attribute_of//4             % -X, -Attribute, +D0, -D
          ]).

/** <module> What is said of things, in English

The parts of the sentences of grammar.pl, which says what literals and definites are. What follows a noun belongs to the
noun nearest before it: in "the cube behind the sphere that is red" the sphere is. So a phrase has few parses, and the
first is the one that is meant; what a sentence means is composed of what its parts mean, however they are combined.
*/

:- use_module(extremes).
:- use_module(lexicon).
:- use_module(nouns).
:- use_module(numbers).
:- use_module(particles).
:- use_module(things).
:- use_module(library(apply), [exclude/3, maplist/3]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).

%!  modifiers(?X, -Literals, +D0, -D)// is nondet.
%
%   What follows a noun.

modifiers(X, Ls, D0, D) -->
    ( [','], unless(apart), modifier(X, Ls0, D0, D1) ; ( but_for(X, Ls0, D0, D1) ; modifier(X, Ls0, D0, D1) ) ),
    modifiers(X, Ls1, D1, D),
    { append(Ls0, Ls1, Ls) }.
modifiers(_, [], D, D) --> [].
modifiers(X, Ls, D0, D) --> ahead([the]), shared(X, Ls, D0, D).   % last: "is the ring the same as ..." asks for it

modifier(X, Ls, D0, D) --> any_of([that,which,who]), agreeing(X, D0), predicate(X, Ls, D0, D).
modifier(X, Ls, D0, D, S0, S) :-
    phrase(joined(place, X, Ls0, D0, D), S0, S),
    (   is_list(S0),                            % a person with a helmet near the dog: either may be near it
        S0 = [Having|_],
        memberchk(Having, [with,without,wearing,having]),
        phrase(( joined(place, X, Ls1, D0, D1), modifiers(X, Ls2, D1, D) ), S0, S),
        Ls2 \== []
    ->  append(Ls1, Ls2, Further),
        Ls = [one_of([Ls0,Further])]
    ;   Ls = Ls0
    ).
modifier(X, Ls, D0, D) --> [not], single(place, X, Ls0, D0, D), { denied(Ls0, Ls) }.
modifier(X, Ls, D0, D) --> ahead([like,different]), shared(X, Ls, D0, D).
modifier(X, Ls, D0, D) -->
    [with],
    ( shared(X, Ls, D0, D) ; measured(X, D0, Ls), { D = D0 } ; more_of(X, Ls, D0, D) ; having(X, Ls, D0, D) ).
modifier(X, Ls, D, D) --> [whose], valued_so(X, Ls).
modifier(X, Ls, D0, D) -->                      % the helmets that no person touches, the helmet he is touching
    ( any_of([that,which]) ; ahead([the,a,an,no,nobody,nothing,anybody,somebody,anyone,someone,every,each]) ),
    subject(Y, [Goal], Ls, D0, D),
    { \+ ( sub_term(Other, Ls), nonvar(Other), Other = other(_) ) },   % other than who is only said around it
    ( relating(finite, Y, X, Goal) ; relating(base, Y, X, Goal) ; be, relating(participle, Y, X, Goal) ).
modifier(_, [], D, D) --> in_picture.
modifier(X, [Goal], D0, D) -->                  % the helmet of the person
    [of],
    { related_by([with], Y, X, Goal) },
    definite(Y, D0, D).

% agreeing(?X, +D)//: a verb comes next, of X in its number: of "persons without a helmet that touch a dog" it is said of persons.

agreeing(X, D, S, S) :-
    \+ ( S = [Verb|_],
         member(numbered(X0, Number), D), X0 == X,
         of_number(Verb, _),
         \+ of_number(Verb, Number) ).

of_number(Verb, Number) :- member(Verb-Number, [is-singular,does-singular,has-singular,are-plural,do-plural,have-plural]).
of_number(Verb, Number) :- relation(Verb, _, Form, _), member(Form-Number, [finite-singular,base-plural]).

%!  but_for(?X, -Literals, +D0, -D)// is nondet.
%
%   Except the cube, apart from the red ones and the ball; everything but the ring.

but_for(X, Ls, D0, D) -->
    ( [apart,from] ; [other,than] ; any_of([except,besides]), maybe([for]) ; [but], ahead([the]) ),
    excepted(X, Ls, D0, D).

excepted(X, Ls, D0, D) -->
    (   definite(Y, D0, D1), { Ls0 = [X \== Y] }
    ;   ( group(Y, Noun, D0, D1) ; ( any_of([a,an]) ; [] ), noun_phrase(some, Y, _, D0, D1), { D1 = [some(_, Noun, _)|_] } ), { Ls0 = [every(Y, Noun, [X \== Y])] }
    ),
    ( any_of([and,or]), excepted(X, Ls1, D1, D), { append(Ls0, Ls1, Ls) } ; { Ls = Ls0, D = D1 } ).

%!  predicate(?X, -Literals, +D0, -D)// is nondet.
%
%   Is red, touches the cube and is not behind it.

predicate(X, Ls, D0, D) --> joined(verb, X, Ls, D0, D).

%!  complement(?X, -Literals, +D0, -D)// is nondet.
%
%   What is said after "is".

complement(X, Ls, D0, D) --> { member(Kind, [description,nouns,mixed]) }, joined(Kind, X, Ls, D0, D).

% joined(+Kind, ?X, -Literals, +D0, -D)//: one or several of a kind. "and" binds tighter than "or", that tighter than "but".

joined(Kind, X, Ls, D0, D) -->
    alternatives(Kind, X, Ls0, D0, D1),
    ( [but], unless(the), joined(Kind, X, Ls1, D1, D) ; { Ls1 = [], D = D1 } ),
    { append(Ls0, Ls1, Ls) }.

alternatives(Kind, X, [none(Ls0),none(Ls1)], D0, D) -->
    [neither], single(Kind, X, Ls0, D0, D1), [nor],
    single(Kind, X, Ls1, D1, D).
alternatives(Kind, X, [either(Ls0, Ls1)], D0, D) --> [either], alternatives(Kind, X, [either(Ls0, Ls1)], D0, D).
alternatives(Kind, X, Ls, D0, D) -->
    ( [both], single(Kind, X, Ls0, D0, D1), ahead([and]) ; single(Kind, X, Ls0, D0, D1) ),
    more(Kind, X, Ls0, Ls, D1, D).

more(Kind, X, Ls0, Ls, D0, D) -->
    [and],
    single(Kind, X, Ls1, D0, D1),
    { \+ ( names(Ls0), names(Ls1) ),            % nothing is an umbrella and a bicycle
      Ls1 \= [_ == _],
      append(Ls0, Ls1, Ls2) },
    more(Kind, X, Ls2, Ls, D1, D).
more(Kind, X, Ls0, [either(Ls0, Ls)], D0, D) --> [or], alternatives(Kind, X, Ls, D0, D).
more(Kind, X, Ls0, Ls, D0, D) -->               % red, blue or green
    [','],
    alternatives(Kind, X, Ls1, D0, D),
    {   Ls1 = [either([_ == _], _)], Ls0 \= [_ == _]       % which is red, the car or the dog
    ->  (   sub_term(Of, Ls0), nonvar(Of), Of = of(_, _, _)
        ->  Ls = [refused("of these alone, or of all? say which is larger, ob_0 or ob_1")]
        ;   append(Ls0, Ls1, Ls)
        )
    ;   Ls1 = [either(_, _)] -> Ls = [either(Ls0, Ls1)] ; Ls1 = [_,_|_], Ls1 \= [_ == _|_], append(Ls0, Ls1, Ls) }.
more(_, _, Ls, Ls, D, D) --> [].

names(Ls) :- member(L, Ls), nonvar(L), functor(L, _, 2), \+ adjective(L), !.

single(verb, X, Ls, D0, D) --> any_of([is,are,lie,lies]), complement(X, Ls, D0, D).
single(verb, X, Ls, D0, D) -->                  % is left or right of the cube
    any_of([is,are,lie,lies]), way(X, Y, Goal0), [or], relating(preposition, X, Y, Goal1),
    object(X, Y, [either([Goal0], [Goal1])], Ls, D0, D).
single(verb, X, Ls, D0, D) -->
    any_of([do,does]), [not], verb_phrase(base, X, Ls0, D0, D),
    { denied(Ls0, Ls) }.
single(verb, X, Ls, D0, D) -->
    ( verb_phrase(finite, X, Ls, D0, D) ; verb_phrase(base, X, Ls, D0, D) ).
single(description, X, Ls, D0, D) --> negated(description, X, Ls, D0, D).
single(description, X, Ls, D0, D) --> ( single(place, X, Ls, D0, D) ; shared(X, Ls, D0, D) ).
single(description, X, Ls, D0, D) --> any_of([a,an]), nominal(X, singular, Ls, D0, D).
single(description, X, [L|Ls], D, D) -->
    maybe([made,of]),
    property(X, singular, L),
    { \+ name(L) },
    adjectives(X, Ls).
single(description, X, [one_of(Ways)], D0, D) -->    % the only red thing, the only cube of its colour; one: of such things, or of all?
    [the,only],
    words(nominal(X, Number, Ls0, D0, D), Words),
    { \+ memberchk(one, Words), \+ memberchk(ones, Words) -> Such = [] ; antecedent(D0, X, Such) },
    ( any_of([of,with,in]), any_of([its,their]), compared_attribute(A), { equal_in(A, X, Y, Same) } ; { Number = singular, Same = [] } ),
    { only_so(X, Y, Ls0, Same, Way0),
      exclude(is_among(Such), Ls0, Ls1),
      ( ( Such == [] ; Ls1 == [], Same == [] ) -> Ways = [Way0] ; only_so(X, Y, Ls1, Same, Way1), Ways = [Way0,Way1] ) }.
single(description, X, [one_of(Ways)], D, D, [the|S1], S) :-       % the largest
    compared_with(D, X, Nouns),
    maplist(superlative_among(X, S1, S2), Nouns, Ways),
    phrase(maybe([one]), S2, S).
single(description, X, [X == Y], D0, D) --> definite(Y, D0, D).
single(description, X, Ls, D0, D) -->            % the dog that is closest to the car is so among dogs
    maybe([the]),
    { compared_with(D0, X, Nouns), ( Nouns = [Noun] -> true ; Noun = [] ) },
    nearest(X, Noun, Ls, D0, D).
single(description, X, Ls, D0, D) --> present, modifiers(X, Ls, D0, D).
single(description, _, [], D, D) --> in_picture.
single(nouns, X, Ls, D0, D) --> negated(nouns, X, Ls, D0, D).
single(nouns, X, Ls, D0, D) --> nominal(X, plural, Ls, D0, D).
single(mixed, X, Ls, D0, D) -->                 % red or balls
    ( negated(mixed, X, Ls, D0, D) ; unless(not), { member(Kind, [description,nouns]) }, single(Kind, X, Ls, D0, D) ).
single(place, X, [one_of([[every(Y, Ls, [Goal])],[exists(Y, Ls1)]])], D0, D) -->    % larger than any: than all, or than one
    [Word],
    { relation(Word, [than], preposition, Relation) },
    [than],
    (   [any], nominal(Y, _, Ls0, D0, D)
    ;   [anything], maybe([else]), { Ls0 = [other(Y)], D = D0 }
    ),
    { related(Relation, X, Y, Goal),
      other_than(X, Y, Ls0, Ls),
      append(Ls, [Goal], Ls1) }.
single(place, X, Ls, D0, D) -->                 % a person in a vest is inside it, or has it
    ahead([in]),
    { member(noun(X0, [Noun], _), D0), X0 == X, person(X, [Person]), Noun == Person,
      related_by([with], X, Y, With) },
    relating(preposition, X, Y, Goal),
    object(X, Y, [one_of([[Goal],[With]])], Ls, D0, D).
single(place, X, Ls, D, D) --> any_of([in,with,wearing,having]), value_and_name(X, Ls).
single(place, X, [L], D, D) --> ( [in] ; [made,of] ), property(X, singular, L), { adjective(L) }.       % in yellow
single(place, X, [none(Ls)], D, D) --> [without], value_and_name(X, Ls).
single(place, X, Ls, D0, D) --> any_of([standing,sitting,lying]), single(place, X, Ls, D0, D).
single(place, X, Ls, D0, D) -->
    unless_vague(X, D0),                        % with a dog near it: near whom?
    \+ in_middle,
    ( relating(preposition, X, Y, Goal) ; relating(participle, X, Y, Goal) ),
    object(X, Y, [Goal], Ls, D0, D),
    worn_on(Goal).
single(place, X, Ls, D0, D) -->                 % left of and below the cube
    relating(preposition, X, Y, Goal),
    [and],
    relating(preposition, X, Y, Other),
    object(X, Y, [Goal,Other], Ls, D0, D).
single(place, X, [Wide,Tall,Comparison], D, D) --> % wider than it is tall
    [Word],
    { relation(Word, [than], preposition, than(P, Sign)-straight) },
    [than],
    ( [it,is] ; [they,are] ; [] ),
    [Measure],
    { measured_by(Measure, number(Q)),
      P \== Q,
      value_in(number(P), X, V, [Wide]),
      value_in(number(Q), X, W, [Tall]),
      Comparison =.. [Sign,V,W] }.
single(place, X, Ls, D0, D) -->                 % directly below: in the same column, and no other is between
    any_of([directly,immediately,straight,just,right]),
    relating(preposition, X, Y, Goal),
    { in_line(Goal, Line),
      renamed(Y, [Goal], Z, Before),
      renamed(X, [Goal,Line], Z, After),
      append([Before, After], Between) },
    object(X, Y, [Goal,Line,none([exists(Z, Between)])], Ls, D0, D).
single(place, X, [one_of(Ways)], D0, D) -->     % nearer to the cube than to the ball; than the ball: than to it, or than it is?
    [Word],
    { extreme_distance(Word, Link, Sign) },
    [Link],
    definite(Y, D0, D1),
    [than],
    ( [Link], { Ways = [[To]] }, definite(Z, D1, D) ; definite(Z, D1, D), ( [is], { Ways = [[Is]] } ; { Ways = [[To],[Is]] } ) ),
    { closer(Sign, X-Y, X-Z, To), closer(Sign, X-Y, Z-Y, Is) }.
single(place, X, Ls, D0, D) -->
    [between],
    { relation(between, [], between, P),
      Goal =.. [P,X,Y,Z] },
    (   object(X, Y, Ls1, Ls, D0, D1), [and], object(X, Z, [Goal], Ls1, D1, D)
    ;   two_things(X, Y, Z, Ls0, Ls1, D0, D),
        { append(Ls1, [Goal], Ls2),
          append(Ls0, [exists(Z, Ls2)], Ls3),
          Ls = [exists(Y, Ls3)] }
    ).
single(place, X, [none(Ls)], D0, D) -->
    [without],
    (   { related_by([with], X, Y, Goal) },
        ( [] ; unless(one), put(a) ),
        object(X, Y, [Goal], Ls, D0, D)
    ;   having(X, Ls, D0, D)
    ).
single(place, X, Ls, D, D) --> place(X, [], Ls).
single(place, X, [in_zone(X, Zone)], D, D) -->
    any_of([in,inside]),
    maybe([the]),
    [First],
    { relation(First, Rest, zone, Zone) },
    these(Rest).
single(place, X, Ls, D0, D) --> ( [made,of] ; [of] ), shared(X, Ls, D0, D).

unless_vague(X, D, S, S) :- \+ ( S = [With|Words], memberchk(With, [with,having]), memberchk(it, Words), member(it(Z), D), Z \== X ).

superlative_among(X, S0, S, Noun, Ls) :- phrase(superlative(X, Noun, Ls), S0, S).

only_so(X, Y, Ls, Same, [none([exists(Y, [of(Y, X, Ls),X \== Y|Same])])|Ls]).

%!  is_among(+Literals, ?Literal) is semidet.

is_among(Ls, L) :- member(L0, Ls), L0 == L, !.

%   in_line(+Goal, -Literal): Goal says where X lies of Y, Literal that both are in a row, or one above the other.

in_line(Goal, Literal) :-
    Goal =.. [P,X,Y],
    member(P-Word, [left_of-row,above-column]),
    related_by([in,the,same,Word,as], X, Y, Literal).

% more_of(?X, -Literals, +D0, -D)//: a higher score than the dog.

more_of(X, [Goal], D0, D) -->
    maybe([a]), more_or_fewer(Sign), attribute_name(number(P)), [than], mentioned(Y, D0, D),
    { related(than(P, Sign)-straight, X, Y, Goal) }.

% two_things(?X, -Y, -Z, -LiteralsY, -LiteralsZ, +D0, -D)//: what X may be between.

two_things(X, Y, Z, [number(U, [U \== X,of(U, Y, Ls)], =:=, 2)|Ls], [of(Z, Y, Ls)], D0, D) -->
    [the],
    rest(2),
    (   nominal(Y, plural, Ls, D0, D)
    ;   { D = D0, ( member(noun(X0, Noun, _), D), X0 == X -> Ls = [of(Y, X, Noun)] ; Ls = [] ) }
    ).
two_things(_, Y, Z, Ls, [of(Z, Y, Ls)], D0, D) -->
    (   ( [both], maybe([the]) ; maybe([both]), [the], maybe([two]) ), so_many(2, Y, Ls, D0, D)
    ;   [two], nominal(Y, plural, Ls, D0, D)
    ).
two_things(_, Y, Z, Ls0, Ls1, D0, D) --> [two], couple(Y, Z, Ls0, Ls1, D0, D).

% negated(+Kind, ?X, -Literals, +D0, -D)//: "not red or blue" is neither; "not red and blue" may be blue or not.

negated(Kind, X, [none(Both)], D0, D) -->
    [not,both], single(Kind, X, Ls0, D0, D1), [and], single(Kind, X, Ls1, D1, D),
    { append(Ls0, Ls1, Both) }.
negated(Kind, X, Ls, D0, D) -->
    [not],
    single(Kind, X, Ls0, D0, D1),
    (   ( [or] ; [','], { Ls1 = [either(_, _)] } ), unless(not),
        joined(Kind, X, Ls1, D1, D),
        { Ls = [none([either(Ls0, Ls1)])] }
    ;   [and], unless(not),
        joined(Kind, X, Ls1, D1, D),
        { append(Ls0, Ls1, Both),
          Ls = [one_of([[none(Both)],[none(Ls0)|Ls1]])] }
    ;   { denied(Ls0, Ls), D = D1 }
    ).

%   denied(+Literals0, -Literals): Literals0 are not so, of two things that are two in either case, as nothing is far from itself.

denied([Goal], [X \== Y,none([Goal])]) :- callable(Goal), Goal =.. [P,X,Y], memberchk(P, [same_row,same_column,near_to]), !.
denied(Ls, [Two,none(Ls1)]) :- append(Before, [Two|After], Ls), nonvar(Two), Two = (_ \== _), !, append(Before, After, Ls1).
denied([L], [one_of([[none([L])],[every(Y, Condition, [none(Said)])]])]) :-     % not of the size of the others: of any?
    L = every(Y, Condition, Said),
    !.
denied(Ls, [none(Ls)]).

%!  shared(?X, -Literals, +D0, -D)// is nondet.
%
%   The same size as the cube.

shared(X, Ls, D0, D) -->
    maybe([made,of]), [the,same], equal_attributes(X, Y, Ls0), any_of([as,with,of]),
    { append(Ls0, [X \== Y], Ls1) },
    (   object(X, Y, Ls1, Ls, D0, D)
    ;   mentioned(Y, D0, D), { Ls = Ls1 }
    ;   object(X, Y, Ls2, Ls, D0, D),           % the same color as another thing but not the same shape
        maybe([',']),
        any_of([but,and]),
        likeness(X, Y, Ls3),
        { append(Ls1, Ls3, Ls2) }
    ).
shared(X, Ls, D0, D) -->
    ( ( [the,same,as] ; [like] ), { same_look(X, Y, Ls1) } ; different(X, Y, Ls1), any_of([from,to,than]) ),
    { append(Ls1, [Y \== X], Ls0) },
    object(X, Y, Ls0, Ls, D0, D).

%!  verb_phrase(+Form, ?X, -Literals, +D0, -D)// is nondet.
%
%   Touches the cube; has the same size as it, has the colour red. Form is that of the verb: base or finite.

verb_phrase(_, X, Ls, D0, D) --> any_of([have,has]), having(X, Ls, D0, D).     % first: to have it is no more than to overlap
verb_phrase(Form, X, Ls, D0, D) --> relating(Form, X, Y, Goal), object(X, Y, [Goal], Ls, D0, D), worn_on(Goal).
verb_phrase(_, X, Ls, D0, D) --> [lie], joined(place, X, Ls, D0, D).
verb_phrase(_, X, Ls, D0, D) --> any_of([look,looks]), maybe([exactly]), shared(X, Ls, D0, D).
verb_phrase(_, X, Ls, D0, D) -->
    any_of([have,has]),
    (   shared(X, Ls, D0, D)
    ;   more_of(X, Ls, D0, D)
    ;   (   measured(X, D0, Ls)
        ;   value_and_name(X, Ls)
        ;   maybe([the]), attribute_name(A), valued(A, X, Ls)
        ;   [a], ( compared_attribute(A), [of,its,own] ; [unique], compared_attribute(A) ),
            { equal_in(A, X, Y, Same), Ls = [none([exists(Y, [X \== Y|Same])])] }
        ),
        { D = D0 }
    ).

verb_phrase(_, _, [], D, D) --> occurs, ( in_picture ; [] ).

% worn_on(+Goal)//: a helmet on.

worn_on(Goal) --> [on], { had(Goal) }.
worn_on(_) --> [].

% having(?X, -Literals, +D0, -D)//: a ball on its right, nothing near it, where nothing else is "it".

having(X, Ls, D0, D) -->
    { \+ ( ( member(it(Z), D0) ; member(noun(Z, _, _), D0) ), Z \== X ) },
    beside(X, Ls0, D0, D1),
    ( any_of([and,but]), beside(X, Ls1, D1, D), { append(Ls0, Ls1, Ls) } ; { Ls = Ls0, D = D1 } ).

beside(X, Ls, D0, D) --> object(X, Y, [Goal], Ls, D0, D), relating(preposition, Y, X, Goal), any_of([it,them,itself,themselves]).

% valued_so(?X, -Literals)//: score is above 0.5, colour is red.

valued_so(X, Ls) --> attribute_name(A), [is], so_much(A, X, Ls).

%!  so_much(+Attribute, ?X, -Literals)// is nondet.

so_much(A, X, Ls) --> valued(A, X, Ls).
so_much(A, X, [Goal,Comparison]) --> { value_in(A, X, V, [Goal]) }, limit(A, V, Comparison).

%!  relating(+Form, ?X, ?Y, -Goal)// is nondet.
%!  related_by(+Words, ?X, ?Y, -Goal) is nondet.
%!  way(?X, ?Y, -Goal)// is nondet.
%
%   What a relation is called; where of or than comes later: left or right of the ball, larger or smaller than it.

relating(Form, X, Y, Goal) -->
    [First],
    { relation(First, Rest, Form, Relation) },
    these(Rest),
    ( { Form == preposition } -> [] ; maybe([with]) ),
    { related(Relation, X, Y, Goal) }.

related_by(Words, X, Y, Goal) :- phrase(relating(preposition, X, Y, Goal), Words).

way(X, Y, Goal) --> relating(preposition, X, Y, Goal), ahead([or]).
way(X, Y, Goal, S0, [or|S]) :-
    is_list(S0), append(Words, [or|S], S0),
    member(Last, [of,than]), append(Words, [Last], Whole),
    related_by(Whole, X, Y, Goal).

related(than(Name, Sign)-straight, X, Y, (Goal,Other,Comparison)) :-
    !,
    value_in(number(Name), X, V, [Goal]),
    value_in(number(Name), Y, W, [Other]),
    Comparison =.. [Sign,V,W].
related(words(P, High, Low)-Order, X, Y, (Goal,Other)) :-
    !,
    ( Order == straight -> X0-Y0 = X-Y ; X0-Y0 = Y-X ),
    Goal =.. [P,X0,High],
    Other =.. [P,Y0,Low].
related(P-straight, X, Y, Goal) :- Goal =.. [P,X,Y].
related(P-converse, X, Y, Goal) :- Goal =.. [P,Y,X].

%!  same_in_both(+X, +Y, -Literals)// is nondet.

same_in_both(X, Y, Ls) -->
    likeness(X, Y, Ls0),
    ( any_of([but,and]), likeness(X, Y, Ls1) ; { Ls1 = [] } ),
    { append(Ls0, Ls1, Ls) }.

% likeness(+X, +Y, -Literals)//: of the same colour, identical in shape, not the same size.

likeness(X, Y, [none(Ls)]) --> [not], ( likeness(X, Y, Ls) ; [in], equal_attributes(X, Y, Ls) ).
likeness(X, Y, Ls) --> ( [made,of] ; [of] ; [] ), [the,same], equal_attributes(X, Y, Ls).
likeness(X, Y, Ls) -->
    maybe([exactly]),
    ( [the,same] ; any_of([identical,alike,equal]) ),
    ( [in], equal_attributes(X, Y, Ls) ; { same_look(X, Y, Ls) } ).
likeness(X, Y, Ls) --> different(X, Y, Ls).
likeness(X, Y, [Goal]) -->                  % in a row
    [in],
    ( any_of([a,one]) ; [the,same] ),
    [Word],
    { related_by([in,the,same,Word,as], X, Y, Goal) }.

% different(+X, +Y, -Literals)//: different, of a different colour, different in shape.

different(X, Y, [none(Ls)]) -->
    maybe([of]),
    (   ( maybe([a]), [different], maybe([in]) ; [another] ), compared_attribute(A), { equal_in(A, X, Y, Ls) }
    ;   maybe([a]), [different], { same_look(X, Y, Ls) }
    ).

% equal_attributes(+X, +Y, -Literals)//: what follows "the same", one attribute or two.

equal_attributes(X, Y, Ls) -->
    compared_attribute(A),
    { equal_in(A, X, Y, Ls0) },
    ( [and], maybe([the,same]), compared_attribute(B), { equal_in(B, X, Y, Ls1) } ; { Ls1 = [] } ),
    { append(Ls0, Ls1, Ls) }.

%!  couple(-X, -Y, -LiteralsX, -LiteralsY, +D0, -D)// is nondet.
%
%   Two things: identical shapes, things of the same colour, persons that touch each other. LiteralsY relate Y to X.

couple(X, Y, Ls, [of(Y, X, Ls),X \== Y|Same], D0, D) -->
    (   [identical], nominal(X, plural, Ls, D0, D), { same_look(X, Y, Same) }
    ;   nominal(X, plural, Ls, D0, D),
        ( any_of([that,which]) ; [] ),
        ( maybe([are]), reciprocal(X, Y, Same) ; ( any_of([with,have,are,look]) ; [] ), same_in_both(X, Y, Same) )
    ).

%!  alike(?X, +Noun, -Literals)// is nondet.
%
%   Have the same colour but not the same shape: as another one, that is.

alike(X, Noun, [exists(Y, [of(Y, X, Noun),X \== Y|Ls])]) -->
    (   maybe([are]), reciprocal(X, Y, Ls)
    ;   any_of([have,has,are,is,look,looks]),
        same_in_both(X, Y, Ls),
        { Ls \= [none(_)] }                      % different from which?
    ).

%!  reciprocal(?X, ?Y, -Literals)// is nondet.
%
%   Are left of each other, overlap.

reciprocal(X, Y, [Goal]) -->
    ( relating(base, X, Y, Goal) ; relating(preposition, X, Y, Goal) ; relating(participle, X, Y, Goal) ),
    ( [each,other] ; { functor(Goal, P, 2), memberchk(P, [touches,overlaps]) } ).

%!  attribute_of(-X, -Attribute, +D0, -D)// is nondet.
%
%   The colour of the cube, its colour.

attribute_of(X, A, D0, D) --> [the], attribute_name(A), [of], mentioned(X, D0, D).
attribute_of(X, A, D0, D) --> definite(X, D0, D), ['\'s'], attribute_name(A).
attribute_of(X, A, D, D) --> [its], attribute_name(A), { memberchk(it(X), D) }.

