"""Many images as one knowledge base: the facts of each with its image as first argument.

Every predicate of a program is there but those of the heads: `head/3`, `rI/3` and `holds/4` are left out. They are
more than half of all facts, and nothing else in a program is defined by them: what a relation tells of two objects,
their `coordinate/3` does as well.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from bridge.program import GLOSSARY, Facts, ImageInfo, facts_of, write_facts, write_rules
from bridge.scene import Scene
from bridge.terms import atom, comment, numbers
from neural.checkpoint import Model

COLUMNS = {
    "image": ("width", "height", "sha256"),
    "warning": ("text",),
    "object": ("x",),
    "background": ("x",),
    "position": ("x", "px", "py"),
    "look": ("x", "n"),
    "coordinate": ("r", "x", "c"),
    "noise_level": ("level",),
    "tolerance": ("t",),
}
"""Every predicate that has facts of each image, and the names of its arguments after the image: columns of a table."""
_ALTERED = """\
Of many images: each predicate has the image as its first argument, before those named here, and
object(Image, X) says that X is an object of Image. Only confidence/2 is as it is of one image: its goals
have the image, confidence(same(Image, X, Y), P). The name of an image is its path in the folder.

image(Image, W, H, Hash)   an image: its size in pixels and the SHA-256 of its file
warning(Image, Text)       why what was seen in it may mean nothing
"""


def image_facts(scene: Scene, image: ImageInfo) -> list[Facts]:
    """What a knowledge base holds of an image; the image itself, which is every fact's first argument, is not said."""
    about: list[Facts] = [
        ("image", [[image.width], [image.height], [image.sha256]]),
        ("warning", [list(image.warnings)]),
    ]
    return about + [facts for facts in facts_of(scene, image) if facts[0] in COLUMNS]


def image_texts(scene: Scene, image: ImageInfo) -> Iterator[tuple[str, str]]:
    """The facts of an image as Prolog text, by predicate."""
    return write_facts(image_facts(scene, image), first=f"{atom(image.name)}, ")


def image_columns(scene: Scene, image: ImageInfo) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    """The facts of an image by predicate, as columns of a table; numbers are rounded as in the text."""
    for predicate, columns in image_facts(scene, image):
        yield (
            predicate,
            {
                name: [float(text) for text in numbers(column)] if isinstance(column, np.ndarray) else column
                for name, column in zip(COLUMNS[predicate], columns, strict=True)
            },
        )


def write_clauses(model: Model) -> str:
    """What is the same for every image of the model, as in a program of one: constants and rules."""
    slopes = model.graph.slopes  # (j, 2)
    names = [f"r{index}" for index in range(len(slopes))]
    ((_, text),) = write_facts([("slope", [names, slopes[:, 0], slopes[:, 1]])])
    return f"{text}\n\n{write_rules(model, heads=False)}"


def write_head(model: Model, looks: int | None, images: int) -> str:
    """The comment at the beginning of a knowledge base."""
    lines = [
        "What a PrediNet saw in many images, as a Prolog program.",
        "",
        f"model    {model.name} (sha256 {model.sha256})",
        f"images   {images}",
        f"looks    {'until nothing new appears' if looks is None else looks}",
        "",
        *_ALTERED.splitlines(),
        "",
        *(line for line in GLOSSARY.splitlines() if not line.startswith(("rI(", "holds(", "head("))),
    ]
    return "\n".join(f"% {comment(line)}".rstrip() for line in lines)
