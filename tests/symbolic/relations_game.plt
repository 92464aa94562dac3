/*  Tests of the theory of the Relations Game, on scenes made by hand.

    A scene is drawn as three rows of three cells. A cell is `..` if empty, else two letters, for shape and
    colour. Every scene is asked with its objects named in several orders: names must not matter.

    Run by test_plunit.py with the theory loaded beside this file; warnings (choice points) are failures.
*/

:- use_module(library(plunit)).

:- dynamic current/2.                   % current(Scene, NamesInOrder)

%!  scene(?Name, ?Rows) is nondet.

scene(same_pair,        [[ar,..,..], [..,..,ar], [..,..,..]]).
scene(same_shape_only,  [[ar,..,..], [..,..,ag], [..,..,..]]).
scene(same_colour_only, [[ar,..,..], [..,..,br], [..,..,..]]).
scene(nothing_same,     [[ar,..,..], [..,..,bg], [..,..,..]]).
scene(empty,            [[..,..,..], [..,..,..], [..,..,..]]).
scene(single,           [[..,..,..], [..,ar,..], [..,..,..]]).

scene(row_aba,          [[ar,bg,ar], [..,..,..], [..,..,..]]).
scene(row_aab,          [[..,..,..], [ar,ar,br], [..,..,..]]).
scene(row_abb,          [[..,..,..], [..,..,..], [ag,ar,ar]]).
scene(row_aaa,          [[..,..,..], [cb,cb,cb], [..,..,..]]).
scene(row_abc,          [[ar,ag,br], [..,..,..], [..,..,..]]).
scene(column_aba,       [[ar,..,..], [bg,..,..], [ar,..,..]]).
scene(column_aab,       [[..,..,ar], [..,..,ar], [..,..,br]]).
scene(column_abb,       [[..,ag,..], [..,ar,..], [..,ar,..]]).
scene(column_aaa,       [[..,cb,..], [..,cb,..], [..,cb,..]]).
scene(column_abc,       [[ar,..,..], [ag,..,..], [br,..,..]]).
scene(diagonal,         [[ar,..,..], [..,bg,..], [..,..,ar]]).
scene(other_diagonal,   [[..,..,ar], [..,bg,..], [ar,..,..]]).
scene(same_off_line,    [[ar,..,ar], [..,bg,..], [..,..,..]]).
scene(outer_same_shape, [[ar,bg,ag], [..,..,..], [..,..,..]]).

scene(occurs_once,      [[..,ar,..], [..,..,..], [bg,cb,ar]]).
scene(occurs_twice,     [[..,ar,..], [..,..,..], [ar,cb,ar]]).
scene(occurs_not,       [[..,ar,..], [..,..,..], [ag,cb,br]]).
scene(occurs_with_pair, [[..,ar,..], [..,..,..], [cb,ar,cb]]).
scene(pair_below_only,  [[..,ar,..], [..,..,..], [cb,cb,ag]]).

% A network may see what cannot be: here xy looks like xx and like yy, which do not look alike.
scene(occurs_askew,     [[..,xy,..], [..,..,..], [xx,cb,yy]]).

scene(rows_aba_aba,     [[ar,bg,ar], [..,..,..], [cb,ag,cb]]).
scene(rows_abc_abc,     [[ar,bg,cb], [..,..,..], [bg,ar,ag]]).
scene(rows_aaa_aaa,     [[ar,ar,ar], [..,..,..], [bg,bg,bg]]).
scene(rows_aab_abb,     [[ar,ar,bg], [..,..,..], [ar,bg,bg]]).
scene(rows_aaa_aba,     [[ar,ar,ar], [..,..,..], [ar,bg,ar]]).

scene(nine_different,   [[ar,ag,ab], [br,bg,bb], [cr,cg,cb]]).
scene(nine_with_pair,   [[ar,ag,ab], [br,bg,bb], [cr,cg,ar]]).

