"""A row of each picture of a folder, in Python and on the command line; and tables of pictures."""

import csv
import io
import json
from pathlib import Path

import pytest
from PIL import Image

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.service import rows as module
from predinet_prolog.service.given import Told
from predinet_prolog.service.pipeline import ask
from predinet_prolog.service.rows import ask_all
from predinet_prolog.symbolic import Rules, UnknownPredicateError
from tests.service.helpers import Run

pytestmark = pytest.mark.slow(20)

GOAL = "r0(V, X, Y), X @< Y, V > 0"
NAMES = ["0.png", "1.png", "2.png", "a/3.png", "a/4.png"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five pictures, and before them one that is none."""
    folder = tmp_path / "pictures"
    (folder / "a").mkdir(parents=True)
    for name, pixels in zip(NAMES, generate("scatter", 5, seed=5).render(), strict=True):
        Image.fromarray(pixels).save(folder / name)
    (folder / "!.png").write_text("none")
    return folder


def test_every_picture_has_the_row_that_it_has_alone(folder: Path, model_file: Path) -> None:
    rules = [Rules("r.pl", f"far(X, Y) :- {GOAL}.\nlone(X) :- object(X), \\+ far(X, _).")]
    for goal in ("far(X, Y)", "lone(X)", "aggregate_all(count, far(_, _), N)", "object(ob_3)"):
        bad, *rows = ask_all(folder, goal, rules=rules, model=str(model_file))
        assert (bad.file, bad.holds, "is not an image" in str(bad.error)) == ("!.png", False, True)
        assert [row.file for row in rows] == NAMES
        for row in rows:
            if goal != "object(ob_3)":
                assert row.answers.answers == ask(folder / row.file, goal, rules=rules, model=str(model_file)).answers
    with pytest.raises(UnknownPredicateError):
        list(ask_all(folder, "object(X), nothing_of_that(X)", model=str(model_file)))


def test_rows_are_printed(run: Run, folder: Path, model_file: Path) -> None:
    truth = {name: ask(folder / name, GOAL, model=str(model_file)).answers for name in NAMES}
    assert any(truth.values())
    status, out, err = run("query", folder, GOAL, "--json")
    bad, *lines = map(json.loads, out.splitlines())
    assert (status, list(bad), bad["file"]) == (4, ["file", "error"], "!.png")
    assert lines == [{"file": name, "answers": [each.to_json() for each in truth[name]]} for name in NAMES]

    (head, first, *table) = csv.reader(io.StringIO(run("query", folder, GOAL, "--csv").out))
    assert (head, first[:5]) == (["file", "answers", "V", "X", "Y", "error"], ["!.png", "", "", "", ""])
    names = {name: " ; ".join(str(each.bindings["X"]) for each in truth[name]) for name in NAMES}
    assert [(row[0], row[1], row[3]) for row in table] == [(n, str(len(truth[n])), names[n]) for n in NAMES]

    status, out, err = run("query", folder, GOAL, "--where")
    assert status == 4
    assert [line.partition(":")[0] for line in out.splitlines()] == [name for name in NAMES if truth[name]]
    assert "!.png is not an image" in err

    (folder / "!.png").unlink()
    assert run("query", folder, "object(X), object(X, X)").status == 2
    assert run("query", folder, "fail").out == "".join(f"{name}: false\n" for name in NAMES)
    assert [run("query", folder, goal).status for goal in ("fail", "true")] == [1, 0]
    remark = "no picture has an object ob_99"
    assert [remark in run("query", folder, f"object({name})").err for name in ("ob_99", "ob_0")] == [True, False]


def test_programs_have_rows_too(run: Run, folder: Path) -> None:
    (folder / "!.png").unlink()
    assert run("export", folder, "-o", "programs").status == 0
    Path("programs/a/bad.pl").write_text("object(ob_0")
    status, out, _ = run("query", "programs", GOAL)
    assert status == 4
    *lines, bad = out.splitlines()
    assert "\n".join(lines).replace(".pl:", ".png:") == run("query", folder, GOAL).out.rstrip()
    assert bad.startswith("a/bad.pl: error: program:1: ")


def test_what_is_told_of_pictures_is_asked_as_of_each_alone(run: Run, folder: Path) -> None:
    """Of attributes that one picture has alone, too, and where a picture is none."""
    boxes = [[3, 3, 9, 12], [4, 4, 4, 4], [20, 20, 9, 9]]
    told = [
        {"image_id": at, "category_id": at % 2, "bbox": box, "attributes": {"state": "open"} if at == 3 else {}}
        for at in range(len(NAMES))
        for box in boxes[: at + 1]
    ]
    images = [{"id": at, "file_name": name, "width": 36, "height": 36} for at, name in enumerate(["!.png", *NAMES])]
    categories = [{"id": 0, "name": "it's"}, {"id": 1, "name": "person"}]
    Path("coco.json").write_text(json.dumps({"images": images, "annotations": told, "categories": categories}))
    rule = "near(X, Y) :- category(X, C), category(Y, C), X @< Y"
    options = ("--detections", "coco.json", "--no-look", "--rule", rule)
    for goal in ("near(X, Y)", "state(X, S)", "\\+ category(_, person), object(X)", "tpp(X, Y)"):
        status, out, _ = run("query", folder, goal, *options, "--json")
        bad, *rows = map(json.loads, out.splitlines())
        assert (status, bad["file"], "error" in bad) == (4, "!.png", True)
        assert any(row["answers"] for row in rows)
        for row in rows:
            alone = run("query", folder / row["file"], goal, *options, "--json")
            assert json.loads(alone.out)["answers"] == row["answers"]


@pytest.mark.parametrize(("change", "asked"), [(None, 3), ("1.png", 0), ("!.png", 0)])
def test_it_goes_on(run: Run, folder: Path, change: str | None, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nothing had happened, from the first picture that was not asked; anew where a picture has changed."""
    command = ("query", folder, GOAL, "--csv", "-o", "rows.csv")
    monkeypatch.setattr("predinet_prolog.neural.engines._processors", lambda: 1)
    monkeypatch.setattr("predinet_prolog.bridge.perceiving.windows.WindowPerceiver.batch", 1)
    monkeypatch.setattr(module, "BATCH", 1)
    calls: list[object] = []

    def killed(question: module.Question, names: tuple[str, ...]) -> module.Rows:
        calls.append(names)
        if len(calls) == 4:
            raise MemoryError
        return unharmed(question, names)

    unharmed = module._ask
    with monkeypatch.context() as patch:
        patch.setattr(module, "_ask", killed)
        assert run(*command).status == 70
    assert not Path("rows.csv").exists()
    with Path("rows.csv.part").open("a") as journal:
        journal.write('["half a line')
    if change is not None:
        Image.fromarray(generate("between", 1, seed=1).render()[0]).save(folder / change)
    status, out, err = run(*command)
    assert (f"rows.csv: {asked} of 6 pictures were asked already" in err) == (asked > 0)
    rows = Path("rows.csv").read_bytes()
    assert status == (0 if change == "!.png" else 4)
    assert out == f"rows.csv: 6 pictures, holds in {6 - status // 4}, {status // 4} broken\n"
    assert not Path("rows.csv.part").exists()
    assert run("query", folder, GOAL, "--csv").out.encode() == rows
    Path("rows.csv.part").write_text('"another question"\n')
    assert "asked already" not in run(*command).err


def test_rows_are_of_what_told_of_their_things(folder: Path, tmp_path: Path) -> None:
    """A file of detections that changes under its name is another question; so is a changed one of a folder."""
    (told := tmp_path / "labels").mkdir()
    (told / "0.txt").write_text("0 .5 .5 .1 .1\n")

    def seen_by() -> str:
        return module.Question(folder, module.Pictures(folder, None, detections=Told(told)), GOAL).seen_by

    before = seen_by()
    assert seen_by() == before
    (told / "0.txt").write_text("0 .5 .5 .1 .2\n0 .1 .1 .1 .1\n")
    assert seen_by() != before


def test_rows_of_what_a_detector_tells_look_at_nothing_that_no_goal_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    helmets = Path(__file__).parents[2] / "examples" / "helmets"
    monkeypatch.setattr(module, "views", None)
    rules = [Rules("helmets.pl", (helmets / "helmets.pl").read_text())]
    rows = [*ask_all(helmets / "pictures", "bare(X)", rules=rules, detections=helmets / "predictions.json")]
    labels = dict(csv.reader(io.StringIO((helmets / "pictures" / "labels.csv").read_text())))
    assert [row.holds for row in rows] == [labels[row.file] == "bare" for row in rows]
    assert len(rows) == 40


def test_what_rules_name_is_loaded_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREDINET_PROLOG_MODEL")
    assert run("generate", "between", "-n", 20, "-o", "boards").status == 0
    assert run("export", "boards", "--kb", "boards.parquet").status == 0
    rule = "lone(I) :- image(I, _, _, _), \\+ same(I, _, _)"
    both = run("query", "boards.parquet", "lone(I)", "--rule", rule, "--json")
    labels = [line.split(",")[:2] for line in Path("boards/labels.csv").read_text().splitlines()[1:]]
    lone = {answer["bindings"]["I"] for answer in json.loads(both.out)["answers"]}
    assert lone == {name for name, label in labels if label == "0"}
