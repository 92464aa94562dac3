"""Levelwise search: which conjunctions there are, merged by what they are true of, and what they say of each place."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from predinet_prolog.symbolic.learning.literals import Feature, Literal, connected
from predinet_prolog.symbolic.learning.tables import Bits, Numbers, Place, Tables, Words, words_needed

MOST_CONJUNCTIONS = 20_000
"""Of one level: no more are extended."""
MOST_WORDS = 32_000_000
"""Of 64 bits, in the truth tables of all literals over so many variables: 256 MB, and as much for their copies."""
MOST_WORK = 2_000_000_000
"""Words that one search looks at: some ten seconds."""
COUNTS = (1, False), (2, False), (3, False), (2, True), (3, True)
"""How many sets, and whether there may be more. That there is one at least needs no counting."""
COUNTED = 2
"""Most literals of a conjunction of up to three variables that is counted, or that has a `\\+` in it. What longer ones
say of a single thing is counted, too."""

MOST_ALIKE = 200
"""Conjunctions that are looked at for others that say the same."""

Report = Callable[[int, int, str], None]
Conjunction = tuple[tuple[int, ...], int]
"""Literals, by their places in the pool, and how many variables they have."""


def silent(done: int, total: int, text: str) -> None:
    """Tells nobody how much is done, of how much, and what is being done."""


class Search:
    """What conjunctions of literals say of some places.

    literals: over all variables that a conjunction may have, in order of preference. labels: (places, classes) which
    labels a place may have. What holds of one class alone is not extended then: what is more special would say less at
    a higher cost. None: everything is extended. bars: (literals, classes) which may not
    have each.
    """

    def __init__(
        self, places: Sequence[Place], literals: Sequence[Literal], labels: Bits | None, bars: Bits | None = None
    ) -> None:
        self._places, self._labels = places, labels
        self._fixed = len(places[0].head)
        self._variables = max(max(literal.objects) for literal in literals) + 1
        self._pool = literals
        self._place = {literal: place for place, literal in enumerate(literals)}
        self._spaces: dict[int, Tables | None] = {}
        self._columns: dict[tuple[int, int, int, bool], tuple[Numbers, Words]] = {}
        self._permutations: dict[int, Numbers] = {}
        self._bars = np.zeros((len(literals), 0), np.bool_) if bars is None else bars
        signs = np.random.default_rng(0).integers(0, 2**64, len(places) + self._bars.shape[1], np.uint64)
        self._signs, self._classes = signs[: len(places), None], signs[len(places) :]

    def run(self, literals: int, report: Report = silent) -> None:
        """Finds the features of conjunctions of at most so many literals, and forgets those it found before."""
        self.features: list[Feature] = []
        """In order of cost, then of variables; no two that the same classes may have say the same of all places."""
        self._bits: list[Bits] = []
        self._costs = {0: 0, int(self._signs.sum()): 0}  # what holds nowhere or everywhere says nothing
        self._known: dict[int, int] = {}
        self._marks: set[tuple[int, int]] = set()
        self._said: list[tuple[tuple[int, ...], Numbers, Words]] = []
        self._counted: dict[int, list[Feature]] = {}
        self.seen, self.cut, self._work = 0, False, 0
        frontier: list[Conjunction] = [((), self._fixed)]
        for level in range(1, literals + 1):
            steps = list(self._level(frontier, level, level == literals, report))
            steps.sort(key=lambda step: (step[1], sum(self._pool[i].denied for i in step[0]), step[0]))
            self.cut |= len(steps) > MOST_CONJUNCTIONS
            frontier = steps[:MOST_CONJUNCTIONS]
        order = sorted(range(len(self.features)), key=lambda i: self.features[i].cost)
        self.features, self._bits = [self.features[i] for i in order], [self._bits[i] for i in order]

    @property
    def table(self) -> Bits:
        """(features, places): whether each holds."""
        return np.array(self._bits, np.bool_).reshape(len(self._bits), len(self._places))

    def alike(self, number: int, more: int) -> list[Feature]:
        """Other features that cost so much more and say the same of all places as the feature of that number."""
        feature, sign = self.features[number], int(self._signs[self._bits[number]].sum())
        if feature.count:
            return []
        lengths = range(len(feature.literals), len(feature.literals) + more + 1)
        noted = (
            self._literals((*parent, candidates[i]))
            for parent, candidates, signs in self._said
            if len(parent) + 1 in lengths
            for i in np.flatnonzero(signs == np.uint64(sign))
        )
        cost = feature.cost + more
        fitting = (body for body in noted if len({*body}) == len(body) and sum(part.cost for part in body) == cost)
        bodies = [*itertools.islice(fitting, MOST_ALIKE), *self._replaced(feature, sign)]
        keys = {self._key(body) for body in bodies if connected(body, self._fixed)} - {self._key(feature.literals)}
        features = [replace(feature, literals=self._literals(key)) for key in sorted(keys)]
        return [other for other in [*features, *self._counted.get(sign, [])] if other.cost == cost]

    def _literals(self, places: Sequence[int]) -> tuple[Literal, ...]:
        """Those at these places in the pool."""
        return tuple(self._pool[place] for place in places)

    def _key(self, literals: Sequence[Literal]) -> tuple[int, ...]:
        """The places in the pool of what the conjunction is when its variables are so renamed that all renamings of it
        become the same."""
        renamings = self._renamings(Feature(tuple(literals), fixed=self._fixed).variables)
        return tuple(min(np.sort(renamings[:, [self._place[literal] for literal in literals]]).tolist()))

    def _level(self, frontier: Sequence[Conjunction], level: int, last: bool, report: Report) -> Iterator[Conjunction]:
        keys: set[int] = set()
        total = sum(min(self._variables, before + 2) - before + 1 for _, before in frontier)
        steps = itertools.product(range(self._variables + 1), frontier)
        within = ((variables, *step) for variables, step in steps if step[1] <= variables <= step[1] + 2)
        for done, (variables, parent, before) in enumerate(within):
            if self._work > MOST_WORK:
                self.cut = True
                return
            if done % 100 == 0:
                report(done, total, f"{self._variables} variables, {level} literals")
            # Conjunctions that nothing comes after need not be told from each other: that there is one more object is
            # looked up with the objects that are there already.
            space = before if last and level > COUNTED else variables
            candidates, columns = self._candidates(before, variables, space, level)
            if not len(candidates):
                continue
            tables = self._spaces[space]
            assert tables is not None
            table = tables.conjunction(self._literals(parent))
            words = np.flatnonzero(table)
            extended = columns[words] & table[words, None]
            places, holds = tables.places(words, extended)
            signs = np.asarray((holds * self._signs[places]).sum(axis=0))
            self.seen += len(candidates)
            self._work += extended.size
            self._said.append((parent, candidates, signs))
            bars = ((self._bars[candidates] | self._bars[[*parent]].any(axis=0)) * self._classes).sum(axis=1)
            says = (signs != 0) & (signs != self._signs.sum())
            for i, sign in enumerate((signs ^ bars * says).tolist()):
                if self._costs.get(sign, level + 1) > level:
                    body = self._literals((*parent, int(candidates[i])))
                    self._note(Feature(body, fixed=self._fixed), sign, places[holds[:, i]])
            counted = 1 <= variables - self._fixed <= (3 if level <= COUNTED else 1)
            if last and level > COUNTED and not counted:
                continue
            marks = (tables.marks(words, extended) ^ bars).tolist()
            pure = self._pure(places, holds)
            for i, key in enumerate(self._keys(parent, candidates, variables).tolist()):
                if key in keys or (variables, marks[i]) in self._marks or not holds[:, i].any():
                    continue
                keys.add(key)
                self._marks.add((variables, marks[i]))
                literals = tuple(int(place) for place in np.unravel_index(key, (len(self._pool),) * level))
                if counted:
                    whole = np.zeros_like(table)
                    whole[words] = extended[:, i]
                    self._count(literals, tables.sets(whole))
                if level < COUNTED or not (last or pure[i] or not all(self._pool[index].binds for index in literals)):
                    yield literals, variables

    def _candidates(self, before: int, variables: int, space: int, level: int) -> tuple[Numbers, Words]:
        """Which literals extend a conjunction from so many variables to so many, and their columns."""
        denials = level <= COUNTED and variables - self._fixed <= 3
        key = before, variables, space, denials
        if key not in self._columns:
            new = set(range(before, variables))
            places = [
                i
                for i, literal in enumerate(self._pool)
                if (denials or literal.binds)
                and new <= set(literal.objects)
                and max(literal.objects) < variables
                and (before == 0 or not new or min(literal.variables) < before)
            ]
            tables = self._space(space) if places else None
            if tables is None:
                self._columns[key] = np.zeros(0, np.intp), np.zeros((0, 0), np.uint64)
            else:
                self._columns[key] = np.array(places), tables.columns([self._pool[i] for i in places])
        return self._columns[key]

    def _space(self, variables: int) -> Tables | None:
        """The tables of so many variables; None if they were too large."""
        if variables not in self._spaces:
            fits = words_needed(self._places, variables) * len(self._pool) <= MOST_WORDS
            self.cut |= not fits
            self._spaces[variables] = Tables(self._places, variables) if fits else None
        return self._spaces[variables]

    def _note(self, feature: Feature, sign: int, places: Numbers) -> None:
        """Keeps what a feature says, unless that was said as cheaply: `sign` tells it, and which classes are barred."""
        if feature.cost >= self._costs.get(sign, feature.cost + 1):
            return
        self._costs[sign] = feature.cost
        if sign in self._known:
            self.features[self._known[sign]] = feature
        else:
            self._known[sign] = len(self.features)
            self.features.append(feature)
            self._bits.append(np.isin(np.arange(len(self._places)), places))

    def _count(self, literals: tuple[int, ...], sets: Numbers) -> None:
        bars = int((self._bars[[*literals]].any(axis=0) * self._classes).sum())
        for count, more in COUNTS:
            places = np.flatnonzero(sets >= count if more else sets == count)
            sign = int(self._signs[places].sum())
            feature = Feature(self._literals(literals), count, fixed=self._fixed, more=more)
            self._note(feature, sign ^ bars * (0 < len(places) < len(self._places)), places)
            self._counted.setdefault(sign, []).append(feature)

    def _pure(self, places: Numbers, holds: Bits) -> Bits:
        """Whether only one class has what holds."""
        if self._labels is None:
            return np.zeros(holds.shape[1], np.bool_)
        return np.asarray((self._labels[places].T[:, :, None] & holds).any(axis=1).sum(axis=0) <= 1)

    def _keys(self, parent: tuple[int, ...], candidates: Numbers, variables: int) -> Numbers:
        """A number for each extended conjunction, the same for all renamings of it."""
        literals = np.column_stack([np.tile(np.array(parent, np.intp), (len(candidates), 1)), candidates])
        renamed = np.sort(self._renamings(variables)[:, literals], axis=-1)
        keys = np.ravel_multi_index(tuple(np.moveaxis(renamed, -1, 0)), (len(self._pool),) * renamed.shape[-1])
        return np.asarray(keys.min(axis=0))

    def _renamings(self, variables: int) -> Numbers:
        """(renamings, pool): what each literal becomes when the variables that are not the head's change places."""
        if variables not in self._permutations:
            within = [literal if max(literal.objects) < variables else None for literal in self._pool]
            orders = ((*range(self._fixed), *rest) for rest in itertools.permutations(range(self._fixed, variables)))
            self._permutations[variables] = np.array(
                [[self._place[literal.renamed(names)] if literal else 0 for literal in within] for names in orders]
            )
        return self._permutations[variables]

    def _replaced(self, feature: Feature, sign: int) -> Iterator[tuple[Literal, ...]]:
        """The feature's conjunction with one literal another, if that says the same of all places."""
        tables = self._space(feature.variables)
        if tables is None:
            return
        fitting = [literal for literal in self._pool if max(literal.objects) < feature.variables]
        columns = tables.columns(fitting)
        for i in range(len(feature.literals)):
            rest = feature.literals[:i] + feature.literals[i + 1 :]
            table = tables.conjunction(rest)
            words = np.flatnonzero(table)
            places, holds = tables.places(words, columns[words] & table[words, None])
            signs = (holds * self._signs[places]).sum(axis=0)
            yield from ((*rest, fitting[j]) for j in np.flatnonzero(signs == np.uint64(sign)))
