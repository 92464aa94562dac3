"""The paper's agents: counted, what their parts must not mix, the games they play, and V-trace by its definition."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from predinet_prolog.neural.agents.agent import Agent
from predinet_prolog.neural.agents.config import AgentConfig
from predinet_prolog.neural.agents.games import Games, agent_config, open_games
from predinet_prolog.neural.agents.vtrace import vtrace
from predinet_prolog.neural.convolutional_predinet import ConvolutionalPrediNet
from predinet_prolog.neural.errors import NeuralError

SMALL = AgentConfig(
    vision="small", height=7, width=11, channels=2, actions=3, heads=5, relations=13, key_size=17, memory=19
)
T, B = 2, 3


def count(*modules: nn.Module) -> int:
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


@pytest.mark.parametrize(
    ("centre", "of_centre", "lstm", "total"),
    [
        ("fc", 4_423_936, 526_336, 5_098_515),
        # Query net, queries, keys and relations.
        ("predinet", 28_320 + 32_768 + 544 + 2_176, 1_378_304, 1_590_355),
    ],
)
def test_parameters_are_as_many_as_in_the_papers_table(centre: str, of_centre: int, lstm: int, total: int) -> None:
    agent = Agent(AgentConfig(centre=centre))
    parts = [count(part) for part in (agent.vision, agent.centre, agent.lstm, agent.value, agent.policy)]
    assert parts == [97_600, of_centre, lstm, 33_025, 17_618]
    assert count(agent) == total == sum(parts)
    assert agent.grid == (27, 20)


def frames(seed: int = 1) -> torch.Tensor:
    return torch.randint(256, (T, B, 7, 11, 2), dtype=torch.uint8, generator=torch.Generator().manual_seed(seed))


@pytest.fixture(params=["predinet", "fc"])
def agent(request: pytest.FixtureRequest) -> Agent:
    torch.manual_seed(2)
    return Agent(replace(SMALL, centre=request.param)).requires_grad_(False)


def test_steps_at_once_are_steps_one_by_one(agent: Agent) -> None:
    starts = torch.tensor([[True, True, True], [False, True, False]])
    whole = agent(frames(), starts, agent.blank_memory(B))
    memory = agent.blank_memory(B)
    for t in range(T):
        one = agent(frames()[t : t + 1], starts[t : t + 1], memory)
        memory = one.memory
        torch.testing.assert_close(one.logits[0], whole.logits[t])
        torch.testing.assert_close(one.values[0], whole.values[t])
    torch.testing.assert_close(memory, whole.memory)
    assert (whole.logits.shape, whole.values.shape) == ((T, B, 3), (T, B))


def test_a_predinet_says_propositions_about_where_it_looks() -> None:
    agent = Agent(SMALL).requires_grad_(False)
    said = agent(frames(), torch.ones(T, B, dtype=torch.bool), agent.blank_memory(B)).propositions
    assert (said.values.shape, said.attention.shape) == ((T * B, 5, 13), (T * B, 5, 2, 7 * 11))
    torch.testing.assert_close(said.attention.sum(3), torch.ones(T * B, 5, 2))
    y, x = torch.meshgrid(torch.arange(7) / 7, torch.arange(11) / 11, indexing="ij")
    for axis, places in enumerate((x, y)):
        torch.testing.assert_close(said.positions[..., axis], said.attention @ places.flatten())


def test_what_cannot_be_built_is_refused() -> None:
    with pytest.raises(NeuralError, match="2 × 9 windows is too small"):
        ConvolutionalPrediNet((2, 9), 6)
    with pytest.raises(NeuralError, match="no centre mlp: choose predinet or fc"):
        Agent(replace(SMALL, centre="mlp"))


COUNT = 2


@pytest.fixture(params=["minatar/breakout", "minatar/freeway", "atari/pong"])
def games(request: pytest.FixtureRequest) -> Games:
    family = request.param.partition("/")[0]
    pytest.importorskip({"minatar": "minatar", "atari": "ale_py.vector_env"}[family], reason="needs the extra `atari`")
    return open_games(request.param, COUNT)


def test_a_game_is_as_it_says_and_the_same_seed_is_the_same_game(games: Games) -> None:
    def play() -> list[np.ndarray]:
        seen = [games.reset(7)]
        for t in range(25):
            step = games.step(np.array([t % games.actions, (t * t) % games.actions]))
            assert step.rewards.shape == step.ended.shape == (COUNT,)
            assert (step.rewards.dtype, step.ended.dtype) == (np.float32, bool)
            seen.append(step.frames)
        return seen

    first = play()
    assert {each.shape for each in first} == {(COUNT, *games.shape)}
    assert {each.dtype for each in first} == {np.dtype(np.uint8)}
    assert all(np.array_equal(one, other) for one, other in zip(first, play(), strict=True))
    assert not np.array_equal(first[0], first[-1])
    config = agent_config(games, "fc")
    assert (config.height, config.width, config.channels, config.actions) == (*games.shape, games.actions)


@pytest.mark.parametrize(
    ("game", "module"),
    [("minatar/chess", "minatar"), ("atari/../x", "ale_py.vector_env"), ("atari/ponk", "ale_py.roms")],
)
def test_a_game_that_there_is_not_is_refused_or_what_it_needs_is_told(game: str, module: str) -> None:
    """Each half where it can be seen: the extra is installed, or it is not."""
    with pytest.raises(NeuralError) as told:
        open_games(game, 1)
    try:
        __import__(module)
    except ImportError:
        assert "pip install 'predinet-prolog[atari]'" in str(told.value)
    else:
        assert str(told.value).startswith(f"no game {game}: there are ")


def test_it_is_the_sum_that_defines_it() -> None:
    """v_s = V(x_s) + Σ_t γ^{t−s} (Π_{s ≤ i < t} c_i) δ_t V, of each game by itself."""
    T, B = 7, 3
    generator = torch.Generator().manual_seed(5)
    log_ratios, rewards, values = (torch.randn(T, B, generator=generator, dtype=torch.float64) for _ in range(3))
    discounts = 0.9 * (torch.rand(T, B, generator=generator) > 0.3).double()
    last = torch.randn(B, generator=generator, dtype=torch.float64)
    found = vtrace(log_ratios, discounts, rewards, values, last)
    for b in range(B):
        V = [*values[:, b].tolist(), last[b].item()]
        rho = [min(1.0, math.exp(each)) for each in log_ratios[:, b].tolist()]
        gamma, r = discounts[:, b].tolist(), rewards[:, b].tolist()
        targets = []
        for s in range(T):
            total, weight = V[s], 1.0
            for t in range(s, T):
                total += weight * rho[t] * (r[t] + gamma[t] * V[t + 1] - V[t])
                weight *= gamma[t] * rho[t]
            targets.append(total)
        torch.testing.assert_close(found.targets[:, b].tolist(), targets)
        after = [*targets[1:], V[T]]
        advantages = [rho[s] * (r[s] + gamma[s] * after[s] - V[s]) for s in range(T)]
        torch.testing.assert_close(found.advantages[:, b].tolist(), advantages)
