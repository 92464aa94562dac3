:- module(sort_of_clevr,
          [ answer/2,                         % ?Question, ?Answer
            not_relational_label/1,           % -Label
            binary_label/1,                   % -Label
            ternary_label/1,                  % -Label
            binary_published_label/1,         % -Label
            ternary_published_label/1,        % -Label
            thing/2,                          % ?Colour, ?X
            closest_to/2,                     % ?X, ?Y
            furthest_from/2,                  % ?X, ?Y
            in_box/3,                         % ?Z, ?X, ?Y
            on_line/3,                        % ?Z, ?X, ?Y
            on_line_published/3,              % ?Z, ?X, ?Y
            obtuse/3                          % ?Z, ?X, ?Y
          ]).

/** <module> The theory of sort-of-CLEVR

The questions of sort-of-CLEVR, said as rules. A picture shows six things, each of its own colour, and questions name
things by their colours. Nothing here was learned.

    $ predinet-prolog query picture.png 'answer(shape_of_closest(red), Shape)' --rules sort_of_clevr
    Shape = circle.

What the program has to say:

| object(X), colour(X, Word)         | X is a thing, and what its colour is called                     |
| shape(X, Word)                     | Word is square or circle: of a model that was grounded on both  |
| box(X, Left, Top, Right, Bottom)   | where it shows in the picture of 75 by 75 pixels                |
| task(T)                            | for the labels: which question is asked, by its number          |

Centres are numbers of pixels, as the published generator has them: a thing that shows in the pixels 3 to 13 has its
centre at 8. Every predicate is pure.
*/

%@ shape/2: choose a model that was grounded on sort-of-CLEVR, by --model; docs/known-worlds.md says how to make one
%@ task/1: say which question is asked, with a fact beside the rules such as task(0). (see question/3)

% --- Questions ---

%!  answer(?Question, ?Answer) is nondet.
%
%   Answer is the answer to Question about the colours C and D:
%
%     | shape(C)                | square or circle                                                          |
%     | left(C), upper(C)       | yes or no: does it lie left of the picture's middle, or above it          |
%     | shape_of_closest(C)     | the shape of the thing closest to it                                      |
%     | shape_of_furthest(C)    | the shape of the thing furthest from it                                   |
%     | same_shape(C)           | how many others have its shape                                            |
%     | in_box(C, D)            | how many others lie in the upright box whose corners are C and D          |
%     | on_line(C, D)           | yes or no: does another lie within 12 pixels of the line through C and D  |
%     | obtuse(C, D)            | how many others make a right or obtuse triangle with C and D              |
%     | published(Q)            | what the published generator gives for Q, where that is something else    |

answer(shape(C), Shape) :-
    thing(C, X),
    shape(X, Shape).
answer(left(C), Answer) :-
    thing(C, X),
    centre(X, Cx, _),
    ( Cx < 37.5 -> Answer = yes ; Answer = no ).
answer(upper(C), Answer) :-
    thing(C, X),
    centre(X, _, Cy),
    ( Cy < 37.5 -> Answer = yes ; Answer = no ).
answer(shape_of_closest(C), Shape) :-
    thing(C, X),
    closest_to(X, Y),
    shape(Y, Shape).
answer(shape_of_furthest(C), Shape) :-
    thing(C, X),
    furthest_from(X, Y),
    shape(Y, Shape).
answer(same_shape(C), N) :-
    thing(C, X),
    shape(X, Shape),
    aggregate_all(count, (shape(Y, Shape), Y \== X), N).
answer(in_box(C, D), N) :-
    two(C, D, X, Y),
    aggregate_all(count, in_box(_, X, Y), N).
answer(on_line(C, D), Answer) :-
    two(C, D, X, Y),
    ( on_line(_, X, Y) -> Answer = yes ; Answer = no ).
answer(obtuse(C, D), N) :-
    two(C, D, X, Y),
    aggregate_all(count, obtuse(_, X, Y), N).
answer(published(shape_of_closest(C)), Shape) :-
    thing(C, X),
    closest_published(X, Y),
    shape(Y, Shape).
