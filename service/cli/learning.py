"""generate, train: labelled images, and networks for them."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from predinet_prolog.domains import ORIGINAL, DomainError, domain_of, load_domain
from predinet_prolog.domains.domain import Pictures
from predinet_prolog.neural import network_config, training_config
from predinet_prolog.neural.config import ARCHITECTURES, NetworkConfig, weight_shapes
from predinet_prolog.service.cli import folders, labels
from predinet_prolog.service.cli.options import COUNT, DomainCommand, output_option
from predinet_prolog.service.cli.progress import following
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import writing_to
from predinet_prolog.service.streams import PROGRAM, counted, emit, note

NETWORKS = tuple(ARCHITECTURES)
WIDTH = click.IntRange(1, 1024)

objects_option = click.option(
    "--objects", metavar="KIND", help="Kind of objects that the images show. (default: the kind to train on)"
)


@click.command(cls=DomainCommand)
@click.argument("task", metavar="TASK|DOMAIN", help="A task, or a domain: any number of its objects anywhere.")
@click.option("-n", type=COUNT, required=True, metavar="N", help="Number of images.")
@objects_option
@output_option(
    "FILE.npz|DIR",
    "A new folder of PNGs with annotations.json and labels.csv, or an .npz in the public format. "
    "(default: TASK_SET.npz; of a domain whose pictures have any size, the folder TASK_SET)",
)
@click.option("--seed", type=int, default=0, metavar="S", help="The same seed gives the same images.")
def generate(task: str, n: int, objects: str | None, output: Path | None, seed: int) -> None:
    """Make labelled images of a task, or of a domain.

    \b
    Examples:
      predinet-prolog generate between -n 1000 --objects KIND -o between.npz
      predinet-prolog generate scatter -n 20 -o pictures/
    """
    # A folder may be called run-0.5, but not pictures.zip.
    named = output is None or output.suffix in ("", ".npz") or output.suffix[1:].isdigit()
    if output is not None and not named and not output.is_dir():
        raise UsageError(f"cannot write {output}: end the name in .npz, or name a folder without an ending")
    try:
        domain = load_domain(task)
        task = domain.free_task
    except DomainError:
        domain = domain_of(task)
    name, kind = domain.task(task).name, kind_of(domain, task, objects)
    target = output or Path(f"{name}_{kind}" + (".npz" if domain.picture.width else ""))
    if target.suffix == ".npz" and target.is_dir():
        raise UsageError(f"cannot write {target}: it is a folder")
    with writing_to(target):
        domain.write(target, name, n, kind=kind, seed=seed)
    emit(f"{target}: {counted(n, 'image')} of {name}, {kind}\n")


@click.command(cls=DomainCommand)
@click.argument(
    "tasks",
    nargs=-1,
    required=True,
    metavar="TASK...|DOMAIN|FOLDER",
    help="Tasks to train together; all, alone, stands for all of them. Or a domain whose pictures have any size. "
    "Or a folder of pictures with annotations.json, or with scenes.json.",
)
@click.option("--model", metavar="NAME|PATH", help="The model that a FOLDER fine-tunes. (default: scenes)")
@objects_option
@click.option(
    "--recipe",
    default="fast",
    metavar="fast|symbols|paper",
    help="fast takes a minute; symbols longer, for relations that mean colour and shape; paper is Table S1.",
)
@click.option(
    "--architecture",
    metavar="|".join(NETWORKS),
    default=NETWORKS[0],
    help="The PrediNet, or a baseline of the paper in its place, or one that a package brings: it answers, but has no "
    "programs.",
)
@click.option("--encoder", default="", metavar="NAME", help="An encoder that a package brings. (default: the paper's)")
@click.option("--heads", type=WIDTH, default=32, metavar="K", help="Pairs the network picks.")
@click.option("--relations", type=WIDTH, default=16, metavar="J", help="Relations it computes of each pair.")
@click.option("--seeds", type=COUNT, default=1, metavar="N", help="Train N networks, with the seeds from S on.")
@click.option("--seed", type=click.IntRange(0), default=0, metavar="S", help="The first seed.")
@click.option("--steps", type=COUNT, metavar="N", help="Steps to train. (default: the recipe's)")
@click.option("--inside", is_flag=True, help="For a FOLDER: the model tells things by what is on them.")
@click.option("--batch", type=COUNT, metavar="N", help="For labels alone: pictures a step. (default: 32)")
@click.option("--rate", type=float, metavar="R", help="For labels alone: Adam's learning rate. (default: 0.001)")
@click.option("--device", type=click.Choice(("cpu", "cuda")), help="For labels alone. (default: cpu)")
@output_option("DIR", "Folder of the checkpoints. (default: out/TASK[-ARCHITECTURE]-RECIPE, out/DOMAIN or out/FOLDER)")
@click.pass_context
def train(
    context: click.Context,
    tasks: Sequence[str],
    model: str | None,
    objects: str | None,
    recipe: str,
    architecture: str,
    encoder: str,
    heads: int,
    relations: int,
    seeds: int,
    seed: int,
    steps: int | None,
    inside: bool,
    batch: int | None,
    rate: float | None,
    device: str | None,
    output: Path | None,
) -> None:
    """Train a network, and measure it on every kind of objects.

    Writes model.safetensors; with --seeds, one in a folder for each seed. Interrupted, the same command goes on
    where it stopped. A domain whose pictures have any size takes --seeds, --seed, --steps and -o, and about an hour
    on two cores. A folder of annotated pictures of any size fine-tunes a model on them instead; of the options,
    --model, --steps, --inside and -o are for it. Where scenes.json tells of every thing its mask and its attributes, as
    CLEVR has them, it becomes a detector instead, which says them in words.

    Of a folder of which only labels.csv tells something, file,label, a PrediNet and the paper's baselines are trained
    end to end on the labels, or that of --architecture alone. A fifth of the pictures is held back and judges them, and
    rules that are learned from the same others, as `learn` does. --steps, --batch, --rate, --device, --heads,
    --relations, --encoder, --seed and -o are for it.

    \b
    Examples:
      predinet-prolog train between
      predinet-prolog train same between occurs --seeds 3 -o out/three
      predinet-prolog train between --recipe paper --architecture mlp2
    """
    weight_shapes(NetworkConfig(architecture=architecture, brought_encoder=encoder))  # a wrong name writes nothing
    given = {name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}

    def refuse(options: set[str], reason: str) -> None:
        if options:
            raise UsageError(f"--{min(options)} {reason}")

    if free := _domain_among(tasks):
        foreign = given - {"tasks", "seeds", "seed", "steps", "output"}
        refuse(foreign, f"is for tasks: {free.name} takes --seeds, --seed, --steps and -o")
        for place, number in _seeds(output or Path("out") / free.name, seed, seeds):
            _train_domain(free, place, seed=number, steps=steps)
        return
    of_labels: dict[str, Any] = {"steps": steps, "batch": batch, "rate": rate, "device": device}
    folder = folders.folder_among(tasks)
    if folder is not None and labels.is_labelled(folder):
        foreign = given - {"tasks", *of_labels, "seed", "heads", "relations", "architecture", "encoder", "output"}
        refuse(foreign, "is not for labels alone: add annotations.json, or leave it out")
        from predinet_prolog.experiments.labelled import LabelTraining

        wanted = {name: value for name, value in of_labels.items() if value is not None}
        training = dataclasses.replace(
            LabelTraining(seed=seed, heads=heads, relations=relations, encoder=encoder), **wanted
        )
        labels.train_labels(folder, output, training, [architecture] if "architecture" in given else NETWORKS)
        return
    refuse(given & {"batch", "rate", "device"}, "is for a folder with labels.csv alone")
    if folder is not None:
        foreign = given - {"tasks", "model", "steps", "inside", "output"}
        refuse(foreign, "is for tasks: a folder takes --model, --steps, --inside and -o")
        folders.train_folder(folder, model, output, steps=steps, inside=inside)
        return
    refuse(given & {"inside", "model"}, "is for a folder: a network for tasks is trained from nothing")
    domain = load_domain(ORIGINAL) if tuple(tasks) == ("all",) else domain_of(tasks[0])
    first = training_config(
        tasks, domain=domain.name, objects=objects, recipe=recipe, steps=steps, architecture=architecture
    )
    for task in first.tasks:
        kind_of(domain, task, objects)
    network = network_config(first, heads=heads, relations=relations, architecture=architecture, encoder=encoder)
    name = "all" if tuple(tasks) == ("all",) else "+".join(first.tasks)
    if architecture != NETWORKS[0]:
        name = f"{name}-{architecture}"
    target = output or Path("out") / f"{name}-{first.recipe}"
    for place, number in _seeds(target, seed, seeds):
        _train_one(network, dataclasses.replace(first, seed=number), place)


def _domain_among(names: Sequence[str]) -> Pictures | None:
    """Among what is trained, the domain whose pictures have any size; None if none. UsageError for one with others."""
    for name in names:
        try:
            domain = load_domain(name)
        except DomainError:
            continue
        if domain.picture.free:
            if len(names) > 1:
                raise UsageError(f"{name} has pictures of any size: train on it alone")
            return domain
    return None


def _train_domain(domain: Pictures, folder: Path, *, seed: int, steps: int | None) -> None:
    """Trains a finder and a comparator; `steps` are the finder's, and the comparator's in proportion."""
    from predinet_prolog.neural.glimpses.training import UNFINISHED, GlimpseTraining, train_glimpses

    config = GlimpseTraining(seed=seed)
    if steps is not None:
        config = config.of(steps)
    with following(f"seed {seed}", "steps") as report:
        try:
            with writing_to(folder):
                model = train_glimpses(domain, config, folder, report=report)
        except KeyboardInterrupt:
            if (folder / UNFINISHED).is_dir():
                note(f"stopped; the same command goes on from {folder}")
            raise
    emit(f"{model.path}  (sha256 {model.sha256})\n")
    note(f"now let it name what it sees: {PROGRAM} ground {model.path}")


def _seeds(target: Path, first: int, count: int) -> list[tuple[Path, int]]:
    """The folders of `count` networks, and their seeds."""
    return [(target if count == 1 else target / f"seed-{seed}", seed) for seed in range(first, first + count)]


def _train_one(network: Any, config: Any, folder: Path) -> None:
    from predinet_prolog.neural.training import Progress, train

    done = 0
    with following(f"seed {config.seed}", "steps") as follow:

        def report(at: Progress) -> None:
            nonlocal done
            done = at.step
            follow(done, at.steps, f"loss {at.loss:.4f}, accuracy {at.accuracy:.4f}")

        try:
            with writing_to(folder):
                model = train(network, config, folder, report=report)
        except KeyboardInterrupt:
            kept = any(folder.glob("state.*"))
            rest = f"the same command goes on from {folder}" if kept else "nothing was saved yet"
            note(f"stopped at step {done}; {rest}")
            raise
    emit(f"{model.path}  (sha256 {model.sha256})\n")
    for objects, accuracies in model.accuracies.items():
        for task, accuracy in accuracies.items():
            emit(f"  {objects:8} {task:22} {accuracy:.4f}\n")


def kind_of(domain: Pictures, task: str, objects: str | None) -> str:
    """The kind of objects, or the domain's first; UsageError for one that it does not have or the task not ask of."""
    kind = objects or domain.kinds[0]
    if kind not in domain.kinds:
        raise UsageError(f"no objects are called {kind}: there are {', '.join(domain.kinds)}")
    if kind not in domain.task(task).kinds:
        raise UsageError(f"{task} is not defined for {kind}")
    return kind
