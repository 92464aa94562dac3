:- module(grammar,
          [ question//1,                % -Question
            excepting//1,               % -Question
            position_question//1        % -Question
          ]).

/** <module> A grammar of questions about things, in English

A sentence is a list of words in small letters. Its parse is

    q(Definites, Asked)

Definites, in the order in which they can be found, are what the question takes for granted:

| the(X, Literals, Words)        | X is the only thing of which Literals hold; Words call it so         |
| some(X, Literals, Words)       | there is such a thing                                                |
| so_many(X, Literals, Words, N) | there are N such things                                              |

Asked is

| holds(Literals)                | is it so?                                                            |
| count(X, Literals)             | of how many things X?                                                |
| things(X, Literals)            | of which things X?                                                   |
| values(V, Literals)            | what is V?                                                           |
| kinds(V, Literals)             | of how many V?                                                       |
| joint(Asked, Asked)            | two questions                                                        |
| compared(Count, Sign, Count)   | two numbers, each count(X, Literals) or a number                     |

A literal is a goal, or

| one_of(Ways)                   | the literals of one of Ways hold: each gives a reading               |
| exists(X, Literals)            | for a thing X                                                        |
| every(X, Literals, Literals)   | of every thing X of which the first hold the second do               |
| number(X, Literals, Sign, N)   | of so many things X                                                  |
| sided                          | what follows says the left or the right, but of one thing it is vague |
| cornered(X)                    | what follows says so of a corner, to which some thing is nearest     |
| refused(Text)                  | what is said means nothing, as Text says                             |
| counted(X, Literals, N)        | there are N things X                                                 |
| summed(X, Literals, V, Sum)    | of all things X the values V are Sum together                        |
| none(Literals)                 | not all of them hold                                                 |
| either(Literals, Literals)     | the first hold or the second                                         |
| of(Y, X, Literals)             | what Literals say of X is true of Y                                  |
| other(X)                       | another literal says than which thing X is another                   |
| else                           | than which is not said                                               |
| placed(Literals, Literals)     | X is there: among such things, among all                             |

Definites are threaded through as D0 and D, the last first, with it(X) for what "it" is.
*/

:- use_module(extremes).
:- use_module(lexicon, [attribute/3, relation/4]).
:- use_module(particles).
:- use_module(nouns).
:- use_module(numbers).
:- use_module(phrases).
:- use_module(things).
:- use_module(library(apply), [exclude/3, maplist/3]).
:- use_module(library(lists), [append/2, append/3, last/2, member/2, memberchk/2, reverse/2, subtract/3]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(terms), [mapsubterms/3]).

%!  question(-Question)// is nondet.
%
%   A question; the first parse is the one that is meant.

question(q(Definites, Asked)) -->
    ( introduced(D0), ( [;] ; [','], maybe([then]) ) ; { D0 = [] } ),
    asked(Asked, D0, D),
    ( [] ; in_picture ; [in,total] ; [too] ; [as,well] ),
    { taken_for_granted(D, Definites) }.
question(Question) --> excepting(Question).
question(q(Definites, joint(Asked0, Asked1))) -->
    asked(Asked0, [], D0),
    ( maybe([',']), [and] ; [?], maybe([and]) ),
    (   { asked_for(Asked0, D0, D1) *-> true ; with_it(D0, D1) ; D1 = D0 }, asked(Asked1, D1, D)
    ;   follow_up(Asked0, Asked1), { D = D0 }
    ;   { Asked0 = holds(_) }, definite(X, D0, D1), complement(X, Ls, D1, D), { Asked1 = holds(Ls) }
    ),
    { taken_for_granted(D, Definites) }.

%!  excepting(-Question)// is nondet.
%
%   Except the cube, how many things are red? Which things are, except it? Of something except it that is not asked.

