"""Files: what is written comes back, and what is damaged or hostile gets one clear line."""

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.domains.data import Labelled
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.relations_game import OBJECT_SETS, Scenes, generate, load_npz, save_npz
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.domains.relations_game.files import load_folder
from tests.cases import cases

CASES = cases(__file__)


@pytest.fixture
def scenes() -> Scenes:
    return generate("column_patterns_5", 13, objects="hexos", seed=4)


def assert_equal(images: Labelled, scenes: Scenes) -> None:
    np.testing.assert_array_equal(images.images, scenes.render())
    np.testing.assert_array_equal(images.labels, scenes.labels)
    np.testing.assert_array_equal(images.task_ids, scenes.task_ids)
    assert images.images.dtype == np.uint8
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
    assert (images.kind, images.task) == (objects, "row_patterns_3")
    np.testing.assert_array_equal(images.truth.attributes["shape"], scenes.shapes[scenes.occupied])
    np.testing.assert_array_equal(images.truth.attributes["colour"], scenes.colours[scenes.occupied])
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
        ("images", np.array([[Bomb()]], object), "images is an array of Python objects"),
        ("images", np.zeros((7, 3, 36, 36), int), r"not int64 of shape \(7, 3, 36, 36\)"),
        ("images", np.zeros((7, 36, 36, 3)), "images must be integers .* not float64"),
        ("images", np.full((7, 36, 36, 3), 256), "images must be from 0 to 255, not 256 to 256"),
        ("images", np.zeros((0, 36, 36, 3), int), "no images"),
        ("labels", np.zeros(7, int), r"labels must be integers of shape \(7, 1\)"),
        ("labels", np.full((7, 1), 4), "labels must be from 0 to 3, not 4 to 4"),
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
    for position in rng.integers(len(data), size=120):
        damaged = bytearray(data)
        damaged[position] ^= int(rng.integers(1, 256))
        (tmp_path / "b.npz").write_bytes(damaged)
        try:
            images = load_npz(tmp_path / "b.npz")
        except DomainError:
            refused += 1
        else:
            assert_equal(images, scenes)
    assert refused > 60


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


def test_a_failed_write_leaves_nothing(scenes: Scenes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DomainError, match="no images"):
        save_npz(tmp_path / "a", scenes[:0])
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_, **__: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        save_npz(tmp_path / "a", scenes)
    assert not list(tmp_path.iterdir())


# --- Folders of PNGs ---


def test_a_folder_brings_back_the_images(tmp_path: Path) -> None:
    DOMAIN.write(tmp_path / "a", "row_patterns_5", 13, kind="hexos", seed=4)
    images = load_folder(tmp_path / "a")
    assert_equal(images, generate("row_patterns_5", 13, objects="hexos", seed=4))
    (tmp_path / "a" / "labels.csv").unlink()
    with pytest.raises(DomainError, match=r"labels\.csv: no such file: it has a line file,label,task for each image"):
        load_folder(tmp_path / "a")


@pytest.mark.parametrize(("line", "message"), CASES["lines"])
def test_a_folder_with_something_wrong(line: str, message: str, tmp_path: Path) -> None:
    for name, side in (("0.png", 36), ("big.png", 72)):
        Image.new("RGB", (side, side)).save(tmp_path / name)
    (tmp_path / "labels.csv").write_text(f"file,label,task\n{line}\n")
    with pytest.raises(DomainError) as error:
        load_folder(tmp_path)
    assert message in str(error.value)
