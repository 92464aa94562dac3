"""RLlib plays, sees and learns as our own learner does. Where Ray is missing, these tests are skipped."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from predinet_prolog.neural.agents import games
from predinet_prolog.neural.agents.config import AgentTraining
from predinet_prolog.neural.agents.games import agent_config
from predinet_prolog.neural.agents.learning import Rollout, loss, train_agent
from predinet_prolog.neural.agents.trained import load_agent
from predinet_prolog.neural.errors import CheckpointError
from tests.sides import Sides

pytest.importorskip("ray", reason="no Ray: pip install 'predinet-prolog[ray]'")
pytestmark = [pytest.mark.slow(30), pytest.mark.filterwarnings("default")]

TRAINING = AgentTraining(seed=3, games=3, unroll=7, learning_rate=1e-3)
CONFIG = agent_config(Sides("sides", 1), "predinet")


@pytest.fixture(autouse=True)
def _sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_FAMILIES", {"toy": Sides})


@pytest.fixture(scope="module", autouse=True)
def _ray() -> Iterator[None]:
    import ray

    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


def test_a_game_is_played_as_ours_is() -> None:
    from predinet_prolog.neural.agents.rllib import Game

    game, ours = Game({"game": "toy/sides"}), Sides("sides", 1)
    frame, _ = game.reset(seed=5)
    assert np.array_equal(frame, ours.reset(5)[0])
    for action in np.random.default_rng(1).integers(0, 3, 17):
        frame, reward, ended, cut_off, _ = game.step(int(action))
        expected = ours.step(np.array([action]))
        assert (reward, ended, cut_off) == (expected.rewards[0], expected.ended[0], False)
        assert np.array_equal(frame, expected.frames[0])
        if ended:
            assert np.array_equal(game.reset()[0], frame)


def test_a_frozen_policy_makes_the_same_of_what_it_plays_and_learns_the_same_from_it() -> None:
    """Two rollouts of RLlib's player, over the ends of games: our agent gives every frame the same policy, and our
    loss of each game's steps adds up to that of RLlib's learner."""
    from predinet_prolog.neural.agents.rllib import impala

    algorithm = impala("toy/sides", CONFIG, TRAINING, 0).build_algo()
    try:
        agent = algorithm.get_module().agent
        learner = algorithm.learner_group._learner
        remembered: dict[str, Any] = {}
        for _ in range(2):
            episodes = algorithm.env_runner.sample(num_timesteps=21, explore=True)
            assert sum(map(len, episodes)) >= 21
            ours = torch.zeros(())
            for episode in episodes:
                frames = torch.from_numpy(episode.get_observations())[:, None]
                actions = torch.from_numpy(episode.get_actions())[:, None]
                logits = torch.from_numpy(np.array(episode.get_extra_model_outputs("action_dist_inputs")))[:, None]
                starts = torch.zeros(len(frames), 1, dtype=torch.bool)
                starts[-1] = bool(episode.is_terminated)
                memory = remembered.get(episode.id_, agent.blank_memory(1))
                with torch.no_grad():
                    output = agent(frames[:-1], starts[:-1], memory)
                torch.testing.assert_close(output.logits, logits)
                acted = torch.from_numpy(np.array(episode.get_extra_model_outputs("action_logp")))
                torch.testing.assert_close(
                    logits.log_softmax(2).gather(2, actions[..., None]).flatten(), acted, check_dtype=False
                )
                remembered[episode.id_] = output.memory
                rewards = torch.from_numpy(np.array(episode.get_rewards())).float()[:, None]
                ours = ours + loss(agent, Rollout(frames, starts, actions, logits, rewards, memory), TRAINING)
            batch = learner._learner_connector(rl_module=learner.module, batch={}, episodes=episodes, shared_data={})
            theirs = learner.compute_loss_for_module(
                module_id="default_policy",
                config=learner.config,
                batch=batch["default_policy"],
                fwd_out=learner.module.forward_train(batch)["default_policy"],
            )
            torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)
    finally:
        algorithm.stop()


def test_what_one_learner_has_trained_the_other_goes_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from predinet_prolog.neural.agents import rllib

    monkeypatch.setattr(rllib, "_players", lambda games: 0)  # players of other processes know no toys
    first = train_agent(Sides("sides", 3), CONFIG, TRAINING, tmp_path, game="toy/sides", steps=21)
    told: list[int] = []
    options = {"game": "toy/sides", "steps": 60}
    second = rllib.train_on_ray(CONFIG, TRAINING, tmp_path, **options, report=lambda at: told.append(at.steps))  # type: ignore[arg-type]
    assert second.steps == told[-1] >= 60
    assert load_agent(tmp_path).steps == second.steps
    assert first.tensors.keys() == second.tensors.keys()
    assert not torch.equal(first.tensors["network.lstm.weight_hh_l0"], second.tensors["network.lstm.weight_hh_l0"])
    third = train_agent(Sides("sides", 3), CONFIG, TRAINING, tmp_path, game="toy/sides", steps=second.steps + 1)
    assert third.steps == second.steps + 21
    with pytest.raises(CheckpointError, match="learning_rate"):
        rllib.train_on_ray(CONFIG, AgentTraining(seed=3), tmp_path, game="toy/sides", steps=90)
