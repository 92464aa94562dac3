"""Accuracy of a network whose heads are pruned at test time: what the others give is replaced by zeros (figure 6c)."""

import numpy as np
import numpy.typing as npt
import torch

from experiments.heads import head_outputs, head_weights
from neural.network import RelationsNetwork

CHUNK = 50
"""Subsets judged at once."""


def pruned_accuracies(
    network: RelationsNetwork,
    images: npt.NDArray[np.uint8],
    labels: npt.NDArray[np.int64],
    kept: npt.NDArray[np.bool_],
) -> npt.NDArray[np.float64]:
    """Share of right answers (S,) to `images` (N, S, S, 3) with only the heads in each row of `kept` (S, k).

    The output MLP gets zeros in place of a pruned head's output. The first task id is asked.
    """
    weights = head_weights(network).double().cpu()  # (k, v, hidden)
    outputs = torch.from_numpy(head_outputs(network, images)).double()  # (N, k, v)
    # A head reaches the hidden layer as a sum of its own, so subsets are sums of these: no pass for each subset.
    parts = torch.einsum("bkv,kvh->bkh", outputs, weights)
    mlp = network.output
    task_weight = mlp.hidden_weight[len(mlp.hidden_weight) - network.config.task_ids]
    task = (task_weight + mlp.hidden_bias).detach().double().cpu()  # (hidden,)
    label_weight, label_bias = mlp.label_weight.detach().double().cpu(), mlp.label_bias.detach().double().cpu()
    right = []
    for start in range(0, len(kept), CHUNK):
        chunk = torch.from_numpy(kept[start : start + CHUNK]).double()
        hidden = (torch.einsum("sk,bkh->sbh", chunk, parts) + task).relu()
        answers = (hidden @ label_weight + label_bias).argmax(-1)  # (s, N)
        right.append((answers == torch.from_numpy(labels)).double().mean(1).numpy())
    return np.concatenate(right)


def random_subsets(
    candidates: npt.NDArray[np.bool_], size: int, count: int, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """`count` random subsets (count, k) of `size` heads each, drawn among the `candidates` (k,)."""
    heads = np.flatnonzero(candidates)
    kept = np.zeros((count, len(candidates)), dtype=np.bool_)
    for row in kept:
        row[rng.choice(heads, size, replace=False)] = True
    return kept
