"""Played games as programs: names over time, and clauses of one picture as clauses of each frame."""

from itertools import permutations

import numpy as np

from predinet_prolog.bridge.episodes import Frame, follow, write_episode
from predinet_prolog.bridge.program import ImageInfo, make_program
from predinet_prolog.bridge.scene import Scene, Thing
from predinet_prolog.bridge.vocabulary import Dialect
from predinet_prolog.bridge.writers.header import warnings_of
from predinet_prolog.domains.detections.outlines import Polygons
from predinet_prolog.domains.domain import Inspection
from predinet_prolog.domains.zones import Zones
from predinet_prolog.neural.model import NO_MODEL
from predinet_prolog.symbolic import theory
from tests.asking import answers

WHITE, GREEN = (240, 240, 240), (90, 180, 90)
SIDE = 100
DOCK = np.array([[100, 0], [200, 0], [200, 240], [100, 240]], float)
ZONES = Zones("zones.json", {"dock": Polygons((DOCK,))}, "")


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


def test_an_episode_answers() -> None:
    """A white thing goes right, 5 pixels a step, past a green one; the program of every other frame."""
    frames = [Frame(t, frame(("ob_7", 10 + 5 * t, 50, WHITE), ("ob_3", 30, 60, GREEN))) for t in (0, 2, 4, 6)]
    text = write_episode(frames, about={"game": "toy"}, side=SIDE, warnings=["a doubt"])
    assert text == write_episode(frames, about={"game": "toy"}, side=SIDE, warnings=["a doubt"])
    assert warnings_of(text) == ("a doubt",)
    assert answers(text, "next(T, U)") == [[0, 2], [2, 4], [4, 6]]
    passing = answers(text, "at(T, left_of(X, Y)), at(T, colour(X, white))")
    assert passing == [[0, "ob_0", "ob_1"], [2, "ob_0", "ob_1"]]
    assert answers(text, "at(4, position(ob_0, X, Y))") == [[30.0, 50.0]]
    assert answers(text, "at(6, score(S))") == [[3.0]]
    told = {fact["functor"] for (fact,) in answers(text, "at(0, F)")}
    assert told >= {"object", "box", "gap", "closest", "same_size", "palette"}
    assert "pa_0" not in text


def facts_of(*things: Thing) -> dict:
    """Facts of things that were given."""
    scene = Scene(things, Inspection(0.0, None, 0.0), (320, 240), given=True, zones=ZONES)
    return dict(make_program(scene, model=NO_MODEL, image=ImageInfo("film", "", 320, 240)).facts)


def told(*things: tuple[str, float, float, str, int | str | None]) -> dict:
    """Those of things 20 pixels wide and high: name, x, y, category and track."""
    wide = (
        Thing(name, np.array([x - 10, y - 10, x + 10, y + 10]), None, np.empty(0), category=category, track=track)
        for name, x, y, category, track in things
    )
    return facts_of(*wide)


def test_a_track_is_one_thing_wherever_it_goes() -> None:
    """However far, however long it pauses; what has no track never takes its name, nor one of another category."""
    frames = [
        told(("ob_0", 20, 20, "person", 7), ("ob_1", 60, 20, "person", None), ("ob_2", 200, 200, "cart", None)),
        told(("ob_0", 24, 20, "person", None), ("ob_1", 62, 20, "person", None)),
        *[told()] * 9,
        told(("ob_0", 300, 200, "person", 7), ("ob_1", 20, 20, "person", None)),
        told(("ob_0", 20, 25, "cart", None), ("ob_1", 300, 205, "person", 7)),
    ]
    names = follow(frames, 320)
    assert (names[0], names[1]) == ({"ob_0": "ob_0", "ob_1": "ob_1", "ob_2": "ob_2"}, {"ob_0": "ob_3", "ob_1": "ob_1"})
    assert (names[11], names[12]) == ({"ob_0": "ob_0", "ob_1": "ob_4"}, {"ob_0": "ob_5", "ob_1": "ob_0"})


def test_sizes_tell_apart_what_changes_places() -> None:
    """A large and a small one, each with its middle where the other's was."""

    def frame(*boxes: tuple[float, float, float, float]) -> dict:
        return facts_of(*(Thing(f"ob_{n}", np.array(b, float), None, np.empty(0)) for n, b in enumerate(boxes)))

    large, small = (100, 50, 140, 90), (120, 80, 128, 88)
    names = follow([frame(large, small), frame((116, 66, 124, 74), (104, 64, 144, 104))], 320)
    assert names[1] == {"ob_0": "ob_1", "ob_1": "ob_0"}


def test_a_film_of_sixty_frames_answers() -> None:
    """Person 7 goes right at 5 pixels a frame, through the dock, and is lost for three frames there; cart 9 waits in
    the dock until frame 40 and goes; both meet. Every second frame the file tells them the other way round."""
    frames = []
    for t in range(1, 61):
        person = ("person", 5.0 * t, 100.0, "person", 7)
        cart = ("cart", 150.0 if t < 40 else 150.0 + 6 * (t - 40), 130.0, "cart", 9)
        things = [cart] if 26 <= t <= 28 else [person, cart]
        named = [(f"ob_{n}", *thing[1:]) for n, thing in enumerate(things[:: 1 if t % 2 else -1])]
        frames.append(Frame(t, told(*named)))
    text = write_episode(
        frames, about={"film": "yard"}, side=320, dialect=Dialect(looked=False, given=True, zones=True)
    )
    assert "% What was seen in a film, frame by frame" in text

    def ask(goal: str) -> list[tuple[object, ...]]:
        return list(map(tuple, answers(text, goal, theory("episodes"), theory("intervals"))))

    assert ask("at(1, category(X, C))") == [("ob_0", "person"), ("ob_1", "cart")]
    assert ask("enters(X, Z, T)") == [("ob_0", "dock", 21)]  # its middle is beyond x = 100
    assert ask("leaves(X, Z, T)") == [("ob_0", "dock", 40), ("ob_1", "dock", 49)]
    assert ask("stays(X, dock, T1, T2)") == [("ob_1", 1, 48), ("ob_0", 21, 39)]
    assert ask("stays(ob_0, dock, A, B), stays(ob_1, dock, C, D), allen(R, A-B, C-D)")[0][-1] == "during"
    assert ask("lasts(po(ob_0, ob_1), A, B)") == []
    assert ask("lasts(left_of(ob_1, ob_0), A, _), A > 1")[0] == (32,)  # by more than a quarter of their size
    assert ask("approaches(T, ob_0, ob_1), T < 5, at(T, dc(ob_0, ob_1))") == [(1,), (2,), (3,), (4,)]
    assert ask("at(30, distance(ob_0, ob_1, D))") == [(10.0,)]
    assert ask("at(T, track(ob_1, 9)), T > 59") == [(60,)]
