:- module(objects,
          [ check_objects/2,            % +Module, +Goal
            objects/2,                  % +Module, -Objects
            fact/2,                     % +Module, ?Fact
            variable_hints/4            % +Module, +Goal, +Bindings, -Hints
          ]).

/** <module> Names in a query that are mistaken

Programs that name objects, object(ob_0), are asked about them by name. A name that no object has makes a goal false
without a word, and one with a capital letter is a variable. Both are found here before the goal runs.

Which arguments are objects follows from the clauses: those of facts that are objects there, and those of rules whose
bodies hand them on to such an argument. A program whose object/1 is no list of facts is left alone.
*/

:- use_module(allowed, [meta/2]).
:- use_module(calls, [inner/4, literal/2]).
:- use_module(guard, [owner/3]).
:- use_module(reaching, [calls/3, closed/2, outer/3, reached/4]).
:- use_module(loader, [hints_of_rules/2, own_names/4]).
:- use_module(library(lists), [append/2, append/3, member/2, memberchk/2]).
:- use_module(library(occurs), [contains_var/2, occurrences_of_var/3]).
:- use_module(library(solution_sequences), [distinct/2, limit/2]).
:- use_module(library(pairs), [pairs_keys_values/3]).
:- use_module(library(prolog_code), [most_general_goal/2, semicolon_list/2]).

% Programs are strangers', too: what takes longer to find out is not told. It takes some milliseconds.
maximal_inferences(50 000).

%!  check_objects(+Module, +Goal) is det.
%
%   @throws unknown_object(Name, Objects) if an argument of Goal that is an object is the constant Name, and the
%   program has other Objects. Those in its background count as known, and zones where they may be told of.

check_objects(M, Goal) :-
    forall(found_in_time(unknown_name(M, Goal, Name)), ( objects(M, Objects), throw(unknown_object(Name, Objects)) )).

unknown_name(M, Goal, Name) :-
    calls(M, Goal, Call),
    compound(Call),
    \+ ( functor(Call, Kind, 1), memberchk(Kind, [object,background,zone]) ),       % whether there is one is the question
    arg(I, Call, Name),
    atomic(Name),
    ( fact(M, zone(Name)) -> Places = [] ; \+ known(M, Name), Places = [places] ),
    is_of_objects(M, Call, I, Places).

% found_in_time(:Goal): Goal has a solution, the first, within maximal_inferences/1.

found_in_time(Goal) :-
    maximal_inferences(Most),
    call_with_inference_limit(once(Goal), Most, Result),
    Result \== inference_limit_exceeded.

%!  variable_hints(+Module, +Goal, +Bindings, -Hints) is det.
%
%   Hints are of those of Bindings, a list Name=Variable, that would be an object's name if they were written with small
%   letters, or a word that facts have where the variable stands in Goal; of colours that the palette has no word for, of
%   categories that are nearly others, and of rules; and of variables that have no value where one is needed.

variable_hints(M, Goal, Bindings, Hints) :-
    hints(goal_hint(M, Goal, Bindings), Hints0),
    (   hints_of_rules(M, Hints1)
    ->  true
    ;   hints(rule_hint(M), Hints1),
        assertz(loader:hints_of_rules(M, Hints1))       % looked for once: what is loaded stays
    ),
    hints(early(Goal, M, rule("", Bindings, [], []), [], []), Hints2),
    append([Hints0,Hints1,Hints2], Hints).

hints(Kind, Hints) :-                   % with --trust a goal may be anything
    ( catch(found_in_time(findall(Hint, limit(5, distinct(Hint, call(Kind, Hint))), Hints0)), error(_, _), fail) -> Hints = Hints0 ; Hints = [] ).

goal_hint(M, Goal, _, Hint) :- word_hint(M, Goal, Hint).
goal_hint(M, Goal, Bindings, Hint) :-
    mistaken(M, Goal, Bindings, Name, Atom),
    format(string(Hint), "~w begins with a capital letter, so it is a variable: did you mean ~w?", [Name,Atom]).

% rule_hint(+Module, -Hint): what a rule beside the program was hardly meant to say. One may be for several pictures, of
% which others have the object that it names.

