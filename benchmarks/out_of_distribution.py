"""Whether pictures that are no boards are warned of, and corrupted boards are not.

    python benchmarks/out_of_distribution.py [--images N] [--model M]

The other pictures are those of `benchmarks.others`; the boards are hexominoes and stripes, one to nine on a board
(`scatter`) and the task `between`, clean, with the corruptions of everyday and, beyond what is promised, with harsher
ones.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

import numpy as np
import numpy.typing as npt

from benchmarks.others import KINDS, others
from benchmarks.shared import GAME, name_of, options, print_head, print_row
from predinet_prolog.bridge import perceiver_of
from predinet_prolog.bridge.out_of_distribution import OutOfDistribution, out_of_distribution
from predinet_prolog.domains.relations_game import EVERYDAY
from predinet_prolog.neural import Model, load_model

Pixels = npt.NDArray[np.uint8]

SEED = 5_000_011
TASKS = ("scatter", "between")
HARSHER = (
    ("noise", 0.1),
    ("noise", 0.15),
    ("jpeg", 50),
    ("jpeg", 25),
    ("resize", 24),
    ("resize", 16),
    ("brightness", 0.4),
    ("contrast", 0.8),
    ("contrast", 0.6),
    ("blur", 0.75),
    ("blur", 1.0),
    ("blur", 1.5),
    ("shift", 2),
    ("shift", 3),
    ("background", 0.1),
    ("background", 0.2),
)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--images", type=int, default=200, help="pictures a kind, boards a set (default: 200)")
    parser.add_argument("--model", help="whose scenes are judged (default: the default model)")
    given = parser.parse_args()
    model = load_model(given.model or "relations-game")
    judge_others(model, given.images)
    judge_boards(model, given.images)


def judge_others(model: Model, images: int) -> None:
    """Prints how many of each kind were warned of."""
    print_head("other pictures", "warned", "least score")
    shares = []
    for kind in KINDS:
        found = judged(model, others(kind, images, seed=SEED))
        shares.append(np.mean([new.warning is not None for new in found]))
        print_row(kind, f"{shares[-1]:.3f}", f"{min(new.score for new in found):.2f}")
    print_row("**all**", f"**{np.mean(shares):.3f}**", "(wanted: 0.95)")
    print()


def judge_boards(model: Model, images: int) -> None:
    """Prints how many boards were not warned of."""
    print_head("boards", "objects", "not warned", "greatest score")
    for promised, corruptions in ((True, (None, *EVERYDAY)), (False, HARSHER)):
        shares = []
        for corruption in corruptions:
            for objects in ("hexos", "stripes"):
                drawn = (GAME.generate(task, images, kind=objects, seed=SEED, spoilt=corruption) for task in TASKS)
                found = judged(model, np.concatenate([boards.images for boards in drawn]))
                shares.append(np.mean([new.warning is None for new in found]))
                print_row(name_of(corruption), objects, f"{shares[-1]:.4f}", f"{max(new.score for new in found):.2f}")
        if promised:
            print_row("**all of these**", "both", f"**{np.mean(shares):.4f}**", "(wanted: 0.99)")
            print_row("beyond:", "", "", "")


def judged(model: Model, pixels: Pixels) -> list[OutOfDistribution]:
    """How far pictures are out of distribution, as a user gets it."""
    return [out_of_distribution(scene, model.domain.remedy) for scene in perceiver_of(model).perceive(pixels)]


if __name__ == "__main__":
    main()
