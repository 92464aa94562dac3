:- module(host,
          [ reply/3                     % +Operation, +Arguments, -Reply
          ]).

/** <module> The worker's side of the engine

Operations, each answered by one JSON text. worker.py calls them with their inputs as arguments: texts never become part
of a goal by pasting. An exception never leaves this module: it becomes

    {"error": {"kind": ..., "message": ..., ...}}

whose kinds are those of errors.py.
*/

:- use_module(loader).
:- use_module(english).
:- use_module(faults, [error_message/2, error_reply/3]).
:- use_module(guard).
:- use_module(json_terms).
:- use_module(lexicon, [with_words/2]).
:- use_module(lifting, [lift_goal/5]).
:- use_module(objects).
:- use_module(reasons).
:- use_module(reaching).
:- use_module(suppose).
:- use_module(library(apply), [include/3, maplist/3, maplist/4]).
:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(lists), [append/3]).
:- use_module(library(occurs), [contains_var/2]).
:- use_module(library(solution_sequences), [call_nth/2, limit/2]).
:- use_module(deadline).

% What the allowed libraries would load when first used; a time limit could then strike in the middle.
:- load_files([library(error), library(nb_set), library(option), library(rbtrees), library(terms)],
              [if(not_loaded), imports([])]).

:- set_prolog_flag(autoload, explicit).

%!  reply(+Operation, +Arguments, -Reply) is det.
%
%   Reply is the JSON text of an object, what Operation does. The first of Arguments is the Key of what is loaded:
%
%   | base      [_,Path]                       | loads the compiled program that is part of all programs |
%   | load      [Key,Texts]                    | loads Texts, [Name, Text, ...], the program first      |
%   | drop      [Key]                          | frees what was loaded as Key                           |
%   | read      [Key,Milliseconds,Limit,AsText,Goal,_] | an error if Goal is not exactly one term       |
%   | ask       [...,Goal,Why]                 | Limit answers of Goal; if Why is 1, with proofs        |
%   | ask_each  [...,Goal,Pictures]            | the same of each of Pictures, texts of facts           |
%   | english   [...,_,Pictures]               | of each [Facts,Question,...] what its questions get    |
%   | suppose   [...,Goal,Facts]               | answers before Facts and after, or the least changes   |
%
%   If AsText is 1, answers tell their values as Prolog writes them, too.

reply(Operation, [Key|Arguments], Reply) :-
    atom_concat(scene_, Key, M),        % nobody can write such a module's predicates, for qualifiers are refused
    atom_string(Name, Operation),
    reply_to(once(members(Name, M, Arguments, Members)), object(Members), M, text(Reply)).

% reply_to(+Goal, -Json, +Module, -Reply): Reply is the text of the Json that Goal makes, or of what goes wrong.

reply_to(Goal, Json, M, text(Reply)) :-
    catch(( call(Goal), json_string(Json, Reply) ), Error, error_reply(Error, M, Reply)).

% members(+Operation, +Module, +Arguments, -Members): Members are those of the reply.

members(base, _, [Path], []) :- load_base(Path).
members(load, M, [[_,Program|Texts]], []) :-
    rule_sources(Texts, 1, Sources),
    catch(load(M, [source(program, Program)|Sources]), Error, ( unload(M), throw(Error) )).
members(drop, M, [], []) :- unload(M).
members(Operation, M, [Milliseconds,Limit,AsText,Text,What], Members) :-
    Seconds is Milliseconds/1000.0,
    asked(Operation, M, Seconds, Limit, AsText, Text, What, Members).

rule_sources([], _, []).
rule_sources([Name0,Text|Texts], I, [source(rules(I, Name), Text)|Sources]) :-
    atom_string(Name, Name0),
    I1 is I+1,
    rule_sources(Texts, I1, Sources).

% asked(+Operation, +Module, +Seconds, +Limit, +AsText, +Text, +What, -Members).

asked(read, M, _, _, _, Text, _, []) :- read_goal(Text, M, _, _).

% If Why is 1, each answer has its proof, or, if there is none, "why_not" says how near the goal came to one.

asked(ask, M, Seconds, Limit, AsText, Text, Why, Members) :-
    question(M, Text, Goal, Bindings, Hints),
    catch(answered(M, Goal, asked(Bindings, AsText), Limit, Seconds, Why, Reply), Error, throw(hinted(Hints, Error))),
    with_hints(Hints, Reply, Members).

% What was loaded has the facts of a picture for as long as it is asked of them. A fault of one picture is its own. What
% is said of variables is said of all pictures alike, and so it is that of the first.