rule_hint(M, Hint) :-
    rule(M, Head, Body, At, Bindings),
    (   member(Name-Variable, Bindings),
        occurrences_of_var(Variable, Head-Body, 1),
        \+ sub_atom(Name, 0, _, _, '_'),
        format(string(Fault), "~w stands once in this rule: write _ for what may be anything", [Name])
    ;   unknown_name(M, Body, Name),
        \+ sub_atom(Name, 0, _, _, ob_),
        format(string(Fault), "no object is called ~q: a variable begins with a capital letter", [Name])
    ;   goal_in(Body, Call),
        functor(Call, Name, Arity),
        \+ predicate_property(M:Call, defined),
        once(( owner(M, Near, _), functor(Near, Meant, Arity), dwim_match(Name, Meant) )),
        format(string(Fault), "unknown predicate ~q: did you mean ~q?", [Name/Arity,Meant/Arity])
    ;   predicate_property(M:Head, tabled),
        goal_in(Body, Denial),
        closed(Denial, _),
        once(( reached(M, of_rules, [Denial], Again), Again = Head )),
        functor(Denial, Name, _),
        format(string(Fault), "~w asks for all of this very table: where that goes round in a circle, answers may be wrong", [Name])
    ;   word_hint(M, Body, Fault)
    ),
    string_concat(At, Fault, Hint).

% rule(+Module, ?Head, -Body, -At, -Bindings): it is one of rules beside the program, in the file and line At, and Bindings
% are its variables, Name-Variable; none where the compiler has put its body in other words.

rule(M, Head, Body, At, Bindings) :-
    owner(M, Head, rules(_, File)),
    clause(M:Head, Body, Ref),
    own_names(M, Ref, Line, Names),
    term_variables(Head-Body, Variables),
    ( pairs_keys_values(Bindings, Names, Variables) -> true ; Bindings = [] ),
    format(string(At), "~w:~d: ", [File,Line]).

of_rules(M, Head) :- owner(M, Head, rules(_, _)).

goal_in(Goal, Goal).
goal_in(Goal, Call) :- meta(Goal, Spec), inner(_, Goal, Spec, Inner), callable(Inner), goal_in(Inner, Call).

% early(+Goal, +Module, +Rule, +Before, +After, -Hint): a goal is asked before a variable has a value, and means another
% thing so: `\+ category(X, dog), object(X)` denies that there is a dog at all. Goal is walked as it runs, into the rules
% that it comes to. Rule is rule(At, Bindings, Head, Seen) of the query or of a rule, whose file and line At names; the
% predicates Seen lead to it. What is asked Before Goal may have given values, and what is asked After it may.

early(Goal, M, Rule, Before, After, Hint) :-
    Goal =.. [Joint,A,B],
    memberchk(Joint, [',',->,*->,;]),
    !,
    ( Joint == (;) -> Then-Given = After-Before ; outer(M, A, Outer), Then-Given = [B|After]-[Outer|Before] ),
    ( early(A, M, Rule, Before, Then, Hint) ; early(B, M, Rule, Given, After, Hint) ).
early(Goal, M, rule(At, Bindings, Head, _), Before, After, Hint) :-
    wanting(Goal, Before, Test, X),
    member(Binding, Bindings),
    Binding =.. [_,Name,Variable],
    Variable == X,
    \+ sub_atom(Name, 0, _, _, '_'),
    outer(M, After, Later),
    (   member(Next, Later),
        argument(M, Next, Arg, Fact, Place),
        contains_var(X, Arg)
    ->  \+ ( Test \== (\+), argument(M, Goal, Same, Own, OwnPlace), Same == X, Own-OwnPlace =@= Fact-Place ),
        functor(Fact, First, _)
    ;   contains_var(X, Head),
        \+ contains_var(X, Later),     % L = none gives it one, and is no goal to be asked first
        First = "for what gives it one"
    ),
    format(string(Hint), "~s~w has no value yet where ~w needs it: first ask ~w", [At,Name,Test,First]).
early(Goal, M, rule(_, _, _, Seen), Before, After, Hint) :-
    most_general_goal(Goal, Head),
    \+ memberchk(Head, Seen),
    rule(M, Head, Body, At, Bindings),
    Head = Goal,
    early(Body, M, rule(At, Bindings, Head, [Head|Seen]), Before, After, Hint).
