"""Cards of the game SET: sets found on whole tables, the task "contains set", and the rule learned from labelled hands.

    python benchmarks/cards.py [--tables N] [--hands N] [--kind STYLE] [--model NAME|PATH] [--json FILE]

Tables of twelve cards are drawn from seeds that nothing was trained, grounded or chosen with. Each is seen as users'
pictures are, and its program is asked `set(A, B, C)` with the theory of the domain. A table is right if just the true
sets are found. Hands of five, half of them with a set, have a picture each, and `hand_label(L)` says which do.

The learned rule is taught by hands of three, half of them sets, dealt from one half of the tables, and judged by hands
of the other half. It may speak of which cards are alike and which are not, in what the model tells.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.shared import machine, options, print_head, print_row
from bridge import ImageInfo
from bridge.glimpses.perceiver import GlimpsePerceiver
from bridge.glimpses.program import make_scene_program
from bridge.glimpses.scene import SeenObject, SeenScene
from bridge.matching import match
from bridge.program import Program
from bridge.writers.prolog import write_prolog
from domains.cards.deck import ATTRIBUTES, SETS, dealt, sets_among
from domains.cards.domain import DOMAIN, NONE, SET
from domains.domain import Annotated, Integers, Pixels
from neural.glimpses.model import GlimpseModel, load_any
from service.teaching import signatures
from symbolic import Engine, theory
from symbolic.learning import Options, Predicate, Situation, learn, predicates_of, situation
from symbolic.learning.observing import Observation, Signature, observe

SEED = 7_310_000
PER_PART = 10
"""Tables drawn at a time."""
SPLITS = 10
LEARNING, ENOUGH = (5, 10, 20, 50, 100, 200, 500), 0.99
"""Hands that teach: more are tried until the worst rule is right for ENOUGH."""
SEEDS, JUDGING = 5, 500


@dataclass(frozen=True, eq=False)
class Table:
    """A table of twelve cards, as it is and as it was seen."""

    cards: Integers
    """(12, 4)"""
    names: tuple[str | None, ...]
    """(12,): what the program calls each card; None: it was not found."""
    spurious: int
    """Objects that are no card."""
    found: frozenset[tuple[int, ...]]
    """The sets that Prolog found, by the places of their cards."""
    observation: Observation

    @property
    def true(self) -> frozenset[tuple[int, ...]]:
        """The sets that there are."""
        return frozenset(sets_among(self.cards))

    @property
    def right(self) -> bool:
        """Whether all sets were found, and no other."""
        return self.found == self.true and not self.spurious


def tables(model: GlimpseModel, n: int, kind: str) -> Iterator[Table]:
    """`n` tables in that style, as the model sees them."""
    perceiver = GlimpsePerceiver(model)
    with Engine(answer_limit=300) as engine:
        for part in range(0, n, PER_PART):
            drawn = DOMAIN.generate_annotated(min(PER_PART, n - part), seed=(SEED, part), kind=kind, task="full_table")
            for number, picture in enumerate(drawn.pictures):
                scene = perceiver.perceive(picture)
                program = _program(model, scene, picture)
                yield _table(
                    engine, write_prolog(program), scene.objects, drawn, number, signatures(program.predicates)
                )


def _table(
    engine: Engine, text: str, objects: Sequence[SeenObject], drawn: Annotated, number: int, told: Sequence[Signature]
) -> Table:
    assert drawn.truth is not None, "generated pictures have their truth"
    rows = drawn.truth.rows(number)
    cards = np.stack([drawn.truth.attributes[name][rows] for name in ATTRIBUTES], axis=1)
    pairs = match(np.array([each.box for each in objects]).reshape(-1, 4), drawn.truth.boxes[rows])
    names: list[str | None] = [None] * len(cards)
    for symbol, card in pairs:
        names[card] = objects[symbol].name
    place = {name: card for card, name in enumerate(names) if name is not None}
    answers = engine.ask(text, "set(A, B, C)", rules=[theory("cards")])
    sets = [tuple(answer.bindings[variable] for variable in "ABC") for answer in answers.answers]
    found = frozenset(tuple(sorted(place.get(str(name), -1) for name in trio)) for trio in sets)
    (observation,) = observe(lambda program, goal: engine.ask(program, goal, limit=1), [(str(number), text)], told)
    return Table(cards, tuple(names), len(objects) - len(pairs), found, observation)


def true_tables(n: int) -> list[Table]:
    """`n` tables without seeing: how many hands the rule needs if nothing is seen wrongly."""
    rng, found = np.random.default_rng((SEED, 98)), []
    for _ in range(n):
        cards = dealt(12, rng)
        names = tuple(f"ob_{number}" for number in range(len(cards)))
        told = {
            Signature(f"same_{attribute}", 2, (0, 1), negation=f"unlike_{attribute}"): [
                (names[a], names[b]) for a, b in permutations(range(len(cards)), 2) if not (cards[a] - cards[b])[column]
            ]
            for column, attribute in enumerate(ATTRIBUTES)
        }
        found.append(Table(cards, names, 0, frozenset(sets_among(cards)), Observation("", names, told)))
    return found


def hands(model: GlimpseModel, n: int, kind: str) -> list[float]:
    """Shares of hands of five that are rightly said to contain a set or none, by split. Every hand is dealt as the task
    deals it, and has a picture of its own; a set in it is one of the 15 % of all sets that the split judges by."""
    perceiver, shares = GlimpsePerceiver(model), []
    with Engine() as engine:
        for split in range(SPLITS):
            judged = SETS[np.random.default_rng((SEED, split)).permutation(len(SETS))[: round(0.15 * len(SETS))]]
            right = 0
            for part in range(0, n // SPLITS, PER_PART):
                count, seed = min(PER_PART, n // SPLITS - part), (SEED, 1 + split, part)
                drawn = DOMAIN.generate_annotated(count, seed=seed, kind=kind, task="hand", sets=judged)
                for picture, label in zip(drawn.pictures, drawn.labels, strict=True):
                    program = _program(model, perceiver.perceive(picture), picture)
                    (answer,) = engine.ask(write_prolog(program), "hand_label(L)", rules=[theory("cards")]).answers
                    right += answer.bindings["L"] == label
            shares.append(right / (n // SPLITS))
    return shares


def _program(model: GlimpseModel, scene: SeenScene, picture: Pixels) -> Program:
    info = ImageInfo("table.png", "0" * 64, picture.shape[1], picture.shape[0])
    return make_scene_program(scene, model=model, image=info, scale=(1.0, 1.0))


def learning(seen: Sequence[Table]) -> tuple[dict[str, object], str]:
    """How right rules are that so many hands of three taught, the worst and the mean of some sets of hands, and the
    rule that was learned most often where it was right for .99; "" if none was."""
    told = [each for each in seen[0].observation.found if each.name.startswith("same_") and each.negation]
    predicates = predicates_of(told, [table.observation for table in seen])
    teaching, judging = seen[::2], seen[1::2]
    rng = np.random.default_rng((SEED, 99))
    judges = [_trio(judging, number, rng, predicates) for number in range(JUDGING)]
    figures: dict[str, object] = {}
    print()
    print_head("hands of three", "worst", "mean", "seconds")
    rules: Counter[str] = Counter()
    for count in LEARNING:
        shares, seconds = [], []
        for seed in range(SEEDS):
            rng = np.random.default_rng((SEED, 1000 + seed))
            lessons = [_trio(teaching, number, rng, predicates) for number in range(count)]
            start = process_time()
            theory = learn([each for each, _ in lessons], [label for _, label in lessons], predicates, Options()).theory
            seconds.append(process_time() - start)
            said = theory.predict([each for each, _ in judges])
            shares.append(float(np.mean([one == label for one, (_, label) in zip(said, judges, strict=True)])))
            if shares[-1] >= ENOUGH:
                rules[theory.write()] += 1
        figures[str(count)] = {"worst": min(shares), "mean": float(np.mean(shares)), "seconds": max(seconds)}
        print_row(count, min(shares), float(np.mean(shares)), round(max(seconds), 1))
        if min(shares) >= ENOUGH:
            break
    return figures, next((rule for rule, _ in rules.most_common(1)), "")


def _trio(
    seen: Sequence[Table], number: int, rng: np.random.Generator, predicates: Sequence[Predicate]
) -> tuple[Situation, str]:
    """A hand of three from one table and its label; every other one is a set."""
    while True:
        table = seen[int(rng.integers(len(seen)))]
        trios = table.true if number % 2 else set(combinations(range(len(table.cards)), 3)) - table.true
        if trios:
            names = {table.names[card] for card in sorted(trios)[rng.integers(len(trios))]}
            objects = tuple(name for name in table.observation.objects if name in names)
            own = Observation(str(number), objects, table.observation.found)
            return situation(own, predicates), SET if number % 2 else NONE


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--tables", type=int, default=1000, metavar="N", help="tables of twelve cards")
    parser.add_argument("--hands", type=int, default=10_000, metavar="N", help="hands of five")
    parser.add_argument("--kind", choices=DOMAIN.kinds, default=DOMAIN.kinds[0], help="the style of the cards")
    parser.add_argument("--model", default="cards", help="the model that sees them")
    parser.add_argument("--true", action="store_true", help="learn the rule alone, from cards as they are, not as seen")
    parser.add_argument("--no-learning", action="store_true", help="learn no rule")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    chosen = parser.parse_args()
    if chosen.true:
        print(f"\n{learning(true_tables(chosen.tables))[1]}")
        return
    model = load_any(chosen.model)
    assert isinstance(model, GlimpseModel), "a model for pictures of any size"
    start = process_time()
    seen = list(tables(model, chosen.tables, chosen.kind))
    seconds = (process_time() - start) / len(seen)
    figures: dict[str, object] = {
        "tables": len(seen),
        "kind": chosen.kind,
        "model": {"name": model.name, "sha256": model.sha256},
        "all sets, and none invented": sum(table.right for table in seen) / len(seen),
        "all cards found, and nothing else": sum(None not in table.names and not table.spurious for table in seen)
        / len(seen),
        "sets there are": sum(len(table.true) for table in seen),
        "sets missed": sum(len(table.true - table.found) for table in seen),
        "sets invented": sum(len(table.found - table.true) for table in seen),
        "seconds a table": seconds,
        "machine": machine(),
    }
    print_head("", chosen.kind)
    for name in ("tables", "all sets, and none invented", "sets there are", "sets missed", "sets invented"):
        print_row(name, figures[name])
    write(chosen.json, figures)
    if not chosen.no_learning:
        figures["learned"], figures["rule"] = learning(seen)
        print(f"\n{figures['rule']}")
        write(chosen.json, figures)
    if chosen.hands:
        contains = hands(model, chosen.hands, chosen.kind)
        figures["contains set"] = {"hands": chosen.hands, "mean": float(np.mean(contains)), "splits": contains}
        print(f"contains set, {chosen.hands} hands of five: {np.mean(contains):.4f}")
        write(chosen.json, figures)


def write(path: Path | None, figures: Mapping[str, object]) -> None:
    """Writes what is known so far."""
    if path:
        path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
