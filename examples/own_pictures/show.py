"""Asks a model about forty pictures of many hands and writes down what it says, what is wrong first.

    python -m examples.own_pictures.show [--model NAME]

Writes docs/own-pictures-shown.md and the pictures with their boxes into docs/own-pictures.
"""

import argparse
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from examples.own_pictures.others import all_laid, photographs
from predinet_prolog.bridge import ImageInfo, Scene, make_program, perceiver_of, write_prolog
from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.domains.annotations import of_pictures, read_folder
from predinet_prolog.domains.domain import Annotated, Pixels
from predinet_prolog.experiments.judging import alike
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.model import Model
from predinet_prolog.symbolic import Engine

DOCS = Path(__file__).parents[2] / "docs"
DRAWN = Path(__file__).with_name("pictures")
"""Pictures that were drawn here once, and what is in them: buttons, and the nine of twenty that most was wrong with."""
PREDICATES = "same", "same_shape", "same_colour", "same_size"
LONG = 320
"""Pixels along the longer side of the page's pictures."""
MAKERS = {
    "photographs": "photographs and three drawings, boxes by hand, as scikit-image (CC0, BSD; coins: no known "
    "restrictions) and stdlib (CC0) bring them",
    "fluent": "rendered objects of Fluent Emoji (MIT)",
    "noto": "Noto's emoji (Apache-2.0)",
    "mdi": "Material Design's icons (Apache-2.0), of which some stood in pictures by which weights were chosen",
    "flags": "flags of countries, by flag-icons (MIT)",
    "drawn": "drawn for this project",
}
NAMED = 6
"""Most pairs and objects that an error lists."""
PATIENCE = 10.0
"""Seconds that a question may take."""
RIGHT, WRONG, MISSED = (30, 160, 60), (220, 30, 30), (240, 140, 0)
Pair = tuple[int, int]


@dataclass(frozen=True)
class Shown:
    """What was seen in one picture and said of it, and what of that is wrong."""

    name: str
    boxes: FloatArray
    """(n, 4): of the things that there truly are."""
    scene: Scene
    thing_of: dict[int, int]
    """The true thing that each object shows, by their numbers."""
    said: dict[str, list[Pair]]
    """By predicate, the pairs of objects that it is said of, the lower first."""
    wrongly: dict[str, list[Pair]]
    """Those of `said` that show things of which it is not true."""
    left_out: dict[str, list[Pair]]
    """Pairs of objects that show things of which it is true, and of which it is not said."""

    @property
    def missed(self) -> list[int]:
        """True things that nothing shows."""
        return sorted(set(range(len(self.boxes))) - set(self.thing_of.values()))

    @property
    def spurious(self) -> list[int]:
        """Objects that show no true thing, or one that another shows better."""
        return [number for number in range(len(self.scene.things)) if number not in self.thing_of]

    @property
    def faulty(self) -> bool:
        """Whether not every thing was found once and nothing else."""
        return bool(self.missed or self.spurious)

    @property
    def warned(self) -> bool:
        return self.scene.inspection.score >= 1

    @property
    def maker(self) -> str:
        return self.name.partition("/")[0]

    @property
    def title(self) -> str:
        return re.sub("[/_]", " ", self.name)

    @property
    def pairs(self) -> int:
        """That are told wrongly."""
        return sum(self.wrong(predicate) or 0 for predicate in PREDICATES)

    def wrong(self, predicate: str) -> int | None:
        """Pairs that are found and told wrongly; None where the truth does not tell the predicate."""
        if predicate not in self.wrongly:
            return None
        return len(self.wrongly[predicate]) + len(self.left_out[predicate])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--model", default="scenes", help="name or file (default: scenes)")
    model = load_any(parser.parse_args().model)
    annotated = forty()
    page = write_page(look(model, annotated), annotated, DOCS / "own-pictures")
    (DOCS / "own-pictures-shown.md").write_text(page, encoding="utf-8")


def forty() -> Annotated:
    """All pictures, named MAKER/NAME, with what is told of them."""
    laid = {f"photographs/{name}": picture for name, picture in photographs().items()}
    laid |= {name.replace("_", "/", 1): picture for name, picture in all_laid().items()}
    drawn = read_folder(DRAWN)
    assert drawn.truth is not None
    rows = [drawn.truth.rows(number) for number in range(len(drawn))]
    names = [*laid, *(f"drawn/{Path(name).stem}" for name in drawn.names)]
    pictures = [*(picture.picture for picture in laid.values()), *drawn.pictures]
    boxes = [*(np.array(picture.boxes, float) for picture in laid.values()), *(drawn.truth.boxes[row] for row in rows)]
    told = [value for picture in laid.values() for value in picture.values or [{}] * len(picture.boxes)]
    columns = {}
    for attribute, column in drawn.truth.attributes.items():
        words = sorted({value[attribute] for value in told if attribute in value})
        numbers = [words.index(value[attribute]) if attribute in value else -1 for value in told]
        columns[attribute] = np.concatenate([numbers, column])
    return replace(of_pictures(pictures, boxes, columns), names=tuple(names))


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
    return Shown(annotated.names[number], annotated.truth.boxes[rows], scene, thing_of, said, wrongly, left_out)


