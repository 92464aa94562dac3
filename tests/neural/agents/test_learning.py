"""Learning to play, going on, and the files of it, with a game that takes no emulator."""

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from predinet_prolog.neural.agents.agent import Agent
from predinet_prolog.neural.agents.config import AgentConfig, AgentTraining
from predinet_prolog.neural.agents.learning import Player, loss, train_agent
from predinet_prolog.neural.agents.playing import score_agent, watch_agent
from predinet_prolog.neural.agents.trained import TrainedAgent, load_agent
from predinet_prolog.neural.errors import CheckpointError, ModelNotFoundError, NeuralError, TrainingDivergedError
from predinet_prolog.neural.states import write_state
from tests.sides import Sides

CONFIG = AgentConfig(
    centre="fc", vision="small", height=7, width=11, channels=2, actions=3, fully_connected=16, memory=16
)
PREDINET = replace(CONFIG, centre="predinet", heads=4, relations=8, key_size=4)
TRAINING = AgentTraining(games=8, unroll=5, learning_rate=3e-3)


def train(
    folder: Path, steps: int, config: AgentConfig = CONFIG, training: AgentTraining = TRAINING, game: str = "toy/sides"
) -> TrainedAgent:
    return train_agent(Sides("sides", training.games), config, training, folder, game=game, steps=steps)


@pytest.mark.parametrize("config", [CONFIG, PREDINET], ids=["fc", "predinet"])
def test_both_agents_learn(config: AgentConfig, tmp_path: Path) -> None:
    """Chance scores 5/3, the better of two sides always 5/2, seeing 5."""
    trained = train(tmp_path, 2000, config)
    assert trained.curve[0].score < 2.5
    assert np.mean(score_agent(trained, Sides("sides", 20), 20)) > 4.5


def test_the_same_seed_makes_the_same_agent_and_another_does_not(tmp_path: Path) -> None:
    seeds = [replace(TRAINING, seed=seed) for seed in (3, 3, 4)]
    one, same, other = (train(tmp_path / str(place), 80, training=own) for place, own in enumerate(seeds))
    assert one.curve == same.curve
    assert all(torch.equal(one.tensors[name], same.tensors[name]) for name in one.tensors)
    assert not torch.equal(one.tensors["network.lstm.weight_hh_l0"], other.tensors["network.lstm.weight_hh_l0"])


def test_what_had_fewer_steps_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    first = train(tmp_path, 80)
    with caplog.at_level(logging.INFO, "predinet_prolog.neural.states"):
        longer = train(tmp_path, 200)
    assert caplog.messages == [f"{tmp_path}/agent.safetensors: goes on from step 80 of 200"]
    assert (first.steps, longer.steps) == (80, 200)
    assert longer.curve[: len(first.curve)] == first.curve
    read = load_agent(tmp_path)
    assert replace(read, tensors={}) == replace(longer, tensors={})
    assert read.tensors.keys() == longer.tensors.keys()
    assert train(tmp_path, 200).steps == 200  # nothing to do


def test_it_goes_on_with_the_optimisers_state(tmp_path: Path) -> None:
    moments = [name for name in train(tmp_path, 40).tensors if name.endswith("square_avg")]
    before = load_agent(tmp_path)
    after = train(tmp_path, 80)
    for name in moments:  # of one update at most a hundredth is new
        assert (after.tensors[name] >= before.tensors[name] * 0.98).all()
        assert moments


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"config": PREDINET}, "config was"),
        ({"training": replace(TRAINING, seed=9)}, "training was"),
        ({"game": "toy/other"}, "game was toy/sides, now toy/other"),
    ],
)
def test_another_runs_folder_is_refused(change: dict[str, object], said: str, tmp_path: Path) -> None:
    train(tmp_path, 40)
    with pytest.raises(CheckpointError, match=said):
        train(tmp_path, 80, **change)


def test_a_run_that_diverges_keeps_what_was_saved(tmp_path: Path) -> None:
    train(tmp_path, 40)
    kept = load_agent(tmp_path)
    spoilt = {name: torch.full_like(tensor, torch.nan) for name, tensor in kept.tensors.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("predinet_prolog.neural.agents.learning.load_agent", lambda path: replace(kept, tensors=spoilt))
        patch.setattr(torch, "multinomial", lambda policy, *_, **__: torch.zeros(len(policy), 1, dtype=torch.int64))
        with pytest.raises(TrainingDivergedError, match="became nan at step 40"):
            train(tmp_path, 80)
    assert load_agent(tmp_path).steps == 40


def test_the_loss_makes_what_was_rewarded_likelier(tmp_path: Path) -> None:
    """One step against the gradient of games in which action 2 alone was rewarded, with no other term."""
    torch.manual_seed(1)
    agent = Agent(CONFIG)
    played = Player(agent, Sides("sides", 8), count=8, seed=1).rollout(5)
    assert played.starts.sum(1).tolist() == [8, 0, 0, 0, 0, 8]
    played = replace(played, rewards=(played.actions == 2) * 7.0)
    only = replace(TRAINING, value_cost=0, entropy_cost=0)

    def policy() -> torch.Tensor:
        with torch.no_grad():
            return agent(played.frames, played.starts, played.memory).logits.softmax(2)[..., 2].mean()

    before = policy()
    scaled = replace(played, rewards=played.rewards / 7)
    torch.testing.assert_close(loss(agent, scaled, only), loss(agent, played, only))
    loss(agent, played, only).backward()
    with torch.no_grad():
        for parameter in agent.parameters():
            if parameter.grad is not None:
                parameter -= 1e-3 * parameter.grad
    assert policy() > before


def test_watching_gives_frames_and_masks(tmp_path: Path) -> None:
    watched = watch_agent(train(tmp_path, 40, PREDINET), Sides("sides", 1), frames=3, every=2)
    assert (watched.frames.shape, watched.attention.shape) == ((3, 7, 11, 2), (3, 4, 2, 7, 11))
    np.testing.assert_allclose(watched.attention.sum((3, 4)), 1, rtol=1e-5)
    with pytest.raises(NeuralError, match="has no attention to show: its centre is fc"):
        watch_agent(train(tmp_path / "fc", 40), Sides("sides", 1), frames=3, every=2)


def test_what_is_no_agent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="no agent"):
        load_agent(tmp_path)
    write_state(tmp_path / "other.safetensors", {"step": 3}, {"a": torch.zeros(2)})
    with pytest.raises(CheckpointError, match=r"other.safetensors is not an agent's"):
        load_agent(tmp_path / "other.safetensors")
    trained = replace(train(tmp_path, 40), config=PREDINET)
    with pytest.raises(CheckpointError, match="does not hold the agent that its header describes"):
        trained.agent()
