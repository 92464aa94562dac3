:- module(lexicon,
          [ with_words/2,               % +Module, :Goal
            word/4,                     % ?First, -Rest, -Number, -Meanings
            attribute/3,                % ?First, -Rest, -Attribute
            relation/4,                 % ?First, -Rest, -Form, -Relation
            meaning/3,                  % +Meaning, ?X, -Goal
            adjective/1,                % +Literal
            plural/2,                   % ?Word, ?Plural
            article/2,                  % +Word, -Article
            words/1,                    % -Phrases
            relations/1,                % -Phrases
            untold/3,                   % +Module, +Word, -Indicator
            comparative/2               % ?Word, +Comparative
          ]).

/** <module> The words of questions in English

What a loaded program says gives the words that it can be asked with: its categories, attributes and their values,
colours, zones, and predicates that rules define. English for its relations and attributes is in facts beside it,
which bridge/english.py writes from the vocabulary:

    english_relation('left of', left_of, straight).     X is left of Y: left_of(X, Y)
    english_relation('right of', left_of, converse).    X is right of Y: left_of(Y, X)
    english_verb(touch, touches, straight).             X touches Y: touches(X, Y)
    english_attribute(colour, color).                   what the attribute is called
    english_category(helmet).                           what a thing may be called, whether one is or not
    english_value(shape, cube, block).                  what a value is called; of an attribute all whose values are such,
                                                        they are known even where no thing has them

A phrase is found by its first word; Rest are the others. A Meaning is value(Predicate, Value), told(Key, Value),
category, or property(Predicate).
*/

:- use_module(guard, [owner/3]).
:- use_module(library(apply), [exclude/3, maplist/3]).
:- use_module(objects, [fact/2]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, subtract/3]).
:- use_module(library(pairs), [group_pairs_by_key/2]).

:- meta_predicate with_words(+, 0).

:- dynamic word/4, attribute/3, relation/4.

%!  with_words(+Module, :Goal) is semidet.
%
%   As once(Goal), while word/4, attribute/3 and relation/4 have the words of the program loaded in Module.

with_words(M, Goal) :-
    setup_call_cleanup(read_words(M),
                       once(Goal),
                       forall(member(Fact, [word(_, _, _, _),attribute(_, _, _),relation(_, _, _, _)]), retractall(Fact))).

read_words(M) :-
    findall(word(First, Rest, Number)-Meaning,
            ( phrase_of(M, Phrase, Meaning), split(Phrase, Words), numbered(Words, Number, [First|Rest]) ),
            Words0),
    sort(0, @>=, Words0, Words1),               % of two that begin alike the longer one comes first
    group_pairs_by_key(Words1, Words),
    forall(( member(word(First, Rest, Number)-Meanings0, Words),
             sort(Meanings0, Meanings1),
             exclude(of_palette(Meanings1), Meanings1, Meanings) ),
           assertz(word(First, Rest, Number, Meanings))),
    findall(Fact, ( attribute_of(M, Fact) ; relation_of(M, Fact) ), Facts0),
    sort(0, @>=, Facts0, Facts),
    forall(member(Fact, Facts), assertz(Fact)).

% numbered(+Words, ?Number, -Forms): Forms are Words in that number; scissors and helmets are called so in the plural, too.

numbered(Words, singular, Words).
numbered(Words, plural, Plurals) :-
    append(Beginning, [Last], Words),
    ( plural(Last, Plural) ; is_plural(Last), Plural = Last ),
    append(Beginning, [Plural], Plurals).

is_plural(Word) :- irregular(_, Word).
is_plural(Word) :- atom_concat(_, s, Word), \+ atom_concat(_, ss, Word).

%!  plural(+Word, ?Plural) is nondet.

plural(Word, Plural) :- irregular(Word, Plural).
plural(Word, Plural) :-
    (   atom_concat(Stem, y, Word),
        sub_atom(Stem, _, 1, 0, Letter),
        \+ memberchk(Letter, [a,e,i,o,u])
    ->  atom_concat(Stem, ies, Plural)
    ;   member(End, [s,x,z,ch,sh]),
        atom_concat(_, End, Word)
    ->  atom_concat(Word, es, Plural)
    ;   atom_concat(Word, s, Plural)
    ).

