% What one would type at the prompt of 'swipl scene.pl', after the paper's figure.

:- initialization(main, main).

main :-
    forall(
        ( holds(R, V, ob_1, X), small(V), X \== ob_1 ),
        format("~w holds between ob_1 and ~w: ~4f~n", [R, X, V])
    ).
