/** Of the propositions' values. The paper's example clause gives no number below which a value is small. */

small(V) :- abs(V) < 0.1.
large(V) :- abs(V) >= 0.1.
