"""What strict, noisy and the mode that the learner chooses reach, where labels are wrong, facts misseen, or neither.

    python benchmarks/rule_learning_modes.py

Teachers and judges are those of rule_learning.py. A cell is the worst of three sets of 60 labelled boards. Misseen is
one in a hundred of what the teaching boards say of pairs, either way round; those that judge are as the model saw them.
"""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np

from benchmarks.rule_learning import DEFAULT, accuracies, teaching
from benchmarks.shared import options, print_head, print_row
from predinet_prolog.symbolic.learning import Options, Situation, learn

RULES = "xoccurs", "colour_and_or_shape", "match_rows", "recoloured"
SETS, LABELLED = 3, 60
COLUMNS = {"nothing wrong": (0, 0.0), f"3 of {LABELLED} labels wrong": (3, 0.0), "1% of facts misseen": (0, 0.01)}
"""How many labels are wrong, and which share of facts is."""


def main() -> None:
    options(__doc__).parse_args()
    print_head("rule", *COLUMNS)
    for rule in RULES:
        cells = [np.min([reached(rule, seed, *faults) for seed in range(SETS)], axis=0) for faults in COLUMNS.values()]
        print_row(f"`{rule}`", *(" / ".join(f"{share:.3f}" for share in cell) for cell in cells))


def reached(rule: str, seed: int, wrong: int, misseen: float) -> tuple[float, float, float]:
    """The least share of any kind of boards that strict, noisy and the chosen mode get right."""
    boards, truth = teaching(DEFAULT, rule, seed)
    rng, names, labels = np.random.default_rng((seed, wrong)), sorted({*truth[:LABELLED]}), [*truth[:LABELLED]]
    for number in rng.permutation(LABELLED)[:wrong]:
        labels[number] = str(rng.choice([name for name in names if name != labels[number]]))
    situations = spoiled(boards[:LABELLED], misseen, rng)
    predicates = tuple(situations[0].holds)
    chosen = learn(situations, labels, predicates)
    other = learn(situations, labels, predicates, Options(noisy=not chosen.noisy), judge=False)
    strict, noisy = sorted((chosen, other), key=attrgetter("noisy"))
    shares = [min(accuracies(learned.theory, DEFAULT, rule).values()) for learned in (strict, noisy, chosen)]
    return shares[0], shares[1], shares[2]


def spoiled(situations: Sequence[Situation], share: float, rng: np.random.Generator) -> list[Situation]:
    """The same with that share of the facts about two objects that may change places turned round."""
    result = []
    for situation in situations:
        holds = dict(situation.holds)
        for predicate in (predicate for predicate in holds if predicate.symmetric == (0, 1)):
            flips = np.triu(rng.random(holds[predicate].shape) < share, 1)
            holds[predicate] = holds[predicate] ^ (flips | flips.T)
        result.append(replace(situation, holds=holds))
    return result


if __name__ == "__main__":
    main()
