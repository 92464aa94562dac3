"""Folders of one's own pictures: they judge a model, train one, and say what its relations mean."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from predinet_prolog.bridge.definitions import Grounding
from predinet_prolog.bridge.fitting import Sighting, fit_grounding, sighted
from predinet_prolog.bridge.perceiving.perceiver import perceiver_of
from predinet_prolog.domains import DomainError, domain_of
from predinet_prolog.domains.annotations import ANNOTATIONS, learnable, read_folder
from predinet_prolog.domains.domain import Annotated
from predinet_prolog.domains.image_files import ImageFiles
from predinet_prolog.neural.checkpoint import shipped_models
from predinet_prolog.neural.detector.model import DetectorModel
from predinet_prolog.neural.detector.taught import SCENES
from predinet_prolog.neural.glimpses.model import GlimpseModel, load_any
from predinet_prolog.service.cli.exporting import tell_notes
from predinet_prolog.service.cli.progress import following, progress
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import write_atomically, writing_to
from predinet_prolog.service.settings import SCENES_MODEL
from predinet_prolog.service.streams import PROGRAM, counted, emit, note


def read_annotated(folder: Path, *, to_learn: bool = False) -> Annotated:
    """The folder's pictures, with what is told of them, or what of it can be learned. Notes what it read otherwise."""
    annotated = read_folder(folder)
    if to_learn:
        annotated = learnable(folder, annotated)
    note(*(f"{folder}: {line}" for line in annotated.notes))
    return annotated


def tell_remarks(annotated: Annotated) -> None:
    """Tells what was done to the folder's pictures that were read."""
    assert isinstance(annotated.pictures, ImageFiles), "they are of a folder"
    remarks = annotated.pictures.remarks
    counts = Counter({remark: len(paths) for remark, paths in remarks.items()})
    tell_notes(counts, {remark: str(next(iter(paths))) for remark, paths in remarks.items()})


def folder_among(sources: Sequence[str]) -> Path | None:
    """The folder among what is to be trained on; None if all are tasks. UsageError for a folder with others."""

    def is_task(name: str) -> bool:
        try:
            return bool(name == "all" or domain_of(name))
        except DomainError:
            return False

    folders = [source for source in sources if Path(source).is_dir() and not is_task(source)]
    if not folders:
        return None
    if len(sources) > 1:
        raise UsageError(f"{folders[0]} is a folder: train on it alone")
    return Path(folders[0])


def train_folder(source: Path, base: str | None, output: Path | None, *, steps: int | None, inside: bool) -> None:
    """Fine-tunes a model for pictures of any size on a folder by `steps` of the finder, and writes it with its card."""
    if (source / SCENES).is_file() and not (source / ANNOTATIONS).exists():
        if inside:
            raise UsageError(f"--inside is for a folder with {ANNOTATIONS}: things of {SCENES} are told in words")
        _train_detector(source, base or SCENES_MODEL, output, steps)
        return
    annotated = read_annotated(source, to_learn=True)
    if any(annotated.labels):
        note(f"{source}: things are learned, and no labels: rules of these finds {PROGRAM} learn {source}")
    network = _any_size(base or SCENES_MODEL)
    target = output or Path("out") / source.resolve().name
    from predinet_prolog.neural.glimpses.training import FINE_TUNING, fine_tune

    config = FINE_TUNING if steps is None else FINE_TUNING.of(steps)
    with following("training", "steps") as report, writing_to(target):
        model = fine_tune(network, annotated, target, report=report, config=config, inside=inside)
    tell_remarks(annotated)
    write_atomically(model.path.with_suffix(".md"), _card(model, network, source, annotated).encode())
    emit(f"{model.path}  (sha256 {model.sha256})\n")
    note(f"now let it name what it sees: {PROGRAM} ground {model.path} {source}")


def _train_detector(source: Path, base: str, output: Path | None, steps: int | None) -> None:
    """Trains a detector on a folder with scenes.json, whose finder begins with that of `base`."""
    network = load_any(base)
    if not isinstance(network, GlimpseModel | DetectorModel):
        raise UsageError(f"{base} looks at pictures of one size: take a model for any size, such as {SCENES_MODEL}")
    from predinet_prolog.neural.detector.training import DetectorTraining, train_detector

    config = DetectorTraining() if steps is None else DetectorTraining().of(steps)
    target = output or Path("out") / source.resolve().name
    with following("training", "steps") as report, writing_to(target):
        model = train_detector(network, source, target, config=config, report=report)
    emit(f"{model.path}  (sha256 {model.sha256})\n")
    note(f"it tells {', '.join(model.config.words)}: {PROGRAM} ask IMAGE QUESTION --model {model.path}")


def ground_folder(name: str, source: Path) -> tuple[GlimpseModel, Grounding]:
    """The model of that name, and what was learned of its relations from the folder; every fourth picture judges.

    UsageError for a model that comes along: its definitions are everybody's.
    """
    annotated = read_annotated(source, to_learn=True)
    assert annotated.truth is not None, "it can be learned from"
    network = _any_size(name)
    if network.path in shipped_models().values():
        raise UsageError(
            f"{name} comes along, and its definitions stay: train {source} first, or ground a copy of {network.path}"
        )
    perceiver = perceiver_of(network)
    taught, fresh = list[Sighting](), list[Sighting]()
    with progress("grounding", len(annotated), "images") as report:
        for number in range(len(annotated)):
            (scene,) = perceiver.perceive([annotated.pictures[number]])
            (fresh if number % 4 == 3 else taught).extend(sighted(scene, annotated.truth, number))
            report(1)
    tell_remarks(annotated)
    kind, words = source.resolve().name, annotated.words
    judged = {kind: fresh}
    return network, fit_grounding(network, taught, fitted_on=kind, judged=judged, corrupted={}, words=words, note=note)


def _card(model: GlimpseModel, base: GlimpseModel, source: Path, annotated: Annotated) -> str:
    """What is to be known of a fine-tuned model."""
    truth = annotated.truth
    assert truth is not None, "a folder that can be learned from has boxes"
    rows = []
    for name, values in truth.attributes.items():
        words = annotated.words.get(name) or list(map(str, range(int(values.max()) + 1)))
        counts = [f"{word} {int((values == number).sum())}" for number, word in enumerate(words)]
        rows.append(f"| {name} | {', '.join(counts)} | {int((values < 0).sum())} |")
    table = "\n".join(rows)
    return f"""\
# {model.name}

Fine-tuned from `{base.name}` (sha256 {base.sha256}) on `{source.resolve().name}`: \
{counted(len(annotated), "picture")}, {counted(len(truth.image), "thing")}.
Its checkpoint `{model.path.name}` has sha256 {model.sha256}.

| attribute | values, with how many things have them | not told |
|---|---|---|
{table}

How well it knows such pictures tells `{PROGRAM} evaluate FOLDER --model {model.path.name}`, of others.
"""


def _any_size(name: str) -> GlimpseModel:
    """The model of that name; UsageError if it is one of boards."""
    model = load_any(name)
    if isinstance(model, DetectorModel):
        raise UsageError(f"{name} tells in words what it sees, and learns from folders with scenes.json alone")
    if not isinstance(model, GlimpseModel):
        raise UsageError(
            f"{name} looks at pictures of one size, and learns from its own domain's: "
            f"take a model for pictures of any size, such as {SCENES_MODEL}"
        )
    return model