%!  names(?Names) is nondet.
%
%   The names of up to nine objects, in drawing order: as the exporter gives them, backwards, and shuffled.

names([ob_0,ob_1,ob_2,ob_3,ob_4,ob_5,ob_6,ob_7,ob_8]).
names([ob_8,ob_7,ob_6,ob_5,ob_4,ob_3,ob_2,ob_1,ob_0]).
names([ob_4,ob_8,ob_0,ob_3,ob_7,ob_1,ob_6,ob_2,ob_5]).

%!  asked(+Scene, +Names, :Goal) is semidet.
%
%   Goal is true in Scene, its objects named by Names.

asked(Scene, Names, Goal) :-
    setup_call_cleanup(asserta(current(Scene, Names), Reference),
                       Goal,
                       erase(Reference)).

% The vocabulary of a program, from the drawing.

thing(X, Column, Row, Kind) :-
    current(Scene, Names),
    scene(Scene, Rows),
    findall(Column0-Row0-Kind0,
            ( nth0(Row0, Rows, Cells), nth0(Column0, Cells, Kind0), Kind0 \== '..' ),
            Things),
    nth0(Index, Things, Column-Row-Kind),
    nth0(Index, Names, X).

object(X) :- thing(X, _, _, _).

position(X, Px, Py) :-
    thing(X, Column, Row, _),
    Px is 6.0+12*Column,
    Py is 6.0+12*Row.

same(X, Y) :-
    thing(X, _, _, XKind),
    thing(Y, _, _, YKind),
    X \== Y,
    ( XKind == YKind ; askew(XKind, YKind) ; askew(YKind, XKind) ).

askew(xy, xx).
askew(xy, yy).

same_shape(X, Y) :- alike(X, Y, 0).
same_colour(X, Y) :- alike(X, Y, 1).

alike(X, Y, Letter) :-
    thing(X, _, _, XKind),
    thing(Y, _, _, YKind),
    X \== Y,
    sub_atom(XKind, Letter, 1, _, Sign),
    sub_atom(YKind, Letter, 1, _, Sign).

left_of(X, Y) :- position(X, Ax, _), position(Y, Bx, _), Bx-Ax > 3.
above(X, Y) :- position(X, _, Ay), position(Y, _, By), By-Ay > 3.
same_row(X, Y) :- position(X, _, Ay), position(Y, _, By), X \== Y, abs(Ay-By) =< 3.
same_column(X, Y) :- position(X, Ax, _), position(Y, Bx, _), X \== Y, abs(Ax-Bx) =< 3.

lies_between(Y, X, Z) :-
    position(X, Ax, Ay), position(Z, Bx, By), X \== Z,
    position(Y, Px, Py), Y \== X, Y \== Z,
    abs(Px-(Ax+Bx)/2) =< 3,
    abs(Py-(Ay+By)/2) =< 3.

:- dynamic task/1.

:- begin_tests(labels).

%   case(Goal, Label, Scenes): the label of each of the scenes.

case(same_label, 1, [same_pair]).
case(same_label, 0, [same_shape_only, same_colour_only, nothing_same, empty, single]).
case(between_label, 1, [row_aba, row_aaa, column_aba, column_aaa, diagonal, other_diagonal]).
case(between_label, 0, [row_aab, row_abb, row_abc, column_abc, same_off_line, outer_same_shape, empty, single, same_pair]).
case(occurs_label, 1, [occurs_once, occurs_twice, occurs_with_pair]).
case(occurs_label, 0, [occurs_not, pair_below_only, empty, single]).
case(xoccurs_label, 1, [occurs_once]).
case(xoccurs_label, 0, [occurs_twice, occurs_askew, occurs_with_pair, occurs_not, pair_below_only, empty, single]).
case(colour_and_or_shape_label, 0, [same_pair]).
case(colour_and_or_shape_label, 1, [same_colour_only]).
case(colour_and_or_shape_label, 2, [same_shape_only]).
case(colour_and_or_shape_label, 3, [nothing_same, empty, single]).
case(match_rows_label, 1, [rows_aba_aba, rows_abc_abc, rows_aaa_aaa]).
case(match_rows_label, 0, [rows_aab_abb, rows_aaa_aba, row_aba, empty, single]).
case(scatter_label, 1, [same_pair, row_aab, nine_with_pair]).
case(scatter_label, 0, [nine_different, nothing_same, empty, single]).

