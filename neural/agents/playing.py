"""What a trained agent does: its scores, and where its PrediNet looks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from predinet_prolog.neural.agents.games import Frames, Games
from predinet_prolog.neural.agents.learning import Player
from predinet_prolog.neural.agents.trained import TrainedAgent
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.predinet import Propositions

MOST_STEPS = 27_000
"""Of a game: half an hour of Atari's, as usual there. What it has scored by then counts."""


@dataclass(frozen=True)
class Moment:
    """What an agent saw before an action, and what it made of it."""

    step: int
    """Actions taken before."""
    first: bool
    """Whether a game begins with it."""
    score: float
    """Of its game so far."""
    frame: npt.NDArray[np.uint8]
    """(H, W, channels)."""
    propositions: Propositions | None
    """Of this frame, B = 1; None without a PrediNet."""


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


def play(trained: TrainedAgent, games: Games, *, seed: int = 0) -> Iterator[Moment]:
    """What the agent sees in one game, and in the next where that ends, without end."""
    player, score, step = Player(trained.agent(), games, count=1, seed=seed), 0.0, 0
    while True:
        frame, first = player.frames[0].numpy(), bool(player.starts[0])
        score = 0.0 if first else score
        output, _, rewards = player.step()
        yield Moment(step, first, score, frame, output.propositions)
        score, step = score + float(rewards[0]), step + 1


def play_one(trained: TrainedAgent, games: Games, *, seed: int = 0) -> Iterator[Moment]:
    """What the agent sees in one game, to its end."""
    for moment in islice(play(trained, games, seed=seed), MOST_STEPS):
        if moment.first and moment.step:
            return
        yield moment


def watch_agent(trained: TrainedAgent, games: Games, *, frames: int, every: int, seed: int = 0) -> Watched:
    """Every so-many-th frame of a game that the agent plays, and of the next where it ends. NeuralError without a
    PrediNet."""
    moments = [*islice(play(trained, games, seed=seed), 0, (frames - 1) * every + 1, every)]
    return Watched(
        np.stack([moment.frame for moment in moments]), np.stack([masks(trained, moment) for moment in moments])
    )


def masks(trained: TrainedAgent, moment: Moment) -> npt.NDArray[np.float32]:
    """(k, 2, rows, columns): where the heads look. NeuralError without a PrediNet."""
    if moment.propositions is None:
        raise NeuralError(f"{trained.path} has no attention to show: its centre is {trained.config.centre}")
    attention: npt.NDArray[np.float32] = moment.propositions.attention[0].numpy()
    return attention.reshape(len(attention), 2, *trained.grid)
