"""name: words by showing."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from predinet_prolog.domains.label_tables import read_examples
from predinet_prolog.domains.names import PictureFiles
from predinet_prolog.service.cli.images import open_view
from predinet_prolog.service.cli.options import FILE, output_option, settings
from predinet_prolog.service.cli.progress import progress
from predinet_prolog.service.cli.seeing import Seeing, suiting_model_option
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import read_text, write_atomically
from predinet_prolog.service.naming import make_word
from predinet_prolog.service.pipeline import View
from predinet_prolog.service.streams import counted, emit, note
from predinet_prolog.symbolic import Engine, Rules

BY = ("colour", "shade", "shape", "look")


class Example(NamedTuple):
    """A line of the file."""

    image: Path
    object: str
    holds: bool


@click.command()
@click.argument("word", metavar="WORD", help="The word, such as heart: small letters, digits and _, a letter first.")
@click.argument("file", type=FILE, metavar="FILE.csv", help="Lines of image,object[,true|false]; paths from there.")
@output_option(
    "FILE.pl", "Words to write to: this one's clauses are added to the others, or take the place of its own."
)
@click.option(
    "--by",
    type=click.Choice(BY),
    help="What the word is for. (default: what its examples have in common, and no counter-example with one of them)",
)
@suiting_model_option
def name(word: str, file: Path, output: Path | None, by: str | None, model: str | None) -> None:
    """Make a word of objects that it is right of, and of some that it is not.

    For a colour the word is a region around the colours shown, for a shade exactly those: red(X). For a shape it is a
    value, shape(X, heart). For a look, colour and shape together, it is cup(X). Objects are named as programs name
    them; show draws the names. Each line is an example, or a counter-example if it ends in false:

    \b
      a.png,ob_0
      a.png,ob_2,false

    Shades, shapes and looks are told by co-ordinates, which hold for programs of the model that saw the pictures.

    \b
    Examples:
      predinet-prolog name red examples.csv -o words.pl
      predinet-prolog name heart hearts.csv --by shape -o words.pl
      predinet-prolog query scene.png 'red(X)' --rules words.pl
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", word):
        raise UsageError(f"{word!r} is no word for programs: use small letters, digits and _, a letter first")
    examples = _read(file)
    former = read_text(output) if output is not None and output.exists() else ""
    views = _see(examples, model)
    holding = sum(example.holds for example in examples)
    count = counted(holding, "example")
    if failing := len(examples) - holding:
        count = f"{count} and {counted(failing, 'counter-example')}"
    objects = [(views[example.image].program, example.object, example.holds) for example in examples]
    made = make_word(word, by, objects, f"{count} of {file.name}", former, str(output or word))
    right = _check(made.goal, Rules(str(output or word), made.rules), examples, views)
    if output is not None:
        write_atomically(output, made.rules.encode())
        emit(f"{output}\n\n")
    emit(f"{made.part}\n\n% {right}\n")


def _read(file: Path) -> list[Example]:
    """The lines of the file. Raises DomainError that names what is wrong."""
    files = PictureFiles(file.parent)

    def find(name: str) -> Path:
        path = file.parent / name  # which may lead out of the folder
        return path if path.is_file() else file.parent / files.called(name)

    rows, notes = read_examples(file, find, widths=(1,), implied=True)
    note(*notes)
    return [Example(image, objects[0], truth) for (image, objects), truth in rows.items()]


def _see(examples: Sequence[Example], model: str | None) -> Mapping[Path, View]:
    """Each picture, seen by one model."""
    images = list(dict.fromkeys(example.image for example in examples))
    views = {}
    with progress("looking", len(images), "images") as advance:
        for image in images:
            views[image] = open_view(image, Seeing(model=model))
            advance(1)
    models = {view.model.sha256: view.model.name for view in views.values()}
    if len(models) > 1:
        raise UsageError(
            f"the pictures suit different models, {' and '.join(models.values())}: choose one with --model"
        )
    return views


def _check(goal: str, rules: Rules, examples: Sequence[Example], views: Mapping[Path, View]) -> str:
    """Asks Prolog for the word in each picture, which may refuse it, and tells of how many it is right."""
    holds: dict[bool, list[bool]] = {True: [], False: []}
    with Engine(time_limit=settings().time_limit) as engine:
        for image, view in views.items():
            answers = engine.ask(view.text, goal, rules=[rules])
            objects = {answer.bindings["X"] for answer in answers.answers}
            for example in examples:
                if example.image == image:
                    holds[example.holds].append(example.object in objects)
    parts = [f"holds of {sum(holds[True])} of {counted(len(holds[True]), 'example')}"]
    if holds[False]:
        parts.append(f"and of {sum(holds[False])} of {counted(len(holds[False]), 'counter-example')}")
    return f"{goal} {' '.join(parts)}"
