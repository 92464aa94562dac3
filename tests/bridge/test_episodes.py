"""Played games as programs: names over time, and clauses of one picture as clauses of each frame."""

from itertools import permutations

import numpy as np

from bridge.clauses import rule
from bridge.episodes import Frame, at_steps, follow, write_episode
from bridge.writers.header import warnings_of
from bridge.writers.prolog import write_sections
from symbolic import Engine

WHITE, GREEN = (240, 240, 240), (90, 180, 90)
SIDE = 100


def frame(*things: tuple[str, float, float, tuple[int, int, int]]) -> dict:
    """Facts of things 4 pixels wide and high, and of a part of a thing, which nobody follows."""
    names, x, y, colours = [list(each) for each in zip(*things, strict=True)] if things else ([], [], [], [])
    px, py = np.array([*x, 1.0]), np.array([*y, 1.0])
    seen = [*names, "pa_0"]
    return {
        "object": [names],
        "position": [seen, px, py],
        "box": [seen, px - 2, py - 2, px + 2, py + 2],
        "colour": [seen, *([each[band] for each in [*colours, WHITE]] for band in range(3))],
        "touches": [[], []],
        "tolerance": [np.array([2.0])],
        "pixel": [np.array([1.0])],
        "score": [np.array([3.0])],
    }


def test_a_name_stands_for_one_thing_whatever_the_frames_call_it() -> None:
    """Two things cross; each goes the least way, and no further than a fifth of the side."""
    places = [[(10 + 3 * t, 20), (40 - 3 * t, 23)] for t in range(10)]
    for first, second in permutations(["ob_0", "ob_1"]):
        frames = [frame((first, *a, WHITE), (second, *b, GREEN)) for a, b in places]
        swapped = [frames[0], *(frame((second, *a, WHITE), (first, *b, GREEN)) for a, b in places[1:])]
        names = follow(swapped, SIDE)
        assert {each[second] for each in names[1:]} == {names[0][first]}
        assert {each[first] for each in names[1:]} == {names[0][second]}


def test_what_is_too_far_or_of_another_colour_or_long_gone_is_another() -> None:
    at = ("ob_0", 50.0, 50.0, WHITE)
    assert follow([frame(at), frame(("ob_0", 69.0, 50.0, WHITE))], SIDE)[1] == {"ob_0": "ob_0"}
    assert follow([frame(at), frame(("ob_0", 71.0, 50.0, WHITE))], SIDE)[1] == {"ob_0": "ob_1"}
    assert follow([frame(at), frame(("ob_0", 50.0, 50.0, GREEN))], SIDE)[1] == {"ob_0": "ob_1"}
    assert follow([frame(at), *[frame()] * 4, frame(at)], SIDE)[-1] == {"ob_0": "ob_0"}
    assert follow([frame(at), *[frame()] * 5, frame(at)], SIDE)[-1] == {"ob_0": "ob_1"}


def test_clauses_speak_of_a_frame() -> None:
    section = (
        rule("size X S", "object X; box X L T R B; S is max(R - L, B - T)"),
        rule("closest X Y", "centres_apart X Y D; \\+ nearer X D"),
        rule("nearer X D", "centres_apart X _ D0; D0 < D - 1"),
        rule("palette red 1 2 3"),
    )
    assert write_sections(at_steps([section])).splitlines() == [
        "at(Step, size(X, S)) :- at(Step, object(X)), at(Step, box(X, L, T, R, B)), S is max(R - L, B - T).",
        "at(Step, closest(X, Y)) :- at(Step, centres_apart(X, Y, D)), \\+ nearer(Step, X, D).",
        "nearer(Step, X, D) :- at(Step, centres_apart(X, _, D0)), D0 < D - 1.",
        "at(_, palette(red, 1, 2, 3)).",
    ]


def test_an_episode_answers() -> None:
    """A white thing goes right, 5 pixels a step, past a green one; the program of every other frame."""
    frames = [Frame(t, frame(("ob_7", 10 + 5 * t, 50, WHITE), ("ob_3", 30, 60, GREEN))) for t in (0, 2, 4, 6)]
    text = write_episode(frames, about={"game": "toy"}, side=SIDE, warnings=["a doubt"])
    assert text == write_episode(frames, about={"game": "toy"}, side=SIDE, warnings=["a doubt"])
    assert warnings_of(text) == ("a doubt",)
    with Engine(time_limit=10) as engine:

        def ask(goal: str) -> list[object]:
            return [answer.bindings for answer in engine.ask(text, goal).answers]

        assert ask("next(T, U)") == [{"T": 0, "U": 2}, {"T": 2, "U": 4}, {"T": 4, "U": 6}]
        assert ask("at(T, left_of(X, Y)), at(T, colour(X, white))") == [
            {"T": 0, "X": "ob_0", "Y": "ob_1"},
            {"T": 2, "X": "ob_0", "Y": "ob_1"},
        ]
        assert ask("at(4, position(ob_0, X, Y))") == [{"X": 30.0, "Y": 50.0}]
        assert ask("at(6, score(S))") == [{"S": 3.0}]
        told = {answer.bindings["F"]["functor"] for answer in engine.ask(text, "at(0, F)").answers}
        assert told >= {"object", "box", "gap", "closest", "same_size", "palette"}
    assert "pa_0" not in text