excepting(q(Definites, Asked)) -->
    ( later([apart,besides,but,except]) -> [] ; later([other]), later([than]) ),
    (   but_for(X, Ls, [], D0), [','], asked(Asked0, D0, D), { append(After, D0, D) }
    ;   words(asked(Asked0, [], After), Words),
        ( [','] ; { \+ ( last(Words, Last), memberchk(Last, [anything,something,everything,nothing]) ) } ),
        but_for(X, Ls, After, D),
        { append(D0, After, D) }
    ),
    { mapsubterms(restricted(X, Ls), After-Asked0, After1-Asked1),
      of_others(Asked1, X, Ls, After1 \== After, Asked),
      \+ ( sub_term(Term, After-Asked0), of_any(Term, X) ),
      append(After1, D0, D1),
      taken_for_granted(D1, Definites) }.

%   asked_for(+Asked, +D0, -D): in D "they" are the things that were asked for, or "it" is the only one.

asked_for(Asked, D, [them(X, Ls)|D]) :-
    member(Asked, [count(X, Ls),things(X, Ls),holds([exists(X, Ls)]),holds([number(X, Ls, _, _)])]),
    Ls \= [_ == _].
asked_for(holds([exists(X, Ls)]), D, [it(Y),the(Y, [of(Y, X, Ls)], [thing,asked,for])|D]).

%   of_others(+Asked0, -X, +Literals, :Changed, -Asked): the same of those X of which Literals hold, too; of a value only where
%   it is that of a thing that was Changed.

of_others(count(X, Ls0), X, Ls, _, count(X, All)) :- append(Ls, Ls0, All).
of_others(things(X, Ls0), X, Ls, _, things(X, All)) :- append(Ls, Ls0, All).
of_others(holds([exists(X, Ls0)]), X, Ls, _, holds([exists(X, All)])) :- append(Ls, Ls0, All).
of_others(holds([every(X, Ls0, Said)]), X, Ls, _, holds([every(X, All, Said)])) :- append(Ls, Ls0, All).
of_others(values(V, Ls), _, _, Changed, values(V, Ls)) :- Changed.

%   restricted(?X, +Literals, +Term0, -Term): the largest thing is that of those of which Literals hold, which say so of X.

restricted(X, Ls, the(Y, Ls0, Words), the(Y, All, Words)) :-
    sub_term(Of, Ls0),
    nonvar(Of),
    Of = of(_, Y0, _),
    Y0 == Y,
    !,
    mapsubterms(restricted(X, Ls), Ls0, Ls1),
    renamed(X, Ls, Y, Others),
    append(Others, Ls1, All).
restricted(X, Ls, of(Y, Z, Noun), of(Y, Z, All)) :- var(Z), renamed(X, Ls, Z, Others), append(Others, Noun, All).

%   of_any(+Literal, ?X): it speaks of further things, of which may be what is left out.

of_any(Literal, X) :-
    compound(Literal),
    (   Literal = exists(Y, Ls)
    ;   member(Literal, [every(Y, Ls, _),number(Y, Ls, _, _),counted(Y, Ls, _)])
    ),
    Y \== X,
    \+ ( member(Of, Ls), nonvar(Of), Of = of(_, X0, _), var(X0) ).

% follow_up(+Asked0, -Asked)//: are there any cubes, and how many; are there two, and is one above the other?

follow_up(holds([exists(X, Ls)]), count(Y, [of(Y, X, Ls)])) --> maybe([if,so]), [how,many], there_are.
follow_up(holds([number(X, Ls, _, 2)]), holds([exists(Y, [of(Y, X, Ls),exists(Z, [of(Z, X, Ls),Y \== Z,Goal])])])) -->
    be, [one], maybe([of,them]), relating(preposition, Y, Z, Goal), [the,other].

%!  position_question(-Question)// is nondet.
%
%   "is the cube behind the ball left of the ring": behind the ball may belong to the cube, or be what is asked.

position_question(q(Definites, holds(Ls))) -->
    be,
    scope(Scope),
    subject(X, Ls0, Ls1, [], D0),
    (   ( unless(with), \+ in_middle, relating(preposition, X, Y, Goal) ; relating(participle, X, Y, Goal) ), object(X, Y, [Goal], Ls0, D0, D)
    ;   place(X, [], Ls0), { \+ memberchk(sided, Ls0), D = D0 }
    ),
    { scoped(Scope, Ls0, Ls1, Ls), taken_for_granted(D, Definites) }.

