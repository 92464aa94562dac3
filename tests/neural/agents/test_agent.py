"""The paper's agents: counted, and what their parts must not mix."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from predinet_prolog.neural.agents.agent import Agent
from predinet_prolog.neural.agents.config import AgentConfig
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
    assert whole.logits.shape == (T, B, 3)
    assert whole.values.shape == (T, B)


def test_a_predinet_says_propositions_about_where_it_looks() -> None:
    agent = Agent(SMALL).requires_grad_(False)
    said = agent(frames(), torch.ones(T, B, dtype=torch.bool), agent.blank_memory(B)).propositions
    assert said is not None
    assert said.values.shape == (T * B, 5, 13)
    assert said.attention.shape == (T * B, 5, 2, 7 * 11)
    torch.testing.assert_close(said.attention.sum(3), torch.ones(T * B, 5, 2))
    y, x = torch.meshgrid(torch.arange(7) / 7, torch.arange(11) / 11, indexing="ij")
    for axis, places in enumerate((x, y)):
        torch.testing.assert_close(said.positions[..., axis], said.attention @ places.flatten())


def test_what_cannot_be_built_is_refused() -> None:
    with pytest.raises(NeuralError, match="2 × 9 windows is too small"):
        ConvolutionalPrediNet((2, 9), 6)
    with pytest.raises(NeuralError, match="no centre mlp: choose predinet or fc"):
        Agent(replace(SMALL, centre="mlp"))
