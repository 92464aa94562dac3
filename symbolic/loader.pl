:- module(loader,
          [ load_base/1,                % +Path
            load/2,                     % +Module, +Sources
            unload/1,                   % +Module
            copy/3,                     % +Module, +Copy, :Kept
            without_nothing/1,          % +Module
            with_facts/3,               % +Module, +Text, :Goal
            hints_of_rules/2,           % +Module, -Hints
            own_names/4                 % +Module, +Ref, -Line, -Names
          ]).

/** <module> Programs and rules become a module

Texts are read term by term and asserted into a fresh temporary module: they are data all the way, nothing
in them runs. All sources are read, so that every head is known, before the first body is checked.

A source is source(Id, Text), Id being program or rules(I, Name). The first is the program: facts and clauses
only. The others are rule files, which plain swipl can load as well. So a rule file may also have a module header
and a few directives; of these only dynamic/1, table/1 and the import of library(clpfd) have an effect here.
*/

:- use_module(allowed).
:- use_module(faults, [locate/3, located_refusal/4, syntax_error/4]).
:- use_module(guard).
:- use_module(lifting).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(prolog_code), [comma_list/2]).

:- meta_predicate copy(+, +, 2), with_facts(+, +, 0).

:- dynamic declared/4.                  % declared(Module, Id, Kind, PredicateIndicator): as Id says, tabled or untabled
:- dynamic constrained/1.               % constrained(Module): Module asked for library(clpfd)
:- dynamic hints_of_rules/2.            % hints_of_rules(Module, Hints): objects.pl has found them
:- dynamic own_names/4.                 % own_names(Module, Ref, Line, Names)

%!  own_names(+Module, ?Ref, -Line, -Names) is nondet.
%
%   The rule Ref begins in that Line of its text. Names are those that it gives its variables, in the order of
%   term_variables/2; '_' is one without a name. Facts have no entry.

%!  load_base(+Path) is det.
%
%   What the compiled program at Path defines belongs to every program that is loaded from now on. In such a file
%   predicates call those of the module user. Its directives run: it is trusted as far as swipl is that loads it.
%
%   @throws located(program, 1, Error)

load_base(Path) :-
    findall(File, source_file(File), Before),
    catch(load_files(user:Path, [silent(true)]), error(_, _), true),
    forall(( source_file(user:Head, File), \+ '$member'(File, Before) ), claim(user, program, Head)),
    (   owner(user, _, program)
    ->  true
    ;   located_refusal("it cannot be loaded by the swipl installed", [], program, 1)
    ),
    forall(( owner(user, Head, program), \+ predicate_property(user:Head, number_of_rules(0)), clause(user:Head, Body) ),
           catch(check_body(user, Body), Error, locate(Error, program, 1))).

%!  load(+Module, +Sources) is det.
%
%   @throws located(Name, Line, Error) where Error is refused(Kind, Message).

load(M, Texts) :-
    open_module(M),
    ( owner(user, _, _) -> add_import_module(M, user, end) ; true ),
    forall(owner(user, Head, Source), assertz(owner(M, Head, Source))),
    maplist(read_source(M), Texts, Sources0),
    lift_sources(M, Sources0, Sources),
    define_declared(M),
    import_constraints(M),
    maplist(assert_source(M), Sources).

open_module(M) :-
    ( trusting -> Base = user ; Base = built_ins ),
    set_module(M:base(Base)),
    set_module(M:class(temporary)),
    set_prolog_flag(M:unknown, error).

% within_memory(+Id, :Goal): what Goal cannot do for want of memory is a fault of the text Id.

within_memory(Id, Goal) :-
    catch(Goal, error(resource_error(Resource), Context), locate(error(resource_error(Resource), Context), Id, 1)).

%!  unload(+Module) is det.
%
%   Frees everything that load/2 made.

unload(M) :-
    forget(M),
    unlift(M),
    retractall(constrained(M)),
    retractall(declared(M, _, _, _)),
    retractall(hints_of_rules(M, _)),
    retractall(own_names(M, _, _, _)),
    abolish_module_tables(M),
    '$destroy_module'(M).

