:- module(json_terms,
          [ json_string/2,              % +Value, -Text
            json_answer/4,              % +Bindings, +Module, !Budget, -Text
            reported/2,                 % +Bindings, -Names
            answer_budget/1             % -Budget
          ]).

/** <module> JSON, and answers as JSON

| term | JSON |
|---|---|
| atom | "ob_1" |
| number | bare; beyond 2^53 {"int":"..."}; {"rational":["1","3"]}; {"float":"inf"} |
| list | array |
| other compound | {"functor":"f","args":[...]} |
| string | {"string":"s"} |
| variable | {"var":"X"}: variables that are the same share the name |

A small term can be a giant text, because Prolog shares subterms and JSON cannot. So every node and every
character is paid for from a budget, a term budget(Nodes, Characters) that is changed in place and lasts for all
the answers of a query. Nothing is copied before it is paid for.

Names of variables are attributes while an answer is written: no term of the user can be mistaken for one.
*/

:- use_module(library(apply), [exclude/3, maplist/2, maplist/3]).

% Deeper terms would exhaust the recursion of JSON readers.
maximal_depth(100).

%!  answer_budget(-Budget) is det.
%
%   Budget pays for all the answers of one goal together.

answer_budget(Budget) :-
    budget(250 000, 4 000 000, Budget).

budget(Nodes, Characters, budget(Nodes, Characters)).

spend(Budget, Characters) :-
    arg(1, Budget, Nodes0),
    arg(2, Budget, Characters0),
    Nodes is Nodes0-1,
    Left is Characters0-Characters,
    (   Nodes >= 0,
        Left >= 0
    ->  nb_setarg(1, Budget, Nodes),
        nb_setarg(2, Budget, Left)
    ;   too_large
    ).

too_large :-
    throw(refused(answer_too_large,
                  "the answers are too large to write: ask for less, or for fewer with a smaller limit")).

%!  json_answer(+Bindings, +Module, !Budget, -Text) is det.
%
%   Text is {"bindings":{...}} for Bindings, a list Name=Value, with "constraints":[...] if any are left on
%   the variables. Names that begin with _ are not reported. Operators in constraints are Module's.
%
%   @throws refused(answer_too_large, Message) if the budget does not suffice, or a value is cyclic.

json_answer(Bindings0, M, Budget, Text) :-
    finite(Bindings0),
    findall(Text0,                      % undoes the naming
            ( without_attributes(Bindings0, Bindings, Constraints),
              name_variables(Bindings, Constraints, Budget),
              with_output_to(string(Text0), answer(Bindings, Constraints, M, Budget))
            ),
            [Text]).

finite(Bindings) :-
    (   '$member'(Name=Value, Bindings),
        \+ acyclic_term(Value)
    ->  format(string(Message), "~w is bound to a cyclic term, which is infinite and cannot be written", [Name]),
        throw(refused(answer_too_large, Message))
    ;   true
    ).

without_attributes(Bindings, Bindings, []) :-
    term_attvars(Bindings, []),
    !.
without_attributes(Bindings0, Bindings, Constraints) :-
    copy_term(Bindings0, Bindings, Constraints).

%   More variables than Budget has nodes cannot be written: naming them first would take all the memory.

name_variables(Bindings, Constraints, budget(Nodes, _)) :-
    maplist(name_own, Bindings),
    term_variables(Bindings+Constraints, Variables),
    length(Variables, Count),
    ( Count =< Nodes -> true ; too_large ),
    name_rest(Variables, 1, Bindings).

name_own(Name=Value) :-
    (   var(Value),
        \+ attvar(Value)
    ->  put_attr(Value, json_terms, Name)
    ;   true
    ).

%   Writing may bind a variable for a moment, and Prolog then asks its attributes.

attr_unify_hook(_, _).

name_rest([], _, _).
name_rest([V|Vs], I, Bindings) :-
    (   attvar(V)
    ->  name_rest(Vs, I, Bindings)
    ;   atom_concat('_', I, Name),
        I1 is I+1,
        (   memberchk(Name=_, Bindings)
        ->  name_rest([V|Vs], I1, Bindings)
        ;   put_attr(V, json_terms, Name),
            name_rest(Vs, I1, Bindings)
        )
    ).

answer(Bindings, Constraints, M, Budget) :-
    write('{"bindings":{'),
    exclude(unreported, Bindings, Reported),
    separated(binding(Budget), Reported, ""),
    write('}'),
    (   Constraints == []
    ->  true
    ;   write(',"constraints":'),
        maplist(constraint_text(M, Budget), Constraints, Texts),
        json(Texts)
    ),
    write('}').

%!  reported(+Bindings, -Names) is det.
%
%   Names are those of Bindings that answers tell.

reported(Bindings, Names) :-
    findall(Name, ( '$member'(Name=Value, Bindings), \+ unreported(Name=Value) ), Names).

unreported(Name=_) :-
    sub_atom(Name, 0, _, _, '_').

binding(Budget, Name=Value) :-
    json_text(Name),
    write(:),
    term(0, Budget, Value).

% separated(:Writes, +List, +Separator): writes each of List, Separator before it and commas between. Writing binds
% nothing: the memory that it took is given back at once, or giant answers would fill the stacks before the budget is out.

separated(_, [], _).
separated(Writes, [Each|Rest], Separator) :-
    write(Separator),
    \+ \+ call(Writes, Each),
    separated(Writes, Rest, ",").

