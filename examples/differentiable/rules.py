"""Rules of the theory of the Relations Game as functions of truth values, 0–1: classical where these are 0 or 1.

They say what symbolic/theories/relations_game.pl says. Shapes: B images, n windows. `same` (B, n, n) is a predicate's
truth values, `objects` (B, n) says which windows show a thing, `where` has the spatial relations of windows, (n, n) and
(n, n, n), an axis for each argument.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from examples.differentiable.logic import conjunction, disjunction, exists, for_all, negation

Where = Mapping[str, Tensor]


def same_label(same: Tensor, objects: Tensor, where: Where) -> Tensor:
    """same(A, C) of some A and C: (B,)."""
    return exists(same, (1, 2))


def between_label(same: Tensor, objects: Tensor, where: Where) -> Tensor:
    """same(A, C), lies_between(B, A, C) of some A, B and C: (B,)."""
    flanked = exists(conjunction(objects[:, :, None, None], where["lies_between"]), (1,))  # (B, A, C)
    return exists(conjunction(same, flanked), (1, 2))


def occurs_label(same: Tensor, objects: Tensor, where: Where) -> Tensor:
    """topmost(A), same(A, C) of some A and C: (B,)."""
    return exists(conjunction(_topmost(objects, where)[:, :, None], same), (1, 2))


def xoccurs_label(same: Tensor, objects: Tensor, where: Where) -> Tensor:
    """topmost(A), same(A, C), and no other two look the same: (B,)."""
    top = _topmost(objects, where)
    copy = exists(conjunction(top[:, :, None], same), (1,))  # (B, C)
    another = exists(conjunction(copy[:, :, None], copy[:, None]).triu(1), (1, 2))
    below = conjunction(same, negation(top)[:, :, None], negation(top)[:, None])
    return conjunction(exists(copy, (1,)), negation(another), negation(exists(below, (1, 2))))


def match_rows_label(same: Tensor, objects: Tensor, where: Where) -> Tensor:
    """Two rows of three, one above the other, have one pattern of aaa, aab, abb, aba, abc: (B,)."""
    ab, bc, ac = same[:, :, :, None], same[:, None], same[:, :, None]
    unlike_ab, unlike_bc = negation(ab), negation(bc)
    patterns = (
        conjunction(ab, bc),
        conjunction(ab, unlike_bc),
        conjunction(unlike_ab, bc),
        conjunction(unlike_ab, unlike_bc, ac),
        conjunction(unlike_ab, unlike_bc, negation(ac)),
    )
    before = conjunction(where["left_of"], where["same_row"])
    row_of_three = conjunction(before[:, :, None], before, *_all(objects))  # (B, n, n, n)
    # By its leftmost thing, whether some row has the pattern.
    rows = [exists(conjunction(row_of_three, pattern), (2, 3)) for pattern in patterns]
    matching = (conjunction(where["above"], row[:, :, None], row[:, None]) for row in rows)
    return disjunction(*(exists(each, (1, 2)) for each in matching))


def _topmost(objects: Tensor, where: Where) -> Tensor:
    """Which things (B, n) are above all others."""
    below = disjunction(where["above"], torch.eye(len(where["above"])), negation(objects)[:, None])
    return conjunction(objects, for_all(below, (2,)))


def _all(objects: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """A, B and C are things."""
    return objects[:, :, None, None], objects[:, None, :, None], objects[:, None, None]


RULES = {
    "same": same_label,
    "between": between_label,
    "occurs": occurs_label,
    "xoccurs": xoccurs_label,
    "match_rows": match_rows_label,
}
"""By task."""
