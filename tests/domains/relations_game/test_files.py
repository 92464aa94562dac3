"""Files: what is written comes back, and what is damaged or hostile gets one clear line."""

import csv
import io
import shutil
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.relations_game import (
    OBJECT_SETS,
    Images,
    Scenes,
    generate,
    load_folder,
    load_npz,
    save_folder,
    save_npz,
)
from predinet_prolog.domains.relations_game import files as files_module


@pytest.fixture
def scenes() -> Scenes:
    return generate("column_patterns_5", 13, objects="hexos", seed=4)


def assert_equal(images: Images, scenes: Scenes) -> None:
    np.testing.assert_array_equal(images.pixels, scenes.render())
    np.testing.assert_array_equal(images.labels, scenes.labels)
    np.testing.assert_array_equal(images.task_ids, scenes.task_ids)
    assert images.pixels.dtype == np.uint8
    assert images.labels.dtype == images.task_ids.dtype == np.int64


# --- .npz ---


@pytest.mark.parametrize("objects", OBJECT_SETS)
def test_npz_brings_back_images_and_truth(objects: str, tmp_path: Path) -> None:
    """In the original's format, and with the same bytes every time."""
    scenes = generate("row_patterns_3", 13, objects=objects, seed=4)
    for name in ("a.npz", "b.npz"):
        save_npz(tmp_path / name, scenes)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    images = load_npz(tmp_path / "a.npz")
    assert_equal(images, scenes)
    assert images.scenes is not None
    assert (images.scenes.object_set, images.scenes.task) == (objects, "row_patterns_3")
    np.testing.assert_array_equal(images.scenes.shapes, scenes.shapes)
    np.testing.assert_array_equal(images.scenes.colours, scenes.colours)
    with np.load(tmp_path / "a.npz") as arrays:  # numpy's own reader
        for key, expected in (("images", scenes.render()), ("labels", scenes.labels), ("tasks", scenes.task_ids)):
            assert arrays[key].dtype == "int64"
            np.testing.assert_array_equal(arrays[key], expected if key == "images" else expected[:, None])


def good_arrays() -> dict[str, Any]:
    scenes = generate("same", 7, seed=2)
    return {
        "images": scenes.render().astype(np.int64),
        "labels": scenes.labels[:, None],
        "tasks": scenes.task_ids[:, None],
        "shapes": scenes.shapes,
        "colours": scenes.colours,
        "object_set": np.array("pentos"),
        "task": np.array("same"),
    }


