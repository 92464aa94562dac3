"""One reader for COCO: what is taken as the boxes of a picture is taken of an annotated folder, and the other way
round; and a box of another picture is never one of this."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.perceiving.given import Choice, given_by
from predinet_prolog.domains.annotations import learnable, read_folder
from predinet_prolog.domains.detections.coco import parse
from predinet_prolog.domains.detections.table import Source
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.service.given import Told

WIDTH, HEIGHT = 60, 40
COMPOSED, APART = "caf\u00e9.png", "cafe\u0301.png"


def image(name: str = "b.png", key: object = 2, **more: object) -> dict[str, Any]:
    return {"id": key, "file_name": name, **more}


def thing(box: object = (5, 6, 7, 8), key: object = 2, **more: object) -> dict[str, Any]:
    return {"image_id": key, "bbox": box, **more}


def coco(*things: dict[str, Any], images: list[dict[str, Any]] | None = None, **more: object) -> dict[str, Any]:
    """Things of b.png, and one of a.png."""
    listed = [image("a.png", 1), image()] if images is None else [image("a.png", 1), *images]
    return {"images": listed, "annotations": [thing((1, 1, 9, 9), 1), *things], **more}


def result(name: str | None = None, box: object = (5, 6, 7, 8), key: object = None) -> dict[str, Any]:
    """An entry of COCO's results."""
    return {"bbox": box} | ({} if key is None else {"image_id": key}) | ({} if name is None else {"file_name": name})


BOX = [5, 6, 12, 14]
CASES = json.loads(Path(__file__).with_name("coco.json").read_text(encoding="utf-8"))
"""Documents, and what is taken of them or said of what is wrong."""


def write(folder: Path, document: Any, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        Image.new("RGB", (WIDTH, HEIGHT)).save(folder / name)
    text = document if isinstance(document, str) else json.dumps(document)
    (folder / "annotations.json").write_text(text, encoding="utf-8")
    return folder


def boxes(document: Any, name: str = "b.png") -> tuple[list[list[float]], tuple[str, ...]]:
    text = document if isinstance(document, str) else json.dumps(document)
    given = given_by(parse(text, "mine.json"), name, (WIDTH, HEIGHT), Choice(some=True))
    return [list(thing.box) for thing in given.things], given.notes


@pytest.mark.parametrize("case", CASES["taken"])
def test_both_doors_take_the_same(case: str, tmp_path: Path) -> None:
    document, expected = CASES["taken"][case]
    assert boxes(document)[0] == expected
    annotated = read_folder(write(tmp_path, document, "a.png", "b.png"))
    np.testing.assert_array_equal(
        annotated.truth.boxes[annotated.truth.image == annotated.names.index("b.png")], expected
    )


@pytest.mark.parametrize("case", CASES["refused"])
def test_both_doors_refuse_the_same(case: str, tmp_path: Path) -> None:
    document, message = CASES["refused"][case]
    with pytest.raises((BoxesError, DomainError)) as at_one:
        boxes(document)
    with pytest.raises(DomainError) as at_other:
        read_folder(write(tmp_path, document, "a.png", "b.png", COMPOSED))
    for error in (at_one, at_other):
        assert message in str(error.value)
        assert "\n" not in str(error.value)


def test_notes_say_what_was_done(tmp_path: Path) -> None:
    document = coco(
        thing((50, 30, 15, 20)), thing(iscrowd=1), thing(), images=[image(width=None, height="40"), image("c.png", 3)]
    )
    assert boxes(document)[1] == tuple(CASES["notes of boxes"])
    folder = read_folder(write(tmp_path, document, "a.png", "b.png", "c.png"))
    assert folder.notes == tuple(CASES["notes of a folder"])


@pytest.mark.parametrize(("document", "name", "message"), CASES["of another picture"])
def test_boxes_of_another_picture_are_refused(document: Any, name: str, message: str) -> None:
    with pytest.raises((BoxesError, DomainError)) as error:
        boxes(document, name)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([[10, 20, 30.5, 40], [0, 0, 60, 40]], [[10, 20, 30.5, 40], [0, 0, 60, 40]]),
        ([{"bbox": [10, 20, 30, 10], "area": 3}, [10, 20, 30, 40]], [[10, 20, 40, 30], [10, 20, 30, 40]]),
        ([[1, 1, 2, 2]] * 200, [[1, 1, 2, 2]] * 200),
        (coco(thing(), thing((2, 2, 9, 9), 3), images=[image("in/b.png"), image("b.png", 3)]), [[2, 2, 11, 11]]),
    ],
)
def test_boxes_of_one_picture_are_taken(document: Any, expected: list[list[float]]) -> None:
    """Corners or sides, as many as are taken, and of an exact name before one in a folder."""
    assert boxes(document) == (expected, ())


