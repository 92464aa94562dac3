:- module(relations_game,
          [ same_label/1,                     % -Label
            between_label/1,                  % -Label
            occurs_label/1,                   % -Label
            xoccurs_label/1,                  % -Label
            colour_and_or_shape_label/1,      % -Label
            row_pattern_label/1,              % -Label
            column_pattern_label/1,           % -Label
            match_rows_label/1,               % -Label
            scatter_label/1,                  % -Label
            twins/2,                          % ?X, ?Y
            flanked_by_twins/3,               % ?Middle, ?X, ?Y
            topmost/1,                        % ?Top
            occurrence/2,                     % ?Top, ?Copy
            sole_occurrence/2,                % ?Top, ?Copy
            row_of_three/3,                   % ?Left, ?Middle, ?Right
            column_of_three/3,                % ?Top, ?Middle, ?Bottom
            pattern/4,                        % +A, +B, +C, -Pattern
            row_pattern/1,                    % ?Pattern
            column_pattern/1,                 % ?Pattern
            matching_rows/1,                  % ?Pattern
            task_pattern/2                    % ?Task, ?Pattern
          ]).

/** <module> The theory of the Relations Game

The tasks of the Relations Game, said as rules. Nothing here was learned: a rule speaks of objects and of a few
relations between them, and a program exported from an image says which hold. So a question that no network
was trained for can be asked of any image.

    $ swipl scene.pl relations_game.pl
    ?- between_label(Label).
    Label = 1.

What the program has to say:

| object(X)             | X is an object of the scene                                              |
| same(X, Y)            | X and Y, two objects, look the same; symmetric                           |
| same_shape(X, Y)      | they have the same shape in the same orientation; symmetric              |
| same_colour(X, Y)     | they have the same colour; symmetric                                     |
| above(X, Y)           | X is higher up in the image than Y                                       |
| left_of(X, Y)         | X is further to the left than Y                                          |
| same_row(X, Y)        | X and Y are at the same height; same_column/2 likewise                   |
| lies_between(X, Y, Z) | X lies on the line through Y and Z, between the two                      |
| task(T)               | which pattern is asked for, in tasks with several: see task_pattern/2.   |
|                       | No exported program says it: add the fact, `task(0).`, to your own rules |

For each task there is a predicate about the objects, which answers *why*, and one ending in `_label`, which gives
the label the data set gives: exactly one for any scene, also one that the task would never show. Names of
objects mean nothing, so no rule compares them except to tell two objects apart.

Every predicate is pure.
*/

%@ task/1: say which pattern is asked for, with a fact beside the rules such as task(0). (see task_pattern/2)

% --- Two alike ---

%!  twins(?X, ?Y) is nondet.
%
%   X and Y are two objects that look the same. Each pair is found both ways round.

twins(X, Y) :-
    object(X),
    object(Y),
    X \== Y,
    same(X, Y).

%!  same_label(-Label) is det.
%!  scatter_label(-Label) is det.
%
%   Task same: Label is 1 if the two objects of the scene look the same, else 0; task scatter: if some two of any number do.

same_label(Label) :-
    ( twins(_, _) -> Label = 1 ; Label = 0 ).

scatter_label(Label) :-
    same_label(Label).

%!  colour_and_or_shape_label(-Label) is det.
%
%   Task colour_and_or_shape, on two objects: Label is 0 if they have colour and shape in common, 1 if the colour
%   only, 2 if the shape only, 3 if neither.

colour_and_or_shape_label(Label) :-
    (   two(X, Y), same_colour(X, Y)
    ->  ( two(Z, W), same_shape(Z, W) -> Label = 0 ; Label = 1 )
    ;   two(X, Y), same_shape(X, Y)
    ->  Label = 2
    ;   Label = 3
    ).

two(X, Y) :-
    object(X),
    object(Y),
    X \== Y.

% --- Between ---

%!  flanked_by_twins(?Middle, ?X, ?Y) is nondet.
%
%   Middle lies between X and Y, which look the same.

flanked_by_twins(Middle, X, Y) :-
    twins(X, Y),
    object(Middle),
    Middle \== X,
    Middle \== Y,
    lies_between(Middle, X, Y).

%!  between_label(-Label) is det.
%
%   Task between: Label is 1 if some object lies between two that look the same, else 0.

between_label(Label) :-
    ( flanked_by_twins(_, _, _) -> Label = 1 ; Label = 0 ).

% --- Occurrence ---