irregular(Word, Plural) :-
    member(Word-Plural,
           [ person-people, man-men, woman-women, child-children, mouse-mice, foot-feet, tooth-teeth, knife-knives,
             leaf-leaves, shelf-shelves, sheep-sheep, fish-fish, bus-buses, lens-lenses, pie-pies, tie-ties, movie-movies,
             cookie-cookies ]).

%!  article(+Word, -Article) is det.

article(Word, Article) :- ( sub_atom(Word, 0, 1, _, Start), memberchk(Start, [a,e,i,o]) -> Article = an ; Article = a ).

% of_palette(+Meanings, +Meaning): it is the palette's word for a colour, and what was told of a thing's color goes before it.

of_palette(Meanings, value(colour, _)) :- memberchk(value(color, _), Meanings).

%!  split(+Name, -Words) is semidet.
%
%   Words are the words of a name in small letters: it is parted at blanks, lines and what joins words.

split(Name, Words) :-
    atom(Name),
    string_lower(Name, Lower),
    split_string(Lower, " _-\t\n", " ", Parts0),
    subtract(Parts0, [""], Parts),
    Parts \== [],
    maplist(atom_string, Words, Parts).

% --- Values ---

% phrase_of(+Module, -Phrase, -Meaning): Phrase tells of a thing what Meaning says.

phrase_of(M, Phrase, Meaning) :-
    value_of(M, Predicate, Value),
    (   yes_or_word(Value, Predicate, Phrase)
    ;   fact(M, english_value(Predicate, Value, Phrase))
    ),
    Meaning = value(Predicate, Value).
phrase_of(M, Phrase, told(Key, Value)) :-
    fact(M, attribute(_, Key, Value)),
    atom(Value),
    \+ attribute_predicate(M, Key),
    yes_or_word(Value, Key, Phrase).
phrase_of(M, Phrase, property(Phrase)) :- predicate_of_rules(M, Phrase/1).

% yes_or_word(+Value, +Key, -Phrase): a thing with the value is called so: by the key where it says yes, and not where no.

yes_or_word(Value, Key, Phrase) :-
    (   memberchk(Value, [true,yes])
    ->  Phrase = Key
    ;   \+ memberchk(Value, [false,no]),
        Phrase = Value
    ).

% value_of(+Module, -Predicate, -Value): Predicate(X, Value) may hold of a thing.

value_of(M, Predicate, Value) :-
    aggregate_all(set(P-V), said_value(M, P, V), Pairs),
    (   member(Predicate-Value, Pairs),
        Value \== (-)
    ;   aggregate_all(set(P), member(P-_, Pairs), Ps),
        member(Predicate, Ps),
        aggregate_all(set(V), fact(M, english_value(Predicate, V, _)), World),
        \+ ( member(Predicate-V, Pairs), V \== (-), \+ memberchk(V, World) ),
        member(Value, World)
    ).

% said_value(+Module, -Predicate, -Value): a fact or the head of a rule says it. Value is (-) where Predicate is an
% attribute that was told, whatever values it has.

said_value(M, category, Value) :-
    (   fact(M, category(_, Value))
    ;   fact(M, english_category(Value))        % which no thing of the picture is
    ),
    atom(Value).
said_value(M, colour, Value) :- owner(M, colour(_, _), _), fact(M, palette(Value, _, _, _)).
said_value(M, Predicate, Value) :-
    fact(M, example(Attribute, Value, _)),
    atom(Value),
    (   Predicate = Attribute
    ;   atom_concat(Attribute, '_is', Predicate)
    ),
    functor(Head, Predicate, 2),
    owner(M, Head, _),
    !.
