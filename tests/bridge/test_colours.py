"""Colours of things on boards: what is read off pixels, when it is told, and the words for it."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.bridge import ImageInfo, Program, make_program, perceiver_of
from predinet_prolog.bridge.definitions import SUFFIX, ColourErrors, read_grounding
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import Model, load_model

LEVELS = {"pentos": (0, 128, 255), "hexos": (64, 144, 192)}


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model("relations-game")


def programs(model: Model, images: np.ndarray) -> list[Program]:
    size = images.shape[1]
    scenes = perceiver_of(model).perceive(images)
    return [make_program(scene, model=model, image=ImageInfo("a.png", "0" * 64, size, size)) for scene in scenes]


@pytest.mark.parametrize("kind", LEVELS)
def test_a_clean_boards_colours_are_the_true_ones(model: Model, kind: str) -> None:
    """The palettes are said by the game: every combination of three levels but the darkest and the brightest."""
    scenes = generate("scatter", 40, objects=kind, seed=907)
    palette = np.array([*product(LEVELS[kind], repeat=3)][1:-1])
    for index, program in enumerate(programs(model, scenes.render())):
        told = sorted(zip(*program.facts["colour"][1:], strict=True))
        cells = scenes.colours[index][scenes.occupied[index]]
        assert told == sorted(map(tuple, palette[cells].tolist()))
        assert program.facts["colour"][0] == program.facts["object"][0]


def test_a_model_whose_colours_are_far_off_tells_none(model: Model, tmp_path: Path) -> None:
    images = generate("scatter", 1, seed=3).render()
    shipped = read_grounding(model)
    told = {}
    for error in (None, 9.0, 11.0):
        own = replace(shipped, colours=None if error is None else ColourErrors({"pentos": error, "hexos": 99.0}, {}))
        mine = replace(model, path=tmp_path / "mine.safetensors")
        mine.path.with_suffix(SUFFIX).write_text(own.to_json())
        read = read_grounding(mine)
        assert read.to_json() == own.to_json(), "nothing is lost on the way through the file"
        (program,) = programs(mine, images)
        told[error] = bool(program.facts["colour"][0])
        remarks = [line for clause in program.sections[0] for line in clause.remarks]
        assert ("clean: pentos 9.0, hexos 99.0" in remarks) == (error == 9.0)
        assert any(line.startswith("Left out: above 10 on pentos") for line in remarks) == (error == 11.0)
    assert told == {None: False, 9.0: True, 11.0: False}
