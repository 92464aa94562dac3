"""The program's text: a golden file, and what SWI-Prolog makes of it."""

import dataclasses
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from bridge import ImageInfo, Scene, Symbol, is_program_of, write_json, write_program
from bridge.program import write_facts
from bridge.terms import atom, number
from neural import Model, NetworkConfig, RelationsNetwork, training_config
from neural.checkpoint import weights_of
from symbolic.swipl import run_swipl

GOLDEN = Path(__file__).parent / "golden" / "scene.pl"
IMAGE = ImageInfo(name="it's an\nimage.png", sha256="ab" * 32, width=72, height=36)


def symbol(name: str, x: float, y: float, *, is_object: bool = True, look: int = 1) -> Symbol:
    """A symbol whose co-ordinates in the two relations follow from its place, checked by eye."""
    return Symbol(
        name=name, is_object=is_object, x=x, y=y, left=int(x) - 6, top=int(y) - 6, width=12, height=12, look=look,
        mask=np.full((5, 5), 0.04), coordinates=np.array([x / 100, -y / 100]),
    )  # fmt: skip


@pytest.fixture
def scene() -> Scene:
    """Three objects in the top row, one of them seen only by a second look, and a background; 2 looks, 1 head."""
    return Scene(
        symbols=(
            symbol("ob_0", 6, 6),
            symbol("ob_1", 18, 6, look=2),
            symbol("ob_2", 30, 6),
            symbol("ob_3", 12, 24, is_object=False),
        ),
        pairs=np.array([[[0, 2]], [[1, 3]]]),
        values=np.array([[[0.25, -0.00001]], [[1.5, 0.0999]]]),
        attention=np.zeros((2, 1, 2, 5, 5)),
        slopes=np.array([[0.5, 0.0], [0.0, -0.125]]),
        noise_level=0.0,
        image_size=36,
    )


@pytest.fixture
def model(tmp_path: Path) -> Model:
    network = RelationsNetwork(NetworkConfig(heads=1, relations=2), generator=torch.Generator().manual_seed(0))
    return Model(
        "hand-made", tmp_path, network.config, weights_of(network), training_config(["between"]), {}, "cd" * 32
    )


def ask(program: str, goal: str, folder: Path) -> str:
    if shutil.which("swipl") is None:
        pytest.skip("no swipl on PATH")
    path = folder / "program.pl"
    path.write_text(program, encoding="utf-8")
    run = run_swipl("-q", "-g", goal, "-t", "halt", path)
    assert (run.returncode, run.stderr) == (0, ""), "loading prints nothing"
    return run.stdout


def all_of(template: str, goal: str) -> str:
    return f"findall({template}, ({goal}), L), print(L)"


def test_golden(scene: Scene, model: Model) -> None:
    """The golden file's own header names the model, image and options it was made with."""
    assert write_program(scene, model=model, image=IMAGE) == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("template", "goal", "answers"),
    [
        ("X", "object(X)", "[ob_0,ob_1,ob_2]"),
        ("X", "background(X)", "[ob_3]"),
        ("X-A-B", "position(X,A,B),X==ob_1", "[ob_1-36.0-6.0]"),
        ("X-N", "look(X,N),N>1", "[ob_1-2]"),
        ("H-X-Y", "head(H,X,Y)", "[h0-ob_0-ob_2,h0-ob_1-ob_3]"),
        ("R-V-X", "holds(R,V,X,_),small(V)", "[r1-0.0-ob_0,r1-0.0999-ob_1]"),
        ("R-V", "holds(R,V,_,_),large(V)", "[r0-0.25,r0-1.5]"),
        ("R-C", "coordinate(R,ob_2,C)", "[r0-0.3,r1- -0.06]"),
        ("R-A-B", "slope(R,A,B)", "[r0-0.5-0.0,r1-0.0- -0.125]"),
        ("X-Y", "left_of(X,Y)", "[ob_0-ob_1,ob_0-ob_2,ob_1-ob_2]"),
        ("X-Y", "above(X,Y)", "[]"),
        ("X-Y", "same_row(X,Y),X@<Y", "[ob_0-ob_1,ob_0-ob_2,ob_1-ob_2]"),
        ("X-Y", "same_column(X,Y)", "[]"),
        ("Y-X-Z", "lies_between(Y,X,Z),X@<Z", "[ob_1-ob_0-ob_2]"),
        ("x", "in_line(ob_0,ob_1,ob_2),in_line(ob_1,ob_0,ob_2),in_line(ob_2,ob_0,ob_1)", "[x]"),
    ],
)
def test_every_predicate_answers(
    scene: Scene, model: Model, tmp_path: Path, template: str, goal: str, answers: str
) -> None:
    program = write_program(scene, model=model, image=IMAGE)
    assert ask(program, all_of(template, goal), tmp_path) == answers


