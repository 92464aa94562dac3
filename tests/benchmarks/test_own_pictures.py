"""Pictures that judge are what they say, and the figures of a known seer are those counted by hand."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks import own_pictures, own_pictures_sets
from examples.own_pictures import make, show
from examples.own_pictures.parts import draw
from predinet_prolog.bridge import Scene, Thing
from predinet_prolog.domains.annotations import read_folder
from predinet_prolog.domains.domain import Annotated, Inspection, Truth
from predinet_prolog.symbolic import Engine

PICTURES = Path(make.__file__).parent / "pictures"


def truth_of(annotated: Annotated) -> Truth:
    assert annotated.truth is not None
    return annotated.truth


@pytest.mark.parametrize("kind", ["photographs", "texts", "textures"])
def test_what_must_be_warned_about_shows_something_all_over(kind: str) -> None:
    pictures = list(own_pictures.WARNED[kind](6, seed=5))
    assert len(pictures) == 6
    for picture in pictures:
        assert 96 <= min(picture.shape[:2]) <= 192
        for rows in np.array_split(picture.astype(int), 2):
            assert all(quarter.std(axis=(0, 1)).max() > 8 for quarter in np.array_split(rows, 2, axis=1))
    plain = np.full((99, 99, 3), 200, np.uint8)
    assert not own_pictures_sets.is_cluttered(plain)


def test_the_twenty_pictures_are_those_that_are_drawn() -> None:
    annotated = read_folder(PICTURES)
    truth = truth_of(annotated)
    assert len(annotated) == 20
    files = [PICTURES / name for name in annotated.names]
    assert {path.suffix for path in files} == {".png", ".jpg"}
    assert sum(path.stat().st_size for path in files) <= 1_200_000
    for number, path in enumerate(files):
        with Image.open(path) as image:
            assert 400 <= image.width <= 1600
        rows = truth.rows(number)
        looks = truth.attributes["look"][rows].tolist()
        assert 3 <= len(looks) <= 12
        assert len(set(looks)) < len(looks), path
        boxes = truth.boxes[rows]
        corner = np.maximum(boxes[:, None, :2], boxes[:, :2])
        shared_size = np.minimum(boxes[:, None, 2:], boxes[:, 2:]) - corner
        assert (shared_size.min(axis=2)[~np.eye(len(boxes), dtype=bool)] <= 0).all(), path
    scene = next(each for each in make.SCENES if each.file == "pips.png")
    picture, things = make.paint(scene)
    number = annotated.names.index(scene.file)
    assert [list(thing.box) for thing in things] == truth.boxes[truth.rows(number)].tolist()
    assert np.abs(np.asarray(picture).astype(int) - annotated.pictures[number]).max() < 40


def test_a_part_lies_where_it_is_said_and_colours_do_not_bleed() -> None:
    drawn = np.asarray(draw("box 0 0 50 100 100; disc #0000ff80 0 0 50 50", [(255, 0, 0)], (40, 20)))
    assert drawn.shape == (20, 40, 4)
    assert drawn[15, 20].tolist() == [255, 0, 0, 255]
    assert drawn[5, 10].tolist() == [0, 0, 255, 128]
    assert drawn[2, 35, 3] == 0
    edge = np.asarray(draw("box 0 0 0 49 100", [(255, 0, 0)], (5, 2)))[0, 2]
    assert edge[:3].tolist() == [255, 0, 0]
    assert 60 < edge[3] < 250
    with pytest.raises(ValueError, match="no part is called blob"):
        draw("blob 0 1 2 3 4", [(0, 0, 0)], (8, 8))


def test_the_page_names_what_is_wrong(tmp_path: Path) -> None:
    """Of four things the last is missed. The first two look the same; same/2 is said of the second and the third."""
    boxes = np.array([(10, 10, 30, 30), (40, 10, 60, 30), (70, 10, 90, 30), (10, 60, 30, 80)], float)
    looks = np.array([0, 0, 1, 1])
    picture = np.full((100, 200, 3), 255, np.uint8)
    truth = Truth(np.zeros(4, np.int64), boxes, {"look": looks, "shape": looks})
    annotated = Annotated(("some_things.png",), (picture,), truth)
    things = tuple(Thing(f"ob_{at}", box, (0, 0, 0), np.zeros(1)) for at, box in enumerate(boxes[:3]))
    scene = Scene(things, Inspection(0.0, None, 0.0), (200, 100))
    said = "same(ob_1, ob_2).\nsame(ob_2, ob_1).\nsame_size(ob_0, ob_1).\n"
    program = "".join(f"object({thing.name}).\n" for thing in things) + said
    with Engine() as engine:
        shown = show.judged(engine, scene, program, annotated, 0)
    assert (shown.missed, shown.spurious) == (1, [])
    assert (shown.wrongly["same"], shown.left_out["same"]) == ([(1, 2)], [(0, 1)])
    assert (shown.wrong("same"), shown.wrong("same_shape"), shown.wrong("same_size")) == (2, None, None)
    page = show.write_page([shown], annotated, tmp_path / "pictures")
    for line in (
        "| [some_things.png](#some-things) | 4 | 1 | 0 | 2 | – | – | – |  |",
        "Found without fault: 0 of 1. ",
        "![Some things](pictures/some_things.jpg)",
        "?- same(X, Y).   % X = ob_1, Y = ob_2",
        "- 1 of 4 things are missed",
        "- `same` is said, and is not true, of ob_1 and ob_2",
        "- `same` is true, and is not said, of ob_0 and ob_1",
    ):
        assert line in page
    with Image.open(tmp_path / "pictures" / "some_things.jpg") as image:
        assert image.width == 2 * image.height
        box = np.asarray(image)[: image.height // 2, : image.width // 5]
    assert (box[..., 1].astype(int) - box[..., 0] > 60).any()  # a green box
