"""The picture of `why`: the image with the objects an answer speaks of, their masks, and the proof beside them."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from predinet_prolog.bridge import Scene, Thing
from predinet_prolog.bridge.scene import FloatArray
from predinet_prolog.service.pictures.scene import FAINT, INK, PAPER, WRONG, draw_image, heat, png, shortened, tints
from predinet_prolog.service.pipeline import View
from predinet_prolog.service.prolog_text import write_answer
from predinet_prolog.service.proof_text import Step, goal_text, likelihood, steps
from predinet_prolog.symbolic import Answers, Miss, Proof

WIDTH, LEAST_HEIGHT, DPI = 16.0, 9.0, 120
"""Of the picture, in inches; it grows with the proof."""
LEFT, MIDDLE, RIGHT, TOP, BOTTOM = 0.5, 7.2, 15.7, 1.25, 0.4
"""In inches from the left and the top: image and masks stand left of the middle, the proof right of it."""
IMAGE, MASK, GAP = 5.9, 1.1, 0.12
"""Sides of the image and of a mask, and what is between masks, in inches."""
LETTER, LINE = 11 / DPI, 0.22
"""Of the proof: inches from letter to letter, whole pixels because the drawn ones are, and from line to line."""
FONT = LETTER * 72 / 0.602
"""Points: letters of the monospaced font are 0.602 of its size wide."""
COLUMNS = int((RIGHT - MIDDLE) / LETTER)
INDENT = 2
"""Letters a level."""
DEEPEST = 16
"""Levels that are indented; what is deeper stands below the last of them."""
MOST_LINES = 100
"""Of the proof; the command prints the rest."""
WRONG_PAPER = "#fde4e7"
QUIET = {"fact", "built in", "rule", "all of these"}
"""Remarks that a picture does without."""


@dataclass
class _Line:
    """One line of the drawn proof."""

    depth: int
    text: str
    remark: str
    holds: bool
    continues: bool = False
    """Whether it goes on with the line above."""


def draw(view: View, goal: str, answers: Answers) -> bytes:
    """A PNG, 1920 pixels wide: the first answer of `goal` and its proof, or the nearest miss.

    Left the image, with the objects outlined that are spoken of, and below it where the network's heads looked when
    they picked them, if it has heads; right the proof down to the facts.
    """
    lines, title = _told(answers)
    spoken = _spoken(view.scene, [line.text for line in lines])
    height = max(LEAST_HEIGHT, TOP + LINE * len(lines) + BOTTOM)
    figure = Figure(figsize=(WIDTH, height), dpi=DPI, facecolor=PAPER)
    FigureCanvasAgg(figure)
    page = figure.add_axes((0, 0, 1, 1))
    page.set(xlim=(0, WIDTH), ylim=(height, 0))
    page.set_axis_off()
    colours = tints(view.scene)
    _write(page, LEFT, 0.5, shortened(view.image.name), size=20, weight="bold")
    _write(page, LEFT, 0.92, shortened(f"?- {goal.strip().rstrip('.')}."), size=13, colour=FAINT)
    _write(page, MIDDLE, 0.5, title, size=20, weight="bold")
    if answers.answers and (confidence := answers.answers[0].confidence) is not None:
        said = f"confidence {likelihood(confidence)}: that of the weakest step"
        _write(page, MIDDLE, 0.92, said, size=13, colour=FAINT)
    draw_image(page.inset_axes((LEFT, TOP, IMAGE, IMAGE), transform=page.transData), view, spoken, colours)
    masks = {symbol.name: symbol.mask for symbol in spoken if symbol.mask is not None}
    _draw_masks(page, masks, colours)
    _draw_proof(page, lines, colours)
    return png(figure)


def _told(answers: Answers) -> tuple[list[_Line], str]:
    """The lines of the first answer's proof, or of the nearest miss, and what stands above them."""
    why: Proof | Miss | None = answers.why_not
    title = "false: what came nearest"
    for first in answers.answers[:1]:
        why, title = first.why, f"{shortened(write_answer(first))}, because"
    assert why is not None, "reasons were asked for"
    lines = list(_lines(steps(why)))
    if len(lines) > MOST_LINES:
        left_out = len(lines) - MOST_LINES
        lines = [*lines[:MOST_LINES], _Line(0, f"… and {left_out} lines more: the command prints them", "", True)]
    return lines, title


