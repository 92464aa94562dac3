"""Images of a folder are found in order and become programs: whole or not at all, and no work is done twice."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.domains.image_files import image_names
from predinet_prolog.domains.images import read_image
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import load_model
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.folders import Pictures, Summary, count_images
from predinet_prolog.service.pipeline import see
from predinet_prolog.service.store.folder import Export, export_folder

NAMES = ["0.pl", "1.pl", "2.pl", "clear.pl", "sub/it's.pl"]


@pytest.fixture
def export(tmp_path: Path, model_file: Path) -> Export:
    """Five pictures, one of them large and one transparent, and two files that are none."""
    folder = tmp_path / "pictures"
    (folder / "sub").mkdir(parents=True)
    for number, pixels in enumerate(generate("scatter", 3, seed=5).render()):
        Image.fromarray(pixels).save(folder / f"{number}.png")
    Image.fromarray(generate("between", 1, seed=3).render()[0]).resize((360, 360), 0).save(folder / "sub" / "it's.png")
    Image.new("RGBA", (36, 36), (200, 10, 10, 0)).save(folder / "clear.png")
    (folder / "empty.png").touch()
    (folder / "sub" / "text.jpg").write_text("no picture")
    return Export(Pictures(folder, str(model_file)), tmp_path / "programs")


def total(export: Export) -> Summary:
    whole = Summary()
    for summary in export_folder(export, total=7):
        whole += summary
        whole.bad |= summary.bad
    return whole


def test_what_is_there_is_kept_and_what_is_outdated_is_not(export: Export) -> None:
    summary = total(export)
    assert (summary.images, summary.written, summary.kept, summary.skipped) == (7, 5, 0, 2)
    skipped = {n: "is empty" in bad or "not an image" in bad for n, bad in summary.bad.items()}
    assert skipped == {"empty.png": True, "sub/text.jpg": True}
    assert (summary.notes["transparency shown as black"], summary.notes["resized from 360x360 to 36x36"]) == (1, 1)
    assert [path.relative_to(export.target).as_posix() for path in sorted(export.target.rglob("*.*"))] == NAMES
    model = load_model(export.pictures.model)
    for name in NAMES:
        image = read_image((export.pictures.folder / name).with_suffix(".png"), picture=model.domain.picture)
        (alone,) = see(model, [image])
        assert (export.target / name).read_text(encoding="utf-8") == alone.text

    programs = [export.target / name for name in NAMES]
    first = [(path.read_bytes(), path.stat().st_mtime_ns) for path in programs]
    again = total(export)
    assert (again.written, again.kept, again.skipped) == (0, 5, 2)
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in programs] == first

    Image.fromarray(generate("same", 1, seed=1).render()[0]).save(export.pictures.folder / "0.png")
    programs[1].write_bytes(first[1][0][:-200])
    programs[2].write_bytes(b"\xff\xfe")
    programs[4].unlink()
    some = total(export)
    assert (some.written, some.kept) == (4, 1)
    assert [path.read_bytes() == text for path, (text, _) in zip(programs, first, strict=True)] == [False, *[True] * 4]
    assert total(replace(export, pictures=replace(export.pictures, looks=1))).written == 5, "another number of looks"


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
