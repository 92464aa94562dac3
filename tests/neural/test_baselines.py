"""The baselines against slow transcriptions of their definitions, and their sizes against Table S1."""

import math

import numpy as np
import pytest
import torch

from predinet_prolog.neural import NetworkConfig, RelationsNetwork
from predinet_prolog.neural.baselines import MLP, MultiHeadAttention, RelationNet
from tests.cases import cases

CASES = cases(__file__)

# A different number for every axis: B images, K heads, G key size, N windows, M features, V values.
B, K, G, N, M, V = 2, 5, 11, 9, 17, 7
CONFIG = NetworkConfig(heads=K, relations=V - 4, key_size=G, filters=M - 2, image_size=21, filter_size=3, stride=9)


def drawn(seed: int = 2) -> torch.Tensor:
    return torch.randn(B, N, M, generator=torch.Generator().manual_seed(seed))


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(1)


def test_an_mlp_is_its_layers_one_after_another() -> None:
    module = MLP(CONFIG, hidden=(3,), generator=generator()).requires_grad_(False)
    L = drawn()
    for b in range(B):
        x = L[b].double().numpy().reshape(-1)
        for weight, bias in zip(module.weights, module.biases, strict=True):
            x = np.maximum(x @ weight.double().numpy() + bias.double().numpy(), 0)
        np.testing.assert_allclose(module(L).flat[b], x, atol=1e-5)


def test_a_relation_net_takes_the_mean_over_all_ordered_pairs() -> None:
    module = RelationNet(CONFIG, generator=generator()).requires_grad_(False)
    W_hidden, W_output = module.W_hidden.double().numpy(), module.W_output.double().numpy()
    L = drawn()
    for b in range(B):
        rows = L[b].double().numpy()
        pairs = [np.concatenate([first, second]) for first in rows for second in rows]
        assert len(pairs) == N * N
        outputs = [np.maximum(np.maximum(pair @ W_hidden, 0) @ W_output, 0) for pair in pairs]
        np.testing.assert_allclose(module(L).flat[b], np.mean(outputs, axis=0), atol=1e-5)


def test_a_relation_nets_gradients_are_those_of_its_definition() -> None:
    """By autograd, in double precision, from the joined pairs."""
    module, L = RelationNet(CONFIG, generator=generator()), drawn().requires_grad_()
    exact, doubles = RelationNet(CONFIG, generator=generator()).double(), drawn().double().requires_grad_()
    pairs = torch.stack([torch.cat([a, b], 1) for a in doubles.unbind(1) for b in doubles.unbind(1)], 1)
    ours, theirs = module(L).flat, (pairs @ exact.W_hidden).relu().matmul(exact.W_output).relu().mean(1)
    weights = torch.arange(ours.shape[1])  # every output counts otherwise
    found = torch.autograd.grad((ours @ weights.float()).sum(), [L, module.W_hidden, module.W_output])
    wanted = torch.autograd.grad((theirs @ weights.double()).sum(), [doubles, exact.W_hidden, exact.W_output])
    for gradient, exactly in zip(found, wanted, strict=True):
        np.testing.assert_allclose(gradient, exactly, rtol=1e-4, atol=1e-3)


def test_multi_head_attention_weighs_every_heads_outputs_by_window() -> None:
    module = MultiHeadAttention(CONFIG, generator=generator()).requires_grad_(False)
    L = drawn()
    for b in range(B):
        rows = L[b].double().numpy()
        flat = []
        for h in range(K):
            W_K, W_Q = (w.double().numpy()[:, h * G : (h + 1) * G] for w in (module.W_K, module.W_Q))
            W_V = module.W_V.double().numpy()[:, h * V : (h + 1) * V]
            total = np.zeros(V)
            for window in range(N):
                scores = [float((rows[window] @ W_Q) @ (row @ W_K)) for row in rows]
                shares = [math.exp(score - max(scores)) for score in scores]
                output = sum(share / sum(shares) * (row @ W_V) for share, row in zip(shares, rows, strict=True))
                total += module.w[h, window].item() * output
            flat.append(total)
        np.testing.assert_allclose(module(L).flat[b], np.concatenate(flat), atol=1e-4)


@pytest.mark.parametrize(("architecture", "count"), CASES["counts"])
def test_parameter_counts_are_those_of_the_papers_table(architecture: str, count: int) -> None:
    network = RelationsNetwork(NetworkConfig(architecture=architecture))
    assert sum(parameter.numel() for parameter in network.central.parameters()) == count
    output = network(torch.zeros(3, 36, 36, 3, dtype=torch.uint8), torch.zeros(3, dtype=torch.int64))
    assert output.flat.shape == (3, 640) == (3, network.config.output_size)
    assert (output.logits.shape, output.L.shape) == ((3, 2), (3, 25, 34))
    assert (output.propositions is None) == (architecture != "predinet")
    rest = (12 * 12 * 3 * 32 + 32) + (645 * 8 + 8 + 8 * 2 + 2)  # encoder and output MLP, the same for all
    assert sum(parameter.numel() for parameter in network.parameters()) == count + rest
