"""A trained agent as a file: weights, the optimiser's state, and all that made them."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from torch import Tensor

from predinet_prolog.neural.agents.agent import Agent
from predinet_prolog.neural.agents.config import AgentConfig, AgentTraining
from predinet_prolog.neural.errors import CheckpointError, ModelNotFoundError
from predinet_prolog.neural.states import part, read_state, write_state

AGENT_FILE = "agent.safetensors"


@dataclass(frozen=True)
class Measure:
    """A point of a run's curve."""

    steps: int
    """Actions taken so far, in all games together."""
    games: int
    """Those that ended since the point before."""
    score: float | None
    """Their mean, as the games count it; None if there was none."""
    reward: float | None = None
    """The mean of an action since the point before, not clipped; None in runs by earlier versions."""


@dataclass(frozen=True)
class TrainedAgent:
    path: Path
    game: str
    config: AgentConfig
    training: AgentTraining
    steps: int
    """Actions that it took to learn, in all games together."""
    curve: tuple[Measure, ...]
    tensors: Mapping[str, Tensor]
    """As `neural.optimiser.Optimiser.state` has them."""

    @cached_property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of the windows that its heads look through."""
        return self.agent().grid

    @property
    def slopes(self) -> npt.NDArray[np.float32]:
        """(j, 2): what x and y of a window weigh in each relation of its PrediNet."""
        weights: npt.NDArray[np.float32] = self.tensors["network.centre.W_S"][-2:].T.numpy()
        return weights

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    def agent(self) -> Agent:
        """The agent, to be asked; CheckpointError if the weights are not its own."""
        agent = Agent(self.config)
        try:
            agent.load_state_dict(part(self.tensors, "network."))
        except RuntimeError as error:
            raise CheckpointError(f"{self.path} does not hold the agent that its header describes") from error
        return agent.eval().requires_grad_(False)


def save_agent(trained: TrainedAgent) -> None:
    """Writes its file, whole or not at all."""
    metadata = {
        "game": trained.game,
        "agent": asdict(trained.config),
        "training": asdict(trained.training),
        "steps": trained.steps,
        "curve": [asdict(point) for point in trained.curve],
    }
    write_state(trained.path, metadata, trained.tensors)


def load_agent(path: Path) -> TrainedAgent:
    """The run in a file, or in a folder's agent.safetensors. ModelNotFoundError where there is none, CheckpointError
    where it is no agent's."""
    file = path / AGENT_FILE if path.is_dir() else path
    if not file.is_file():
        raise ModelNotFoundError(f"no agent {path}: name the folder, or the {AGENT_FILE}, that agent train wrote")
    metadata, tensors = read_state(file)
    try:
        config, training = AgentConfig(**metadata["agent"]), AgentTraining(**metadata["training"])
        curve = tuple(Measure(**point) for point in metadata["curve"])
        return TrainedAgent(file, str(metadata["game"]), config, training, int(metadata["steps"]), curve, tensors)
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{file} is not an agent's: name the {AGENT_FILE} that agent train wrote") from error
