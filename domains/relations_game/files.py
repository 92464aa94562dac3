"""Relations Game files: the original's .npz format, and folders of boards.

Every reader checks what it reads before it trusts it, never unpickles, and raises DomainError with the file's name.
Every writer is atomic: under the final name there is either the whole thing or nothing.
"""

import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from predinet_prolog.domains.annotations import read_folder
from predinet_prolog.domains.data import Labelled, Picture
from predinet_prolog.domains.errors import DomainError, naming
from predinet_prolog.domains.images import read_image
from predinet_prolog.domains.label_tables import FILE, LABEL, LABELS, TASK
from predinet_prolog.domains.relations_game.scenes import SIDE, Scenes, checked, truth_of
from predinet_prolog.domains.relations_game.tasks import task_info
from predinet_prolog.domains.writing import replacing

_IMAGE_VALUES = SIDE * SIDE * 3
_CHUNK = 1024  # images held as int64 at a time while a file is read or written
_MAX_TEXT = 64  # characters in the longest name that a file may carry


def save_npz(path: str | Path, scenes: Scenes) -> None:
    """Writes the original's format: images, labels and tasks, int64, compressed.

    The symbolic truth goes into the extra keys shapes, colours, object_set and task. The same scenes give the same
    bytes. Raises OSError if the file cannot be written.
    """
    if not len(scenes):
        raise DomainError(f"{path}: no images")
    with replacing(Path(path)) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        _write_array(archive, "images", scenes.render(), np.dtype("<i8"))
        _write_array(archive, "labels", scenes.labels[:, None], np.dtype("<i8"))
        _write_array(archive, "tasks", scenes.task_ids[:, None], np.dtype("<i8"))
        _write_array(archive, "shapes", scenes.shapes, np.dtype("<i2"))
        _write_array(archive, "colours", scenes.colours, np.dtype("<i2"))
        for key in ("object_set", "task"):
            text = np.array(getattr(scenes, key))
            _write_array(archive, key, text, text.dtype.newbyteorder("<"))


