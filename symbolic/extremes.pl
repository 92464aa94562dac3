:- module(extremes,
          [ extreme/3,                  % ?First, -Rest, -Phrase
            superlative//3,             % ?X, +Noun, -Literals
            counted_from//4,            % +N, ?X, +Noun, -Literals
            nearest//5,                 % ?X, +Noun, -Literals, +D0, -D
            extreme_distance/3,         % ?Word, -Link, -Sign
            in_middle//0,
            middle//0,
            place//3                    % ?X, +Noun, -Literals
          ]).

/** <module> The largest, the closest, those at the top

What no other thing surpasses, of those of which the literals Noun hold. A place in the picture is where no other such
thing lies further up, down, left or right; so it is told of things, and of no pixels. Rows, columns and edges are those
of all things; in a corner is the thing whose middle is nearest to it.
*/

:- use_module(lexicon).
:- use_module(particles).
:- use_module(nouns, [definite//3]).
:- use_module(phrases, [related_by/4]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).

%!  superlative(?X, +Noun, -Literals)// is nondet.
%
%   Largest, leftmost: none surpasses it. Larger, where nothing follows that it is larger than: than all others.

superlative(X, Noun, Ls) -->                    % the top left thing
    sides(Phrases),
    unless(of), unless(than), unless(or),
    { maplist(unsurpassed(X, Noun), Phrases, Ls) }.
superlative(X, Noun, Ls) --> any_of([middle,centre,center,central]), { in_the_middle(X, Noun, Ls) }.
superlative(X, Noun, [L|Told]) -->              % the second largest
    ordinal(N),
    extremely(Phrase, false),
    { told(X, Phrase, Told), surpassed(X, Noun, Phrase, N, L) }.
superlative(X, Noun, [L|Told]) -->
    extremely(Phrase, Comparative),
    { told(X, Phrase, Told) },
    (   { Comparative == true }
    ->  unless(than),
        { related_by(Phrase, X, Y, Goal), L = every(Y, [of(Y, X, Noun),Y \== X], [Goal]) }
    ;   { unsurpassed(X, Noun, Phrase, L) }
    ).

%   told(?X, +Phrase, -Literals): what X must have to be compared; not all that was detected has a score.

told(X, [First|Rest], Ls) :-
    ( relation(First, Rest, preposition, than(score, _)-_) -> value_in(number(score), X, _, Ls) ; Ls = [] ).

% extremely(-Phrase, -Comparative)//: largest, least certain; larger, less certain.

extremely(Phrase, Comparative) -->
    [First],
    { extreme(First, Rest, Phrase) },
    these(Rest),
    { append([First|Rest], [than], Phrase) -> Comparative = true ; Comparative = false }.

%!  extreme(?First, -Rest, -Phrase) is nondet.
%
%   What the first of all is, First and Rest, is Phrase than all others, or Phrase of them.

extreme(First, Rest, [Comparative|Than]) :-
    relation(Comparative, Than, preposition, _),
    append(Rest, [than], Than),
    ( Rest == [] -> comparative(First, Comparative) ; member(Comparative-First, [more-more,more-most,less-less,less-least]) ).
extreme(leftmost, [], [left,of]).
extreme(rightmost, [], [right,of]).
extreme(topmost, [], [above]).
extreme(bottommost, [], [below]).
extreme(Word, [], [First|Rest]) :-
    ( Word = frontmost, Predicate = in_front ; Word = rearmost, Predicate = behind ),
    relation(First, Rest, preposition, Predicate-straight).

%   unsurpassed(?X, +Noun, +Phrase, -Literal): no such thing is what Phrase says than X, higher than it; of line(row) or
%   line(column), none that is not in X's own one, or in one with another that is.

unsurpassed(X, Noun, Phrase, none([exists(Y, [Goal|Ls])])) :-
    nonvar(Noun),
    Noun = line(Line),
    !,
    unsurpassed(X, [], Phrase, none([exists(Y, [_,Goal])])),
    (   related_by([in,the,same,Line,as], Y, Z, Goal0)
    ->  related_by([in,the,same,Line,as], Z, X, Goal1),
        Ls = [none([exists(Z, [Goal0,Goal1])])]
    ;   Ls = []
    ).
unsurpassed(X, Noun, Phrase, none([exists(Y, [of(Y, X, Noun),Goal])])) :- related_by(Phrase, Y, X, Goal).

%!  counted_from(+N, ?X, +Noun, -Literals)// is nondet.
%
%   From the left X is the Nth such thing.

counted_from(N, X, Noun, [L]) --> [from,the], side(Phrase), { surpassed(X, Noun, Phrase, N, L) }.

%   surpassed(?X, +Noun, +Phrase, +N, -Literal): X is the Nth such thing, as all but N-1 others are not what Phrase says.

surpassed(X, Noun, Phrase, N, number(Y, [of(Y, X, Noun),Goal], =:=, M)) :-
    M is N-1,
    related_by(Phrase, Y, X, Goal).

%!  nearest(?X, +Noun, -Literals, +D0, -D)// is nondet.

nearest(X, Noun, [Goal,none([exists(Y, [of(Y, X, Noun),Other,Closer])])], D0, D) -->
    [Word],
    { extreme_distance(Word, Link, Sign) },
    [Link],
    definite(Z, D0, D),
    unless(than),
    { apart(X, Z, D1, Goal),
      apart(Y, Z, E, Other),
      Closer =.. [Sign,E,D1] }.

%!  extreme_distance(?Word, -Link, -Sign) is nondet.
%
%   Nearest to, nearer to; Sign compares a lesser distance, or a greater one, with that which is meant.

extreme_distance(Word, to, <) :- member(Word, [closest,nearest,closer,nearer]).
extreme_distance(Word, from, >) :- member(Word, [furthest,farthest,further,farther]).

%!  place(?X, +Noun, -Literals)// is nondet.
%
%   At the top, in the lower left corner; in the middle, where there are such things on both sides or on none.

place(X, Noun0, Ls) -->
    [Where],
    { memberchk(Where, [at,on,in,from]) },
    [the],
    sides(Phrases),
    (   [edge], { Noun = [], Sided = [] }
    ;   [Line], { memberchk(Line, [row,column]), Noun = line(Line), Sided = [] }
    ;   [half], { Noun = Noun0, Sided = [refused("half of the picture: the program does not tell where it ends; ask for the \c
                                                  leftmost or the lowest thing, or what is left of ob_2")] }
    ;   ( [side], unless(of) ; [] ),            % the side of the picture may be its half
        {   Noun = Noun0,
            ( memberchk(Where-Phrases, [on-[[left,of]],on-[[right,of]]]) -> Sided = [sided] ; Sided = Vague ) }
    ),
    ( [of], picture, { Vague = [sided] } ; unless(of), { Vague = [] } ),
    { maplist(unsurpassed(X, Noun), Phrases, Ls0),
      append(Sided, Ls0, Ls) }.
place(X, _, [cornered(X),position(X, Px, Py),none([exists(Y, [position(Y, Qx, Qy),Nearer])])]) -->    % across and down together
    any_of([at,on,in,from]),
    [the],
    sides([[Up],[Left|_]]),
    [corner],
    ( [of], picture ; unless(of) ),
    { memberchk(Up-Left-Nearer,
                [ above-left-(Qx+Qy < Px+Py),above-right-(Qx-Qy > Px-Py),
                  below-left-(Qx-Qy < Px-Py),below-right-(Qx+Qy > Px+Py) ]) }.
place(X, _, Ls) -->
    in_middle,
    (   [row], { on_both_sides(X, line(row), [above], [below], L), Ls = [L] }
    ;   [column], { on_both_sides(X, line(column), [left,of], [right,of], L), Ls = [L] }
    ;   ( [of], picture ; unless(of) ), { in_the_middle(X, [], Ls0), Ls = [sided|Ls0] }
    ).

%!  in_middle// is semidet.
%!  middle// is semidet.
%
%   Not in the middle one.

in_middle --> [in], middle.
middle --> [the], any_of([middle,centre,center,central]).

in_the_middle(X, Noun, [L0,L1]) :-
    on_both_sides(X, Noun, [left,of], [right,of], L0),
    on_both_sides(X, Noun, [above], [below], L1).

%   sides(-Phrases)//: of one or two sides, all that are named.

sides([Phrase|Phrases]) -->
    side(Phrase),
    ( side(Other), { Phrases = [Other] } ; unless(left), unless(right), { Phrases = [] } ).

side([above]) --> any_of([top,upper]).
side([below]) --> any_of([bottom,lower]).
side([left,of]) --> [left].
side([right,of]) --> [right].

on_both_sides(X, Noun, Phrase0, Phrase1, either([E0,E1], [none([E0]),none([E1])])) :-
    unsurpassed(X, Noun, Phrase0, none([E0])),
    unsurpassed(X, Noun, Phrase1, none([E1])).
