"""A folder of images becomes programs: the same as one by one, whole or not at all, and no work is done twice."""

import io
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from domains.relations_game import generate
from neural import load_model
from neural.images import read_image
from service import pipeline
from service.pipeline import view
from service.store import folder as exporting
from service.store.batches import in_batches
from service.store.folder import Export, Outcome, export_folder


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
    return Export(folder, tmp_path / "programs", str(model_file))


def total(export: Export, size: int = 7) -> Outcome:
    whole = Outcome()
    for outcome in export_folder(export, total=size):
        whole += outcome
        whole.bad += outcome.bad
    return whole


def programs(export: Export) -> dict[str, bytes]:
    found = sorted(path for path in export.target.rglob("*") if path.is_file())
    return {path.relative_to(export.target).as_posix(): path.read_bytes() for path in found}


def test_every_program_is_that_of_its_image_alone(export: Export) -> None:
    outcome = total(export)
    assert (outcome.images, outcome.written, outcome.kept, outcome.skipped) == (7, 5, 0, 2)
    assert [reason for reason in outcome.bad if "is empty" in reason or "not an image" in reason] == outcome.bad
    assert outcome.notes["transparency shown as black"] == 1
    assert outcome.notes["resized from 360x360 to 36x36"] == 1
    model = load_model(export.model)
    written = programs(export)
    assert set(written) == {"0.pl", "1.pl", "2.pl", "clear.pl", "sub/it's.pl"}
    for name, program in written.items():
        (alone,) = view(model, [read_image((export.folder / name).with_suffix(".png"), size=36)])
        assert program.decode() == alone.text


def test_what_is_there_is_kept_and_what_is_outdated_is_not(export: Export) -> None:
    total(export)
    first = programs(export)
    stamps = {path: path.stat().st_mtime_ns for path in export.target.rglob("*.pl")}
    again = total(export)
    assert (again.written, again.kept, again.skipped) == (0, 5, 2)
    assert {path: path.stat().st_mtime_ns for path in export.target.rglob("*.pl")} == stamps

    Image.fromarray(generate("same", 1, seed=1).render()[0]).save(export.folder / "0.png")
    (export.target / "1.pl").write_bytes(first["1.pl"][:-200])
    (export.target / "2.pl").write_bytes(b"\xff\xfe")
    (export.target / "sub" / "it's.pl").unlink()
    some = total(export)
    assert (some.written, some.kept) == (4, 1)
    assert programs(export)["0.pl"] != first["0.pl"]
    assert {name: text for name, text in programs(export).items() if name != "0.pl"} == {
        name: text for name, text in first.items() if name != "0.pl"
    }

    assert total(replace(export, looks=1)).written == 5, "another number of looks"


def test_nothing_but_programs_is_left(export: Export) -> None:
    total(export)
    assert all(name.endswith(".pl") for name in programs(export))


def test_a_folder_of_bad_images_only(tmp_path: Path, model_file: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"x")
    outcome = total(Export(tmp_path, tmp_path / "out", str(model_file)), 1)
    assert (outcome.written, outcome.skipped) == (0, 1)
    assert not (tmp_path / "out").exists()


def test_memory_does_not_grow_with_the_images(
    tmp_path: Path, model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more than a batch of images is seen at once."""
    buffer = io.BytesIO()
    Image.fromarray(np.zeros((36, 36, 3), dtype=np.uint8)).save(buffer, "PNG")
    (tmp_path / "images").mkdir()
    for number in range(10):
        (tmp_path / "images" / f"{number}.png").write_bytes(buffer.getvalue())
    sizes = []

    def watched(model: object, images: list[object], **options: object) -> object:
        sizes.append(len(images))
        return view(model, images, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "view", watched)
    monkeypatch.setattr("service.store.batches._processors", lambda: 1)
    monkeypatch.setattr(exporting, "in_batches", partial(in_batches, size=4))
    assert total(Export(tmp_path / "images", tmp_path / "out", str(model_file)), 10).written == 10
    assert sizes == [4, 4, 2]
