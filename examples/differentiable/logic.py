"""Gödel's logic on tensors of truth values, 0–1: gradients flow through it, so that a rule can be a loss.

A predicate of things is a tensor with an axis for each argument, after the axis of images: same(X, Y) is (B, n, n) for
B images of n things. A variable that a predicate lacks is an axis of length 1, and shapes broadcast.

Truth values rounded at one half before a rule or after it are the same: a rule says softly what it says of facts. What
is said twice counts once, as same(X, Y) and same(Y, X). With products instead, what rules had learned was right less
often (docs/pytorch.md).
"""

from functools import reduce

import torch
from torch import Tensor


def conjunction(first: Tensor, *more: Tensor) -> Tensor:
    """All are true: the least of them."""
    return reduce(torch.minimum, more, first)


def disjunction(first: Tensor, *more: Tensor) -> Tensor:
    """Some are true: the greatest of them."""
    return reduce(torch.maximum, more, first)


def negation(truth: Tensor) -> Tensor:
    """It is not true."""
    return 1 - truth


def exists(truth: Tensor, axes: tuple[int, ...]) -> Tensor:
    """It is true of something on each of the `axes`, which the result lacks."""
    return truth.amax(axes)


def for_all(truth: Tensor, axes: tuple[int, ...]) -> Tensor:
    """It is true of everything on each of the `axes`, which the result lacks."""
    return truth.amin(axes)
