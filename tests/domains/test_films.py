"""Frames of films: their order, their numbers, and what is no film."""

from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.domains import films
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.films import frame_names, frames_of


def pictures(folder: Path, *names: str) -> Path:
    for level, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (40, 30), (level, 0, 0)).save(folder / name)
    return folder


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("f2.png", "f10.png", "f1.png"), [(1, "f1.png"), (2, "f2.png"), (10, "f10.png")]),
        (("2024_000.png", "2024_005.png"), [(0, "2024_000.png"), (5, "2024_005.png")]),
        (("a1.png", "b1.png"), [(1, "a1.png"), (2, "b1.png")]),  # two of one number: counted
        (("b.png", "a.png", "c7.png"), [(1, "a.png"), (2, "b.png"), (3, "c7.png")]),
    ],
)
def test_frames_of_a_folder_have_the_numbers_of_their_names(
    names: tuple[str, ...], expected: list[tuple[int, str]], tmp_path: Path
) -> None:
    folder = pictures(tmp_path, *names)
    assert [(frame.number, frame.name) for frame in frames_of(folder)] == expected
    assert frame_names(folder) == expected


def test_frames_of_an_animated_picture_are_all_of_it(tmp_path: Path) -> None:
    first, *rest = [Image.new("RGB", (40, 30), (80 * level, 0, 0)) for level in range(3)]
    first.save(tmp_path / "film.gif", save_all=True, append_images=rest)
    frames = list(frames_of(tmp_path / "film.gif"))
    assert [(frame.number, frame.name) for frame in frames] == [(n, f"00000{n}.png") for n in (1, 2, 3)]
    (tmp_path / "last.png").write_bytes(frames[2].file.data)
    with Image.open(tmp_path / "last.png") as image:
        assert image.convert("RGB").getpixel((20, 15)) == (160, 0, 0)
    assert frame_names(tmp_path / "film.gif") == [(n, f"00000{n}.png") for n in (1, 2, 3)]


def test_what_is_no_film_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DomainError, match="has no pictures"):
        list(frames_of(tmp_path))
    with pytest.raises(DomainError, match="has a folder with pictures, b: name that of one film's frames"):
        list(frames_of(pictures(tmp_path, "a1.png", "b/a2.png")))
    monkeypatch.setitem(films.__dict__, "import_module", lambda name: exec("raise ImportError"))
    with pytest.raises(DomainError, match=r"pip install 'predinet-prolog\[video\]', or make a folder"):
        list(frames_of(tmp_path / "film.mp4"))
