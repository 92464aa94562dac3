"""Learning to play: IMPALA's learner (Espeholt et al. 2018) in one process.

Playing and learning take turns, so that the policy that acted is the one that learns: V-trace's ratios are 1 but for
rounding.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from predinet_prolog.neural.agents.agent import Agent, AgentOutput, Memory
from predinet_prolog.neural.agents.config import AgentConfig, AgentTraining
from predinet_prolog.neural.agents.games import Games
from predinet_prolog.neural.agents.trained import AGENT_FILE, Measure, TrainedAgent, load_agent, save_agent
from predinet_prolog.neural.agents.vtrace import vtrace
from predinet_prolog.neural.errors import OtherRunError, TrainingDivergedError
from predinet_prolog.neural.optimiser import Optimiser
from predinet_prolog.neural.states import alone, going_on_from, tell_going_on
from predinet_prolog.neural.threads import fastest_device

SECONDS_PER_SAVE = 60.0
PIXELS_AT_ONCE = 2**22
"""Of the frames that gradients are taken of together."""
MEASURES = 50
"""Points of a run's curve."""
DECAY, EPSILON = 0.99, 0.01
"""Of RMSProp, as IMPALA has them."""


@dataclass(frozen=True)
class Rollout:
    """T steps of B games, as they were played."""

    frames: Tensor
    """(T + 1, B, H, W, channels) uint8."""
    starts: Tensor
    """(T + 1, B) bool: the frame is a game's first."""
    actions: Tensor
    """(T, B) int64."""
    logits: Tensor
    """(T, B, actions), of the policy that acted."""
    rewards: Tensor
    """(T, B), not clipped."""
    memory: Memory
    """Before the first frame."""

    def parts(self) -> Iterator["Rollout"]:
        """The same in parts of a few games: losses add up, and large frames of all may not fit into memory."""
        steps, games, *sides = self.frames.shape[:4]
        together = max(1, PIXELS_AT_ONCE // (steps * sides[0] * sides[1]))
        for first in range(0, games, together):
            part = slice(first, first + together)
            whole = self.frames, self.starts, self.actions, self.logits, self.rewards
            frames, starts, actions, logits, rewards = (tensor[:, part] for tensor in whole)
            memory = self.memory[0][:, part], self.memory[1][:, part]
            yield Rollout(frames, starts, actions, logits, rewards, memory)


class Player:
    """Plays games with an agent, and keeps count of their scores."""

    def __init__(self, agent: Agent, games: Games, *, count: int, seed: int) -> None:
        self._agent, self._games = agent, games
        self._where = next(agent.parameters()).device
        self._generator = torch.Generator(self._where).manual_seed(seed)
        self.frames = torch.from_numpy(games.reset(seed))
        self.starts = torch.ones(count, dtype=torch.bool)
        self._memory = agent.blank_memory(count)
        self._running = np.zeros(count)
        self.scores: list[float] = []
        """Of the games that ended, in their order."""

    @torch.no_grad()
    def step(self) -> tuple[AgentOutput, Tensor, Tensor]:
        """Takes an action in every game: what the agent made of the frames, the actions and the rewards (B,)."""
        frames, starts = self.frames.to(self._where), self.starts.to(self._where)
        output = self._agent(frames[None], starts[None], self._memory)
        actions = torch.multinomial(output.logits[0].softmax(1), 1, generator=self._generator)[:, 0].cpu()
        frames_after, rewards, ended = self._games.step(actions.numpy())
        self.frames, self.starts = torch.from_numpy(frames_after), torch.from_numpy(ended)
        self._memory = output.memory
        self._running += rewards
        self.scores += self._running[ended].tolist()
        self._running[ended] = 0
        return output, actions, torch.from_numpy(rewards)

    def rollout(self, steps: int) -> Rollout:
        memory, frames, starts = self._memory, [self.frames], [self.starts]
        logits, actions, rewards = [], [], []
        for _ in range(steps):
            output, chosen, given = self.step()
            logits.append(output.logits)
            actions.append(chosen)
            rewards.append(given)
            frames.append(self.frames)
            starts.append(self.starts)
        frames_seen, begun, chosen, given = (
            torch.stack(tensors).to(self._where) for tensors in (frames, starts, actions, rewards)
        )
        return Rollout(frames_seen, begun, chosen, torch.cat(logits), given, memory)


def loss(agent: Agent, played: Rollout, training: AgentTraining) -> Tensor:
    """IMPALA's loss, summed over steps and games: the policy's gradient, the value's error and the policy's entropy."""
    output = agent(played.frames, played.starts, played.memory)
    log_policy = output.logits[:-1].log_softmax(2)
    chosen, acted = (
        logs.gather(2, played.actions[..., None]).squeeze(2) for logs in (log_policy, played.logits.log_softmax(2))
    )  # (T, B)
    values = output.values
    targets = vtrace(
        chosen - acted,
        training.discount * (~played.starts[1:]).float(),
        played.rewards.clamp(-training.reward_bound, training.reward_bound),
        values[:-1],
        values[-1],
    )
    policy = -(targets.advantages * chosen).sum()
    value = 0.5 * functional.mse_loss(values[:-1], targets.targets, reduction="sum")
    negative_entropy = (log_policy.exp() * log_policy).sum()
    total: Tensor = policy + training.value_cost * value + training.entropy_cost * negative_entropy
    return total


@dataclass(frozen=True)
class Progress:
    """How far a run is, after each update."""

    steps: int
    """Actions taken, in all games together."""
    frames_per_second: float
    """Of the emulators, since the run began or went on."""
    score: float | None
    """The mean of the last 100 games that ended; None before the first."""


@alone
def train_agent(
    games: Games,
    config: AgentConfig,
    training: AgentTraining,
    folder: Path,
    *,
    game: str,
    steps: int,
    report: Callable[[Progress], None] = lambda progress: None,
) -> TrainedAgent:
    """Trains an agent on `games` (as many as `training.games`) for `steps` actions, all games together, and writes
    `folder`/agent.safetensors.

    What was interrupted, or had fewer steps, goes on from the file. Its games begin anew, so it is not the run that it
    would have been. Raises TrainingDivergedError if the gradient becomes NaN or infinite (what was saved stays), and
    CheckpointError if the folder holds another run.
    """
    where = fastest_device()
    with torch.random.fork_rng():
        torch.manual_seed(training.seed)
        agent = Agent(config).to(where)
    optimiser = Optimiser(agent, "rmsprop")
    path = folder / AGENT_FILE
    trained = TrainedAgent(path, game, config, training, 0, (), {})
    if path.exists():
        with going_on_from(path):
            trained = _of_the_same_run(load_agent(path), trained)
            optimiser.load(trained.tensors)
        tell_going_on(path, trained.steps, steps)
    done = first = trained.steps
    (seed,) = np.random.SeedSequence((training.seed, done)).generate_state(1)  # other games than before it went on
    player = Player(agent, games, count=training.games, seed=int(seed) % 2**30)
    began = saved = monotonic()
    counted, rewards = 0, []
    while done < steps:
        played = player.rollout(training.unroll)
        rewards.append(float(played.rewards.mean()))
        agent.zero_grad()
        for part in played.parts():
            loss(agent, part, training).backward()  # type: ignore[no-untyped-call]
        norm = torch.nn.utils.clip_grad_norm_(agent.parameters(), training.most_gradient)
        if not norm.isfinite():
            raise TrainingDivergedError(f"the gradient became {norm.item()} at step {done}: {path} is as it was saved")
        optimiser.step(training.learning_rate, alpha=DECAY, eps=EPSILON)
        before, done = done, done + played.actions.numel()
        if done * MEASURES // steps > before * MEASURES // steps:
            ended = player.scores[counted:]
            counted = len(player.scores)
            point = Measure(done, len(ended), float(np.mean(ended)) if ended else None, float(np.mean(rewards)))
            rewards = []
            trained = replace(trained, curve=(*trained.curve, point))
        if done >= steps or monotonic() - saved > SECONDS_PER_SAVE:
            trained = replace(trained, steps=done, tensors=optimiser.state())
            save_agent(trained)
            saved = monotonic()
        rate = (done - first) * games.repeat / (monotonic() - began)
        report(Progress(done, rate, float(np.mean(player.scores[-100:])) if player.scores else None))
    return trained


def _of_the_same_run(saved: TrainedAgent, new: TrainedAgent) -> TrainedAgent:
    """What was `saved`; OtherRunError if it is of another run than the `new` one."""
    for name in ("game", "config", "training"):
        if getattr(saved, name) != getattr(new, name):
            raise OtherRunError(
                f"{saved.path} is of another run ({name} was {getattr(saved, name)}, now {getattr(new, name)}): "
                "train with the same options to go on with it, or into another folder"
            )
    return saved
