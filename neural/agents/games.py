"""Games that agents play, many side by side, behind one protocol."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from predinet_prolog.neural.agents.config import AgentConfig
from predinet_prolog.neural.errors import NeuralError

Frames = npt.NDArray[np.uint8]
"""(B, H, W, channels), 0–255."""
MINATAR = ("asterix", "breakout", "freeway", "seaquest", "space_invaders")
RELATIONS = {"residual": 64, "small": 16}
"""j of the agent with that vision module."""
INSTALL = "pip install 'predinet-prolog[atari]'"


class Step(NamedTuple):
    """What came of an action in each of B games."""

    frames: Frames
    """After it; of a game that ended, the first frame of the next."""
    rewards: npt.NDArray[np.float32]
    """(B,)."""
    ended: npt.NDArray[np.bool_]
    """(B,): whether the game ended with it."""


class Games(Protocol):
    """B games of one kind. One that ends starts anew at once."""

    shape: tuple[int, int, int]
    """Height, width and channels of a frame: with three channels RGB, else a channel for each kind of thing."""
    actions: int
    repeat: int
    """Frames of the emulator that an action lasts."""
    vision: str
    """The vision module that suits its frames, one of `neural.agents.vision.VISION`."""

    def reset(self, seed: int) -> Frames:
        """Starts all games anew: the same seed, the same games. Their first frames."""
        ...

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """Takes an action (B,), below `actions`, in every game."""
        ...


class Atari:
    """Games of the Arcade Learning Environment as the paper has them: whole RGB frames, neither resized nor stacked,
    all 18 actions, each for four frames. A game begins with up to 30 frames without an action."""

    shape, actions, repeat, vision = (210, 160, 3), 18, 4, "residual"

    def __init__(self, name: str, count: int) -> None:
        """NeuralError if there is no game of that `name`, or nothing to play it with."""
        vector, roms = _installed("ale_py.vector_env"), _installed("ale_py.roms")
        if name not in (names := sorted(roms.get_all_rom_ids())):
            raise NeuralError(f"no game atari/{name}: there are {', '.join(names)}")
        height, width, _ = self.shape
        self._games = vector.AtariVectorEnv(
            name,
            count,
            img_height=height,
            img_width=width,
            grayscale=False,
            stack_num=1,
            full_action_space=True,
            frameskip=self.repeat,
            reward_clipping=False,
            autoreset_mode=vector.AutoresetMode.SAME_STEP,
        )

    def reset(self, seed: int) -> Frames:
        frames, _ = self._games.reset(seed=seed)
        return frames[:, 0]  # type: ignore[no-any-return]

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        frames, rewards, ended, cut_off, _ = self._games.step(actions)
        return Step(frames[:, 0], rewards.astype(np.float32), ended | cut_off)


class MinAtar:
    """Small games after Atari's, with sticky actions and rising difficulty, as their authors have them (Young and Tian
    2019): 10 pixels a side, a channel for each kind of thing, 6 actions."""

    actions, repeat, vision = 6, 1, "small"

    def __init__(self, name: str, count: int) -> None:
        """NeuralError if there is no game of that `name`, or nothing to play it with."""
        minatar = _installed("minatar")
        if name not in MINATAR:
            raise NeuralError(f"no game minatar/{name}: there are {', '.join(MINATAR)}")
        self._new, self._name = minatar.Environment, name
        self._games: list[Any] = [self._new(name) for _ in range(count)]
        height, width, channels = self._games[0].state_shape()
        self.shape = (height, width, channels)

    def reset(self, seed: int) -> Frames:
        self._games = [
            self._new(self._name) for _ in self._games
        ]  # a used one remembers its last action, which may stick
        for number, game in enumerate(self._games):
            game.seed(seed + number)
            game.reset()
        return self._frames()

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        rewards, ended = zip(
            *(game.act(action) for game, action in zip(self._games, actions, strict=True)), strict=True
        )
        for game, over in zip(self._games, ended, strict=True):
            if over:
                game.reset()
        return Step(self._frames(), np.array(rewards, np.float32), np.array(ended, bool))

    def _frames(self) -> Frames:
        return np.stack([game.state() for game in self._games]).astype(np.uint8) * np.uint8(255)


_FAMILIES: Mapping[str, Callable[[str, int], Games]] = {"atari": Atari, "minatar": MinAtar}


def open_games(game: str, count: int) -> Games:
    """So many of the `game`, atari/NAME or minatar/NAME. NeuralError if there is none, or nothing to play it with."""
    family, _, name = game.partition("/")
    if family not in _FAMILIES or not name:
        raise NeuralError(f"no game {game}: name one as atari/pong or minatar/breakout")
    return _FAMILIES[family](name, count)


def agent_config(games: Games, centre: str) -> AgentConfig:
    """The agent for these games: the paper's, or with the small vision module one with fewer relations."""
    height, width, channels = games.shape
    return AgentConfig(
        centre=centre,
        vision=games.vision,
        height=height,
        width=width,
        channels=channels,
        actions=games.actions,
        relations=RELATIONS[games.vision],
    )


def _installed(module: str) -> Any:
    """A module of the extra `atari`, which is imported here alone."""
    try:
        return import_module(module)
    except ImportError as error:
        raise NeuralError(f"no {error.name} to play the game with: {INSTALL}") from error
