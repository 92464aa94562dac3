"""One command for any picture: the model that suits it, the user's own pixels, boxes that are given."""

import json
import os
import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from predinet_prolog.bridge.errors import BoxesError, PerceiverError
from predinet_prolog.domains.detections import from_arrays
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.domains.relations_game.domain import DOMAIN
from predinet_prolog.neural import load_model
from predinet_prolog.service.pipeline import choose, look
from tests.cases import cases
from tests.pictures import decode, encode
from tests.service.glimpses import patches, ship
from tests.service.helpers import Refused, Run, one_line

GAME, SCENES = "relations-game", "scenes"
BOARDS = Path(__file__).parents[1] / "domains" / "relations_game"
BOXES = [(300, 200, 900, 800), (1800, 600, 2400, 1400)]


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a model for pictures of any size, and no setting says which model is to be used."""
    monkeypatch.delenv("PREDINET_PROLOG_MODEL")
    ship(monkeypatch)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """A photograph that was taken with the camera on its side."""
    exif = Image.Exif()
    exif[0x0112] = 6
    path = tmp_path / "holiday.jpg"
    patches((3000, 2000), BOXES).transpose(Image.Transpose.ROTATE_90).save(path, quality=90, exif=exif)
    return path


# --- Which model suits ---


@pytest.mark.parametrize("seed", range(2))
def test_boards_are_the_games_and_all_else_is_not(shipped: None, seed: int) -> None:
    board = Image.fromarray(generate("scatter", 1, seed=seed).render()[0])
    large, smooth = board.resize((360, 360), Image.Resampling.NEAREST), board.resize((500, 500))
    for file in (encode(board), encode(large), encode(smooth, "JPEG", quality=90)):
        assert choose(file) == GAME
    discs = Image.new("RGB", (360, 360))
    for cell in np.random.default_rng(seed).choice(9, 4, replace=False).tolist():
        left, top = 120 * (cell % 3) + 15, 120 * (cell // 3) + 15
        ImageDraw.Draw(discs).ellipse((left, top, left + 90, top + 90), fill=(250, 60 + 40 * seed, 30))
    wide = Image.new("RGB", (720, 360))
    wide.paste(large)
    white = Image.new("RGB", (300, 300), "white")
    white.paste("red", (90, 20, 200, 130))
    for file in (*map(encode, (discs, wide, white, Image.new("RGB", (36, 36)))), b"", b"no picture"):
        assert choose(file) == SCENES


def test_an_image_from_a_pipe_is_read_once(shipped: None, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(encode(patches((3000, 2000), BOXES))))
    writer.start()
    assert len(look(pipe).scene.things) == 2
    writer.join()


# --- Who decides ---


def test_an_option_decides_before_a_setting_and_that_before_the_picture(
    shipped: None, run: Run, photo: Path, root: Path, monkeypatch: pytest.MonkeyPatch, model_file: Path
) -> None:
    board = root / "examples" / "between" / "image.png"

    def model(*arguments: object) -> str:
        return str(json.loads(run("query", *arguments, "true", "--json").out)["model"])

    assert [model(board), model(photo)] == [GAME, SCENES]
    assert model(board, "--model", SCENES) == SCENES
    monkeypatch.setenv("PREDINET_PROLOG_MODEL", str(model_file))
    assert model(board) == "tiny"
    assert one_line(run("query", photo, "true").err).endswith("not square: crop it to a square")
    assert model(photo, "--model", SCENES) == SCENES


# --- Boxes ---


def test_boxes_that_are_given_take_the_place_of_finding(shipped: None, run: Run, photo: Path, tmp_path: Path) -> None:
    given = [[100, 1500, 400.5, 1900], [250, 150, 950, 850], [2900, 100, 3100, 300]]
    boxes = tmp_path / "boxes.json"
    boxes.write_text(json.dumps(given))
    status, out, err = run("query", photo, "box(X, L, T, R, B)", "--boxes", boxes)
    assert status == 0
    found = re.findall(r"L = ([\d.]+), T = ([\d.]+), R = ([\d.]+), B = ([\d.]+\d)", out)
    wanted = [[2900, 100, 3000, 300], [250, 150, 950, 850], [100, 1500, 400.5, 1900]]  # from top to bottom
    np.testing.assert_allclose(np.array(found, dtype=float), wanted, atol=0.01)
    assert "1 of 3 boxes reached over the picture's rim: cut off there" in err
    for command in ("why", "show"):
        assert run(command, photo, *(["object(ob_2)"] if command == "why" else []), "--boxes", boxes).status == 0


def test_boxes_of_no_use(shipped: None, refused: Refused, photo: Path, root: Path, program: Path) -> None:
    board = root / "examples" / "between" / "image.png"
    Path("boxes.json").write_text("[[1, 2, 30, 40]]")
    assert look(board, boxes="[[1, 2, 30, 40]]").model.kind == "glimpses", "boxes say that it is no board of cells"
    Path("wrong.json").write_text("[[4000, 2, 4100, 9]]")
    for arguments, message in (
        ((photo, "true", "--boxes", "wrong.json"), "lies outside of the picture, which is 3000x2000 pixels"),
        ((photo, "true", "--looks", 1), "the model scenes takes one look at any picture: leave out looks"),
        ((board, "true", "--boxes", "boxes.json", "--model", GAME), "the model relations-game finds things itself"),
        ((photo, "true", "--boxes", "00.txt"), "--detections 00.txt takes what YOLO and others write"),
        ((photo, "true", "--boxes", "none.json"), "no such file: none.json"),
        ((photo, "true", "--boxes", "boxes.json", "--looks", 2), "leave out looks"),
        ((program, "true", "--boxes", "boxes.json"), "--model, --looks and --boxes are for images"),
    ):
        refused(message, "query", *arguments)
    assert look(board, detections=from_arrays([[1, 2, 30, 40]], (360, 360)), pixels=False).scene.things
    calls: list[tuple[dict[str, Any], str]] = [
        ({"boxes": "[[1, 2, 30, 40]]", "detections": "boxes.json"}, "one of them"),
        ({"model": load_model("between"), "boxes": "[]"}, "finds things itself"),
        ({"boxes": ""}, "boxes is not JSON"),
        ({"detections": from_arrays([[1, 2, 30, 40]], (120, 160))}, "360x360 pixels upright, not of width 120"),
        *(({name: {}}, r"\ba dict") for name in ("image", "boxes", "detections", "zones")),
    ]
    for call, fault in calls:
        with pytest.raises((BoxesError, PerceiverError, DomainError), match=fault):
            look(**{"image": board, **call})


# --- Boards in real light ---


def test_a_board_in_a_photograph_is_read_in_the_users_pixels(shipped: None) -> None:
    drawn, number = DOMAIN.generate("scatter", 12, kind="pentos", seed=41), 4
    to_picture = np.array(cases(str(BOARDS / "test_boards.py"))["to_picture"][number])
    scale = float(np.hypot(*to_picture[:, 0]))
    seen = look(BOARDS / "photographed" / f"{number}.jpg")
    assert seen.warnings == ()
    assert "a board was found in it, from" in seen.image.notes[0]
    boxes = drawn.truth.boxes[drawn.truth.rows(number)]
    wanted = []
    for left, top, right, bottom in boxes:
        x, y = to_picture @ [[left, right, right, left], [top, top, bottom, bottom], [1, 1, 1, 1]]
        wanted.append((x.min(), y.min(), x.max(), y.max()))
    facts = seen.program.facts
    found = np.array(facts["box"][1:], dtype=float).T
    order = [[int(np.abs(found - box).sum(axis=1).argmin()) for box in wanted]]
    assert sorted(order[0]) == list(range(len(wanted))), "each thing once, and nothing else"
    np.testing.assert_allclose(found[order[0]], wanted, atol=scale)
    for name, x, y in zip(*facts["position"], strict=True):
        assert name.startswith(("ob_", "bg_"))
        assert 0 < x < 512
        assert 0 < y < 743
    assert facts["tolerance"][0] == pytest.approx(3 * scale, rel=0.05)


def test_a_board_that_is_doubted_is_not_chosen_and_is_warned_of(shipped: None, monkeypatch: pytest.MonkeyPatch) -> None:
    photo = (BOARDS / "photographed" / "3.jpg").read_bytes()
    found = DOMAIN.locate(decode(photo))
    doubted = replace(found, doubt=1.2, reason="the light is odd")
    monkeypatch.setattr("predinet_prolog.domains.relations_game.domain.RelationsGame.locate", lambda *_: doubted)
    assert choose(photo) == SCENES
    seen = look(photo, GAME)
    assert seen.warnings == (f"the light is odd; {DOMAIN.remedy}",)