position_question(q(Definites, holds([exists(X, Ls),exists(Y, Ls1)]))) -->      % a person with a helmet and a dog: has it both?
    there_be, later([and]), existing(X, Ls, [], D0), [and], ahead([a,an]), existing(Y, Ls1, D0, D),
    { taken_for_granted(D, Definites) }.
position_question(q(Definites, holds([exists(X, [L0|Ls]),exists(Y, [L1|Ls1])]))) -->     % red and blue things: are there both?
    there_be, maybe([any]), property(X, singular, L0), [and], property(Y, singular, L1), nominal(X, plural, Ls, [], D),
    { renamed(X, Ls, Y, Ls1), taken_for_granted(D, Definites) }.
position_question(q(Definites, things(X, Ls))) -->      % which is left of the dog, the car or the cat: is one of the two meant?
    ahead([which,who]), later([or]), asked(things(X, Ls0), [], D0), [','], definite(Y, D0, D1), [or], definite(Z, D1, D),
    { \+ ( member(numbered(X0, plural), D0), X0 == X ),
      \+ ( sub_term(Of, Ls0), nonvar(Of), Of = of(_, _, _) ),
      append(Ls0, [either([X == Y], [X == Z])], Ls),
      taken_for_granted(D, Definites) }.
position_question(q([], Asked)) -->             % how many shapes are there: things, or kinds of shape?
    [how,many,shapes,are,there],
    {   attribute(shapes, [], A),
        value_in(A, X, V, Ls),
        Asked = kinds(V, [object(X)|Ls])
    ;   Asked = count(_, [])
    }.

taken_for_granted(D, Definites) :- exclude(mere_mention, D, Definites0), reverse(Definites0, Definites).

mere_mention(Definite) :- functor(Definite, Name, _), memberchk(Name, [it,them,mentioned,noun,numbered]).

asked(compared(M, Sign, N), D0, D) --> comparison(M, Sign, N, D0, D).
asked(count(X, Ls), D0, D) --> [how,many], counted(X, Ls, D0, D).
asked(Asked, D0, D) -->                 % how many pairs of things look the same, which two do
    (   [how,many,pairs,of], { Asked = count(X, Ls) }
    ;   any_of([what,which]), ( [two] ; [pairs,of] ), { Asked = values(X-Y, [object(X)|Ls]) }
    ),
    couple(X, Y, Ls0, [Of,_|Same], D0, D),
    there_are,
    { append(Ls0, [object(Y),Of,X @< Y|Same], Ls) }.
asked(values(V, [counted(X, Ls0, N),counted(Y, Ls1, M),V is Difference]), D0, D) -->    % how many more cubes than balls
    [how,many], more_or_fewer(Sign), nominal(X, plural, Ls0, D0, D1), there_are,
    [than], nominal(Y, plural, Ls1, D1, D), there_are,
    { Sign == (>) -> Difference = N-M ; Difference = M-N }.
asked(holds(Ls), D0, D) -->                     % the cube is red, isn't it
    ( [is,it,true,that], { Tag = [] } ; { Tag = [','] } ),
    subject(X, Ls0, Ls, D0, D1),
    predicate(X, Ls0, D1, D),
    ( { Tag == [] } ; [','], any_of([right,correct]) ; maybe([',']), be, maybe([not]), [it] ; maybe([',']), [true,or,false] ).
asked(holds(Ls), D0, D) -->             % can a cube be seen
    [can], subject(_, [], Ls, D0, D), [be],
    present.
asked(values(V-N, [object(X),Goal|Ls]), D0, D) -->      % how many cubes are there of each colour
    ( [how,many], ( maybe([of,the]), nominal(X, plural, Ls0, D0, D) ; { Ls0 = [], D = D0 } ) ; [count], listed(X, Ls0, D0, D) ),
    there_are,
    of_each(A),
    there_are,
    { value_in(A, X, V, [Goal]),
      so_common(A, V, X-Ls0, Counted, N),
      append(Ls0, [Counted], Ls) }.