constraint_text(M, Budget, Constraint, Text) :-
    unqualified(Constraint, Goal),
    term_variables(Goal, Variables),
    maplist(named, Variables, Names),
    price(Budget, Goal),
    with_output_to(string(Text),
                   write_term(Goal, [ quoted(true), variable_names(Names), module(M), spacing(next_argument),
                                      portray(false), numbervars(false), attributes(ignore) ])).

unqualified(_:Goal, Goal) :- !.
unqualified(Goal, Goal).

named(V, Name=V) :-
    get_attr(V, json_terms, Name).

% price(!Budget, +Term): pays for Term's nodes, without writing.

price(Budget, Term) :-
    (   atomic(Term)
    ->  format(string(Text), "~w", [Term]),
        string_length(Text, Characters),
        spend(Budget, Characters)
    ;   spend(Budget, 8),
        (   compound(Term)
        ->  compound_name_arguments(Term, _, Args),
            maplist(price(Budget), Args)
        ;   true
        )
    ).

% term(+Depth, !Budget, +Term): writes Term.

term(Depth, Budget, Term) :-
    (   var(Term)
    ->  get_attr(Term, json_terms, Name),
        tagged(var, Name, Budget)
    ;   atom(Term)
    ->  quoted(Budget, Term)
    ;   integer(Term),
        abs(Term) > 9007199254740992
    ->  digits(Term, Digits, Budget),
        tagged(int, Digits, Budget)
    ;   float(Term),
        special(Term, Text)
    ->  tagged(float, Text, Budget)
    ;   ( integer(Term) ; float(Term) )
    ->  spend(Budget, 16),
        write(Term)
    ;   Term == []
    ->  spend(Budget, 2),
        write([])
    ;   string(Term)
    ->  tagged(string, Term, Budget)
    ;   rational(Term, Numerator, Denominator)
    ->  digits(Numerator, N, Budget),
        digits(Denominator, D, Budget),
        write('{"rational":['),
        separated(quoted(Budget), [N,D], ""),
        write(']}')
    ;   compound(Term)
    ->  Depth1 is Depth+1,
        within(Depth1),
        compound(Term, Depth1, Budget)
    ;   format(string(Text), "~w", [Term]),     % a blob
        quoted(Budget, Text)
    ).

special(Float, Text) :-
    float_class(Float, Class),
    (   Class == nan
    ->  Text = nan
    ;   Class == infinite,
        ( Float > 0 -> Text = inf ; Text = '-inf' )
    ).

compound(Term, Depth, Budget) :-
    (   Term = [_|_],
        is_list(Term)
    ->  spend(Budget, 2),
        write('['),
        separated(term(Depth, Budget), Term, ""),
        write(']')
    ;   compound_name_arguments(Term, Name, Args),
        write('{"functor":'),
        term(Depth, Budget, Name),
        write(',"args":['),
        separated(term(Depth, Budget), Args, ""),
        write(']}')
    ).

within(Depth) :-
    maximal_depth(Maximum),
    (   Depth =< Maximum
    ->  true
    ;   format(string(Message), "an answer is nested deeper than ~d levels", [Maximum]),
        throw(refused(answer_too_large, Message))
    ).

% digits(+Integer, -Text, !Budget): to print a giant takes long, so whether it can be paid for is asked before.

digits(Integer, Digits, Budget) :-
    Length is msb(abs(Integer)+1)*3//10,
    arg(2, Budget, Left),
    ( Length =< Left -> true ; spend(Budget, Length) ),
    format(string(Digits), "~d", [Integer]).

tagged(Tag, Text, Budget) :-
    write('{"'), write(Tag), write('":'),
    quoted(Budget, Text),
    write('}').

quoted(Budget, Text) :-
    atom_length(Text, Length),
    spend(Budget, Length),
    json_text(Text).

%!  json_string(+Value, -Text) is det.
%
%   Text is the JSON of Value: object([Key=Value,...]), whose keys need no escapes, a list, a number, text(Json) that is
%   JSON already, or an atom or a string.

json_string(Value, Text) :-
    with_output_to(string(Text), json(Value)).

json(object(Members)) :-
    !,
    put_char('{'),
    separated(json, Members, ""),
    put_char('}').
json(Key=Value) :-
    !,
    put_char('"'), write(Key), write('":'),
    json(Value).
json(text(Text)) :-
    !,
    write(Text).
json(Number) :-
    number(Number),
    !,
    write(Number).
json(Values) :-
    is_list(Values),
    !,
    put_char('['),
    separated(json, Values, ""),
    put_char(']').
json(Text) :-
    json_text(Text).

% json_text(+Text): writes Text, an atom or a string, as a JSON string.

json_text(Text) :-
    put_char('"'),
    escaped_characters(Characters),
    (   split_string(Text, Characters, "", [_]),        % has none: to look at each one here would take far longer
        \+ sub_atom(Text, _, _, _, '\000\')            % which would end Characters
    ->  write(Text)
    ;   atom_codes(Text, Codes),
        escaped(Codes)
    ),
    put_char('"').

term_expansion(escaped_characters(_), escaped_characters(Characters)) :-
    findall(Control, between(1, 31, Control), Controls),
    string_codes(Characters, [0'", 0'\\, 0x7f|Controls]).

escaped_characters(computed_when_loaded).

escaped([]).
escaped([Code|Codes]) :-
    (   Code =:= 0'"
    ->  write('\\"')
    ;   Code =:= 0'\\
    ->  write('\\\\')
    ;   ( Code < 0'\s ; Code =:= 0x7f )
    ->  format("\\u~|~`0t~16r~4+", [Code])
    ;   char_code(Char, Code), put_char(Char)
    ),
    escaped(Codes).
