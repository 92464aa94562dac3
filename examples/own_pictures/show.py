"""Asks a model about the twenty pictures and writes down what it says, wrong answers too.

    python -m examples.own_pictures.show [--model NAME]

Writes docs/own-pictures-shown.md and the pictures with their boxes into docs/own-pictures.
"""

import argparse
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from examples.own_pictures.make import PICTURES
from examples.own_pictures.parts import sign_font
from predinet_prolog.bridge import ImageInfo, Scene, make_program, perceiver_of, write_prolog
from predinet_prolog.bridge.matching import match
from predinet_prolog.domains.annotations import read_folder
from predinet_prolog.domains.domain import Annotated, Pixels
from predinet_prolog.experiments.judging import alike
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.model import Model
from predinet_prolog.symbolic import Engine

DOCS = Path(__file__).parents[2] / "docs"
PREDICATES = "same", "same_shape", "same_colour", "same_size"
WIDE = 400
"""Pixels that the pictures of the page are wide."""
NAMED = 6
"""Most pairs and objects that an error or an answer lists."""
PATIENCE = 10.0
"""Seconds that a question may take."""
RIGHT, WRONG = (30, 160, 60), (220, 30, 30)
Pair = tuple[int, int]


@dataclass(frozen=True)
class Shown:
    """What was seen in one picture and said of it, and what of that is wrong."""

    name: str
    things: int
    """That there truly are."""
    scene: Scene
    program: str
    thing_of: dict[int, int]
    """The true thing that each object shows, by their numbers."""
    said: dict[str, list[Pair]]
    """By predicate, the pairs of objects that it is said of, the lower first."""
    wrongly: dict[str, list[Pair]]
    """Those of `said` that show things of which it is not true."""
    left_out: dict[str, list[Pair]]
    """Pairs of objects that show things of which it is true, and of which it is not said."""

    @property
    def missed(self) -> int:
        """True things that nothing shows."""
        return self.things - len(self.thing_of)

    @property
    def spurious(self) -> list[int]:
        """Objects that show no true thing, or one that another shows better."""
        return [number for number in range(len(self.scene.things)) if number not in self.thing_of]

    def wrong(self, predicate: str) -> int | None:
        """Pairs that are found and told wrongly; None where the truth does not tell the predicate."""
        if predicate not in self.wrongly:
            return None
        return len(self.wrongly[predicate]) + len(self.left_out[predicate])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", default="scenes", help="name or file (default: scenes)")
    model = load_any(parser.parse_args().model)
    annotated = read_folder(PICTURES)
    page = write_page(look(model, annotated), annotated, DOCS / "own-pictures")
    (DOCS / "own-pictures-shown.md").write_text(page, encoding="utf-8")


def look(model: Model, annotated: Annotated) -> list[Shown]:
    """What the model sees and its programs say, picture by picture."""
    perceiver, pages = perceiver_of(model), []
    with Engine(time_limit=PATIENCE) as engine:
        for number, name in enumerate(annotated.names):
            picture = annotated.pictures[number]
            (scene,) = perceiver.perceive([picture])
            image = ImageInfo(name, hashlib.sha256(picture.tobytes()).hexdigest(), *scene.size)
            program = write_prolog(make_program(scene, model=model, image=image))
            pages.append(judged(engine, scene, program, annotated, number))
    return pages


def judged(engine: Engine, scene: Scene, program: str, annotated: Annotated, number: int) -> Shown:
    """What the `program` of `scene` says, and what of it is wrong."""
    assert annotated.truth is not None
    rows = annotated.truth.rows(number)
    thing_of = dict(match(scene.boxes, annotated.truth.boxes[rows]))
    number_of = {thing.name: at for at, thing in enumerate(scene.things)}
    said, wrongly, left_out = {}, {}, {}
    true = alike(annotated.truth, rows)
    for predicate in PREDICATES:
        if predicate not in true or not re.search(rf"^{predicate}\(", program, re.MULTILINE):
            continue
        answers = engine.ask(program, f"{predicate}(X, Y)", limit=1000).answers
        pairs = {(number_of[str(each.bindings["X"])], number_of[str(each.bindings["Y"])]) for each in answers}
        said[predicate] = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
        holds, known = true[predicate]
        if not known[np.triu_indices(len(known), k=1)].any():
            continue
        found = sorted(thing_of)
        asked = {
            (one, other): bool(holds[thing_of[one], thing_of[other]])
            for at, one in enumerate(found)
            for other in found[at + 1 :]
            if known[thing_of[one], thing_of[other]]
        }
        wrongly[predicate] = [pair for pair in said[predicate] if asked.get(pair) is False]
        left_out[predicate] = [pair for pair, true_of in asked.items() if true_of and pair not in said[predicate]]
    return Shown(annotated.names[number], rows.stop - rows.start, scene, program, thing_of, said, wrongly, left_out)


