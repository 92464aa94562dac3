"""The exported graph is the network of PyTorch, and what a look promises."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

from predinet_prolog.domains.domain import Pixels
from predinet_prolog.domains.relations_game import augmented_images, corrupt, generate
from predinet_prolog.neural import NetworkConfig, NeuralError, RelationsNetwork, load_model, save_model, training_config
from predinet_prolog.neural import graph as module
from predinet_prolog.neural.checkpoint import weights_of
from predinet_prolog.neural.graph import Graph, Look
from predinet_prolog.neural.looking import Looking

SCENES = generate("scatter", 40, objects="hexos", seed=7_000_003)
PICTURES = {
    "clean": SCENES.render(),
    "augmented": augmented_images(SCENES, seed=7_000_003),
    "noise": np.random.default_rng(0).integers(0, 256, (20, 36, 36, 3), dtype=np.uint8),
}
ODD = NetworkConfig(heads=3, relations=2, key_size=5, filters=7)
OTHERS = {
    "odd": ODD,
    "finer, on white": replace(ODD, filter_size=10, stride=5, background=0xFFFFFF),
    "coarser, aligned": replace(ODD, filter_size=13, stride=7, aligned=True),
    "larger, of other squares": replace(ODD, image_size=48, aligned=True, square=2, squares=4, margin=2, reach=2),
}


def network(config: NetworkConfig) -> RelationsNetwork:
    return RelationsNetwork(config, generator=torch.Generator().manual_seed(1)).eval().requires_grad_(False)


@cache
def both(name: str) -> tuple[RelationsNetwork, Graph]:
    """In double precision by PyTorch, and without it."""
    if name in OTHERS:
        made = network(OTHERS[name])
        return deepcopy(made).double(), Graph(made.config, weights_of(made), None)
    model = load_model(name)
    return deepcopy(model.network).double(), model.graph


def same(look: Look, other: Look, atol: float = 1e-12) -> None:
    for name in ("attention", "objectness", "coordinates"):
        np.testing.assert_allclose(getattr(look, name), getattr(other, name), rtol=0, atol=atol, err_msg=name)


@pytest.mark.parametrize("pictures", PICTURES)
@pytest.mark.parametrize("name", ["relations-game", "between", "between-small", *OTHERS])
def test_a_look_is_as_by_pytorch(name: str, pictures: str) -> None:
    by_torch, graph = both(name)
    images = np.pad(PICTURES[pictures], ((0, 0), *[(0, graph.config.image_size - 36)] * 2, (0, 0)))
    random = np.random.default_rng(1)
    blanked = random.random((len(images), graph.config.windows)) < random.choice([0, 0.2, 0.9], (len(images), 1))
    least = random.choice([-1.0, 0.3, 9.0], len(images))
    look = graph.look(images, blanked, least)
    expected = Looking(by_torch)(*(torch.from_numpy(array) for array in (images, blanked, least)))
    same(look, Look(*(tensor.numpy() for tensor in expected)), atol=1e-9)


@pytest.mark.parametrize("name", ["relations-game", "between"])
def test_a_look_at_an_image_is_what_the_network_makes_of_it(name: str) -> None:
    """The masks, and values by the formula of the program's header: V = ΔC + Ax·Δx + Ay·Δy under the masks."""
    by_torch, graph = both(name)
    look = graph.look(PICTURES["augmented"])
    said = by_torch.predinet(by_torch.encoder(torch.from_numpy(PICTURES["augmented"])))
    np.testing.assert_allclose(look.attention, said.attention, atol=1e-9)
    values = (look.attention[:, :, 0] - look.attention[:, :, 1]) @ (look.coordinates + graph.places @ graph.slopes.T)
    np.testing.assert_allclose(values, said.values, atol=1e-9)


@pytest.mark.parametrize("name", ["relations-game", "between"])
def test_an_image_is_seen_the_same_whatever_is_beside_it_and_by_whom(name: str) -> None:
    graph, images = load_model(name).graph, PICTURES["augmented"]
    whole = graph.look(images)
    with ThreadPoolExecutor(4) as threads:
        looks = list(threads.map(lambda index: graph.look(images[index : index + 1]), range(0, 40, 3)))
    alone = (np.concatenate([getattr(look, part) for look in looks]) for part in Look.__dataclass_fields__)
    same(Look(*alone), Look(whole.attention[::3], whole.objectness[::3], whole.coordinates[::3]))


def test_images_of_another_size_are_refused() -> None:
    with pytest.raises(NeuralError, match=r"sees images of \(36, 36, 3\), not of \(48, 48, 3\)"):
        load_model("between").graph.look(np.zeros((1, 48, 48, 3), dtype=np.uint8))


