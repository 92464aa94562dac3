"""export, query and show, and every mistake a user can make with them: one line, the right exit status."""

import errno
import io
import json
import os
import re
import shutil
import struct
import zlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from domains.relations_game import TASKS
from neural.errors import ImageError
from service import cli
from symbolic import Engine

pytestmark = pytest.mark.slow(19)

Run = Callable[..., Any]  # the fixture's type


def one_line(err: str) -> str:
    """The message of the only line on standard error."""
    (line,) = err.splitlines()
    program, message = line.split(": ", 1)
    assert program == "predinet-prolog"
    return message


# --- query ---


def test_query_prints_answers_as_prolog_does(run: Run, program: Path) -> None:
    assert run("query", program, "r0(V, X, Y)") == (
        0,
        "V = 0.25, X = ob_0, Y = ob_1 ;\nV = -1.5, X = ob_1, Y = ob_0.\n",
        "",
    )
    assert run("query", program, "object(ob_0).") == (0, "true.\n", "")
    assert run("query", program, "object(ob_7)") == (1, "false.\n", "")


def test_query_as_json_prints_nothing_else(run: Run, program: Path) -> None:
    status, out, err = run("query", program, "object(X)", "--json", "--limit", 1)
    assert (status, err) == (0, "")
    assert json.loads(out) == {"answers": [{"bindings": {"X": "ob_0"}}], "more": True, "warnings": []}
    assert run("query", program, "fail", "--json") == (1, '{"answers": [], "more": false, "warnings": []}\n', "")


def test_json_of_an_image_says_what_the_service_does(run: Run, tmp_path: Path) -> None:
    Image.new("RGB", (72, 72), "gray").save("nothing.png")
    for command in ("query", "why"):
        said = json.loads(run(command, "nothing.png", "fail", "--json").out)
        assert said["notes"] == ["resized from 72x72 to 36x36"]
        assert len(said["warnings"]) == 1
        assert said["model"]


def test_a_program_that_was_warned_of_warns_whoever_asks_it(run: Run, tmp_path: Path) -> None:
    Image.new("RGB", (36, 36), "black").save("nothing.png")
    warned = run("export", "nothing.png", "-o", "nothing.pl").err
    assert "warning: nothing.png: no object is to be seen" in warned
    for command in ("query", "why"):
        _, out, err = run(command, "nothing.pl", "fail", "--json")
        assert err == warned.replace(".png", ".pl")
        assert json.loads(out)["warnings"] == [err.strip().removeprefix("predinet-prolog: warning: nothing.pl: ")]


def test_query_says_that_there_are_more(run: Run, program: Path) -> None:
    out = run("query", program, "object(X)", "--limit", 1).out
    assert out == "X = ob_0 ;\n% and more: this is the first\n"


def test_rules_may_be_repeated(run: Run, program: Path, tmp_path: Path) -> None:
    (tmp_path / "a.pl").write_text("near(X, Y) :- r0(V, X, Y), small(V).\n")
    (tmp_path / "b.pl").write_text("small(V) :- abs(V) < 0.5.\n")
    outcome = run("query", program, "near(X, Y)", "--rules", "a.pl", "--rules", "b.pl")
    assert outcome == (0, "X = ob_0, Y = ob_1.\n", "")


def test_image_is_asked_like_its_program(run: Run, picture: Path) -> None:
    goal = "findall(P, position(_, P, _), L)"
    assert run("export", picture, "-o", "scene.pl").status == 0
    asked, exported = run("query", picture, goal), run("query", "scene.pl", goal)
    assert asked.status == 0
    assert asked == exported


def test_syntax_error_shows_where(run: Run, program: Path) -> None:
    status, out, err = run("query", program, "r0(V, X Y)")
    assert (status, out) == (2, "")
    query, caret, message = err.splitlines()
    assert query == "  r0(V, X Y)"
    assert caret.endswith("^")
    assert query[: len(caret)].lstrip().startswith("r0(V, X")
    assert message.startswith("predinet-prolog: ")
    assert "yntax" in message


def test_caret_stands_in_the_right_line(run: Run, program: Path) -> None:
    err = run("query", program, "object(X),\n\tobject(Y) Z").err.splitlines()
    assert err[0] == "   object(Y) Z"
    assert err[1] == " " * err[0].index(" Z") + "^"


BAD_QUERIES = {
    "unknown predicate": ("objekt(X)", 2, "unknown predicate objekt/1"),
    "forbidden": ("shell(ls)", 2, "shell/1"),
    "type error": ("X is foo + 1", 2, "foo"),
    "endless": ("repeat, fail", 3, "longer than its time limit"),
    "infinite answer": ("X = f(X)", 3, ""),
}


