:- module(faults,
          [ error_message/2,            % +Formal, -Text
            error_reply/3,              % +Error, +Module, -Reply
            syntax_error/4,             % +Reason, +Id, +Line, +Place
            locate/3,                   % +Error, +Id, +Line
            located_refusal/4           % +Format, +Args, +Id, +Line
          ]).

/** <module> What went wrong, in words

In a text that is loaded, a fault has a place: the exception is located(Name, Line, Error). Whatever a question ends with
becomes JSON, with the messages that people read.
*/

:- use_module(allowed, [meta/2, pure/1]).
:- use_module(goal_text, [abridged/2]).
:- use_module(guard, [indicator_text/2, owned/3, owner/3, refuse/3]).
:- use_module(json_terms, [json_string/2]).
:- use_module(misses, [comparison/1]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(occurs), [sub_term/2]).

%!  error_message(+Formal, -Text) is det.
%
%   Text says in words what error(Formal, _) means.

error_message(Formal, Text) :-
    '$messages':translate_message(error(Formal, _), Lines, []),
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    split_string(Text0, "", " \n", [Text]).

%!  syntax_error(+Reason, +Id, +Line, +Place) is erroneous.
%
%   The reader of the text Id stopped at Line, the character Place of it, with syntax_error(Reason).

syntax_error(Reason, Id, Line0, Place) :-
    error_message(syntax_error(Reason), Message),
    Line is max(1, Line0),              % the reader says 0 for a comment without an end
    locate(refused(program, Message), Id, Line-Place).

%!  locate(+Error, +Id, +Line) is erroneous.
%!  located_refusal(+Format, +Args, +Id, +Line) is erroneous.
%
%   @throws located(Name, Line, Refusal) for what is wrong with the text Id; Error, if it is not of that kind

locate(refused(Kind, Message), Id, Line) :-
    !,
    ( Id = rules(_, Name) -> true ; Name = Id ),
    throw(located(Name, Line, refused(Kind, Message))).
locate(Error, Id, Line) :-
    (   fault_of_text(Error, Format, Args)
    ->  located_refusal(Format, Args, Id, Line)
    ;   throw(Error)
    ).

fault_of_text(unknown(PI), "unknown predicate ~w", [q(PI)]).
fault_of_text(error(resource_error(_), _), "too large: loading it needs more memory than there is", []).
fault_of_text(error(representation_error(max_procedure_arity), _), "a predicate has at most 1024 arguments", []).
fault_of_text(error(Formal, _), "~w", [q(Formal)]).

located_refusal(Format, Args, Id, Line) :-
    catch(refuse(program, Format, Args), Refusal, locate(Refusal, Id, Line)).

%!  error_reply(+Error, +Module, -Reply) is det.
%
%   Reply is the JSON of an exception.

error_reply(Error, M, Reply) :-
    error_fields(Error, M, Fields),
    json_string(object([error=object(Fields)]), Reply).

error_fields(refused(Kind, Message), _, [kind=Kind, message=Message]) :- !.
error_fields(located(Name, Line, refused(Kind, Message)), _,
             [kind=Kind, message=Message, name=Name|At]) :-
    !,
    ( Line = Begin-Place -> At = [line=Begin, position=Place] ; At = [line=Line] ).
error_fields(query_syntax(Message, Position), _,
             [kind=query_syntax, message=Message, position=Position]) :- !.
error_fields(unknown(PI), M, [kind=unknown_predicate, predicate=Name, known=Names, more=More]) :-
    !,
    indicator_text(PI, Name0),
    clipped("~s", [Name0], Name),
    owned(M, PIs, More),
    maplist(indicator_text, PIs, Names).
error_fields(unknown_object(Name0, Objects), M, [kind=unknown_object, name=Name, objects=Objects, zones=Zones]) :-
    !,
    clipped("~q", [Name0], Name),
    findall(Zone, ( owner(M, zone(Zone), _), clause(M:zone(Zone), true) ), Zones).
error_fields(recursive(PI, Error), M, [recursive=Name|Fields]) :-
    !,
    indicator_text(PI, Name),
    error_fields(Error, M, Fields).
error_fields(hinted(Hints, Error), M, [hints=Hints|Fields]) :- !, error_fields(Error, M, Fields).
error_fields(out_of_time, _, [kind=time_limit]) :- !.
error_fields(error(existence_error(procedure, PI0), _), M, Fields) :-
    strip_module(M:PI0, M, PI),         % and not something that a library lacks
    !,
    findall(at=At, call_with_inference_limit(once(called_at(M, PI, At)), 50 000, !), Fields, Fields0),
    error_fields(unknown(PI), M, Fields0).
error_fields(error(resource_error(_), _), _,
             [kind=prolog, message="the goal needs more memory than a query may have", term="resource_error"]) :- !.
error_fields(error(instantiation_error, context(Raiser, _)), _,
             [kind=prolog, message=Message, term=instantiation_error]) :-
    nonvar(Raiser),
    strip_module(Raiser, _, Name/Arity),
    functor(Head, Name, Arity),
    arithmetic(Head, Needs),
    !,
    format(string(Message),
           "~w/~w ~s has no value yet: bind it first, as in r0(V, X, Y), small(V)", [Name,Arity,Needs]).
error_fields(Error, M, [kind=prolog, message=Message, term=Term]) :-
    ( Error = error(Formal0, Context) -> true ; Formal0 = Error ),
    abridged(Formal0, Formal),
    clipped("~W", [Formal, [quoted(true), max_depth(8), portray(false)]], Term),
    error_message(Formal, Message0),
    (   raised_by(Context, M, By)
    ->  clipped("~s: ~s", [By, Message0], Message)
    ;   clipped("~s", [Message0], Message)
    ).

% called_at(+Module, +PredicateIndicator, -At): a rule beside the program calls it, whose file and line At names.

called_at(M, Name/Arity, At) :-
    owner(M, Head, rules(_, File)),
    clause(M:Head, Body, Ref),
    sub_term(Call, Body),
    callable(Call),
    functor(Call, Name, Arity),
    loader:own_names(M, Ref, Line, _),
    format(string(At), "~w:~d", [File,Line]).

% arithmetic(+Head, -Needs): Head's predicate works with numbers, and Needs says in which of its arguments.

arithmetic(_ is _, "works out its right side, and something in it") :- !.
arithmetic(Head, "compares numbers, and one side of it") :- comparison(Head).

% raised_by(+Context, +Module, -By): an error's Context names a predicate that users know, By: one of theirs, or one
% that they may call. What a library calls inside it is none of theirs.

raised_by(Context, M, By) :-
    nonvar(Context),
    Context = context(Raiser, _),
    strip_module(Raiser, _, PI),
    indicator_text(PI, By),
    PI = Name/Arity,
    functor(Head, Name, Arity),
    ( owner(M, Head, _) ; pure(Head) ; meta(Head, _) ),
    !.

clipped(Format, Args, Text) :-
    format(string(Text0), Format, Args),
    ( sub_string(Text0, 0, 1000, _, Text) -> true ; Text = Text0 ).