answer(published(on_line(C, D)), Answer) :-
    two(C, D, X, Y),
    ( on_line_published(_, X, Y) -> Answer = yes ; Answer = no ).

% --- Things ---

%!  colour_number(?Colour, ?Number) is nondet.
%
%   The colours in their order.

colour_number(red, 0).
colour_number(green, 1).
colour_number(blue, 2).
colour_number(orange, 3).
colour_number(grey, 4).
colour_number(yellow, 5).

%!  thing(?Colour, ?X) is nondet.
%
%   X is the thing of that colour.

thing(Colour, X) :-
    object(X),
    colour(X, Colour),
    colour_number(Colour, _).

%!  two(?C, ?D, -X, -Y) is nondet.
%
%   X and Y are two things of the colours C and D.

two(C, D, X, Y) :-
    thing(C, X),
    thing(D, Y),
    X \== Y.

%!  centre(?X, -Cx, -Cy) is nondet.
%
%   The number of the pixel in the middle of X, across and down. A thing is eleven pixels wide and high. One that shows
%   ten has its last column or row behind another thing, and its middle lies half a pixel nearer to that.

centre(X, Cx, Cy) :-
    object(X),
    box(X, Left, Top, Right, Bottom),
    Mx is (Left + Right)/2,
    My is (Top + Bottom)/2,
    towards(Right - Left, X, Right + 0.5, My, Dx),
    towards(Bottom - Top, X, Mx, Bottom + 0.5, Dy),
    Cx is Mx + Dx - 0.5,
    Cy is My + Dy - 0.5.

%   How far the middle of X is off the middle of what shows, by how much shows and the place just after it.

towards(Shown, X, Px, Py, Off) :-
    (   Shown =\= 10
    ->  Off = 0
    ;   in_front(_, X, Px, Py)
    ->  Off = 0.5
    ;   Off = -0.5
    ).

%!  in_front(?Y, +X, +Px, +Py) is nondet.
%
%   The box of Y holds that place, and Y was drawn later than X: things are drawn in the order of their colours.

in_front(Y, X, Px, Py) :-
    box(Y, Left, Top, Right, Bottom),
    Left < Px, Px < Right,
    Top < Py, Py < Bottom,
    two(C, D, X, Y),
    colour_number(C, First),
    colour_number(D, Second),
    First < Second.

% --- Distances ---

%!  apart(?X, ?Y, -Square) is nondet.
%
%   Square is the squared distance of the centres of two things: exact, as their distance is not.

apart(X, Y, Square) :-
    centre(X, Ax, Ay),
    centre(Y, Bx, By),
    X \== Y,
    Square is (Ax - Bx)**2 + (Ay - By)**2.

%!  closest_to(?X, ?Y) is nondet.
%!  furthest_from(?X, ?Y) is nondet.
%
%   Y is the thing closest to X, or furthest from it; of several the one whose colour comes first.

closest_to(X, Y) :-
    object(X),
    aggregate_all(min(Square), apart(X, _, Square), Least),
    first_at(Least, X, Y).

furthest_from(X, Y) :-
    object(X),
    aggregate_all(max(Square), apart(X, _, Square), Most),
    first_at(Most, X, Y).

first_at(Square, X, Y) :-
    aggregate_all(min(Number, Other), at(Square, X, Other, Number), min(_, Y)).

at(Square, X, Y, Number) :-
    apart(X, Y, Square),
    colour(Y, Colour),
    colour_number(Colour, Number).

%!  closest_published(?X, ?Y) is nondet.
%
%   Y is what the published generator takes for the thing closest to X: X itself where all others are further than the
%   root of 999 pixels.

closest_published(X, Y) :-
    closest_to(X, Nearest),
    apart(X, Nearest, Square),
    ( Square < 999 -> Y = Nearest ; Y = X ).

% --- Three things ---

%!  three(?Z, ?X, ?Y, -Zx, -Zy, -Xx, -Xy, -Yx, -Yy) is nondet.
%
%   Three things and their centres.

three(Z, X, Y, Zx, Zy, Xx, Xy, Yx, Yy) :-
    centre(X, Xx, Xy),
    centre(Y, Yx, Yy),
    X \== Y,
    centre(Z, Zx, Zy),
    Z \== X,
    Z \== Y.

