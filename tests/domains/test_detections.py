"""What detectors and annotators write, read into one table: every field of every format, as its own writer writes it;
and what is wrong is one line that names file and entry."""

import base64
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from predinet_prolog.domains.detections import (
    Detection,
    from_arrays,
    from_supervision,
    from_torchvision,
    open_detections,
)
from predinet_prolog.domains.detections.outlines import outline_of
from predinet_prolog.domains.errors import DomainError
from tests.pictures import encode

SIZE = (60, 40)
CLASSES = "names:\n- person\n- no\n- 'don''t'\n"


def write(folder: Path, files: Mapping[str, Any]) -> Path:
    """The one file, else the folder of several."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text if isinstance(text, str) else json.dumps(text), "utf-8", "surrogateescape")
    return folder / next(iter(files)) if len(files) == 1 else folder


def told(thing: Detection) -> dict[str, Any]:
    """What is told of a thing but for its place; of its outline the number of pixels."""
    fields: dict[str, Any] = {name: getattr(thing, name) for name in ("index", "category", "score", "track")}
    fields |= {
        "box": list(thing.box),
        "attributes": dict(thing.attributes),
        "keypoints": {name: [*place] for name, place in thing.keypoints.items()},
    }
    fields["pixels"] = None if thing.outline is None else int(thing.outline.mask(thing.box).sum())
    return {name: value for name, value in fields.items() if value not in (None, {})}


def coco(*things: dict[str, Any], name: str = "a.png", **more: Any) -> dict[str, Any]:
    categories = [{"id": 7, "name": "person", "keypoints": ["nose", "neck"]}, {"id": 90, "name": 'it\'s "{}"\n'}]
    things = tuple({"id": 5, "image_id": 1, "iscrowd": 0, "area": 1.0, **thing} for thing in things)
    image = {"id": 1, "file_name": name, "width": 60, "height": 40}
    return {"images": [image], "annotations": things, "categories": categories, **more}


def shapes(*things: dict[str, Any], path: str = "../pictures/a.png") -> dict[str, Any]:
    """LabelMe's file."""
    plain: dict[str, Any] = {"group_id": None, "description": "", "flags": {}, "shape_type": "polygon"}
    listed = [{"label": "person", **plain, **thing} for thing in things]
    return {"version": "5.5.0", "flags": {}, "shapes": listed, "imagePath": path, "imageData": "x" * 99} | {
        "imageHeight": 40,
        "imageWidth": 60,
    }


def voc(*boxes: tuple[object, ...], more: str = "", name: str = "a.png", head: str = "") -> str:
    sides = ("xmin", "ymin", "xmax", "ymax")
    boxed = ["".join(f"<{side}>{value}</{side}>" for side, value in zip(sides, box, strict=True)) for box in boxes]
    objects = "".join(f"<object><name>person</name>{more}<bndbox>{box}</bndbox></object>" for box in boxed)
    size = "<size><width>60</width><height>40</height><depth>3</depth></size>"
    return f"{head}<annotation><filename>{name}</filename>{size}{objects}</annotation>"


def mask(*rows: str) -> str:
    """LabelMe's mask: a PNG in base64."""
    return base64.b64encode(encode(np.array([[sign == "x" for sign in row] for row in rows]))).decode()


SIDES = [5, 6, 7, 8]
YOLO = "0 0.141667 0.25 0.116667 0.2"  # rounded to six digits, as ultralytics does
PERSON = {"box": [5, 6, 12, 14], "category": "person"}
WRITERS: dict[str, Callable[..., Any]] = {"coco": coco, "shapes": shapes, "voc": voc, "mask": mask}


def made(told: Any) -> Any:
    """What a case of detections.json tells: {"coco": [...], ...} is what `coco` writes of that."""
    if isinstance(told, list):
        return [made(value) for value in told]
    if not isinstance(told, dict):
        return told
    values = {name: made(value) for name, value in told.items()}
    name, *_ = *values, ""
    return WRITERS[name](*values.pop(name), **values) if name in WRITERS and isinstance(values[name], list) else values


