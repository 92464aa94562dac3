"""Stacked and recurrent PrediNets: each level and pass against the paper's equations written out slowly."""

import numpy as np
import pytest
import torch

from predinet_prolog.neural import PrediNet, Propositions, RecurrentPrediNet, StackedPrediNet
from tests.neural.test_predinet import B, G, J, K, M, N, literal

SIZES = {"heads": K, "relations": J, "key_size": G}


def drawn() -> torch.Tensor:
    return torch.randn(B, N, M, generator=torch.Generator().manual_seed(2))


def assert_said(said: Propositions, module: PrediNet, objects: list[np.ndarray]) -> list[np.ndarray]:
    """`said` is what the equations say of each image's `objects`; their (D, P1, P2) of every head."""
    heads = [[np.concatenate([D, *P]) for D, P, _ in literal(module, each)] for each in objects]
    np.testing.assert_allclose(said.flat, np.array(heads).reshape(len(objects), -1), atol=1e-5)
    return [np.array(each) for each in heads]


def test_the_pairs_of_a_pass_are_objects_of_the_next() -> None:
    recurrent = RecurrentPrediNet(N, M, passes=3, **SIZES, generator=torch.Generator().manual_seed(1))
    recurrent.requires_grad_(False)
    L = drawn()
    said = recurrent(L)
    assert len(said) == 3
    W_back, b = recurrent.W_back.double().numpy(), recurrent.b.double().numpy()
    pairs = [np.zeros((K, M))] * B
    for each in said:
        objects = [np.concatenate([windows, pair]) for windows, pair in zip(L.double().numpy(), pairs, strict=True)]
        heads = assert_said(each, recurrent.predinet, objects)
        middles = [(rows[:, J : J + 2] + rows[:, J + 2 :]) / 2 for rows in heads]
        pairs = [np.hstack([np.maximum(h @ W_back + b, 0), p]) for h, p in zip(heads, middles, strict=True)]


@pytest.mark.parametrize("kind", [StackedPrediNet, RecurrentPrediNet])
def test_what_is_said_last_teaches_every_weight(kind: type[StackedPrediNet] | type[RecurrentPrediNet]) -> None:
    module = kind(N, M, **SIZES, generator=torch.Generator().manual_seed(1))
    module(drawn())[-1].values.square().sum().backward()
    for name, weight in module.named_parameters():
        assert weight.grad is not None
        assert weight.grad.abs().max() > 0, name
