"""A table of many images is read again as the facts and relations that it was written of; anything else is refused."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from predinet_prolog.bridge import Program
from predinet_prolog.bridge.errors import TableError
from predinet_prolog.bridge.program import base_facts, plain, rules_of
from predinet_prolog.bridge.relations import related_in, relations
from predinet_prolog.bridge.tables import read_program
from predinet_prolog.bridge.vocabulary import base_facts_of
from predinet_prolog.bridge.writers.parquet import FORMAT, schema, table
from predinet_prolog.neural.glimpses.model import GlimpseModel
from tests.asking import answers
from tests.seen import grounded_model, program_of, random_scene

HOSTILE = ["it's 50%.png", 'a"b\\c.png', "\n\t.png", "日本/ü\u2028.png", "', X) :- halt.png", "", "7"]
"""Names of images."""
MANY = 10**7


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> GlimpseModel:
    return grounded_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def programs(model: GlimpseModel) -> dict[str, Program]:
    return {name: program_of(random_scene(seed, seed), model, name=name) for seed, name in enumerate(HOSTILE)}


@pytest.fixture(scope="module")
def written(programs: dict[str, Program], model: GlimpseModel) -> Path:
    """A table in two row groups, each of some images."""
    path, rules = model.path.with_name("images.parquet"), rules_of(model, propositions=False)
    facts = [(name, base_facts(program)) for name, program in programs.items()]
    with parquet.ParquetWriter(path, schema(rules)) as file:
        for part in (facts[:5], facts[5:]):
            file.write_table(table(part, rules))
    return path


@pytest.fixture
def path(written: Path, tmp_path: Path) -> Path:
    """A copy, to be damaged."""
    return Path(shutil.copy(written, tmp_path))


def asked(program: str, name: str, columns: tuple[str, ...], likely: bool) -> list[tuple[object, ...]]:
    """SWI-Prolog's answers: the image, the columns, and the confidence of what has one."""
    goal = f"{name}({', '.join(['Image', *(column.upper() for column in columns)])})"
    goal = f"{goal}, confidence({goal}, Likely)" if likely else goal
    return list(map(tuple, answers(program, goal)))


def told(values: tuple[object, ...]) -> tuple[object, ...]:
    """As Prolog has them: a whole number among words is a number, and none among the names of images."""
    return (values[0], *(int(each) if isinstance(each, str) and each.isdecimal() else each for each in values[1:]))


def test_facts_and_relations_are_what_they_were(path: Path, programs: dict[str, Program], model: GlimpseModel) -> None:
    names = {each.name for each in relations(rules_of(model, propositions=False))}
    everything = read_program(path, names | {"confidence"}, most=MANY)
    rows = {name: related_in([program])[0] for name, program in programs.items()}
    total = 0
    for each in relations(rules_of(model, propositions=False)):
        columns = (*each.columns, "confidence") if each.has_confidence else each.columns
        own = [(name, row) for name in HOSTILE for row in rows[name] if row["predicate"] == each.name]
        expected = [told((name, *(row[column] for column in columns))) for name, row in own]
        assert asked(everything, each.name, each.columns, each.has_confidence) == expected, each
        total += len(expected)
    assert total > 250
    facts = read_program(path, list(base_facts_of(rules_of(model).dialect)), most=MANY)
    for name, columns in plain(base_facts(programs[HOSTILE[6]])).items():
        own = tuple(argument.lower() for argument in base_facts_of(rules_of(model).dialect)[name].columns)
        found = [row[1:] for row in asked(facts, name, own, likely=False) if row[0] == HOSTILE[6]]
        assert found == list(zip(*columns, strict=True)), name


def test_only_what_is_asked_for_is_there_and_all_is_defined(path: Path) -> None:
    text = read_program(path, {"object", "nonsense"}, most=MANY)
    assert len(asked(text, "object", ("x",), likely=False)) == sum(range(len(HOSTILE)))
    for name, columns in (("same_shape", ("x", "y")), ("position", ("x", "px", "py")), ("colour", ("x", "value"))):
        assert asked(text, name, columns, likely=False) == [], name
    likely = read_program(path, {"confidence"}, most=MANY)
    found = [name for name in ("same_shape", "same_filled", "left_of") if f"\n{name}('" in f"\n{likely}"]
    assert found == ["same_shape", "same_filled"]
    with pytest.raises(TableError, match="says too much of that to be asked here"):
        read_program(path, {"confidence"}, most=len(likely) // 2)


def test_the_table_says_what_is_in_it(path: Path) -> None:
    metadata = json.loads(parquet.read_schema(path).metadata[FORMAT])
    told = {(each["predicate"], len(each["columns"])): each for each in metadata["predicates"]}
    columns = {"columns": ["x", "y"], "symmetric": ["x", "y"]}
    assert told["same_shape", 2] == {"predicate": "same_shape", "confidence": True} | columns
    assert told["lies_between", 3]["symmetric"] == ["x", "z"]
    assert told["colour", 4]["columns"] == ["x", "red", "green", "blue"]
    assert told["colour", 2]["columns"] == ["x", "value"]
    rows = parquet.read_table(path).to_pylist()
    pairs = {(row["image"], row["x"], row["y"]) for row in rows if row["predicate"] == "same_shape"}
    assert pairs == {(image, y, x) for image, x, y in pairs}, "both ways round"
    assert pairs


def said_to_be(text: str) -> Callable[[pyarrow.Table], pyarrow.Table]:
    return lambda whole: whole.replace_schema_metadata({FORMAT: text})


NAN = pyarrow.array([float("nan")])
DAMAGES: list[tuple[Any, Any, str]] = [
    (None, lambda _: pyarrow.table({"image": ["a"], "predicate": ["same"]}), "is no table of images: make one with "),
    (lambda path: path.read_bytes()[:-100], None, "cannot be read: "),
    (lambda path: (data := path.read_bytes())[:4] + b"\xff" * 1996 + data[2000:], None, "cannot be read: "),
    (lambda _: b"object(ob_0).\n", None, "cannot be read: "),
    (None, lambda whole: whole.drop_columns(["x"]), "cannot be read: "),
    (None, said_to_be('{"format": 2}'), "cannot be read: its format is 2"),
    (None, said_to_be("[" * 9), "cannot be read: "),
    (None, lambda whole: whole.set_column(24, "confidence", NAN.take([0] * len(whole))), "cannot be read: "),
    (None, None, "cannot be read: "),
]
"""Other bytes of the file or another table, else no file; and what is said."""


@pytest.mark.parametrize(("data", "rows", "message"), DAMAGES)
def test_what_is_no_such_table_is_refused_in_a_line(path: Path, data: Any, rows: Any, message: str) -> None:
    if data:
        path.write_bytes(data(path))
    elif rows:
        parquet.write_table(rows(parquet.read_table(path)), path)
    else:
        path.unlink()
    with pytest.raises(TableError) as refused:
        read_program(path, {"same_shape", "confidence", "object"}, most=MANY)
    assert str(refused.value).startswith(f"{path} {message}")
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) > len(f"{path} cannot be read: ")
