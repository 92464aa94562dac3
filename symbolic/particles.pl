:- module(particles,
          [ any_of//1,                  % +Words
            maybe//1,                   % +Words
            ahead//1,                   % +Words
            unless//1,                  % +Word
            later//1,                   % +Words
            of_the//0,
            put//1,                     % +Word
            these//1,                   % ?Words
            words//2,                   % :Phrase, -Words
            be//0,
            there_be//0,
            there_are//0,
            present//0,
            whoever//0,
            at_least//1,                % -Sign
            quantifier//1,              % -Quantifier
            quantified/5,               % +Quantifier, ?X, +Literals0, +Literals1, -Literals
            pronoun//3,                 % -Quantifier, ?X, -Literals
            person/2,                   % ?X, -Literals
            number//1,                  % -N
            ordinal//1,                 % -N
            picture//0,
            in_picture//0,
            attribute_name//1,          % ?Attribute
            compared_attribute//1,      % -Attribute
            valued//3,                  % +Attribute, ?X, -Literals
            value_and_name//2,          % ?X, -Literals
            value_in/4,                 % +Attribute, ?X, ?V, -Literals
            equal_in/4,                 % +Attribute, ?X, ?Y, -Literals
            apart/4,                    % ?X, ?Y, -D, -Goal
            closer/4,                   % +Sign, +XY, +ZW, -Goal
            times//2,                   % -Sign, -N
            of_each//1,                 % -Attribute
            occurs//0,
            same_look/3                 % ?X, ?Y, -Literals
          ]).

/** <module> Small words of questions, and attributes

Quantifiers, numbers and pronouns; attributes, their values, and what it is to have the same. What literals are says
grammar.pl.
*/

:- meta_predicate words(2, -, +, -).

:- use_module(lexicon).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth0/3, nth1/3]).

%!  any_of(+Words)// is semidet.

any_of(Words) --> [Word], { memberchk(Word, Words) }.

%!  maybe(+Words)// is multi.
%
%   These words, or nothing.

maybe(Words) --> these(Words).
maybe(_) --> [].

%!  ahead(+Words)// is semidet.
%!  unless(+Word)// is semidet.
%!  later(+Words)// is semidet.
%
%   One of Words comes next; Word does not; one of Words comes, or may come. Neither is read.

ahead(Words, [Word|S], [Word|S]) :- memberchk(Word, Words).

unless(Word, S, S) :- \+ S = [Word|_].

later(Words, S, S) :- \+ ( is_list(S), \+ ( member(Word, Words), memberchk(Word, S) ) ).

%!  words(:Phrase, -Words)// is nondet.

words(Phrase, Words, S0, S) :- call(Phrase, S0, S), once(append(Words, S, S0)).

%!  these(?Words)// is nondet.

these(Words, S0, S) :- append(Words, S, S0).

%!  of_the// is semidet.
%
%   Of the things; of them, which is a noun as well.

of_the --> [of,the].
of_the, [them] --> [of,them].

%!  put(+Word)// is det.
%
%   Word is read next, which the sentence does not have.

put(Word), [Word] --> [].

%!  be// is semidet.
%!  there_be// is nondet.
%!  there_are// is nondet.
%!  present// is semidet.
%!  whoever// is semidet.
%
%   Are there cubes, how many do the pictures show; what is there, visible, detected; who is certain.

be --> any_of([is,are]).

there_be --> be, maybe([not]), [there].
there_be --> pictured.

there_are --> [] ; [are,there] ; pictured.

pictured --> [does], maybe([not]), picture, any_of([show,contain,include,have,depict]).

whoever --> any_of([it,you]) ; [the,detector].

present --> any_of([there,visible,present,seen,found,detected,shown,spotted]).

%!  quantifier(-Quantifier)// is nondet.
%
%   some, all, no, most, or number(Sign, N).

quantifier(some) --> any_of([a,an,any,some]).
quantifier(some) --> any_of([any,some,one]), of_the.
quantifier(all) --> any_of([every,each]).
quantifier(all) --> [each], of_the.
quantifier(no) --> [no].
quantifier(no) --> [none], of_the.
quantifier(share(>)) --> [most], ( of_the ; [] ).
quantifier(share(Sign)) --> at_least(Sign0), [half], ( of_the ; [the] ), { Sign0 == either -> Sign = (>=) ; Sign = Sign0 }.
quantifier(number(Sign, N)) --> at_least(Sign), number(N).
quantifier(number(Sign, N)) --> number(N), [or], ( [more], { Sign = (>=) } ; any_of([fewer,less]), { Sign = (=<) } ).

at_least(>=) --> [at,least].
at_least(=<) --> [at,most].
at_least(>) --> [more,than].
at_least(<) --> any_of([fewer,less]), [than].
at_least(=<) --> [no,more,than].
at_least(=:=) --> any_of([exactly,only,just]).
at_least(either) --> [].

number(N) --> [Word], { nth0(N, [zero,one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve], Word) }, !.
number(N) --> [Word], { atom_number(Word, N), integer(N) }.

%!  ordinal(-N)// is semidet.

ordinal(N) --> [Word], { nth1(N, [first,second,third,fourth,fifth,sixth,seventh,eighth,ninth,tenth], Word) }, !.

%!  pronoun(-Quantifier, ?X, -Literals)// is nondet.