@pytest.mark.parametrize("case", BAD_QUERIES)
def test_bad_query_is_one_line(run: Run, program: Path, case: str) -> None:
    goal, expected, part = BAD_QUERIES[case]
    status, out, err = run("query", program, goal, "--timeout", 0.2)
    assert (status, out) == (expected, "")
    assert part in one_line(err)


@pytest.mark.parametrize("goal", ["", " ", "\n"])
def test_an_empty_goal_has_nothing_to_point_at(run: Run, program: Path, goal: str) -> None:
    status, out, err = run("query", program, goal)
    assert (status, out) == (2, "")
    assert "empty" in one_line(err)


@pytest.mark.parametrize("options", [("--model", "between"), ("--looks", 1)])
def test_a_program_takes_no_options_for_images(run: Run, program: Path, options: tuple[object, ...]) -> None:
    status, out, err = run("query", program, "object(X)", *options)
    assert (status, out) == (2, "")
    assert "for images" in one_line(err)


def test_several_images_need_a_folder_not_a_name_of_a_file(run: Run, picture: Path, tmp_path: Path) -> None:
    status, out, err = run("export", picture, picture, "-o", "one.pl")
    assert (status, out) == (2, "")
    assert "one.pl has the name of a file" in one_line(err)
    assert not (tmp_path / "one.pl").exists()


@pytest.mark.parametrize("goal", ["object(X). object(Y)", "object(X", "object(X))", "'", "a b"])
def test_what_is_not_one_goal_is_pointed_at(run: Run, program: Path, goal: str) -> None:
    status, out, err = run("query", program, goal)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 3
    assert "at character" in err


@pytest.mark.parametrize(
    ("text", "part"),
    [("p(a.\n", "bad.pl:1: "), ("p(a).\n:- halt.\n", "bad.pl:2"), ("p(a).\n\nq(b) :- shell(x).\n", "bad.pl:3")],
)
def test_bad_rules_name_file_and_line(run: Run, program: Path, tmp_path: Path, text: str, part: str) -> None:
    (tmp_path / "bad.pl").write_text(text)
    status, out, err = run("query", program, "object(X)", "--rules", "bad.pl")
    assert (status, out) == (2, "")
    assert part in one_line(err)


# --- Wrong files ---


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encoded(image: Image.Image, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", **options)
    return buffer.getvalue()


HUGE = (
    b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)) + chunk(b"IDAT", b"")
)
NOISE = np.random.default_rng(1).integers(0, 256, (36, 36, 3), dtype=np.uint8)
BAD_IMAGES = {
    "not an image": (b"hello", "is not an image"),
    "empty": (b"", "is empty"),
    "truncated": (encoded(Image.fromarray(NOISE))[:2000], "is damaged or truncated"),
    "1x1": (encoded(Image.new("RGB", (1, 1))), "at least 12x12"),
    "20,000x20,000": (HUGE, "more than the 4096x4096"),
    "not square": (encoded(Image.new("RGB", (36, 72))), "is 36x72 pixels, not square: crop it"),
}


@pytest.mark.parametrize("command", ["export", "query", "show"])
@pytest.mark.parametrize("case", BAD_IMAGES)
def test_bad_image_is_one_line(run: Run, tmp_path: Path, command: str, case: str) -> None:
    data, part = BAD_IMAGES[case]
    (tmp_path / "bad.png").write_bytes(data)
    goal = ["true"] if command == "query" else []
    status, out, err = run(command, "bad.png", *goal)
    assert (status, out) == (2, "")
    assert one_line(err).startswith("bad.png ")
    assert part in err


@pytest.mark.parametrize(
    ("command", "name", "part"),
    [
        ("export", "none.png", "no such file: none.png"),
        ("query", "none.png", "no such file: none.png"),
        ("show", "none.png", "no such file: none.png"),
        ("query", ".", "is a directory"),
        ("show", ".", "is a directory"),
    ],
)
def test_missing_file_and_directory_are_one_line(run: Run, command: str, name: str, part: str) -> None:
    goal = ["true"] if command == "query" else []
    status, out, err = run(command, name, *goal)
    assert (status, out) == (2, "")
    assert part in one_line(err)


@pytest.mark.parametrize("command", ["query", "why"])
def test_a_mistake_in_a_program_names_its_file(run: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "broken.pl").write_text("object(ob_0).\nobject(ob_1\n")
    status, _, err = run(command, "bad/broken.pl", "object(X)")
    assert status == 2
    assert one_line(err).startswith("bad/broken.pl:2: Syntax error: ")
    (tmp_path / "bad" / "shell.pl").write_text("object(ob_0) :- shell(ls).")
    assert one_line(run(command, "bad/shell.pl", "true").err).startswith("bad/shell.pl:1: shell/1 is not allowed")


