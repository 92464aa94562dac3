"""What detectors and annotators write, read into one table: every field of every format, as its own writer writes it;
and what is wrong is one line that names file and entry."""

import base64
import io
import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.domains.detections import (
    Detection,
    from_arrays,
    from_supervision,
    from_torchvision,
    open_detections,
)
from predinet_prolog.domains.detections.outlines import outline_of
from predinet_prolog.domains.errors import DomainError

SIZE = (60, 40)
CLASSES = "names:\n- person\n- no\n- 'don''t'\n"


def write(folder: Path, files: Mapping[str, Any]) -> Path:
    """The one file, else the folder of several."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder / next(iter(files)) if len(files) == 1 else folder


def told(thing: Detection) -> dict[str, Any]:
    """What is told of a thing but for its place; of its outline the number of pixels."""
    fields: dict[str, Any] = {name: getattr(thing, name) for name in ("index", "category", "score", "track")}
    fields |= {"box": list(thing.box), "attributes": dict(thing.attributes), "keypoints": dict(thing.keypoints)}
    fields["pixels"] = None if thing.outline is None else int(thing.outline.mask(thing.box).sum())
    return {name: value for name, value in fields.items() if value not in (None, {})}


def coco(*things: dict[str, Any], name: str = "a.png", **more: Any) -> dict[str, Any]:
    categories = [{"id": 7, "name": "person", "keypoints": ["nose", "neck"]}, {"id": 90, "name": 'it\'s "{}"\n'}]
    things = tuple({"id": 5, "image_id": 1, "iscrowd": 0, "area": 1.0, **thing} for thing in things)
    image = {"id": 1, "file_name": name, "width": 60, "height": 40}
    return {"images": [image], "annotations": things, "categories": categories, **more}


def shapes(*things: dict[str, Any], path: str = "../pictures/a.png") -> dict[str, Any]:
    """LabelMe's file."""
    plain = {"group_id": None, "description": "", "flags": {}, "shape_type": "polygon"}
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
    file = io.BytesIO()
    Image.fromarray(np.array([[sign == "x" for sign in row] for row in rows])).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


