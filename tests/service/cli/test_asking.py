"""export and query: what docs/rules-and-queries.md does not show, statuses, JSON, warnings and where files go."""

import json
from pathlib import Path

import pytest
from PIL import Image

from benchmarks.others import others
from tests.pictures import encode
from tests.service.helpers import Run

pytestmark = pytest.mark.slow(19)


def test_answers_have_a_status_and_a_bound_and_are_json(run: Run, program: Path) -> None:
    assert run("query", program, "object(ob_0).") == (0, "true.\n", "")
    assert run("query", program, "object(ob_7)") == (1, "false.\n", "")
    status, out, err = run("query", program, "object(X)", "--json", "--limit", 1)
    assert (status, err) == (0, "")
    assert json.loads(out) == {"answers": [{"bindings": {"X": "ob_0"}}], "more": True, "warnings": []}
    assert run("query", program, "object(X)", "--limit", 1).out == "X = ob_0 ;\n% and more: this is the first\n"
    assert run("query", program, "fail", "--json") == (1, '{"answers": [], "more": false, "warnings": []}\n', "")


def test_a_program_that_was_warned_of_warns_whoever_asks_it(run: Run, tmp_path: Path) -> None:
    Image.new("RGB", (72, 72), "black").save("nothing.png")
    warned = run("export", "nothing.png", "-o", "nothing.pl").err
    assert "resized" not in warned, "which -v tells"
    assert "warning: nothing.png: no object is to be seen" in warned
    assert run("show", "nothing.png").err == warned
    for command in ("query", "why"):
        _, out, err = run(command, "nothing.pl", "fail", "--json")
        assert err == warned.replace(".png", ".pl")
        warnings = [err.strip().removeprefix("predinet-prolog: warning: nothing.pl: ")]
        assert json.loads(out)["warnings"] == warnings
        said = json.loads(run(command, "nothing.png", "fail", "--json").out)
        assert (said["notes"], said["warnings"]) == (["resized from 72x72 to 36x36"], warnings)
        assert said["model"], "what the service says beside the answers"


def test_each_image_is_warned_of_by_its_name_and_a_board_not_at_all(run: Run, picture: Path) -> None:
    for name, kind in (("odd", "text"), ("black", "one colour")):
        Path(f"{name}.png").write_bytes(encode(others(kind, 1, seed=7)[0]))
    err = run("export", "odd.png", picture, "black.png", "-o", "new", "--format", "json").err.splitlines()
    assert [line.split(": ")[1:3] for line in err] == [["warning", "odd.png"], ["warning", "black.png"]]
    told = {name: json.loads(Path(f"new/{name}.json").read_text())["warnings"] for name in ("odd", "black", "scene")}
    assert told.pop("scene") == []
    assert [f"predinet-prolog: warning: {name}.png: {warning}" for name, (warning,) in told.items()] == err


def test_export_gives_the_same_everywhere(run: Run, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    other = tmp_path / "other.png"
    Image.open(picture).rotate(180).save(other)
    text = run("export", picture).out
    assert "scene.png" in text
    assert run("export", picture, "-o", "file.pl") == (0, "", "")
    assert run("export", picture, "-o", "folder") == (0, "", "")
    assert run("export", picture, other, "-o", "new/deep") == (0, "", "")
    assert {Path(f"{name}.pl").read_text() for name in ("file", "folder/scene", "new/deep/scene")} == {text}
    assert Path("new/deep/other.pl").read_text() == run("export", other).out