%!  copy(+Module, +Copy, :Kept) is det.
%
%   Copy becomes a module that has those predicates of Module for whose heads and sources Kept is true. What their clauses
%   call of the others is unknown there.

copy(M, Copy, Kept) :-
    open_module(Copy),
    (   predicate_property(M:'#='(_, _), imported_from(clpfd))
    ->  import(clpfd, Copy),
        import_constraints(Copy)
    ;   true
    ),
    forall(( owner(M, Head, Source), call(Kept, Head, Source) ),
           ( claim(Copy, Source, Head), copy_clauses(M, Copy, Head) )).

copy_clauses(M, Copy, Head) :-
    functor(Head, Name, Arity),
    ( predicate_property(M:Head, tabled) -> Kind = tabled ; Kind = untabled ),
    define(Kind, Copy:Name/Arity),      % one without clauses is known, too
    forall(clause(M:Head, Body, Ref),
           (   assertz(Copy:(Head :- Body), CopyRef),
               ( own_names(M, Ref, Line, Names) -> assertz(own_names(Copy, CopyRef, Line, Names)) ; true )
           )).

%!  without_nothing(+Module) is det.
%
%   Module's program has no clause `Head :- fail` any more; what these have the names of is known still.

without_nothing(M) :-
    forall(( owner(M, Head, program), clause(M:Head, fail, Ref) ), erase(Ref)).

%!  with_facts(+Module, +Text, :Goal) is semidet.
%
%   As once(Goal), while Module has the facts in Text, which are of predicates that its program has: they are read many
%   times as fast as a program.

with_facts(M, Text, Goal) :-
    setup_call_cleanup(open_string(Text, Stream), within_memory(program, read_facts(Stream, M, Facts)), close(Stream)),
    setup_call_cleanup(findall(Ref, ( '$member'(Fact, Facts), assertz(M:Fact, Ref) ), Refs),
                       once(Goal),
                       ( maplist(erase, Refs), abolish_module_tables(M) )).

read_facts(Stream, M, Facts) :-
    catch(read_facts(Stream, M, [module(M), syntax_errors(error)], Facts),
          error(syntax_error(Reason), stream(_, Line, _, Place)),
          syntax_error(Reason, program, Line, Place)).

read_facts(Stream, M, Options, Facts) :-
    read_term(Stream, Fact, Options),
    (   callable(Fact),
        owner(M, Fact, program)
    ->  Facts = [Fact|Rest],
        read_facts(Stream, M, Options, Rest)
    ;   Fact == end_of_file
    ->  Facts = []
    ;   line_count(Stream, Line),
        located_refusal("no fact of a predicate that the program has: ~w", [q(Fact)], program, Line)
    ).

read_source(M, source(Id, Text), Id-Clauses) :-
    setup_call_cleanup(open_string(Text, Stream),
                       within_memory(Id, read_clauses(Id, M, Stream, first, Clauses)),
                       close(Stream)).

% read_clauses(+Id, +Module, +Stream, +Place, -Clauses): Clauses is a list read(Line, Clause, Bindings), Bindings being
% Name=Variable pairs; heads are claimed. Place is first as long as a module header may come.

read_clauses(Id, M, Stream, Place, Clauses) :-
    read_clause_term(Stream, M, Id, Term, Bindings, Line),
    (   Term == end_of_file,
        read_clause_term(Stream, M, Id, end_of_file, _, _)      % nothing comes after one that is written
    ->  Clauses = []
    ;   catch(accept(Term, Id, Place, M, Clause), Error, locate(Error, Id, Line)),
        (   Clause == (:-)
        ->  Clauses = Rest
        ;   Clauses = [read(Line, Clause, Bindings)|Rest]
        ),
        read_clauses(Id, M, Stream, later, Rest)
    ).

