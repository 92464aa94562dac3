"""Mean shift over attention masks: many images at once, beside scikit-learn's one at a time.

    python benchmarks/mean_shift.py [--images N] [--model NAME]

Both cluster the same masks of real scenes; the last column compares their labels.
"""

import os
from collections.abc import Callable
from functools import partial

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

import numpy as np
from sklearn.cluster import MeanShift

from benchmarks.shared import GAME, least, options, print_head, print_row
from predinet_prolog.bridge.mean_shift import mean_shift
from predinet_prolog.bridge.perceiving.windows import BANDWIDTH
from predinet_prolog.neural import load_model


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--images", type=int, default=256)
    parser.add_argument("--model", default="between")
    chosen = parser.parse_args()
    model = load_model(chosen.model)
    images = GAME.generate("between", chosen.images, kind="hexos", seed=0).images
    masks = model.graph.look(images).attention.reshape(len(images), -1, model.config.windows)  # (B, 2k, n)

    def rate(cluster: Callable[[], object]) -> float:
        return len(masks) / least(cluster, 1)

    reference, peer = plainly(masks), rate(partial(plainly, masks))
    print_head("batch", "images/s", "scikit-learn, images/s", "ratio", "same labels")
    for batch in (1, 16, len(masks)):
        ours, speed = by_batches(masks, batch), rate(partial(by_batches, masks, batch))
        same = sum(own == theirs for own, theirs in zip(ours, reference, strict=True))
        print_row(batch, f"{speed:.0f}", f"{peer:.0f}", f"{speed / peer:.1f}", f"{same} of {len(masks)}")


def plainly(masks: np.ndarray) -> list[list[int]]:
    """scikit-learn's labels, an image at a time."""
    return [MeanShift(bandwidth=BANDWIDTH).fit(own).labels_.tolist() for own in masks]


def by_batches(masks: np.ndarray, batch: int) -> list[list[int]]:
    parts = [masks[first : first + batch] for first in range(0, len(masks), batch)]
    return [row.tolist() for part in parts for row in mean_shift(part, bandwidth=BANDWIDTH)[0]]


if __name__ == "__main__":
    main()