asked(count(X, Ls), D0, D) -->          % how often does a cube occur, does red
    ( [how,often] ; [how,many,times] ),
    any_of([do,does]),
    ( ( any_of([a,an]) ; [] ), nominal(X, _, Ls, D0, D) ; ( [the], attribute_name(A) ; [] ), valued(A, X, Ls), { D = D0 } ),
    occurs.
asked(Asked, D0, D) -->                 % does every colour occur twice, which colours do; which do two things have
    (   ( [does] ; there_be ), quantifier(Q), { memberchk(Q, [some,all,no]) }
    ;   [do,all], maybe([the]), { Q = all }
    ;   any_of([what,which])
    ),
    attribute_name(A),
    (   maybe([that]), occurs, times(Sign, N), { Noun = [], D = D0 }
    ;   ( [that] ; { var(Q) }, any_of([do,does]) ), quantifier(number(Sign, N)), nominal(Y, _, Noun, D0, D), any_of([have,has])
    ),
    { value_in(A, X, V, [Goal]),
      value_in(A, Y, V, [Other]),
      Times = number(Y, [Other|Noun], Sign, N),
      ( var(Q) -> Asked = values(V, [object(X),Goal,Times]) ; quantified(Q, X, [Goal], [Times], Ls), Asked = holds(Ls) ) }.
asked(kinds(V, [object(X)|Ls]), D, D) -->    % how many colours are there
    [how,many], maybe([different]), attribute_name(A), ( [] ; [of], any_of([things,objects]) ),
    { A \= number(_) },
    ( [are,there] ; [do,the], nominal(X, plural, Ls0, [], _), [have] ),
    { value_in(A, X, V, Ls1),
      ( var(Ls0) -> Ls = Ls1 ; append(Ls0, Ls1, Ls) ) }.
asked(kinds(V, [Goal]), D0, D) -->
    [how,many,parts], any_of([do,does]),
    { relation(part, [], part, P) },
    definite(X, D0, D), [have],
    { Goal =.. [P,V,X] }.
asked(count(X, Ls), D0, D) --> [count], listed(X, Ls, D0, D).
asked(holds(Asked), D0, D) -->
    there_be,
    ( clause_first -> { Scope = any } ; scope(Scope) ),
    existing(X, Ls, D0, D1),
    (   [and], ahead([a,an]), existing(Y, Ls1, D1, D), { shared_after(X-Ls-D1, Y-Ls1-D, Ls2), Asked = [exists(X, Ls2),exists(Y, Ls1)] }
    ;   any_of([and,but]), [no], nominal(Y, _, Ls1, D1, D), { Asked = [exists(X, Ls),none([exists(Y, Ls1)])] }
    ;   [or], ahead([a,an]), existing(Y, Ls1, D1, D),
        { shared_after(X-Ls-D1, Y-Ls1-D, Ls2), Asked = [either([exists(X, Ls2)], [exists(Y, Ls1)])] }
    ;   { D = D1,
          ( last(Ls, Last), nonvar(Last) -> scoped(Scope, [Last], [exists(X, Ls)], Asked) ; Asked = [exists(X, Ls)] ) }
    ).
asked(Asked, D0, D) -->
    yes_or_no(Ls, D0, D),
    { Ls = [either(_, _)], values_of_either(Ls, _, V, Values, Goal) -> Asked = values(V, [member(V, Values),Goal]) ; Asked = holds(Ls) }.
asked(values(V, [either([Goal0,V = Way0], [Goal1,V = Way1])]), D0, D) -->    % is it left or right of the ball
    be, definite(X, D0, D1), words(way(X, Y, Goal0), Words0),
    [or], words(relating(preposition, X, Y, Goal1), Words1), definite(Y, D1, D),
    { opposite(Goal0-Words0, Goal1-Words1), maplist(way_name, [Words0,Words1], [Way0,Way1]) }.
asked(values(V, Ls), D0, D) -->
    ( value(V, Ls, D0, D) ; commonest(V, Ls, D0, D) ; any_of([what,which]), [is], extreme_amount(V, Ls, D0, D) ).