@pytest.mark.parametrize(
    ("document", "message"),
    [
        *CASES["wrong"],
        ("[" * 100_000, "is not JSON"),
        ([[1, 1, 2, 2]] * 201, "has 201 boxes for b.png: at most 200 are taken; crop the picture"),
        ("[[1, 2, 1" + "0" * 4000 + ", 4]]", "box 1 of mine.json has a number that is none"),
    ],
)
def test_what_is_wrong_with_boxes_is_one_line(document: Any, message: str) -> None:
    with pytest.raises((BoxesError, DomainError)) as error:
        boxes(document)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_a_list_may_be_of_one_picture_without_its_name(tmp_path: Path) -> None:
    for document in ([BOX], [result(key="b")]):
        assert boxes(document)[0] == [BOX]
    annotated = read_folder(write(tmp_path, [BOX], "b.png"))
    assert (annotated.names, annotated.truth.boxes.tolist()) == (("b.png",), [BOX])
    with pytest.raises(DomainError, match="has boxes of 1 picture without a name, and there are 2 pictures"):
        read_folder(write(tmp_path, [BOX], "c.png"))


@pytest.mark.parametrize(("document", "pictures", "message"), CASES["folders"])
def test_a_folder_takes_what_names_its_picture(document: Any, pictures: list[str], message: str | None) -> None:
    if message is None:
        parse(json.dumps(document), "mine.json").check_pictures(pictures)
        return
    with pytest.raises(DomainError) as error:
        parse(json.dumps(document), "mine.json").check_pictures(pictures)
    assert str(error.value).startswith(f"mine.json {message}")


def test_pictures_in_folders_have_their_own(tmp_path: Path) -> None:
    document = coco(thing(), thing((1, 1, 2, 2), 3), images=[image("x\\b.png"), image("y/b.png", 3)])
    assert (boxes(document, "x/b.png")[0], boxes(document, "y/b.png")[0]) == ([BOX], [[1, 1, 3, 3]])
    with pytest.raises((BoxesError, DomainError), match=r"has 2 images called b\.png"):
        boxes(document)
    annotated = read_folder(write(tmp_path, document, "in/a.png", "x/b.png", "y/b.png"))
    assert annotated.names == ("in/a.png", "x/b.png", "y/b.png")


@pytest.mark.parametrize(
    ("entries", "values"),
    [
        ([{"category_id": 2}, {"category_id": 1.0}, {"category_id": 9}, {}], ["star", "disc", "9", None]),
        ([{"category_id": 2, "attributes": {"hue": "red"}}, {"category_id": 1}], None),
    ],
)
def test_categories_are_an_attribute_where_there_is_none(
    tmp_path: Path, entries: list[dict[str, Any]], values: list[str | None] | None
) -> None:
    categories = [{"id": 1, "name": "disc"}, {"id": 2, "name": "star"}]
    document = {"images": [image()], "annotations": [thing(**entry) for entry in entries], "categories": categories}
    annotated = read_folder(write(tmp_path, document, "b.png"))
    if values is None:
        assert (list(annotated.truth.attributes), len(annotated.notes)) == (["hue"], 1)  # that categories are not read
        return
    words = annotated.words["category"]
    assert [None if n < 0 else words[n] for n in annotated.truth.attributes["category"]] == values
    assert learnable(tmp_path, annotated).truth is not None


def test_a_file_is_read_once_for_all_its_pictures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The work for one picture does not grow with the images: none of the others is looked at."""
    images = [image(f"x/{number}.png", number) for number in range(2000)]
    text = json.dumps({"images": images, "annotations": [thing(key=number) for number in range(2000)]})
    seen: list[str] = []
    things = Source.things
    monkeypatch.setattr(Source, "things", lambda self, own, size: seen.append(own.name) or things(self, own, size))
    monkeypatch.setattr("predinet_prolog.service.given.parse", lambda *given: seen.append("parse") or parse(*given))
    (tmp_path / "many.json").write_text(text)
    for number in (3, 1999):
        Told(tmp_path / "many.json", boxes=True)(f"{number}.png", (WIDTH, HEIGHT), looked=True)
    assert seen == ["parse", "x/3.png", "x/1999.png"]
