"""Counterfactuals put to the test: what a program foretells is drawn, and looked at.

    python benchmarks/supposing.py [--boards N] [-o FILE.json] [--pictures FOLDER] [--page FILE.md]

Boards of five tasks: of pentominoes, of hexominoes, and of hexominoes with noise. Of each, what was seen becomes a
program, which says twice what would be:

1. The least changes that would turn the answer to the task. One of the ways is drawn by lot, and the true scene is
   changed so: what takes another's shape or colour gets the true one of that, what gets its own gets one that is
   nowhere on the board. The new board is drawn, looked at, and asked again: has the answer turned?
2. A supposition drawn by lot: that two objects are the same, in colour, in shape or in both, or that they are not. The
   true scene is changed by what is said to change with it, drawn and looked at: is every fact of sameness as foretold?

A board on which other objects were seen than there are is changed in nothing. Nothing was chosen on any of them: the
boards come from seeds that nothing else uses. `--pictures` draws the first clean board of each task and kind beside the
one that was changed, `--page` writes the tables between the marks in a page.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from benchmarks.shared import INFO, machine, name_of, options
from bridge import Perceiver, Scene, make_program, write_prolog
from domains.domain import Corruption
from domains.relations_game.corruptions import corrupt
from domains.relations_game.objects import CELL, object_set
from domains.relations_game.scenes import GRID, Scenes
from domains.relations_game.tasks import generate
from neural import Model, load_model
from symbolic import Change, Engine, LeastChanges, Rules, Supposition, theory

SEED = 7_200_011
CASES: tuple[tuple[str, Corruption | None], ...] = (("pentos", None), ("hexos", None), ("hexos", ("noise", 0.1)))
"""Kinds of objects, and what pictures go through."""
TASKS = {
    "same": "same_label(1)",
    "between": "between_label(1)",
    "occurs": "occurs_label(1)",
    "row_patterns_3": "row_pattern_label(1)",
    "match_rows": "match_rows_label(1)",
}
"""The goal of each: it has an answer where the task's is yes."""
SAMENESS = ("same", "same_colour", "same_shape")
ALL = ", ".join(f"findall(X-Y, {name}(X, Y), {name.title()})" for name in SAMENESS)
COUNTED = (
    "boards",
    "seen rightly",
    "to turn by one change",
    "by two",
    "turned",
    "suppositions",
    "all facts as foretold",
)
MARKS = "<!-- measured -->", "<!-- end of what is measured -->"
SCALE, GAP = 6, 24
"""Of the pictures: pixels for each of the board's, and between two boards."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--boards", type=int, default=500, help="of each case (default: 500)")
    parser.add_argument("-o", "--output", type=Path, help="write the figures to this .json")
    parser.add_argument("--pictures", type=Path, help="draw ten boards and what was foretold into this folder")
    parser.add_argument("--page", type=Path, help="write the tables into this .md")
    given: argparse.Namespace = parser.parse_args()
    model = load_model("relations-game")
    figures: dict[str, object] = {"machine": machine(), "boards": given.boards, "seed": SEED}
    shown: list[str] = []
    for kind, corruption in CASES:
        counts = {}
        case = f"{kind}, {name_of(corruption)}"
        for task, goal in TASKS.items():
            drawn = generate(task, given.boards // len(TASKS), objects=kind, seed=SEED)
            trial = Trial(model, drawn, goal, corruption)
            counts[task] = trial.counts
            print(f"{case}, {task}: {trial.counts}", flush=True)
            if given.pictures and corruption is None and (picture := trial.picture()):
                image, words = picture
                given.pictures.mkdir(parents=True, exist_ok=True)
                name = f"{len(shown) + 1:02}-{task.replace('_', '-')}-{kind}.png"
                image.save(given.pictures / name, optimize=True)
                shown.append(f"| [{len(shown) + 1}]({given.pictures.name}/{name}) | {words} |")
        figures[case] = counts
        if given.output:
            given.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    text = "\n".join([tables(figures), "", "| picture | foretold | seen |", "|---|---|---|", *shown])
    print(text)
    if given.page:
        before, _, rest = given.page.read_text(encoding="utf-8").partition(MARKS[0])
        rest = rest.partition(MARKS[1])[2]
        given.page.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{rest}", encoding="utf-8")


class Trial:
    """What is foretold of boards of one kind and task, and what is seen."""

    def __init__(self, model: Model, drawn: Scenes, goal: str, corruption: Corruption | None) -> None:
        self._model, self._drawn, self._goal, self._corruption = model, drawn, goal, corruption
        self._rng = np.random.default_rng(SEED)
        self._scenes = self._look(drawn)
        self._cells = [{each.name: cell_of(each.x, each.y) for each in scene.objects} for scene in self._scenes]
        self._right = [
            sorted(cells.values()) == np.flatnonzero(occupied).tolist()
            for cells, occupied in zip(self._cells, drawn.occupied, strict=True)
        ]
        self._programs = [self._program(scene) for scene in self._scenes]
        self.counts = dict.fromkeys(COUNTED, 0)
        with Engine(time_limit=60) as self._engine:
            self._told = [self._least(number) for number in range(len(drawn))]
            self._chosen = [self._by_lot(told) for told in self._told]
            self.changed = self._redrawn(self._chosen)
            self._turns()
            self._suppositions()

    def _look(self, drawn: Scenes) -> list[Scene]:
        seed = int(self._rng.integers(2**31))
        images = corrupt(drawn, *self._corruption, seed=seed) if self._corruption else drawn.render()
        return Perceiver(self._model).perceive(images)

    def _program(self, scene: Scene) -> str:
        return write_prolog(make_program(scene, model=self._model, image=INFO))

    def _rules(self, number: int) -> list[Rules]:
        return [theory("relations_game"), Rules("task", f"task({self._drawn.task_ids[number]}).")]

    # --- The answer turns. ---

    def _least(self, number: int) -> LeastChanges:
        return self._engine.least_changes(self._programs[number], self._goal, rules=self._rules(number))

    def _by_lot(self, told: LeastChanges) -> Sequence[Change]:
        return told.least[self._rng.integers(len(told.least))] if told.least else ()

    def _turns(self) -> None:
        self._after = [self._program(scene) for scene in self._look(self.changed)]
        self._answers = [
            bool(self._engine.ask(text, self._goal, rules=self._rules(number)).answers)
            for number, text in enumerate(self._after)
        ]
        for number, (told, chosen, answer) in enumerate(zip(self._told, self._chosen, self._answers, strict=True)):
            self.counts["boards"] += 1
            self.counts["seen rightly"] += self._right[number]
            self.counts["to turn by one change"] += len(chosen) == 1
            self.counts["by two"] += len(chosen) == 2
            self.counts["turned"] += bool(chosen) and self._right[number] and answer == told.wanted

    # --- Everything is as supposed. ---

    def _suppositions(self) -> None:
        told = [self._suppose(number) for number in range(len(self._drawn))]
        after = self._look(self._redrawn([each.changes for each in told]))
        for each, scene, right in zip(told, after, self._right, strict=True):
            seen = self._engine.ask(self._program(scene), ALL).answers[0].bindings
            self.counts["suppositions"] += 1
            self.counts["all facts as foretold"] += right and seen == each.after.answers[0].bindings

    def _suppose(self, number: int) -> Supposition:
        objects = [symbol.name for symbol in self._scenes[number].objects]
        first, second = self._rng.choice(objects, 2, replace=False)
        name, sign = self._rng.choice(SAMENESS), self._rng.choice(["", "\\+ "])
        return self._engine.suppose(self._programs[number], [f"{sign}{name}({first}, {second})"], ALL)

    # --- The true scene, changed. ---

    def _redrawn(self, changes: Sequence[Sequence[Change]]) -> Scenes:
        """The scenes after changes of each."""
        drawn = self._drawn
        kind = object_set(drawn.object_set)
        columns = {"shape": drawn.shapes.copy(), "colour": drawn.colours.copy()}
        true = {"shape": drawn.shapes, "colour": drawn.colours}
        values = {"shape": kind.n_shapes, "colour": kind.n_colours}
        for number, each in enumerate(changes):
            cells = self._cells[number]
            for change in each if self._right[number] else ():
                attribute = change.attribute
                if change.like is not None:
                    value = true[attribute][number, cells[change.like]]
                else:
                    taken = {*true[attribute][number], *columns[attribute][number]}
                    value = self._rng.choice([new for new in range(values[attribute]) if new not in taken])
                columns[attribute][number, cells[change.object]] = value
        return Scenes(drawn.object_set, drawn.task, columns["shape"], columns["colour"], drawn.labels, drawn.task_ids)

    def picture(self) -> tuple[Image.Image, str] | None:
        """The first board whose answer could be turned beside what it became, and what was foretold and seen."""
        number = next((number for number, chosen in enumerate(self._chosen) if chosen), None)
        if number is None:
            return None
        boards = [scenes[[number]].render()[0] for scenes in (self._drawn, self.changed)]
        side = boards[0].shape[0] * SCALE
        image = Image.new("RGB", (2 * side + GAP, side), "white")
        pen = ImageDraw.Draw(image)
        for place, board in enumerate(boards):
            left = place * (side + GAP)
            image.paste(Image.fromarray(board.repeat(SCALE, 0).repeat(SCALE, 1)), (left, 0))
            for name, cell in self._cells[number].items():
                row, column = divmod(cell, GRID)
                pen.text((left + (column + 0.02) * CELL * SCALE, (row + 1) * CELL * SCALE - 11), name, "white")
        words = " and ".join(in_words(change) for change in self._chosen[number])
        foretold = f"`{self._goal}` {'becomes true' if self._told[number].wanted else 'becomes false'} if {words}"
        return image, f"{foretold} | {'true' if self._answers[number] else 'false'}"


def cell_of(x: float, y: float) -> int:
    """The cell of a board that the pixel lies in."""
    return int(y // CELL) * GRID + int(x // CELL)


def in_words(change: Change) -> str:
    """What changes."""
    whose = f"the {change.attribute} of `{change.like}`" if change.like else f"a {change.attribute} of its own"
    return f"`{change.object}` {'takes' if change.like else 'gets'} {whose}"


def tables(figures: dict[str, object]) -> str:
    """The counts of each case and task, and of each case."""
    lines = [f"| | {' | '.join(COUNTED)} |", f"|---|{'---|' * len(COUNTED)}"]
    for kind, corruption in CASES:
        case = f"{kind}, {name_of(corruption)}"
        counts: dict[str, dict[str, int]] = figures[case]  # type: ignore[assignment]
        whole = {name: sum(each[name] for each in counts.values()) for name in COUNTED}
        for task, each in {**counts, "all": whole}.items():
            lines.append(f"| {case}, {task} | {' | '.join(str(each[name]) for name in COUNTED)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