asked(values(V, Ls), D, D) --> commoner(V, Ls).
asked(things(X, Ls), D0, D) --> [list], listed(X, Ls, D0, D).
asked(things(X, [either([X == Y,Goal0], [X == Z,Goal1])]), D0, D) -->   % which is larger, ob_0 or ob_1
    (   any_of([what,which,who]), surpassing(Y, Z, Goal0, Goal1, D0, D1), maybe([',']), definite(Y, D1, D2), [or], definite(Z, D2, D)
    ;   [which,of], two(Y, Z, D0, D1), surpassing(Y, Z, Goal0, Goal1, D1, D)
    ).
asked(things(X, Ls), D0, D) -->         % which is the largest thing: all that are
    [which], be, [the],
    \+ \+ superlative(_, [], _),
    words(nominal(X, singular, Ls, D0, D1), Words),
    { ranked(Words, X, Ls, D1, D) }.
asked(things(X, Ls), D0, D) --> ( [which] ; [what], unless(shape), unless(shapes) ), which(X, Ls, D0, D).
asked(things(X, Ls), D0, D) -->
    ( [who], { person(X, Ls0) } ; [which], { such(X, D0, Ls0) } ; [what], { Ls0 = [] } ),
    predicate(X, Ls1, [noun(X, Ls0, Ls0)|D0], D),
    { append(Ls0, Ls1, Ls) }.

%   such(?X, +D, -Noun): how many persons are red, and how many, or which, are green: X is called as those that D asked for.

such(X, D, Noun) :- member(them(Y, _), D), member(noun(Y0, Noun0, _), D), Y0 == Y, !, copy_term(Y-Noun0, X-Noun).
such(_, _, []).

%   surpassing(?Y, ?Z, -Goal, -Converse, +D0, -D): is larger, has the higher score, is nearer to the cube.

surpassing(Y, Z, Goal0, Goal1, D, D) -->
    (   be,
        ( whoever, { About = [Of] } ; { About = [] } ),
        [First],
        { relation(First, Than, preposition, Relation), append(Rest, [than], Than) },
        these(Rest),
        these(About),
        { About == [] ; memberchk(Of, [of,about]), Rest == [certain] }
    ;   any_of([has,have]), any_of([a,the]), more_or_fewer(Sign), attribute_name(number(P)), { Relation = than(P, Sign)-straight }
    ),
    { related(Relation, Y, Z, Goal0),
      related(Relation, Z, Y, Goal1) }.
surpassing(Y, Z, Goal, Converse, D0, D) -->
    be,
    [Word],
    { extreme_distance(Word, Link, Sign) },
    [Link],
    definite(W, D0, D),
    { closer(Sign, Y-W, Z-W, Goal), closer(Sign, Z-W, Y-W, Converse) }.

listed(X, Ls, D0, D) --> ( maybe([all]), maybe([the]), nominal(X, _, Ls, D0, D) ; [everything], modifiers(X, Ls, D0, D) ).
listed(X, Ls, D0, D) --> ( either_kind(X, Ls, D0, D) ; existing(X, Ls, D0, D) ).

counted(X, Ls, D0, D) -->
    ( of_the ; [] ),
    nominal(X, plural, Ls0, D0, D1),
    (   there_are, modifiers(X, Ls1, D1, D)
    ;   predicate(X, Ls1, D1, D)
    ;   alike(X, Ls0, Ls1), { D = D1 }
    ),
    { append(Ls0, Ls1, Ls) }.
counted(X, Ls, D0, D) --> either_kind(X, Ls0, D0, D1), ( [are,there], { Ls = Ls0, D = D1 } ; predicate(X, Ls1, D1, D), { append(Ls0, Ls1, Ls) } ).
counted(X, Ls, D0, D) --> { such(X, D0, Noun) }, predicate(X, Ls0, D0, D), { append(Noun, Ls0, Ls) }.
counted(X, Ls, D0, D) -->
    acted_on(X, Ls0, D0, D),
    { last(Ls0, L), nonvar(L), L = every(_, _, _) -> Ls = [refused("that may be another number for each: ask of one by its name")] ; Ls = Ls0 }.

