:- module(loader,
          [ load/2,                     % +Module, +Sources
            unload/1                    % +Module
          ]).

/** <module> Programs and rules become a module

Texts are read term by term and asserted into a fresh temporary module: they are data all the way, nothing
in them runs. Each source is read completely, so that its heads are known, before its bodies are
checked.

A source is source(Name, Text). The first is the program: facts and clauses only. The others are rule files, which
plain swipl can load as well. So a rule file may also have a module header and a few
directives, of which only the import of library(clpfd) has an effect here.
*/

:- use_module(allowed).
:- use_module(guard).

%!  load(+Module, +Sources) is det.
%
%   @throws located(Name, Line, Error) where Error is refused(Kind, Message).

load(M, [Program|Rules]) :-
    set_module(M:base(allowed)),
    set_module(M:class(temporary)),
    set_prolog_flag(M:unknown, error),
    load_source(program, M, Program),
    load_rules(Rules, M).

load_rules([], _).
load_rules([Source|Sources], M) :-
    load_source(rules, M, Source),
    load_rules(Sources, M).

%!  unload(+Module) is det.
%
%   Frees everything that load/2 made.

unload(M) :-
    forget(M),
    '$destroy_module'(M).

load_source(Kind, M, source(Name, Text)) :-
    setup_call_cleanup(open_string(Text, Stream),
                       read_clauses(Kind, M, Name, Stream, first, Clauses),
                       close(Stream)),
    assert_clauses(Clauses, M, Name).

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
    syntax_text(Reason, Text),
    string_concat("syntax error: ", Text, Message),
    locate(refused(program, Message), Name, Line).

locate(refused(Kind, Message), Name, Line) :-
    !,
    throw(located(Name, Line, refused(Kind, Message))).
locate(error(Formal, _), Name, Line) :-
    !,
    format(string(Message), "~p", [Formal]),
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
    refuse("a program holds facts and clauses only, no directives: ~p", [(:- Directive)]).
accept((:- Directive), rules, Place, M, _, none) :-
    !,
    directive(Directive, Place, M).
accept((?- Goal), _, _, _, _, _) :-
    !,
    refuse("a query cannot stand in a file: ~p", [(?- Goal)]).
accept((Head --> _), _, _, _, _, _) :-
    !,
    refuse("grammar rules are not supported: ~p --> ...", [Head]).
accept((Head => _), _, _, _, _, _) :-
    !,
    refuse("only facts and Head :- Body are supported: ~p => ...", [Head]).
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
    refuse("the directive ~p is not allowed; these are: module/2 as the first term, without operators; \c
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
    % A fixed module, and not only M, so that the library is loaded once and with our own operators.
    M:use_module(library(clpfd)).
import(_, _).                           % there already: allowed.pl imports it

% assert_clauses(+Clauses, +Module, +Name): the bodies pass the guard.

assert_clauses([], _, _).
assert_clauses([Line-Clause|Clauses], M, Name) :-
    (   Clause = (_ :- Body)
    ->  catch(check_body(M, Body), Error, locate(Error, Name, Line))
    ;   true
    ),
    catch(assertz(M:Clause), Error, locate(Error, Name, Line)),
    assert_clauses(Clauses, M, Name).

refuse(Format, Args) :-
    format(string(Message), Format, Args),
    throw(refused(program, Message)).
