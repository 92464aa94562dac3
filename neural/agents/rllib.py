"""Learning to play on a Ray cluster: RLlib's IMPALA with the same agent, the same games and the same loss.

Its players act while the learner learns, with weights that may be some updates old: what V-trace is for.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from time import monotonic
from typing import Any

import gymnasium
import numpy as np
import torch
from ray.rllib.algorithms.impala import IMPALAConfig
from ray.rllib.algorithms.impala.torch.impala_torch_learner import IMPALATorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from predinet_prolog.neural.agents.agent import Agent
from predinet_prolog.neural.agents.config import AgentConfig, AgentTraining
from predinet_prolog.neural.agents.games import open_games
from predinet_prolog.neural.agents.learning import (
    DECAY,
    EPSILON,
    MEASURES,
    SECONDS_PER_SAVE,
    Progress,
    Steps,
    going_on_with,
    loss_of,
)
from predinet_prolog.neural.agents.trained import AGENT_FILE, Measure, TrainedAgent, save_agent
from predinet_prolog.neural.ray_engine import connected, processors
from predinet_prolog.neural.states import alone, learner_state, load_learner


class Game(gymnasium.Env):
    """One of the games, as RLlib plays it."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        """`config["game"]` is its name, as `open_games` takes it."""
        self._games = open_games(config["game"], 1)
        self.observation_space = gymnasium.spaces.Box(0, 255, self._games.shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(self._games.actions)
        self._first: np.ndarray | None = None

    def reset(self, *, seed: int | None = None, options: object = None) -> tuple[np.ndarray, dict[str, Any]]:
        """The first frame. A game that ended has begun anew already."""
        super().reset(seed=seed)
        if seed is not None or self._first is None:
            self._first = self._games.reset(int(self.np_random.integers(2**30)) if seed is None else seed)[0]
        frame, self._first = self._first, None
        return frame, {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Frame, reward, whether the game ended; it is never cut off."""
        (frame,), (reward,), (ended,) = self._games.step(np.array([action]))
        self._first = frame if ended else None
        return frame, float(reward), bool(ended), False, {}


class AgentModule(TorchRLModule, ValueFunctionAPI):
    """The agent as RLlib asks it: of B games with T frames each, none of which but the first is a game's first."""

    def setup(self) -> None:
        """Of `model_config["agent"]`, the fields of an AgentConfig."""
        self.agent = Agent(AgentConfig(**self.model_config["agent"]))

    def get_initial_state(self) -> dict[str, np.ndarray]:
        """The LSTM's, of one game."""
        h = np.zeros(self.agent.config.memory, np.float32)
        return {"h": h, "c": h}

    def _forward(self, batch: dict[str, Any], **options: object) -> dict[str, Any]:
        frames = batch[Columns.OBS].transpose(0, 1)  # (T, B, H, W, channels)
        starts = torch.zeros(frames.shape[:2], dtype=torch.bool, device=frames.device)
        memory = batch[Columns.STATE_IN]
        output = self.agent(frames, starts, (memory["h"][None], memory["c"][None]))
        return {
            Columns.ACTION_DIST_INPUTS: output.logits.transpose(0, 1),
            Columns.STATE_OUT: {"h": output.memory[0][0], "c": output.memory[1][0]},
            Columns.EMBEDDINGS: output.values.transpose(0, 1),
        }

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        """(B, T); the forward pass gives them as its embeddings."""
        values: Tensor = self._forward(batch)[Columns.EMBEDDINGS] if embeddings is None else embeddings
        return values


