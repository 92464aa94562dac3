"""Every mistake a user can make: one line that says what is wrong, the right exit status, and nothing written."""

import os
import shlex
import shutil
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.symbolic import Engine
from tests.service.helpers import Refused, Run

pytestmark = pytest.mark.slow(19)


FILES = {
    "hello.png": b"hello",
    "bad.pl": b"p(a.\n",
    "shell.pl": b"p(a).\n\nq(b) :- shell(x).\n",
    "rules.pl": b"label(1).\n",
    "kb.parquet": b"PAR1",
    "program.txt": b"object(ob_0).",
    "full/file": b"",
    "pictures/a.png": b"",
    "twice/a.png": b"",
    "twice/a.gif": b"",
}
FOLDERS = ("empty", "folder.npz", "folder.qlf", "twin")
AT_ONCE = [
    # What is refused before Prolog is started or a model is opened.
    ("query none.png true", 2, "no such file: none.png"),
    ("query none.pl true", 2, "no such file: none.pl"),
    ("query scene.pl true --looks 1", 2, "--model, --looks and --boxes are for images"),
    ("why none.png true", 2, "no such file: none.png"),
    ("why scene.pl true -o why.png", 2, "is a program, without a picture to draw into: name the image, or leave out"),
    ("why scene.png true -o new/why.pdf", 2, "cannot write new/why.pdf: pictures are written as PNG, so end the name"),
    ("show scene.png -o new/seen.jpg", 2, "cannot write new/seen.jpg: pictures are written as PNG, so end the name"),
    ("export scene.png -o -", 2, "-o -: leave -o out for its default, or name a file"),
]
MISTAKES = [
    # What is typed, the exit status, and what the line says.
    ("query scene.pl objekt(X)", 2, "unknown predicate objekt/1"),
    *(
        (f"{command} scene.pl 'r0(V, ob0, X)'", 2, "no object ob0: there are ob_0, ob_1")
        for command in ("query", "why")
    ),
    ("query scene.pl 'repeat, fail' --timeout 0.05", 3, "longer than its time limit"),
    ("query scene.pl 'repeat, fail' --timeout 0.05", 3, "; or give it more time with --timeout"),
    ("query scene.pl ' '", 2, "empty"),
    ("query scene.pl true --rules bad.pl", 2, "bad.pl:1: "),
    ("query scene.pl true --rules shell.pl", 2, "shell.pl:3"),
    ("query scene.pl true --rules none.pl", 2, "no such file: none.pl"),
    ("query scene.pl true --rule a(1). --rule 'b(X :- c.'", 2, "--rule:2: Syntax error"),
    ("query scene.pl true --rules relations-game", 2, "relations-game; did you mean relations_game, the rules that"),
    *((f"{command} bad.pl object(X)", 2, "bad.pl:1: Syntax error: ") for command in ("query", "why")),
    *((f"{command} shell.pl true", 2, "shell.pl:3: shell/1 is not allowed") for command in ("query", "why")),
    *((f"{command} hello.png", 2, "hello.png is not an image") for command in ("export", "show")),
    ("query hello.png true", 2, "hello.png is not an image"),
    *(
        (f"{command} 'same(X, Y)' scene.png", 2, "no such file: same(X, Y): the image or program comes first, then the")
        for command in ("query", "why")
    ),
    (f"query none.png {'x' * 5000}", 2, "no such file: none.png"),
    ("query kb.parquet object(I,X)", 2, "kb.parquet cannot be read"),
    *((f"{command} program.txt true", 2, "if it is a program, end its name in .pl") for command in ("query", "why")),
    ("query scene.pl true --timeout 1e9", 2, "--timeout: "),
    ("query scene.pl true --limit 2000000", 2, "--limit: "),
    ("query scene.pl true --bla", 2, "(see predinet-prolog query --help)"),
    ("query", 2, "(see predinet-prolog query --help)"),
    ("show .", 2, "is a directory"),
    ("show scene.png -o scene.png/x.png", 2, "cannot write"),
    ("export 'a\nb\x07.png'", 2, r"no such file: a\nb\x07.png"),
    ("export scene.png --model nobody", 2, "no model nobody"),
    ("export scene.png twin/scene.jpg", 2, "several images need a folder"),
    ("export scene.png twin/scene.jpg -o scene.pl", 2, "is a file"),
    ("export scene.png twin/scene.jpg -o one.pl", 2, "one.pl has the name of a file"),
    ("export scene.png twin/scene.jpg -o new", 2, "would both be written to new/scene.pl"),
    ("export scene.png -o scene.png/x.pl", 2, "cannot write scene.png/x.pl: "),
    ("export scene.png --format xml", 2, "no format xml: there are prolog, brief, json, problog, asp"),
    ("export", 2, "(see predinet-prolog export --help)"),
    ("generate between", 2, "'-n'"),
    ("generate between -n 5 --objects cats", 2, "no objects are called cats: there are pentos, hexos, stripes"),
    ("generate between -n 5 -o full/file/x.npz", 2, "cannot write full/file/x.npz: "),
    ("generate between -n 5 -o full", 2, "full: exists already"),
    ("generate between -n 5 -o folder.npz", 2, "it is a folder"),
    ("generate between -n 3 -o new/x.zip", 2, "cannot write new/x.zip: end the name in .npz"),
    ("train between --recipe slow", 2, "no recipe slow"),
    ("train between --steps 1 -o full/file", 2, "cannot write full/file"),
    ("evaluate none.npz", 2, "no such file: none.npz"),
    ("evaluate betwen", 2, "no file betwen, and "),
    ("evaluate between --rules rules.pl", 2, "add --goal 'between_label(L)'"),
    ("evaluate between --goal lable(L) -n 1 --rules rules.pl", 2, "unknown predicate lable/1: did you mean "),
    ("evaluate between --goal true -n 1", 2, "must answer with its variable L"),
    ("evaluate same -n 1", 2, "never trained on same"),
    ("reproduce tabel1", 2, "no experiment tabel1: choose table1, curriculum"),
    ("reproduce table1 --quick --steps 1 -o full", 2, "full is not empty and holds no experiment"),
    ("fly", 2, "(see predinet-prolog --help)"),
    ("serve --prot 1", 2, "(see predinet-prolog serve --help)"),
    ("serve --host no.such.host.invalid", 2, "cannot listen on no.such.host.invalid port 8000"),
    (f"serve --host {'x' * 300}", 2, "cannot listen on xxx"),
    ("serve --port 70000", 2, "port: "),
    ("serve --port 0 --data scene.png/data", 2, "scene.png/data cannot be used"),
    ("export pictures pictures/a.png", 2, "pictures is a folder: export it alone"),
    ("export pictures -o pictures/a.png", 2, "pictures/a.png is a file"),
    ("export pictures --kb x.db", 2, "x.db does not say what it is to be: end its name in .pl, .qlf, .parquet"),
    ("export pictures --kb x.pl -o out", 2, "--kb is for a folder of images, and takes the place of -o"),
    ("export pictures --kb x.pl --format json", 2, "and takes the place of -o and --format"),
    ("export pictures/a.png --kb x.pl", 2, "--kb is for a folder of images"),
    ("export empty", 2, "empty holds no image (png, jpg"),
    ("export twice", 2, "twice/a.gif and twice/a.png would have programs of the same name"),
]