early(Goal, M, Rule, Before, _, Hint) :-
    \+ owner(M, Goal, _),
    meta(Goal, Spec),
    ( Goal = forall(A, B) -> Inner = (A, B) ; arg(I, Spec, Mode), memberchk(Mode, [0,^]), inner(I, Goal, Spec, Inner) ),
    early(Inner, M, Rule, Before, [], Hint).

% wanting(+Goal, +Before, -Test, -X): Goal, a Test, means another thing where X has no value, and nothing Before gives it one:
% it denies or compares X, or counts Ys for X. Who writes \+ \+ wants no values.

wanting(Goal, Before, Test, X) :-
    functor(Goal, Test, _),
    Goal \= (\+ \+ _),
    term_variables(Before, Valued),
    term_variables(Before-Goal, Variables),
    append(Valued, Free, Variables),
    (   memberchk(Test, [\+,\=,==,\==,@<,@>,@=<,@>=])
    ->  member(X, Free)
    ;   closed(Goal, Outer),
        arg(1, Goal, Own),
        Free = [_,_,_|_],               % of a count of Y for X; two are of whether there is an X
        member(X, Free),
        \+ contains_var(X, Outer-Own)
    ).

word_hint(M, Goal, Hint) :-
    calls(M, Goal, colour(_, Word)),
    nonvar(Word),
    setof(Known, R^G^B^fact(M, palette(Known, R, G, B)), Words),
    \+ memberchk(Word, Words),
    atomic_list_concat(Words, ', ', List),
    format(string(Hint), "no colour is called ~q: there are ~w", [Word,List]).
word_hint(M, Goal, Hint) :-
    '$member'(Known-Fact, [S-score(_, S),S-at(_, score(_, S)),S-score(_, _, S)]),   % of a picture, a film, a base
    owner(M, Fact, program),
    copy_term(Known-Fact, Score-Call),
    calls(M, Goal, Call),
    compared(Goal, Score, [<,>,=<,>=], N),
    number(N),
    N > 1,
    \+ ( limit(100, fact(M, Fact)), number(Known), Known > 1 ),        % a game's points
    P is N/100.0,
    format(string(Hint), "a score is from 0 to 1: write ~w for ~w %", [P,N]).
word_hint(M, Goal, Hint) :-             % of a base, where in/2 asks for it
    calls(M, Goal, image(Name, _, _, _)),
    nonvar(Name),
    once(fact(M, image(_, _, _, _))),
    \+ fact(M, image(Name, _, _, _)),
    format(string(Hint), "no picture is called ~q: write its path in the folder in quotes, '00.png' say", [Name]).
word_hint(M, Goal, Hint) :-
    calls(M, Goal, overlaps_a(_, Word)),
    atom(Word),
    fact(M, zone(Zone)),
    dwim_match(Word, Zone),
    \+ fact(M, category(_, Word)),
    !,
    format(string(Hint), "~q is a zone, and nothing is called ~q: ask overlaps(X, ~q)", [Zone,Word,Zone]).
word_hint(M, Goal, Hint) :-             % a picture need not show what is asked for, but this is nearly what it shows
    (   '$member'(Call-Fact,
                  [ category(_, Word0)-category(_, Known), overlaps_a(_, Word0)-category(_, Known),
                    at(_, category(_, Word0))-at(_, category(_, Known)),     % of a film; then of a base
                    category(I, _, Word0)-category(I, _, Known), overlaps_a(I, _, Word0)-category(I, _, Known) ]),
        Like = [dwim_match(Word, Known),normalize_space(atom(Word), Known)],
        calls(M, Goal, Call)
    ;   argument(M, Goal, Word0, Fact, Known),  % whatever it is: 6 is no 6.0
        Like = [( number(Word), number(Known), Known =:= Word )]
    ),
    ( atomic(Word0) -> Word = Word0 ; compared(Goal, Word0, [=,==,\=,\==], Word), atomic(Word) ),
    \+ ( Known = Word, clause(M:Fact, Body), Body \== fail ),
    fact(M, Fact),
    '$member'(Alike, [atom_string(Known, Word)|Like]),           % "person" is a string
    call(Alike),
    !,
    format(string(Hint), "nothing is called ~q here: did you mean ~q?", [Word,Known]).