BOX = {"box": [5, 6, 12, 14]}
SIDES = [5, 6, 7, 8]
PERSON = BOX | {"category": "person"}
YOLO = "0 0.141667 0.25 0.116667 0.2"  # rounded to six digits, as ultralytics does
OUTLINE = "0.083333 0.15 0.2 0.15 0.2 0.35 0.083333 0.35"
HEAD = "x_min,y_min,x_max,y_max,class_id,confidence,tracker_id"
CORNERS = {"x_min": 5.0, "y_min": 6.0, "x_max": 12.0, "y_max": 14.0}
L_SHAPE = [[5, 6, 7, 6, 7, 14, 5, 14], [9, 10, 12, 10, 12, 14, 9, 14]]
READ: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "coco": (
        {"a.json": coco({"bbox": SIDES, "category_id": 90, "track_id": 102, "attributes": {"K": "v", "n": 1.5}})},
        [BOX | {"category": 'it\'s "{}"\n', "track": 102, "attributes": {"K": "v", "n": 1.5}}],
    ),
    "coco, outlines": (
        {
            "a.json": coco(
                {"segmentation": L_SHAPE, "category_id": 7},
                {"segmentation": {"size": [40, 60], "counts": [405, 4, 36, 4, 1951]}, "bbox": [10, 5, 2, 4]},
                {"segmentation": {"size": [40, 60], "counts": "e<4T10kk1"}},
            )
        },
        [PERSON | {"pixels": 28}, *[{"box": [10, 5, 12, 9], "pixels": 8, "index": n} for n in (1, 2)]],
    ),
    "coco, keypoints": (
        {"a.json": coco({"bbox": SIDES, "category_id": 7, "keypoints": [6, 7, 2, 0, 0, 0], "num_keypoints": 1})},
        [PERSON | {"keypoints": {"nose": (6, 7)}}],
    ),
    "CVAT's brush and track": (
        {"a.json": coco({"bbox": SIDES, "iscrowd": 1, "attributes": {"occluded": False, "track_id": 3}})},
        [BOX | {"track": 3, "attributes": {"occluded": False}}],
    ),
    "coco's results": (
        {
            "results.json": [
                {"image_id": 9, "file_name": "pictures/b.png", "category_id": 1, "bbox": [1, 1, 5, 5], "score": 1},
                {"image_id": 4, "file_name": "a.png", "category_id": 0, "bbox": SIDES, "score": 0.91},
            ],
            "data.yaml": CLASSES,
        },
        [PERSON | {"index": 1, "score": 0.91}],
    ),
    "ultralytics' predictions": (
        {
            "predictions.json": [
                {"image_id": "b", "category_id": 0, "bbox": [1, 1, 5, 5], "score": 0.5},
                {"image_id": "a", "category_id": 2, "bbox": SIDES, "score": 0.5, "keypoints": [6, 7, 0.4]},
            ],
            "data.yaml": CLASSES,
        },
        [BOX | {"category": "don't", "index": 1, "score": 0.5, "keypoints": {"0": (6, 7)}}],
    ),
    "yolo": (
        {
            "labels/a.txt": f"{YOLO}\n\n1{YOLO[1:]} 0.91\n{YOLO} 1 102\n",
            "labels/b.txt": "",
            "data.yaml": CLASSES,
        },
        [PERSON, BOX | {"index": 2, "category": "no", "score": 0.91}, PERSON | {"index": 3, "score": 1, "track": 102}],
    ),
    "yolo, tracks alone": (
        {"a.txt": f"{YOLO} 1\n{YOLO} 2\n", "classes.txt": "person\n"},
        [PERSON | {"track": 1}, PERSON | {"index": 1, "track": 2}],
    ),
    "yolo, outlines": (
        {"a.txt": f"0 {OUTLINE}\n0 {OUTLINE} 0.5\n0 {OUTLINE} 0.5 7\n", "classes.txt": "person\r\n"},
        [
            PERSON | {"pixels": 56} | more
            for more in ({}, {"index": 1, "score": 0.5}, {"index": 2, "score": 0.5, "track": 7})
        ],
    ),
    "voc": (
        {"a.xml": voc((6, 7, 12, 14), more="<pose>Left</pose><truncated>0</truncated><confidence>0.5</confidence>")},
        [PERSON | {"score": 0.5, "attributes": {"pose": "Left", "truncated": 0}}],
    ),
    "voc from 0": (
        {"a.xml": voc((5, 6, 11, 13), (0, 6, 11, 13))},
        [PERSON, {"box": [0, 6, 12, 14], "category": "person", "index": 1}],
    ),
    "labelme": (
        {
            "in/a.json": shapes(
                {"points": [[12, 6], [5, 14]], "shape_type": "rectangle", "flags": {"new": True}, "description": "far"},
                {"points": [[20, 20], [20, 30]], "shape_type": "circle"},
                {"points": [[5, 6], [6, 8]], "shape_type": "mask", "mask": mask("x.", "xx", ".x")},
            ),
            "in/b.json": shapes(path="b.png"),
        },
        [
            PERSON | {"attributes": {"new": True, "description": "far"}},
            {"box": [10, 10, 30, 30], "category": "person", "index": 1, "pixels": 316},
            {"box": [5, 6, 7, 9], "category": "person", "index": 2, "pixels": 4},
        ],
    ),
    "labelme's groups": (
        {
            "a.json": shapes(
                {"points": [[6, 7]], "shape_type": "point", "group_id": 1, "label": "nose"},
                {"points": [[5, 6], [7, 6], [7, 14], [5, 14]], "group_id": 1},
                {"points": [[30, 20], [34, 20], [34, 25]]},
                {"points": [[9, 10], [12, 14]], "shape_type": "rectangle", "group_id": 1},
            )
        },
        [
            PERSON | {"index": 1, "keypoints": {"nose": (6, 7)}, "pixels": 28},
            {"box": [30, 20, 34, 25], "category": "person", "index": 2, "pixels": 10},
        ],
    ),
    "mot": (
        {
            "gt/gt.txt": "1,3,6,7,7,8,1,1,0.5\n2,3,1,1,7,8,1,1,1\n",
            "seqinfo.ini": "[Sequence]\nimWidth=60\nimHeight=40\n",
            "classes.json": {"1": "person"},
        },
        [PERSON | {"score": 1, "track": 3, "attributes": {"visibility": 0.5}}],
    ),
    "a tracker's": (
        {"a.txt": "0,1,1,1,7,8,0.5,-1,-1,-1\n1,-1,5,6,7,8,0.25,-1,-1,-1\n"},
        [BOX | {"index": 1, "score": 0.25}],
    ),
    "supervision's CSV": (
        {"a.csv": f'{HEAD},class_name,file_name,zone,bag\n5.0,6.0,12.0,14.0,1,0.91,3,person,a.png,007,"[[1, 2]]"\n'},
        [PERSON | {"score": 0.91, "track": 3, "attributes": {"zone": "007"}}],
    ),
    "supervision's JSON": (
        {"a.json": [{**CORNERS, "class_id": "", "confidence": "", "tracker_id": "", "frame_number": 1, "n": 4}]},
        [BOX | {"attributes": {"n": 4}}],
    ),
    "supervision's, of one picture": ({"a.csv": f"{HEAD}\n5.0,6.0,12.0,14.0,,,\n"}, [BOX]),
}


