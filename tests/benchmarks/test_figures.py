"""What benchmarks and the page of own pictures print is what they say it is: the figures by hand, on small inputs."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks import corruptions, out_of_distribution, symbols
from examples.own_pictures import others, show
from predinet_prolog.bridge import Scene, Thing, grounding
from predinet_prolog.bridge.out_of_distribution import OutOfDistribution
from predinet_prolog.domains.domain import Annotated, Inspection, Truth
from predinet_prolog.domains.relations_game import EVERYDAY
from predinet_prolog.experiments import data
from predinet_prolog.neural import Model, load_model, training
from predinet_prolog.symbolic import Engine
from tests.cases import cases

CASES = cases(__file__)

BENCHMARKS = sorted(path.stem for path in Path(symbols.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("name", BENCHMARKS)
def test_what_it_imports_is_there(name: str) -> None:
    import_module(f"benchmarks.{name}")


def test_a_pair_that_is_not_seen_as_two_objects_is_wrong() -> None:
    """Of the unlike ones the last two, of which one is said rightly."""
    truth = np.array([1, 1, 1, 1, 0, 0, 0, 0], dtype=np.bool_)
    told = np.array([1, 1, 1, 0, 0, 1, 0, 1], dtype=np.bool_)
    seen = np.array([1, 1, 0, 1, 1, 1, 0, 0], dtype=np.bool_)
    assert symbols.shares_right(told, truth, seen) == (0.5, 0.25)
    assert symbols.shares_right(told, truth, np.ones(8, np.bool_)) == (0.75, 0.5)
    assert symbols.shares_right(truth, truth, np.zeros(8, np.bool_)) == (0, 0)


def test_nothing_is_measured_with_the_seed_of_what_was_learned_or_chosen() -> None:
    measured = {symbols.SEED, corruptions.SEED, out_of_distribution.SEED}
    learned = {
        grounding.FIT_SEED,
        grounding.JUDGE_SEED,
        training.TEST_SEED,
        data.TRAINING_SEED,
        *(load_model(name).training.seed for name in ("between", "between-small", "relations-game")),
    }
    assert measured.isdisjoint(learned)


def test_boards_that_are_warned_of_and_other_pictures_that_are_not_are_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the first of every four pictures is judged to be no board."""

    def judged(model: Model, pixels: np.ndarray) -> list[OutOfDistribution]:
        odd, fine = OutOfDistribution(2.5, "odd"), OutOfDistribution(0.5, None)
        return [fine if index % 4 else odd for index in range(len(pixels))]

    monkeypatch.setattr(out_of_distribution, "judged", judged)
    out_of_distribution.judge_boards(load_model("between"), 4)
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()]
    shares = [(cells[2], cells[3].rstrip(" |")) for cells in rows if cells[1:2] in (["hexos"], ["stripes"])]
    assert len(shares) == 2 * len((None, *EVERYDAY, *out_of_distribution.HARSHER))
    assert set(shares) == {("0.7500", "2.50")}
    assert ["| **all of these**", "both", "**0.7500**", "(wanted: 0.99) |"] in rows
    out_of_distribution.judge_others(load_model("between"), 4)
    out = capsys.readouterr().out
    assert out.count("| 0.250 | 0.50 |") == len(out_of_distribution.KINDS)
    assert "| **all** | **0.250** | (wanted: 0.95) |" in out


def test_the_page_names_what_is_wrong(tmp_path: Path) -> None:
    """Of four things the last is missed. The first two look the same; same/2 is said of the second and the third."""
    boxes = np.array([(10, 10, 30, 30), (40, 10, 60, 30), (70, 10, 90, 30), (10, 60, 30, 80)], float)
    looks = np.array([0, 0, 1, 1])
    picture = np.full((100, 200, 3), 255, np.uint8)
    truth = Truth(np.zeros(4, np.int64), boxes, {"look": looks, "shape": looks})
    annotated = Annotated(("noto/some_things",), (picture,), truth)
    things = tuple(Thing(f"ob_{at}", box, (0, 0, 0), np.zeros(1)) for at, box in enumerate(boxes[:3]))
    scene = Scene(things, Inspection(0.0, None, 0.0), (200, 100))
    said = "same(ob_1, ob_2).\nsame(ob_2, ob_1).\nsame_size(ob_0, ob_1).\n"
    program = "".join(f"object({thing.name}).\n" for thing in things) + said
    with Engine() as engine:
        shown = show.judged(engine, scene, program, annotated, 0)
    assert (shown.missed, shown.spurious) == ([3], [])
    assert (shown.wrongly["same"], shown.left_out["same"]) == ([(1, 2)], [(0, 1)])
    assert (shown.wrong("same"), shown.wrong("same_shape"), shown.wrong("same_size")) == (2, None, None)
    fine = replace(shown, name="mdi/fine", boxes=boxes[:3], wrongly={}, left_out={})
    page = show.write_page([fine, shown], replace(annotated, pictures=(picture, picture)), tmp_path / "pictures")
    assert page.index("## noto some things") < page.index("## mdi fine")  # what is wrong comes first
    for line in CASES["page"]:
        assert line in page
    with Image.open(tmp_path / "pictures" / "noto-some-things.jpg") as image:
        assert image.width == 2 * image.height
        box = np.asarray(image)[: image.height // 2, : image.width // 5]
    assert (box[..., 1].astype(int) - box[..., 0] > 60).any()  # a green box


@pytest.mark.parametrize("how", ["several", "alone", "large"])
def test_the_boxes_of_what_is_laid_out_are_where_it_is(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Red squares on white: what is red lies in boxes, and these are full."""
    red = Image.new("RGBA", (40, 40), (255, 0, 0, 255))
    monkeypatch.setattr(others, "kind_of", lambda maker, rng: ("0 square", red))
    laid = others.lay("mdi", how, "white", rng=np.random.default_rng(7))
    boxed = np.zeros(laid.picture.shape[:2], np.bool_)
    for left, top, right, bottom in laid.boxes:
        boxed[top:bottom, left:right] = True
    assert np.array_equal(boxed, laid.picture[..., 1] < 100)
    assert len(laid.boxes) == len(laid.values) > (how != "alone")


def test_an_archive_that_is_not_what_it_was_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path)
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "flag-icons-7.5.0.tgz").write_bytes(b"something else")
    with pytest.raises(SystemExit, match=r"has SHA-256 \w+, not c0b80bf0"):
        others.archive("flag-icons@7.5.0")
