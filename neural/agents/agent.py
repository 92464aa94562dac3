"""The paper's agent: vision, central module, LSTM, and heads for value and policy (its table of RL parameters)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from predinet_prolog.neural.agents.config import CENTRES, AgentConfig
from predinet_prolog.neural.agents.vision import VISION
from predinet_prolog.neural.baselines import Representation
from predinet_prolog.neural.config import PIXEL_SCALE
from predinet_prolog.neural.convolutional_predinet import ConvolutionalPrediNet
from predinet_prolog.neural.encoder import with_places
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.predinet import Propositions

VALUE_HIDDEN, POLICY_HIDDEN = 128, 64
Memory = tuple[Tensor, Tensor]
"""The LSTM's h and c, (1, B, memory) each."""


@dataclass(frozen=True)
class AgentOutput:
    """What an agent makes of T frames of each of B games."""

    logits: Tensor
    """(T, B, actions): the policy before the softmax."""
    values: Tensor
    """(T, B): discounted rewards to come, as the agent expects them."""
    memory: Memory
    """After the last frame."""
    propositions: Propositions | None
    """Of T · B frames, the first frame of all games first; None without a PrediNet."""


class FullyConnected(nn.Module):
    """The baseline's centre: one layer with biases and a ReLU over all features. It sees no places."""

    def __init__(self, inputs: int, units: int) -> None:
        super().__init__()
        self.layer = nn.Linear(inputs, units)

    def forward(self, L: Tensor) -> Representation:
        """Of `L` (B, n, m), whose last two features are places."""
        return Representation(flat=self.layer(L[..., :-2].flatten(1)).relu())


class Agent(nn.Module):
    """Frames → vision → L → central module → LSTM → value and policy. NeuralError for a centre that there is not."""

    def __init__(self, config: AgentConfig) -> None:
        super().__init__()
        self.config = config
        self.vision = VISION[config.vision](config.channels)
        with torch.no_grad():
            filters, *grid = self.vision(torch.zeros(1, config.channels, config.height, config.width)).shape[1:]
        self.grid: tuple[int, int] = (grid[0], grid[1])
        self.centre: nn.Module
        if config.centre == "predinet":
            sizes = {"heads": config.heads, "relations": config.relations, "key_size": config.key_size}
            self.centre = ConvolutionalPrediNet(self.grid, filters + 2, **sizes)
            size = config.heads * (config.relations + 4)
        elif config.centre == "fc":
            size = config.fully_connected
            self.centre = FullyConnected(filters * grid[0] * grid[1], size)
        else:
            raise NeuralError(f"no centre {config.centre}: choose {' or '.join(CENTRES)}")
        self.lstm = nn.LSTM(size, config.memory)
        self.value = _head(config.memory, VALUE_HIDDEN, 1)
        self.policy = _head(config.memory, POLICY_HIDDEN, config.actions)
        self.apply(_initialise)

    def forward(self, frames: Tensor, starts: Tensor, memory: Memory) -> AgentOutput:
        """Of `frames` (T, B, H, W, channels), any dtype, 0–255. `starts` (T, B) says which are a game's first, where
        nothing is remembered; `memory` is that from before the first frame."""
        T, B = starts.shape
        central: Propositions | Representation = self.centre(self._matrix(frames.flatten(0, 1)))
        kept = (~starts).to(central.flat.dtype)[..., None]  # (T, B, 1)
        said = []
        for x, keep in zip(central.flat.view(T, B, -1), kept, strict=True):
            memory = (memory[0] * keep, memory[1] * keep)
            h, memory = self.lstm(x[None], memory)
            said.append(h)
        hidden = torch.cat(said)  # (T, B, memory)
        propositions = central if isinstance(central, Propositions) else None
        return AgentOutput(self.policy(hidden), self.value(hidden).squeeze(2), memory, propositions)

    def blank_memory(self, games: int) -> Memory:
        """The memory of so many games before their first frames."""
        h = torch.zeros(1, games, self.config.memory, device=next(self.parameters()).device)
        return h, h

    def _matrix(self, frames: Tensor) -> Tensor:
        """L (B, n, m) of `frames` (B, H, W, channels): the last two columns are the window's place, x then y."""
        features = self.vision(frames.permute(0, 3, 1, 2) / PIXEL_SCALE).flatten(2).transpose(1, 2)
        return with_places(features, *self.grid)


def _head(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


def _initialise(module: nn.Module) -> None:
    """He et al.'s scale (2015), which keeps signals as large as they are from layer to layer.

    The PrediNet's queries lie behind up to ten layers, and its values are differences of even means at first: with
    PyTorch's own scale the LSTM would see a hundredth of what it sees with this one.
    """
    if isinstance(module, nn.Conv2d | nn.Linear):
        nn.init.kaiming_normal_(module.weight)
        assert module.bias is not None
        nn.init.zeros_(module.bias)
    elif isinstance(module, ConvolutionalPrediNet):
        for weight in (module.W_K, module.W_Q1, module.W_Q2, module.W_S):
            nn.init.kaiming_normal_(weight.T)