asked(ask_each, M, Seconds, Limit, AsText, Text, Pictures, [variables=Names,pictures=Replies,hints=Hints]) :-
    read_goal(Text, M, Goal, Bindings),
    check_goal(M, Goal),
    answered_of(M, Goal, Bindings, Told),
    ( Pictures == [] -> true ; without_nothing(M) ),
    maplist(picture_reply(M, Goal, asked(Told, AsText), Limit, Seconds), Pictures, Replies),
    (   Pictures = [First|_],
        catch(with_facts(M, First, variable_hints(M, Goal, Bindings, Hints)), _, fail)
    ->  true
    ;   Hints = []
    ),
    reported(Told, Names).

% Where Facts are empty, what was loaded is asked as it is. What is wrong with the only question is wrong with all.

asked(english, M, Seconds, _, _, _, Pictures, [pictures=Replies]) :-
    (   Pictures = [["",Question]]
    ->  with_words(M, answered_question(M, Seconds, Question, Json)),
        Replies = [[Json]]
    ;   ( Pictures = [[""|_]|_] -> true ; without_nothing(M) ),
        maplist(questions_of_picture(M, Seconds), Pictures, Replies)
    ).
asked(suppose, M, Seconds, Limit, AsText, Text, Facts, Members) :-
    atom_concat(M, '_supposed', W),
    get_time(Start),
    End is Start+Seconds,
    question(M, Text, Goal, Bindings, Hints),
    maplist(read_fact(M), Facts, Supposition),
    Asked = asked(Bindings, AsText),
    answered(M, Goal, Asked, Limit, Seconds, 0, Before),
    call_cleanup(catch(otherwise(Supposition, Before, M, W, Goal, Asked, Limit, End, Otherwise),
                       Error,
                       not_known(Error, M)),
                 unload(W)),
    with_hints(Hints, [before=object(Before)|Otherwise], Members).

picture_reply(M, Goal, Asked, Limit, Seconds, Facts, Reply) :-
    reply_to(with_facts(M, Facts, answered(M, Goal, Asked, Limit, Seconds, 0, Members)), object(Members), M, Reply).

questions_of_picture(M, Seconds, [Facts|Questions], Replies) :-
    with_facts(M, Facts, with_words(M, maplist(question_reply(M, Seconds), Questions, Replies))).

question_reply(M, Seconds, Question, Reply) :-
    reply_to(answered_question(M, Seconds, Question, Json), Json, M, Reply).

% question(+Module, +Text, -Goal, -Bindings, -Hints): the goal in Text may be asked.

question(M, Text, Goal, Told, Hints) :-
    read_goal(Text, M, Goal, Bindings),
    check_goal(M, Goal),
    check_objects(M, Goal),
    variable_hints(M, Goal, Bindings, Hints),
    answered_of(M, Goal, Bindings, Told).

% answered_of(+Module, +Goal, +Bindings, -Told): Told are those of the variables that answers have values of, as they stand
% not alone in what Goal denies or counts.

answered_of(M, Goal, Bindings, Told) :- outer(M, Goal, Outer), include(stands_in(Outer), Bindings, Told).

stands_in(Outer, _=Variable) :- contains_var(Variable, Outer).

with_hints(Hints, Members0, Members) :- ( Hints == [] -> Members = Members0 ; append(Members0, [hints=Hints], Members) ).

% answered(+Module, +Goal, +Asked, +Limit, +Seconds, +Why, -Members): the members of a reply that has the answers, of what is
% Asked as json_answer/4 has it.

answered(M, Goal, Asked, Limit, Seconds, Why, [answers=Told,more=text(More)|Reasons]) :-
    get_time(Start),
    catch(call_within(Seconds, answers(M, Goal, Asked, Limit, Answers, More)),
          Error,
          spent(Error, M, Goal)),
    (   Why =:= 1
    ->  % What the answers left of the time, less as much as they took: no time limit ends a long operation of
        % arithmetic in them, and it may come up again just before the end.
        get_time(Now),
        Left is Seconds - 2*(Now-Start),
        with_reasons(Answers, M, Goal, Asked, Left, Told, Reasons)
    ;   Told = Answers,
        Reasons = []
    ).

read_fact(M, Text, Fact) :-
    catch(read_goal(Text, M, Fact, _),
          query_syntax(Message, Position),
          refuse(supposition, "~s, at character ~d of the supposition `~s`", [Message,Position,Text])).

% otherwise(+Supposition, +Before, +Module, +World, ..., +End, -Members): what would be so, told until End. Before are the
% members of the reply that tell what is so.

