:- module(sentences,
          [ sentence/3,                 % +Module, +Text, -Words
            nearly/2,                   % +Words, -Members
            unread/4                    % +Module, +Text, +Words, -Members
          ]).

/** <module> Sentences as words, and what is said of those that are no questions
*/

:- use_module(extremes, [extreme/3]).
:- use_module(grammar).
:- use_module(lexicon).
:- use_module(objects, [fact/2]).
:- use_module(nouns, [name/1, nominal//5, property//3]).
:- use_module(library(apply), [include/3, maplist/2, maplist/3]).
:- use_module(library(lists), [append/2, append/3, list_to_set/2, member/2, memberchk/2]).
:- use_module(particles).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(solution_sequences), [distinct/2]).

%!  sentence(+Module, +Text, -Words) is det.
%
%   Its words in small letters, what parts the sentence and semicolons and commas; of phrases that mean the same, such as
%   "identical to", those that the grammar has. Within with_words/2.

sentence(M, Text, Words) :-
    spoken(Text, Words0),
    paraphrased(Words0, M, Words1),
    direct(Words1, Words2),
    paraphrased(Words2, M, Words).

spoken(Text, Words) :-
    string_lower(Text, Lower),
    string_codes(Lower, Codes),
    spaced(Codes, Spaced),
    string_codes(String, Spaced),
    split_string(String, " \t\r\n", " \t\r\n", Parts),
    findall(Word, ( member(Part, Parts), Part \== "", expanded(Part, Words0), member(Word, Words0) ), Words1),
    unpunctuated(Words1, Words).

%   direct(+Words0, -Words): "I want to know how many cubes there are" asks how many cubes are there, "among the cubes, which
%   one is red" which of the cubes is; each Words may be meant.

direct(Words0, Words) :-
    (   phrase(request, Words0, Words1)
    ->  asked_directly(Words1, Words)
    ;   phrase(( ( any_of([of,among,amongst]) ; [out,of] ), maybe([all]), [the] ), Words0, Words1),
        append(Those, [','|Words2], Words1),
        phrase(( [how,many], { Start = [how,many] } ; any_of([which,what,who]), maybe([one]), { Start = [which] } ), Words2, Asked)
    ->  append([Start, [of,the|Those], Asked], Words)
    ;   Words = Words0
    ).

%   inverted(+Start, +Words0, -Words): Start and Words0, with "is" before what stands before it in Words0.

inverted(Start, Words0, Words) :-
    append(Moved, [Be|End], Words0),
    Moved = [_|_],
    memberchk(Be, [is,are]),
    append([Start, [Be|Moved], End], Words).

request, [','] --> ( any_of([and,so,well,ok,okay,now]) ; in_picture ), ( [','] ; [] ).
request, [whether] --> [is,it,true,that].
request --> any_of([can,could,would,will,do]), [you], any_of([tell,show,say,list,name,give,find,check,know]), addressed.
request --> any_of([tell,show,give,let,list,name,find,check]), addressed, maybe([know]).
request --> any_of([i,we]), ( [would] ; [am] ; [] ), any_of([wonder,wondering,looking,searching]), maybe([for]).
request -->
    any_of([i,we]),
    ( any_of([want,need,wish]) ; [would], any_of([like,love]) ),
    ( maybe([you]), [to], any_of([tell,show,list,name,give,find,check,know,see,count]), addressed ; ahead([the,all]) ).

addressed --> ( any_of([me,us,out]) ; [] ), ( [a,list,of] ; [] ).

asked_directly([','|Words], Words) :- !.
asked_directly([If|Words0], Words) :-
    memberchk(If, [if,whether]),
    !,
    ( append(Words1, [or,not], Words0) -> true ; append([or,not], Words1, Words0) -> true ; Words1 = Words0 ),
    ( Words1 \= [there|_], Words = [is,it,true,that|Words1] ; inverted([], Words1, Words) ).
asked_directly([Wh|Words0], Words) :-
    memberchk(Wh, [how,what,which,who,where]),
    !,
    ( Words = [Wh|Words0] ; append(Start, Rest, Words0), inverted([Wh|Start], Rest, Words) ).
asked_directly(Words, [list|Words]).
asked_directly([The|Words], [what,Be,The|Words]) :- memberchk(The, [the,its]), member(Be, [is,are]).

% paraphrased(+Words0, +Module, -Words): a phrase with a word of the program, a board that is a thing, say, stays.

paraphrased([], _, []).
paraphrased([First|Rest], M, Words) :-
    (   fact(M, english_paraphrase([First|Phrase], Means)),
        append(Phrase, After, Rest),
        \+ ( member(Word, [First|Phrase]), word(Word, _, _, _) ),
        \+ ( Phrase == [], attribute(First, _, _) )
    ->  append(Means, Words1, Words),
        paraphrased(After, M, Words1)
    ;   Words = [First|Words1],
        paraphrased(Rest, M, Words1)
    ).

spaced([], []).
spaced([Code|Codes], Spaced) :-
    ( apart(Code, Codes, Said) -> append(Said, Rest, Spaced) ; Spaced = [Code|Rest] ),
    spaced(Codes, Rest).

apart(0':, _, [0' ,0',,0' ]).
apart(Code, _, [0' ,Code,0' ]) :- memberchk(Code, `?!;,"()`).
apart(0'., Codes, [0' ,0';,0' ]) :- ( Codes = [] ; Codes = [Next|_], memberchk(Next, ` \n\t`) ).
apart(0'-, _, [0' ]).
apart(0'’, _, [39]).

expanded(Part, [Word,'\'s']) :- string_concat(Start, "'s", Part), !, atom_string(Word, Start).
expanded(Part, [Word,Meant]) :-
    member(End-Meant, ["n't"-not,"'d"-would,"'m"-am,"'re"-are]),
    string_concat(Start, End, Part),
    !,
    atom_string(Word, Start).
expanded(Part, [Word]) :- atom_string(Word, Part).

unpunctuated(Words0, Words) :-
    append(Words1, End, Words0),
    \+ ( member(Word, End), \+ memberchk(Word, [?,!,;]) ),
    !,
    Words = Words1.

%!  unread(+Module, +Text, +Words, -Members) is det.
%
%   What is said of a sentence that is no question, or asks for what the program has no words for.

unread(M, _, Words, [unread=object([word=Word,more=More,words=Phrases,relations=Relations,untold=Untold,foreign=text(Foreign)])]) :-
    unknowns(Words, [Unknown|Unknowns1]),
    !,
    ( mostly([Unknown|Unknowns1], Words) -> Foreign = true ; Foreign = false ),
    maplist(atom_string, [Unknown|Unknowns1], [Word|More]),
    ( untold(M, Unknown, Indicator) -> format(string(Untold), "says nothing of ~w", [Indicator]) ; Untold = "" ),
    words(Phrases),
    relations(Relations).
unread(_, _, [], [unread=object([empty=true])]) :- !.
unread(M, Text, Words, [unread=object([before=Before,rest=Rest])]) :-
    append(Start, End, Words),
    \+ ( append(Start, [Next|_], Words), append(Start, [Next], More), can_begin(More) ),
    !,
    spoken(Text, Spoken),                       % it is quoted, and no paraphrase of it
    ( append(Start0, End0, Spoken), paraphrased(End0, M, End) -> true ; Start0-End0 = Start-End ),
    atomic_list_concat(Start0, ' ', Before0),
    atomic_list_concat(End0, ' ', Rest0),
    atom_string(Before0, Before),
    atom_string(Rest0, Rest).

%!  nearly(+Words, -Members) is semidet.
%
%   What is said of a sentence that is nearly a question.

nearly([what,is,X], [unread=object([untold="does not say what things are called: a detector's file does"])]) :-
    sub_atom(X, 0, _, _, ob_),
    !.
nearly([What,Shape|Words], [unread=object([untold="has no words for shapes: `name` makes some of examples, and so does the page"])]) :-
    memberchk(What-Shape, [what-shape,what-shapes,which-shape]),
    unknowns(Words, []),
    \+ attribute(shape, [], words(_)),
    !.
nearly(Words, [unread=object([advice="questions are about the things of the picture: whether there is one, how many are so, which"])]) :-
    memberchk(you, Words),
    !.
nearly(Words, [unread=object([advice="a row is no thing: ask whether a thing is in the bottom row, or how many are in the top row"])]) :-
    append(_, [Row,Verb|_], Words),
    memberchk(Row, [row,rows,column,columns]),
    memberchk(Verb, [contain,contains,has,have,hold,holds]),
    !.
nearly(Words0, [unread=object([advice=Advice])]) :-
    unknowns(Words0, []),
    mended(Words0, Words),
    phrase(question(_), Words),
    !,
    atomic_list_concat(Words, ' ', Meant),
    format(string(Advice), "did you mean '~w'?", [Meant]).

%   mended(+Words0, -Words): what may be meant by what is nearly a question, the likeliest first.

mended(Words0, Words) :- append(Before, [Word,Word|After], Words0), append(Before, [Word|After], Words).
mended([First|Words0], [First|Words]) :-
    append(Before, [Next|After], Words0),
    Next \== one,
    ( \+ phrase(nominal(_, plural, _, [], _), [Next|After], _), article(Next, Article) ; Article = the ),
    append(Before, [Article,Next|After], Words).
mended(Words0, Words) :-
    append(Before, [Word0|After], Words0),
    ( member(Word0-Word, [thing-things,is-are,are-is]) ; word(Word0, [], singular, _), plural(Word0, Word) ),
    append(Before, [Word|After], Words).
mended(Words0, Words) :-
    append(_, [Last], Words0),
    word(Last, [], _, [Meaning|_]),
    meaning(Meaning, _, Goal),
    adjective(Goal),
    append(Words0, [things], Words).
mended(Words, [is,it,true,that|Words]).
mended(Words0, Words) :- append(Words0, [by,anybody], Words).

%   unknowns(+Words, -Unknowns): those of Words that nothing means, each once, else two names of things in a row, which are no
%   name of a thing: a dog house.

unknowns(Words, Unknowns) :-
    include(unknown, Words, Unknowns0),
    list_to_set(Unknowns0, Unknowns1),
    ( Unknowns1 == [], names_in_row(Words, Unknown) -> Unknowns = [Unknown] ; Unknowns = Unknowns1 ).

names_in_row(Words, Unknown) :-
    append(_, Words1, Words),
    phrase(( property(X, singular, L0), property(X, _, L1) ), Words1, Rest),
    L0 \== L1,
    maplist(name, [L0,L1]),
    append(Names, Rest, Words1),
    atomic_list_concat(Names, ' ', Unknown).

unknown(Word) :-
    sub_atom(Word, 0, 1, _, Start),
    char_type(Start, alpha),
    \+ function_word(Word),
    \+ in_word(Word).

%   mostly(+Unknowns, +Words): more than two thirds of the words are unknown, and more than one, or one in other letters.

mostly(Unknowns, Words) :-
    length(Unknowns, Unread),
    length(Words, All),
    3*Unread > 2*All,
    ( Unread > 1 -> true ; Unknowns = [Word], atom_codes(Word, [Code|_]), Code > 127 ).

%   can_begin(+Words): some question begins so: of one that goes on after Words the grammar looks at what comes.

can_begin(Words) :-
    append(Words, Tail, Open),
    Reached = reached(false),
    freeze(Tail, ( nb_setarg(1, Reached, true), fail )),
    \+ phrase(question(_), Open),
    arg(1, Reached, true).

% function_word(?Word): a rule of the grammar has it. They are read off the rules once.

:- dynamic function_word/1.

word_of_rules(Word) :-
    member(M, [grammar,numbers,things,nouns,phrases,extremes,particles]),
    current_predicate(M:Name/Arity),
    functor(Head, Name, Arity),
    \+ predicate_property(M:Head, imported_from(_)),
    clause(M:Head, Body),
    (   arg(1, Head, Word)
    ;   sub_term(Part, Head-Body),
        nonvar(Part),
        Part = [First|Rest],
        ( Word = First ; is_list(Rest), member(Word, Rest) )
    ),
    atom(Word).

:- forall(distinct(Word, word_of_rules(Word)), assertz(function_word(Word))).

in_word(Word) :-
    (   word(First, Rest, _, _)
    ;   attribute(First, Rest, _)
    ;   relation(First, Rest, _, _)
    ;   extreme(First, Rest, _)
    ),
    ( Word == First ; memberchk(Word, Rest) ),
    !.
in_word(Word) :- sub_atom(Word, 0, _, _, ob_).
