"""The network without PyTorch is the network with it."""

import subprocess
import sys
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch
from neural.inference import Pixels, PreciseNetwork

from domains.relations_game import augmented_images, generate
from neural import Model, NetworkConfig, NeuralError, RelationsNetwork, load_model, shipped_models, training_config
from neural.checkpoint import weights_of
from neural.config import ARCHITECTURES, weight_shapes
from neural.encoder import content

SCENES = generate("scatter", 60, objects="hexos", seed=7_000_003)
PICTURES = {
    "clean": SCENES.render(),
    "augmented": augmented_images(SCENES, seed=7_000_003),
    "noise": np.random.default_rng(0).integers(0, 256, (20, 36, 36, 3), dtype=np.uint8),
}
ODD = NetworkConfig(heads=3, relations=2, key_size=5, filters=7)
OTHERS = {
    "odd": ODD,
    "aligned": replace(ODD, aligned=True),
    "finer": replace(ODD, filter_size=10, stride=5),
    "coarser, aligned": replace(ODD, filter_size=13, stride=7, aligned=True),
}
CLOSE = 1e-6
"""PyTorch's network has its windows' places in single precision."""


def network(config: NetworkConfig) -> RelationsNetwork:
    made = RelationsNetwork(config, generator=torch.Generator().manual_seed(1))
    return made.eval().requires_grad_(False)


def both(name: str) -> tuple[RelationsNetwork, PreciseNetwork]:
    """In double precision by PyTorch, and without it."""
    if name in shipped_models():
        model = load_model(name)
        return deepcopy(model.network).double(), model.precise
    made = network(OTHERS[name])
    return deepcopy(made).double(), PreciseNetwork(made.config, weights_of(made))


@pytest.mark.parametrize("pictures", PICTURES)
@pytest.mark.parametrize("name", ["relations-game", "between", "between-small", *OTHERS])
def test_every_step_is_as_by_pytorch(name: str, pictures: str) -> None:
    by_torch, own = both(name)
    images = PICTURES[pictures]
    L, objectness = own.encode(images)
    expected = by_torch.encoder(torch.from_numpy(images))
    np.testing.assert_allclose(L, expected, atol=CLOSE)
    far = content(expected, by_torch.encoder.blank_features()).numpy()
    assert (objectness <= far + CLOSE).all()
    if not own.config.aligned:
        np.testing.assert_allclose(objectness, far, atol=CLOSE)
    masks = by_torch.predinet.attend(torch.from_numpy(L))
    np.testing.assert_allclose(own.attend(L), masks, atol=1e-9)
    said = by_torch.predinet.propositions(torch.from_numpy(L), masks)
    np.testing.assert_allclose(own.values(L, masks.numpy()), said.values, atol=1e-9)


@pytest.mark.parametrize("name", ["relations-game", "between"])
def test_an_image_is_encoded_whatever_is_beside_it(name: str) -> None:
    own = load_model(name).precise
    images = PICTURES["augmented"]
    L, objectness = own.encode(images)
    masks = own.attend(L)
    for index in (0, 7, 59):
        alone, own_richness = own.encode(images[index : index + 1])
        np.testing.assert_allclose(alone[0], L[index], rtol=0, atol=1e-12)
        np.testing.assert_allclose(own_richness[0], objectness[index], rtol=0, atol=1e-12)
        np.testing.assert_allclose(own.attend(alone)[0], masks[index], rtol=0, atol=1e-12)


def test_values_are_coordinates_plus_slopes() -> None:
    """With one-hot masks, V = ΔC + Ax·Δx + Ay·Δy exactly: what the exported program says of itself."""
    own = PreciseNetwork(ODD, weights_of(network(ODD)))
    L, _ = own.encode(PICTURES["noise"])
    first, second = 4, 9
    attention = np.zeros((len(L), ODD.heads, 2, 25))
    attention[:, :, 0, first] = attention[:, :, 1, second] = 1
    C = own.coordinates(L)
    place = L[:, first, -2:] - L[:, second, -2:]
    expected = C[:, first] - C[:, second] + place @ own.slopes().T
    np.testing.assert_allclose(own.values(L, attention)[:, 0], expected, atol=1e-12)


def test_images_of_another_size_are_refused() -> None:
    with pytest.raises(NeuralError, match=r"sees images of \(36, 36, 3\), not of \(48, 48, 3\)"):
        load_model("between").precise.encode(np.zeros((1, 48, 48, 3), dtype=np.uint8))


@pytest.mark.parametrize("name", ["relations-game", "between"])
def test_background_is_nothing(name: str) -> None:
    own = load_model(name).precise
    L, objectness = own.encode(np.zeros((2, 36, 36, 3), dtype=np.uint8))
    assert not objectness.any()
    assert (L[:, 0, :-2] == L[:, 24, :-2]).all()
    assert (L[0, 7, -2:] == [2 / 5, 1 / 5]).all(), "x, y of the third window in the second row"


def test_grey_all_over_is_background_to_an_aligned_encoder_alone() -> None:
    grey = np.full((1, 36, 36, 3), 51, dtype=np.uint8)
    assert not load_model("relations-game").precise.encode(grey)[1].any()
    assert load_model("between").precise.encode(grey)[1].all()


def board(*places: tuple[int, int]) -> Pixels:
    """One image with a square frame of 9 × 9 white pixels at each of `places`, x and y."""
    image = np.zeros((1, 36, 36, 3), dtype=np.uint8)
    for x, y in places:
        image[0, y : y + 9, x : x + 9] = 200
    return image


def test_a_window_with_halves_of_two_objects_is_poorer_than_one_with_a_whole() -> None:
    own = load_model("relations-game").precise
    _, (objectness,) = own.encode(board((1, 1), (13, 1)))
    first, between, second = objectness[[0, 1, 2]]
    assert between < first / 2
    assert between < second / 2


@pytest.mark.parametrize("x", [-1, 0, 1, 2])
@pytest.mark.parametrize("y", [-1, 0, 1, 2])
def test_windows_slide_with_what_they_show(x: int, y: int) -> None:
    own = load_model("relations-game").precise
    home, _ = own.encode(board((13, 13)))
    moved, _ = own.encode(board((13 + x, 13 + y)))
    np.testing.assert_allclose(moved[0, 12], home[0, 12], atol=1e-12)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_weights_of_every_architecture_are_known_without_it(architecture: str) -> None:
    for config in (
        NetworkConfig(architecture=architecture),
        replace(ODD, architecture=architecture),
    ):
        assert {name: tuple(w.shape) for name, w in network(config).state_dict().items()} == weight_shapes(config)


def test_there_are_no_weights_of_an_unknown_architecture() -> None:
    with pytest.raises(NeuralError, match="no architecture transformer: choose predinet, "):
        weight_shapes(NetworkConfig(architecture="transformer"))


def test_a_model_is_as_the_network_that_was_given() -> None:
    made = network(ODD)
    model = Model("made", shipped_models()["between"], ODD, weights_of(made), training_config(["between"]), {}, "")
    for name, weight in made.state_dict().items():
        assert torch.equal(model.network.state_dict()[name], weight)


def test_looking_at_images_takes_no_pytorch() -> None:
    code = (
        "import sys, numpy as np, bridge, service.pipeline\n"
        "from neural import load_model\n"
        "bridge.Perceiver(load_model('relations-game')).perceive(np.zeros((1, 36, 36, 3), dtype=np.uint8))\n"
        "print('torch' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