said_value(M, Key, Value) :-
    attribute_predicate(M, Key),
    (   Value = (-)
    ;   fact(M, attribute(_, Key, Value)),
        atom(Value)
    ).
said_value(M, Predicate, Value) :-
    owner(M, Head, _),
    functor(Head, Predicate, 2),
    Predicate \== category,
    \+ fact(M, english_relation(_, Predicate, _)),
    \+ fact(M, english_verb(_, Predicate, _)),
    arg(1, Head, X),
    arg(2, Head, Value),
    clause(M:Head, _),
    atom(Value),
    ( var(X) -> true ; fact(M, object(X)) ),
    \+ fact(M, object(Value)),
    \+ fact(M, zone(Value)).

% attribute_predicate(+Module, ?Key): what was told as attribute(X, Key, Value) is Key(X, Value), too.

attribute_predicate(M, Key) :-
    nonvar(Key),
    !,
    functor(Head, Key, 2),
    owner(M, Head, _),
    arg(1, Head, X),
    arg(2, Head, Value),
    clause(M:Head, attribute(X1, Key1, Value1)),
    X1 == X, Key1 == Key, Value1 == Value,
    !.
attribute_predicate(M, Key) :- owner(M, Head, program), functor(Head, Key, 2), attribute_predicate(M, Key).

%!  meaning(+Meaning, ?X, -Goal) is det.
%
%   Goal says of X what a word means.

meaning(value(Predicate, Value), X, Goal) :- Goal =.. [Predicate, X, Value].
meaning(told(Key, Value), X, attribute(X, Key, Value)).
meaning(property(Predicate), X, Goal) :- Goal =.. [Predicate, X].

%!  adjective(+Literal) is semidet.
%
%   Words for what the goal Literal says, or each goal of one_of(Goals), are no nouns: it is a value of no attribute that
%   says what things are.

adjective(one_of(Goals)) :- !, \+ ( member([Goal], Goals), \+ adjective(Goal) ).
adjective(attribute(_, Key, _)) :- !, \+ names_things(Key).
adjective(Goal) :- functor(Goal, P, 2), \+ names_things(P).

names_things(P) :- memberchk(P, [category,shape,shape_is,kind,type,class,name]).

% --- Attributes and relations ---

% attribute_of(+Module, -Fact): of attribute(First, Rest, Attribute), Attribute being words(Predicate) where values have
% words, number(Predicate) where they are numbers, told(Key), or same(Predicate) where only equality is told.

attribute_of(M, attribute(First, Rest, Attribute)) :-
    aggregate_all(set(P), said_value(M, P, _), Ps),
    (   member(P, Ps),
        P \== tells,
        ( memberchk(color, Ps) -> P \== colour ; true ),
        ( fact(M, attribute(_, P, Number)), number(Number) -> Attribute = number(P) ; Attribute = words(P) ),
        ( atom_concat(Name, '_is', P) -> true ; Name = P )
    ;   fact(M, attribute(_, Name, _)),
        \+ memberchk(Name, Ps),
        Attribute = told(Name)
    ;   member(Name-Head,
               [ score-score(_, _),area-area(_, _),size-size(_, _),width-box(_, _, _, _, _),height-box(_, _, _, _, _) ]),
        owner(M, Head, _),
        \+ fact(M, attribute(_, Name, _)),
        Attribute = number(Name)
    ;   owner(M, Head, _),
        functor(Head, Same, 2),
        atom_concat(same_, Name, Same),
        \+ memberchk(Name, [row,column]),
        \+ ( memberchk(Name, Ps), attribute_predicate(M, Name) ),
        Attribute = same(Same)
    ),
    (   Phrase = Name
    ;   fact(M, english_attribute(Name, Phrase))
    ),
    split(Phrase, Words),
    numbered(Words, _, [First|Rest]).

% relation_of(+Module, -Fact): of relation(First, Rest, Form, Relation), Relation being Predicate-Order. Form is
% preposition, or the form of a verb: base, finite, participle. Where sizes are words, words(size, large, small) is larger.

