"""Soft logic is classical logic where truth values are 0 and 1, and rounds to it everywhere else."""

import pytest
import torch
from torch import Tensor

from examples.differentiable.logic import conjunction, disjunction, exists, for_all, negation

B, N = 3, 5


@pytest.fixture
def truth() -> Tensor:
    """(B, N, N), a third of them above one half, none nearer to it than a hundredth."""
    likely = torch.rand(B, N, N, generator=torch.Generator().manual_seed(3))
    return torch.where(likely > 2 / 3, likely.clamp_min(0.51), likely * 0.7)


def test_it_is_classical_logic_of_facts(truth: Tensor) -> None:
    facts = truth.round()
    p, q = (facts > 0.5), (facts > 0.5).transpose(1, 2)
    assert torch.equal(conjunction(facts, facts.transpose(1, 2)) > 0.5, p & q)
    assert torch.equal(disjunction(facts, facts.transpose(1, 2)) > 0.5, p | q)
    assert torch.equal(negation(facts) > 0.5, ~p)
    rows = p.tolist()
    assert exists(facts, (2,)).tolist() == [[any(row) for row in image] for image in rows]
    assert for_all(facts, (1,)).tolist() == [[all(column) for column in zip(*image, strict=True)] for image in rows]
    assert exists(facts, (1, 2)).tolist() == [any(map(any, image)) for image in rows]


def test_a_rule_says_softly_what_it_says_of_facts(truth: Tensor) -> None:
    """Some X is not like itself, or like all that some Y is like: rounded before or after, it is the same."""

    def rule(like: Tensor) -> Tensor:
        follows = disjunction(negation(like[:, None]), like[:, :, None])  # (B, X, Y, Z): like(Y, Z) -> like(X, Z)
        odd = negation(like.diagonal(dim1=1, dim2=2))
        return disjunction(odd, exists(for_all(follows, (3,)), (2,)))

    for threshold in (0.2, 0.4, 0.6):
        like = (truth + 0.5 - threshold).clamp(0, 1)
        like = torch.where((like - 0.5).abs() < 1e-3, 0.9, like)
        assert torch.equal(rule(like).round(), rule(like.round()))
    some = rule(truth.round())
    expected = [
        [not like[x][x] or any(all(like[x][z] or not like[y][z] for z in range(N)) for y in range(N)) for x in range(N)]
        for like in truth.round().tolist()
    ]
    assert some.tolist() == expected
