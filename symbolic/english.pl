:- module(english,
          [ answered_question/4         % +Module, +Seconds, +Text, -Json
          ]).

/** <module> Questions in English are asked

A question becomes a goal: what it takes for granted, then what it asks. `the` things are looked for first, one after
the other, and it is said where there is none, or more than one. So "no" is an answer to what was asked, never to a
question that means nothing.

Each question gives an object: its `readings`, each with the goal, and an answer or the fault that it takes something for
granted that is not so; or `unread`, with the first word that is unknown, if one is, and the words there are.
*/

:- use_module(deadline).
:- use_module(extremes, [superlative//3, place//3]).
:- use_module(goal_text, [rule_text/4]).
:- use_module(grammar).
:- use_module(guard, [check_goal/2]).
:- use_module(lexicon, [word/4]).
:- use_module(objects, [objects/2]).
:- use_module(particles, [ordinal//1, person/2]).
:- use_module(reaching, [spent/3]).
:- use_module(references, [resolved/2]).
:- use_module(sentences).
:- use_module(things, [is_other/2]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [convlist/3, exclude/3, foldl/5, maplist/3, partition/4]).
:- use_module(library(lists), [append/2, append/3, last/2, member/2, memberchk/2]).
:- use_module(library(pairs), [pairs_keys_values/3]).
:- use_module(library(occurs), [sub_term/2]).
:- use_module(library(prolog_code), [mkconj/3]).
:- use_module(library(solution_sequences), [limit/2]).
:- use_module(library(terms), [mapargs/3]).

% Readings of one sentence that are looked at, and words of it.
maximal_readings(8).
maximal_words(80).

%!  answered_question(+Module, +Seconds, +Text, -Json) is det.
%
%   What the question Text gets in the program loaded in Module, within so many Seconds each for reading and answering it.
%   To be called within with_words/2.

answered_question(M, Seconds, Text, object(Members)) :-
    findall(Words, sentence(M, Text, Words), [First|More]),
    names_are_known(M, First),
    (   call_within(Seconds, once(read_question([First|More], Words, Parse)))
    ->  maximal_readings(Limit),
        parses(Parse, Words, Parses),
        findall(Reading,
                limit(Limit, ( member(One, Parses), reading(One, Reading), \+ unlike(Reading, _) )),
                Readings),
        (   Readings == []
        ->  member(One, Parses),
            reading(One, Unlike),
            unlike(Unlike, Fault),
            throw(refused(question, Fault))
        ;   maplist(answered_reading(M, Seconds), Readings, Jsons)
        ),
        Members = [readings=Jsons]
    ;   Half is Seconds/2,
        (   catch(call_within(Half, nearly(First, Members)), out_of_time, fail)
        ;   catch(call_within(Half, unread(M, Text, First, Members)), out_of_time, fail)
        ;   Members = [unread=object([word="",words=[]])]
        ),
        !
    ).

read_question(Sentences, Words, Parse) :-
    member(Words, Sentences),
    length(Words, Length),
    maximal_words(Most),
    Length =< Most,
    phrase(question(Parse), Words),
    \+ ( Parse = q(_, things(X, [X0 == Y])), X0 == X, atom(Y) ).      % which thing is ob_0: it is

%   parses(+Parse, +Words, -Parses): those that may be meant, of which Parse is the first.

parses(Parse, Words, Parses) :-
    findall(Position, phrase(position_question(Position), Words), Positions),
    findall(Excepting, phrase(excepting(Excepting), Words), Others),
    (   Positions = [_,_|_],                    % nobody asks what is vague, where the question can be another
        ( Parse = q(_, holds([sided|_])) ; member(Position, Positions), Position =@= Parse )
    ->  Parses0 = Positions
    ;   Positions = [_], Words = [is,the|_], \+ memberchk(not, Words)   % what follows the last noun belongs to it
    ->  Parses0 = Positions
    ;   Positions = [_,_|_], memberchk(same, Words)     % "is the cube of the same material as ...": that is asked
    ->  Parses0 = [Parse]
    ;   Parses0 = [Parse|Positions]
    ),
    findall(None,                               % no helmet: none, or a thing that is called so?
            ( append(Before, [no|After], Words), word(no, _, _, _),
              append(Before, [none,of,the|After], Denied), once(phrase(question(None), Denied)) ),
            Nones),
    append([Parses0, Others, Nones], Parses).

names_are_known(M, Words) :-
    objects(M, Objects),
    forall(( member(Name, Words), sub_atom(Name, 0, _, _, ob_), \+ memberchk(Name, Objects) ),
           throw(unknown_object(Name, Objects))).

% --- Readings ---

%   reading(+Parse, -Reading): each word means one of what it may mean. Reading is reading(Definites, Goal, Kind), Kind
%   being truth, number(N), number(N, X-Goal) of things X, thing(X) or value(V).

reading(Parse, Reading) :-
    resolved(Parse, q(Definites0, Asked)),
    maplist(definite_goal, Definites0, Definites),
    asked_goal(Asked, Goal, Kind),
    narrowed([], reading(Definites, Goal, Kind), Reading).

%   narrowed(+Context, +Goal0, -Goal) is det: what is worn or had overlaps, and is of another kind; Context are the goals
%   around.

narrowed(_, Goal, Goal) :- \+ compound(Goal), !.
narrowed(Context, Goal0, Goal) :-
    Goal0 =.. [Had,X,Y],
    memberchk(Had-Verb, ['$had'-'has or is with','$worn'-wears]),
    !,
    (   kind(Context, X, C),
        kind(Context, Y, D)
    ->  (   ( C == D ; Verb == wears, person(_, [category(_, D)]) )
        ->  Goal = '$unlike'(C, Verb, D)
        ;   Goal = overlaps(X, Y)
        )
    ;   Goal = (overlaps(X, Y), \+ (category(X, Kind), category(Y, Kind)))
    ).
narrowed(Context, (A0, B0), Goal) :-
    !,
    maplist(narrowed([(A0, B0)|Context]), [A0,B0], [A,B]),
    mkconj(A, B, Goal).
narrowed(Context, Goal0, Goal) :- mapargs(narrowed([Goal0|Context]), Goal0, Goal).

%   unlike(+Reading, -Text) is semidet: Reading has what is not so of any things, as Text says.

unlike(Reading, Text) :-
    sub_term(Unlike, Reading),
    nonvar(Unlike),
    Unlike = '$unlike'(C, Verb, D),
    !,
    format(string(Text), "no ~w ~w a ~w: say that one overlaps the other", [C,Verb,D]).

%   kind(+Context, ?X, ?Category): Context says what X is called.

kind(Context, X, Category) :- conjunct(category(X0, Category0), Context), X0 == X, !, Category = Category0.

conjunct(Goal, Goal).
conjunct(Goal, Goals) :-
    compound(Goals),
    functor(Goals, Name, _),
    memberchk(Name, [',','[|]',forall,reading,-]),
    arg(_, Goals, Part),
    conjunct(Goal, Part).

definite_goal(Definite, Kind-X-Goal-Words) :-
    Definite =.. [Name,X,Ls,Words|Number],
    ( Number = [N] -> Kind = N ; Kind = Name ),
    thing_goal(X, Ls, Goal).

asked_goal(holds(Ls), Goal, truth) :- opened(Ls, Literals), conjunction(Literals, Goal).
asked_goal(count(X, Ls), aggregate_all(count, Goal, N), number(N, X-Goal)) :- thing_goal(X, Ls, Goal).
asked_goal(things(X, [X0 == Y]), true, thing(Y)) :- X0 == X, !.
asked_goal(things(X, Ls), Goal, thing(X)) :- thing_goal(X, Ls, Goal).
asked_goal(kinds(V, Ls), aggregate_all(count, V, Goal, N), number(N)) :- conjunction(Ls, Goal).
asked_goal(values(V, Ls), Goal, value(V)) :- conjunction(Ls, Goal).
asked_goal(joint(Asked0, Asked1), Goal, both(Kind0-Goal0, Kind1-Goal1)) :-
    asked_goal(Asked0, Goal0, Kind0),
    asked_goal(Asked1, Goal1, Kind1),
    joined([Goal0,Goal1], Goal).
asked_goal(compared(A, Sign, B), Goal, truth) :-
    number_goal(A, M, Goals0),
    number_goal(B, N, Goals1),
    Comparison =.. [Sign,M,N],
    append([Goals0, Goals1, [Comparison]], Goals),
    joined(Goals, Goal).

%   opened(+Literals0, -Literals): of what is asked once, nothing need be told to be there once.

opened(Ls0, Ls) :- maplist(opened_one, Ls0, Lists), append(Lists, Ls).

opened_one(L, [object(Y)|Ls]) :- nonvar(L), L = exists(Y, Ls0), !, opened(Ls0, Ls).
opened_one(L, [L]).

number_goal(count(X, Ls), N, [aggregate_all(count, Goal, N)]) :- !, thing_goal(X, Ls, Goal).
number_goal(N, N, []).

thing_goal(X, Ls, Goal) :- goals(Ls, Goals), joined([object(X)|Goals], Goal).

conjunction(Ls, Goal) :- goals(Ls, Goals), joined(Goals, Goal).

goals(Ls, Goals) :- exclude(said_by_same(Ls), Ls, Kept), literals(Kept, Goals).

% joined(+Goals, -Conjunction): those among Goals that are conjunctions are no parts of their own in it.

joined([], true).
joined([Goal|Goals], Conjunction) :- joined(Goals, Rest), mkconj(Goal, Rest, Conjunction).

%   said_by_same(+Literals, +Literal): one of Literals says that two things are the same in something, and so are two.

said_by_same(Ls, L) :-
    nonvar(L),
    L = (X \== Y),
    member(Same, Ls),
    nonvar(Same),
    Same =.. [P|Things],
    Things == [X,Y],
    sub_atom(P, 0, _, _, same),
    !.

literals([], []).
literals([L|Ls], Goals) :-
    literal(L, Goal),
    literals(Ls, Goals0),
    ( member(Other, Goals0), Other == Goal -> Goals = Goals0 ; Goals = [Goal|Goals0] ).

literal(one_of(Ways), Goal) :- !, member(Ls, Ways), conjunction(Ls, Goal).
literal(exists(X, Ls), once(Goal)) :- !, thing_goal(X, Ls, Goal).
literal(every(X, [member(X, Things)], Ls), forall(member(X, Things), Goal)) :- !, conjunction(Ls, Goal).
literal(every(X, Ls0, Ls1), forall(Condition, Goal)) :-
    !,
    partition(is_other(X), Ls1, Others, Ls2),   % all things of the colour of one: all others
    append(Ls0, Others, Ls),
    thing_goal(X, Ls, Condition),
    conjunction(Ls2, Goal).
literal(counted(X, Ls, N), aggregate_all(count, Goal, N)) :- !, thing_goal(X, Ls, Goal).
literal(summed(X, Ls, V, Sum), aggregate_all(sum(V), Goal, Sum)) :- !, thing_goal(X, Ls, Goal).
literal(none([exists(X, Ls)]), \+ Goal) :- !, thing_goal(X, Ls, Goal).
literal(none(Ls), \+ Goal) :- !, conjunction(Ls, Goal).
literal(either(Ls0, Ls1), once((Goal0 ; Goal1))) :- !, conjunction(Ls0, Goal0), conjunction(Ls1, Goal1).
literal(number(X, Ls, Sign0, N), (aggregate_all(count, Goal, M), Comparison)) :-
    !,
    ( Sign0 == either -> member(Sign, [=:=,>=]), Sign-N \== (>=)-0 ; Sign = Sign0 ),   % exactly two, or at least?
    thing_goal(X, Ls, Goal),
    Comparison =.. [Sign,M,N].
literal(Goal, Goal).

% --- Answers ---

answered_reading(M, Seconds, reading(Definites, Goal, Kind), object([goal=Text|Members])) :-
    written(Definites, Goal, Kind, M, Text),
    whole_goal(Definites, Goal, Whole),
    check_goal(M, Whole),
    catch(call_within(Seconds, answer(M, Definites, Goal, Kind, Members)),
          Error,
          ( Error = untrue(The, Words, Things) -> fault(The, Words, Things, Members) ; spent(Error, M, Whole) )).

whole_goal(Definites, Goal, Whole) :-
    convlist(goal_of_the, Definites, Goals),
    append(Goals, [Goal], All),
    joined(All, Whole).

goal_of_the(the-_-Goal-_, Goal).

% answer(+Module, +Definites, +Goal, +Kind, -Members): of things that are all the largest, each gives the same answer,
% and counts the same.

answer(M, Definites, Goal, Kind, Members) :-
    findall((Answer-Things)-Ties,
            ( granted(Definites, M, Ties),
              answer_of(Kind, M, Goal, Answer),
              ( Ties-Kind = [_|_]-number(_, X-Counted) -> answer_of(thing(X), M, Counted, Things) ; Things = "" ) ),
            Pairs),
    pairs_keys_values(Pairs, Answers, [Ties|_]),
    (   sort(Answers, [Answer-_])
    ->  Members = [answer=Answer]
    ;   Ties = [Words-Tied|_],
        throw(untrue(the, Words, Tied))
    ).

% granted(+Definites, +Module, -Ties): Ties are those of which there are several, with their words.

granted([], _, []).
granted([Kind-X-Goal-Words|Definites], M, Ties) :-
    aggregate_all(set(X), M:Goal, Things),
    (   Kind == the, Things = [Thing]
    ->  X = Thing, Ties = Ties1
    ;   Kind == the, Things = [_|_], of_extremes(Words)
    ->  member(X, Things), Ties = [Words-Things|Ties1]
    ;   ( Kind == some -> Things = [_|_] ; integer(Kind), length(Things, Kind) )
    ->  Ties = Ties1
    ;   throw(untrue(Kind, Words, Things))
    ),
    granted(Definites, M, Ties1).

% of_extremes(+Words): several may be the largest, or at the top.

of_extremes(Words) :-
    append(Noun, Place, Words),
    ( Noun == [], phrase(superlative(_, [], _), Place, _) ; \+ memberchk(the, Noun), phrase(place(_, [], _), Place) ),
    !.

answer_of(both(Kind0-Goal0, Kind1-Goal1), M, _, Answer) :-
    !,
    answer_of(Kind0, M, Goal0, Answer0),
    answer_of(Kind1, M, Goal1, Answer1),
    format(string(Answer), "~w; ~w", [Answer0,Answer1]).
answer_of(truth, M, Goal, Answer) :- !, ( call(M:Goal) -> Answer = "yes" ; Answer = "no" ).
answer_of(Kind, M, Goal, Answer) :-
    arg(1, Kind, V),
    aggregate_all(set(V), M:Goal, Values),
    (   Values == []
    ->  Answer = "none"
    ;   maplist(value_text, Values, Texts),
        atomic_list_concat(Texts, ', ', Answer)
    ).

value_text(Value, Text) :-
    ( float(Value) -> Told is round(Value*10000)/10000.0 ; Told = Value ),
    format(atom(Text), "~w", [Told]).

fault(Definite, Words, Things, [fault=Text]) :-
    atomic_list_concat(Words, ' ', Phrase),
    (   member(Word, Words),
        phrase(ordinal(_), [Word])
    ->  Why = ": there are too few, or several share a place"
    ;   Why = ""
    ),
    (   Definite == some
    ->  format(string(Text), "there is no such thing: ~w~s", [Phrase,Why])
    ;   Things == []
    ->  format(string(Text), "the ~w: there is none~s", [Phrase,Why])
    ;   length(Things, Count),
        atomic_list_concat(Things, ', ', Names),
        ( Definite == the -> Wanted = "" ; format(string(Wanted), ", not ~d", [Definite]) ),
        ( Count =:= 1 -> Be = is ; Be = are ),
        format(string(Text), "the ~w: there ~w ~d, ~w~s", [Phrase,Be,Count,Names,Wanted])
    ).

% --- Text ---

%   written(+Definites, +Goal, +Kind, +Module, -Text): the whole goal as it can be asked. Things are X, Y, Z and so on,
%   counts N and M, the value that is asked for Value.

written(Definites, Goal, Kind, M, Text) :-
    whole_goal(Definites, Goal, Whole),
    term_variables(Whole, Variables),
    foldl(name(Kind, Whole), Variables, Names, ['X','Y','Z','W','U','T','S','R'|1]-['N','M','K','L'|1], _),
    rule_text(Whole, M, Names, Text).

% name(+Kind, +Goal, +Variable, -Name, +Letters0, -Letters): the first letter that is left, or a number with it.

name(value(V), _, Variable, 'Value', Letters, Letters) :- V == Variable, !.
name(_, Goal, Variable, Name, Things-Numbers0, Things-Numbers) :-
    sub_term(Counting, Goal),
    callable(Counting),
    Counting =.. [aggregate_all|Args],
    last(Args, N),
    N == Variable,
    !,
    next_name(Numbers0, 'N', Name, Numbers).
name(_, _, _, Name, Things0-Numbers, Things-Numbers) :- next_name(Things0, 'X', Name, Things).

next_name([Name|Names], _, Name, Names) :- !.
next_name(I, Letter, Name, J) :- atom_concat(Letter, I, Name), J is I+1.
