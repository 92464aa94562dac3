"""Arguments and options that several commands share."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.console import note

if TYPE_CHECKING:
    from neural import Model
    from neural.images import InputImage
    from service.settings import Settings
    from symbolic import Rules


class ObjectSet(str, Enum):  # noqa: UP042 (typer shows str enums by value in every version)
    """The game's sets of objects; the network is trained on pentominoes."""

    pentos = "pentos"
    hexos = "hexos"
    stripes = "stripes"


ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME|PATH",
        help="A shipped model or a .safetensors file. (default: $PREDINET_PROLOG_MODEL, else relations-game)",
        show_default=False,
    ),
]
LooksOption = Annotated[
    int | None,
    typer.Option(
        "--looks",
        min=1,
        max=10,
        metavar="N",
        help="Look at most N times; 1 is the paper's single pass. (default: until nothing new appears)",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
RulesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--rules",
        metavar="FILE",
        help="Prolog clauses to add; may be repeated. The name relations_game stands for the rules that come along.",
        show_default=False,
    ),
]


def settings(**overrides: object) -> "Settings":
    """The settings, with the options given."""
    from service.settings import load_settings

    return load_settings(**overrides)


def open_model(name: str | None) -> "Model":
    """The model named, else the settings' one."""
    from neural import load_model

    return load_model(settings(model=name).model)


def open_image(path: Path, model: "Model") -> "InputImage":
    """The image at the model's size; tells the user what was done to it."""
    from neural.images import read_image

    image = read_image(path, size=model.config.image_size)
    for remark in image.notes:
        note(f"{path}: {remark}")
    return image


def open_rules(names: list[str] | None) -> "list[Rules]":
    """The rule files, and the theory of the Relations Game where its name stands alone."""
    from service.files import read_text
    from symbolic import Rules, theory

    shipped = {Path(theory().name).stem: theory()}
    return [
        shipped[name] if name in shipped and not Path(name).exists() else Rules(name, read_text(Path(name)))
        for name in names or []
    ]