def write_page(shown: Sequence[Shown], annotated: Annotated, folder: Path) -> str:
    """The page (Markdown); its pictures go into `folder`, which lies beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    order = sorted(
        range(len(shown)),
        key=lambda at: (not shown[at].faulty, -len(shown[at].missed + shown[at].spurious), -shown[at].pairs),
    )
    faulty, warned = [page for page in shown if page.faulty], [page for page in shown if page.warned]
    lines = [
        "# Forty pictures of many hands, and what is said of them",
        "",
        "Photographs as free packages bring them, objects of four makers laid on grounds, and pictures drawn here. Of "
        "the objects, of their sizes and places, a lot decided. Of twenty pictures drawn here before, the nine stand "
        "here that most was wrong with, and one that the other pages use. None of these pictures taught anything. "
        "`python -m examples.own_pictures.show` fetches what it needs, looks, and writes this page; "
        "THIRD_PARTY.md in the repository says who may pass on what.",
        "",
        f"Found without fault: {len(shown) - len(faulty)} of {len(shown)}. Of the other {len(faulty)} it warns of "
        f"{sum(page.warned for page in faulty)}, and of those found without fault of "
        f"{sum(not page.faulty for page in warned)}. Boxes are green, red where they show no thing or not one alone, "
        "orange around what is missed.",
        "",
        "| pictures | number | found without fault | warned |",
        "| --- | ---: | ---: | ---: |",
    ]
    for maker in MAKERS:
        counts = [Counter(page.maker for page in pages)[maker] for pages in (shown, faulty, warned)]
        if counts[0]:
            lines.append(f"| {maker}: {MAKERS[maker]} | {counts[0]} | {counts[0] - counts[1]} | {counts[2]} |")
    lines += [
        "",
        "What is wrong comes first. Columns of predicates count pairs of found things that they are wrong about; a "
        "dash means that the truth does not tell it.",
        "",
        f"| picture | things | missed | false | {' | '.join(PREDICATES)} | warned |",
        "| --- | ---: | ---: | ---: " + "| ---: " * (len(PREDICATES) + 1) + "|",
    ]
    for page in (shown[at] for at in order):
        wrong = ("–" if (count := page.wrong(name)) is None else str(count) for name in PREDICATES)
        cells = len(page.boxes), len(page.missed), len(page.spurious), *wrong, "yes" if page.warned else ""
        lines.append(f"| [{page.title}](#{page.title.replace(' ', '-')}) | {' | '.join(map(str, cells))} |")
    for at in order:
        file = folder / f"{shown[at].title.replace(' ', '-')}.jpg"
        with_boxes(annotated.pictures[at], shown[at]).save(file, quality=60, optimize=True)
        lines += ["", f"## {shown[at].title}", "", f"![{shown[at].title}]({folder.name}/{file.name})", ""]
        lines += errors(shown[at])
    return "\n".join(lines) + "\n"


def errors(shown: Shown) -> list[str]:
    """Everything that is wrong, by name."""
    names = [thing.name for thing in shown.scene.things]

    def listed(pairs: list[Pair]) -> str:
        return _some([f"{names[one]} and {names[other]}" for one, other in pairs])

    told = []
    if shown.warned:
        told.append(f"- warned: {shown.scene.inspection.reason}")
    if shown.missed:
        told.append(f"- {len(shown.missed)} of {len(shown.boxes)} things are missed")
    if shown.spurious:
        told.append(f"- no thing, or not one alone: {_some([names[number] for number in shown.spurious])}")
    for predicate, pairs in shown.wrongly.items():
        if pairs:
            told.append(f"- `{predicate}` is said, and is not true, of {listed(pairs)}")
        if left_out := shown.left_out[predicate]:
            told.append(f"- `{predicate}` is true, and is not said, of {listed(left_out)}")
    return told or ["Nothing is wrong."]


def with_boxes(picture: Pixels, shown: Shown) -> Image.Image:
    """The picture with what was found, boxes of what is no thing in red, and what is missed."""
    image = Image.fromarray(picture)
    scale = LONG / max(image.size)
    image = image.resize([round(scale * length) for length in image.size], Image.Resampling.LANCZOS)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(11)
    for left, top, right, bottom in (shown.boxes[shown.missed] * scale).tolist():
        pen.rectangle((left - 2, top - 2, right + 1, bottom + 1), outline=MISSED, width=3)
    for number, thing in enumerate(shown.scene.things):
        colour = RIGHT if number in shown.thing_of else WRONG
        left, top, right, bottom = (thing.box * scale).tolist()
        pen.rectangle((left - 1, top - 1, right, bottom), outline=colour, width=2)
        pen.text((left, top - 2), thing.name, colour, font, anchor="lb", stroke_width=2, stroke_fill=(255, 255, 255))
    return image


def _some(texts: list[str], between: str = ", ") -> str:
    """The first of them, and how many more there are."""
    return between.join(texts[:NAMED]) + (f" and {len(texts) - NAMED} more" if len(texts) > NAMED else "")


if __name__ == "__main__":
    main()
