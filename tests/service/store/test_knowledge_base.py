"""Many images as one knowledge base: it says of each what its own program says, in Prolog and as a table."""

import os
import shutil
from hashlib import sha256
from pathlib import Path

import duckdb
import pytest
from PIL import Image

from predinet_prolog.bridge.vocabulary import VOCABULARY
from predinet_prolog.domains.images import read_image
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import load_model
from predinet_prolog.quoting.prolog import atom
from predinet_prolog.service.folders import Pictures
from predinet_prolog.service.pipeline import see
from predinet_prolog.service.store.folder import Export
from predinet_prolog.service.store.knowledge_base import export_knowledge_base
from predinet_prolog.symbolic import Engine
from tests.asking import printed
from tests.cases import cases

CASES = cases(__file__)

NAMES = ["0.png", "1.png", "2.png", "sub/it's 50%.png"]
GIVEN = CASES["given"]
"""Questions for predicates that want something given, {0} where the image goes."""
QUESTIONS = GIVEN | {
    each.indicator: each.template.replace("(", "({0}")
    for each in VOCABULARY
    if each.in_bases
    and "windows" in (each.programs or "windows").split()
    and each.source != "base"
    and each.name != "same_A"
    and each.indicator not in GIVEN
}


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four boards and a file that is no image."""
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "sub").mkdir()
    for name, pixels in zip(NAMES, generate("scatter", 4, seed=8).render(), strict=True):
        Image.fromarray(pixels).save(folder / name)
    (folder / "sub" / "bad.png").touch()
    return folder


@pytest.fixture(scope="module", params=[".pl", ".qlf"])
def prolog(request: pytest.FixtureRequest, pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export(pictures, tmp_path_factory.mktemp("base") / f"images{request.param}")


def export(pictures: Path, target: Path, *, skipped: int = 1) -> Path:
    """The knowledge base of `pictures` by the shipped model, whose predicates are grounded."""
    outcomes = list(export_knowledge_base(Export(Pictures(pictures, "relations-game"), target), total=5))
    assert sum(outcome.skipped for outcome in outcomes) == skipped
    assert {path.name for path in target.parent.iterdir()} == {target.name, f"{target.name}.kept"}
    return target


def test_it_says_of_each_image_what_its_program_says(prolog: Path, pictures: Path, tmp_path: Path) -> None:
    """Every predicate but those about heads: the same answers in the same order, with the image before them."""
    model = load_model("relations-game")
    for name in NAMES:
        (seen,) = see(model, [read_image(pictures / name, picture=model.domain.picture)])
        program = tmp_path / "scene.pl"
        program.write_text(seen.text)
        of_heads = {"head/3", "holds/4", *(f"r{index}/3" for index in range(16))}
        assert set(seen.program.predicates) - of_heads == set(QUESTIONS)
        expected = printed(program, [question.format("") for question in QUESTIONS.values()])
        actual = printed(prolog, [question.format(f"{atom(name)}, ") for question in QUESTIONS.values()])
        assert dict(zip(QUESTIONS, actual, strict=True)) == dict(zip(QUESTIONS, expected, strict=True))
        assert sum(map(len, expected)) > 100


def test_it_names_its_images(prolog: Path, pictures: Path) -> None:
    (images,) = printed(prolog, ["image(Image, Width, Height, Hash)"])
    hashes = [sha256((pictures / name).read_bytes()).hexdigest() for name in NAMES]
    assert images == [f"[{atom(name)},36,36,{atom(digest)}]" for name, digest in zip(NAMES, hashes, strict=True)]
    assert printed(prolog, ["warning(Image, Text)", "small(_, 1)"]) == [[], []], "defined, though nothing holds"


def test_its_proofs_have_the_confidences_of_its_images_own(pictures: Path, tmp_path: Path) -> None:
    base = export(pictures, tmp_path / "images.pl").read_text()
    model = load_model("relations-game")
    (seen,) = see(model, [read_image(pictures / NAMES[0], picture=model.domain.picture)])
    with Engine(time_limit=10) as engine:
        expected = engine.ask(seen.text, "same_colour(X, Y)", why=True).answers
        actual = engine.ask(base, f"same_colour({atom(NAMES[0])}, X, Y)", why=True).answers
    assert [answer.confidence for answer in actual] == [answer.confidence for answer in expected]
    assert expected
    assert None not in {answer.confidence for answer in expected}


def test_the_same_images_give_the_same_bytes(pictures: Path, tmp_path: Path) -> None:
    for ending in ("pl", "parquet"):
        one, other = (export(pictures, tmp_path / f"{ending}{time}" / f"images.{ending}").read_bytes() for time in "12")
        assert one == other


def test_what_is_unchanged_is_kept(pictures: Path, tmp_path: Path) -> None:
    """What was seen of an image that is gone goes, and what is damaged is seen again."""
    folder, target = tmp_path / "pictures", tmp_path / "base" / "images.pl"
    shutil.copytree(pictures, folder)

    def kept(model: str = "relations-game") -> list[int]:
        outcomes = export_knowledge_base(Export(Pictures(folder, model), target), total=5)
        return [sum(summary.kept for summary in outcomes), len(list(target.with_name("images.pl.kept").iterdir()))]

    assert kept() == [0, 4]
    before = target.read_bytes()
    assert (kept(), target.read_bytes()) == ([4, 4], before)
    shutil.copy(folder / NAMES[0], folder / NAMES[1])
    (folder / NAMES[2]).unlink()
    for path in target.with_name("images.pl.kept").iterdir():
        os.utime(path, (0, 0))
    assert kept() == [2, 3]
    assert export(folder, tmp_path / "fresh" / "images.pl").read_bytes() == target.read_bytes() != before
    next(target.with_name("images.pl.kept").iterdir()).write_bytes(b"half")
    assert (kept(), kept("between")[0]) == ([2, 3], 0)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    Image.new("RGB", (36, 36)).save(os.fsencode(folder) + b"/a\xff.png", "PNG")
    base = export(folder, tmp_path / "prolog" / "images.pl", skipped=0)
    assert printed(base, ["image(I, W, H, S), sub_atom(I, B, 5, A, udcff)"])[0]
    table = export(folder, tmp_path / "table" / "images.parquet", skipped=0)
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT image FROM '{table}' WHERE predicate = 'image'").fetchall()
    assert rows == [("a\\udcff.png",)]