def read(files: Mapping[str, Any], folder: Path, picture: str = "a.png", size: tuple[int, int] = SIZE) -> Any:
    """The detected things of a picture; classes.json is the file of classes, what comes first is opened, or all."""
    write(folder, files)
    first, *more = (name for name in files if name not in ("classes.json", "classes.txt", "data.yaml"))
    path = folder if more else folder / first
    return open_detections(path, classes=folder / "classes.json" if "classes.json" in files else None).of(picture, size)


@pytest.mark.parametrize("case", READ)
def test_what_is_written_is_read(case: str, tmp_path: Path) -> None:
    files, expected = READ[case]
    frames = case in ("mot", "a tracker's", "supervision's JSON")
    rows = [
        told(thing) for thing in read(files, tmp_path, "img1/000001.jpg" if frames else "data/pictures/a.png").things
    ]
    for row in rows:
        row["box"] = [round(side, 4) for side in row["box"]]
    assert rows == [{"index": 0} | row for row in expected]


BOMB = '<!DOCTYPE annotation [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
FILE = '<!DOCTYPE annotation [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
RESULT = {"image_id": 1, "file_name": "a.png", "bbox": SIDES}
NAMES = {"data.yaml": CLASSES}


def runs(counts: object) -> dict[str, Any]:
    return {"a.json": coco({"bbox": SIDES, "segmentation": {"size": [40, 60], "counts": counts}})}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "an id without name": (
        {"a.json": coco({"bbox": SIDES, "category_id": 3})},
        "a.json: annotations[0]: no category has the id 3, DIR/a.json has 2: ",
    ),
    "no names": ({"a.txt": YOLO}, "line 1 of DIR/a.txt: no category has the id 0, none are given: give"),
    "an id beyond the names": ({"a.txt": "3" + YOLO[1:], **NAMES}, "no category has the id 3, DIR/data.yaml has 3"),
    "ids from 0 or from 1": (
        {"a.json": [RESULT | {"category_id": 1}], **NAMES},
        "whether it counts the 3 names of DIR/data.yaml from 0 or from 1",
    ),
    "names twice": (
        {"a.json": coco({"bbox": SIDES}), "classes.json": ["a"]},
        "names its categories itself: leave out DIR/classes.json",
    ),
    "names that are none": ({"a.txt": YOLO, "data.yaml": "names: 5"}, "data.yaml: names must be a list of names, or"),
    "no yaml": ({"a.txt": YOLO, "data.yaml": "names: ["}, "data.yaml: it is no YAML"),
    "shares": (
        {"a.json": coco({"bbox": [0.1, 0.1, 0.4, 0.5]})},
        "annotations[0] is 0.4 wide and 0.5 high, less than a pixel: ",
    ),
    "shares of all": (
        {"a.json": coco({"bbox": [0, 0, 1, 1]})},
        "end within its first pixel, as shares of it do: multiply",
    ),
    "pixels": ({"a.txt": f"{YOLO}\n0 5 6 7 8", **NAMES}, "line 2 of DIR/a.txt has a number that is no share"),
    "corners for sides": (
        {"a.json": coco({"bbox": [5, 6, 12, 14]}, {"bbox": [40, 20, 55, 38]})},
        "annotations[0]: boxes reach far out of the picture, which is 60x40 pixels, and would not if",
    ),
    "corners in other pictures": (
        {
            "a.json": [
                RESULT | {"bbox": [5, 6, 12, 14]},
                RESULT | {"image_id": 2, "file_name": "b.png", "bbox": [40, 20, 55, 38]},
            ]
        },
        "box 1 of DIR/a.json: boxes reach far out",
    ),
    "corners for a middle": (
        {"a.txt": "0 .1 .1 .3 .3\n0 .7 .7 .95 .98", **NAMES},
        "line 1 of DIR/a.txt: boxes reach far out",
    ),
    "sides for corners": ({"a.json": [[50, 30, 5, 5]]}, "box 1 of DIR/a.json is -45 wide"),
    "NaN": (
        {"a.json": coco({"bbox": [1, 2, float("nan"), 4]})},
        "annotations[0] has a number that is none, or too large",
    ),
    "huge": ({"a.txt": "0 1e300 1 1 1", **NAMES}, "is no share of the picture"),
    "outside": (
        {"a.json": coco({"bbox": [-50, 1, 40, 9]})},
        "annotations[0], from -50, 1, -10, 10 as [left, top, right, bottom], lies outside",
    ),
    "per cent": ({"a.json": [RESULT | {"score": 91}]}, "its score must be a number from 0 to 1, not 91"),
    "an attribute of no kind": (
        {"a.json": coco({"bbox": SIDES, "attributes": {"a\nb": [1]}})},
        "annotations[0]: a\\nb must be a text",
    ),
    "an attribute that is no number": (
        {"a.json": coco({"bbox": SIDES, "attributes": {"n": float("inf")}})},
        "annotations[0]: n must be a text, a number, true, false or null, not Infinity",
    ),
    "too large": (
        {"a.json": coco({"bbox": [1e12, 2, 9, 9]})},
        "annotations[0] has a number that is none, or too large",
    ),
    "a point too few": (
        {"a.json": coco({"bbox": SIDES, "category_id": 7, "keypoints": [1, 2, 2]})},
        "has 1 keypoints, and its category names 2",
    ),
    "runs of another size": (
        {"a.json": coco({"bbox": SIDES, "segmentation": {"size": [60, 40], "counts": [2400]}})},
        "annotations[0] has a bbox, but its segmentation is neither",
    ),
    "endless runs": (runs([10**8] * 99), "is neither polygons nor runs"),
    "runs that are too short": (runs("e<4T10"), "is neither polygons nor runs"),
    "runs that are none": (runs("\u00e9~`ooooooooooo0"), "is neither polygons nor runs"),
    "a track twice": (
        {"a.json": coco({"bbox": SIDES, "track_id": 3}, {"bbox": SIDES, "track_id": 3.0})},
        "images[0]: a.png has several boxes of the track 3",
    ),
    "another size": (
        {"a.xml": voc((1, 1, 9, 9)).replace("60", "40")},
        "a.xml: a.png is 60x40 pixels upright, not of width 40: annotate",
    ),
    "many laughs": ({"a.xml": voc(head=BOMB)}, "a.xml declares entities: write what they stand for"),
    "another's file": ({"a.xml": voc(head=FILE)}, "a.xml declares entities"),
    "no XML": ({"a.xml": "<annotation>"}, "a.xml is not XML that can be read"),
    "deep XML": ({"a.xml": "<annotation>" + "<a>" * 10**5}, "a.xml is not XML that can be read"),
    "two files of a picture": ({"a.xml": voc(), "b.xml": voc()}, "b.xml: a.png is the picture of DIR/a.xml too"),
    "no number": ({"a.xml": voc((1, 1, "x", 9))}, "object 1 of DIR/a.xml has no bndbox with xmin, ymin, xmax and ymax"),
    "a word": ({"a.txt": f"{YOLO} sure", **NAMES}, "line 1 of DIR/a.txt has a word that is no number"),
    "tracks and confidences": (
        {"a.txt": f"{YOLO} 2\n{YOLO} .5", **NAMES},
        "line 2 of DIR/a.txt ends with a confidence where",
    ),
    "keypoints": (
        {"a.txt": "0 .5 .5 .4 .4 .4 .6 2 .6 .4 1 0 0 0\n0 .2 .2 .2 .2 .2 .2 2 .1 .2 2 .3 .1 2", **NAMES},
        "has keypoints behind",
    ),
    "no polygon": (
        {"a.json": shapes({"points": [[1, 2], [3, 4]]})},
        "a.json: shapes[0]: its points must be three or more",
    ),
    "no mask": (
        {"a.json": shapes({"points": [[1, 2], [3, 4]], "shape_type": "mask", "mask": "AAAA"})},
        "a.json: shapes[0]: its mask is no picture",
    ),
    "whose point": (
        {
            "a.json": shapes(
                *(
                    {"points": [[1, 2], [9, 9]], "shape_type": "rectangle", "group_id": 1, "label": name}
                    for name in "ab"
                ),
                {"points": [[1, 2]], "shape_type": "point", "group_id": 1},
            )
        },
        "a.json: shapes[2]: its group 1 has several things",
    ),
    "half a row": ({"a.csv": f"{HEAD}\n1,2,3"}, "a.csv: line 2 has more or fewer cells than the first line"),
    "no frame": ({"a.txt": "1.5,1,1,1,9,9"}, "line 1 of DIR/a.txt has no frame or no track, a whole number"),
    "a film of another size": (
        {"gt/gt.txt": "1,1,1,1,9,9", "seqinfo.ini": "imWidth=40\nimHeight = 60\n"},
        "gt.txt: frame 1 is 60x40 pixels upright, not of width",
    ),
    "a pickle": ({"a.pt": "x"}, "a.pt may hold any program: load it yourself"),
    "two kinds": ({"a.txt": YOLO, "b.xml": voc()}, "DIR has a.txt (YOLO) and b.xml (Pascal VOC): name a file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_one_line(case: str, tmp_path: Path) -> None:
    files, message = REFUSED[case]
    with pytest.raises(DomainError) as error:
        read(files, tmp_path, "1.png" if "gt/gt.txt" in files else "a.png")
    assert message.replace("DIR", str(tmp_path)) in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("files", "count", "note"),
    [
        ({"a.json": coco({"bbox": [50, 30, 15, 20]})}, 1, "1 of 1 boxes reached over the picture's rim: cut off there"),
        ({"a.txt": "0 .5 .5 1.000001 1", **NAMES}, 1, None),
        ({"a.txt": "0 .5 .5 1.0021 1", **NAMES}, 1, "1 of 1 boxes reached over the picture's rim: cut off there"),
        ({"a.json": coco({"iscrowd": 1})}, 0, "1 of 1 boxes left out: a region of iscrowd 1 is no thing"),
        (
            {"a.json": coco({"bbox": SIDES, "iscrowd": 1, "attributes": {"occluded": True}})},
            1,
            "1 of 1 boxes have iscrowd 1 and are taken as things: CVAT writes each mask of its brush so",
        ),
        ({"a.json": coco({"bbox": SIDES, "{0}\n": 1})}, 1, '1 of 1 boxes have "{0}\\n", which is not read'),
        (
            {"a.xml": voc((0, 1, 9, 9))},
            1,
            "1 of 1 boxes read as counted from 0, as one of the file or folder begins there",
        ),
        (
            {"a.json": shapes({"points": [[1, 2], [9, 9]], "shape_type": "line"})},
            0,
            "1 of 1 boxes left out: lines, and points without a group, are no things",
        ),
        (
            {"a.json": [RESULT | {"file_name": "b.png"}]},
            0,
            "1 of 1 images not named in the file of detections: nothing is taken to be there",
        ),
    ],
)
def test_what_was_left_out_or_changed_is_said(
    files: dict[str, Any], count: int, note: str | None, tmp_path: Path
) -> None:
    detected = read(files, tmp_path)
    assert (len(detected.things), detected.notes) == (count, () if note is None else (note,))


