"""Sort-of-CLEVR from pixels: every question about every picture, answered by rules over what a model sees.

    python benchmarks/sort_of_clevr.py [--model NAME|PATH] [--n N] [--json FILE] [--wrong FILE.png]

The model itself is not trained here: on LESSONS pictures of the training split it is only grounded, so that its
programs say shape(X, square) and shape(X, circle). Train it first by `predinet-prolog train FOLDER`, or not at all.
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from benchmarks.shared import options, print_head, print_row
from bridge import ImageInfo, write_prolog
from bridge.glimpses.perceiver import GlimpsePerceiver
from bridge.glimpses.program import make_scene_program
from domains.domain import Domain, Pixels
from domains.sort_of_clevr.domain import DOMAIN, REACH
from domains.sort_of_clevr.questions import COLOURS, TASKS, answers, asked
from experiments.evaluation import faults_of_boxes
from neural.glimpses.model import GlimpseModel, load_any
from service.cli import main as predinet_prolog
from symbolic import JSON, Engine, theory

LESSON_SEED, SEED, LESSONS = 11, 9_800_001, 400
"""Of the pictures that teach, which may also train, and of those that judge."""
NAMES: Mapping[str, tuple[str, str, str]] = {
    "not_relational": ("shape", "left", "upper"),
    "binary": ("shape_of_closest", "shape_of_furthest", "same_shape"),
    "ternary": ("in_box", "on_line", "obtuse"),
    "binary_published": ("published shape_of_closest", "shape_of_furthest", "same_shape"),
    "ternary_published": ("in_box", "published on_line", "obtuse"),
}
"""By task what the theory calls its questions."""
WORDS = ("yes", "no", "square", "circle")
"""Of the first numbers of answers; the others count from 0."""


@dataclass
class Score:
    """How many answers were right."""

    asked: int = 0
    wrong: list[str] = field(default_factory=list)
    """Picture, question, what was said and what is true."""

    @property
    def share(self) -> float:
        """Of the right ones."""
        return 1 - len(self.wrong) / self.asked


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--model", default="scenes", help="name or checkpoint (default: scenes)")
    parser.add_argument("--n", type=int, default=2000, help="pictures (default: 2000)")
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    parser.add_argument("--wrong", type=Path, metavar="FILE.png", help="draw the pictures with a wrong answer")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        model = grounded(load_any(given.model).path, Path(folder), DOMAIN, LESSONS, LESSON_SEED)
        result = measured(model, given.n)
    print_head("task", "question", "asked", "wrong", "right")
    for task, questions in result["questions"].items():
        for name, score in questions.items():
            print_row(task, name, score["asked"], len(score["wrong"]), score["right"])
    print(f"\nexact scenes {result['exact_scenes']:.4f}, centres {result['exact_centres']:.4f}")
    for task, right in result["right"].items():
        print(f"{task} {right:.5f}")
    if given.json:
        given.json.write_text(json.dumps(result, indent=1) + "\n")
    if given.wrong and result["pictures"]:
        pictures = DOMAIN.generate("binary", given.n, seed=SEED).images[result["pictures"]]
        sheet(list(pictures)).save(given.wrong)


def grounded(path: Path, folder: Path, domain: Domain, lessons: int, seed: int) -> GlimpseModel:
    """A copy of the model that tells what the domain's things have in common, and the words for it."""
    domain.write(folder / "lessons", domain.free_task, lessons, kind=domain.kinds[0], seed=seed)
    for each in path.parent.glob(f"{path.stem}.*"):
        if not each.name.endswith(".grounded.json"):
            shutil.copy(each, folder)
    assert predinet_prolog(["ground", str(folder / path.name), str(folder / "lessons")]) == 0
    model = load_any(str(folder / path.name))
    assert isinstance(model, GlimpseModel)
    return model