%!  topmost(?Top) is nondet.
%!  occurrence(?Top, ?Copy) is nondet.
%
%   Top is above every other object, and Copy, further down, looks the same.

topmost(Top) :-
    object(Top),
    \+ ( object(X),
         X \== Top,
         \+ above(Top, X)
       ).

occurrence(Top, Copy) :-
    topmost(Top),
    twins(Top, Copy).

%!  occurs_label(-Label) is det.
%
%   Task occurs: Label is 1 if the topmost object occurs again below, else 0.

occurs_label(Label) :-
    ( occurrence(_, _) -> Label = 1 ; Label = 0 ).

%!  sole_occurrence(?Top, ?Copy) is nondet.
%
%   Copy is the only object that looks like Top, the topmost one, and those below Top are all different.

sole_occurrence(Top, Copy) :-
    occurrence(Top, Copy),
    \+ ( twins(Top, Other),
         Other \== Copy
       ),
    \+ ( twins(X, Y),
         X \== Top,
         Y \== Top
       ).

%!  xoccurs_label(-Label) is det.
%
%   Task xoccurs: Label is 1 if the topmost object occurs again below and the objects below are all different, else 0.

xoccurs_label(Label) :-
    ( sole_occurrence(_, _) -> Label = 1 ; Label = 0 ).

% --- Patterns ---

%!  row_of_three(?Left, ?Middle, ?Right) is nondet.
%!  column_of_three(?Top, ?Middle, ?Bottom) is nondet.
%
%   Three objects of one row, from left to right; of one column, from top to bottom.

row_of_three(Left, Middle, Right) :-
    two(Left, Middle),
    same_row(Left, Middle),
    left_of(Left, Middle),
    two(Middle, Right),
    same_row(Middle, Right),
    left_of(Middle, Right).

column_of_three(Top, Middle, Bottom) :-
    two(Top, Middle),
    same_column(Top, Middle),
    above(Top, Middle),
    two(Middle, Bottom),
    same_column(Middle, Bottom),
    above(Middle, Bottom).

%!  pattern(+A, +B, +C, -Pattern) is det.
%
%   Pattern says which of three objects look the same: one of aaa, aab, abb, aba, abc.

pattern(A, B, C, Pattern) :-
    (   same(A, B)
    ->  ( same(B, C) -> Pattern = aaa ; Pattern = aab )
    ;   same(B, C)
    ->  Pattern = abb
    ;   same(A, C)
    ->  Pattern = aba
    ;   Pattern = abc
    ).

%!  row_pattern(?Pattern) is nondet.
%!  column_pattern(?Pattern) is nondet.
%
%   Some row of three objects has Pattern, read from left to right; some column, from top to bottom.

row_pattern(Pattern) :-
    row_of_three(A, B, C),
    pattern(A, B, C, Pattern).

column_pattern(Pattern) :-
    column_of_three(A, B, C),
    pattern(A, B, C, Pattern).

%!  task_pattern(?Task, ?Pattern) is nondet.
%
%   The pattern that the task id Task asks for. Tasks with three ids know the first three.

task_pattern(0, aba).
task_pattern(1, aab).
task_pattern(2, abb).
task_pattern(3, aaa).
task_pattern(4, abc).

asked_pattern(Pattern) :- task(Task), task_pattern(Task, Pattern).

%!  row_pattern_label(-Label) is det.
%!  column_pattern_label(-Label) is det.
%
%   Tasks row_patterns_3 and row_patterns_5, column_patterns_3 and column_patterns_5: Label is 1 if a row, or a column,
%   has the pattern that task/1 asks for, else 0.

row_pattern_label(Label) :- ( asked_pattern(Pattern), row_pattern(Pattern) -> Label = 1 ; Label = 0 ).

column_pattern_label(Label) :- ( asked_pattern(Pattern), column_pattern(Pattern) -> Label = 1 ; Label = 0 ).

%!  matching_rows(?Pattern) is nondet.
%
%   Two rows of three objects, one above the other, both have Pattern.

matching_rows(Pattern) :-
    row_of_three(A, B, C),
    row_of_three(D, E, F),
    above(A, D),
    pattern(A, B, C, Pattern),
    pattern(D, E, F, Pattern).

%!  match_rows_label(-Label) is det.
%
%   Task match_rows: Label is 1 if two rows have the same pattern, else 0.

match_rows_label(Label) :-
    ( matching_rows(_) -> Label = 1 ; Label = 0 ).
