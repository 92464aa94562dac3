"""Images of a folder, and work on them by processes: order, bounds, and how it ends."""

import os
from pathlib import Path

import pytest

from predinet_prolog.domains.image_files import image_names
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.folders import count_images


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Images and what is none, in folders."""
    for name in ("b.png", "a.PNG", "it's %d.jpeg", "notes.txt", "c.png.txt", ".hidden.png", "sub/x.bmp", "sub/a.gif",
                 "sub/deep/ö.webp", ".git/logo.png", "none/readme.md", "a.b.tiff"):  # fmt: skip
        path = tmp_path / "images" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "images" / "sub" / "up").symlink_to(tmp_path / "images")
    return tmp_path / "images"


def test_images_are_found_in_all_folders_in_order(folder: Path) -> None:
    expected = ["a.PNG", "a.b.tiff", "b.png", "it's %d.jpeg", "sub/a.gif", "sub/x.bmp", "sub/deep/ö.webp"]
    assert list(image_names(folder)) == expected
    assert count_images(folder, apart=True) == len(expected)


def test_folders_that_cannot_be_exported(folder: Path) -> None:
    (folder / "sub" / "x.png").touch()
    with pytest.raises(UsageError, match=r"sub/x.bmp and .*sub/x.png"):
        count_images(folder, apart=True)
    assert count_images(folder, apart=False) == 8
    with pytest.raises(UsageError, match="holds no image"):
        count_images(folder / "none", apart=True)
    if os.geteuid():  # root may read everything
        (folder / "sub").chmod(0)
        with pytest.raises(UsageError, match=r"sub cannot be read"):
            count_images(folder, apart=True)