read_clause_term(Stream, M, Id, Term, Bindings, Line) :-
    catch(read_term(Stream, Term,
                    [ module(M), syntax_errors(error), term_position(Position), quasi_quotations(Quasi),
                      variable_names(Bindings) ]),
          error(syntax_error(Reason), stream(_, Line0, _, Place)),
          syntax_error(Reason, Id, Line0, Place)),
    stream_position_data(line_count, Position, Line),
    ( Quasi == [] -> true ; locate(refused(program, "quasi quotations are not allowed"), Id, Line) ),
    maximal_depth(Depth),
    character_count(Stream, End),
    stream_position_data(char_count, Position, Start),
    (   ( End-Start =< Depth ; shallow(Depth, Term) )       % no text nests deeper than it is long
    ->  true
    ;   located_refusal("a clause is nested more than ~D deep, or has more goals than that", [Depth], Id, Line)
    ).

% SWI-Prolog's compiler is recursive in C: 50,000 levels overflow its stack, and of a;b;c;... that many take seconds.
maximal_depth(5000).

% shallow(+Depth, +Term): Term is nested at most Depth deep, the tails of lists not counted.

shallow(Depth, Term) :-
    (   compound(Term)
    ->  Depth > 0,
        Depth1 is Depth-1,
        (   Term = [First|Rest]
        ->  shallow(Depth1, First),
            shallow(Depth, Rest)
        ;   compound_name_arguments(Term, _, Args),
            maplist(shallow(Depth1), Args)
        )
    ;   true
    ).

% accept(+Term, +Id, +Place, +Module, -Clause): Clause is the atom (:-), which no fact can be, for a
% directive that was accepted.

accept(Term, _, _, _, _) :-
    var(Term),
    !,
    refuse(program, "a clause cannot be a variable", []).
accept(end_of_file, _, _, _, _) :-
    !,
    refuse(program, "end_of_file would end the text here: leave it out, or what comes after it", []).
accept((Head :- Body), Id, _, M, Clause) :-
    !,
    Clause = (Head :- Body),
    claim(M, Id, Head).
accept((:- Directive), Id, Place, M, Clause) :-
    !,
    (   Id == program,
        \+ ( Place == first, Directive = module(_, Exports), Exports == [] )
    ->  refuse(program, "a program holds facts and clauses only, no directives: `:- ~w`", [q(Directive)])
    ;   directive(Directive, Place, M, Id),
        Clause = (:-)
    ).
accept((?- Goal), _, _, _, _) :- !, refuse(program, "a query cannot stand in a file: `?- ~w`", [q(Goal)]).
accept((Head --> Body), Id, Place, M, Clause) :-
    Id \== program,
    !,
    refuse_qualifiers((Head --> Body)), % which the translation takes away
    dcg_translate_rule((Head --> Body), Rule),
    accept(Rule, Id, Place, M, Clause).
accept((_ --> _), _, _, _, _) :- !, refuse(program, "grammar rules (-->) belong in a file of rules", []).
accept((_ => _), _, _, _, _) :- !, refuse(program, "rules with => are not supported: write Head :- Body", []).
accept(Head, Id, _, M, Head) :- claim(M, Id, Head).

%!  directive(+Directive, +Place, +Module, +Id) is det.
%
%   @throws refused(program, Message) unless the directive is one of the few that are harmless.

directive(Directive, _, _, _) :-
    var(Directive),
    !,
    refuse(program, "a directive cannot be a variable", []).
directive(module(_, Exports), first, _, _) :-
    is_list(Exports),
    \+ ( '$member'(Export, Exports), \+ indicator(Export) ),
    !.
directive(Import, _, M, _) :-
    functor(Import, How, Arity),
    memberchk(How/Arity, [use_module/1,use_module/2,autoload/1,autoload/2]),
    arg(1, Import, library(Library)),
    ground(Library),
    importable(Library),
    !,
    import(Library, M).
