"""The encoder that slides its windows: it finds objects that are off by a pixel, and leaves those in their place."""

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from domains.relations_game import OBJECT_SETS, Scenes, corrupt, generate, object_offsets
from neural import NetworkConfig, RelationsNetwork
from neural.alignment import REACH, AlignedEncoder, slides
from neural.encoder import Encoder


@pytest.fixture(scope="module")
def encoder() -> AlignedEncoder:
    network = RelationsNetwork(NetworkConfig(aligned=True), generator=torch.Generator().manual_seed(0)).double()
    assert isinstance(network.encoder, AlignedEncoder)
    return network.encoder


def cell_windows(images: np.ndarray) -> Tensor:
    """The windows of the nine cells, and REACH pixels more on every side: (N, 9, 3, 18, 18)."""
    padded = functional.pad(torch.from_numpy(images).movedim(-1, 1).double(), (REACH,) * 4)
    windows = functional.unfold(padded, 12 + 2 * REACH, stride=12).transpose(1, 2)
    return windows.reshape(len(images), 9, 3, 12 + 2 * REACH, 12 + 2 * REACH)


def found(scenes: Scenes, images: np.ndarray) -> np.ndarray:
    """How far the window of every object slides: (objects, 2)."""
    return slides(cell_windows(images)[torch.from_numpy(scenes.occupied)], 12).numpy()


@pytest.mark.parametrize("objects", OBJECT_SETS)
def test_nothing_slides_in_a_clean_image(objects: str) -> None:
    scenes = generate("scatter", 300, objects=objects, seed=1)
    assert not found(scenes, scenes.render()).any()


@pytest.mark.parametrize("objects", OBJECT_SETS)
def test_every_object_that_is_off_by_a_pixel_is_found(objects: str) -> None:
    scenes = generate("scatter", 300, objects=objects, seed=2)
    true = object_offsets(scenes, "shift", 1, seed=3)[scenes.occupied]
    assert np.abs(true).max() == 1
    np.testing.assert_array_equal(found(scenes, corrupt(scenes, "shift", 1, seed=3)), true)


def test_objects_further_off_are_mostly_found_and_never_beyond_reach() -> None:
    scenes = generate("scatter", 300, objects="hexos", seed=2)
    true = object_offsets(scenes, "shift", 3, seed=3)[scenes.occupied]
    slid = found(scenes, corrupt(scenes, "shift", 3, seed=3))
    assert np.abs(slid).max() <= REACH
    # A shape that leaves a row of its frame empty may as well lie a whole square further on.
    assert np.mean((slid - true) % 3 == 0) > 0.95
    assert np.mean((slid == true).all(1)) > 0.5


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
    plain = Encoder(image_size=36, filters=32, filter_size=12, stride=6).double()
    with torch.no_grad():
        plain.weight.zero_()
        plain.weight[:, :, 1:10, 1:10] = encoder.weight[:, :, 1:10, 1:10]
        plain.bias.copy_(encoder.bias)
        scenes = generate("scatter", 50, objects="stripes", seed=5)
        images = torch.from_numpy(scenes.render())
        cells = torch.from_numpy(scenes.occupied)
        aligned, papers = (
            part.features(images).view(-1, 5, 5, 32)[:, ::2, ::2].flatten(1, 2)[cells] for part in (encoder, plain)
        )
    torch.testing.assert_close(aligned, papers, atol=1e-12, rtol=0)


def test_background_is_what_most_of_the_rim_shows(encoder: AlignedEncoder) -> None:
    scenes = generate("scatter", 50, objects="hexos", seed=6)
    black, grey = scenes.render(), corrupt(scenes, "background", 0.2, seed=0)
    assert not encoder.background(torch.from_numpy(black)).any()
    assert (encoder.background(torch.from_numpy(grey)) == round(0.2 * 255)).all()
    empty = torch.full((1, 36, 36, 3), 90, dtype=torch.uint8)
    with torch.no_grad():
        features = encoder.features(empty)
    assert (features == encoder.blank_features()).all(), "grey all over is an empty board"


def test_a_picture_is_seen_the_same_in_any_batch(encoder: AlignedEncoder) -> None:
    images = torch.from_numpy(corrupt(generate("scatter", 20, seed=7), "noise", 0.1, seed=0))
    with torch.no_grad():
        whole = encoder(images)
        alone = torch.cat([encoder(image[None]) for image in images])
    torch.testing.assert_close(whole, alone, atol=1e-12, rtol=0)
