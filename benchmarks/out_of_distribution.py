"""Whether pictures that are no boards are warned of, and corrupted boards are not.

    python benchmarks/out_of_distribution.py [--images N] [--model M]
    python benchmarks/out_of_distribution.py --fit [--images N] [--model M]

The other pictures are those of `benchmarks.others`; the boards are hexominoes and stripes, one to nine on a board
(`scatter`) and the task `between`, clean, with the corruptions of everyday and, beyond what is promised, with harsher
ones. `--fit` prints what the limits in
`domains.relations_game.out_of_distribution` were chosen by: corrupted pentominoes, of other seeds.
"""

import os
from collections.abc import Iterator

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

import numpy as np
import numpy.typing as npt

from benchmarks.others import KINDS, others
from benchmarks.shared import GAME, name_of, options, print_head, print_row
from predinet_prolog.bridge import perceiver_of
from predinet_prolog.bridge.out_of_distribution import OutOfDistribution, out_of_distribution
from predinet_prolog.domains.domain import Labelled
from predinet_prolog.domains.relations_game import EVERYDAY
from predinet_prolog.domains.relations_game.out_of_distribution import BACKGROUND, FAINT, UNEXPLAINED, measure
from predinet_prolog.experiments.evaluation import faults_of
from predinet_prolog.neural import Model, load_model

Pixels = npt.NDArray[np.uint8]

SEED, FIT_SEED = 5_000_011, 6_000_011
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
SHADES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--images", type=int, default=200, help="pictures a kind, boards a set (default: 200)")
    parser.add_argument("--model", help="whose scenes are judged (default: the default model)")
    parser.add_argument("--fit", action="store_true", help="print what the limits were chosen by")
    given = parser.parse_args()
    model = load_model(given.model or "relations-game")
    if given.fit:
        fit(model, given.images)
        return
    judge_others(model, given.images)
    judge_boards(model, given.images)


# --- Judged. ---


def judge_others(model: Model, images: int) -> dict[str, Pixels]:
    """Prints how many of each kind were warned of; gives those that were not."""
    print_head("other pictures", "warned", "least score")
    missed, shares = {}, []
    for kind in KINDS:
        pixels = others(kind, images, seed=SEED)
        found = judged(model, pixels)
        warned = np.array([new.warning is not None for new in found])
        missed[kind] = pixels[~warned]
        shares.append(warned.mean())
        print_row(kind, f"{shares[-1]:.3f}", f"{min(new.score for new in found):.2f}")
    print_row("**all**", f"**{np.mean(shares):.3f}**", "(wanted: 0.95)")
    print()
    return missed


def judge_boards(model: Model, images: int) -> dict[str, Pixels]:
    """Prints how many boards were not warned of; gives those that were."""
    print_head("boards", "objects", "not warned", "greatest score")
    missed = {}
    for promised, corruptions in ((True, (None, *EVERYDAY)), (False, HARSHER)):
        shares = []
        for corruption in corruptions:
            for objects in ("hexos", "stripes"):
                pixels = np.concatenate([drawn.images for drawn in boards(objects, images, corruption, SEED)])
                found = judged(model, pixels)
                fine = np.array([new.warning is None for new in found])
                what = name_of(corruption)
                missed[f"{what}, {objects}"] = pixels[~fine]
                shares.append(fine.mean())
                print_row(what, objects, f"{shares[-1]:.4f}", f"{max(new.score for new in found):.2f}")
        if promised:
            print_row("**all of these**", "both", f"**{np.mean(shares):.4f}**", "(wanted: 0.99)")
            print_row("beyond:", "", "", "")
    print()
    return missed


def judged(model: Model, pixels: Pixels) -> list[OutOfDistribution]:
    """How far pictures are out of distribution, as a user gets it."""
    return [out_of_distribution(scene, model.domain.remedy) for scene in perceiver_of(model).perceive(pixels)]


def boards(objects: str, images: int, corruption: tuple[str, float] | None, seed: int) -> Iterator[Labelled]:
    """Pictures of both tasks."""
    return (GAME.generate(task, images, kind=objects, seed=seed, spoilt=corruption) for task in TASKS)


# --- Fitted. ---


def fit(model: Model, images: int) -> None:
    """Prints what corrupted pentominoes have of each measure, in its own unit, and how the model bears backgrounds."""
    print_head("pentominoes", "unexplained: median", "99 %", "greatest", "mean square: 1 %", "least")
    for corruption in (None, *EVERYDAY, *HARSHER):
        pixels = np.concatenate([drawn.images for drawn in boards("pentos", images, corruption, FIT_SEED)])
        measures = measure(pixels)
        unexplained, seen = UNEXPLAINED * measures.unexplained, FAINT / measures.empty
        levels = (np.median(unexplained), np.percentile(unexplained, 99), unexplained.max())
        shares = [f"{level:.3f}" for level in levels]
        print_row(name_of(corruption), *shares, f"{np.percentile(seen, 1):.0f}", f"{seen.min():.0f}")
    print_row("limit", "", f"{UNEXPLAINED}", "", "", f"{FAINT:g}")
    print()
    print_head("background, of 255", f"exact scenes of pentominoes, {model.name}")
    for shade in SHADES:
        exact = [
            faults_of(scene, truth.boxes[truth.rows(number)]).total == 0
            for drawn in boards("pentos", images, ("background", shade), FIT_SEED)
            if (truth := drawn.truth) is not None
            for number, scene in enumerate(perceiver_of(model).perceive(drawn.images))
        ]
        print_row(f"{255 * shade:.0f}", f"{np.mean(exact):.3f}")
    print_row(f"limit: {BACKGROUND:g}", "")


if __name__ == "__main__":
    main()
