"""The PrediNet: from pixels to propositions, as tensors.

What needs PyTorch is imported when it is asked for: to look at images with a trained model takes none of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from predinet_prolog.neural.checkpoint import Model, load_model, save_model, shipped_models
from predinet_prolog.neural.config import NetworkConfig
from predinet_prolog.neural.errors import CheckpointError, ModelNotFoundError, NeuralError, TrainingDivergedError
from predinet_prolog.neural.recipes import RECIPES, TrainingConfig, network_config, training_config

if TYPE_CHECKING:
    from predinet_prolog.neural.encoder import with_places
    from predinet_prolog.neural.network import NetworkOutput, RelationsNetwork
    from predinet_prolog.neural.predinet import PrediNet, Propositions
    from predinet_prolog.neural.training import Progress, measure, predict, train

_WITH_PYTORCH = ("encoder", "network", "predinet", "training")
"""The modules that have the names which need it."""

__all__ = [
    "RECIPES",
    "CheckpointError",
    "Model",
    "ModelNotFoundError",
    "NetworkConfig",
    "NetworkOutput",
    "NeuralError",
    "PrediNet",
    "Progress",
    "Propositions",
    "RelationsNetwork",
    "TrainingConfig",
    "TrainingDivergedError",
    "load_model",
    "measure",
    "network_config",
    "predict",
    "save_model",
    "shipped_models",
    "train",
    "training_config",
    "with_places",
]


def __getattr__(name: str) -> object:
    for module in _WITH_PYTORCH if name in __all__ else ():
        if name in (names := vars(import_module(f"{__name__}.{module}"))):
            return names[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