def test_one_of_the_pictures_is_named(tmp_path: Path) -> None:
    source = open_detections(write(tmp_path, {"b.txt": YOLO, "c.txt": "", **NAMES}))
    source.check_pictures(["a.png", "b.png"])
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
    given.tracker_id, given.data = (
        np.array([7, 8]),
        {"class_name": np.array(["person", "no"]), "zone": np.array([3, 4])},
    )
    detected = from_supervision(given, SIZE)
    assert told(detected.things[0]) == FIRST | {"track": 7, "attributes": {"zone": 3}, "pixels": 6}
    given.data = {"corners": np.zeros((2, 4, 2))}
    detected = from_supervision(given, SIZE, names=["person", "no"])
    assert (detected.things[1].category, detected.notes) == ("no", ('2 of 2 boxes have "corners", which is not read',))
    output = {"boxes": BOXES, "labels": np.array([1, 2]), "scores": np.array([0.5, 0.25]), "masks": MASKS[:, None]}
    output["keypoints"] = np.array([[[6, 7, 1]], [[0, 0, 0]]])
    detected = from_torchvision(output, SIZE, names=["__background__", "person", "no"])
    assert told(detected.things[0]) == FIRST | {"keypoints": {"0": (6, 7)}, "pixels": 6}
    assert from_torchvision(output, SIZE, names=["person", "no"]).things[0].category == "person"
    assert from_arrays([], SIZE).things == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"boxes": BOXES[:, :3]}, "boxes must be of the shape (n, 4), not (2, 3)"),
        ({"scores": [0.5]}, "scores has 1 entries, and there are 2 boxes"),
        ({"masks": MASKS[:, :9]}, "masks must be of the shape (2, 40, 60), n, height, width, not (2, 9, 60)"),
        ({"boxes": BOXES / 60}, "box 0 of the arrays is 0.116667 wide"),
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
    assert outline is not None
    rows, columns = np.mgrid[3:31, 2:38]
    middles = np.stack([columns.ravel(), rows.ravel()], axis=1) + 0.5
    inside = Line([*corners, corners[0]]).contains_points(middles).reshape(rows.shape)
    np.testing.assert_array_equal(outline.mask((2.5, 3.5, 37.5, 30.5)), inside)


def test_runs_are_those_of_pycocotools() -> None:
    """Its text of a mask of three columns, whose differences are negative, too."""
    outline = outline_of({"size": [7, 3], "counts": "123OO20O01"}, 3, 7)
    assert outline is not None
    expected = ["..x", "x.x", "xx.", ".x.", ".xx", "..x", "x.x"]
    np.testing.assert_array_equal(outline.mask((0, 0, 3, 7)), [[sign == "x" for sign in row] for row in expected])
    assert outline.corners == (0, 0, 3, 7)