which(X, Ls, D0, D) -->                 % which cube is the largest, is closest to the sphere, is at the top
    those(X, Ls0, D0, D1),
    (   [Be],
        { memberchk(Be, [is,are]) },
        (   maybe([the]), words(superlative(X, Ls0, Ls1), Words), { append(Ls0, Ls1, Ls2), ranked(Words, X, Ls2, D1, D) }
        ;   nearest(X, Ls0, Ls1, D1, D)
        ;   place(X, Ls0, Ls2), { D = D1, ( Be == is -> exclude(==(sided), Ls2, Ls1) ; Ls1 = Ls2 ) }
        )
    ;   ( alike(X, Ls0, Ls1) ; any_of([has,have]), greatest(X, [Ls0], Ls1) ), { D = D1 }
    ),
    { append(Ls0, Ls1, Ls) }.
which(X, Ls, D0, D) --> those(X, Ls0, D0, D1), predicate(X, Ls1, D1, D), { append(Ls0, Ls1, Ls) }.
which(X, Ls, D0, D) --> acted_on(X, Ls, D0, D).

% ranked(+Words, ?X, +Literals, +D0, -D): there is a second largest; where two are the largest there is none.

ranked(Words, X, Ls, D0, D) :- ( phrase(ordinal(_), Words, _) -> D = [some(X, Ls, Words)|D0] ; D = D0 ).

acted_on(X, Ls, D0, D) -->              % what does the cube touch, which things does it touch
    ( nominal(X, _, Ls0, D0, D1) ; { Ls0 = [], D1 = D0 } ),
    ( any_of([do,does]), { Form = base } ; be, { Form = participle } ),
    words(subject(Y, [Goal], Ls1, D1, D), [First|_]),
    relating(Form, Y, X, Goal),
    {   Ls1 = [every(Y, Noun, Said)], memberchk(First, [the,they])      % what the persons touch: all of them, or one
    ->  append(Noun, Said, Some), append(Ls0, [one_of([Ls1,[exists(Y, Some)]])], Ls)
    ;   append(Ls0, Ls1, Ls)
    }.

those(X, Ls, D0, D) --> ( maybe([one]), of_the ; [] ), nominal(X, _, Ls, D0, D).
those(X, Ls, D0, D) --> [of,the], number(N), so_many(N, X, Ls, D0, D).

existing(X, Ls, D0, D) --> ( any_of([a,an,any,some,one]) ; [] ), nominal(X, _, Ls, D0, D).
existing(X, Ls, D0, D) --> pronominal(some, X, Ls, D0, D).

% either_kind(-X, -Literals, +D0, -D)//: persons and dogs.

either_kind(X, [either(Ls, Ls2)], D0, D) -->
    maybe([all]), maybe([the]), nominal(X, plural, Ls0, D0, D1), any_of([and,or]), maybe([the]),
    nominal(X, plural, Ls1, D1, D),
    { shared_after(X-Ls0-D1, X-Ls1-D, Ls),
      adjectives_of(X, D1, Adjectives),
      ( adjectives_of(X, D, []), Adjectives \== [] -> append(Adjectives, Ls1, Both), Ls2 = [one_of([Ls1,Both])] ; Ls2 = Ls1 ) }.

%   adjectives_of(?X, +D, -Adjectives): those of X where D speaks of it last; of red cubes and balls the balls may be red, too.

adjectives_of(X, D, Adjectives) :- member(noun(X0, Ls, Noun), D), X0 == X, !, exclude(is_among(Ls), Noun, Adjectives).

opposite(Goal0-_, Goal1-_) :- Goal0 =.. [P,X,Y], Goal1 =.. [Q,Z,W], P-X-Y == Q-W-Z.
opposite(_-Words0, _-Words1) :- member(A-B, [left-right,right-left,behind-front,front-behind]), memberchk(A, Words0), memberchk(B, Words1).

way_name(Words, Name) :- subtract(Words, [of,than], Short), atomic_list_concat(Short, ' ', Name).

%   values_of_either(+Literals, ?X, -V, -Values, -Goal): is it red or blue, that is, which of Values is it?

values_of_either([either(Ls0, Ls1)], X, V, Values, Goal) :-
    !,
    values_of_either(Ls0, X, V, Values0, Goal),
    values_of_either(Ls1, X, V, Values1, Goal),
    append(Values0, Values1, Values).
