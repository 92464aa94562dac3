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

from predinet_prolog.domains.relations_game import augmented_images, corrupt, generate
from predinet_prolog.neural import NetworkConfig, RelationsNetwork, load_model, save_model, training_config
from predinet_prolog.neural.checkpoint import weights_of
from predinet_prolog.neural.graph import Graph, Look
from predinet_prolog.neural.looking import Looking

SCENES = generate("scatter", 40, objects="hexos", seed=7_000_003)
NOISE = np.random.default_rng(0).integers(0, 256, (20, 36, 36, 3), dtype=np.uint8)
PICTURES = {"clean": SCENES.render(), "augmented": augmented_images(SCENES, seed=7_000_003), "noise": NOISE}
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
def test_an_image_is_seen_the_same_whatever_is_beside_it_and_by_whom(name: str) -> None:
    graph, images = load_model(name).graph, PICTURES["augmented"]
    whole = graph.look(images)
    with ThreadPoolExecutor(4) as threads:
        looks = list(threads.map(lambda index: graph.look(images[index : index + 1]), range(0, 40, 3)))
    alone = (np.concatenate([getattr(look, part) for look in looks]) for part in Look.__dataclass_fields__)
    same(Look(*alone), Look(whole.attention[::3], whole.objectness[::3], whole.coordinates[::3]))


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


def test_images_that_show_too_little_are_not_attended() -> None:
    graph = load_model("between").graph
    images = PICTURES["clean"]
    whole = graph.look(images)
    most = whole.objectness.max(axis=1)
    least = np.where(np.arange(40) % 2, most, most - 1e-6)
    look = graph.look(images, least=least)
    np.testing.assert_allclose(look.attention[::2], whole.attention[::2], atol=1e-12)
    assert not look.attention[1::2].any()


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
    assert (told.stdout, told.stderr) == ("False\n", "")


def test_a_graph_that_is_missing_or_another_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = network(ODD)
    path = tmp_path / "mine.safetensors"
    save_model(path, made, training_config(["between"]), {})
    graph = path.with_suffix(".onnx")
    expected = load_model(path).graph.look(PICTURES["clean"])
    good = graph.read_bytes()
    monkeypatch.setattr("predinet_prolog.neural.config.GRAPH_VERSION", 3)
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
