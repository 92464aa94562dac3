"""generate, train, evaluate: the Relations Game and networks for it."""

import dataclasses
import json
import os
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli.console import emit, note, progress
from service.cli.options import (
    ClausesOption,
    JsonOption,
    LooksOption,
    ModelOption,
    ObjectSet,
    RulesOption,
    open_model,
    open_rules,
    settings,
)
from service.errors import UsageError

if TYPE_CHECKING:
    from experiments.evaluation import Evaluation, TestSet
    from service.cli.failures import Failures


class Architecture(str, Enum):  # noqa: UP042 (typer shows str enums by value in every version)
    """The network's central module: what `neural.config.ARCHITECTURES` names, which a test compares."""

    predinet = "predinet"
    mlp1 = "mlp1"
    mlp2 = "mlp2"
    relation_net = "relation_net"
    attention = "attention"


TASK_NAMES = (
    "same, between, occurs, xoccurs, colour_and_or_shape, row_patterns_3, column_patterns_3, row_patterns_5, "
    "column_patterns_5, match_rows, scatter"
)
"""What `domains.relations_game.TASKS` names, which a test compares: a help must not wait for numpy."""

ObjectsOption = Annotated[ObjectSet, typer.Option("--objects", help="Objects that the images show.")]


def register(app: typer.Typer) -> None:
    """Adds the commands to `app`."""
    app.command()(generate)
    app.command()(train)
    app.command()(evaluate)


def generate(
    task: Annotated[str, typer.Argument(metavar="TASK", help=f"A task: {TASK_NAMES}.", show_default=False)],
    n: Annotated[int, typer.Option("-n", min=1, metavar="N", help="Number of images.", show_default=False)],
    objects: ObjectsOption = ObjectSet.pentos,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.npz|DIR",
            help="An .npz in the public format, or a new folder of PNGs with a labels.csv. (default: TASK_SET.npz)",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed gives the same images.")] = 0,
) -> None:
    """Make labelled images of a task.

    \b
    Examples:
      predinet-prolog generate between -n 1000 --objects hexos -o between.npz
      predinet-prolog generate scatter -n 20 -o pictures/
    """
    from domains import relations_game as game
    from service.files import writing_to

    # A folder may be called run-0.5, but not pictures.zip.
    named = output is None or output.suffix in ("", ".npz") or output.suffix[1:].isdigit()
    if output is not None and not named and not output.is_dir():
        raise UsageError(f"cannot write {output}: end the name in .npz, or name a folder without an ending")
    scenes = game.generate(task, n, objects=objects.value, seed=seed)
    target = output or Path(f"{scenes.task}_{objects.value}.npz")
    with writing_to(target):
        if target.suffix == ".npz":
            if target.is_dir():
                raise UsageError(f"cannot write {target}: it is a folder")
            game.save_npz(target, scenes)
        else:
            game.save_folder(target, scenes)
    emit(f"{target}: {n} images of {scenes.task}, {objects.value}\n")