values_of_either([L], X, V, [Value], Goal) :-
    compound(L),
    L =.. [P,X,Value],
    atom(Value),
    \+ sub_atom(Value, 0, _, _, ob_),
    Goal =.. [P,X,V].

% clause_first//: a clause comes before "every": one thing that touches every other, not one for each.

clause_first(S, S) :-
    is_list(S),
    append(_, [Word|Rest], S),
    memberchk(Word, [that,which,who]),
    member(Every, Rest),
    memberchk(Every, [every,each,all]),
    !.

% --- Yes or no ---

yes_or_no([L], D0, D) -->               % is there no cube, are there two, is there nothing red
    there_be,
    subject(_, [], [L], D0, D),
    { functor(L, Name, _), memberchk(Name, [none,number]) }.
yes_or_no(Ls, D0, D) -->                % are the cube and the sphere of the same colour, do they touch
    any_of([do,are,is]),
    two(X, Y, D0, D),
    (   ( any_of([have,look]) ; [] ), same_in_both(X, Y, Ls)
    ;   reciprocal(X, Y, Ls)
    ).
yes_or_no([every(X, [member(X, Xs)], [every(Y, [member(Y, Xs),X \== Y], Same)])], D0, D) -->  % are the cube, the ball and the ring alike
    any_of([do,are]), later([',']), several(Xs, D0, D), ( any_of([have,look]) ; [] ), same_in_both(X, Y, Same),
    { Same \= [none(_)] }.
yes_or_no(Ls, D0, D) -->                % do all cubes, do the two cubes look alike
    (   any_of([do,are]), group(X, Ls0, D0, D)
    ;   any_of([is,does]), ( [everything], { Ls0 = [], D = D0 } ; ahead([each,every]), group(X, Ls0, D0, D), { Each = true } )
    ),
    ( ( any_of([have,look]) ; [] ), same_in_both(X, Y, Same) ; reciprocal(X, Y, Same) ),
    { every_two(X, Y, Ls0, Same, Every),
      (   Same = [none(Equal)], var(Each)
      ->  every_two(X, Y, Ls0, Equal, All),
          Ls = [one_of([[Every],[none([All])]])]
      ;   Ls = [Every]
      ) }.
yes_or_no(Ls, D0, D) -->                % do any two cubes have the same colour, is there a pair of them
    (   any_of([do,are]), ( any_of([any,some]) ; any_of([any,some]), [two] ; [two] ; [no,two], { Ls = [none(Two)] } )
    ;   there_be, ( any_of([any,some]) ; maybe([any]), [two] ; [no,two], { Ls = [none(Two)] } ; [] )
    ),
    ( maybe([of,the]) ; maybe([a]), any_of([pair,pairs]), [of] ),
    couple(X, Y, Ls0, Ls1, D0, D),
    { append(Ls0, [exists(Y, Ls1)], Ls2),
      Two = [exists(X, Ls2)],
      ( var(Ls) -> Ls = Two ; true ) }.
yes_or_no(Ls, D0, D) -->                % is the colour of the cube the same as the sphere's, is it red
    be,
    attribute_of(X, A, D0, D1),
    (   [the,same,as],
        ( [that,of] ; [the], attribute_name(A), [of] ; [] ),
        mentioned(Y, D1, D),
        { equal_in(A, X, Y, Ls) }
    ;   so_much(A, X, Ls),
        { D = D1 }
    ;   { A = number(_) }, more_or_fewer(Sign), [than],
        ( [that,of], mentioned(Y, D1, D) ; attribute_of(Y, A, D1, D) ),
        { value_in(A, X, V, [Goal]), value_in(A, Y, W, [Other]), Comparison =.. [Sign,V,W], Ls = [Goal,Other,Comparison] }
    ).
yes_or_no(Ls, D0, D) --> be, is_commonest(_, Ls, D0, D).
yes_or_no([every(X, Ls0, Ls1),every(Y, Ls2, Ls3)], D0, D) -->   % are the cubes the only red things
    be, group(X, Ls0, D0, D1), [the,only], nominal(X, plural, Ls1, D1, D),
    { renamed(X, Ls0-Ls1, Y, Ls3-Ls2) }.