%!  in_box(?Z, ?X, ?Y) is nondet.
%
%   The centre of Z lies in the upright box that has those of X and Y for corners, or on its rim.

in_box(Z, X, Y) :-
    three(Z, X, Y, Zx, Zy, Xx, Xy, Yx, Yy),
    (Xx - Zx)*(Yx - Zx) =< 0,
    (Xy - Zy)*(Yy - Zy) =< 0.

%!  on_line(?Z, ?X, ?Y) is nondet.
%
%   The centre of Z is at most 12 pixels off the straight line through those of X and Y, which has no end.

on_line(Z, X, Y) :-
    three(Z, X, Y, Zx, Zy, Xx, Xy, Yx, Yy),
    Off is (Yx - Xx)*(Zy - Xy) - (Yy - Xy)*(Zx - Xx),
    Off**2 =< 12**2*((Yx - Xx)**2 + (Yy - Xy)**2).

%!  on_line_published(?Z, ?X, ?Y) is nondet.
%
%   The centre of Z is at most 12 pixels above or below that line, as the published generator measures. Of an upright
%   line its slope is so steep that only what lies straight above or below X, and near it, can be on it.

on_line_published(Z, X, Y) :-
    three(Z, X, Y, Zx, Zy, Xx, Xy, Yx, Yy),
    (   Xx =:= Yx
    ->  Zx =:= Xx,
        abs(Zy - Xy) =< 12
    ;   abs((Yx - Xx)*(Zy - Xy) - (Yy - Xy)*(Zx - Xx)) =< 12*abs(Yx - Xx)
    ).

%!  obtuse(?Z, ?X, ?Y) is nondet.
%
%   The centres of the three make a triangle with a right or an obtuse angle.

obtuse(Z, X, Y) :-
    three(Z, X, Y, Zx, Zy, Xx, Xy, Yx, Yy),
    (Yx - Xx)*(Zy - Xy) =\= (Yy - Xy)*(Zx - Xx),
    once(( wide(Zx, Zy, Xx, Xy, Yx, Yy)
         ; wide(Xx, Xy, Yx, Yy, Zx, Zy)
         ; wide(Yx, Yy, Zx, Zy, Xx, Xy)
         )).

%   The angle at the first of three places is no acute one.

wide(X, Y, Ax, Ay, Bx, By) :-
    (Ax - X)*(Bx - X) + (Ay - Y)*(By - Y) =< 0.

% --- Labels ---

%!  not_relational_label(-Label) is semidet.
%!  binary_label(-Label) is semidet.
%!  ternary_label(-Label) is semidet.
%
%   Label is the published number of the answer to the question that task/1 asks: 0 yes, 1 no, 2 square, 3 circle,
%   4 none, 5 one, and so on.

not_relational_label(Label) :- one_of([shape(C), left(C), upper(C)], C, red, Label).

binary_label(Label) :- one_of([shape_of_closest(C), shape_of_furthest(C), same_shape(C)], C, red, Label).

ternary_label(Label) :- one_of([in_box(C, D), on_line(C, D), obtuse(C, D)], C, D, Label).

%!  binary_published_label(-Label) is semidet.
%!  ternary_published_label(-Label) is semidet.
%
%   The same, as the published generator answers.

binary_published_label(Label) :-
    one_of([published(shape_of_closest(C)), shape_of_furthest(C), same_shape(C)], C, red, Label).

ternary_published_label(Label) :-
    one_of([in_box(C, D), published(on_line(C, D)), obtuse(C, D)], C, D, Label).

%   Label is of the answer to one of Questions about C and D: a number in base 6 says which. Of C alone D is red.

one_of(Questions, C, D, Label) :-
    task(T),
    colour_number(C, First),
    colour_number(D, Second),
    nth0(Which, Questions, Question),
    T =:= 6*(6*Which + First) + Second,
    once(answer(Question, Answer)),
    label_number(Answer, Label).

label_number(yes, 0).
label_number(no, 1).
label_number(square, 2).
label_number(circle, 3).
label_number(Count, Label) :-
    integer(Count),
    Label is Count + 4.
