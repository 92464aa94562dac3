"""A folder of one's own: what is written comes back, and what is wrong in it gets one clear line."""

import json
import zlib
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import ExifTags, Image

from predinet_prolog.domains.annotations import learnable, read_folder, to_compare, write_folder
from predinet_prolog.domains.domain import Annotated, Truth
from predinet_prolog.domains.errors import DomainError
from tests.domains.test_coco import CASES

Make = Callable[..., Path]


def thing(image: object = 1, box: object = (1, 2, 3, 4), **attributes: object) -> dict[str, Any]:
    return {"image_id": image, "bbox": box if not isinstance(box, tuple) else list(box), "attributes": attributes}


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Writes a folder with a.png of 20 × 10 pixels and b.png of 8 × 8, and the annotations and labels given."""

    def call(*things: object, labels: str | None = None, **document: object) -> Path:
        folder = tmp_path / "world"
        folder.mkdir(exist_ok=True)
        Image.new("RGB", (20, 10), (9, 8, 7)).save(folder / "a.png")
        Image.new("RGB", (8, 8), (1, 2, 3)).save(folder / "b.png")
        images = [
            {"id": 1, "file_name": "a.png", "width": 20, "height": 10},
            {"id": "two", "file_name": "b.png", "width": 8, "height": 8},
        ]
        text = json.dumps({"images": images, "annotations": things, **document})
        (folder / "annotations.json").write_text(text)
        if labels is not None:
            (folder / "labels.csv").write_text(labels)
        return folder

    return call


def test_what_a_folder_tells(make: Make) -> None:
    folder = make(
        thing("two", (0, 0, 8, 8), kind="b", filled=True, weight=10),
        thing(1, (1, 2, 3.5, 4), kind="a", weight=9.5),
        thing(1, (19, 9, 1, 1), kind="b", filled=False, weight=None),
        {"image_id": 1, "bbox": [0, 0, 1, 1]},
        labels="task,file,label\n0,b.png,odd one\n,a.png,\n",
    )
    found = read_folder(folder)
    assert (found.names, found.pictures.sizes) == (("a.png", "b.png"), [(20, 10), (8, 8)])
    assert (found.labels, found.tasks) == ((None, "odd one"), (None, "0"))
    truth = found.truth
    assert truth.image.tolist() == [0, 0, 0, 1]
    assert truth.boxes.tolist() == [[1, 2, 4.5, 6], [19, 9, 20, 10], [0, 0, 1, 1], [0, 0, 8, 8]]
    assert found.words == {"kind": ("a", "b"), "filled": ("false", "true"), "weight": ("9.5", "10")}
    values = {name: column.tolist() for name, column in truth.attributes.items()}
    assert values == {"kind": [0, 1, -1, 1], "filled": [-1, 0, -1, 1], "weight": [0, -1, -1, 1]}


def test_labels_alone_and_annotations_alone(make: Make) -> None:
    folder = make(labels="file,label\nb.png,1\na.png,2\n")
    (folder / "annotations.json").rename(folder / "kept")
    found = read_folder(folder)
    assert (found.names, found.labels, found.tasks) == (("b.png", "a.png"), ("1", "2"), (None, None))
    assert (found.truth, found.words) == (None, {})
    (folder / "kept").rename(folder / "annotations.json")
    (folder / "labels.csv").unlink()
    empty = read_folder(folder)  # pictures that show nothing
    assert (empty.labels, empty.tasks) == ((), ())
    assert (empty.truth.boxes.shape, len(empty.truth.image)) == ((0, 4), 0)


def test_pictures_are_read_when_they_are_asked_for_by_the_one_reader(tmp_path: Path) -> None:
    """As pictures of any size; what was done to them is kept."""
    samples = np.full((30, 40), 2000, np.uint16)
    samples[:9] = 4095
    clear = np.full((30, 24, 4), (9, 8, 7, 255), np.uint8)
    clear[:9] = 0
    (tmp_path / "labels.csv").write_text("file,label\na.png,1\nb.png,2\nc.png,3\n")
    Image.fromarray(clear).save(tmp_path / "b.png")
    for name in ("a.png", "c.png"):
        Image.fromarray(samples).save(tmp_path / name)
    pictures = read_folder(tmp_path).pictures
    assert pictures.remarks == {}
    (tmp_path / "b.png").rename(tmp_path / "kept")
    for picture in (pictures[0], *pictures[2:]):
        np.testing.assert_array_equal(picture[:, 0, 0], np.where(np.arange(30) < 9, 255, round(2000 * 255 / 4095)))
    (tmp_path / "kept").rename(tmp_path / "b.png")
    np.testing.assert_array_equal(pictures[1][::29, 0], [(255, 255, 255), (9, 8, 7)])
    stretched = "the samples reach 12 of their 16 bits: stretched to the whole range"
    remarks = {remark: [path.name for path in paths] for remark, paths in pictures.remarks.items()}
    assert remarks == {stretched: ["a.png", "c.png"], "transparency shown as white": ["b.png"]}
    Image.new("RGB", (30, 24)).save(tmp_path / "b.png")
    with pytest.raises(DomainError, match=r"b\.png was read at 30x24 pixels, not 24x30: it has changed"):
        _ = pictures[1]


@pytest.mark.parametrize("format", ["jpg", "tiff", "png"])
def test_a_large_turned_picture_is_read_upright_and_smaller_with_its_boxes(tmp_path: Path, format: str) -> None:
    """1200 × 2400 pixels lie in the file, 2400 × 1200 are shown: a light left half."""
    pixels = np.zeros((2400, 1200, 3), np.uint8)
    pixels[1200:] = 255  # turned by 90° clockwise, below becomes left
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    Image.fromarray(pixels).save(tmp_path / f"a.{format}", exif=exif)
    images = [{"id": 0, "file_name": f"a.{format}", "width": 2400, "height": 1200}]
    things = [thing(0, (0, 0, 1200, 1200), side="left")]
    (tmp_path / "annotations.json").write_text(json.dumps({"images": images, "annotations": things}))
    found = read_folder(tmp_path)
    (box,) = found.truth.boxes
    np.testing.assert_allclose(box, [0, 0, 512, 512])
    (picture,) = found.pictures
    assert picture.shape == (512, 1024, 3)
    assert (picture[:, :500] > 250).all()
    assert (picture[:, 524:] < 5).all()
    images[0] |= {"width": 1200, "height": 2400}
    (tmp_path / "annotations.json").write_text(json.dumps({"images": images, "annotations": []}))
    with pytest.raises(DomainError, match=r"is 2400x1200 pixels upright, not of width 1200: annotate the image"):
        read_folder(tmp_path)


told = attrgetter("names", "words", "labels", "tasks")


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    sizes = (29, 30), (40, 27), (24, 24)
    pictures = tuple(rng.integers(0, 256, (*size, 3), dtype=np.uint8) for size in sizes)
    boxes = np.array([[1.25, 2, 17.3, 8.1], [0, 0, 30, 9], [0.1, 0.2, 4.7, 4.9]])
    truth = Truth(np.array([0, 0, 2]), boxes, {"kind": np.array([1, -1, 0]), "size": np.array([0, 0, 1])})
    names, words = ("x/a.png", "b.png", "ü, c.png"), {"kind": ("disc", "star"), "size": ("3", "20")}
    given = Annotated(names, pictures, truth, words, ("yes", None, "no\nno"), ("0", None, None))
    write_folder(tmp_path / "new" / "world", given)
    found = read_folder(tmp_path / "new" / "world")
    assert told(found) == told(given)
    for seen, drawn in zip(found.pictures, pictures, strict=True):
        np.testing.assert_array_equal(seen, drawn)
    np.testing.assert_array_equal(found.truth.image, truth.image)
    np.testing.assert_allclose(found.truth.boxes, boxes, atol=1e-9)
    kinds = {name: own.tolist() for name, own in found.truth.attributes.items()}
    assert kinds == {"kind": [1, -1, 0], "size": [0, 0, 1]}
    with pytest.raises(DomainError, match="exists already"):
        write_folder(tmp_path / "new" / "world", given)


@pytest.mark.parametrize("names", [("a.jpg",), ("../a.png",), ("/a.png",)])
def test_a_folder_is_written_whole_or_not_at_all(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(DomainError, match=r"a\.jpg: pictures are written as PNG|is outside of the folder"):
        write_folder(tmp_path / "world", Annotated(names, (np.zeros((3, 3, 3), np.uint8),)))
    assert list(tmp_path.iterdir()) == []


def test_what_can_be_learned(make: Make) -> None:
    made = read_folder(make(thing(kind="a", size=1, hue=1), thing(kind="b", size=1, hue=1), thing(kind="b", hue=None)))
    left = learnable(Path("world"), made)
    assert list(left.truth.attributes) == list(left.words) == ["kind", "size"]
    assert left.notes == ("annotations.json: every hue is 1, so there is nothing to learn: left out",)


@pytest.mark.parametrize(
    ("things", "message"),
    [
        ([], "nothing says where things are: give their boxes in annotations.json"),
        ([thing()], "no box has attributes"),
        ([thing(size=1), thing(size=2)], "no box has attributes"),  # but one that is read off boxes
        ([thing(kind=True), thing()], "every kind is true, so there is nothing to learn: annotate things of another"),
        ([thing(kind=None), thing()], "no box has attributes"),
    ],
)
def test_what_nothing_can_be_learned_of(make: Make, things: list[Any], message: str) -> None:
    folder = make(*things)
    with pytest.raises(DomainError, match=message):
        learnable(folder, read_folder(folder))


@pytest.mark.parametrize(("things", "images", "message"), CASES["annotations"])
def test_annotations_with_something_wrong(
    make: Make, tmp_path: Path, things: list[object], images: list[object] | None, message: str
) -> None:
    folder = make(*things, **({} if images is None else {"images": images}))
    Image.new("RGB", (20, 10)).save(tmp_path / "outside.png")
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    (folder / "empty.png").write_bytes(b"")
    (folder / "text.png").write_text("text")
    bomb = bytearray((folder / "a.png").read_bytes())
    bomb[16:24] = (10_000).to_bytes(4) * 2  # width and height: 100 megapixels
    bomb[29:33] = zlib.crc32(bomb[12:29]).to_bytes(4)
    (folder / "bomb.png").write_bytes(bomb)
    with pytest.raises(DomainError) as error:
        read_folder(folder)
    assert message in str(error.value)
    assert str(error.value).startswith(str(folder))


def test_a_file_that_is_cut_off_is_told_when_it_is_read(make: Make) -> None:
    folder = make(images=[])
    noise = np.random.default_rng(0).integers(0, 256, (30, 40, 3), dtype=np.uint8)
    Image.fromarray(noise).save(folder / "a.png")
    (folder / "a.png").write_bytes((folder / "a.png").read_bytes()[:2000])
    (folder / "annotations.json").unlink()
    (folder / "labels.csv").write_text("file,label\na.png,1\n")
    found = read_folder(folder)
    with pytest.raises(DomainError, match=r"a\.png is damaged or truncated"):
        _ = found.pictures[0]


def test_labels_are_of_images_that_are_annotated(make: Make) -> None:
    folder = make(labels="file,label\nc.png,1\n")
    Image.new("RGB", (20, 10)).save(folder / "c.png")
    with pytest.raises(DomainError, match=r"labels\.csv.*c\.png is not among the images of annotations\.json: add it"):
        read_folder(folder)


def test_pictures_of_which_nothing_is_told_are_noted(make: Make) -> None:
    folder = make(labels="file,label\na.png,1\n")
    assert read_folder(folder).notes == ()
    Image.new("RGB", (20, 10)).save(folder / "c.png")
    assert read_folder(folder).notes == ("annotations.json: nothing is told of c.png",)
    (folder / "annotations.json").unlink()
    assert read_folder(folder).notes == ("labels.csv: nothing is told of b.png, c.png",)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="none: no such folder"):
        read_folder(tmp_path / "none")
    with pytest.raises(DomainError, match=r"neither annotations\.json nor labels\.csv: the one says"):
        read_folder(tmp_path)


def test_looks_that_are_not_told_are_alike_where_all_else_is() -> None:
    values = {"a": np.array([0, 0, 0, 1]), "b": np.array([1, 1, -1, 1]), "size": np.array([1, 2, 3, 4])}
    compared = to_compare(values)
    assert list(compared) == ["a", "b", "look"]
    looks = compared["look"]
    assert looks[0] == looks[1] != looks[3]
    assert looks[2] == -1
    assert list(to_compare({"a": values["a"]})) == ["a"]
    assert to_compare({**values, "look": np.arange(4)})["look"].tolist() == [0, 1, 2, 3]