def test_missing_program_and_rules_are_one_line(run: Run, program: Path) -> None:
    assert run("query", "none.pl", "true") == (2, "", "predinet-prolog: no such file: none.pl\n")
    outcome = run("query", program, "true", "--rules", "none.pl")
    assert outcome == (2, "", "predinet-prolog: no such file: none.pl\n")


def test_goal_and_image_the_other_way_round(run: Run, picture: Path) -> None:
    for command in ("query", "why"):
        message = one_line(run(command, "same(X, Y)", picture).err)
        assert message == "no such file: same(X, Y): the image or program comes first, then the goal"
    assert one_line(run("query", "none.png", "x" * 5000).err) == "no such file: none.png"


def test_a_table_is_for_others_to_read(run: Run) -> None:
    Path("kb.parquet").write_bytes(b"PAR1")
    assert "a table for DuckDB" in one_line(run("query", "kb.parquet", "object(I, X)").err)


@pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
def test_a_compiled_knowledge_base_answers_as_its_text_does(run: Run, picture: Path) -> None:
    folder = Path("pictures/it's")
    folder.mkdir(parents=True)
    picture.rename(folder / "\u00e4.png")
    for ending in ("pl", "qlf"):
        assert run("export", "pictures", "--kb", f"kb.{ending}").status == 0
    for command, goal in (
        ("query", "coordinate(I, R, X, C)"),
        ("query", "left_of(I, X, Y)"),
        ("query", "image(I, W, H, S)"),
        ("why", "object(I, X)"),
    ):
        text, compiled = (run(command, f"kb.{ending}", goal) for ending in ("pl", "qlf"))
        assert text == compiled
        assert text.status == 0
    assert "it\\'s/\u00e4.png" in run("query", "kb.qlf", "object(I, X)").out


@pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
def test_a_compiled_program_that_cannot_be_used_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("text.qlf").write_text("object(a).")
    Path("folder.qlf").mkdir()
    for name, part in {
        "text.qlf": "text.qlf cannot be loaded by the swipl installed: ",
        "folder.qlf": "folder.qlf is a directory",
        "none.qlf": "no such file: none.qlf",
    }.items():
        status, out, err = run("query", name, "object(X)")
        assert (status, out) == (2, "")
        assert part in one_line(err)
    assert "--model and --looks are for images" in one_line(run("query", "text.qlf", "true", "--looks", 1).err)
    monkeypatch.setattr("symbolic.limits.TEXT_BYTES", 9)
    assert one_line(run("query", "text.qlf", "true").err).endswith(": ask it with swipl text.qlf")


def test_what_takes_too_long_is_told_how_to_get_more_time(run: Run, program: Path) -> None:
    status, _, err = run("query", program, "repeat, fail", "--timeout", 0.05)
    assert status == 3
    assert one_line(err).endswith("; or give it more time with --timeout")


def test_the_version(run: Run) -> None:
    assert run("--version").out == f"predinet-prolog {version('predinet-prolog')}\n"


@pytest.mark.parametrize("command", ["generate", "train", "evaluate"])
def test_the_help_names_every_task(run: Run, command: str) -> None:
    words = run(command, "--help").out.replace(",", " ").replace(".", " ").replace(";", " ").split()
    assert set(TASKS) <= set(words)


@pytest.mark.parametrize(
    "arguments",
    [
        ("query", "none.png", "true"),
        ("query", "none.pl", "true"),
        ("query", "scene.pl", "true", "--looks", 1),
        ("why", "none.png", "true"),
        ("why", "scene.pl", "true", "-o", "why.png"),
    ],
)
def test_what_can_be_refused_at_once_does_not_wait_for_prolog(
    run: Run, program: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...]
) -> None:
    monkeypatch.setattr(Engine, "start", lambda engine: pytest.fail("Prolog was started"))
    assert program.name == "scene.pl"
    assert run(*arguments).status == 2


@pytest.mark.parametrize("name", ["relation_game", "relations-game", "relations_game.pl"])
def test_a_misspelt_name_of_rules_brings_the_right_one(run: Run, program: Path, name: str) -> None:
    message = one_line(run("query", program, "true", "--rules", name).err)
    assert message == f"no such file: {name}; did you mean relations_game, the rules that come along?"