relation_of(M, relation(First, Rest, preposition, Predicate-Order)) :-
    fact(M, english_relation(Phrase, Predicate0, Order)),
    (   usable(M, Predicate0, Phrase)
    ->  meant_by(Phrase, Predicate0, Predicate)
    ;   Predicate0 == larger,
        findall(Size, ( said_value(M, size, Size), Size \== (-) ), [Size|Sizes]),
        \+ ( member(Other, [Size|Sizes]), \+ memberchk(Other, [large,small]) ),
        Predicate = words(size, large, small)
    ),
    split(Phrase, [First|Rest]).
relation_of(M, relation(First, Rest, Form, Predicate-Order)) :-
    verb_of(M, Base, Rest0, Predicate-Order0),
    (   verb(Base, Form, First),
        Rest-Order = Rest0-Order0
    ;   Rest0 == [],
        Base \== have,
        past(Base, First),
        Rest-Form = [by]-preposition,
        ( Order0 == straight -> Order = converse ; Order = straight )
    ).
relation_of(M, relation(First, Rest, preposition, Predicate-straight)) :-
    predicate_of_rules(M, Predicate/2),
    ( split(Predicate, [First|Rest]) ; Predicate == has, First-Rest = with-[] ).
relation_of(M, relation(between, [], between, lies_between)) :- owner(M, lies_between(_, _, _), _).
relation_of(M, relation(First, Rest, zone, Zone)) :- fact(M, zone(Zone)), split(Zone, [First|Rest]).
relation_of(M, relation(part, [], part, part_of)) :- owner(M, part_of(_, _), _).
relation_of(M, relation(share, [], share, share_inside)) :- owner(M, share_inside(_, _, _), _).
relation_of(M, relation(apart, [], apart, Predicate)) :-
    once(( member(Predicate, [distance,centres_apart,position]), functor(Head, Predicate, 3), owner(M, Head, _) )).
relation_of(M, relation(Predicate, [], certain, confidence)) :-
    owner(M, confidence(_, _), program),
    clause(M:confidence(Goal, _), Body),
    Body \== fail,
    functor(Goal, Predicate, _).
relation_of(M, relation(First, Rest, preposition, than(Name, Sign)-straight)) :-      % by numbers that are told
    member(Name-[First|Rest]-Sign,
           [ width-[wider,than]-(>),width-[narrower,than]-(<),height-[taller,than]-(>),
             score-[more,certain,than]-(>),score-[less,certain,than]-(<) ]),
    ( Name == score -> owner(M, score(_, _), _) ; owner(M, box(_, _, _, _, _), _) ).

% verb_of(+Module, -Base, -Rest, -Relation): a verb and what follows it; of rules, guards/2 is to guard.

verb_of(M, Base, [], Predicate-Order) :-
    fact(M, english_verb(Base, Predicate0, Order)),
    usable(M, Predicate0, Base),
    meant_by(Base, Predicate0, Predicate).
verb_of(M, Base, Rest, Predicate-straight) :-
    predicate_of_rules(M, Predicate/2),
    split(Predicate, [Word|Rest]),
    (   Word == has
    ->  Base = have
    ;   member(End, [es,s]),
        atom_concat(Base, End, Word),
        plural(Base, Word)
    ->  true
    ;   Base = Word
    ).

predicate_of_rules(M, Predicate/Arity) :-
    owner(M, Head, rules(_, Name)),
    Name \== english,
    functor(Head, Predicate, Arity).

verb(Base, base, Base).
verb(Base, finite, Finite) :- ( Base == have -> Finite = has ; plural(Base, Finite) ).
verb(Base, participle, Participle) :-
    (   atom_concat(Stem, e, Base)
    ->  atom_concat(Stem, ing, Participle)
    ;   sub_atom(Base, _, 1, 0, Last),
        member(Double, ['',Last]),              % touching, overlapping
        atomic_list_concat([Base,Double,ing], Participle)
    ).

% past(+Base, -Participle): touched, overlapped, carried, worn.

