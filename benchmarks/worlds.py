"""Known worlds from pixels: what a model sees in pictures of a domain, and what rules answer over its programs.

    python benchmarks/worlds.py cards|sort_of_clevr|kandinsky [--n N] [--json FILE]

`cards` asks `set(A, B, C)` of tables of twelve cards with the domain's theory; a table is right if just the true sets
are named. `sort_of_clevr` asks every question of every picture, by its theory. `kandinsky` learns a rule a pattern
from LESSONS labelled figures. For the last two `scenes` is grounded on LESSONS pictures of the world, so that programs
have words for shapes, and is not trained on any. Pictures come from seeds that nothing was trained, grounded, chosen
or tested with.
"""

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.shared import options, print_head, print_row
from predinet_prolog.bridge import ImageInfo, make_program, perceiver_of, write_prolog
from predinet_prolog.bridge.matching import match
from predinet_prolog.domains.annotations import write_folder
from predinet_prolog.domains.cards.deck import ATTRIBUTES, sets_among
from predinet_prolog.domains.cards.domain import DOMAIN as CARDS
from predinet_prolog.domains.domain import Annotated, Pictures
from predinet_prolog.domains.kandinsky.domain import DOMAIN as KANDINSKY
from predinet_prolog.domains.sort_of_clevr.domain import DOMAIN as SORT_OF_CLEVR
from predinet_prolog.domains.sort_of_clevr.domain import REACH
from predinet_prolog.domains.sort_of_clevr.questions import COLOURS, TASKS, answers, asked
from predinet_prolog.experiments.evaluation import Goal, evaluate
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.model import Model
from predinet_prolog.service.cli import main as predinet_prolog
from predinet_prolog.symbolic import JSON, Engine, Rules, theory

WORD_SEED, LESSON_SEED, SEED, LESSONS = 11, 22, 9_800_001, 400
FIGURES = 40
"""That teach a pattern."""
NAMES = {
    "not_relational": ("shape", "left", "upper"),
    "binary": ("shape_of_closest", "shape_of_furthest", "same_shape"),
    "ternary": ("in_box", "on_line", "obtuse"),
}
"""By task of sort-of-CLEVR, what the theory calls its questions."""
WORDS = ("yes", "no", "square", "circle")
"""Of the first numbers of its answers; the others count from 0."""
Row = tuple[str, int, float]
"""What was asked, how often, and the share that was right."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("world", choices=WORLDS)
    parser.add_argument("--n", type=int, default=1000, help="pictures (default: 1000)")
    parser.add_argument("--json", type=Path, help="write what was measured to this file")
    arguments = parser.parse_args()
    print_head("question", "asked", "right")
    rows = []
    for row in WORLDS[arguments.world](arguments.n):
        print_row(*row)
        rows.append(row)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")


def cards(n: int) -> Iterator[Row]:
    """Tables of twelve cards."""
    drawn, model, exact, right = CARDS.generate_annotated(n, seed=SEED, task="full_table"), load_any("cards"), 0, 0
    assert drawn.truth is not None
    with Engine(answer_limit=300) as engine:
        for number, (program, card_of, is_exact) in enumerate(programs(model, drawn)):
            rows = drawn.truth.rows(number)
            exact += is_exact
            true = sets_among(np.stack([drawn.truth.attributes[name][rows] for name in ATTRIBUTES], axis=1))
            replies = engine.ask(program, "set(A, B, C)", rules=[theory(CARDS.name)]).answers
            trios = [tuple(sorted(card_of.get(str(reply.bindings[v]), -1) for v in "ABC")) for reply in replies]
            right += set(trios) == set(map(tuple, true))
    yield "cards, exactly", n, exact / n
    yield "all sets, and none invented", n, right / n


def sort_of_clevr(n: int) -> Iterator[Row]:
    """Every question about every picture."""
    drawn, exact = SORT_OF_CLEVR.generate_annotated(n, seed=SEED), 0
    assert drawn.truth is not None
    asked_of, right = Counter[str](), Counter[str]()
    with grounded(SORT_OF_CLEVR) as model, Engine(time_limit=60, answer_limit=1000) as engine:
        for number, (program, _, is_exact) in enumerate(programs(model, drawn)):
            rows = drawn.truth.rows(number)
            exact += is_exact
            replies = engine.ask(program, "answer(Q, A)", rules=[theory(SORT_OF_CLEVR.name)]).answers
            said = {term(reply.bindings["Q"]): str(reply.bindings["A"]) for reply in reversed(replies)}
            for question, goal, answer in truths(drawn.truth.boxes[rows], drawn.truth.attributes["shape"][rows]):
                asked_of[question] += 1
                right[question] += said.get(goal) == answer
    yield "scenes, exactly", n, exact / n
    for question, count in asked_of.items():
        yield question, count, right[question] / count


def kandinsky(n: int) -> Iterator[Row]:
    """Figures of every pattern and near it, told by a rule that was learned."""
    with grounded(KANDINSKY) as model, tempfile.TemporaryDirectory() as folder:
        for pattern in sorted(set(KANDINSKY.tasks) - {KANDINSKY.free_task}):
            lessons, rules = Path(folder, pattern), Path(folder, f"{pattern}.pl")
            write_folder(lessons, KANDINSKY.generate_annotated(FIGURES, seed=LESSON_SEED, task=pattern))
            assert predinet_prolog(["learn", str(lessons), "--model", str(model.path), "-o", str(rules)]) == 0
            fresh = KANDINSKY.generate_annotated(n, seed=SEED, task=pattern)
            learned = [Rules(pattern, rules.read_text())]
            result = evaluate(model, fresh, Goal("label(L)", learned, time_limit=20))
            assert result.accuracy is not None, "there is a goal"
            yield pattern, n, result.accuracy


WORLDS: dict[str, Callable[[int], Iterator[Row]]] = {
    "cards": cards,
    "sort_of_clevr": sort_of_clevr,
    "kandinsky": kandinsky,
}


@contextmanager
def grounded(domain: Pictures) -> Iterator[Model]:
    """A copy of `scenes` that tells what the domain's things have in common, and the words for it."""
    with tempfile.TemporaryDirectory() as name:
        folder, path = Path(name), load_any("scenes").path
        write_folder(folder / "lessons", domain.generate_annotated(LESSONS, seed=WORD_SEED))
        for file in path.parent.glob(f"{path.stem}.*"):
            if not file.name.endswith(".grounded.json"):
                shutil.copy(file, folder)
        assert predinet_prolog(["ground", str(folder / path.name), str(folder / "lessons")]) == 0
        yield load_any(str(folder / path.name))


