"""A peer: learning from failures, in the manner of Popper, with the solver clingo.

Clauses are proposed by clingo, fewest literals first, and tested on all labelled boards. One that is true of no
example teaches that none of its specialisations is; of one that is true of no counter-example nothing more special is
wanted. The cheapest set of clauses is chosen by clingo as well. Clauses have no negated parts, as Popper's; `unlike`
and its kin are given as predicates. They are tested by tables, which is faster than by Prolog.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from time import process_time

import clingo
import numpy as np

from bridge.scene import BoolArray, IntArray
from symbolic.learning import Predicate

WEIGHT = 100
"""Of an example that no clause is true of, in literals."""
CHOOSING = 20.0
"""Seconds to choose among clauses."""
_PROPOSE = """
{ in(L) : speaks(L, _) }.
used(V) :- in(L), speaks(L, V).
:- used(V), V > 0, not used(V - 1).
:- not used(0).
joined(0).
joined(V) :- joined(W), in(L), speaks(L, W), speaks(L, V).
:- used(V), not joined(V).
#external size(S) : S = 1..literals.
:- size(S), not S = #count { L : in(L) }.
"""
_CHOOSE = """
{ chosen(C) } :- clause(C, _).
told(E) :- chosen(C), covers(C, E).
#minimize { S, C : chosen(C), clause(C, S); weight, e(E) : example(E), not told(E) }.
"""

Literal = tuple[str, tuple[int, ...]]
"""A predicate's name and the variables that it speaks of."""
Body = tuple[Literal, ...]


@dataclass(frozen=True, eq=False)
class Facts:
    """What holds on N boards of at most m things."""

    tables: Mapping[str, BoolArray]
    """(N, m, m) or (N, m, m, m), by name; negations, too."""
    variables: int

    @cached_property
    def objects(self) -> IntArray:
        """(T, variables): which things the variables may be, all different."""
        most = next(iter(self.tables.values())).shape[1]
        return np.array(list(permutations(range(max(most, self.variables)), self.variables)))

    def holds(self, body: Iterable[Literal]) -> BoolArray:
        """Of which boards (N,) the body is true."""
        found = None
        for literal in body:
            own = self._of(literal)
            found = own if found is None else found & own
        assert found is not None, "a body has a literal"
        return np.asarray(found.any(axis=1))

    def _of(self, literal: Literal) -> BoolArray:
        if literal not in self._kept:
            name, variables = literal
            table = self.tables[name]
            objects = self.objects[(self.objects < table.shape[1]).all(axis=1)]
            self._kept[literal] = table[:, *(objects[:, variable] for variable in variables)]
        return self._kept[literal]

    @cached_property
    def _kept(self) -> dict[Literal, BoolArray]:
        """(N, T) by literal."""
        return {}


@dataclass(frozen=True)
class Found:
    """What the search came to."""

    bodies: tuple[Body, ...]
    cost: int
    tested: int
    """Bodies."""
    seconds: float
    """Of the processor."""
    finished: bool
    """Whether all bodies were tested or ruled out in time."""


def search(facts: Facts, truth: BoolArray, predicates: Sequence[Predicate], *, literals: int, seconds: float) -> Found:
    """Clauses of so many literals at most, each true of no board but those of `truth` (N,), that together are true of
    as many of them as they can be."""
    start, tested, useful = process_time(), 0, dict[bytes, Body]()
    proposer = Proposer(predicates, facts.variables, literals)
    finished = False
    for body in proposer:
        tested += 1
        holds = facts.holds(body)
        dead, faultless = not (holds & truth).any(), not (holds & ~truth).any()
        proposer.forbid(body, special=dead or faultless)
        if faultless and not dead:
            useful.setdefault(holds.tobytes(), body)
        if process_time() - start > seconds:
            break
    else:
        finished = True
    covers = [(body, np.frombuffer(holds, dtype=np.bool_)) for holds, body in useful.items()]
    chosen = _choose(covers, truth)
    told = np.logical_or.reduce([np.zeros_like(truth), *(holds for _, holds in chosen)])
    cost = sum(len(body) for body, _ in chosen) + WEIGHT * int((truth & ~told).sum())
    return Found(tuple(body for body, _ in chosen), cost, tested, process_time() - start, finished)


