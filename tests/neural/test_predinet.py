"""The PrediNet and its encoders against the paper's equations; the aligned one finds what is off by a pixel."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn import functional

from predinet_prolog.domains.relations_game import OBJECT_SETS, Scenes, corrupt, generate, object_offsets
from predinet_prolog.neural.alignment import AlignedEncoder
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


CONFIG = NetworkConfig(aligned=True)


@pytest.fixture(scope="module")
def encoder() -> AlignedEncoder:
    made = AlignedEncoder(CONFIG, generator=torch.Generator().manual_seed(0))
    return made.double().requires_grad_(False)


def found(scenes: Scenes, images: np.ndarray) -> np.ndarray:
    """How far the window of every object slides, x and y: (objects, 2)."""
    encoder = AlignedEncoder(CONFIG)
    slides = encoder.slides(encoder.foreground(torch.from_numpy(images)))[:, ::2, ::2].flatten(1, 2)
    return slides[torch.from_numpy(scenes.occupied)].flip(1).numpy()


@pytest.mark.parametrize("objects", OBJECT_SETS)
@pytest.mark.parametrize("pixels", [0, 1])
def test_windows_slide_to_objects_that_are_off_by_a_pixel_and_to_no_others(objects: str, pixels: int) -> None:
    scenes = generate("scatter", 300, objects=objects, seed=2)
    true = object_offsets(scenes, "shift", pixels, seed=3)[scenes.occupied]
    assert np.abs(true).max() == pixels
    np.testing.assert_array_equal(found(scenes, corrupt(scenes, "shift", pixels, seed=3)), true)


def test_features_do_not_depend_on_where_an_object_is_within_reach(encoder: AlignedEncoder) -> None:
    """The same object alone, moved by every pixel of a square whose lines are its own."""
    scenes = generate("scatter", 40, objects="pentos", seed=4)
    first = [int(np.flatnonzero(occupied)[0]) for occupied in scenes.occupied]
    images = scenes.render()
    windows = torch.zeros(len(images), 3, 12, 12, dtype=torch.float64)
    for index, cell in enumerate(first):
        top, left = cell // 3 * 12, cell % 3 * 12
        windows[index] = torch.from_numpy(images[index, top : top + 12, left : left + 12]).movedim(-1, 0)
    at_home = encoder.filtered(windows)
    assert at_home.std(0).max() > 0.05, "else nothing is compared"
    for y in (-1, 0, 1):
        for x in (-1, 0, 1):
            moved = windows.roll((y, x), (2, 3))
            torch.testing.assert_close(encoder.filtered(moved), at_home, atol=1e-12, rtol=0)


def test_a_clean_image_has_the_features_of_the_papers_encoder(encoder: AlignedEncoder) -> None:
    """At the cells of objects, with weights that look at nothing but the frame."""
    plain = Encoder(CONFIG).double().requires_grad_(False)
    plain.weight.zero_()
    plain.weight[:, :, 1:10, 1:10] = encoder.weight[:, :, 1:10, 1:10]
    plain.bias.copy_(encoder.bias)
    scenes = generate("scatter", 50, objects="stripes", seed=5)
    images = torch.from_numpy(scenes.render())
    cells = (part(images).view(-1, 5, 5, 34)[:, ::2, ::2].flatten(1, 2) for part in (encoder, plain))
    aligned, papers = (own[scenes.occupied] for own in cells)
    torch.testing.assert_close(aligned, papers, atol=1e-12, rtol=0)


def test_wholeness_by_hand() -> None:
    """A row's mean ink, of that and what reaches both of two opposite sides."""
    images = torch.zeros(5, 12, 12, 3)  # the first is empty
    images[1, 2:8, 2:8] = images[2, 2:8, :2] = images[3, 2:8, [0, -1]] = images[4] = 255
    encoder = AlignedEncoder(replace(CONFIG, image_size=12)).double()
    by_hand = torch.tensor([1, 1, 1, 1 / (1 + 6), 12 / (12 + 12 + 12)], dtype=torch.float64)
    torch.testing.assert_close(encoder.wholeness(images)[:, 0], by_hand)
