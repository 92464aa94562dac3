:- module(lifting, [lift/0]).

/** <module> Programs of one thing become programs of many

Reads a program from standard input and writes it with one more argument, the first, in every predicate of its own:
in the heads, and in the goals of bodies that call them. All else stays as it was written, comments as well. Predicates
that have no clauses in the text but count as its own are named on the command line, such as object/1.

    $ echo 'alone(X) :- object(X), \+ same(X, _).' | swipl -g lift -t halt lifting.pl -- Image object/1 same/2
    alone(Image, X) :- object(Image, X), \+ same(Image, X, _).

The first word is the name of the new variable. A clause in which it would stand in the head alone gets `_` instead.

confidence(Goal, P), the probability of Goal (confidence.pl), is no predicate of one thing but speaks of goals of such
predicates. It stays as it is, and its Goal is lifted: confidence(same(Image, X, Y), P).
*/

:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(ordsets)).
:- use_module(library(readutil)).

:- dynamic own/2.                       % Name, Arity

%!  lift is det.
%
%   From standard input to standard output.

lift :-
    set_stream(user_input, encoding(utf8)),
    set_stream(user_output, encoding(utf8)),
    current_prolog_flag(argv, [Variable|Named]),
    read_string(user_input, _, Text),
    clauses(Text, Clauses),
    forall(( member(Indicator, Named), term_to_atom(Name/Arity, Indicator) ), assertz(own(Name, Arity))),
    forall(( member(clause(Term, _, _), Clauses), head(Term, Head), \+ speaks(Head, _) ),
           ( functor(Head, Name, Arity), assertz(own(Name, Arity)) )),
    maplist(insertions(Variable), Clauses, Lists),
    append(Lists, Insertions0),
    sort(1, @<, Insertions0, Insertions),
    spread(Insertions, 0, Text).

% speaks(+Goal, -Index): the argument at Index is a goal that Goal speaks of.

speaks(confidence(_, _), 1).

head((:- _), _) :- !, fail.
head((Head :- _), Head) :- !.
head(Head, Head).

%!  clauses(+Text, -Clauses) is det.
%
%   Clauses are terms clause(Term, Positions, VariableNames).

clauses(Text, Clauses) :-
    setup_call_cleanup(open_string(Text, Stream), read_all(Stream, Clauses), close(Stream)).

read_all(Stream, Clauses) :-
    read_term(Stream, Term, [subterm_positions(Positions), variable_names(Names)]),
    (   Term == end_of_file
    ->  Clauses = []
    ;   Clauses = [clause(Term, Positions, Names)|Rest],
        read_all(Stream, Rest)
    ).

%!  insertions(+Variable, +Clause, -Insertions) is det.
%
%   What is to be inserted where: terms at(Offset, String).

insertions(_, clause((:- _), _, _), []) :- !.
insertions(_, clause((Head --> _), _, _), _) :-
    !,
    domain_error(clause_that_can_be_lifted, Head).
insertions(Variable, clause(Term, Positions, Names), Insertions) :-
    (   memberchk(Variable=_, Names)
    ->  domain_error(clause_without_the_variable(Variable), Term)
    ;   true
    ),
    (   Term = (Head :- Body)
    ->  Positions = term_position(_, _, _, _, [HeadPosition, BodyPosition]),
        findall(Offset, goal(Body, BodyPosition, Offset), Offsets)
    ;   Head = Term,
        HeadPosition = Positions,
        Offsets = []
    ),
    string_concat(Variable, ", ", Inserted),
    (   Offsets == []
    ->  Argument = "_, "
    ;   Argument = Inserted
    ),
    lifted_head(Head, HeadPosition, Starts),
    (   Starts == [],
        Offsets \== []
    ->  domain_error(clause_that_can_be_lifted, Head)
    ;   true
    ),
    findall(at(Start, Argument), member(Start, Starts), Insertions0),
    findall(at(Offset, Inserted), member(Offset, Offsets), Insertions1),
    append(Insertions0, Insertions1, Insertions).

% lifted_head(+Head, +Position, -Offsets): Head's new argument begins at Offsets, which are none if Head speaks of a goal
% that is not the program's own, or not known yet.

lifted_head(Head, Position, Offsets) :-
    (   speaks(Head, _)
    ->  findall(Offset, goal(Head, Position, Offset), Offsets)
    ;   first_argument(Head, Position, Start),
        Offsets = [Start]
    ).

%!  goal(+Goal, +Position, -Offset) is nondet.
%
%   Goal, or a goal in it, calls a predicate of the program, whose first argument begins at Offset.

goal(Goal, _, _) :-
    var(Goal),
    !,
    fail.
goal(Goal, parentheses_term_position(_, _, Position), Offset) :-
    !,
    goal(Goal, Position, Offset).
goal(_^Goal, term_position(_, _, _, _, [_, Position]), Offset) :-
    !,
    goal(Goal, Position, Offset).
goal(Goal, term_position(_, _, _, _, Positions), Offset) :-
    speaks(Goal, Index),
    !,
    arg(Index, Goal, Inner),
    nth1(Index, Positions, Position),
    goal(Inner, Position, Offset).
goal(Goal, Position, Offset) :-
    functor(Goal, Name, Arity),
    own(Name, Arity),
    !,
    first_argument(Goal, Position, Offset).
goal(Goal, term_position(_, _, _, _, Positions), Offset) :-
    predicate_property(system:Goal, meta_predicate(Modes)),
    arg(Index, Modes, Mode),
    arg(Index, Goal, Inner),
    nth1(Index, Positions, Position),
    (   memberchk(Mode, [0, ^])
    ->  goal(Inner, Position, Offset)
    ;   integer(Mode),
        callable(Inner),
        functor(Inner, Name, Given),
        Arity is Given+Mode,
        own(Name, Arity),
        domain_error(goal_that_can_be_lifted, Goal)
    ).

first_argument(Term, parentheses_term_position(_, _, Position), Offset) :-
    !,
    first_argument(Term, Position, Offset).
first_argument(_, term_position(_, _, _, _, [First|_]), Offset) :-
    !,
    arg(1, First, Offset).
first_argument(Term, _, _) :-
    domain_error(term_with_arguments, Term).

%!  spread(+Insertions, +Start, +Text) is det.
%
%   Writes Text from Start on, with the Insertions.

spread([], Start, Text) :-
    sub_string(Text, Start, _, 0, Rest),
    write(Rest).
spread([at(Offset, Inserted)|Insertions], Start, Text) :-
    Length is Offset-Start,
    sub_string(Text, Start, Length, _, Before),
    write(Before),
    write(Inserted),
    spread(Insertions, Offset, Text).
