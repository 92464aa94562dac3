"""The truth of Pong, by bytes made by hand, and against pixels where the emulator is there."""

import numpy as np
import pytest

from benchmarks.pong import Truth, compare, errors, events, middle, true_answers, truth_of
from bridge.episodes import Frame

COLOURS = {"ball": (236, 236, 236), "mine": (92, 186, 92), "others": (213, 130, 74)}


def memory(**bytes_: int) -> list[int]:
    at = {"ball_x": 49, "ball_y": 54, "mine_y": 51, "others_y": 50, "others_score": 13, "my_score": 14}
    ram = [0] * 128
    for name, value in bytes_.items():
        ram[at[name]] = value
    return ram


def test_bytes_are_boxes_cut_at_the_rim_of_the_field() -> None:
    truth = truth_of(memory(ball_x=149, ball_y=114, mine_y=40, others_y=100, others_score=3, my_score=1))
    assert truth.sprites == {
        "ball": (100, 100, 102, 104),
        "mine": (140, 34, 144, 43),
        "others": (16, 85, 20, 101),
    }
    assert truth.scores == (3, 1)
    assert {*truth_of(memory(mine_y=100)).sprites} == {"mine"}


def game(*balls: tuple[float, float] | None, scores: dict[int, tuple[int, int]] | None = None) -> list[Truth]:
    """What the memory says with the ball's corner there, frame by frame of the emulator."""
    paddle = {"mine": (140.0, 60.0, 144.0, 76.0)}
    found, score = [], (0, 0)
    for number, ball in enumerate(balls):
        score = (scores or {}).get(number, score)
        there = {} if ball is None else {"ball": (*ball, ball[0] + 2, ball[1] + 4)}
        found.append(Truth({**paddle, **there}, score))
    return found


def test_the_ball_turns_at_a_paddle_and_at_a_wall() -> None:
    truths = game((130, 50), (134, 52), (138, 54), (134, 52), (130, 50), (126, 52))
    assert [(when, ball[:2]) for when, ball, _ in events(truths, 0)] == [(0.5, (134, 52))]
    assert [when for when, _, _ in events(truths, 1)] == [0.5, 1.0]
    truths = game(*[(100 + 4 * t, 60) for t in range(9)], *[None] * 3, None, scores={11: (1, 0)})
    answers = true_answers(truths, 3)
    assert answers == {"returned": [], "bounced": [], "missed": [2.0], "comes": [0, 1], "level": [0, 1, 2]}


def test_answers_are_matched_one_for_one() -> None:
    assert compare([1, 2, 9], [1.5, 7.5], 1) == {"answers": 3, "true": 2, "right": 1}


def test_errors_are_of_the_nearest_object() -> None:
    facts = {"object": [["ob_0"]], "position": [["ob_0", "pa_0"], np.array([104.0, 101.0]), np.array([56.0, 52.0])]}
    measured = errors([Frame(0, facts)], game((100, 50)))
    assert measured["ball"] == {"frames": 1, "median": 5.0, "found": 0}
    assert "others" not in measured


def test_the_memory_says_where_the_sprites_are() -> None:
    pytest.importorskip("ale_py", reason="needs the extra `atari`")
    from benchmarks.pong import played

    frames, truths = played(60, seed=5)
    told = 0
    for step, frame in enumerate(frames[10:], 10):
        for name, box in truths[4 * step].sprites.items():
            rows, columns = np.nonzero((frame[34:194] == COLOURS[name]).all(2))
            own = columns >= 120 if name == "mine" else columns < 40 if name == "others" else columns >= 0
            x = (columns[own].min() + columns[own].max() + 1) / 2
            y = 34 + (rows[own].min() + rows[own].max() + 1) / 2
            assert (x, y) == pytest.approx(middle(box), abs=1.01), (step, name)
            told += 1
    assert told > 100
