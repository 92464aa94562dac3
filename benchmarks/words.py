"""Words for colours: how well they are told out of the box, and learned from 1, 3 and 10 examples.

    python benchmarks/words.py [--n PICTURES] [--json FILE]

The truth is the colour that was drawn, named by hue (0–360), saturation and value (0–1) as `name_of` says; a picture
has no things of brown where its domain draws none. Examples and as many counter-examples are things of pictures that
nothing else is taken from, drawn at random, each word SEEDS times: pentominoes for boards, known families for scenes.
What is asked is Prolog, with the clauses that `predinet-prolog name` writes. The figure is the balanced accuracy over
all things seen, the mean and the worst of the words that occur on both sides.
"""

import colorsys
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.shared import GAME, options, print_head, print_row
from bridge import ImageInfo, Perceiver, Program, make_program
from bridge.colours import COLOURS
from bridge.glimpses.perceiver import GlimpsePerceiver
from bridge.glimpses.program import make_scene_program
from bridge.grounding import balanced_accuracy
from bridge.matching import match
from bridge.scene import BoolArray
from bridge.words import Thing, thing, write_word
from bridge.writers.prolog import clause_text, write_sections
from domains.relations_game import generate
from domains.relations_game.domain import truth_of
from domains.relations_game.objects import object_set
from domains.scenes.domain import GROUPS, SIDES, STYLES
from domains.scenes.drawing import draw
from domains.scenes.pictures import chosen_groups, new_groups
from neural import load_model
from neural.glimpses.model import GlimpseModel, load_any
from symbolic import Engine, Rules

WORDS = "red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink", "brown", "grey"
HUES = {"red": 15, "orange": 45, "yellow": 70, "green": 165, "cyan": 200, "blue": 260, "purple": 320, "pink": 345}
"""Where each ends, in degrees; the rest is red."""
SHOWN = 1, 3, 10
SEEDS = 10
EXACT = 20
SHOW_SEED, ASK_SEED = 6_100_001, 6_100_019
STYLES_ASKED = "plain", "noise", "jpeg", "shadow"


class Seen(NamedTuple):
    """A thing with its true word, and on boards the numbers of its shape and colour."""

    thing: Thing
    word: str
    shape: int = -1
    shade: int = -1


def name_of(colour: Sequence[float]) -> str:
    """One of WORDS, white or black."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(level / 255 for level in colour))
    hue *= 360
    if value < 0.15:
        return "black"
    if saturation < 0.15:
        return "white" if value > 0.9 else "grey"
    if 15 <= hue < 50 and value < 0.7:
        return "brown"
    if not 15 <= hue < 320 and saturation < 0.6 and value > 0.7:
        return "pink"
    return next((word for word, end in HUES.items() if hue < end), "red")


def on_boards(kind: str, n: int, seed: int) -> tuple[Program, list[Seen]]:
    """The program of one of `n` boards, and all things seen in them."""
    model, scenes = load_model("relations-game"), generate("scatter", n, objects=kind, seed=seed)
    truth, cells = truth_of(scenes), scenes.occupied
    shown = object_set(kind)
    numbers = shown.join(scenes.shapes[cells], scenes.colours[cells])
    colours = shown.squares[numbers].max(axis=(1, 2))  # of the lit squares, which are all alike
    attributes = [truth.attributes[name] for name in ("shape", "colour")]
    found: list[Seen] = []
    size = GAME.picture.width
    for index, scene in enumerate(Perceiver(model).perceive(scenes.render())):
        program = make_program(scene, model=model, image=ImageInfo(str(index), "0" * 64, size, size))
        rows = truth.rows(index)
        pairs = match(np.array([each.box for each in scene.objects]).reshape(-1, 4), truth.boxes[rows])
        seen = [rows.start + own for _, own in pairs]
        named = _named(program, [scene.objects[own].name for own, _ in pairs], colours[seen])
        found += [
            each._replace(shape=shape, shade=shade)
            for each, shape, shade in zip(named, *(own[seen].tolist() for own in attributes), strict=True)
        ]
    return program, found


def in_scenes(kind: str, style: str, n: int, seed: int) -> tuple[Program, list[Seen]]:
    """The same of `n` pictures of any size; a thing's true colour is the median of its own pixels."""
    model, rng = load_any("scenes"), np.random.default_rng(seed)
    assert isinstance(model, GlimpseModel)
    bank, perceiver = new_groups(kind, GROUPS, rng), GlimpsePerceiver(model)
    found: list[Seen] = []
    for index in range(n):
        height, width = rng.integers(SIDES[0], SIDES[1] + 1, 2).tolist()
        drawn = draw(height, width, chosen_groups(bank, rng), STYLES[style], rng)
        scene = perceiver.perceive(drawn.pixels)
        image = ImageInfo(str(index), "0" * 64, width, height)
        program = make_scene_program(scene, model=model, image=image, scale=(1.0, 1.0))
        owners = range(1, int(drawn.owner[drawn.owner < 255].max(initial=0)) + 1)
        masks = [drawn.owner == owner for owner in owners if (drawn.owner == owner).any()]
        boxes = np.array([_box(mask) for mask in masks]).reshape(-1, 4)
        pairs = match(np.array([each.box for each in scene.objects]).reshape(-1, 4), boxes)
        colours = np.array([np.median(drawn.pixels[masks[own]], axis=0) for _, own in pairs])
        found += _named(program, [scene.objects[own].name for own, _ in pairs], colours)
    return program, found