class Proposer:
    """Proposes bodies that nothing forbids, fewest literals first."""

    def __init__(self, predicates: Sequence[Predicate], variables: int, literals: int) -> None:
        self._variables, self._literals, self._size = variables, literals, 0
        self._symmetric = {name: each.symmetric for each in predicates for name in names(each)}
        self._known = list(
            dict.fromkeys(
                self._ordered(name, own)
                for each in predicates
                for name in names(each)
                for own in permutations(range(variables), each.arity)
            )
        )
        self._control = clingo.Control(["-c", f"literals={literals}"])
        speaks = (f"speaks({number},{each})." for number, (_, own) in enumerate(self._known) for each in own)
        self._control.add("base", [], _PROPOSE + "".join(speaks))
        self._control.ground([("base", [])])
        self._atoms = {literal: self._atom("in", number) for number, literal in enumerate(self._known)}

    def __iter__(self) -> Iterator[Body]:
        for size in range(1, self._literals + 1):
            self._size = size
            self._control.assign_external(self._atom("size", self._size), True)
            while body := self._next():
                yield body
            self._control.assign_external(self._atom("size", self._size), False)

    def forbid(self, body: Body, *, special: bool) -> None:
        """Never again the body, however its variables are named; `special`: nor what is more special."""
        used = sorted({variable for _, own in body for variable in own})
        only = () if special else (self._atom("size", self._size),)
        with self._control.backend() as backend:
            for others in permutations(range(self._variables), len(used)):
                renamed = dict(zip(used, others, strict=True))
                own = [self._ordered(name, tuple(renamed[each] for each in own)) for name, own in body]
                backend.add_rule([], [*(self._atoms[literal] for literal in own), *only])

    def _next(self) -> Body:
        """Nothing if there is no more of this size."""
        with self._control.solve(yield_=True) as solving:
            model = solving.model()
            if model is None:
                return ()
            return tuple(literal for literal, atom in self._atoms.items() if model.is_true(atom))

    def _atom(self, name: str, number: int) -> int:
        atom = self._control.symbolic_atoms[clingo.Function(name, [clingo.Number(number)])]
        assert atom is not None, "it is grounded"
        return atom.literal

    def _ordered(self, name: str, variables: tuple[int, ...]) -> Literal:
        """Variables that may change places stand in order."""
        placed, symmetric = list(variables), self._symmetric[name]
        for place, variable in zip(symmetric, sorted(variables[place] for place in symmetric), strict=True):
            placed[place] = variable
        return name, tuple(placed)


def names(predicate: Predicate) -> list[str]:
    """That of the predicate and that of its negation."""
    return [predicate.name] if predicate.negation is None else [predicate.name, predicate.negation]


def _choose(covers: Sequence[tuple[Body, BoolArray]], truth: BoolArray) -> list[tuple[Body, BoolArray]]:
    """Of clauses with what they are true of the cheapest set: literals, and WEIGHT for each example left out."""
    facts = [f"clause({number},{len(body)})." for number, (body, _) in enumerate(covers)]
    facts += [f"example({board})." for board in np.flatnonzero(truth)]
    facts += [
        f"covers({number},{board})." for number, (_, holds) in enumerate(covers) for board in np.flatnonzero(holds)
    ]
    control = clingo.Control(["-c", f"weight={WEIGHT}"])
    control.add("base", [], _CHOOSE + "".join(facts))
    control.ground([("base", [])])
    chosen: list[int] = []

    def keep(model: clingo.Model) -> None:
        chosen[:] = [atom.arguments[0].number for atom in model.symbols(atoms=True) if atom.name == "chosen"]

    with control.solve(on_model=keep, async_=True) as solving:
        if not solving.wait(CHOOSING):
            solving.cancel()
    return [covers[number] for number in sorted(chosen)]