def load_npz(path: str | Path) -> Labelled:
    """Reads a file in the original's format, ours or the public one.

    images must be (N, 36, 36, 3) integers 0 to 255; labels and tasks (N, 1) integers 0 to 3 and 0 to 4. The
    truth comes along if all of its keys are there, and must then draw the images as they are.
    Raises DomainError for anything else, and OSError if the file cannot be opened.
    """
    with Path(path).open("rb") as file, naming(path), _sound(), zipfile.ZipFile(file) as archive:
        present = {name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")}
        for key in ("images", "labels", "tasks"):
            if key not in present:
                raise DomainError(f"no array {key!r}; a Relations Game file has images, labels and tasks")
        pixels = _read_array(archive, "images", (None, SIDE, SIDE, 3), np.dtype(np.uint8))
        n = len(pixels)
        if not n:
            raise DomainError("the file: no images")
        labels = _read_array(archive, "labels", (n, 1), np.dtype(np.int64))[:, 0]
        task_ids = _read_array(archive, "tasks", (n, 1), np.dtype(np.int64))[:, 0]
        drawn = _labelled(pixels, labels, task_ids)
        if {"shapes", "colours", "object_set", "task"} <= present:
            shapes, colours = (_read_array(archive, key, (n, 9), np.dtype(np.int16)) for key in ("shapes", "colours"))
            kind, task = (_read_text(archive, key) for key in ("object_set", "task"))
            scenes = Scenes(kind, task_info(task).name, shapes, colours, labels, task_ids)
            _check_truth(scenes, pixels)
            drawn = replace(drawn, truth=truth_of(scenes), task=scenes.task, kind=scenes.object_set)
        return drawn


def load_folder(path: str | Path) -> Labelled:
    """Reads a folder of 36×36 RGB PNGs that `read_folder` reads, with a label and a task that are numbers for each.

    Raises DomainError for what is missing or wrong, as `read_folder` does, and for a picture that is not looked at as
    it is.
    """
    folder = Path(path)
    annotated = read_folder(folder)
    with naming(folder / LABELS):
        columns = [list(map(_number, column)) for column in (annotated.labels, annotated.tasks) if column]
        if not columns:
            raise DomainError(f"no such file: it has a line {FILE},{LABEL},{TASK} for each image")
        labels, task_ids = map(np.array, columns)
        return _labelled(np.stack([_board(folder, name) for name in annotated.names]), labels, task_ids)


def _labelled(pixels: npt.NDArray[np.uint8], labels: npt.NDArray[Any], task_ids: npt.NDArray[Any]) -> Labelled:
    """DomainError for labels or task ids out of range."""
    for name, values, answers in (("labels", labels, 4), ("task_ids", task_ids, 5)):
        checked(name, values, (len(pixels),), 0, answers)
    return Labelled(pixels, labels, task_ids)


def _check_truth(scenes: Scenes, pixels: npt.NDArray[np.uint8]) -> None:
    for start in range(0, len(scenes), _CHUNK):
        part = slice(start, start + _CHUNK)
        differs = (scenes[part].render() != pixels[part]).any(axis=(1, 2, 3))
        if differs.any():
            raise DomainError(
                f"image {start + int(differs.argmax())} is not what its shapes and colours draw; "
                "a file with edited images must leave these two arrays out"
            )


# --- Arrays in an .npz file. ---


def _write_array(archive: zipfile.ZipFile, key: str, array: npt.NDArray[Any], dtype: np.dtype[Any]) -> None:
    # In chunks: a quarter of a million images are 1 GB, but 8 GB as the format's int64. ZipInfo's
    # fixed date keeps the bytes the same from day to day.
    member = zipfile.ZipInfo(f"{key}.npy")
    member.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(member, "w", force_zip64=True) as file:
        header = {"descr": dtype.str, "fortran_order": False, "shape": array.shape}
        np.lib.format.write_array_header_1_0(file, header)
        for start in range(0, len(array) if array.ndim else 1, _CHUNK):
            file.write((array[start : start + _CHUNK] if array.ndim else array).astype(dtype).tobytes())


def _read_array(
    archive: zipfile.ZipFile, key: str, shape: tuple[int | None, ...], dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    """Reads an array of integers in chunks; `shape` has None where any size will do."""
    with _open_array(archive, key) as (file, extent, fortran_order, stored):
        fits = stored.kind in "iu" and len(extent) == len(shape)
        if not (fits and all(want in (None, size) for want, size in zip(shape, extent, strict=True))):
            wanted = ", ".join("N" if size is None else str(size) for size in shape)
            raise DomainError(f"{key} must be integers of shape ({wanted}), not {stored} of shape {extent}")
        limits = np.iinfo(dtype)
        values = np.empty(int(np.prod(extent)), dtype)
        for start in range(0, len(values), _CHUNK * _IMAGE_VALUES):
            part = values[start : start + _CHUNK * _IMAGE_VALUES]
            chunk = np.frombuffer(_read_exactly(file, len(part) * stored.itemsize, key), stored)
            if not limits.min <= int(chunk.min()) <= int(chunk.max()) <= limits.max:
                raise DomainError(
                    f"{key} must be from {limits.min} to {limits.max}, not {chunk.min()} to {chunk.max()}"
                )
            part[:] = chunk
        return np.ascontiguousarray(values.reshape(extent, order="F" if fortran_order else "C"))


def _read_text(archive: zipfile.ZipFile, key: str) -> str:
    with _open_array(archive, key) as (file, extent, _, stored):
        if stored.kind != "U" or extent != () or stored.itemsize > 4 * _MAX_TEXT:
            raise DomainError(f"{key} must be one short text, not {stored} of shape {extent}")
        return str(np.frombuffer(_read_exactly(file, stored.itemsize, key), stored)[0])


@contextmanager
def _open_array(archive: zipfile.ZipFile, key: str) -> Iterator[tuple[IO[bytes], tuple[int, ...], bool, np.dtype[Any]]]:
    """An array's bytes, after its header: shape, Fortran order, dtype. Nothing is ever unpickled."""
    member = archive.getinfo(f"{key}.npy")
    with archive.open(member) as file:
        shape, fortran_order, dtype = _read_header(file, key)
        if dtype.hasobject:
            raise DomainError(f"{key} is an array of Python objects, which are never loaded")
        # Before anything is allocated: a forged header may claim any size.
        if file.tell() + int(np.prod(shape, dtype=object)) * dtype.itemsize != member.file_size:
            raise DomainError(f"{key} is truncated: {member.file_size} bytes for the shape {shape}")
        yield file, shape, fortran_order, dtype


def _read_header(file: IO[bytes], key: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy only warns when it had to repair a header
            version = np.lib.format.read_magic(file)
            if version == (1, 0):
                return np.lib.format.read_array_header_1_0(file)
            if version == (2, 0):
                return np.lib.format.read_array_header_2_0(file)
    except (zipfile.BadZipFile, zlib.error):
        raise
    except Exception as error:  # numpy's parser fails in many ways; its advice is not for our readers
        raise DomainError(f"{key} is no array: its header cannot be read") from error
    raise DomainError(f"{key} is in version {version} of the array format, not 1.0 or 2.0")


def _read_exactly(file: IO[bytes], size: int, key: str) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise DomainError(f"{key} is truncated")
    return data


# --- Files of a folder. ---


def _board(folder: Path, name: str) -> npt.NDArray[np.uint8]:
    image = read_image(folder / name, picture=Picture(SIDE, SIDE))
    if image.notes:  # there is nobody to tell
        raise DomainError(f"{name}: must be {SIDE}x{SIDE} pixels that need no change: {image.notes[0]}")
    return image.pixels


def _number(text: str | None) -> int:
    try:
        return int(text or "")
    except ValueError:
        raise DomainError(f"label and task must be whole numbers, not {text or 'nothing'!r}") from None


@contextmanager
def _sound() -> Iterator[None]:
    """A fault of a zip file or of what is in it is a DomainError."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DomainError(f"not an .npz file, or a truncated one ({error})") from error
    except (KeyError, RuntimeError) as error:
        raise DomainError(f"damaged ({error})") from error