def train(
    tasks: Annotated[
        list[str],
        typer.Argument(
            metavar="TASK...",
            help=f"Tasks to train together: {TASK_NAMES}; all, alone, stands for all of them.",
            show_default=False,
        ),
    ],
    objects: ObjectsOption = ObjectSet.pentos,
    recipe: Annotated[
        str,
        typer.Option(
            metavar="fast|symbols|paper",
            help="fast takes a minute; symbols longer, for relations that mean colour and shape; paper is Table S1.",
        ),
    ] = "fast",
    architecture: Annotated[
        Architecture,
        typer.Option(help="The PrediNet, or a baseline of the paper in its place: it answers, but has no programs."),
    ] = Architecture.predinet,
    heads: Annotated[int, typer.Option(min=1, max=1024, metavar="K", help="Pairs of objects the network picks.")] = 32,
    relations: Annotated[
        int, typer.Option(min=1, max=1024, metavar="J", help="Relations it computes of each pair.")
    ] = 16,
    seeds: Annotated[int, typer.Option(min=1, metavar="N", help="Train N networks, with the seeds 0 to N-1.")] = 1,
    steps: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Steps to train. (default: the recipe's)", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="Folder of the checkpoints. (default: out/TASK[-ARCHITECTURE]-RECIPE)",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Train a network, and measure it on all three sets of objects.

    Writes model.safetensors; with --seeds, one in a folder for each seed. Interrupted, the same command goes on
    where it stopped.

    \b
    Examples:
      predinet-prolog train between
      predinet-prolog train same between occurs --seeds 3 -o out/three
      predinet-prolog train between --recipe paper --architecture mlp2
    """
    from domains.relations_game import task_info
    from neural import network_config, training_config

    kind = architecture.value
    first = training_config(tasks, objects=objects.value, recipe=recipe, steps=steps, architecture=kind)
    for task in first.tasks:
        if objects.value not in task_info(task).kinds:
            raise UsageError(f"{task} is not defined for {objects.value}")
    network = network_config(first, heads=heads, relations=relations, architecture=kind)
    name = "all" if tasks == ["all"] else "+".join(first.tasks)
    if kind != "predinet":
        name = f"{name}-{kind}"
    folder = output or Path("out") / f"{name}-{first.recipe}"
    for seed in range(seeds):
        config = dataclasses.replace(first, seed=seed)
        _train_one(network, config, folder if seeds == 1 else folder / f"seed-{seed}")


def _train_one(network: Any, config: Any, folder: Path) -> None:
    import neural
    from service.files import writing_to

    with progress(f"seed {config.seed}", config.steps, "steps", logged=True) as advance:
        done = 0

        def report(at: neural.Progress) -> None:
            nonlocal done
            advance(at.step - done, f"loss {at.loss:.4f}, accuracy {at.accuracy:.4f}")
            done = at.step

        try:
            with writing_to(folder):
                model = neural.train(network, config, folder, report=report)
        except KeyboardInterrupt:
            kept = any(folder.glob("state.*"))
            note(
                f"stopped at step {done}; "
                + (f"the same command goes on from {folder}" if kept else "nothing was saved yet")
            )
            raise
    lines = [f"{model.path}  (sha256 {model.sha256})"]
    lines += [
        f"  {objects:8} {task:22} {accuracy:.4f}"
        for objects, accuracies in model.accuracies.items()
        for task, accuracy in accuracies.items()
    ]
    emit("\n".join(lines) + "\n")


def evaluate(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA.npz|DIR|TASK",
            help=f"Images in the public format, a folder that generate made, or a task to generate: {TASK_NAMES}.",
            show_default=False,
        ),
    ],
    model: ModelOption = None,
    rules: RulesOption = None,
    clauses: ClausesOption = None,
    goal: Annotated[
        str | None,
        typer.Option(
            metavar="GOAL",
            help="Ask each image's program with the rules and the fact task(T); the first answer's L is the label.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Judge the first N images only.", show_default=False),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            metavar="TASK", help="The model's task that the data ask, if they do not say.", show_default=False
        ),
    ] = None,
    n: Annotated[int, typer.Option("-n", min=1, metavar="N", help="Images to generate of a TASK.")] = 1000,
    objects: ObjectsOption = ObjectSet.pentos,
    seed: Annotated[int, typer.Option(metavar="S", help="Seed of the images of a TASK.")] = 0,
    looks: LooksOption = None,
    failures: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="New folder for pictures, programs and a table of the images that went wrong, the worst first.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Judge the network's own answers, or those of its programs with rules.

    Where the true objects are known, it also says in how many images exactly
    those were seen, and what was wrong in the others: objects missing, symbols
    that show none (spurious), and symbols that show several at once (merged).

    \b
    Examples:
      predinet-prolog evaluate mini_between_hexos.npz --model between --json
      predinet-prolog evaluate between -n 500 --objects stripes --failures wrong/
      predinet-prolog evaluate same --rules relations_game --goal 'same_label(L)'
    """
    from experiments import evaluation

    if (rules or clauses) and goal is None:
        raise UsageError("rules need a goal to be asked with: add --goal 'between_label(L)'")
    extra = open_rules(rules, clauses)
    test_set = _exam(data, n=n, limit=limit, objects=objects.value, seed=seed)
    network = open_model(model)
    kept = _failures(failures)
    watch = None if kept is None else kept.watch
    with progress("judging", len(test_set.images), "images") as report:
        if goal is None:
            verdict = evaluation.evaluate_network(network, test_set, task=task, looks=looks, report=report, watch=watch)
        else:
            verdict = evaluation.evaluate_rules(
                network,
                test_set,
                rules=extra,
                goal=goal,
                time_limit=settings().time_limit,
                looks=looks,
                report=report,
                watch=watch,
            )
    if verdict.timeouts:
        note(f"{verdict.timeouts} of {verdict.n} goals ran out of time and count as wrong")
    if kept is not None:
        with progress("drawing", len(kept), "failures") as report:
            kept.write(network, test_set, looks=looks, report=report)
    if as_json:
        emit(json.dumps({"data": data, "model": network.name, "goal": goal, **verdict.to_json()}) + "\n")
        return
    emit(_summary(verdict, f"{goal or 'the network'}, {network.name}"))


def _failures(folder: Path | None) -> "Failures | None":
    """What keeps the failures for `folder`. Loads matplotlib, so only if there is one."""
    if folder is None:
        return None
    from service.cli.failures import Failures

    return Failures(folder)


def _summary(verdict: "Evaluation", who: str) -> str:
    """What an test_set gave, in a few lines."""
    lines = [f"images        {verdict.n}", f"accuracy      {verdict.accuracy:.4f}  ({who})"]
    if verdict.faults is None:
        lines.append("exact scenes  unknown")
    else:
        lines += [f"exact scenes  {verdict.exact_scenes:.4f}", f"objects       {verdict.faults}"]
    wrong = [
        f"  label {label}, answer {said}: {count}"
        for label, counts in verdict.confusion.items()
        for said, count in counts.items()
        if said != label
    ]
    if wrong:
        on_exact = "" if verdict.wrong_on_exact is None else f"  ({verdict.wrong_on_exact} of them in exact scenes)"
        lines += [f"wrong         {verdict.wrong}{on_exact}", *wrong]
    return "\n".join(lines) + "\n"


def _exam(data: str, *, n: int, limit: int | None, objects: str, seed: int) -> "TestSet":
    """The file or folder of that name, else fresh images of the task of that name."""
    from domains.relations_game import TASKS, RelationsGameError
    from experiments import evaluation

    path = Path(data)
    if path.suffix == ".npz" or path.exists() or os.sep in data:
        if not path.exists():
            raise UsageError(f"no such file: {path}")
        return evaluation.load_test_set(path, limit=limit)
    try:
        return evaluation.generated_test_set(data, n=min(n, limit or n), objects=objects, seed=seed)
    except RelationsGameError as error:
        if data in TASKS:
            raise
        raise UsageError(f"no file {data}, and {error}") from error