class AgentLearner(IMPALATorchLearner):
    """The learner with our recipe: RMSProp and the loss of `neural.agents.learning`.

    RLlib's own loss lets the frame after the last step, of which only the value is wanted, take part in V-trace as a
    step with reward 0: its correction takes the value away again that it stands for.
    """

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        """RMSProp."""
        parameters = self.get_parameters(self._module[module_id])
        optimiser = torch.optim.RMSprop(parameters, lr=config.lr, alpha=DECAY, eps=EPSILON)
        self.register_optimizer(
            module_id=module_id, optimizer=optimiser, params=parameters, lr_or_lr_schedule=config.lr
        )

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> Tensor:
        """Of rows (B, T + 1): each holds a game's steps, the frame after the last, and padding."""
        columns = (
            Columns.ACTIONS,
            Columns.ACTION_LOGP,
            Columns.REWARDS,
            Columns.TERMINATEDS,
            Columns.LOSS_MASK,
        )
        actions, acted, rewards, ended, played = (batch[name].transpose(0, 1)[:-1] for name in columns)
        steps = Steps(actions.long(), acted, rewards.float(), ended.bool(), played.bool())
        logits, values = (fwd_out[name].transpose(0, 1) for name in (Columns.ACTION_DIST_INPUTS, Columns.EMBEDDINGS))
        return loss_of(logits[:-1], values, steps, AgentTraining(**config.learner_config_dict["training"]))


def impala(game: str, config: AgentConfig, training: AgentTraining, players: int) -> IMPALAConfig:
    """RLlib's configuration: the games are divided among so many players, 0 of them: this process plays."""
    return (
        IMPALAConfig()
        .environment(Game, env_config={"game": game})
        .framework("torch")
        .env_runners(
            num_env_runners=players,
            num_envs_per_env_runner=training.games // max(players, 1),
            rollout_fragment_length=training.unroll,
        )
        .learners(num_learners=0, learner_config_dict={"training": asdict(training)})
        .training(
            learner_class=AgentLearner,
            lr=training.learning_rate,
            gamma=training.discount,
            train_batch_size_per_learner=training.games * training.unroll,
            grad_clip=training.most_gradient,
            grad_clip_by="global_norm",
        )
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=AgentModule, model_config={"agent": asdict(config), "max_seq_len": training.unroll + 1}
            )
        )
        .reporting(min_time_s_per_iteration=0)
        .debugging(seed=training.seed, log_level="ERROR")
    )


@alone
def train_on_ray(
    config: AgentConfig,
    training: AgentTraining,
    folder: Path,
    *,
    game: str,
    steps: int,
    report: Callable[[Progress], None] = lambda progress: None,
) -> TrainedAgent:
    """As `neural.agents.learning.train_agent`, on a cluster: a player on each of its processors but one, where the
    learner is. What either has trained, the other goes on with."""
    path = folder / AGENT_FILE
    trained = TrainedAgent(path, game, config, training, 0, (), {})
    repeat = open_games(game, 1).repeat
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)  # it tells of itself
    with connected():
        algorithm = impala(game, config, training, _players(training.games)).build_algo()
        try:

            def load(tensors: Mapping[str, Tensor]) -> None:
                algorithm.learner_group.foreach_learner(lambda learner: load_learner(*_parts(learner), tensors))
                algorithm.env_runner_group.sync_weights(from_worker_or_learner_group=algorithm.learner_group)

            trained = going_on_with(trained, load, steps)
            done = first = trained.steps
            began = saved = monotonic()
            games, score = 0, None
            while done < steps:
                played = algorithm.train()["env_runners"]
                before, done = done, first + int(played.get("num_env_steps_sampled_lifetime", 0))
                games += int(np.nan_to_num(played.get("num_episodes", 0)))
                if not np.isnan(mean := played.get("episode_return_mean", np.nan)):
                    score = float(mean)
                if done * MEASURES // steps > before * MEASURES // steps:
                    trained = replace(trained, curve=(*trained.curve, Measure(done, games, score if games else None)))
                    games = 0
                if done >= steps or monotonic() - saved > SECONDS_PER_SAVE:
                    (state,) = algorithm.learner_group.foreach_learner(lambda learner: learner_state(*_parts(learner)))
                    trained = replace(trained, steps=done, tensors=state.get())
                    save_agent(trained)
                    saved = monotonic()
                report(Progress(done, (done - first) * repeat / (monotonic() - began), score))
        finally:
            algorithm.stop()
    return trained


def _players(games: int) -> int:
    """One on each processor of the cluster but this process's; each has a game at least."""
    return min(max(1, processors() - 1), games)


def _parts(learner: AgentLearner) -> tuple[Agent, torch.optim.Optimizer]:
    return learner.module["default_policy"].agent, learner.get_optimizer()
