"""How well pictures of one's own are seen: what is found, what is said of pairs, and what is warned about.

    python benchmarks/own_pictures.py [--models NAME …] [--n N] [--sets NAME …] [--json FILE]

`exact` is the share of pictures in which every thing was found once and nothing else. The accuracies are balanced and
over all true pairs: a pair with a thing that was not found counts as wrong. `ECE` is the largest expected calibration
error of the learned predicates. `missed` and `false` are things a picture. Sets that must be warned about have no
truth. Nothing was trained, grounded, chosen or tuned on these pictures.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

import numpy as np

from benchmarks.own_pictures_sets import photographs, texts, textures
from benchmarks.shared import figure, options, print_head, print_row
from predinet_prolog.domains.domain import Annotated, Pixels
from predinet_prolog.domains.scenes.domain import DOMAIN, STYLES
from predinet_prolog.domains.sort_of_clevr.domain import DOMAIN as SORT_OF_CLEVR
from predinet_prolog.experiments.evaluation import evaluate
from predinet_prolog.experiments.outcomes import Evaluation
from predinet_prolog.neural.glimpses.model import load_any

SEED = 5_200_007
"""Pictures come from a seed that nothing was trained, grounded or tested with."""
PREDICATES = "same", "same_shape", "same_colour", "same_size"


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--models", nargs="+", default=["scenes"], help="names or files (default: scenes)")
    parser.add_argument("--n", type=int, default=400, help="pictures a set (default: 400)")
    parser.add_argument("--sets", choices=SETS, nargs="+", default=list(SETS), help="some sets")
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    arguments = parser.parse_args()
    records = []
    print_head("set", "model", "exact", *PREDICATES, "ECE", "missed", "false", "warned")
    for name in arguments.sets:
        annotated = SETS[name](name, arguments.n)
        for model in map(load_any, arguments.models):
            warned: list[bool] = []
            evaluation = evaluate(
                model, annotated, watch=lambda scene, warned=warned: warned.append(scene.inspection.score >= 1)
            )
            share = float(np.mean(warned))
            print_row(name, model.name, *cells(evaluation, share))
            records.append({"set": name, "model": model.name, **evaluation.to_json(), "warned": share})
    if arguments.json:
        arguments.json.write_text(json.dumps(records, indent=1) + "\n")


def cells(evaluation: Evaluation, warned: float) -> list[str]:
    """Those of the table but the first two."""
    if (faults := evaluation.faults) is None:
        return [*["–"] * 8, figure(warned)]
    errors = [error for error in evaluation.calibration.values() if error is not None]
    return [
        *map(figure, (evaluation.exact_scenes, *(evaluation.pairs.get(name) for name in PREDICATES))),
        figure(max(errors, default=None)),
        f"{faults.missing / evaluation.n:.2f}",
        f"{(faults.spurious + faults.merged) / evaluation.n:.2f}",
        figure(warned),
    ]


def scenes(name: str, n: int) -> Annotated:
    """Of the style `name`, of families of shapes that only measure."""
    return DOMAIN.generate_annotated(n, seed=SEED, kind="judging", task=name)


def clevr(name: str, n: int) -> Annotated:
    """Sort-of-CLEVR; that no two things of a picture have one colour is annotated, too."""
    drawn = SORT_OF_CLEVR.generate_annotated(n, seed=SEED)
    assert drawn.truth is not None
    colour = np.arange(len(drawn.truth.image)) % SORT_OF_CLEVR.most_objects
    return replace(drawn, truth=replace(drawn.truth, attributes={**drawn.truth.attributes, "colour": colour}))


def without_truth(name: str, n: int) -> Annotated:
    """Pictures that must be warned about."""
    return Annotated(tuple(map(str, range(n))), tuple(WARNED[name](n, seed=SEED)))


WARNED: Mapping[str, Callable[..., Iterator[Pixels]]] = {
    "photographs": photographs,
    "texts": texts,
    "textures": textures,
}
SETS: Mapping[str, Callable[[str, int], Annotated]] = {
    **dict.fromkeys(tuple(STYLES)[1:], scenes),
    "sort_of_clevr": clevr,
    **dict.fromkeys(WARNED, without_truth),
}


if __name__ == "__main__":
    main()
