"""The PrediNet against a slow transcription of the paper's equations, head by head."""

import math

import numpy as np
import pytest
import torch
from torch.nn import functional

from predinet_prolog.neural.config import NetworkConfig
from predinet_prolog.neural.encoder import Encoder, content
from predinet_prolog.neural.predinet import PrediNet

# A different number for every axis: a swapped pair cannot hide.
B, N, K, J, G, M = 3, 9, 5, 7, 11, 17


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
        D = [objects[0] @ W_S[:, i] - objects[1] @ W_S[:, i] for i in range(J)]  # equation 6
        heads.append((np.array(D), np.array([e[-2:] for e in objects]), np.array(masks)))
    return heads


@pytest.fixture
def module() -> PrediNet:
    generator = torch.Generator().manual_seed(1)
    return PrediNet(N, M, heads=K, relations=J, key_size=G, generator=generator).requires_grad_(False)


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


@pytest.mark.parametrize("config", [NetworkConfig(filters=4), NetworkConfig(filters=3, filter_size=10, stride=5)])
def test_the_encoder_is_a_convolution_and_says_where_its_windows_are(config: NetworkConfig) -> None:
    encoder = Encoder(config, generator=torch.Generator().manual_seed(1)).requires_grad_(False)
    images = torch.randint(256, (5, 36, 36, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(2))
    maps = functional.conv2d(images.permute(0, 3, 1, 2) / 256, encoder.weight, encoder.bias, stride=config.stride)
    L = encoder(images)
    torch.testing.assert_close(L[..., :-2], maps.relu().flatten(2).transpose(1, 2))
    assert L[3, 2 * config.side + 4, -2:].tolist() == pytest.approx([4 / config.side, 2 / config.side])  # x first


def test_content_is_of_windows_that_show_something() -> None:
    encoder = Encoder(NetworkConfig(filters=2)).requires_grad_(False)
    image = torch.zeros(1, 36, 36, 3)
    image[0, 20, 32] = 255  # row 20, column 32: window rows 2 and 3 (12–23, 18–29), window column 4 (24–35)
    shown = content(encoder(image)[..., :-2], encoder.blank_features())
    assert (shown > 0).view(5, 5).nonzero().tolist() == [[2, 4], [3, 4]]
