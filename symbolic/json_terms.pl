:- module(json_terms,
          [ json_string/2,              % +Value, -Text
            json_answer/4,              % +Asked, +Module, !Budget, -Text
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

A small term can be a giant text, because Prolog shares subterms and JSON cannot. So every node and every character is
paid for, before it is copied, from a budget: a term budget(Nodes, Characters) that is changed in place and lasts for all
the answers of a query.
*/

:- use_module(library(apply), [exclude/3, foldl/5, maplist/2, maplist/3]).

% Deeper terms would exhaust the recursion of JSON readers.
maximal_depth(100).

%!  answer_budget(-Budget) is det.
%
%   Budget pays for all the answers of one goal together.

answer_budget(budget(250 000, 4 000 000)).

%!  json_answer(+Asked, +Module, !Budget, -Text) is det.
%
%   Asked is asked(Bindings, AsText): Text is {"bindings":{...}} for Bindings, a list Name=Value, with "constraints":[...] if
%   any are left on the variables, and if AsText is 1 with "text":{...}, the values as Prolog writes them. Names that begin
%   with _ are not reported. Operators are Module's.
%
%   @throws refused(answer_too_large, Message) if the budget does not suffice, or a value is cyclic.

json_answer(asked(Bindings0, AsText), M, Budget, Text) :-
    finite(Bindings0),
    findall(Text0,                      % undoes the naming
            ( without_attributes(Bindings0, Bindings, Constraints0),
              exclude(unreported, Bindings, Reported),
              maplist(unqualified, Constraints0, Constraints),
              pay(Budget, Reported-Constraints),
              term_variables(Reported-Constraints, Variables),
              foldl(name(Bindings), Variables, Names, 1, _),
              maplist(member_json, Reported, Members),
              maplist(term_text(M, Names, 1200, next_argument), Constraints, Texts),
              ( AsText =:= 1 -> maplist(member_text(M, Names), Reported, Written), Told = [text=object(Written)] ; Told = [] ),
              maplist(variable_json, Names),
              ( Texts == [] -> More = Told ; More = [constraints=Texts|Told] ),
              json_string(object([bindings=object(Members)|More]), Text0)
            ),
            [Text]).

finite(Bindings) :-
    forall(( '$member'(Name=Value, Bindings), \+ unreported(Name=Value), \+ acyclic_term(Value) ),
           ( format(string(Message), "~w is bound to a cyclic term, which is infinite and cannot be written", [Name]),
             throw(refused(answer_too_large, Message)) )).

without_attributes(Bindings, Bindings, []) :-
    term_attvars(Bindings, []),
    !.
without_attributes(Bindings0, Bindings, Constraints) :-
    copy_term(Bindings0, Bindings, Constraints).

%!  reported(+Bindings, -Names) is det.
%
%   Names are those of Bindings that answers tell.

reported(Bindings, Names) :-
    findall(Name, ( '$member'(Name=Value, Bindings), \+ unreported(Name=Value) ), Names).

unreported(Name=_) :- sub_atom(Name, 0, _, _, '_').

unqualified(_:Goal, Goal) :- !.
unqualified(Goal, Goal).

% name(+Bindings, ?Variable, -Named, +I0, -I): Named is Name=Variable. The Name is that in Bindings, or one with I0 or
% a number after it that none of Bindings has.

name(Bindings, Variable, Name=Variable, I0, I) :-
    (   '$member'(Name0=Value, Bindings),
        Value == Variable
    ->  Name = Name0,
        I = I0
    ;   I1 is I0+1,
        atom_concat('_', I0, Name0),
        ( memberchk(Name0=_, Bindings) -> name(Bindings, Variable, Name=Variable, I1, I) ; Name-I = Name0-I1 )
    ).

% variable_json(?Named): the variable becomes its own JSON, in all values that were made with it.

variable_json(Name=object([var=Name])).

% member_text(+Module, +Names, +Binding, -Member): its value as it can stand between `=` and a full stop: in brackets if it
% is an operator, or would grow together with the full stop; without operators if it could not be read back, as dicts' dot.

member_text(M, Names, Name=Value, Name=Text) :-
    term_text(M, Names, 699, standard, Value, Text1),
    (   catch(term_string(Read, Text1, [module(M)]), _, fail),
        Read =@= Value
    ->  Text0 = Text1
    ;   with_output_to(string(Text0), write_term(Value, [quoted(true), ignore_ops(true), variable_names(Names)]))
    ),
    (   ( atom(Value), current_op(_, _, M:Value) ; sub_atom(Text0, _, 1, 0, Last), char_type(Last, prolog_symbol) )
    ->  format(string(Text), "(~s)", [Text0])
    ;   Text = Text0
    ).

term_text(M, Names, Priority, Spacing, Term, Text) :-
    with_output_to(string(Text),
                   write_term(Term, [ quoted(true), variable_names(Names), module(M), priority(Priority), spacing(Spacing),
                                      portray(false), numbervars(false), attributes(ignore) ])).

% pay(!Budget, +Term): pays for all of Term.

pay(Budget, Term) :-
    (   compound(Term)
    ->  spend(Budget, 2),
        ( is_list(Term) -> Parts = Term ; compound_name_arguments(Term, Name, Args), Parts = [Name|Args] ),
        maplist(pay(Budget), Parts)
    ;   characters(Term, Characters),
        spend(Budget, Characters)
    ).

% characters(+Term, -Count): about so many are written for Term. (Browsers' Prolog has no write_length/3.)

characters(Term, Count) :-
    rational(Term, Numerator, Denominator),
    !,
    Count is max(16, ( msb(abs(Numerator)+1) + msb(Denominator) )*3//10).
characters(Term, Count) :-
    ( string(Term) ; blob(Term, text) ) -> string_length(Term, Count) ; Count = 16.

spend(Budget, Characters) :-
    arg(1, Budget, Nodes0),
    arg(2, Budget, Characters0),
    Nodes is Nodes0-1,
    Left is Characters0-Characters,
    (   Nodes >= 0,
        Left >= 0
    ->  nb_setarg(1, Budget, Nodes),
        nb_setarg(2, Budget, Left)
    ;   throw(refused(answer_too_large,
                      "the answers are too large to write: ask for less, or for fewer with a smaller limit"))
    ).

member_json(Name=Value, Name=Json) :- value_json(0, Value, Json).

% value_json(+Depth, +Term, -Json): Json is what json_string/2 takes for Term, which stands so deep in an answer.

value_json(Depth, Term, Json) :-
    (   var(Term)
    ->  Json = Term
    ;   rational(Term, Numerator, Denominator)
    ->  rational_json(Denominator, Numerator, Json)
    ;   float(Term)
    ->  ( special(Term, Text) -> Json = object([float=Text]) ; Json = Term )
    ;   string(Term)
    ->  Json = object([string=Term])
    ;   compound(Term)
    ->  Depth1 is Depth+1,
        maximal_depth(Maximum),
        (   Depth1 =< Maximum
        ->  true
        ;   format(string(Message), "an answer is nested deeper than ~d levels", [Maximum]),
            throw(refused(answer_too_large, Message))
        ),
        (   is_list(Term)
        ->  maplist(value_json(Depth1), Term, Json)
        ;   compound_name_arguments(Term, Name, Args),
            maplist(value_json(Depth1), [Name|Args], [Functor|Jsons]),
            Json = object([functor=Functor,args=Jsons])
        )
    ;   ( atom(Term) ; Term == [] )
    ->  Json = Term
    ;   format(string(Json), "~w", [Term])      % a blob
    ).

rational_json(1, Integer, Json) :-
    !,
    ( abs(Integer) =< 9007199254740992 -> Json = Integer ; number_string(Integer, Digits), Json = object([int=Digits]) ).
rational_json(Denominator, Numerator, object([rational=Digits])) :-
    maplist(number_string, [Numerator,Denominator], Digits).

special(Float, nan) :- float_class(Float, nan).
special(Float, Text) :-
    float_class(Float, infinite),
    ( Float > 0 -> Text = inf ; Text = '-inf' ).

%!  json_string(+Value, -Text) is det.
%
%   Text is the JSON of Value: object([Key=Value,...]), whose keys need no escapes, a list, a number, text(Json) that is
%   JSON already, or an atom or a string.

json_string(Value, Text) :- with_output_to(string(Text), json(Value)).

json(object(Members)) :-
    !,
    put_char('{'),
    elements(Members, ""),
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
    elements(Values, ""),
    put_char(']').
json(Text) :- json_text(Text).

% elements(+Values, +Separator): writes Values, Separator before them and commas between. Writing binds nothing: the memory
% that it took is given back at once, or giant answers would fill the stacks.

elements([], _).
elements([Value|Values], Separator) :-
    write(Separator),
    \+ \+ json(Value),
    elements(Values, ",").

% json_text(+Text): writes Text, an atom or a string, as a JSON string.

json_text(Text) :-
    put_char('"'),
    escaped_characters(Characters),
    (   split_string(Text, Characters, "", [_]),        % has none: to look at each one here would take far longer
        \+ sub_atom(Text, _, _, _, '\000\')            % which would end Characters
    ->  write(Text)
    ;   atom_codes(Text, Codes),
        maplist(escaped, Codes)
    ),
    put_char('"').

term_expansion(escaped_characters(_), escaped_characters(Characters)) :-
    findall(Control, between(1, 31, Control), Controls),
    string_codes(Characters, [0'", 0'\\, 0x7f|Controls]).

escaped_characters(computed_when_loaded).

escaped(Code) :-
    (   memberchk(Code, `"\\`)
    ->  format("\\~c", [Code])
    ;   ( Code < 0'\s ; Code =:= 0x7f )
    ->  format("\\u~|~`0t~16r~4+", [Code])
    ;   char_code(Char, Code), put_char(Char)
    ).
