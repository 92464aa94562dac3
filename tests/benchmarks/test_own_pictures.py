"""Pictures that judge are what they say, and the figures of a known seer are those counted by hand."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks import own_pictures, own_pictures_peer, own_pictures_sets, shared
from benchmarks.own_pictures_icons import ICONS, icon_pictures, is_whole, mask_of, told_apart, twin
from bridge import ImageInfo
from bridge.confidence import Curve
from bridge.definitions import Definition
from bridge.glimpses.scene import SeenObject, SeenScene
from domains.annotations import read_folder
from domains.domain import Annotated, Inspection, Pixels, Truth
from domains.scenes.shapes import overlap
from examples.own_pictures import make, show
from examples.own_pictures.parts import draw
from experiments.judging import Sight
from neural import load_model

PICTURES = Path(make.__file__).parent / "pictures"


@pytest.fixture(scope="module")
def icons() -> Annotated:
    return icon_pictures(12, side=96, seed=3)


def truth_of(annotated: Annotated) -> Truth:
    assert annotated.truth is not None
    return annotated.truth


def test_there_are_thirty_icons_and_more_and_each_hangs_together() -> None:
    assert len(ICONS) >= 30
    assert [name for name, parts in ICONS.items() if not is_whole(parts)] == []
    assert not is_whole("disc 0 0 0 30 30; disc 1 60 60 90 90")


def test_boxes_of_icons_fit(icons: Annotated) -> None:
    """Nothing shows outside of them, and they hold something along each side."""
    truth = truth_of(icons)
    for number, picture in enumerate(icons.pictures):
        unlike = (picture != picture[0, 0]).any(axis=2)
        for left, top, right, bottom in truth.boxes[truth.rows(number)].astype(int):
            inside = unlike[top:bottom, left:right]
            assert all(side.any() for side in (inside[0], inside[-1], inside[:, 0], inside[:, -1]))
            unlike[top:bottom, left:right] = False
        assert not unlike.any()


def test_icons_of_one_look_look_the_same_and_others_do_not(icons: Annotated) -> None:
    truth = truth_of(icons)
    alike = unlike = 0
    for number, picture in enumerate(icons.pictures):
        rows = truth.rows(number)
        drawn = [
            np.asarray(Image.fromarray(picture).crop(tuple(box)).resize((24, 24), Image.Resampling.BOX)).astype(int)
            for box in truth.boxes[rows].astype(int).tolist()
        ]
        look, shape, size = (truth.attributes[name][rows] for name in ("look", "shape", "size"))
        for one in range(len(drawn)):
            for other in range(one):
                apart = np.abs(drawn[one] - drawn[other]).max(axis=2)
                if look[one] == look[other] and size[one] == size[other]:
                    assert apart.max() == 0
                    assert shape[one] == shape[other]
                    alike += 1
                elif look[one] != look[other]:
                    assert (apart > 30).mean() > 0.01
                    unlike += 1
    assert min(alike, unlike) > 10


def test_outlines_are_one_shape_or_clearly_two() -> None:
    assert overlap(mask_of(ICONS["clock"]), mask_of(ICONS["face"])) > 0.97  # discs
    assert overlap(mask_of(ICONS["key"]), mask_of(ICONS["house"])) < 0.7


def test_a_twin_differs_in_one_part_until_one_is_left() -> None:
    rng, colours = np.random.default_rng(1), ((0, 0, 0),) * 4
    parts = ICONS["bus"]
    for _ in range(100):
        changed, _ = twin(parts, colours, rng)
        before, after = parts.split(";"), changed.split(";")
        assert before[0] == after[0]
        if len(after) == len(before):
            assert sum(one.split() != other.split() for one, other in zip(before, after, strict=True)) <= 1
        else:
            assert len(after) == len(before) - 1
            assert set(after) < set(before)
        parts = changed
    assert ";" not in parts


@pytest.mark.parametrize(
    ("other", "clear"),
    [
        ("disc 0 0 0 100 100", False),  # the same
        ("disc 0 0 0 100 100; disc 1 48 48 52 52", False),  # a dot that nobody would see
        ("disc 0 0 0 100 100; disc 1 30 30 70 70", True),
        ("disc 1 0 0 100 100", True),
        ("disc 0 0 0 100 100; box 0 0 0 100 50", False),  # hardly another outline, hardly the same
        ("box 0 0 0 100 40", True),
    ],
)
def test_looks_of_a_picture_are_clearly_alike_or_clearly_not(other: str, clear: bool) -> None:
    colours = (200, 0, 0), (0, 0, 200)
    assert told_apart(("disc 0 0 0 100 100", colours), (other, colours)) is clear


def test_the_same_arguments_give_the_same_icons(icons: Annotated) -> None:
    again, other = icon_pictures(2, side=96, seed=3), icon_pictures(2, side=96, seed=4)
    assert [picture.tobytes() for picture in again.pictures] == [picture.tobytes() for picture in icons.pictures[:2]]
    assert again.pictures[0].tobytes() != other.pictures[0].tobytes()


@pytest.mark.parametrize("kind", ["photographs", "texts", "textures"])
def test_what_must_be_warned_about_shows_something_all_over(kind: str) -> None:
    pictures = list(own_pictures.WARNED[kind](6, 5))
    assert len(pictures) == 6
    for picture in pictures:
        assert 96 <= min(picture.shape[:2]) <= 192
        for rows in np.array_split(picture.astype(int), 2):
            assert all(quarter.std(axis=(0, 1)).max() > 8 for quarter in np.array_split(rows, 2, axis=1))
    plain = np.full((99, 99, 3), 200, np.uint8)
    assert not own_pictures_sets.is_cluttered(plain)


@dataclass(frozen=True)
class Fake:
    """Sees the true things, but for the last of every picture; co-ordinates are their looks and shapes."""

    annotated: Annotated
    misses: int = 0
    definitions: Sequence[Definition] = field(
        default_factory=lambda: [
            Definition(name, "", (relation,), Curve(0.5, 20.0, 0.0005), 0.0, {}, {})
            for relation, name in enumerate(("same", "same_shape"))
        ]
    )
    sizes: bool = False
    said: str = ""

    def perceive(self, pictures: Iterable[Pixels]) -> Iterator[SeenScene]:
        truth = truth_of(self.annotated)
        for number, picture in enumerate(pictures):
            rows = truth.rows(number)
            things = tuple(
                SeenObject(
                    f"ob_{at}",
                    truth.boxes[thing],
                    (0, 0, 0),
                    np.array([truth.attributes[name][thing] for name in ("look", "shape")], dtype=float),
                )
                for at, thing in enumerate(range(rows.start, rows.stop - self.misses))
            )
            yield SeenScene(things, (), Inspection(float(number % 2), None, 0.0), picture.shape[1], picture.shape[0])

    def program(self, scene: Sight, image: ImageInfo) -> str:
        del image
        return "".join(f"object({thing.name}).\n" for thing in scene.objects) + self.said  # type: ignore[attr-defined]


def test_the_figures_of_who_sees_everything_and_of_who_misses_one(icons: Annotated) -> None:
    row = own_pictures.measured("icons", "fake", Fake(icons), icons)
    assert row.cells()[:4] == ["1.000", "1.000", "1.000", "–"]
    assert row.cells()[-3:] == ["0.00", "0.00", "0.500"]
    row = own_pictures.measured("icons", "fake", Fake(icons, misses=1), icons, warns=False)
    assert row.cells()[0] == "0.000"
    assert row.cells()[-3:] == ["1.00", "0.00", "–"]
    truth = truth_of(icons)
    right, pairs = np.zeros(2), np.zeros(2)
    for number in range(len(icons)):
        look = truth.attributes["look"][truth.rows(number)]
        for one in range(len(look)):
            for other in range(one):
                same = int(look[one] == look[other])
                pairs[same] += 1
                right[same] += one < len(look) - 1
    assert row.evaluation.pairs["same"] == pytest.approx((right / pairs).mean())


def test_sets_without_truth_are_only_warned_about() -> None:
    pictures = tuple(own_pictures_sets.texts(4, seed=1))
    blank = Annotated(("a", "b", "c", "d"), pictures)

    class Blind(Fake):
        def perceive(self, pictures: Iterable[Pixels]) -> Iterator[SeenScene]:
            for number, _ in enumerate(pictures):
                yield SeenScene((), (), Inspection(1.0 if number else 0.9, None, 0.0), 9, 9)

    row = own_pictures.measured("texts", "fake", Blind(blank), blank)
    assert row.cells() == [*["–"] * 8, "0.750"]


def test_boxes_are_moved_with_the_board() -> None:
    turned = np.array([[0.0, -2.0, 30.0], [2.0, 0.0, 1.0], [0.0, 0.0, 1.0]])  # a quarter turn, twice as large
    assert own_pictures.moved((1, 2, 4, 3), turned).tolist() == [24.0, 3.0, 26.0, 9.0]
    assert own_pictures.moved((1, 2, 4, 3), np.eye(3) * 7).tolist() == [1, 2, 4, 3]


def test_a_board_that_fills_its_picture_is_read_in_its_own_pixels() -> None:
    boards = shared.GAME.generate(shared.GAME.free_task, 3, kind="pentos", seed=5)
    pictures = tuple(board.repeat(10, axis=0).repeat(10, axis=1) for board in boards.images)
    annotated = Annotated(("a", "b", "c"), pictures, boards.truth)
    reader = own_pictures.BoardReader(load_model("relations-game"), [np.diag([10.0, 10.0, 1.0])] * 3)
    row = own_pictures.measured("boards", "reader", reader, annotated)
    assert row.evaluation.exact_scenes == 1
    assert row.warned == 0
    empty = np.full((90, 120, 3), 255, np.uint8)
    reader = own_pictures.BoardReader(load_model("relations-game"), [np.eye(3)])
    assert [(scene.objects, scene.inspection.score) for scene in reader.perceive([empty])] == [((), 1.0)]


def test_the_peer_compares_masks_colours_and_pixels_each_by_themselves() -> None:
    picture = np.full((80, 120, 3), 230, np.uint8)
    picture[10:30, 10:30] = picture[40:76, 70:106] = (200, 30, 30)  # squares
    picture[40:70, 10:20] = (200, 30, 30)
    picture[10:30, 60:80] = (30, 30, 200)
    (scene,) = own_pictures_peer.Peer().perceive([picture])
    things = {tuple(thing.box): thing.coordinates for thing in scene.objects}
    small, large = things[10, 10, 30, 30], things[70, 40, 106, 76]
    strip, blue = things[10, 40, 20, 70], things[60, 10, 80, 30]
    for name, unlike in (("shape", strip), ("colour", blue), ("look", blue)):
        own = slice(*own_pictures_peer.FEATURES[name])
        assert np.linalg.norm(small[own] - large[own]) < 0.01
        assert np.linalg.norm(small[own] - unlike[own]) > 0.1
    masks = slice(*own_pictures_peer.FEATURES["shape"])
    share = 24 * 8 / np.sqrt(24 * 24 * 24 * 8)
    assert np.linalg.norm(small[masks] - strip[masks]) == pytest.approx(np.sqrt(2 - 2 * share))


def test_the_twenty_pictures_are_those_that_are_drawn() -> None:
    annotated = read_folder(PICTURES)
    truth = truth_of(annotated)
    assert len(annotated) == 20
    files = [PICTURES / name for name in annotated.names]
    assert {path.suffix for path in files} == {".png", ".jpg"}
    assert sum(path.stat().st_size for path in files) <= 1_200_000
    for number, path in enumerate(files):
        with Image.open(path) as image:
            assert 400 <= image.width <= 1600
        rows = truth.rows(number)
        looks = truth.attributes["look"][rows].tolist()
        assert 3 <= len(looks) <= 12
        assert len(set(looks)) < len(looks), path
        boxes = truth.boxes[rows]
        corner = np.maximum(boxes[:, None, :2], boxes[:, :2])
        shared_size = np.minimum(boxes[:, None, 2:], boxes[:, 2:]) - corner
        assert (shared_size.min(axis=2)[~np.eye(len(boxes), dtype=bool)] <= 0).all(), path
    scene = next(each for each in make.SCENES if each.file == "pips.png")
    picture, things = make.paint(scene)
    number = annotated.names.index(scene.file)
    assert [list(thing.box) for thing in things] == truth.boxes[truth.rows(number)].tolist()
    assert np.abs(np.asarray(picture).astype(int) - annotated.pictures[number]).max() < 40


def test_a_part_lies_where_it_is_said_and_colours_do_not_bleed() -> None:
    drawn = np.asarray(draw("box 0 0 50 100 100; disc #0000ff80 0 0 50 50", [(255, 0, 0)], (40, 20)))
    assert drawn.shape == (20, 40, 4)
    assert drawn[15, 20].tolist() == [255, 0, 0, 255]
    assert drawn[5, 10].tolist() == [0, 0, 255, 128]
    assert drawn[2, 35, 3] == 0
    edge = np.asarray(draw("box 0 0 0 49 100", [(255, 0, 0)], (5, 2)))[0, 2]
    assert edge[:3].tolist() == [255, 0, 0]
    assert 60 < edge[3] < 250
    with pytest.raises(ValueError, match="no part is called blob"):
        draw("blob 0 1 2 3 4", [(0, 0, 0)], (8, 8))


def test_the_page_names_what_is_wrong(tmp_path: Path) -> None:
    """Of four things the last is missed. The first two look the same; same/2 is said of the second and the third."""
    boxes = np.array([(10, 10, 30, 30), (40, 10, 60, 30), (70, 10, 90, 30), (10, 60, 30, 80)], float)
    looks = np.array([0, 0, 1, 1])
    picture = np.full((100, 200, 3), 255, np.uint8)
    truth = Truth(np.zeros(4, np.int64), boxes, {"look": looks, "shape": looks})
    annotated = Annotated(("some_things.png",), (picture,), truth)
    fake = Fake(annotated, misses=1, said="same(ob_1, ob_2).\nsame(ob_2, ob_1).\nsame_size(ob_0, ob_1).\n")
    (shown,) = show.look(fake, annotated)
    assert (shown.missed, shown.spurious) == (1, [])
    assert (shown.wrongly["same"], shown.left_out["same"]) == ([(1, 2)], [(0, 1)])
    assert (shown.wrong("same"), shown.wrong("same_shape"), shown.wrong("same_size")) == (2, None, None)
    page = show.write_page([shown], annotated, tmp_path / "pictures")
    for line in (
        "| [some_things.png](#some-things) | 4 | 1 | 0 | 2 | – | – | – |  |",
        "Found without fault: 0 of 1. ",
        "![Some things](pictures/some_things.jpg)",
        "?- same(X, Y).   % X = ob_1, Y = ob_2",
        "- 1 of 4 things are missed",
        "- `same` is said, and is not true, of ob_1 and ob_2",
        "- `same` is true, and is not said, of ob_0 and ob_1",
    ):
        assert line in page
    with Image.open(tmp_path / "pictures" / "some_things.jpg") as image:
        assert image.width == 2 * image.height
        box = np.asarray(image)[: image.height // 2, : image.width // 5]
    assert (box[..., 1].astype(int) - box[..., 0] > 60).any()  # a green box
