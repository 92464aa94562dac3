/** What lies in zones that were named, and what is apart from one. Facts of it: object(?X), zone(?Zone),
    share_inside(?X, ?Zone, -S), the relations of RCC-8 but dc. */

dc(X, Y) :- object(X), zone(Y),
    \+ eq(X, Y), \+ ntpp(X, Y), \+ tpp(X, Y), \+ ntppi(X, Y), \+ tppi(X, Y), \+ po(X, Y), \+ ec(X, Y).
in_zone(X, Zone) :- zone(Zone), share_inside(X, Zone, S), S > 0.5.
