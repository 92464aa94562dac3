"""The PrediNet against a slow transcription of the paper's equations, head by head."""

import math

import numpy as np
import pytest
import torch

from neural.config import NetworkConfig
from neural.encoder import Encoder, content
from neural.network import RelationsNetwork
from neural.predinet import PrediNet

# A different prime for every axis: a swapped pair cannot hide. The encoder fixes n = side² and S.
B, K, J, G, N, M = 3, 5, 7, 11, 13, 17


def literal(module: PrediNet, L: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """(D, P, masks) of every head for one image's L (n, m), written as the paper writes it."""
    W_K, W_S = module.W_K.double().numpy(), module.W_S.double().numpy()
    heads = []
    for h in range(module.heads):
        own = slice(h * module.key_size, (h + 1) * module.key_size)
        masks, objects = [], []
        for W_Q in (module.W_Q1, module.W_Q2):
            Q = L.reshape(-1) @ W_Q.double().numpy()[:, own]  # equations 1 and 2
            Ks = [row @ W_K for row in L]  # equation 3
            scores = [sum(q * key for q, key in zip(Q, K_row, strict=True)) for K_row in Ks]
            exponents = [math.exp(score - max(scores)) for score in scores]
            mask = [value / sum(exponents) for value in exponents]
            masks.append(mask)
            objects.append(sum(weight * row for weight, row in zip(mask, L, strict=True)))  # equations 4 and 5
        D = [objects[0] @ W_S[:, i] - objects[1] @ W_S[:, i] for i in range(module.relations)]  # equation 6
        heads.append((np.array(D), np.array([e[-2:] for e in objects]), np.array(masks)))
    return heads


@pytest.fixture
def module() -> PrediNet:
    generator = torch.Generator().manual_seed(1)
    return PrediNet(windows=N, features=M, heads=K, relations=J, key_size=G, generator=generator).requires_grad_(False)


def test_forward_is_the_papers_equations(module: PrediNet) -> None:
    L = torch.randn(B, N, M, generator=torch.Generator().manual_seed(2))
    got = module(L)
    for b in range(B):
        expected = literal(module, L[b].double().numpy())
        for h, (D, P, masks) in enumerate(expected):
            np.testing.assert_allclose(got.values[b, h], D, atol=1e-5)
            np.testing.assert_allclose(got.positions[b, h], P, atol=1e-5)
            np.testing.assert_allclose(got.attention[b, h], masks, atol=1e-5)
        whole = np.concatenate([np.concatenate([D, P[0], P[1]]) for D, P, _ in expected])
        np.testing.assert_allclose(got.flat[b], whole, atol=1e-5)


def test_every_shape(module: PrediNet) -> None:
    got = module(torch.zeros(B, N, M))
    assert got.values.shape == (B, K, J)
    assert got.positions.shape == (B, K, 2, 2)
    assert got.attention.shape == (B, K, 2, N)
    assert got.flat.shape == (B, K * (J + 4)) == (B, module.output_size)


def test_parameter_count(module: PrediNet) -> None:
    """W_K: m·g. W_Q1 and W_Q2: n·m·k·g each. W_S: m·j."""
    count = sum(parameter.numel() for parameter in module.parameters())
    assert count == 17 * 11 + 2 * 13 * 17 * 5 * 11 + 17 * 7


def test_images_of_a_batch_do_not_influence_each_other(module: PrediNet) -> None:
    L = torch.randn(B, N, M, generator=torch.Generator().manual_seed(3))
    alone = torch.cat([module(L[b : b + 1]).flat for b in range(B)])
    torch.testing.assert_close(module(L).flat, alone, atol=1e-5, rtol=1e-5)


def test_swapping_a_heads_pair_negates_its_values(module: PrediNet) -> None:
    L = torch.randn(B, N, M, generator=torch.Generator().manual_seed(4))
    attention = module.attend(L)
    there, back = module.propositions(L, attention), module.propositions(L, attention.flip(2))
    torch.testing.assert_close(there.values, -back.values)
    torch.testing.assert_close(there.positions, back.positions.flip(2))


def test_the_papers_network_has_the_papers_sizes() -> None:
    network = RelationsNetwork(NetworkConfig())
    output = network(torch.zeros(2, 36, 36, 3, dtype=torch.uint8), torch.zeros(2, dtype=torch.int64))
    assert output.L.shape == (2, 25, 34)  # Table S1
    assert output.propositions.flat.shape == (2, 32 * (16 + 4))
    assert output.logits.shape == (2, 2)
    counts = {name: parameter.numel() for name, parameter in network.named_parameters()}
    assert counts == {
        "encoder.weight": 12 * 12 * 3 * 32,
        "encoder.bias": 32,
        "predinet.W_K": 34 * 16,
        "predinet.W_Q1": 25 * 34 * 32 * 16,
        "predinet.W_Q2": 25 * 34 * 32 * 16,
        "predinet.W_S": 34 * 16,
        "output.hidden_weight": (640 + 5) * 8,
        "output.hidden_bias": 8,
        "output.label_weight": 8 * 2,
        "output.label_bias": 2,
    }


def test_initial_weights_are_cut_at_two_std() -> None:
    weights = RelationsNetwork(NetworkConfig(), generator=torch.Generator().manual_seed(0)).predinet.W_Q1
    assert weights.abs().max() <= 0.2
    # A normal cut at two standard deviations keeps 0.8796 of its standard deviation.
    assert weights.std().item() == pytest.approx(0.08796, rel=0.01)


def test_encoder_sees_each_window_where_it_says() -> None:
    encoder = Encoder(image_size=36, filters=2, filter_size=12, stride=6).requires_grad_(False)
    blank = encoder.blank_features()
    image = torch.zeros(1, 36, 36, 3)
    image[0, 20, 32] = 255  # row 20, column 32: window rows 2 and 3 (12–23, 18–29), window column 4 (24–35)
    L = encoder(image)
    lit = (content(L, blank) > 0).view(5, 5).nonzero().tolist()
    assert lit == [[2, 4], [3, 4]]
    assert L[0, 2 * 5 + 4, -2:].tolist() == pytest.approx([4 / 5, 2 / 5])  # x first


def test_encoder_divides_by_256() -> None:
    encoder = Encoder(image_size=12, filters=1, filter_size=12, stride=6).requires_grad_(False)
    encoder.weight.zero_()
    encoder.weight[0, 1, 3, 4] = 2.0  # green, row 3, column 4
    image = torch.zeros(1, 12, 12, 3, dtype=torch.uint8)
    image[0, 3, 4, 1] = 64
    assert encoder(image)[0, 0, 0].item() == pytest.approx(2.0 * 64 / 256 + 0.1)