def test_an_image_without_objects_still_defines_every_predicate(scene: Scene, model: Model, tmp_path: Path) -> None:
    empty = dataclasses.replace(
        scene, symbols=(dataclasses.replace(scene.symbols[3], name="ob_0"),), pairs=np.zeros((2, 1, 2), dtype=np.int64)
    )
    program = write_program(empty, model=model, image=IMAGE)
    goals = "object(_);left_of(_,_);above(_,_);same_row(_,_);same_column(_,_);in_line(_,_,_);lies_between(_,_,_)"
    assert ask(program, all_of("x", goals), tmp_path) == "[]"


def test_json_holds_the_same_facts(scene: Scene, model: Model, tmp_path: Path) -> None:
    document = json.loads(write_json(scene, model=model, image=IMAGE))
    program = write_program(scene, model=model, image=IMAGE)
    assert document["image"]["name"] == IMAGE.name
    for predicate, rows in document["facts"].items():
        for row in rows:
            arguments = ",".join(value if isinstance(value, str) else repr(value) for value in row)
            goal = f"{predicate}({arguments})"
            assert ask(program, f"({goal} -> write(yes) ; write(no))", tmp_path) == "yes", goal
            break  # one of each is enough: each costs a process
    assert len(document["facts"]["r0"]) == 2


def test_facts_are_written_as_one_by_one() -> None:
    """Predicates that share columns, hold a % or have no facts, with numbers in any place."""
    names, numbers = ["ob_0", "A%s", "it's"], np.array([0.25, -0.00001, -12.34567])
    facts: list[tuple[str, list[list[str] | list[int] | np.ndarray]]] = [
        ("first", [numbers, names]),
        ("second", [names, numbers + 1]),
        ("third", [numbers * 2, names]),
        ("100%", [names, [1, 22, 3], numbers, numbers * 3]),
        ("none", [[], np.zeros(0)]),
        ("plain", [names]),
    ]
    for first in ("", "'50%.png', "):
        expected = []
        for predicate, columns in facts:
            rows = zip(*[[plainly(value) for value in column] for column in columns], strict=True)
            expected.append((predicate, "\n".join(f"{atom(predicate)}({first}{', '.join(row)})." for row in rows)))
        assert list(write_facts(facts, first=first)) == expected


def plainly(value: str | int | float) -> str:
    if isinstance(value, str):
        return atom(value)
    return str(value) if isinstance(value, int) else number(value)


def test_a_program_is_known_again(scene: Scene, model: Model) -> None:
    image = dataclasses.replace(IMAGE, warnings=("odd, 5 x 7 pixels (sha256 no)",))
    text = write_program(scene, model=model, image=image)
    assert is_program_of(text, IMAGE.name, IMAGE.sha256, model=model)
    other = dataclasses.replace(model, sha256="ef" * 32)
    assert not is_program_of(text, "other.png", IMAGE.sha256, model=model)
    assert not is_program_of(text, IMAGE.name, "ba" * 32, model=model)
    assert not is_program_of(text, IMAGE.name, IMAGE.sha256, model=other)
    assert not is_program_of(text, IMAGE.name, IMAGE.sha256, model=model, looks=1)
    assert not is_program_of(text[:-1], IMAGE.name, IMAGE.sha256, model=model), "it ends too early"
    assert not is_program_of(text.replace("tolerance(T) ", "tolerance(S) ", 1), IMAGE.name, IMAGE.sha256, model=model)
    assert not is_program_of("", IMAGE.name, IMAGE.sha256, model=model)
    looked_once = write_program(scene, model=model, image=IMAGE, looks=1)
    assert is_program_of(looked_once, IMAGE.name, IMAGE.sha256, model=model, looks=1)