yes_or_no([every(Y, Said, Noun)|Ls], D0, D) -->     % is only the cube red, do only cubes touch the ball
    ( be, { Verb = false } ; any_of([do,does]), { Verb = true } ),
    [only],
    (   definite(X, D0, D1), { Noun = [Y == X], Ls = [exists(Y, [Y == X|Said])] }
    ;   ( group(Y, Noun, D0, D1), { Ls = [every(Y, Noun, Said)] } ; nominal(Y, plural, Noun, D0, D1), { Ls = [exists(Y, Said)] } )
    ),
    ( { Verb == true } -> verb_phrase(base, Y, Said, D1, D) ; complement(Y, Said, D1, D) ).
yes_or_no([L], D0, D) -->               % are the cube and the ball red; is either of them, does neither touch the ring
    ( be, { Verb = false } ; any_of([do,does]), { Verb = true } ),
    (   several(Xs, D0, D1), maybe([both]), { L = every(Z, [member(Z, Xs)], Ls) }
    ;   ( [either], { Link = or, L = One } ; [neither], { Link = nor, L = none([One]) } ),
        definite(X, D0, D2), [Link], definite(Y, D2, D1),
        { One = exists(Z, [member(Z, [X,Y])|Ls]) }
    ),
    ( { Verb == true } -> verb_phrase(base, Z, Ls, D1, D) ; complement(Z, Ls, D1, D) ).
yes_or_no(Ls, D0, D) -->                % of two ways to read "is the cube made of the same ..." the one without a rest
    be,
    definite(X, D0, D1),
    ( [made,of] ; [of] ),
    shared(X, Ls, D1, D).
yes_or_no(Ls, D0, D) -->                % isn't the cube red: is it?
    be,
    ( [] ; [not], ahead([the,it]) ),
    scope(Scope),
    subject(X, Ls0, Ls1, D0, D1),
    ( ahead([not]) -> { Denied = true } ; { Denied = false } ),
    complement(X, Ls0, D1, D),
    {   Denied == true, Ls1 = [every(X, Condition, Ls0)], append(Start, [none(Said)], Ls0), append(Start, Said, All)
    ->  Ls = [one_of([Ls1,[none([every(X, Condition, All)])]])]        % are all cubes not red: none of them is, or not all?
    ;   scoped(Scope, Ls0, Ls1, Ls)
    }.
yes_or_no(Ls, D0, D) -->
    any_of([do,does]),
    ( [] ; [not], ahead([the,it]) ),
    scope(Scope), subject(X, Ls0, Ls1, D0, D1), verb_phrase(base, X, Ls0, D1, D),
    { scoped(Scope, Ls0, Ls1, Ls) }.

% scope(-Scope)//: "any" is any one for all that is said of it; "a person touches every helmet" may be another for each.

scope(any) --> ahead([any,anything,anyone,anybody]), !.
scope(some) --> [].

scoped(some, [every(Y, Ls0, Goals)], [exists(X, Ls1)], [one_of([[exists(X, Ls1)],[every(Y, Ls0, [exists(X, Ls2)])]])]) :-
    append(Ls, [every(_, _, _)], Ls1),
    \+ ( sub_term(Term, Ls0), Term == X ),
    !,
    append(Ls, Goals, Ls2).
scoped(_, [Goal], [every(X, Noun, [Goal])], [one_of([[every(X, Noun, [Goal])],[every(X, [X \== Y|Noun], [Goal])]])]) :-
    nonvar(Goal),                               % is everything left of the cube: are all others?
    ( Goal =.. [_,X0,Y] ; Goal =.. [_,Y,X0] ),
    X0 == X,
    X \== Y,
    ( var(Y) -> true ; sub_atom(Y, 0, _, _, ob_) ),
    !.
scoped(_, _, Ls, Ls).

every_two(X, Y, Ls, Same, every(X, Ls, [every(Y, [of(Y, X, Ls),X \== Y], Same)])).

