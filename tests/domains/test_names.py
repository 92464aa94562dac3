"""Names of pictures, as different machines and tools write them."""

from pathlib import Path

import pytest

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.names import Names, PictureFiles

COMPOSED, APART = "caf\u00e9.png", "cafe\u0301.png"


@pytest.mark.parametrize(
    ("name", "names", "called"),
    [
        (COMPOSED, ["a.png", APART], [APART]),
        ("images/a.png", ["images\\a.png", "a.png"], ["images\\a.png"]),
        ("./a.png", ["a.png"], ["a.png"]),
        ("a.png", ["C:\\photos\\a.png", "b.png"], ["C:\\photos\\a.png"]),
        ("a.png", ["x/a.png", "y/a.png"], ["x/a.png", "y/a.png"]),
        ("a.png", ["aa.png", "A.png"], []),
    ],
)
def test_names_mean_one_picture(name: str, names: list[str], called: list[str]) -> None:
    assert [names[place] for place in Names(names).like(name)] == called


@pytest.mark.parametrize(
    ("name", "file"),
    [
        (COMPOSED, APART),
        ("sub\\b.png", "sub/b.png"),
        ("C:\\photos\\b.png", "b.png"),
        ("/elsewhere/photos/b.png", "b.png"),
        ("./b.png", "b.png"),
        ("sub/../b.png", "b.png"),
    ],
)
def test_a_file_is_found_by_any_of_its_names(tmp_path: Path, name: str, file: str) -> None:
    (tmp_path / "sub").mkdir()
    for path in (APART, "b.png", "sub/b.png"):
        (tmp_path / path).touch()
    assert PictureFiles(tmp_path).called(name) == file


@pytest.mark.parametrize("name", ["c.png", "sub/a.png", "../a.png", "", "/etc/passwd"])
def test_a_file_that_is_not_there_or_not_inside_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.png").touch()
    (tmp_path.parent / "a.png").touch()
    with pytest.raises(DomainError):
        PictureFiles(tmp_path).called(name)


def test_a_link_to_a_folder_is_named_where_a_picture_is_missing(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "folder"
    elsewhere.mkdir()
    folder.mkdir()
    (elsewhere / "a.png").touch()
    (folder / "images").symlink_to(elsewhere)
    with pytest.raises(DomainError, match="no such file in the folder; images is a link to a folder, and those"):
        PictureFiles(folder).called("a.png")
