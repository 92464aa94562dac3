"""What strict, noisy and the mode that the learner chooses reach, where some labels are wrong and where none is.

    python benchmarks/rule_learning_modes.py

Teachers and judges are those of rule_learning.py. A cell is the worst of three sets of 60 labelled boards.
"""

from operator import attrgetter

import numpy as np

from benchmarks.rule_learning import DEFAULT, accuracies, teaching
from benchmarks.shared import options, print_head, print_row
from symbolic.learning import Options, learn

RULES = "xoccurs", "colour_and_or_shape", "match_rows", "recoloured"
SETS, LABELLED, WRONG = 3, 60, (0, 3)


def main() -> None:
    options(__doc__).parse_args()
    print_head("rule", *(f"{wrong} of {LABELLED} wrong" for wrong in WRONG))
    for rule in RULES:
        cells = [np.min([reached(rule, seed, wrong) for seed in range(SETS)], axis=0) for wrong in WRONG]
        print_row(f"`{rule}`", *(" / ".join(f"{share:.3f}" for share in cell) for cell in cells))


def reached(rule: str, seed: int, wrong: int) -> tuple[float, float, float]:
    """The least share of any kind of boards that strict, noisy and the chosen mode get right."""
    situations, labels = (half[:LABELLED] for half in teaching(DEFAULT, rule, seed))
    names, rng = sorted({*labels}), np.random.default_rng((seed, wrong))
    labels = list(labels)
    for number in rng.permutation(LABELLED)[:wrong]:
        labels[number] = str(rng.choice([name for name in names if name != labels[number]]))
    predicates = tuple(situations[0].holds)
    chosen = learn(situations, labels, predicates)
    other = learn(situations, labels, predicates, Options(noisy=not chosen.noisy), judge=False)
    strict, noisy = sorted((chosen, other), key=attrgetter("noisy"))
    shares = [min(accuracies(learned.theory, DEFAULT, rule).values()) for learned in (strict, noisy, chosen)]
    return shares[0], shares[1], shares[2]


if __name__ == "__main__":
    main()
