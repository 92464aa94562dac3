"""The encoder that slides its windows: it finds objects that are off by a pixel, and leaves those in their place."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from predinet_prolog.domains.relations_game import OBJECT_SETS, Scenes, corrupt, generate, object_offsets
from predinet_prolog.neural import NetworkConfig
from predinet_prolog.neural.alignment import AlignedEncoder
from predinet_prolog.neural.encoder import Encoder

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
    aligned, papers = (
        part(torch.from_numpy(scenes.render())).view(-1, 5, 5, 34)[:, ::2, ::2].flatten(1, 2)[scenes.occupied]
        for part in (encoder, plain)
    )
    torch.testing.assert_close(aligned, papers, atol=1e-12, rtol=0)


def test_wholeness_by_hand() -> None:
    """A row's mean ink, of that and what reaches both of two opposite sides."""
    images = torch.zeros(5, 12, 12, 3)  # the first is empty
    images[1, 2:8, 2:8] = images[2, 2:8, :2] = images[3, 2:8, [0, -1]] = images[4] = 255
    encoder = AlignedEncoder(replace(CONFIG, image_size=12)).double()
    by_hand = torch.tensor([1, 1, 1, 1 / (1 + 6), 12 / (12 + 12 + 12)], dtype=torch.float64)
    torch.testing.assert_close(encoder.wholeness(images)[:, 0], by_hand)
