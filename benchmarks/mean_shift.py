"""Mean shift over attention masks: many images at once, beside scikit-learn's one at a time.

    python benchmarks/mean_shift.py [--images N] [--model NAME]

Both cluster the same masks of real scenes; the last column compares their labels.
"""

import argparse
import os
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded

from sklearn.cluster import MeanShift

from bridge.mean_shift import mean_shift
from bridge.perceiver import BANDWIDTH
from domains.relations_game import generate
from neural import load_model


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--images", type=int, default=256)
    parser.add_argument("--model", default="between")
    options = parser.parse_args()
    model = load_model(options.model)
    images = generate("between", options.images, objects="hexos", seed=0).render()
    masks = model.graph.look(images).attention.reshape(len(images), -1, model.config.windows)  # (B, 2k, n)

    mean_shift(masks[:1], bandwidth=BANDWIDTH)  # warms up
    start = perf_counter()
    reference = [MeanShift(bandwidth=BANDWIDTH).fit(own).labels_.tolist() for own in masks]
    peer = options.images / (perf_counter() - start)
    print("| batch | images/s | scikit-learn, images/s | ratio | same labels |")
    print("|---|---|---|---|---|")
    for batch in (1, 16, options.images):
        start = perf_counter()
        parts = [masks[first : first + batch] for first in range(0, len(masks), batch)]
        labels = [row.tolist() for part in parts for row in mean_shift(part, bandwidth=BANDWIDTH)[0]]
        rate = options.images / (perf_counter() - start)
        same = sum(ours == theirs for ours, theirs in zip(labels, reference, strict=True))
        print(f"| {batch} | {rate:.0f} | {peer:.0f} | {rate / peer:.1f} | {same} of {options.images} |")


if __name__ == "__main__":
    main()