CASES = json.loads(Path(__file__).with_name("detections.json").read_text(encoding="utf-8"))
RUNS = {"coco": [{"bbox": SIDES, "segmentation": {"size": [40, 60], "counts": [10**8] * 99}}]}
CASES["refused"] |= {
    "endless runs": [{"a.json": RUNS}, "is neither polygons nor runs"],
    "deep XML": [{"a.xml": "<annotation>" + "<a>" * 10**5}, "a.xml is not XML that can be read"],
}


def read(files: Mapping[str, Any], folder: Path, picture: str = "a.png", size: tuple[int, int] = SIZE) -> Any:
    """The detected things of a picture; classes.json is the file of classes, what comes first is opened, or all."""
    write(folder, files)
    first, *more = (name for name in files if name not in ("classes.json", "classes.txt", "data.yaml"))
    path = folder if more else folder / first
    return open_detections(path, classes=folder / "classes.json" if "classes.json" in files else None).of(picture, size)


@pytest.mark.parametrize("case", CASES["read"])
def test_what_is_written_is_read(case: str, tmp_path: Path) -> None:
    files, expected = made(CASES["read"][case])
    frame = case in ("mot", "mot's ground truth", "a tracker's", "supervision's JSON")
    picture = "img1/000001.jpg" if frame else "data/pictures/a.png"
    rows = [told(thing) for thing in read(files, tmp_path, picture).things]
    for row in rows:
        row["box"] = [round(side, 4) for side in row["box"]]
    assert rows == [{"index": 0} | row for row in expected]


@pytest.mark.parametrize("case", CASES["refused"])
def test_what_is_wrong_is_one_line(case: str, tmp_path: Path) -> None:
    files, message = made(CASES["refused"][case])
    with pytest.raises(DomainError) as error:
        read(files, tmp_path, {"gt": "1.png", "b.": "8.png"}.get(next(iter(files))[:2], "a.png"))
    assert message.replace("DIR", str(tmp_path)) in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(("files", "count", "note"), made(CASES["noted"]))
def test_what_was_left_out_or_changed_is_said(
    files: dict[str, Any], count: int, note: str | None, tmp_path: Path
) -> None:
    detected = read(files, tmp_path)
    assert (len(detected.things), detected.notes) == (count, () if note is None else (note,))


def test_one_of_the_pictures_is_named(tmp_path: Path) -> None:
    source = open_detections(write(tmp_path, {"b.txt": YOLO, "c.txt": "", "classes.txt": "person"}))
    source.check_pictures(["a.png", "b.png"])
    assert (source.missing(["a.png", "b.png"]), source.missing(["a.png"])) == ([], ["b"])  # c has no boxes
    with pytest.raises(DomainError, match=r"has no image called a\.png: it has b, c; name one file so"):
        source.check_pictures(["a.png"])
    with pytest.raises(DomainError, match=r"has an image called b, which may be b\.png or b\.jpg"):
        source.check_pictures(["b.png", "b.jpg"])