otherwise([], Before, M, W, Goal, _, Limit, End, Members) :-
    !,
    ( memberchk(answers=[], Before) -> Wanted = true ; Wanted = false ),
    until(End, ( open_world(M, [], W, World), check_goal(W, Goal), least_changes(World, Goal, Wanted, Limit, Members) )).
otherwise(Supposition, _, M, W, Goal, Asked, Limit, End, Members) :-
    until(End, ( open_world(M, Supposition, W, World), check_goal(W, Goal), told_changes(World, Changes) )),
    get_time(Now),
    Left is End-Now,
    answered(W, Goal, Asked, Limit, Left, 1, After),
    append(Changes, [after=object(After)], Members).

until(End, Goal) :-
    get_time(Now),
    Left is End-Now,
    call_within(Left, Goal).

% answers(+Module, +Goal, +Asked, +Limit, -Answers, -More): one answer beyond the limit is looked for, not written.

answers(M, Goal, Asked, Limit, Answers, More) :-
    answer_budget(Budget),
    OneMore is Limit+1,
    findall(Answer,
            ( limit(OneMore, call_nth(M:Goal, N)),
              (   N =< Limit
              ->  json_answer(Asked, M, Budget, Text),
                  Answer = text(Text)
              ;   Answer = more
              )
            ),
            Answers0),
    ( append(Answers, [more], Answers0) -> More = true ; Answers = Answers0, More = false ).

% with_reasons(+Answers, ..., -Told, -Members): Told are Answers with their proofs. Without answers there is a Member that
% says why.

with_reasons([], M, Goal, _, Seconds, [], [why_not=text(Miss)]) :-
    !,
    miss(M, Goal, Seconds, Miss).
with_reasons(Answers, M, Goal, Asked, Seconds, Told, []) :-
    proofs(Answers, M, Goal, Asked, Seconds, Whys),
    maplist(with_why, Answers, Whys, Told).

with_why(text(Answer0), Why, text(Answer)) :-
    string_concat(Fields, "}", Answer0),
    format(string(Answer), '~s,~s}', [Fields, Why]).

%!  read_goal(+Text, +Module, -Goal, -Bindings) is det.
%
%   Text holds exactly one term, with or without a full stop, and with or without the prompt (?-) before it, as users
%   paste it. Bindings is the list Name=Variable.
%
%   @throws query_syntax(Message, Position) with Position a 0-based character offset into Text

read_goal(Text, M, Goal, Bindings) :-
    ( blank(Text) -> throw(query_syntax("the query is empty", 0)) ; true ),
    string_concat(Text, "\n.", Ended),
    open_string(Ended, Stream),
    call_cleanup(( read_goal_term(Stream, Text, M, Goal0, Bindings0),
                   character_count(Stream, End)
                 ),
                 close(Stream)),
    nothing_after(Text, End),
    ( nonvar(Goal0), Goal0 = (?- Goal1) -> true ; Goal1 = Goal0 ),
    lift_goal(M, Goal1, Bindings0, Goal, Bindings).

read_goal_term(Stream, Text, M, Goal, Bindings) :-
    catch(read_term(Stream, Goal,
                    [ module(M), syntax_errors(error), variable_names(Bindings), quasi_quotations(Quasi) ]),
          error(syntax_error(Reason), stream(_, _, _, Offset)),
          goal_syntax_error(Reason, Offset, Text)),
    ( Quasi == [] -> true ; throw(query_syntax("quasi quotations are not allowed", 0)) ).

goal_syntax_error(Reason, Offset, Text) :-
    error_message(syntax_error(Reason), Message),
    string_length(Text, Length),
    (   Reason = end_of_file_in_quoted(Quote),
        aggregate_all(max(Before), sub_string(Text, Before, 1, _, Quote), Start)
    ->  Position = Start                % the reader reports the start of the whole term
    ;   Position is max(0, min(Offset, Length))
    ),
    throw(query_syntax(Message, Position)).

nothing_after(Text, End) :-
    forall(( sub_string(Text, End, _, 0, Rest), \+ blank(Rest) ),      % or the goal ended with what was put behind it
           ( split_string(Rest, "", " \t\r\n", [Trimmed]),
             once(sub_string(Rest, Before, _, _, Trimmed)),
             Position is End+Before,
             throw(query_syntax("a query is one goal, and this one goes on after its full stop: \c
                                 join goals with a comma", Position)) )).

% blank(+Text): Text has nothing but layout and comments: what is put behind it is read as if it were alone.

blank(Text) :-
    string_concat(Text, "\n'nothing before'.", Ended),
    catch(read_term_from_atom(Ended, Term, []), error(_, _), fail),
    Term == 'nothing before'.
