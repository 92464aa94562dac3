% What one would type at the prompt of 'swipl scene.pl', after the paper's figure.

:- initialization(main, main).

main :-
    forall(
        ( holds(R, V, ob_2, X), small(V), object(X), X \== ob_2 ),
        format("~w holds between ob_2 and ~w: ~4f~n", [R, X, V])
    ).
