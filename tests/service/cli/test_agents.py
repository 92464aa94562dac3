"""`agent train`, `agent score`, `agent show`, with a game that takes no emulator."""

import json
from pathlib import Path

import numpy as np
import pytest

from neural.agents import games
from neural.agents.config import CENTRES
from neural.agents.playing import Watched
from service.cli import agents
from service.pictures.agent import draw
from tests.service.helpers import Run, decode, one_line
from tests.sides import Sides


@pytest.fixture(autouse=True)
def sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game toy/sides; with the paper's agent, but for its vision."""
    monkeypatch.setattr(games, "_FAMILIES", {"toy": Sides})


def test_an_agent_is_trained_scored_and_shown(run: Run) -> None:
    status, out, err = run("agent", "train", "toy/sides", "--steps", 1000)
    file = Path("out/agents/toy-sides-predinet/agent.safetensors")
    assert (status, out) == (0, f"{file}  (1280 steps)\n")  # two updates of 32 games and 20 steps
    assert "1000 of 1000 steps, " in one_line(err)
    status, out, _ = run("agent", "score", file.parent, "--games", 3, "--json")
    told = json.loads(out)
    assert (told["game"], told["centre"], told["steps"]) == ("toy/sides", "predinet", 1280)
    assert told["mean"] == pytest.approx(np.mean(told["scores"]))
    assert len(told["scores"]) == 3
    assert [point["steps"] for point in told["curve"]] == [640, 1280]
    assert run("agent", "score", file, "--games", 3).out.startswith(
        f"toy/sides, predinet, 1280 steps: {told['mean']:.2f}"
    )
    assert run("agent", "show", file.parent, "--head", 2, "--frames", 3).status == 0
    height, width, _ = decode(file.with_name("heads.png").read_bytes()).shape
    assert (height, width) == (2 * (7 * 30 + 6), 3 * (11 * 30 + 6))
    assert "no head 16: the agent has heads 0 to 15" in one_line(run("agent", "show", file, "--head", 16).err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train", "pong", "--steps", 5), "no game pong: name one as atari/pong or minatar/breakout"),
        (("score", "nowhere"), "no agent nowhere: name the folder, or the agent.safetensors, that agent train wrote"),
        (("show", "nowhere", "-o", "heads.gif"), "pictures are written as PNG, so end the name in .png"),
    ],
)
def test_mistakes_are_told_in_a_line(run: Run, arguments: tuple[object, ...], message: str) -> None:
    status, out, err = run("agent", *arguments)
    assert (status, out) == (2, "")
    assert message in one_line(err)


def test_masks_lie_where_the_windows_are() -> None:
    """A frame of 6 by 4 pixels with windows of 2: window i has its middle at pixel 2i, and pixels 2i − 1 and 2i."""
    masks = np.zeros((1, 1, 2, 3, 2), np.float32)
    masks[0, 0, 0, 1, 0] = masks[0, 0, 1, 2, 1] = 0.64
    frames = np.zeros((1, 6, 4, 3), np.uint8)
    picture = decode(draw(Watched(frames, masks), [0]))[:, :-6]
    lit = picture.reshape(2, -1, *picture.shape[1:])[1, :-6][17::35, 17::35]  # a pixel of each enlarged one
    first, second = (lit.argmax(2) == channel for channel in (0, 2))
    seen = lit.sum(2) > 0
    assert np.argwhere(seen & first).tolist() == [[1, 0], [2, 0]]
    assert lit.max() == int(255 * 0.65 * 0.8)  # by the root of 0.64
    assert np.argwhere(seen & second).tolist() == [
        [3, 1],
        [3, 2],
        [3, 3],
        [4, 1],
        [4, 2],
        [4, 3],
        [5, 1],
        [5, 2],
        [5, 3],
    ]


def test_the_help_names_the_centres() -> None:
    assert agents.CENTRES == CENTRES
