"""What a trained agent does: its scores, and where its PrediNet looks."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural.agents.games import Frames, Games
from neural.agents.learning import Player
from neural.agents.trained import TrainedAgent
from neural.errors import NeuralError

MOST_STEPS = 27_000
"""Of a game: half an hour of Atari's, as usual there. What it has scored by then counts."""


@dataclass(frozen=True)
class Watched:
    """What an agent saw in some frames of a game, and where it looked."""

    frames: Frames
    """(N, H, W, channels)."""
    attention: npt.NDArray[np.float32]
    """(N, k, 2, rows, columns): both masks of every head, each summing to 1 over the grid."""


def score_agent(
    trained: TrainedAgent,
    games: Games,
    count: int,
    *,
    seed: int = 0,
    report: Callable[[int], None] = lambda ended: None,
) -> list[float]:
    """The scores of `count` games of `games` (as many are played side by side), each from its first frame to its end,
    with actions drawn from the agent's policy."""
    player = Player(trained.agent(), games, count=count, seed=seed)
    scores, running = np.zeros(count), np.ones(count, dtype=bool)
    for _ in range(MOST_STEPS):
        _, _, rewards = player.step()
        scores += rewards.numpy() * running
        running &= ~player.starts.numpy()
        report(count - int(running.sum()))
        if not running.any():
            break
    return scores.tolist()


def watch_agent(trained: TrainedAgent, games: Games, *, frames: int, every: int, seed: int = 0) -> Watched:
    """Every so-many-th frame of a game that the agent plays, and of the next where it ends. NeuralError without a
    PrediNet."""
    if trained.config.centre != "predinet":
        raise NeuralError(f"{trained.path} has no attention to show: its centre is {trained.config.centre}")
    agent = trained.agent()
    player = Player(agent, games, count=1, seed=seed)
    seen, masks = [], []
    for step in range((frames - 1) * every + 1):
        shown = player.frames
        output, _, _ = player.step()
        if step % every == 0:
            assert output.propositions is not None
            seen.append(shown[0].numpy())
            masks.append(output.propositions.attention[0].numpy().reshape(-1, 2, *agent.grid))
    return Watched(np.stack(seen), np.stack(masks))
