"""The foreground's lessons: what is said of a picture's pixels is what it shows, and the network learns from them; and
what is joined of what it says."""

from dataclasses import replace

import numpy as np
import torch

from examples.ground.canvas import Canvas, Shadow
from examples.ground.finding import PIECE, pieces_of
from examples.ground.lessons import LAYOUTS, lesson
from examples.ground.network import graph_of
from examples.ground.objects import Objects
from examples.ground.teach import Learner, example
from predinet_prolog.bridge.finding.instances import boxes_of
from predinet_prolog.bridge.finding.patches import Field
from predinet_prolog.neural.sessions import opened

DISC = np.where(np.hypot(*np.mgrid[-20:20, -20:20])[..., None] < 20, (200, 20, 20, 255), 0).astype(np.uint8)
BLOCK = np.pad(np.full((20, 20, 4), 255, np.uint8), ((1, 1), (1, 1), (0, 0)))
STRIPES = np.tile(np.array([90, 110], np.uint8)[:, None], (192, 384, 3)).reshape(384, 384, 3)
OBJECTS = Objects({"a": [BLOCK], "b": [DISC]}, {"a": 0.5, "b": 0.5}, [STRIPES])


def test_what_is_not_ground_is_said_to_be_a_things_and_shadows_are_ground() -> None:
    canvas = Canvas(np.full((60, 80, 3), 120.0), OBJECTS, np.random.default_rng(0), Shadow(5, 3, 0.5, 0.5))
    boxes = [canvas.put(22, 1, drawing=lambda _: BLOCK * 1.0, place=lambda *_, at=at: (at, 25)) for at in (30, 50)]
    white = (canvas.picture == 255).all(axis=2)
    assert [*boxes, white[26:46, 31:51].sum(), white.sum()] == [(30, 25, 22, 22), None, 400, 400]
    assert round(canvas.picture[47, 53, 0]) == 60  # in its shadow
    assert (np.stack([canvas.owner, canvas.alpha]) == white).all()
    for number, layout in enumerate(LAYOUTS):
        canvas = Canvas(np.full((160, 224, 3), 120.0), OBJECTS, np.random.default_rng(number))
        layout(canvas, 3)
        assert canvas.things == len(np.unique(canvas.owner)) - 1 > 0, layout
        assert (canvas.alpha[(canvas.picture != 120).any(axis=2)] > 0).all(), layout
        assert ((canvas.owner > 0) == (canvas.alpha > 0.5)).all(), layout


def test_it_learns_from_lessons_and_answers_of_every_pixel() -> None:
    rng, learner = np.random.default_rng(1), Learner(0)
    parts = zip(*(example(lesson(64, 96, OBJECTS, rng)) for _ in range(2)), strict=True)
    batch = tuple(torch.from_numpy(np.stack(part)) for part in parts)
    losses = [learner.learn(batch, 0)[0] for _ in range(3)]
    (likely,) = opened(graph_of(learner.average), {}).run(None, {"inputs": batch[0][:1].numpy()})
    assert [losses[2] < losses[0], likely.shape] == [True, (1, 2, 64, 96)]


def things(likely: Field, met: Field, **piece: float) -> list[list[float]]:
    return boxes_of(pieces_of(likely, met, replace(PIECE, **piece))).tolist()


def test_pieces_that_faint_pixels_join_are_one_and_crumbs_and_faint_parts_are_none() -> None:
    likely, meeting = np.zeros((2, 60, 80), dtype=np.float32)
    likely[10:30, 10:30] = likely[10:14, 34:40] = likely[40:42, 40:43] = 1
    likely[40:50, 60:70] = 0.7
    assert things(likely, meeting) == [[10, 10, 30, 30], [34, 10, 40, 14]]
    assert len(things(likely, meeting, fewest=6)) == len(things(likely, meeting, sure=0.6)) == 3
    likely[11, 30:34] = 0.2
    assert things(likely, meeting) == [[10, 10, 40, 30]]
    assert len(things(likely, meeting, joined=0.3)) == len(things(likely, meeting, part=0.05)) == 2


def test_where_two_things_meet_they_are_parted() -> None:
    likely, meeting = np.zeros((2, 60, 80), dtype=np.float32)
    likely[10:30, 10:50], meeting[10:30, 28:32] = 1, 0.6
    assert things(likely, meeting) == [[10, 10, 30, 30], [30, 10, 50, 30]]
    assert len(things(likely, meeting, meeting=0.7)) == 1