def write_page(shown: Sequence[Shown], annotated: Annotated, folder: Path) -> str:
    """The page (Markdown); its pictures go into `folder`, which lies beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = sum(not each.missed and not each.spurious for each in shown)
    lines = [
        "# Twenty pictures, and what is said of them",
        "",
        "Pictures like those that people have, drawn for this page by `examples/own_pictures/make.py`. Nothing was "
        "trained, chosen or tuned on them. This page is written by `python -m examples.own_pictures.show`.",
        "",
        f"Found without fault: {whole} of {len(shown)}. The other columns count pairs of found things that a predicate "
        "is wrong about; a dash means that the truth does not tell it.",
        "",
        f"| picture | things | missed | false | {' | '.join(PREDICATES)} | warned |",
        "| --- | ---: | ---: | ---: " + "| ---: " * (len(PREDICATES) + 1) + "|",
    ]
    for each in shown:
        wrong = ("–" if (count := each.wrong(name)) is None else str(count) for name in PREDICATES)
        warned = "yes" if each.scene.inspection.score >= 1 else ""
        cells = (f"[{each.name}](#{_anchor(each.name)})", each.things, each.missed, len(each.spurious), *wrong, warned)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    for number, each in enumerate(shown):
        file = folder / f"{Path(each.name).stem}.jpg"
        drawn = with_boxes(annotated.pictures[number], each)
        drawn.save(file, quality=60, optimize=True)
        title = Path(each.name).stem.replace("_", " ").capitalize()
        lines += ["", f"## {title}", "", f"![{title}]({folder.name}/{file.name})", ""]
        lines += ["```prolog", *excerpt(each), "```", "", *errors(each)]
    return "\n".join(lines) + "\n"


def excerpt(shown: Shown) -> list[str]:
    """What the program says of its first object, and the answers of same/2."""
    lines = []
    if shown.scene.things:
        name = shown.scene.things[0].name
        said = re.compile(rf"(object|position|box|colour|touches|part_of)\(.*\b{name}\b.*\)\.")
        lines = [line for line in shown.program.splitlines() if said.fullmatch(line)][:8]
    names = [thing.name for thing in shown.scene.things]
    pairs = [f"X = {names[one]}, Y = {names[other]}" for one, other in shown.said.get("same", [])]
    answer = [f"?- same(X, Y).   % {_some(pairs, '; ') or 'false'}"] if "same" in shown.said else []
    return [*lines, *answer]


def errors(shown: Shown) -> list[str]:
    """Everything that is wrong, by name."""
    names = [thing.name for thing in shown.scene.things]

    def listed(pairs: list[Pair]) -> str:
        return _some([f"{names[one]} and {names[other]}" for one, other in pairs])

    told = []
    if shown.scene.inspection.score >= 1:
        told.append(f"- warned: {shown.scene.inspection.reason}")
    if shown.missed:
        told.append(f"- {shown.missed} of {shown.things} things are missed")
    if shown.spurious:
        told.append(f"- no thing, or not one alone: {_some([names[number] for number in shown.spurious])}")
    for predicate, pairs in shown.wrongly.items():
        if pairs:
            told.append(f"- `{predicate}` is said, and is not true, of {listed(pairs)}")
        if left_out := shown.left_out[predicate]:
            told.append(f"- `{predicate}` is true, and is not said, of {listed(left_out)}")
    return ["Wrong:", "", *told] if told else ["Nothing is wrong."]


def with_boxes(picture: Pixels, shown: Shown) -> Image.Image:
    """The picture with what was found, boxes of what is no thing in red, as wide as the page's pictures are."""
    image = Image.fromarray(picture)
    scale = WIDE / image.width
    image = image.resize((WIDE, round(image.height * scale)), Image.Resampling.LANCZOS)
    pen = ImageDraw.Draw(image)
    for number, thing in enumerate(shown.scene.things):
        colour = RIGHT if number in shown.thing_of else WRONG
        left, top, right, bottom = (thing.box * scale).tolist()
        pen.rectangle((left - 1, top - 1, right, bottom), outline=colour, width=2)
        pen.text(
            (left, top - 2), thing.name, colour, sign_font(11), anchor="lb", stroke_width=2, stroke_fill=(255, 255, 255)
        )
    return image


def _some(texts: list[str], between: str = ", ") -> str:
    """The first of them, and how many more there are."""
    return between.join(texts[:NAMED]) + (f" and {len(texts) - NAMED} more" if len(texts) > NAMED else "")


def _anchor(name: str) -> str:
    return Path(name).stem.replace("_", "-")


if __name__ == "__main__":
    main()