def measured(model: GlimpseModel, n: int) -> dict[str, Any]:
    """What the model's programs and the theory make of `n` pictures and every question about them."""
    drawn, perceiver, rules = DOMAIN.generate("binary", n, seed=SEED), GlimpsePerceiver(model), theory(DOMAIN.name)
    assert drawn.truth is not None
    scores = {task: {name: Score() for name in names} for task, names in NAMES.items()}
    exact, centres, wrong = 0, 0, set()
    with Engine(time_limit=60, answer_limit=1000) as engine:
        for number, picture in enumerate(drawn.images):
            scene = perceiver.perceive(picture)
            boxes = drawn.truth.boxes[drawn.truth.rows(number)]
            found = np.array([thing.box for thing in scene.objects]).reshape(-1, 4)
            exact += faults_of_boxes(found, boxes).total == 0
            image = ImageInfo(f"{number}.png", "0" * 64, DOMAIN.picture.width, DOMAIN.picture.height)
            program = write_prolog(make_scene_program(scene, model=model, image=image, scale=(1.0, 1.0)))
            said: dict[str, str] = {}
            for each in engine.ask(program, "answer(Q, A)", rules=[rules]).answers:
                said.setdefault(written(each.bindings["Q"]), str(each.bindings["A"]))
            places = engine.ask(program, "thing(C, T), centre(T, X, Y)", rules=[rules]).answers
            middles = [(colour, x, y) for colour, (x, y) in zip(COLOURS, boxes[:, :2] + REACH, strict=True)]
            centres += sorted(
                (each.bindings["C"], each.bindings["X"], each.bindings["Y"]) for each in places
            ) == sorted(middles)
            for task, name, term, true in truths(boxes, drawn.truth.attributes["shape"][drawn.truth.rows(number)]):
                score = scores[task][name]
                score.asked += 1
                if said.get(term) != true:
                    score.wrong.append(f"{number}: {term} is {true}, said {said.get(term)}")
                    wrong.add(number)
    return {
        "model": model.name,
        "n": n,
        "seed": SEED,
        "exact_scenes": exact / n,
        "exact_centres": centres / n,
        "right": {task: float(np.mean([score.share for score in each.values()])) for task, each in scores.items()},
        "questions": {
            task: {
                name: {"asked": score.asked, "right": score.share, "wrong": score.wrong} for name, score in each.items()
            }
            for task, each in scores.items()
        },
        "pictures": sorted(wrong),
    }


def truths(boxes: np.ndarray, shapes: np.ndarray) -> Iterator[tuple[str, str, str, str]]:
    """Task, question, the question as a term and its true answer, of every question about one picture."""
    for task in TASKS:
        questions = asked(task)
        places, circles = (
            np.tile(own, (len(questions), 1, 1)) for own in (boxes[:, :2].astype(int) + REACH, shapes == 1)
        )
        for (number, c, d), label in zip(
            questions.tolist(), answers(task, places, circles[:, 0], questions).tolist(), strict=True
        ):
            name = NAMES[task][number]
            colours = COLOURS[c] + (f",{COLOURS[d]}" if "ternary" in task else "")
            term = f"{name.removeprefix('published ')}({colours})"
            yield (
                task,
                name,
                f"published({term})" if name.startswith("published") else term,
                (WORDS[label] if label < len(WORDS) else str(label - len(WORDS))),
            )


def written(term: JSON) -> str:
    """As Prolog writes it."""
    if not isinstance(term, dict):
        return str(term)
    assert isinstance(term["args"], list)
    return f"{term['functor']}({','.join(map(written, term['args']))})"


def sheet(pictures: list[Pixels], *, columns: int = 4, scale: int = 3, gap: int = 8) -> Image.Image:
    """Pictures of one size side by side, enlarged."""
    side = pictures[0].shape[0] * scale
    rows = -(-len(pictures) // columns)
    whole = Image.new(
        "RGB", (min(len(pictures), columns) * (side + gap) - gap, rows * (side + gap) - gap), (40, 40, 40)
    )
    for number, picture in enumerate(pictures):
        enlarged = Image.fromarray(picture).resize((side, side), Image.Resampling.NEAREST)
        whole.paste(enlarged, (number % columns * (side + gap), number // columns * (side + gap)))
    return whole


if __name__ == "__main__":
    main()