def test_a_folder_is_not_left_by_links(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text(YOLO)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").symlink_to(tmp_path / "out.txt")
    with pytest.raises(DomainError, match=r"in: a\.txt is outside of the folder"):
        open_detections(tmp_path / "in")


@pytest.mark.parametrize("number", ["0", "1"])
def test_frames_and_pictures_count_from_the_same_number(number: str, tmp_path: Path) -> None:
    source = open_detections(write(tmp_path, {"a.txt": f"{number},1,1,1,9,9\n2,1,1,1,9,9\n"}))
    source.check_pictures([f"{number}.png", "2.png"])
    with pytest.raises(DomainError, match=f"counts frames from {number}, and the pictures' names count from"):
        source.check_pictures([f"{1 - int(number)}.png", "2.png"])


def test_many_boxes_of_one_picture(tmp_path: Path) -> None:
    assert len(read({"a.json": coco(*[{"bbox": SIDES}] * 20_000)}, tmp_path).things) == 20_000


BOXES = np.array([[5, 6, 12, 14], [1, 1, 9, 9]], dtype=np.float32)
MASKS = np.zeros((2, 40, 60))
MASKS[0, 7:9, 6:9] = 1
FIRST = PERSON | {"index": 0, "score": 0.5}


def test_what_a_program_has_at_hand() -> None:
    given = SimpleNamespace(xyxy=BOXES, mask=MASKS > 0, confidence=np.array([0.5, 1]), class_id=np.array([0, 1]))
    given.tracker_id = np.array([7, 8])
    given.data = {"class_name": np.array(["person", "no"]), "zone": np.array([3, 4])}
    detected = from_supervision(given, SIZE)
    assert told(detected.things[0]) == FIRST | {"track": 7, "attributes": {"zone": 3}, "pixels": 6}
    given.data = {"corners": np.zeros((2, 4, 2))}
    detected = from_supervision(given, SIZE, names=["person", "no"])
    assert (detected.things[1].category, detected.notes) == ("no", ('2 of 2 boxes have "corners", which is not read',))
    output = {"boxes": BOXES, "labels": np.array([1, 2]), "scores": np.array([0.5, 0.25]), "masks": MASKS[:, None]}
    output["keypoints"] = np.array([[[6, 7, 1]], [[0, 0, 0]]])
    detected = from_torchvision(output, SIZE, names=["__background__", "person", "no"])
    assert told(detected.things[0]) == FIRST | {"keypoints": {"0": [6, 7]}, "pixels": 6}
    assert from_torchvision(output, SIZE, names=["person", "no"]).things[0].category == "person"
    assert from_arrays([], SIZE).things == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"boxes": BOXES[:, :3]}, "boxes must be of the shape (n, 4), not (2, 3)"),
        ({"scores": [0.5]}, "scores has 1 entries, and there are 2 boxes"),
        ({"masks": MASKS[:, :9]}, "masks must be of the shape (2, 40, 60), n, height, width, not (2, 9, 60)"),
        ({"boxes": BOXES / 60}, "box 0 of the arrays is 0.116667 wide"),
        ({"boxes": None}, "boxes must be of the shape (n, 4), not ()"),
        ({"categories": np.array([3, 4])}, "box 0 of the arrays: its category must be text, not 3: give the names"),
        ({"keypoints": [{}, {"nose": (1, np.nan)}]}, "box 1 of the arrays: its keypoint nose is not x and y in pixels"),
        ({"scores": [0.5, np.nan]}, "box 1 of the arrays: its score must be a number from 0 to 1, not NaN"),
    ],
)
def test_arrays_that_do_not_fit(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(DomainError) as error:
        from_arrays(**{"boxes": BOXES, "size": SIZE, **arguments})
    assert message in str(error.value)


@pytest.mark.parametrize("seed", range(5))
def test_polygons_are_drawn_by_the_middles_of_pixels(seed: int) -> None:
    """Against matplotlib's own test of points, even-odd as well."""
    from matplotlib.path import Path as Line

    corners = np.random.default_rng(seed).uniform(-5, 45, (9, 2))
    outline = outline_of([corners.reshape(-1).tolist()], *SIZE)
    rows, columns = np.mgrid[3:31, 2:38]
    middles = np.stack([columns.ravel(), rows.ravel()], axis=1) + 0.5
    inside = Line([*corners, corners[0]]).contains_points(middles).reshape(rows.shape)
    np.testing.assert_array_equal(outline.mask((2.5, 3.5, 37.5, 30.5)), inside)


def test_runs_are_those_of_pycocotools() -> None:
    """Its text of a mask of three columns, whose differences are negative, too."""
    outline = outline_of({"size": [7, 3], "counts": "123OO20O01"}, 3, 7)
    expected = ["..x", "x.x", "xx.", ".x.", ".xx", "..x", "x.x"]
    np.testing.assert_array_equal(outline.mask((0, 0, 3, 7)), [[sign == "x" for sign in row] for row in expected])
    assert outline.corners == (0, 0, 3, 7)
