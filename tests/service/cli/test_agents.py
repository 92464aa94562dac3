"""`agent train`, `score`, `show`, `play` and `export`, with a game that takes no emulator."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.neural.agents import games
from predinet_prolog.neural.agents.agent import Agent
from predinet_prolog.neural.agents.config import AgentTraining
from predinet_prolog.neural.agents.trained import TrainedAgent, save_agent
from predinet_prolog.service.cli import main
from tests.cases import cases
from tests.pictures import decode
from tests.service.helpers import Refused, Run, one_line
from tests.sides import Sides

CASES = cases(__file__)


@pytest.fixture(autouse=True)
def sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game toy/sides; with the paper's agent, but for its vision."""
    monkeypatch.setattr(games, "_FAMILIES", {"toy": Sides})


def test_an_agent_is_trained_scored_and_shown(run: Run, refused: Refused) -> None:
    status, out, err = run("agent", "train", "toy/sides", "--steps", 1000)
    file = Path("out/agents/toy-sides-predinet/agent.safetensors")
    assert (status, out) == (0, f"{file}  (1280 steps)\n")  # two updates of 32 games and 20 steps
    assert "1000 of 1000 steps, " in one_line(err)
    status, out, _ = run("agent", "score", file.parent, "--games", 3, "--json")
    told = json.loads(out)
    assert (told["game"], told["centre"], told["steps"]) == ("toy/sides", "predinet", 1280)
    assert (told["mean"], len(told["scores"])) == (pytest.approx(np.mean(told["scores"])), 3)
    assert [point["steps"] for point in told["curve"]] == [640, 1280]
    assert run("agent", "score", file, "--games", 3).out.startswith(
        f"toy/sides, predinet, 1280 steps: {told['mean']:.2f}"
    )
    assert run("agent", "show", file.parent, "--head", 2, "--frames", 3).status == 0
    height, width, _ = decode(file.with_name("heads.png").read_bytes()).shape
    assert (height, width) == (2 * (7 * 30 + 6), 3 * (11 * 30 + 6))
    refused("no head 16: the agent has heads 0 to 15", "agent", "show", file, "--head", 16)


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an agent that is trained once for all."""
    folder = tmp_path_factory.mktemp("agent") / "toy"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "_FAMILIES", {"toy": Sides})
        assert main(["agent", "train", "toy/sides", "--steps", "1", "-o", str(folder)]) == 0
    return folder


@pytest.fixture
def trained(agent: Path) -> Path:
    """A copy of it, here."""
    return Path(shutil.copytree(agent, "toy"))


def test_a_game_is_a_film(run: Run, trained: Path) -> None:
    """Of as many frames as it has: the game ends after 5 actions."""
    status, out, _ = run("agent", "play", trained)
    assert status == 0
    assert out.startswith("toy/game.gif  (5 frames, score ")
    with Image.open(trained / "game.gif") as film:
        assert (film.size, film.is_animated) == ((11 * 30, 7 * 30 + 16), True)  # equal frames are one, shown longer
    assert "(3 frames" in run("agent", "play", trained, "--frames", 3, "-o", "other.gif").out


def test_a_frame_is_a_program_and_a_game_is_one(run: Run, trained: Path) -> None:
    assert run("agent", "export", trained, "--step", 2, "-o", "frame.pl").status == 0
    assert run("query", "frame.pl", "head(h15, X, Y), position(X, _, _), position(Y, _, _), r15(_, X, Y)").status == 0
    assert run("agent", "export", trained, "--frames", 9, "--every", 2, "-o", "game.pl").status == 0
    assert run("query", "game.pl", "next(T, U)").out == "T = 0, U = 2 ;\nT = 2, U = 4.\n"
    assert run("query", "game.pl", "at(4, head(h15, X, Y))", "--rules", "episodes").status == 0
    assert run("query", "game.pl", "moves_left(T, nothing)", "--rules", "episodes").out == "false.\n"


class Going:
    """A game without end, in which one red thing goes 4 pixels right with each action."""

    shape, actions, repeat, vision = (120, 160, 3), 2, 1, "residual"

    def __init__(self, name: str, count: int) -> None:
        self._left = 60

    def reset(self, seed: int) -> np.ndarray:
        frame = np.full((1, *self.shape), 40, np.uint8)
        frame[0, 60:72, self._left : self._left + 12] = (220, 20, 20)
        return frame

    def step(self, actions: np.ndarray) -> games.Step:
        self._left += 4
        return games.Step(self.reset(0), np.ones(1, np.float32), np.zeros(1, bool))


def test_a_model_sees_a_part_of_the_frame_and_tells_of_the_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_FAMILIES", {"toy": Going})
    config = replace(games.agent_config(Going("going", 1), "fc"), fully_connected=2, memory=2)
    weights = {f"network.{name}": tensor for name, tensor in Agent(config).state_dict().items()}
    save_agent(TrainedAgent(Path("going/agent.safetensors"), "toy/going", config, AgentTraining(), 0, (), weights))
    crop = ("--model", "scenes", "--crop", 32, 24, 144, 112)
    assert run("agent", "export", "going", "--step", 1, "--frames", 3, *crop, "-o", "game.pl").status == 0
    out = run("query", "game.pl", "at(T, box(X, L, Top, _, _)), N is round(L), M is round(Top)").out
    assert [line.partition("N = ")[2].rstrip(" ;.") for line in out.splitlines()] == CASES["places"]
    out = run("query", "game.pl", "at(1, position(X, Px, Py)), N is round(Px), M is round(Py)").out
    assert out.rstrip().endswith("N = 70, M = 66.")
    assert run("agent", "export", "going", "--step", 2, *crop, "-o", "frame.pl").status == 0
    out = run("query", "frame.pl", "position(ob_0, Px, Py), N is round(Px), M is round(Py)").out
    assert out.rstrip().endswith("N = 74, M = 66.")
    assert "image    toy/going, after 2 actions, 160 x 120 pixels" in Path("frame.pl").read_text()
    assert run("query", "game.pl", "moves_right(1, X)", "--rules", "episodes").out == "X = ob_0.\n"
    assert run("query", "game.pl", "at(3, score(S))").out == "S = 3.0.\n"


@pytest.mark.parametrize(("arguments", "said"), CASES["mistakes"])
def test_mistakes_are_told_in_a_line(refused: Refused, trained: Path, arguments: tuple[object, ...], said: str) -> None:
    export = ("export", trained) if str(arguments[0]).startswith("--") else ()
    refused(said, "agent", *export, *arguments)
