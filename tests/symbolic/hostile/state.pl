/*  What questions could leave behind in a worker, seen from inside: asks the questions of a file through host.pl, in this
    very process, and prints every difference between before and after. Run by test_state.py:

        swipl -g "main('host.pl', 'questions.pl')" -t halt state.pl

    A question is a term question(Program, Rules, Goal, Milliseconds, Why), all texts strings.
*/

:- use_module(library(aggregate)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(time)).

main(Host, Questions) :-
    set_prolog_flag(stack_limit, 128 000 000),
    consult(Host),
    host:use_module(library(clpfd), []),            % loaded by the first question that wants it
    setup_call_cleanup(open(Questions, read, Stream, [encoding(utf8)]), questions(Stream, All), close(Stream)),
    forall(warm_up(Goal), ask_question(question("p.", ":- use_module(library(clpfd)).", Goal, 1000, 1))),
    state(Before),
    forall(member(Question, All), ask_question(Question)),
    state(After),
    forall(( member(Key-Value, Before), \+ memberchk(Key-Value, After) ), format("was ~q~n", [Key-Value])),
    forall(( member(Key-Value, After), \+ memberchk(Key-Value, Before) ), format("is ~q~n", [Key-Value])).

% What SWI-Prolog sets up at the first occasion.

warm_up("p, X = [1], maplist(=(Y), X), dif(X, Z)").
warm_up("tab(x)").
warm_up("X is foo").
warm_up("X is random(3)").
warm_up("length(L, 3), L ins 0..2, all_distinct(L), label(L)").

questions(Stream, Questions) :-
    read_term(Stream, Question, []),
    (   Question == end_of_file
    ->  Questions = []
    ;   Questions = [Question|Rest],
        questions(Stream, Rest)
    ).

ask_question(question(Program, Rules, Goal, Milliseconds, Why)) :-
    host:reply("load", ["0", ["program", Program, "hostile.pl", Rules]], Reply),
    (   Reply == "{}"
    ->  host:reply("ask", ["0", Milliseconds, 100, 1, Goal, Why], _),
        host:reply("drop", ["0"], _)
    ;   true                            % not loaded
    ).

state(State) :-
    findall(Key-Value, part(Key, Value), State0),
    sort(State0, State).

part(flag(Flag), Value) :-
    current_prolog_flag(Flag, Value),
    \+ memberchk(Flag, [heartbeat, stack_limit, resource_database]).
part(operator(Module, Name), Priority-Type) :-
    member(Module, [user, system, built_ins, host]),
    current_op(Priority, Type, Module:Name).
part(global(Name), Text) :-
    nb_current(Name, Value),
    Name \== '$inprint_message',
    copy_term_nat(Value, Copy),
    numbervars(Copy, 0, _),
    format(atom(Text), "~q", [Copy]).
part(record(Key), Value) :-
    current_key(Key),
    findall(V, recorded(Key, V), Value).
part(flag_of_flag3(Key), Value) :-
    current_flag(Key),
    flag(Key, Value, Value).
part(module(Module), there) :-
    current_module(Module).
part(predicates(Module), Count) :-
    current_module(Module),
    aggregate_all(count, ( current_predicate(_, Module:Head), \+ predicate_property(Module:Head, imported_from(_)) ), Count).
part(facts(Module, Name/Arity), Clauses) :-
    member(Module, [user, guard, loader, host, why, built_ins, allowed, clpfd]),
    current_predicate(_, Module:Head),
    predicate_property(Module:Head, dynamic),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, number_of_clauses(Clauses)).
part(stream(Properties), there) :-
    stream_property(Stream, mode(Mode)),
    ( stream_property(Stream, file_name(File)) -> true ; File = none ),
    Properties = Mode-File.
part(thread(Thread), there) :-
    thread_property(Thread, status(running)).
part(alarm, Count) :-
    aggregate_all(count, current_alarm(_, _, _, _), Count).
part(directory, Directory) :-
    working_directory(Directory, Directory).
part(tables, Count) :-
    aggregate_all(count, current_table(_, _), Count).
part(environment(Name), Value) :-
    member(Name, ['HOME', 'PATH', x]),
    getenv(Name, Value).
part(arithmetic, Values) :-
    findall(Value,
            ( member(Expression, [1 / 3.0, -1 / 3.0, 7 // -2, 2 ** -1, 0.1 + 0.2]), Value is Expression ),
            Values).
