"""Films and zones on the command line: 20 frames with known events, and zones wherever pictures are asked about."""

import json
from pathlib import Path

import pytest
from PIL import Image

from tests.cases import cases
from tests.service.helpers import Refused, Run

pytestmark = pytest.mark.slow(5)
ZONES = {"loading bay": [[100, 0], [200, 0], [200, 240], [100, 240]]}
TOLD = ("--detections", "mot", "--classes", "classes.txt", "--zones", "zones.json")


@pytest.fixture(autouse=True)
def film() -> None:
    """Person 7 goes right, 15 pixels a frame, and is lost for one; cart 9 waits until frame 14 and goes."""
    Path("frames").mkdir()
    Path("mot").mkdir()
    lines = []
    for t in range(1, 21):
        Image.new("RGB", (320, 240), (210, 210, 200)).save(f"frames/{t:06d}.png")
        lines += [] if t == 9 else [f"{t},7,{15 * t - 19},91,20,20,0.9,1,1"]
        lines += [f"{t},9,{141 + 20 * max(t - 14, 0)},121,20,20,0.8,2,1"]
    Path("mot/gt.txt").write_text("\n".join(lines))
    Path("odd").mkdir()
    for name, width in (("000001.png", 320), ("000002.png", 300)):
        Image.new("RGB", (width, 240)).save(f"odd/{name}")
    Path("classes.txt").write_text("person\ncart\n")
    Path("zones.json").write_text(json.dumps(ZONES))


def test_a_film_is_told_of_and_asked(run: Run) -> None:
    """What is answered of such a film: tests/bridge/test_episodes.py."""
    status, out, err = run("export", "frames", "--film", *TOLD, "-o", "film.pl")
    assert (status, out) == (0, "")
    assert err == "predinet-prolog: frames/000001.png: 1 of 2 boxes reached over the picture's rim: cut off there\n"
    goal = "stays(ob_0, Z, A, B), stays(ob_1, Z, C, D), allen(R, A-B, C-D)"
    told = run("query", "film.pl", goal, "--rules", "episodes", "--rules", "intervals")
    assert told.out.endswith("R = during.\n")


def test_a_broken_frame_is_told_and_the_others_make_the_film(run: Run, refused: Refused) -> None:
    Path("frames/000002.png").write_bytes(b"no picture")
    status, _, err = run("export", "frames", "--film", *TOLD, "--no-look", "-o", "film.pl")
    assert (status, err.count("left out: frames/000002.png is")) == (4, 1)
    assert run("query", "film.pl", "at(1, object(X)), next(1, T)").out.startswith("X = ob_0, T = 3")
    for path in Path("frames").iterdir():
        path.write_bytes(b"no picture")
    said = "frames has no frame that can be used: frames/000001.png is"
    refused(said, "export", "frames", "--film", *TOLD, "--no-look")


def test_a_film_that_breaks_off_is_told_up_to_there(run: Run) -> None:
    frames = [Image.effect_noise((64, 64), 90 + t) for t in range(4)]
    frames[0].save("film.gif", save_all=True, append_images=frames[1:])
    data = Path("film.gif").read_bytes()
    Path("film.gif").write_bytes(data[: len(data) * 5 // 8])
    Path("film.csv").write_text("\n".join(f"{t},1,9,9,20,20" for t in range(1, 5)))
    status, out, err = run("export", "film.gif", "--film", "--detections", "film.csv", "--no-look")
    assert status == 4
    assert "frames after number 2 are not read" in err
    assert "at(2, object(ob_0))" in out
    assert "at(3, " not in out


def test_mistakes_are_told_in_a_line(refused: Refused) -> None:
    for arguments, message in cases(__file__)["mistakes"]:
        refused(message, "export", *arguments.split())


def test_zones_are_asked_of_a_picture_of_a_folder_and_of_a_base(run: Run) -> None:
    frame, goal = "frames/000010.png", "in_zone(X, Z)"
    both = "X = ob_0, Z = 'loading bay' ;\nX = ob_1, Z = 'loading bay'.\n"
    assert run("query", frame, goal, *TOLD, "--no-look").out == both
    assert "share_inside(ob_0, 'loading bay', 1.0)" in run("why", frame, "in_zone(ob_0, Z)", *TOLD, "--no-look").out
    drawn = set()
    for told, category in ((TOLD, "cart"), (TOLD[:-2], "cart"), (TOLD[:-2], "box")):
        Path("classes.txt").write_text(f"person\n{category}\n")
        assert run("show", frame, *told, "--no-look", "-o", "seen.png").status == 0
        drawn.add(Path("seen.png").read_bytes())
    assert len(drawn) == 3
    assert run("export", frame, *TOLD, "--no-look", "-o", "one.pl").status == 0
    assert run("query", "one.pl", goal).out == both
    assert run("export", "frames", "--kb", "base.pl", *TOLD, "--no-look").status == 0
    assert run("query", "base.pl", "in_zone('000010.png', X, Z)").out == both


def test_other_zones_make_a_program_anew(run: Run) -> None:
    assert "20 programs written, 0 kept" in run("export", "frames", "-o", "programs", *TOLD, "--no-look").out
    assert "0 programs written, 20 kept" in run("export", "frames", "-o", "programs", *TOLD, "--no-look").out
    Path("zones.json").write_text(json.dumps({"dock": ZONES["loading bay"], "far": [[900, 0], [950, 0], [950, 9]]}))
    _, out, err = run("export", "frames", "-o", "programs", *TOLD, "--no-look")
    assert "20 programs written, 0 kept" in out
    assert "19 others: zones.json: the zone 'far' lies outside of the picture" in err