class Bomb:
    """Shows whether it was unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (pytest.fail, ("an object array was unpickled",))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("images", None, "no array 'images'"),
        ("labels", None, "no array 'labels'"),
        ("tasks", None, "no array 'tasks'"),
        ("images", np.array([[Bomb()]], object), "images is an array of Python objects"),
        ("labels", np.array([[Bomb()]] * 7, object), "labels is an array of Python objects"),
        ("task", np.array(Bomb(), object), "task is an array of Python objects"),
        ("images", np.zeros((7, 36, 36), int), r"images must be integers of shape \(N, 36, 36, 3\)"),
        ("images", np.zeros((7, 3, 36, 36), int), r"not int64 of shape \(7, 3, 36, 36\)"),
        ("images", np.zeros((7, 36, 36, 3)), "images must be integers .* not float64"),
        ("images", np.full((7, 36, 36, 3), 256), "images must be from 0 to 255, not 256 to 256"),
        ("images", np.zeros((0, 36, 36, 3), int), "no images"),
        ("labels", np.zeros(7, int), r"labels must be integers of shape \(7, 1\)"),
        ("labels", np.zeros((6, 1), int), r"labels must be integers of shape \(7, 1\)"),
        ("labels", np.full((7, 1), 4), "labels must be from 0 to 3, not 4 to 4"),
        ("labels", np.full((7, 1), 2**63, np.uint64), "labels must be from"),
        ("tasks", np.full((7, 1), 5), "task_ids must be from 0 to 4"),
        ("shapes", np.zeros((7, 8), int), r"shapes must be integers of shape \(7, 9\)"),
        ("object_set", np.array("hexos"), "image 0 is not what its shapes and colours draw"),
        ("object_set", np.array(3), "object_set must be one short text"),
        ("task", np.array("x" * 65), "task must be one short text"),
        ("task", np.array("beyond"), "unknown task 'beyond'"),
    ],
)
def test_npz_with_wrong_arrays(key: str, value: Any, message: str, tmp_path: Path) -> None:
    arrays = good_arrays()
    np.savez(tmp_path / "good.npz", **arrays)
    load_npz(tmp_path / "good.npz")  # only what is changed next is wrong
    del arrays[key]
    if value is not None:
        arrays[key] = value
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(DomainError, match=message) as error:
        load_npz(tmp_path / "bad.npz")
    assert str(error.value).startswith(f"{tmp_path / 'bad.npz'}: ")


def test_npz_with_any_flipped_byte_loads_the_same_or_is_refused(scenes: Scenes, tmp_path: Path) -> None:
    save_npz(tmp_path / "a.npz", scenes)
    data = (tmp_path / "a.npz").read_bytes()
    rng = np.random.default_rng(0)
    refused = 0
    for position in rng.integers(len(data), size=300):
        damaged = bytearray(data)
        damaged[position] ^= int(rng.integers(1, 256))
        (tmp_path / "b.npz").write_bytes(damaged)
        try:
            images = load_npz(tmp_path / "b.npz")
        except DomainError:
            refused += 1
        else:
            assert_equal(images, scenes)
    assert refused > 150


@pytest.mark.parametrize("shape", [(10**12, 36, 36, 3), (8, 36, 36, 3), (-1, 36, 36, 3), None])
def test_npz_whose_header_claims_another_size_or_nothing(shape: tuple[int, ...] | None, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        for key, array in good_arrays().items():
            file = io.BytesIO(b"these bytes are no array")
            if shape:
                claimed = shape if key == "images" else array.shape
                header = {"descr": array.dtype.str, "fortran_order": False, "shape": claimed}
                np.lib.format.write_array_header_1_0(file, header)
            archive.writestr(f"{key}.npy", file.getvalue() + array.tobytes())
    said = r"images is truncated: .* bytes for the shape" if shape else "images is no array"
    with pytest.raises(DomainError, match=rf"a\.npz: {said}"):
        load_npz(tmp_path / "a.npz")


@pytest.mark.parametrize(
    ("save", "inner"), [(save_npz, (files_module, "_write_array")), (save_folder, (csv, "writer"))]
)
def test_a_failed_write_and_one_of_nothing_leave_nothing(
    save: Callable[..., None],
    inner: tuple[ModuleType, str],
    scenes: Scenes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(DomainError, match="no images"):
        save(tmp_path / "a", scenes[:0])
    monkeypatch.setattr(*inner, lambda *_, **__: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        save(tmp_path / "a", scenes)
    assert not list(tmp_path.iterdir())


# --- Folders of PNGs ---


@pytest.mark.parametrize("objects", OBJECT_SETS)
def test_folder_brings_back_the_images(objects: str, tmp_path: Path) -> None:
    scenes = generate("row_patterns_5", 13, objects=objects, seed=4)
    save_folder(tmp_path / "new" / "folder", scenes)
    assert_equal(load_folder(tmp_path / "new" / "folder"), scenes)
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["folder"]
    names = [f"{i:02}.png" for i in range(13)]
    assert sorted(p.name for p in (tmp_path / "new" / "folder").iterdir()) == [*names, "labels.csv"]
    columns = names, scenes.labels, scenes.task_ids, [scenes.task] * 13
    lines = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    assert (tmp_path / "new" / "folder" / "labels.csv").read_text().splitlines() == [
        "file,label,task,task_name",
        *lines,
    ]


def test_folder_says_its_task_where_it_is_known(scenes: Scenes, tmp_path: Path) -> None:
    save_folder(tmp_path / "a", scenes)
    images = load_folder(tmp_path / "a")
    assert images.task == scenes.task
    save_folder(tmp_path / "b", replace(images, task=None))
    assert (tmp_path / "b" / "labels.csv").read_text().startswith("file,label,task\n")
    assert load_folder(tmp_path / "b").task is None
    table = tmp_path / "a" / "labels.csv"
    text = table.read_text()
    table.write_text(text.replace(scenes.task, "same", 1))
    with pytest.raises(DomainError, match=r"labels\.csv: line 3: another task_name than in the line before"):
        load_folder(tmp_path / "a")
    table.write_text(text.replace(scenes.task, "betwen"))
    with pytest.raises(DomainError, match=r"labels\.csv: line 2: .*betwen"):
        load_folder(tmp_path / "a")


def picture(size: tuple[int, int] = (36, 36), mode: str = "RGB", format: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new(mode, size).save(file, format)
    return file.getvalue()


def bomb() -> bytes:
    """A PNG whose header says that it is very large."""
    data = bytearray(picture())
    data[16:24] = (20_000).to_bytes(4) * 2  # width and height
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4)
    return bytes(data)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("file,label,task\nnone.png,0,0\n", "line 2: none.png: no such file in the folder"),
        ("file,label,task\n0.png,0,0\n../outside.png,0,0\n", "line 3: ../outside.png is outside of the folder"),
        ("file,label,task\nlink.png,0,0\n", "link.png is outside of the folder"),
        ("file,label,task\nsub,0,0\n", "sub: no such file"),
        ("file,label,task\n,0,0\n", "line 2: an image without name"),
        ("file,label,task\na\0b,0,0\n", "labels.csv: "),
        ("file,label\n0.png,0\n", "no column 'task'"),
        ("name,label,task\n0.png,0,0\n", "no column 'file': the first line must be file,label,task"),
        ("", "no column 'file'"),
        ("file,label,task\n", "no images"),
        ("file,label,task\n0.png,yes,0\n", "line 2: label and task must be whole numbers, not 'yes'"),
        ("file,label,task\n0.png,0\n", "line 2: label and task must be whole numbers, not ''"),
        ("file,label,task\n0.png,4,0\n", "labels must be from 0 to 3"),
        ("file,label,task\n0.png,0,-1\n", "task_ids must be from 0 to 4"),
        ('file,label,task\n"0.png,0,0\n', "labels.csv: "),
        ("file,label,task\ntext.png,0,0\n", "text.png is not an image that can be read"),
        ("file,label,task\ncut.png,0,0\n", "cut.png is damaged or truncated"),
        ("file,label,task\nwide.png,0,0\n", "wide.png is 72x36 pixels, not square"),
        (
            "file,label,task\nbig.png,0,0\n",
            "big.png: must be 36x36 pixels that need no change: resized from 72x72 to 36x36",
        ),
        ("file,label,task\nalpha.png,0,0\n", "alpha.png: must be 36x36 pixels that need no change: transparency"),
        ("file,label,task\nbomb.png,0,0\n", "bomb.png has more than the 4096x4096 pixels"),
        ("file,label,task\n\udcff\udcfe,0,0\n", "line 2 is not UTF-8 text"),
    ],
)
def test_folder_with_something_wrong(table: str, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "outside.png").write_bytes(picture())
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    for name, data in {
        "0.png": picture(),
        "text.png": b"text",
        "cut.png": picture()[:60],
        "wide.png": picture((72, 36)),
        "big.png": picture((72, 72)),
        "alpha.png": picture(mode="RGBA"),
        "bomb.png": bomb(),
    }.items():
        (folder / name).write_bytes(data)
    (folder / "labels.csv").write_text("file,label,task\n0.png,1,0\n")
    assert len(load_folder(folder)) == 1
    (folder / "labels.csv").write_bytes(table.encode(errors="surrogateescape"))
    with pytest.raises(DomainError) as error:
        load_folder(folder)
    assert message in str(error.value)
    assert str(error.value).startswith(f"{folder / 'labels.csv'}: ")
    assert "\n" not in str(error.value)


def test_folder_without_a_table(scenes: Scenes, tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"no labels\.csv"):
        load_folder(tmp_path / "none")
    save_folder(tmp_path / "a", scenes)
    shutil.move(tmp_path / "a" / "labels.csv", tmp_path / "labels.csv")
    with pytest.raises(DomainError, match=r"no labels\.csv"):
        load_folder(tmp_path / "a")