def programs(model: Model, drawn: Annotated) -> Iterator[tuple[str, dict[str, int], bool]]:
    """Of every picture the program's text, which true thing each of its objects is, and whether those are all."""
    assert drawn.truth is not None
    perceiver = perceiver_of(model)
    for number, (name, picture) in enumerate(zip(drawn.names, drawn.pictures, strict=True)):
        (scene,) = perceiver.perceive([picture])
        image = ImageInfo(name, "0" * 64, picture.shape[1], picture.shape[0])
        text = write_prolog(make_program(scene, model=model, image=image))
        boxes = drawn.truth.boxes[drawn.truth.rows(number)]
        true = {scene.things[symbol].name: thing for symbol, thing in match(scene.boxes, boxes)}
        yield text, true, len(true) == len(scene.things) == len(boxes)


def truths(boxes: np.ndarray, shapes: np.ndarray) -> Iterator[tuple[str, str, str]]:
    """Question, the question as a term and its true answer, of every question about one picture."""
    for task in set(TASKS) & set(NAMES):
        questions = asked(task)
        places = np.tile(boxes[:, :2].astype(int) + REACH, (len(questions), 1, 1))
        circles = np.tile(shapes == 1, (len(questions), 1))
        labels = answers(task, places, circles, questions)
        for (number, c, d), label in zip(questions.tolist(), labels.tolist(), strict=True):
            name = NAMES[task][number]
            colours = COLOURS[c] + (f",{COLOURS[d]}" if task == "ternary" else "")
            yield name, f"{name}({colours})", WORDS[label] if label < len(WORDS) else str(label - len(WORDS))


def term(value: JSON) -> str:
    """As Prolog writes it."""
    if not isinstance(value, dict):
        return str(value)
    assert isinstance(value["args"], list)
    return f"{value['functor']}({','.join(map(term, value['args']))})"


if __name__ == "__main__":
    main()
