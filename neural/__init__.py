"""The PrediNet and the Relations Game: from pixels to propositions, as tensors."""

from neural.checkpoint import Model, load_model, save_model, shipped_models
from neural.errors import CheckpointError, ImageError, ModelNotFoundError, NeuralError, TrainingDivergedError
from neural.network import NetworkConfig, NetworkOutput, RelationsNetwork
from neural.predinet import PrediNet, Propositions
from neural.recipes import RECIPES, TrainingConfig, network_config, training_config
from neural.training import Progress, measure, predict, train

__all__ = [
    "RECIPES",
    "CheckpointError",
    "ImageError",
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
]
