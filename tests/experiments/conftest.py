"""Tiny untrained networks, and a folder of an experiment whose networks are done."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch

from predinet_prolog.domains.relations_game import task_info
from predinet_prolog.experiments.configurations import Configuration, model_path
from predinet_prolog.neural import NetworkConfig, RelationsNetwork, save_model, training_config


@pytest.fixture
def tiny() -> Callable[..., RelationsNetwork]:
    """Makes untrained networks of few heads; every size is another number."""

    def make(architecture: str = "predinet", *, labels: int = 4, seed: int = 0) -> RelationsNetwork:
        config = NetworkConfig(heads=3, relations=2, key_size=7, hidden=5, labels=labels, architecture=architecture)
        network = RelationsNetwork(config, generator=torch.Generator().manual_seed(seed))
        return network.eval().requires_grad_(False)

    return make


@pytest.fixture
def finish_cells(tiny: Callable[..., RelationsNetwork]) -> Callable[[Path, Sequence[Configuration], int], None]:
    """Puts tiny networks into a folder as though the configurations had been trained."""

    def finish(folder: Path, configurations: Sequence[Configuration], runs: int) -> None:
        for configuration in configurations:
            training = replace(training_config([configuration.task], recipe="paper"), steps=1)
            for run in range(runs):
                network = tiny(configuration.architecture, labels=task_info(configuration.task).labels, seed=run)
                accuracies = {"hexos": {configuration.task: 0.25}}
                save_model(model_path(folder, configuration.name, run), network, training, accuracies)
            record = folder / "cells" / f"{configuration.name}.json"
            record.parent.mkdir(parents=True, exist_ok=True)
            record.with_suffix(".csv").write_text("step,run,objects,accuracy,loss\n")
            told = {"cell": asdict(configuration), "last": {"hexos": [0.25] * runs}, "seconds": 1}
            record.write_text(json.dumps(told))

    return finish