def test_a_program_by_another_name_is_told_how_programs_end(run: Run, program: Path) -> None:
    program.rename("scene.txt")
    for command in ("query", "why"):
        status, _, err = run(command, "scene.txt", "true")
        assert status == 2
        assert one_line(err).startswith("scene.txt is not an image that can be read ")
        assert one_line(err).endswith("; if it is a program, end its name in .pl")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("query", "scene.pl", "true", "--bla"), "predinet-prolog query --help"),
        (("query", "scene.pl", "true", "--limit", "0"), "predinet-prolog query --help"),
        (("export",), "predinet-prolog export --help"),
        (("serve", "--bla"), "predinet-prolog serve --help"),
        (("bla",), "predinet-prolog --help"),
    ],
)
def test_the_hint_is_at_the_help_of_the_command(run: Run, arguments: tuple[str, ...], hint: str) -> None:
    status, _, err = run(*arguments)
    assert status == 2
    assert one_line(err).endswith(f" (see {hint})")


def test_unknown_and_damaged_models_are_one_line(run: Run, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.safetensors").write_bytes(b"hello")
    for name, part in {"nobody": "no model nobody", "bad.safetensors": "not a safetensors file"}.items():
        status, out, err = run("export", picture, "--model", name)
        assert (status, out) == (2, "")
        assert part in one_line(err)


def test_odd_images_are_taken_and_what_was_done_is_said(run: Run, tmp_path: Path) -> None:
    frames = [Image.new("RGB", (72, 72), colour) for colour in ("red", "blue")]
    frames[0].save("odd.gif", save_all=True, append_images=frames[1:])
    status, out, err = run("export", "odd.gif")
    assert status == 0
    assert out.startswith("%")
    assert err.splitlines()[:-1] == [
        "predinet-prolog: odd.gif: animated: the first frame was taken",
        "predinet-prolog: odd.gif: resized from 72x72 to 36x36",
    ]
    assert err.splitlines()[-1].startswith("predinet-prolog: warning: odd.gif: nothing but background")


# --- export ---


def test_export_gives_the_same_everywhere(run: Run, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    text = run("export", picture).out
    assert run("export", picture, "-o", "file.pl") == (0, "", "")
    assert run("export", picture, "-o", "folder") == (0, "", "")
    assert Path("file.pl").read_text() == Path("folder/scene.pl").read_text() == text
    assert "scene.png" in text


def test_export_as_json(run: Run, picture: Path) -> None:
    facts = json.loads(run("export", picture, "--format", "json").out)["facts"]
    assert len(facts["head"]) >= 7


def test_export_of_several_images(run: Run, picture: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.png"
    Image.open(picture).rotate(180).save(other)
    assert run("export", picture, other, "-o", "new/deep") == (0, "", "")
    assert sorted(path.name for path in Path("new/deep").iterdir()) == ["other.pl", "scene.pl"]
    assert Path("new/deep/other.pl").read_text() == run("export", other).out
    assert run("export", picture, other, "-o", "new/deep", "--format", "json").status == 0
    assert len(list(Path("new/deep").iterdir())) == 4


def test_export_writes_nothing_if_one_image_is_bad(run: Run, picture: Path) -> None:
    assert run("export", picture, "none.png", "-o", "new").status == 2
    assert not Path("new").exists()


def test_export_refuses_unclear_targets(run: Run, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "twin").mkdir()
    twin = tmp_path / "twin" / "scene.jpg"
    Image.new("RGB", (36, 36)).save(twin)
    for arguments, part in {
        (picture, twin): "several images need a folder",
        (picture, twin, "-o", picture): "is a file",
        (picture, twin, "-o", "new"): "would both be written to new/scene.pl",
        (picture, "-o", "scene.png/x.pl"): "cannot write scene.png/x.pl: ",
        (picture, "--looks", "0"): "--looks",
        (picture, "--format", "xml"): "xml",
        (): "Missing argument",
    }.items():
        status, out, err = run("export", *arguments)
        assert (status, out) == (2, ""), arguments
        assert part in one_line(err)


# --- show ---


def test_show_draws_a_picture(run: Run, picture: Path) -> None:
    assert run("show", picture) == (0, "scene-seen.png\n", "")
    with Image.open("scene-seen.png") as image:
        assert image.size == (1920, 1080)
    assert run("show", picture, "-o", "slide.png") == (0, "slide.png\n", "")
    assert Path("slide.png").read_bytes() == Path("scene-seen.png").read_bytes()
    assert "cannot write" in one_line(run("show", picture, "-o", "scene.png/x.png").err)


# --- Everything else that can go wrong ---


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ImageError("a\nb\x1b[31mc"), 2),
        (KeyboardInterrupt(), 130),
        (KeyError("x"), 70),
        (OSError(errno.EIO, "I/O error"), 70),
        (RecursionError(), 70),
    ],
)
def test_any_exception_is_one_line(
    run: Run, picture: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("service.cli.exporting.open_model", fail)
    found = run("export", picture)
    assert (found.status, found.out) == (status, "")
    if status != 130:
        assert "\x1b" not in one_line(found.err)
    if status == cli.FAULT:
        assert "test_asking.py" in found.err


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("show", "scene.png", "-o", "new/seen.jpg"), "end the name in .png"),
        (("why", "scene.png", "object(X)", "-o", "new/why.pdf"), "end the name in .png"),
        (("explain", "tiny", "-o", "new/tiny.svg"), "end the name in .png"),
        (("generate", "between", "-n", "3", "-o", "new/x.zip"), "end the name in .npz"),
        (("generate", "between", "-n", "3", "-o", "new/x.NPZ"), "end the name in .npz"),
    ],
)
def test_what_is_not_written_is_refused_before_any_work(
    run: Run, picture: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], part: str
) -> None:
    for name in ("service.cli.options.open_model", "service.cli.explaining.open_model"):
        monkeypatch.setattr(name, lambda *_: pytest.fail("a model was opened"))
    monkeypatch.setattr("domains.relations_game.generate", lambda *_, **__: pytest.fail("images were made"))
    assert picture.name == "scene.png"
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert one_line(err).startswith(f"cannot write {arguments[-1]}: ")
    assert part in err
    assert not Path("new").exists()