pronoun(some, _, []) --> any_of([anything,something]).
pronoun(no, _, []) --> [nothing].
pronoun(all, _, []) --> [everything].
pronoun(some, X, Ls) --> any_of([anyone,someone,anybody,somebody]), { person(X, Ls) }.
pronoun(no, X, Ls) --> ( [nobody] ; [no,one] ), { person(X, Ls) }.
pronoun(all, X, Ls) --> any_of([everyone,everybody]), { person(X, Ls) }.

%!  person(?X, -Literals) is det.
%
%   X is a person, where the program calls things so.

person(X, Ls) :-
    ( word(person, [], singular, [Meaning]) -> meaning(Meaning, X, Goal), Ls = [Goal] ; Ls = [] ).

%!  picture// is semidet.
%!  in_picture// is semidet.
%
%   What all questions are about.

picture -->
    any_of([the,this,that,your]),
    [Word],
    { memberchk(Word, [picture,image,photo,photograph,scene,board,frame,screen,drawing]), \+ word(Word, [], _, _) }.

in_picture --> any_of([in,on]), picture.
in_picture --> [here].
in_picture --> [anywhere], ( in_picture ; [] ).

%!  occurs// is semidet.
%!  times(-Sign, -N)// is nondet.
%!  of_each(-Attribute)// is nondet.
%
%   Occurs; once, at least three times; of each colour.

occurs --> any_of([occur,occurs,appear,appears,exist,exists]).

times(Sign, N) --> at_least(Sign), ( [once], { N = 1 } ; [twice], { N = 2 } ; number(N), any_of([time,times]) ).

of_each(A) --> ( any_of([of,in,for,with]), any_of([each,every]) ; any_of([per,by]) ), attribute_name(A), { A \= number(_) }.

%!  quantified(+Quantifier, ?X, +Literals0, +Literals1, -Literals) is det.
%
%   Literals say that Literals1 hold of so many X of which Literals0 do.

quantified(all, X, Ls0, Ls1, [every(X, Ls0, Ls1)]) :- !.
quantified(share(Sign), X, Ls0, Ls1, [counted(X, Ls, N),counted(X, Rest, M),Comparison]) :-
    !,
    Comparison =.. [Sign,N,M],
    append(Ls0, Ls1, Ls),
    append(Ls0, [none(Ls1)], Rest).
quantified(Q, X, Ls0, Ls1, [L]) :- append(Ls0, Ls1, Ls), quantified(Q, X, Ls, L).

quantified(some, X, Ls, exists(X, Ls)).
quantified(no, X, Ls, none([exists(X, Ls)])).
quantified(number(Sign, N), X, Ls, number(X, Ls, Sign, N)).

%!  attribute_name(?Attribute)// is nondet.
%
%   Attribute is words(Predicate), number(Predicate), told(Key), or same(Predicate) where it is told only whether it is
%   the same.

attribute_name(A) --> [First], { attribute(First, Rest, A) }, these(Rest).

%!  compared_attribute(-Attribute)// is nondet.
%
%   What was learned to be the same goes before words that are the same.

compared_attribute(same(P)) --> attribute_name(same(P)).
compared_attribute(A) --> attribute_name(A), { A \= same(_) }.

%!  valued(+Attribute, ?X, -Literals)// is nondet.
%
%   A word for one of its values.

valued(words(P), X, [Goal]) -->
    [First],
    { word(First, Rest, singular, Meanings),
      member(value(P, Value), Meanings) },
    these(Rest),
    { meaning(value(P, Value), X, Goal) }.

%!  value_and_name(?X, -Literals)// is nondet.
%
%   Green colour, the red vest; a vest, of whatever value.

value_and_name(X, Ls) --> ( any_of([a,an,the]) ; [] ), valued(A, X, Ls), attribute_name(A).
value_and_name(X, [Goal,none([memberchk(V, [none,no,false])])]) -->
    any_of([a,an,any]),
    attribute_name(words(P)),
    { value_in(words(P), X, V, [Goal]) }.

%!  value_in(+Attribute, ?X, ?V, -Literals) is semidet.

value_in(told(Key), X, V, [attribute(X, Key, V)]) :- !.
value_in(number(width), X, V, [(box(X, Left, _, Right, _), V is Right-Left)]) :- !.
value_in(number(height), X, V, [(box(X, _, Top, _, Bottom), V is Bottom-Top)]) :- !.
value_in(A, X, V, [Goal]) :- A =.. [Kind,P], Kind \== same, Goal =.. [P,X,V].

%!  equal_in(+Attribute, ?X, ?Y, -Literals) is det.

equal_in(same(P), X, Y, [Goal]) :- !, Goal =.. [P,X,Y].
equal_in(A, X, Y, [G,H]) :- value_in(A, X, V, [G]), value_in(A, Y, V, [H]).

%!  apart(?X, ?Y, -D, -Goal) is semidet.
%!  closer(+Sign, +XY, +ZW, -Goal) is semidet.
%
%   D is how far X and Y are apart: by rims or centres, as the program tells it, else by their places; less or more than
%   two others are.

apart(X, Y, D, Goal) :-
    relation(apart, [], apart, P),
    (   P == position
    ->  Goal = (X \== Y, position(X, Px, Py), position(Y, Qx, Qy), D is sqrt((Px-Qx)**2+(Py-Qy)**2))
    ;   Goal =.. [P,X,Y,D]
    ).

closer(Sign, X-Y, Z-W, (Goal,Other,Comparison)) :- apart(X, Y, D, Goal), apart(Z, W, E, Other), Comparison =.. [Sign,D,E].

%!  same_look(?X, ?Y, -Literals) is semidet.

same_look(X, Y, [same(X, Y)]) :- relation(same, [as], preposition, _), !.
