"""How much of an experiment is done, and the folder that it is done in."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.neural.errors import NeuralError

PLAN_FILE = "plan.json"

Report = Callable[[int, int, str], None]
"""Gets how much is done, of how much in all (in one unit of the experiment's choice), and what is being done."""


@dataclass(frozen=True)
class Plan:
    """How much of an experiment is done. An experiment has two, the paper's and a quick one."""

    runs: int
    """Networks of every kind, each with its own initial weights and order of images."""
    steps: int
    """Batches that each of them is trained on."""
    optimiser: str
    """`sgd` or `adam`."""
    learning_rate: float
    """Constant, as in the paper."""
    batch: int
    """Images a batch."""
    measurements: int
    """How many times, evenly spread over the steps, accuracy is measured."""
    test_images: int
    """Images of each held-out set that a measurement takes."""
    last_test_images: int = 5_000
    """Images of each held-out set that the last checkpoint is measured on."""
    quick: bool = False
    """Whether it is the quick one, which shows how it goes and not what comes of it."""


PAPER = Plan(runs=10, steps=100_000, optimiser="sgd", learning_rate=1e-2, batch=10, measurements=100, test_images=1_000)
"""Table S1 of the paper."""
QUICK = Plan(
    runs=1,
    steps=1_500,
    optimiser="adam",
    learning_rate=1e-3,
    batch=32,
    measurements=15,
    test_images=500,
    last_test_images=1_000,
    quick=True,
)
"""Minutes on two cores. Adam, for plain gradient descent is still at chance after so few batches."""


def take_folder(folder: Path, name: str, plan: Plan) -> None:
    """Makes `folder` the experiment's own; NeuralError if it holds another experiment, or this one to another plan.

    A plan of more runs takes over what a plan of fewer has left, and goes on with the runs that are missing.
    """
    path = folder / PLAN_FILE
    wanted: dict[str, object] = {"experiment": name, **asdict(plan)}
    if not path.exists():
        if folder.is_dir() and any(folder.iterdir()):
            raise NeuralError(f"{folder} is not empty and holds no experiment: name a new folder")
        write_atomically(path, (json.dumps(wanted, indent=1) + "\n").encode())
        return
    document = _read(path)
    if isinstance(runs := document.get("runs"), int) and runs < plan.runs:
        document["runs"] = plan.runs
    for key, value in wanted.items():
        if document.get(key) != value:
            raise NeuralError(
                f"{folder} is of another plan ({key} was {document.get(key)}, now {value}): "
                "ask for the same to go on with it, or name another folder"
            )
    write_atomically(path, (json.dumps(wanted, indent=1) + "\n").encode())


def read_plan(folder: Path) -> tuple[str, Plan]:
    """The experiment's name and plan that `folder` was made by; NeuralError if it holds none."""
    fields = _read(folder / PLAN_FILE)
    try:
        return str(fields.pop("experiment")), Plan(**fields)
    except (KeyError, TypeError) as error:
        raise NeuralError(f"{folder / PLAN_FILE} is not a plan of this version: {error}") from error


def _read(path: Path) -> dict[str, Any]:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NeuralError(f"{path.parent} holds no experiment: no {path.name} in it") from None
    except (OSError, ValueError) as error:
        raise NeuralError(f"{path} cannot be read: {error}") from error
    if not isinstance(fields, dict):
        raise NeuralError(f"{path} is not a plan")
    return fields
