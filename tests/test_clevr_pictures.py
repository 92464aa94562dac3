"""Pictures like CLEVR's: how things are arranged (margins, colours, sides), and the official parts, fetched once."""

import hashlib
import math
import random
from pathlib import Path

import pytest

from examples.clevr import assets as module
from examples.clevr.arranging import COLOURS, SHAPES, arrange, relations
from predinet_prolog.domains.errors import DomainError

AXES = {"left": (-0.8, -0.6, 0), "right": (0.8, 0.6, 0), "front": (0.6, -0.8, 0), "behind": (-0.6, 0.8, 0)}
ANY = dict.fromkeys(SHAPES, COLOURS)


@pytest.mark.parametrize("seed", range(20))
def test_things_keep_the_published_distances(seed: int) -> None:
    things = arrange(random.Random(seed), AXES, ANY)
    assert 3 <= len(things) <= 10
    for number, one in enumerate(things):
        assert max(map(abs, one.middle[:2])) <= 3
        high = {"large": 0.7, "small": 0.35}[one.size]  # half; a cube's base has its width across corners
        assert one.middle[2] == pytest.approx(high / 2**0.5 if one.shape == "cube" else high)
        for other in things[:number]:
            assert math.dist(one.middle[:2], other.middle[:2]) >= 0.25 + one.middle[2] + other.middle[2]
            for x, y, _ in AXES.values():
                assert abs((one.middle[0] - other.middle[0]) * x + (one.middle[1] - other.middle[1]) * y) >= 0.4


def test_a_shape_has_its_colours_alone() -> None:
    colours = {"cube": ["gray"], "sphere": ["red", "blue"], "cylinder": ["cyan"]}
    things = [thing for seed in range(30) for thing in arrange(random.Random(seed), AXES, colours)]
    pairs = {("cube", "gray"), ("sphere", "red"), ("sphere", "blue"), ("cylinder", "cyan")}
    assert {(thing.shape, thing.color) for thing in things} == pairs


def test_a_side_begins_a_fifth_away() -> None:
    places = [(0.0, 0.0, 0.7), (0.25, 0.0, 0.35), (0.0, -5.0, 0.35)]
    lies = relations(places, AXES)
    assert lies["left"] == [[2], [2], []]  # the second lies 0.2 along: not further than a fifth
    assert (lies["right"], lies["behind"]) == ([[], [], [0, 1]], [[], [], [0, 1]])


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of the official repository, with two small files."""
    folder = tmp_path / "official"
    (folder / "shapes").mkdir(parents=True)
    files = {"scene.blend": b"scene", "shapes/cube.blend": b"cube"}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    monkeypatch.setattr(module, "DIGESTS", digests)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CLEVR_ASSETS", raising=False)
    return folder


def test_they_are_fetched_once(source: Path) -> None:
    folder = module.assets(f"{source.as_uri()}/")
    assert (folder / "shapes" / "cube.blend").read_bytes() == b"cube"
    assert module.assets("file:///nowhere/") == folder


def test_a_folder_that_has_them_is_taken_unless_a_file_is_another(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEVR_ASSETS", str(source))
    assert module.assets("file:///nowhere/") == source
    (source / "scene.blend").write_bytes(b"another")
    with pytest.raises(DomainError, match=r"scene\.blend: it is not the published file"):
        module.assets()


def test_what_cannot_be_had_names_the_remedy(source: Path) -> None:
    with pytest.raises(DomainError, match="CLEVR_ASSETS names a folder"):
        module.assets(f"{source.as_uri()}/nowhere/")
