"""The frames of a film: the pictures of a folder, of an animated picture, or of a video."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from PIL import Image, ImageSequence

from predinet_prolog.domains.errors import DomainError, naming
from predinet_prolog.domains.image_files import image_names
from predinet_prolog.domains.images import ImageFile, Opened, opened

VIDEOS = (".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v")
"""What is read by PyAV."""
EXTRA = "predinet-prolog[video]"


@dataclass(frozen=True)
class FilmFrame:
    number: int
    """In a folder that at the end of its picture's name, if all have one of their own; else counted from 1."""
    name: str
    """What detections call it: its picture's name, or its number in six digits as a PNG's."""
    file: Opened
    """Not read yet."""


def frames_of(path: Path) -> Iterator[FilmFrame]:
    """The frames of the film, in their order. DomainError for what is none."""
    if path.is_dir():
        for number, name in frame_names(path):
            yield FilmFrame(number, name, path / name)
        return
    for number, picture in enumerate(_of_file(path), 1):
        buffer, name = io.BytesIO(), f"{number:06d}.png"
        picture.save(buffer, "PNG", compress_level=1)
        yield FilmFrame(number, name, ImageFile(buffer.getvalue(), name, f"frame {number} of {path}"))


def frame_names(path: Path) -> list[tuple[int, str]]:
    """Numbers and names of the frames, which are not read; none of a video that does not say how many it has."""
    if path.is_dir():
        return _of_folder(path)
    if _is_video(path):
        with naming(path), _open_video(path) as container:
            count = int(container.streams.video[0].frames)
    else:
        with opened(path, str(path)) as image:
            count = int(getattr(image, "n_frames", 1))
    return [(number, f"{number:06d}.png") for number in range(1, count + 1)]


def _is_video(path: Path) -> bool:
    return path.suffix.lower() in VIDEOS


def _of_folder(folder: Path) -> list[tuple[int, str]]:
    if not (names := list(image_names(folder))):
        raise DomainError(f"{folder} has no pictures: name the folder of a film's frames")
    if inner := next((name for name in names if "/" in name), None):
        raise DomainError(f"{folder} has a folder with pictures, {Path(inner).parent}: name that of one film's frames")
    numbers = [int(digits[-1]) for name in names if (digits := re.findall(r"[0-9]{1,18}", Path(name).stem))]
    return sorted(zip(numbers, names, strict=True)) if len(set(numbers)) == len(names) else list(enumerate(names, 1))


def _of_file(path: Path) -> Iterator[Image.Image]:
    if _is_video(path):
        with naming(path), _open_video(path) as container:
            yield from (frame.to_image() for frame in container.decode(video=0))
        return
    with opened(path, str(path)) as image:
        for frame in ImageSequence.Iterator(image):
            yield frame.convert("RGBA" if frame.has_transparency_data else "RGB")


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
