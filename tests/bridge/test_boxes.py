"""Boxes that a user gives: taken in the picture's own pixels, or refused in a line that says which and what to do."""

import json
from typing import Any

import pytest

from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.perceiving.given import Choice, Given, given_by
from predinet_prolog.domains.detections.coco import parse as parse_text
from predinet_prolog.domains.errors import DomainError

WIDTH, HEIGHT = 640, 480


def parse(document: Any, *, image: str = "b.png") -> Given:
    text = document if isinstance(document, str) else json.dumps(document)
    return given_by(parse_text(text, "mine.json"), image, (WIDTH, HEIGHT), Choice(some=True))


def corners(given: Given) -> list[list[float]]:
    return [list(thing.box) for thing in given.things]


def coco(*images: dict[str, Any], **boxes: list[Any]) -> dict[str, Any]:
    """Images, and by their ids, which are letters here, their boxes."""
    annotations = [
        {"id": 10 * number, "image_id": name, "bbox": box, "category_id": 1, "segmentation": [[1, 2, 3]]}
        for name, own in boxes.items()
        for number, box in enumerate(own)
    ]
    return {"info": {}, "images": list(images), "annotations": annotations}


A, B = {"id": "a", "file_name": "a.png"}, {"id": "b", "file_name": "in/b.png", "width": WIDTH, "height": HEIGHT}
TAKEN = {
    "corners": ([[10, 20, 30.5, 60], [0, 0, 640, 480]], [[10, 20, 30.5, 60], [0, 0, 640, 480]]),
    "sides": ([{"bbox": [10, 20, 30, 40], "area": 3}], [[10, 20, 40, 60]]),
    "both": ([{"bbox": [10, 20, 30, 40]}, [10, 20, 30, 40]], [[10, 20, 40, 60], [10, 20, 30, 40]]),
    "coco by name": (coco(A, B, a=[[1, 1, 9, 9]], b=[[5, 6, 7, 8], [2, 2, 2, 2]]), [[5, 6, 12, 14], [2, 2, 4, 4]]),
    "an exact name before one in a folder": (
        coco(B, {"id": "c", "file_name": "b.png"}, b=[[1, 1, 9, 9]], c=[[2, 2, 9, 9]]),
        [[2, 2, 11, 11]],
    ),
    "as many as are taken": ([[1, 1, 2, 2]] * 200, [[1, 1, 2, 2]] * 200),
}


@pytest.mark.parametrize("case", TAKEN)
def test_boxes_are_taken(case: str) -> None:
    document, wanted = TAKEN[case]
    given = parse(document)
    assert corners(given) == wanted
    assert given.notes == ()


def test_a_box_over_the_rim_is_cut_there_and_said() -> None:
    given = parse([[-5, 10, 20, 30], [600, 400, 700, 1e6], [1, 1, 5, 5]])
    assert corners(given) == [[0, 10, 20, 30], [600, 400, 640, 480], [1, 1, 5, 5]]
    assert given.notes == ("2 of 3 boxes reached over the picture's rim: cut off there",)


REFUSED = {
    "no JSON": (
        "[[1, 2",
        r"mine.json is not JSON that can be read \(.*\): a list of boxes \[left, top, right, bottom\]",
    ),
    "nothing": ("", "is not JSON"),
    "deep": ("[" * 100_000, "is not JSON"),
    "a number": (7, "is neither a list nor an object: a list"),
    "empty": ([], "has no box for b.png: give one at least, or none to have its things found"),
    "too many": ([[1, 1, 2, 2]] * 201, "has 201 boxes for b.png: at most 200 are taken; crop the picture"),
    "NaN": ("[[1, 2, NaN, 4]]", "box 1 of mine.json has a number that is none"),
    "infinite": ("[[1, 2, 1e999, 4]]", "box 1 of mine.json has a number that is none"),
    "huge": ("[[1, 2, 1" + "0" * 4000 + ", 4]]", "box 1 of mine.json has a number that is none"),
    "three": ([[9, 9, 99, 99], [1, 2, 3]], r"box 2 of mine.json is not four numbers: \[left, top, right, bottom\] was"),
    "text": ([["1", 2, 3, 4]], "box 1 of mine.json is not four numbers"),
    "truth": ([[True, 2, 3, 4]], "box 1 of mine.json is not four numbers"),
    "null": ([None], "box 1 of mine.json is not four numbers"),
    "no bbox": ([{"box": [1, 2, 3, 4]}], r'is not four numbers: "bbox": \[left, top, width, height\] was expected'),
    "no area": ([[9, 9, 99, 99], [5, 5, 5, 50]], "box 2 of mine.json is 0 wide and 45 high, less than a pixel"),
    "turned": (
        [[50, 5, 20, 50]],
        r"box 1 of mine.json is -30 wide .*\[left, top, right, bottom\] was expected, in pix",
    ),
    "shares": ([[0.1, 0.1, 0.4, 0.5]], "box 1 of mine.json is 0.3 wide and 0.4 high, less than a pixel"),
    "no width": ([{"bbox": [5, 5, 0, 9]}], "box 1 of mine.json is 0 wide and 9 high"),
    "outside": ([[700, 5, 800, 50]], r"box 1 of mine.json, from 700, 5, 800, 50 as .*, lies outside .* 640x480 pixels"),
    "all but outside": ([[639.5, 5, 800, 50]], "lies outside"),
    "no images": ({"annotations": []}, "mine.json lacks the lists images and annotations that COCO has"),
    "images of no kind": ({"images": [1], "annotations": []}, r"mine.json: images\[0\]: file_name must be text"),
    "one image, called otherwise": (coco(A, a=[[1, 1, 9, 9]]), "has no images called b.png: it has a.png; name one"),
    "another's": (coco(A, {**B, "file_name": "c.png"}), "has no images called b.png: it has a.png, c.png; name one"),
    "twice": (coco(A, B, {**B, "id": "c", "file_name": "x/b.png"}), "has 2 images called b.png"),
    "none of it": (coco(A, B, a=[[1, 1, 9, 9]]), "mine.json has no box for b.png"),
    "of another size": (
        coco({**B, "width": 480, "height": 640}, b=[[1, 1, 9, 9]]),
        "b.png is 640x480 pixels upright, not of width 480: annotate",
    ),
    "COCO's, without area": (
        coco(A, B, b=[[1, 1, 9, 9], [1, 1, -9, 9]]),
        r"mine.json: annotations\[1\] is -9 wide and 9 high",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_named(case: str) -> None:
    document, message = REFUSED[case]
    with pytest.raises((BoxesError, DomainError), match=message) as caught:
        parse(document)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
