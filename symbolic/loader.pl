:- module(loader,
          [ load/2,                     % +Module, +Sources
            unload/1,                   % +Module
            syntax_message/2            % +Reason, -Text
          ]).

/** <module> Programs and rules become a module

Texts are read term by term and asserted into a fresh temporary module: they are data all the way, nothing
in them runs. All sources are read, so that every head is known, before the first body is checked.

A source is source(Name, Text). The first is the program: facts and clauses only. The others are rule files, which
plain swipl can load as well. So a rule file may also have a module header and a few
directives, of which only the import of library(clpfd) has an effect here.
*/

:- use_module(allowed).
:- use_module(guard).
:- use_module(library(apply), [maplist/2, maplist/3]).

%!  load(+Module, +Sources) is det.
%
%   @throws located(Name, Line, Error) where Error is refused(Kind, Message).

load(M, [Program|Rules]) :-
    set_module(M:base(allowed)),
    set_module(M:class(temporary)),
    set_prolog_flag(M:unknown, error),
    read_source(program, M, Program, First),
    maplist(read_source(rules, M), Rules, Others),
    maplist(assert_clauses(M), [First|Others]).

%!  unload(+Module) is det.
%
%   Frees everything that load/2 made.

unload(M) :-
    forget(M),
    '$destroy_module'(M).

read_source(Kind, M, source(Name, Text), Name-Clauses) :-
    setup_call_cleanup(open_string(Text, Stream),
                       read_clauses(Kind, M, Name, Stream, first, Clauses),
                       close(Stream)).

% read_clauses(+Kind, +Module, +Name, +Stream, +Place, -Clauses): Clauses is a list Line-Clause; heads are claimed.
% Place is first as long as a module header may come.

read_clauses(Kind, M, Name, Stream, Place, Clauses) :-
    read_clause_term(Stream, M, Name, Term, Line),
    (   Term == end_of_file
    ->  Clauses = []
    ;   catch(accept(Term, Kind, Place, M, Name, Clause), Error, locate(Error, Name, Line)),
        (   Clause == none
        ->  Clauses = Rest
        ;   Clauses = [Line-Clause|Rest]
        ),
        read_clauses(Kind, M, Name, Stream, later, Rest)
    ).

read_clause_term(Stream, M, Name, Term, Line) :-
    catch(read_term(Stream, Term,
                    [ module(M), syntax_errors(error), term_position(Position), quasi_quotations(Quasi) ]),
          error(syntax_error(Reason), stream(_, Line0, _, _)),
          syntax_error(Reason, Name, Line0)),
    stream_position_data(line_count, Position, Line),
    (   Quasi == []
    ->  true
    ;   locate(refused(program, "quasi quotations are not allowed"), Name, Line)
    ).

syntax_error(Reason, Name, Line) :-
    syntax_message(Reason, Message),
    locate(refused(program, Message), Name, Line).

%!  syntax_message(+Reason, -Text) is det.
%
%   Text says in words what the reader's syntax_error(Reason) means.

syntax_message(Reason, Text) :-
    '$messages':translate_message(error(syntax_error(Reason), _), Lines, []),
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    split_string(Text0, "", " \n", [Text]).

locate(refused(Kind, Message), Name, Line) :-
    !,
    throw(located(Name, Line, refused(Kind, Message))).
locate(error(Formal, _), Name, Line) :-
    !,
    format(string(Message), "~q", [Formal]),
    throw(located(Name, Line, refused(program, Message))).
locate(Error, _, _) :-
    throw(Error).

% accept(+Term, +Kind, +Place, +Module, +Name, -Clause): Clause is none for a directive that was accepted.

accept(Term, _, _, _, _, _) :-
    var(Term),
    !,
    throw(refused(program, "a clause cannot be a variable")).
accept((:- Directive), program, _, _, _, _) :-
    !,
    refuse("a program holds facts and clauses only, no directives: ~q", [(:- Directive)]).
accept((:- Directive), rules, Place, M, _, none) :-
    !,
    directive(Directive, Place, M).
accept((?- Goal), _, _, _, _, _) :-
    !,
    refuse("a query cannot stand in a file: ~q", [(?- Goal)]).
accept((Head --> _), _, _, _, _, _) :-
    !,
    refuse("grammar rules are not supported: ~q --> ...", [Head]).
accept((Head => _), _, _, _, _, _) :-
    !,
    refuse("only facts and Head :- Body are supported: ~q => ...", [Head]).
accept((Head :- Body), _, _, M, Name, (Head :- Body)) :-
    !,
    refuse_variable(Head),
    claim(M, Name, Head).
accept(Head, _, _, M, Name, Head) :-
    claim(M, Name, Head).

refuse_variable(Head) :-
    (   var(Head)
    ->  throw(refused(program, "the head of a clause cannot be a variable"))
    ;   true
    ).

%!  directive(+Directive, +Place, +Module) is det.
%
%   @throws refused(program, Message) unless the directive is one of the few that are harmless.

directive(Directive, _, _) :-
    var(Directive),
    !,
    refuse("a directive cannot be a variable", []).
directive(module(_, Exports), first, _) :-
    is_list(Exports),
    \+ ( '$member'(Export, Exports), \+ indicator(Export) ),
    !.
directive(use_module(library(Library)), _, M) :-
    importable(Library),
    !,
    import(Library, M).
directive(use_module(library(Library), _), _, M) :-
    importable(Library),
    !,
    import(Library, M).
directive(autoload(library(Library)), _, M) :-
    importable(Library),
    !,
    import(Library, M).
directive(autoload(library(Library), _), _, M) :-
    importable(Library),
    !,
    import(Library, M).
directive(discontiguous(_), _, _) :- !.
directive(det(_), _, _) :- !.
directive(Directive, _, _) :-
    findall(Library, library_module(Library, _), Libraries),
    refuse("the directive ~q is not allowed; these are: module/2 as the first term, without operators; \c
            use_module/1 and autoload/1 of library(L), L one of ~w; discontiguous/1; det/1",
           [(:- Directive), Libraries]).

indicator(PI) :-
    nonvar(PI),
    PI = Name/Arity,
    atom(Name),
    integer(Arity).

importable(Library) :-
    library_module(Library, _),
    !.

import(clpfd, M) :-
    !,
    M:use_module(library(clpfd)).
import(_, _).                           % there already: allowed.pl imports it

% assert_clauses(+Module, +Clauses): the bodies pass the guard first.

assert_clauses(M, Name-Clauses) :-
    assert_clauses(Clauses, M, Name).

assert_clauses([], _, _).
assert_clauses([Line-Clause|Clauses], M, Name) :-
    catch(assert_clause(Clause, M), Error, locate(Error, Name, Line)),
    assert_clauses(Clauses, M, Name).

assert_clause(Clause, M) :-
    (   Clause = (_ :- Body)
    ->  check_body(M, Body)
    ;   true
    ),
    assertz(M:Clause).

refuse(Format, Args) :-
    format(string(Message), Format, Args),
    throw(refused(program, Message)).
