"""The frames of a film: the pictures of a folder, of an animated picture, or of a video."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from PIL import Image, ImageSequence

from domains.errors import DomainError, naming
from domains.image_files import image_names
from domains.images import ImageFile, open_file, opened

VIDEOS = (".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v")
"""What is read by PyAV."""
EXTRA = "predinet-prolog[video]"


@dataclass(frozen=True)
class FilmFrame:
    """One frame."""

    number: int
    """In a folder that at the end of its picture's name, if all have one of their own; else counted from 1."""
    name: str
    """What detections call it: its picture's name, or its number in six digits as a PNG's."""
    file: ImageFile


def frames_of(path: Path) -> Iterator[FilmFrame]:
    """The frames of the film, in their order. DomainError for what is none."""
    if path.is_dir():
        yield from _of_folder(path)
    else:
        for number, picture in enumerate(_of_video(path) if path.suffix.lower() in VIDEOS else _of_picture(path), 1):
            buffer, name = io.BytesIO(), f"{number:06d}.png"
            picture.save(buffer, "PNG", compress_level=1)
            yield FilmFrame(number, name, ImageFile(buffer.getvalue(), name, f"frame {number} of {path}"))


def count_frames(path: Path) -> int:
    """How many there are, as far as it is told: of a video that does not say, 0."""
    if path.is_dir():
        return sum(1 for _ in image_names(path))
    if path.suffix.lower() in VIDEOS:
        with naming(path), _open_video(path) as container:
            return int(container.streams.video[0].frames)
    with opened(path, str(path)) as image:
        return int(getattr(image, "n_frames", 1))


def _of_folder(folder: Path) -> Iterator[FilmFrame]:
    names = list(image_names(folder))
    if not names:
        raise DomainError(f"{folder} has no pictures: name the folder of a film's frames")
    if inner := next((name for name in names if "/" in name), None):
        raise DomainError(f"{folder} has a folder with pictures, {Path(inner).parent}: name that of one film's frames")
    numbers = [re.search(r"(\d+)\D*$", Path(name).stem) for name in names]
    if all(numbers) and len({int(number[1]) for number in numbers if number}) == len(names):
        order = sorted((int(number[1]), name) for number, name in zip(numbers, names, strict=True) if number)
    else:
        order = list(enumerate(names, 1))
    for number, name in order:
        yield FilmFrame(number, name, open_file(folder / name))


def _of_picture(path: Path) -> Iterator[Image.Image]:
    with opened(path, str(path)) as image:
        for frame in ImageSequence.Iterator(image):
            yield frame.convert("RGBA" if frame.has_transparency_data else "RGB")


def _of_video(path: Path) -> Iterator[Image.Image]:
    with naming(path), _open_video(path) as container:
        for frame in container.decode(video=0):
            yield frame.to_image()


def _open_video(path: Path) -> Any:
    try:
        av = import_module("av")
    except ImportError:
        raise DomainError(
            f"videos are read by PyAV, which is not installed: pip install '{EXTRA}', or make a folder of its frames: "
            f"ffmpeg -i {path} frames/%06d.png"
        ) from None
    if not path.is_file():
        raise DomainError("no such file")
    try:
        return av.open(str(path))
    except av.FFmpegError as error:
        raise DomainError(f"it is no video that can be read ({error.strerror})") from None
