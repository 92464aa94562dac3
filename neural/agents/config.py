"""What fixes an agent's shape, and how it learns."""

from dataclasses import dataclass

CENTRES = ("predinet", "fc")
"""The central modules: a PrediNet with convolutional queries, or a fully connected layer."""


@dataclass(frozen=True)
class AgentConfig:
    """An agent's shape. Defaults are the paper's table of its Atari agents."""

    centre: str = "predinet"
    """One of CENTRES."""
    vision: str = "residual"
    """One of `neural.agents.vision.VISION`."""
    height: int = 210
    width: int = 160
    channels: int = 3
    """Of an observation."""
    actions: int = 18
    heads: int = 16
    """k, pairs that the PrediNet picks."""
    relations: int = 64
    """j, relations of every pair."""
    key_size: int = 16
    """g, length of keys and queries."""
    fully_connected: int = 256
    """Units of the fully connected layer."""
    memory: int = 256
    """Units of the LSTM."""


@dataclass(frozen=True)
class AgentTraining:
    """How an agent learns: the paper's values; where it gives none, those that IMPALA has for Atari games (Espeholt et
    al. 2018, table G.1)."""

    seed: int = 0
    games: int = 32
    """Played side by side: the batch."""
    unroll: int = 20
    """Steps between two updates."""
    learning_rate: float = 1e-4
    """Of RMSProp."""
    discount: float = 0.99
    reward_bound: float = 1.0
    """Rewards are clipped to ±reward_bound before they teach; scores are not."""
    value_cost: float = 0.5
    """Factor of the value's loss, Σ ½ (target − value)²."""
    entropy_cost: float = 0.01
    """Factor of the policy's negative entropy in the loss."""
    most_gradient: float = 40.0
    """The gradient's norm is cut down to this."""