def test_names_of_folders_and_pictures_may_hold_dots(run: Run, picture: Path) -> None:
    assert run("generate", "same", "-n", 1, "-o", "run-0.5").status == 0
    assert Path("run-0.5").is_dir()
    Path("data.v1").mkdir()
    assert run("generate", "same", "-n", 1, "-o", "data.v1").status == 0
    assert run("show", picture, "-o", "v1.5.PNG").status == 0


def test_names_with_line_breaks_stay_one_line(run: Run) -> None:
    assert one_line(run("export", "a\nb\x07.png").err) == "no such file: a b .png"


@pytest.mark.parametrize(
    "arguments", [["fly"], ["--fly"], ["query"], ["query", "a.pl", "b", "c"], ["serve", "--prot", "1"]]
)
def test_wrong_command_lines_are_one_line(run: Run, arguments: list[str]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert re.search(r"\(see predinet-prolog( \w+)? --help\)$", one_line(err))


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--timeout", "0"], "--timeout: "),
        (["--timeout", "nan"], "--timeout: "),
        (["--timeout", "1e9"], "--timeout: "),
        (["--limit", "2000000"], "--limit: "),
        (["--limit", "0"], "--limit"),
    ],
)
def test_limits_out_of_bounds_are_one_line(run: Run, program: Path, arguments: list[str], part: str) -> None:
    status, out, err = run("query", program, "true", *arguments)
    assert (status, out) == (2, "")
    assert part in one_line(err)


def test_swi_prolog_missing_is_one_line(run: Run, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    status, out, err = run("query", program, "true")
    assert (status, out) == (3, "")
    assert "apt-get install" in one_line(err)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_places_are_one_line(run: Run, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    (tmp_path / "fixed.pl").touch(mode=0o400)
    for target in ("closed/x.pl", "fixed.pl"):
        status, out, err = run("export", picture, "-o", target)
        assert (status, out) == (2, "")
        assert "Permission denied" in one_line(err)


def test_a_rule_in_line_is_added_to_the_others(run: Run, program: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.pl").write_text("pair(X, Y) :- r0(V, X, Y), wanted(V).\n")
    rules = ("--rules", "mine.pl", "--rule", "wanted(V) :- V > 0", "--rule", "other(b). other(c).")
    assert run("query", program, "pair(X, Y), other(Z)", *rules) == (
        0,
        "X = ob_0, Y = ob_1, Z = b ;\nX = ob_0, Y = ob_1, Z = c.\n",
        "",
    )
    assert run("why", program, "wanted(1)", *rules).out.startswith("true")
    found = run("evaluate", "between", "-n", 4, "--rule", "label(0).", "--goal", "label(L)", "--json")
    assert set(json.loads(found.out)["confusion"]["1"]) == {"0"}
    assert "add --goal" in one_line(run("evaluate", "between", "-n", 1, "--rule", "label(0).").err)


def test_a_mistake_in_a_rule_in_line_names_the_option_and_which_of_them(run: Run, program: Path) -> None:
    status, _, err = run("query", program, "true", "--rule", "a(1).", "--rule", "b(X :- c.")
    assert status == 2
    assert one_line(err).startswith("--rule:2: Syntax error")