def _box(mask: BoolArray) -> tuple[int, int, int, int]:
    rows, columns = np.nonzero(mask)
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


def _named(program: Program, names: Sequence[str], colours: np.ndarray) -> Iterator[Seen]:
    return (Seen(thing(program, name), name_of(own)) for name, own in zip(names, colours.tolist(), strict=True))


def exact(examples: tuple[Program, list[Seen]]) -> dict[str, float]:
    """What one example of a shape and of a shade is worth: the mean over EXACT of them, of all other things seen."""
    program, seen = examples
    facts = "noise_level(0.0).\n" + "".join(
        f"object({number}).\n"
        + "".join(f"coordinate(r{r}, {number}, {c:.4f}).\n" for r, c in enumerate(own.coordinates))
        for number, (own, *_) in enumerate(seen)
    )
    figures = {}
    with Engine(time_limit=60) as engine:
        for respect in ("shape", "shade"):
            values, told = [str(getattr(each, respect)) for each in seen], []
            for index in np.random.default_rng(0).permutation(len(seen))[:EXACT].tolist():
                (clause,) = write_word("w", respect, program, [seen[index].thing], [])
                goal = "shape(X, w)" if respect == "shape" else "w(X)"
                told.append(judge(engine, clause_text(clause), goal, facts, values, values[index]))
            figures[respect] = float(np.mean(told))
    return figures


def judge(engine: Engine, rules: str, goal: str, facts: str, words: Sequence[str], word: str) -> float:
    """Balanced accuracy of the goal of X, the number of a thing, against the things' true `words`."""
    (answer,) = engine.ask(facts, f"findall(X, {goal}, Xs)", rules=[Rules("w", rules)]).answers
    said, truth = np.zeros(len(words), dtype=bool), np.array(words) == word
    said[np.array(answer.bindings["Xs"], dtype=np.int64)] = True
    return balanced_accuracy(said, truth)


def measure(examples: tuple[Program, list[Seen]], asked: list[Seen]) -> dict[str, dict[str, float]]:
    """By how it is told, each word's figure."""
    program, shown = examples
    words = [each.word for each in asked]
    facts = "".join(
        f"object({number}). colour({number}, {', '.join(map(str, each.colour or ()))}).\n"
        for number, (each, *_) in enumerate(asked)
    )
    known = [word for word in WORDS if word in words and any(word == each.word for each in shown)]
    figures: dict[str, dict[str, float]] = {}
    with Engine(time_limit=60) as engine:
        palette = write_sections([COLOURS])
        figures["colour(X, Word)"] = {
            word: judge(engine, palette, f"colour(X, {word})", facts, words, word) for word in known
        }
        for count in SHOWN:
            for others in (0, count):
                key = f"{count} + {others}"
                figures[key] = {
                    word: float(np.mean([_learned(engine, program, shown, word, (count, others), s, facts, words)
                                         for s in range(SEEDS)]))
                    for word in known
                }  # fmt: skip
    return figures


def _learned(
    engine: Engine,
    program: Program,
    shown: Sequence[Seen],
    word: str,
    counts: tuple[int, int],
    seed: int,
    facts: str,
    words: Sequence[str],
) -> float:
    rng = np.random.default_rng((seed, *counts, WORDS.index(word)))
    sides = [[each.thing for each in shown if (each.word == word) is holds] for holds in (True, False)]
    own, others = ([side[i] for i in rng.permutation(len(side))[:n]] for side, n in zip(sides, counts, strict=True))
    (clause,) = write_word("w", "colour", program, own, others)
    return judge(engine, clause_text(clause), "w(X)", facts, words, word)


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--n", type=int, default=400)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    n = given.n
    worlds: dict[str, tuple[tuple[Program, list[Seen]], list[Seen]]] = {}
    boards = on_boards("pentos", n, SHOW_SEED)
    for kind in ("pentos", "hexos"):
        worlds[kind] = boards, on_boards(kind, n, ASK_SEED)[1]
    known, fresh = load_any("scenes").domain.kinds[:2]
    scenes = in_scenes(known, "plain", n, SHOW_SEED)
    for style in STYLES_ASKED:
        worlds[f"scenes, {style}"] = scenes, in_scenes(fresh, style, n, ASK_SEED)[1]
    results: dict[str, Mapping[str, Mapping[str, float]]] = {}
    for world, (examples, asked) in worlds.items():
        results[world] = measure(examples, asked)
        print_head(world, *WORDS, "mean", "worst")
        for told, figures in results[world].items():
            cells = [f"{figures[word]:.3f}" if word in figures else "–" for word in WORDS]
            print_row(told, *cells, f"{np.mean(list(figures.values())):.3f}", f"{min(figures.values()):.3f}")
        print(flush=True)
    for kind in ("pentos", "hexos"):
        once = exact(on_boards(kind, n // 2, ASK_SEED))
        print(f"one example, exactly that, {kind}: shape {once['shape']:.4f}, shade {once['shade']:.4f}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