word_hint(M, Goal, Hint) :-             % of what are facts with a word each
    argument(M, Goal, Words, Fact, Known),
    compound(Words),
    ground(Words),
    ( is_list(Words) -> List = Words ; Words = (_;_), semicolon_list(Words, List) ),
    once(clause(M:Fact, _)),
    \+ ( clause(M:Fact, _), \+ atomic(Known) ),
    format(string(Hint), "one word stands where ~q does: write C there, and member(C, ~q) before it", [Words,List]).

% compared(+Goal, +Variable, +Operators, -Value): Goal compares them, or Variable with a list that has Value.

compared(Goal, Variable, Operators, Value) :-
    goal_in(Goal, Test),
    Test =.. [Operator,A,B],
    (   memberchk(Operator, Operators),
        ( A == Variable, Value = B ; B == Variable, Value = A )
    ;   memberchk(=, Operators),
        memberchk(Operator, [member,memberchk]),
        A == Variable,
        is_list(B),
        '$member'(Value, B)
    ).

% argument(+Module, +Goal, -Arg, -Fact, -Known): Goal calls a predicate with Arg where the general call Fact has Known.

argument(M, Goal, Arg, Fact, Known) :-
    calls(M, Goal, Call),
    compound(Call),
    most_general_goal(Call, Fact),
    arg(I, Call, Arg),
    arg(I, Fact, Known).

mistaken(M, Goal, Bindings, Name, Atom) :-
    '$member'(Name=Variable, Bindings),
    downcase_atom(Name, Atom),
    Atom \== Name,
    once(meant(M, Goal, Variable, Atom)).

meant(M, _, _, Atom) :- fact(M, object(Atom)).
meant(M, Goal, Variable, Atom) :-
    atom_length(Atom, Length),
    Length > 2,                         % nobody means a by A
    argument(M, Goal, Arg, Fact, Atom),
    Arg == Variable,
    fact(M, Fact).

known(M, Name) :- once(( fact(M, object(Name)) ; fact(M, background(Name)) )).

%!  objects(+Module, -Objects) is det.
%
%   Objects are those that facts name.

objects(M, Objects) :- findall(Object, fact(M, object(Object)), Objects).

%!  fact(+Module, ?Fact) is nondet.
%
%   The program or the rules have it.

fact(M, Fact) :-
    owner(M, Fact, _),
    clause(M:Fact, true).

% is_of_objects(+Module, +Call, +I, +Places): argument I of Call's predicate is an object in all its clauses, not all of
% which come back. Places is [places] where it may be a zone as well, else [].

is_of_objects(M, Call, I, Places) :-
    most_general_goal(Call, Head),
    object_argument(Head, I, M, Places),
    clause(M:Head, Body),
    arg(I, Head, Arg),
    ( place_argument(Head, I) -> true ; object_in(Arg, Body, M, [Head-I,without|Places]) ),
    !.

% place_argument(+Head, +I): the program may tell of zones there, as of objects.

place_argument(zone(_), 1).
place_argument(share_inside(_, _, _), 2).
place_argument(Head, I) :-
    functor(Head, Name, 2),
    memberchk(I-Name, [_-eq,_-ntpp,_-tpp,_-ntppi,_-tppi,_-po,_-ec]).

% Seen are the arguments that are being looked into: in a clause that hands an argument on to one of them, it is what
% the other clauses say; without these if that is said.

object_argument(object(_), 1, M, _) :-
    !,
    owner(M, object(_), _),
    \+ ( clause(M:object(Object), Body), \+ ( Body == true, atom(Object) ) ).
object_argument(Head, I, M, Seen) :-
    place_argument(Head, I),
    owner(M, zone(_), program),
    !,
    memberchk(places, Seen).
object_argument(Head, I, _, Seen) :-
    most_general_goal(Head, General),
    memberchk(General-I, Seen),
    !,
    \+ memberchk(without, Seen).
object_argument(Head, I, M, Seen) :-
    most_general_goal(Head, General),
    owner(M, General, _),
    once(clause(M:General, _)),
    \+ ( clause(M:General, Body),
         arg(I, General, Arg),
         \+ object_in(Arg, Body, M, [General-I|Seen])
       ).

object_in(Arg, _, M, _) :-
    nonvar(Arg),
    !,
    atom(Arg),
    known(M, Arg).
object_in(Arg, Body, M, Seen) :-
    literal(Body, Literal),
    arg(I, Literal, Other),
    Other == Arg,
    object_argument(Literal, I, M, Seen),
    !.
