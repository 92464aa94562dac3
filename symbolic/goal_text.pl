:- module(goal_text,
          [ goal_text/3,                % +Term, +Module, -Text
            rule_text/4,                % +Rule, +Module, +Names, -Text
            abridged/2                  % +Term, -Part
          ]).

/** <module> Goals and clauses as short texts on one line

For people, not to be read back: of large terms a part is written, and ... for the rest. Variables of goals are
A, B, ..., and one that occurs once is _; those of rules have their own names. Nothing of a term is written, copied or
counted beyond that part.
*/

:- use_module(library(apply), [foldl/5, maplist/3, maplist/4]).
:- use_module(library(lists), [append/3]).

% Of one text: nodes of the term, arguments of a compound, characters of an atom, bits of an integer.
most(nodes, 400).
most(arguments, 30).
most(characters, 200).
most(bits, 200).

%!  goal_text(+Term, +Module, -Text) is det.
%
%   Text is that of Term, a goal or a clause, with the operators of Module.

goal_text(Term0, M, Text) :-
    abridged(Term0, Term),
    term_variables(Term, Variables),
    copy_term_nat(Variables-Term, Letters-Copy),
    numbervars(Copy, 0, _, [singletons(true)]),
    maplist(letter_name, Letters, Names),
    written(Term, M, Names, Variables, Text).

letter_name(Letter, Name) :- format(atom(Name), "~W", [Letter,[numbervars(true)]]).

%!  rule_text(+Rule, +Module, +Names, -Text) is det.
%
%   As goal_text/3, but Names, in the order of term_variables/2, are those of Rule's variables.

rule_text(Rule0, M, Names, Text) :-
    term_variables(Rule0, Variables),
    abridged(Rule0, Rule),
    written(Rule, M, Names, Variables, Text).

written(Term, M, Names, Variables, Text) :-
    maplist(named, Names, Variables, Bindings),
    with_output_to(string(Text), clause_text(Term, M, Bindings)).

named(Name, Variable, Name=Variable).

%!  abridged(+Term, -Part) is det.
%
%   Part is Term with ... for what is too much to be told: a small term may share its parts, and be endless on paper.

abridged(Term, Part) :-
    most(nodes, Nodes),
    abridged(Term, Part, Nodes, _).

% abridged(+Term, -Part, +Nodes0, -Nodes): Part has at most Nodes0 nodes of Term; Nodes are left.

abridged(_, '...', Nodes, Nodes) :-
    Nodes =< 0,
    !.
abridged(Term, Term, Nodes0, Nodes) :-
    var(Term),
    !,
    Nodes is Nodes0-1.
abridged(Term, Short, Nodes0, Nodes) :-
    compound(Term),
    !,
    Nodes1 is Nodes0-1,
    compound_name_arity(Term, Name, Arity),
    most(arguments, Most),
    Told is min(Arity, Most),           % of those beyond none is touched
    findall(Place, between(1, Told, Place), Places),
    foldl(abridged_argument(Term), Places, Shorts0, Nodes1, Nodes),
    ( Arity > Most -> append(Shorts0, ['...'], Shorts) ; Shorts = Shorts0 ),
    compound_name_arguments(Short, Name, Shorts).
abridged(Term, Short, Nodes0, Nodes) :-
    Nodes is Nodes0-1,
    (   short(Term)
    ->  Short = Term
    ;   number(Term)
    ->  Short = '...'
    ;   most(characters, Most),
        sub_string(Term, 0, Most, _, Start),
        string_concat(Start, "...", Text),
        ( atom(Term) -> atom_string(Short, Text) ; Short = Text )
    ).

abridged_argument(Term, Place, Short, Nodes0, Nodes) :-
    arg(Place, Term, Arg),
    abridged(Arg, Short, Nodes0, Nodes).

short(Term) :-
    (   rational(Term, Numerator, Denominator)
    ->  most(bits, Most),
        max(abs(Numerator), Denominator) < 1<<Most
    ;   \+ ( ( string(Term) ; blob(Term, text) ), string_length(Term, Length), most(characters, Most), Length > Most )
    ).

% clause_text(+Term, +Module, +Names): writes Term, a goal or a clause, on one line.

clause_text((Head :- Body), M, Names) :-
    !,
    clause_text(Head, M, Names),
    write(' :- '),
    body_text(Body, M, Names).
clause_text(Goal, M, Names) :- body_text(Goal, M, Names).

body_text(Var, M, Names) :-
    var(Var),
    !,
    term_text(Var, 999, M, Names).
body_text((A, B), M, Names) :-
    !,
    body_text(A, M, Names),
    write(', '),
    body_text(B, M, Names).
body_text(Goal, M, Names) :-
    either(Goal, _, _, _),
    !,
    write('( '),
    either_text(Goal, M, Names),
    write(' )').
body_text(\+ A, M, Names) :-
    !,
    write('\\+ '),
    (   nonvar(A),
        A = (_, _)
    ->  write('( '),
        body_text(A, M, Names),
        write(' )')
    ;   body_text(A, M, Names)
    ).
body_text(Goal, M, Names) :-
    compound(Goal),
    compound_name_arguments(Goal, Name, [Left,Right]),
    current_op(700, xfx, M:Name),
    !,
    term_text(Left, 699, M, Names),
    put_char(' '),
    term_text(Name, 1200, M, Names),
    put_char(' '),
    term_text(Right, 699, M, Names).
body_text(Goal, M, Names) :- term_text(Goal, 999, M, Names).

% either(+Goal, -A, -Operator, -B): Goal chooses, by an Operator between A and B.

either((A ; B), A, ;, B).
either((A -> B), A, ->, B).
either((A *-> B), A, *->, B).

either_text(Goal, M, Names) :-
    nonvar(Goal),
    either(Goal, A, Operator, B),
    !,
    (   Operator == (;)
    ->  either_text(A, M, Names),
        write(' ; '),
        either_text(B, M, Names)
    ;   body_text(A, M, Names),
        format(' ~w ', [Operator]),
        body_text(B, M, Names)
    ).
either_text(Goal, M, Names) :- body_text(Goal, M, Names).

term_text(Term, Priority, M, Names) :-
    write_term(Term, [ quoted(true), variable_names(Names), module(M), spacing(next_argument), priority(Priority),
                       portray(false), numbervars(false), attributes(ignore)
                     ]).