%   Without a choice point left, so exactly one.

test(label, [ forall(( case(Name, Expected, Scenes), member(Scene, Scenes), names(Names) )), true(Label == Expected) ]) :-
    Goal =.. [Name, Label],
    asked(Scene, Names, Goal).

test(only_that_one, [ forall(( case(Name, Expected, Scenes), member(Scene, Scenes) )), true(Found == [Expected]) ]) :-
    names(Names),
    !,
    Goal =.. [Name, Label],
    asked(Scene, Names, findall(Label, ( between(0, 3, Label), Goal ), Found)).

%   Every pattern against every task id, in rows and in columns.

shown(Name, Pattern, Scene) :-
    member(Line, [row, column]),
    member(Pattern, [aba,aab,abb,aaa,abc]),
    atomic_list_concat([Line, pattern_label], '_', Name),
    atomic_list_concat([Line, Pattern], '_', Scene).

test(pattern, [ forall(( shown(Name, Pattern, Scene), nth0(Task, [aba,aab,abb,aaa,abc], Asked), names(Names) )),
                setup(assertz(user:task(Task))),
                cleanup(retractall(user:task(_))),
                true(Label == Expected)
              ]) :-
    ( Asked == Pattern -> Expected = 1 ; Expected = 0 ),
    Goal =.. [Name, Label],
    asked(Scene, Names, Goal).

test(rows_are_no_columns, [ forall(( member(Name-Scene, [ row_pattern_label-column_aba, column_pattern_label-row_aba,
                                                          row_pattern_label-diagonal, column_pattern_label-diagonal,
                                                          row_pattern_label-empty, column_pattern_label-single ]) )),
                            setup(assertz(user:task(0))),
                            cleanup(retractall(user:task(_))),
                            true(Label == 0)
                          ]) :-
    names(Names),
    !,
    Goal =.. [Name, Label],
    asked(Scene, Names, Goal).

:- end_tests(labels).

:- begin_tests(reasons).

%   solutions(Scene, Template, Goal, Solutions): all of them, sorted, the objects named in drawing order.

solutions(same_pair, X-Y, twins(X, Y), [ob_0-ob_1, ob_1-ob_0]).
solutions(column_aba, M-X-Y, flanked_by_twins(M, X, Y), [ob_1-ob_0-ob_2, ob_1-ob_2-ob_0]).
solutions(occurs_not, X, topmost(X), [ob_0]).
solutions(row_aba, X, topmost(X), []).
solutions(occurs_twice, X-Y, occurrence(X, Y), [ob_0-ob_1, ob_0-ob_3]).
solutions(occurs_once, X-Y, sole_occurrence(X, Y), [ob_0-ob_3]).
solutions(row_abc, X-Y-Z, row_of_three(X, Y, Z), [ob_0-ob_1-ob_2]).
solutions(column_abc, X-Y-Z, column_of_three(X, Y, Z), [ob_0-ob_1-ob_2]).
solutions(nine_different, row, row_of_three(_, _, _), [row, row, row]).
solutions(nine_different, column, column_of_three(_, _, _), [column, column, column]).
solutions(rows_aba_aba, Pattern, row_pattern(Pattern), [aba, aba]).
solutions(rows_abc_abc, Pattern, matching_rows(Pattern), [abc]).

test(solutions, [forall(solutions(Scene, Template, Goal, Expected)), true(Found == Expected)]) :-
    user:names(Names),
    !,
    asked(Scene, Names, findall(Template, Goal, Found0)),
    msort(Found0, Found).

:- end_tests(reasons).
