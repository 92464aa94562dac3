"""Sort-of-CLEVR is drawn and answered as its public generator does, and its theory in Prolog answers the same."""

import math

import numpy as np
import pytest

from predinet_prolog.domains.domain import Labelled, Pixels
from predinet_prolog.domains.sort_of_clevr.domain import DOMAIN, RGB
from predinet_prolog.domains.sort_of_clevr.questions import COLOURS, TASKS, answers, asked
from predinet_prolog.symbolic import theory
from tests.asking import asking
from tests.cases import cases

CASES = cases(__file__)

CIRCLE = CASES["circle"]
"""As OpenCV draws a filled circle of radius 5."""
TERMS = CASES["terms"]
WORDS = ("yes", "no", "square", "circle")
Scene = tuple[list[tuple[int, int]], list[bool]]
"""The centres of the six things, and which are circles."""
CORNERS: Scene = ([(10, 10), (20, 10), (37, 38), (60, 60), (10, 60), (60, 10)], [True, False, True, False, False, True])


def scenes(drawn: Labelled) -> list[Scene]:
    centres = (drawn.truth.boxes[:, :2] + 5).astype(int).reshape(-1, 6, 2)
    circles = drawn.truth.attributes["shape"].reshape(-1, 6) == 1
    return [
        ([(x, y) for x, y in own.tolist()], round_ones)
        for own, round_ones in zip(centres, circles.tolist(), strict=True)
    ]


def truth(task: str, scene: Scene, question: tuple[int, int, int]) -> int:
    """The number of the answer, by the definitions, step by step."""
    centres, circles = scene
    number, c, d = question
    (cx, cy), (dx, dy) = centres[c], centres[d]
    apart = [(x - cx) ** 2 + (y - cy) ** 2 for x, y in centres]
    others = [place for thing, place in enumerate(centres) if thing not in (c, d)]
    if task == "not_relational":
        return (2 + circles[c], int(cx > 37), int(cy > 37))[number]
    if task.startswith("binary"):
        near = [999 if thing == c and task.endswith("published") else each or 10**6 for thing, each in enumerate(apart)]
        closest, furthest = near.index(min(near)), apart.index(max(apart))
        return (2 + circles[closest], 2 + circles[furthest], 3 + circles.count(circles[c]))[number]
    if number == 0:
        inside = [min(cx, dx) <= x <= max(cx, dx) and min(cy, dy) <= y <= max(cy, dy) for x, y in others]
        return 4 + sum(inside)
    if number == 1 and task.endswith("published"):
        slope = (dy - cy) / (dx - cx + 1e-10)
        return 0 if any(abs(slope * x + cy - slope * cx - y) <= 12 + 1e-6 for x, y in others) else 1
    length = math.dist((cx, cy), (dx, dy))
    off = [((dx - cx) * (y - cy) - (dy - cy) * (x - cx)) / length for x, y in others]
    if number == 1:
        return 0 if any(abs(each) <= 12 for each in off) else 1
    sides = [sorted((math.dist(z, (cx, cy)), math.dist(z, (dx, dy)), length)) for z in others]
    return 4 + sum(each != 0 and a * a + b * b <= s * s + 1e-6 for each, (a, b, s) in zip(off, sides, strict=True))


@pytest.mark.parametrize("task", TASKS)
def test_answers_are_those_of_the_definitions(task: str) -> None:
    drawn = DOMAIN.generate(task, 12, seed=3)
    for scene in [*scenes(drawn), CORNERS]:
        questions = asked(task)
        centres, circles = (np.array([each] * len(questions)) for each in scene)
        found = answers(task, centres, circles, questions)
        assert found.tolist() == [truth(task, scene, (n, c, d)) for n, c, d in questions.tolist()]


def test_pictures_are_drawn_as_opencv_does() -> None:
    drawn = DOMAIN.generate("binary", 40, seed=2)
    assert drawn.images.shape == (40, 75, 75, 3)
    for picture, (centres, circles) in zip(drawn.images, scenes(drawn), strict=True):
        assert all(5 <= side < 70 for centre in centres for side in centre)
        apart = [math.dist(one, other) for one in centres for other in centres if one != other]
        assert min(apart) >= 10
        x, y = centres[5]  # nothing covers it
        own = (picture[y - 5 : y + 6, x - 5 : x + 6] == RGB[5]).all(axis=2)
        text = "\n".join("".join(".#"[lit] for lit in row) for row in own.astype(int).tolist())
        assert text == CIRCLE.strip() if circles[5] else own.all()
        seen = [tuple(colour) for colour in np.unique(picture.reshape(-1, 3), axis=0).tolist()]
        assert sorted(seen) == sorted([*map(tuple, RGB.tolist()), (255, 255, 255)])
    shares = [sum(circles) / 6 for _, circles in scenes(drawn)]
    assert 0.4 < np.mean(shares) < 0.6


def boxes(picture: Pixels) -> list[list[float]]:
    """Where each of the six things shows."""
    own = [np.nonzero((picture == colour).all(axis=2)) for colour in RGB]
    return [[float(edge) for edge in (x.min(), y.min(), x.max() + 1, y.max() + 1)] for y, x in own]


def program(picture: Pixels, circles: list[bool]) -> str:
    """What a program says of the six things, whose order tells nothing."""
    lines = []
    for box, circle, colour, name in zip(boxes(picture), circles, COLOURS, (3, 0, 5, 1, 4, 2), strict=True):
        lines += [
            ("object", f"object(ob_{name})."),
            ("box", f"box(ob_{name}, {', '.join(map(str, box))})."),
            ("colour", f"colour(ob_{name}, {colour})."),
            ("shape", f"shape(ob_{name}, {'circle' if circle else 'square'})."),
        ]
    return "\n".join(line for _, line in sorted(lines)) + "\n"


def test_the_theory_answers_the_same() -> None:
    """From what shows of things: of some of these, a row or a column is covered."""
    drawn = DOMAIN.generate("ternary", 120, seed=8)
    covered = [any(r - x < 11 or b - y < 11 for x, y, r, b in boxes(picture)) for picture in drawn.images]
    chosen = [*np.flatnonzero(covered)[:5].tolist(), *np.flatnonzero(~np.array(covered))[:2].tolist()]
    assert len(chosen) == 7
    engine = asking()
    for number in chosen:
        scene = scenes(drawn)[number]
        text = program(drawn.images[number], scene[1])
        reply = engine.ask(text, "answer(Q, A)", rules=[theory("sort_of_clevr")], limit=1000)
        said: dict[str, list[object]] = {}
        for each in reply.answers:
            said.setdefault(written(each.bindings["Q"]), []).append(each.bindings["A"])
        for task, terms in TERMS.items():
            for number, c, d in asked(task).tolist():
                label = truth(task, scene, (number, c, d))
                term = terms[number].format(COLOURS[c], COLOURS[d])
                assert said[term] == [WORDS[label] if label < 4 else label - 4], term


def written(term: object) -> str:
    if isinstance(term, dict):
        return f"{term['functor']}({','.join(map(written, term['args']))})"
    return str(term)