past(Base, Past) :-
    (   memberchk(Base-Irregular, [wear-worn,hold-held,hit-hit,ride-ridden,eat-eaten,see-seen,hide-hidden])
    ->  Past = Irregular
    ;   atom_concat(_, e, Base)
    ->  atom_concat(Base, d, Past)
    ;   plural(Base, Plural),
        atom_concat(Stem, ies, Plural)
    ->  atom_concat(Stem, ied, Past)
    ;   atom_codes(Base, Codes),
        append(_, [Before,Vowel,Last], Codes),
        memberchk(Last, `bgp`),
        memberchk(Vowel, `aeiou`),
        \+ memberchk(Before, `aeiou`)
    ->  format(atom(Past), "~w~ced", [Base,Last])
    ;   atom_concat(Base, ed, Past)
    ).

% usable(+Module, +Predicate, +Phrase): places on the ground, where any is told, go before places in the picture. Where
% sizes are told in words, boxes do not say what is larger. What is worn or had overlaps, where things are called something
% and no rule says better.

usable(M, Predicate, Phrase) :-
    functor(Head, Predicate, 2),
    owner(M, Head, _),
    \+ ( Predicate == larger, attribute_predicate(M, size) ),
    \+ ( Predicate == overlaps,
         member(Phrase-Better, [wear-wears,'worn by'-wears,have-has,with-has]),
         ( \+ fact(M, category(_, _)) ; predicate_of_rules(M, Better/2) ) ),
    (   fact(M, on_ground(_, _, _))
    ->  \+ ( memberchk(Predicate, [left_of]),
             fact(M, english_relation(Phrase, Other, _)),
             Other \== Predicate )
    ;   \+ memberchk(Predicate, [left_of_ground,right_of_ground,behind,in_front])
    ).

% meant_by(+Phrase, +Predicate0, -Predicate): what is worn or had overlaps, and is of another kind.

meant_by(Phrase, overlaps, Predicate) :-
    member(Predicate-Phrases, ['$worn'-[wear,'worn by'],'$had'-[have,with]]),
    memberchk(Phrase, Phrases),
    !.
meant_by(_, Predicate, Predicate).

%!  words(-Phrases) is det.
%
%   What things can be called, in the singular, as texts.

words(Phrases) :-
    aggregate_all(set(Phrase),
                  ( word(First, Rest, singular, _), atomic_list_concat([First|Rest], ' ', Phrase) ),
                  Phrases).

%!  relations(-Phrases) is det.
%
%   A short phrase for each relation of two things, and verbs in their base form, as texts.

relations(Phrases) :-
    findall(Relation-Phrase,
            ( relation(First, Rest, Form, Relation),
              memberchk(Form, [base,preposition]),
              atomic_list_concat([First|Rest], ' ', Phrase) ),
            Pairs0),
    keysort(Pairs0, Pairs),
    group_pairs_by_key(Pairs, Groups),
    aggregate_all(set(Shortest),
                  ( member(_-Names, Groups),
                    aggregate_all(min(Length, Name), ( member(Name, Names), atom_length(Name, Length) ), min(_, Shortest)) ),
                  Phrases).

%!  comparative(?Word, +Comparative) is nondet.
%
%   Word is Comparative, or the superlative of it.

comparative(Word, Word).
comparative(frontmost, front).
comparative(rearmost, behind).
comparative(Word, Comparative) :- atom_concat(Stem, er, Comparative), atom_concat(Stem, est, Word).

%!  untold(+Module, +Word, -Indicator) is semidet.
%
%   Word, or the comparative of it, is of a relation that the program in Module says nothing of.

untold(M, Word, Predicate/2) :-
    (   fact(M, english_relation(Phrase, Predicate, _)),
        split(Phrase, Parts),
        member(Part, Parts)
    ;   fact(M, english_verb(Base, Predicate, _)),
        verb(Base, _, Part)
    ),
    comparative(Word, Part),
    functor(Head, Predicate, 2),
    \+ owner(M, Head, _),
    !.