@pytest.mark.parametrize(("name", "ground"), [("relations-game", 0), ("between", 0), ("relations-game", 0.2)])
def test_what_is_blanked_is_background(name: str, ground: float) -> None:
    graph, scenes = load_model(name).graph, SCENES[:20]
    images = corrupt(scenes, "background", ground, seed=0) if ground else scenes.render()
    blanked = np.random.default_rng(0).random((20, 25)) < 0.2
    painted = images.copy()
    for image, window in np.argwhere(blanked):
        top, left = window // 5 * 6, window % 5 * 6
        painted[image, top : top + 12, left : left + 12] = round(ground * 255)
    same(graph.look(images, blanked), graph.look(painted))
    assert not graph.look(images, np.ones((20, 25), dtype=bool)).objectness.any()


def test_what_is_of_the_background_shows_nothing() -> None:
    """Of a network on white: a white board is empty, and what is blanked is white."""
    config = replace(ODD, background=0xFFFFFF)
    graph = Graph(config, weights_of(network(config)), None)
    white = np.full_like(PICTURES["clean"], 255)
    assert not graph.look(white).objectness.any()
    dots = white.copy()
    dots[:, 2:8, 2:8] = 10
    assert graph.look(dots).objectness[:, 0].all()
    same(graph.look(dots, np.ones((40, 25), dtype=bool)), graph.look(white))


def test_images_that_show_too_little_are_not_attended() -> None:
    graph = load_model("between").graph
    images = PICTURES["clean"]
    whole = graph.look(images)
    most = whole.objectness.max(axis=1)
    least = np.where(np.arange(40) % 2, most, most - 1e-6)
    look = graph.look(images, least=least)
    np.testing.assert_allclose(look.attention[::2], whole.attention[::2], atol=1e-12)
    assert not look.attention[1::2].any()


def test_grey_all_over_is_background_to_an_aligned_encoder_alone() -> None:
    grey = np.full((1, 36, 36, 3), 51, dtype=np.uint8)
    assert not load_model("relations-game").graph.look(grey).objectness.any()
    assert load_model("between").graph.look(grey).objectness.all()


def board(*places: tuple[int, int]) -> Pixels:
    """One image with a square frame of 9 × 9 white pixels at each of `places`, x and y."""
    image = np.zeros((1, 36, 36, 3), dtype=np.uint8)
    for x, y in places:
        image[0, y : y + 9, x : x + 9] = 200
    return image


def test_a_window_with_halves_of_two_objects_is_poorer_than_one_with_a_whole() -> None:
    (objectness,) = load_model("relations-game").graph.look(board((1, 1), (13, 1))).objectness
    first, between, second = objectness[[0, 1, 2]]
    assert between < min(first, second) / 2


def test_looking_at_images_takes_no_pytorch() -> None:
    """The graphs of all models that come with the project are there, and of this version."""
    code = (
        "import sys, numpy as np, bridge, service.pipeline\n"
        "from predinet_prolog.neural import shipped_models\n"
        "from predinet_prolog.neural.glimpses.model import load_any\n"
        "picture = np.zeros((36, 36, 3), dtype=np.uint8)\n"
        "picture[9:20, 9:20] = 200\n"
        "for model in map(load_any, shipped_models()):\n"
        "    bridge.perceiver_of(model).perceive([picture])\n"
        "print('torch' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"
    assert told.stderr == ""


def test_a_graph_that_is_missing_or_another_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = network(ODD)
    path = tmp_path / "mine.safetensors"
    save_model(path, made, training_config(["between"]), {})
    graph = path.with_suffix(".onnx")
    expected = load_model(path).graph.look(PICTURES["clean"])
    good = graph.read_bytes()
    monkeypatch.setattr(module, "VERSION", 3)
    Graph(ODD, weights_of(made), graph)
    later = graph.read_bytes()
    assert later != good
    monkeypatch.undo()
    for other in (later, Path(load_model("between").path).with_suffix(".onnx").read_bytes(), b"no graph", b"", None):
        if other is None:
            graph.unlink()
        else:
            graph.write_bytes(other)
        same(load_model(path).graph.look(PICTURES["clean"]), expected)
        assert graph.read_bytes() == good


def test_a_graph_that_cannot_be_written_is_made_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    made = network(ODD)
    graph = Graph(ODD, weights_of(made), tmp_path / "file" / "mine.onnx")
    same(graph.look(PICTURES["clean"]), Graph(ODD, weights_of(made), None).look(PICTURES["clean"]))