directive(Directive, _, _, _) :- memberchk(Directive, [discontiguous(_),det(_)]), !.
directive(Declaration, _, M, Id) :-
    declaration(Declaration, Kind, Spec),
    indicators(Spec, PIs),
    !,
    forall('$member'(PI, PIs), assertz(declared(M, Id, Kind, PI))).
directive(op(Priority, Type, Names), _, M, _) :-
    trusting,
    !,
    op(Priority, Type, M:Names).
directive(Directive, _, M, _) :-
    trusting,
    call(M:Directive),
    !.
directive(Directive, _, _, _) :-
    findall(Library, importable(Library), Libraries),
    atomic_list_concat(Libraries, ', ', Names),
    refuse(program,
           "the directive `:- ~w` is not allowed; these are: module/2 as the first term, without operators; \c
            use_module/1 and autoload/1 of library(L), L one of ~w; dynamic/1 and table/1 of Name/Arity; \c
            discontiguous/1; det/1",
           [q(Directive), Names]).

declaration(dynamic(Spec), untabled, Spec).
declaration(table(Spec), tabled, Spec).

indicator(PI) :-
    nonvar(PI),
    PI = Name/Arity,
    atom(Name),
    integer(Arity),
    Arity >= 0,
    Arity =< 1024.                      % SWI-Prolog's own limit

% indicators(+Spec, -PredicateIndicators): Spec is as in `:- dynamic p/1, q/2`, or a list.

indicators(Spec, PIs) :-
    (   is_list(Spec)
    ->  PIs = Spec
    ;   nonvar(Spec),
        comma_list(Spec, PIs)
    ),
    \+ ( '$member'(PI, PIs), \+ indicator(PI) ).

import(clpfd, M) :-
    !,
    use_module(library(clpfd), []),
    module_property(clpfd, exported_operators(Operators)),
    forall('$member'(op(Priority, Type, Name), Operators), op(Priority, Type, M:Name)),
    assertz(constrained(M)).
import(_, _).                           % there already: allowed.pl imports it

% define_declared(+Module): a predicate declared dynamic or tabled exists. If dynamic, it belongs to whoever has clauses
% for it, else to who declared it; tables are for one's own.

define_declared(M) :-
    forall(( retract(declared(M, Id, Kind, PI)), lift_declaration(M, PI, PIs), '$member'(Name/Arity, PIs) ),
           catch(( functor(Head, Name, Arity),
                   (   Kind == untabled,
                       owner(M, Head, _)
                   ->  true
                   ;   claim(M, Id, Head),
                       define(Kind, M:Name/Arity)
                   )
                 ),
                 Error,
                 locate(Error, Id, 1))).

% Tables lie outside the stacks. One without end is full before a time limit of a second is over.
table_space(16_777_216).

define(Kind, PI) :-
    dynamic(PI),
    (   Kind == tabled
    ->  table_space(Bytes),
        set_prolog_flag(table_space, Bytes),
        table(PI)
    ;   true
    ).

% import_constraints(+Module): what clpfd means is there, if Module asked for it, except where Module's own
% predicates have those names.

import_constraints(M) :-
    (   retract(constrained(M))
    ->  forall(( constraint(Head), \+ owner(M, Head, _), functor(Head, Name, Arity) ), M:import(clpfd:Name/Arity))
    ;   true
    ).

% assert_source(+Module, +Source): bodies pass the guard first.

assert_source(M, Id-Clauses) :-
    within_memory(Id, forall('$member'(read(Line, Clause, Bindings), Clauses),
                             catch(assert_clause(Clause, Line, Bindings, M), Error, locate(Error, Id, Line)))).

assert_clause(Clause, Line, Bindings, M) :-
    (   Clause = (_ :- Body)
    ->  check_body(M, Body),
        assertz(M:Clause, Ref),
        term_variables(Clause, Variables),
        maplist(name_of(Bindings), Variables, Names),
        assertz(own_names(M, Ref, Line, Names))
    ;   assertz(M:Clause)
    ).

name_of(Bindings, Variable, Name) :- '$member'(Name=Bound, Bindings), Bound == Variable, !.
name_of(_, _, '_').