@pytest.fixture
def place(tmp_path: Path, picture: Path, program: Path) -> Path:
    """A folder with an image, a program, and files that nothing can be done with."""
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    for name in FOLDERS:
        (tmp_path / name).mkdir()
    Image.new("RGB", (36, 36)).save(tmp_path / "twin" / "scene.jpg")
    assert (picture.name, program.name) == ("scene.png", "scene.pl")
    return tmp_path


@pytest.mark.parametrize(("typed", "status", "part"), MISTAKES, ids=[typed[:60] for typed, *_ in MISTAKES])
def test_a_mistake_is_one_line(refused: Refused, place: Path, typed: str, status: int, part: str) -> None:
    before = sorted(place.rglob("*"))
    refused(part, *shlex.split(typed), status=status)
    assert sorted(place.rglob("*")) == before


@pytest.mark.parametrize(("typed", "status", "part"), AT_ONCE, ids=[typed for typed, *_ in AT_ONCE])
def test_what_can_be_refused_at_once_waits_neither_for_prolog_nor_for_a_model(
    refused: Refused, place: Path, monkeypatch: pytest.MonkeyPatch, typed: str, status: int, part: str
) -> None:
    monkeypatch.setattr(Engine, "start", lambda engine: pytest.fail("Prolog was started"))
    for module in ("evaluating", "explaining"):
        name = f"predinet_prolog.service.cli.{module}.open_model"
        monkeypatch.setattr(name, lambda *_: pytest.fail("a model was opened"))
    test_a_mistake_is_one_line(refused, place, typed, status, part)


@pytest.mark.parametrize(
    ("goal", "start", "culprit", "said"),
    [
        ("r0(V, X Y)", "  r0(V, X Y)", "  r0(V, X", "yntax"),
        ("object(X),\n\tobject(Y) Z", "   object(Y) Z", "   object(Y)", "at character"),
        ("object(X). object(Y)", "  object(X). object(Y)", "", "at character"),
        ("object(X", "  object(X", "", "a closing ) is missing for the ( at character 6"),
        ("object(X))", "  object(X))", "", "at character"),
        ("'", "  '", "", "at character"),
        ("a b", "  a b", "", "at character"),
    ],
)
@pytest.mark.parametrize("command", ["query", "why"])
def test_what_is_no_goal_is_pointed_at_in_its_line(
    run: Run, program: Path, command: str, goal: str, start: str, culprit: str, said: str
) -> None:
    status, out, err = run(command, program, goal)
    assert (status, out) == (2, "")
    line, caret, message = err.splitlines()
    assert line == start
    assert caret.endswith("^")
    assert caret[:-1].isspace()
    assert not culprit or len(caret) - 1 == len(culprit)
    assert message.startswith("predinet-prolog: ")
    assert said in message


@pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")
def test_a_compiled_program_that_cannot_be_used_is_one_line(
    refused: Refused, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("text.qlf").write_text("object(a).")
    for name, part in {
        "text.qlf": "text.qlf cannot be loaded by the swipl installed: ",
        "folder.qlf": "folder.qlf holds neither an image nor a program",
        "none.qlf": "no such file: none.qlf",
    }.items():
        refused(part, "query", name, "object(X)")
    monkeypatch.setattr("predinet_prolog.service.cli.sources.TEXT_BYTES", 9)
    refused(": ask it with swipl text.qlf", "query", "text.qlf", "true")


def test_swi_prolog_missing_is_one_line(refused: Refused, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    refused("apt-get install", "query", program, "true", status=3)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_places_are_one_line(refused: Refused, picture: Path, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    (tmp_path / "fixed.pl").touch(mode=0o400)
    for target in ("closed/x.pl", "fixed.pl"):
        refused("Permission denied", "export", picture, "-o", target)