def _lines(proof: Sequence[Step]) -> Iterator[_Line]:
    """Neighbouring leaves share a line, and what is longer than a line goes on in the next."""
    packed: list[_Line] = []
    for step in proof:
        depth = min(step.depth, DEEPEST)
        compares = re.search(r" (<|>|=<|>=|=:=|=\\=) ", step.goal)
        quiet = step.remark in QUIET or (step.is_leaf and step.holds and compares)
        remark = "  ".join(filter(None, (step.confidence, "" if quiet else step.remark)))
        line = _Line(depth, goal_text(step), remark, step.holds, step.is_leaf and step.holds and not remark)
        before = packed[-1] if packed else None
        if before is not None and before.depth == depth and before.continues and line.continues:
            text = f"{before.text}   {line.text}"
            if depth * INDENT + len(text) <= COLUMNS - 2:
                before.text = text
                continue
        packed.append(line)
    for line in packed:
        line.continues = False
        yield from _wrapped(line)


def _wrapped(line: _Line) -> Iterator[_Line]:
    room = COLUMNS - line.depth * INDENT
    first, *rest = textwrap.wrap(line.text, room - 2, break_on_hyphens=False, max_lines=4, placeholder=" …") or [""]
    parts = [first, *(f"  {part}" for part in rest)]
    fits = len(parts[-1]) + 2 + len(line.remark) <= room
    for index, part in enumerate(parts):
        remark = line.remark if fits and index == len(parts) - 1 else ""
        yield _Line(line.depth, part, remark, line.holds, index > 0)
    if line.remark and not fits:
        yield _Line(line.depth, "", f"  {textwrap.shorten(line.remark, room - 2, placeholder=' …')}", line.holds, True)


def _spoken(scene: Scene, texts: Sequence[str]) -> Sequence[Thing]:
    """The symbols that the texts name; all things if they name none."""
    names = set(re.findall(r"\bob_\d+\b", " ".join(texts)))
    return [symbol for symbol in scene.symbols if symbol.name in names] or scene.things


def _draw_masks(page: Axes, masks: Mapping[str, FloatArray], colours: dict[str, str]) -> None:
    """The masks by the symbols' names, in a row as wide as the image at most."""
    if not masks:
        return
    side = min(MASK, (IMAGE + GAP) / len(masks) - GAP)
    top = TOP + IMAGE + 0.6
    _write(page, LEFT, TOP + IMAGE + 0.22, "where the heads looked that picked them", size=11, colour=FAINT)
    for index, (name, mask) in enumerate(masks.items()):
        left, tint = LEFT + index * (side + GAP), colours[name]
        _write(page, left, top - 0.12, name, size=min(11.0, side * 15), weight="bold", colour=tint)
        extent = (left, left + side, top + side, top)
        page.imshow(heat(mask, tint), interpolation="nearest", extent=extent, aspect="auto")
        page.add_patch(Rectangle((left, top), side, side, fill=False, edgecolor="#c9ced4", linewidth=0.8))


def _draw_proof(page: Axes, lines: Sequence[_Line], colours: dict[str, str]) -> None:
    above: list[float] = []  # where the last line of each level stands
    for index, line in enumerate(lines):
        x, y = MIDDLE + line.depth * INDENT * LETTER, TOP + LINE * (index + 0.5)
        if not line.continues:
            if line.depth and len(above) >= line.depth:
                corner, start = x - (INDENT - 0.5) * LETTER, above[line.depth - 1] + 0.4 * LINE
                across, down = [corner, corner, x - 0.3 * LETTER], [start, y, y]
                page.add_line(Line2D(across, down, color="#c9ced4", linewidth=0.9))
            del above[line.depth :]
            above.append(y)
        _draw_text(page, x, y, line, colours)


def _draw_text(page: Axes, x: float, y: float, line: _Line, colours: dict[str, str]) -> None:
    """The line; names of objects in their colours, what fails on red paper."""
    if not line.holds:
        length = len(line.text) + (len(line.remark) + 2 if line.remark else 0)
        corner = (x - 0.5 * LETTER, y - 0.45 * LINE)
        page.add_patch(Rectangle(corner, (length + 1) * LETTER, 0.9 * LINE, facecolor=WRONG_PAPER, linewidth=0))
    at = x
    for part in re.split(r"(\bob_\d+\b|✗)", line.text):
        colour = WRONG if part == "✗" else colours.get(part, INK)
        _write(page, at, y, part, colour=colour, weight="bold" if part in colours else "normal", mono=True)
        at += len(part) * LETTER
    if line.remark:
        _write(page, at + 2 * LETTER, y, line.remark, colour=FAINT if line.holds else WRONG, mono=True)


def _write(page: Axes, x: float, y: float, text: str, *, colour: str = INK, mono: bool = False, **how: Any) -> None:
    family = "DejaVu Sans Mono" if mono else "DejaVu Sans"
    how = {"size": FONT, "color": colour, "family": family, "verticalalignment": "center_baseline", **how}
    page.text(x, y, text, parse_math=False, **how)
