"""Tables of labels, as people, spreadsheets and scripts write them."""

import json
from pathlib import Path

import pytest

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.label_tables import finder, read_examples, read_labels

KNOWN = ("a.png", "b.png", "cafe\u0301.png", "x/c.png", "y/c.png")
TABLES = json.loads(Path(__file__).with_name("label_tables.json").read_text(encoding="utf-8"))
TWO = {"a.png": ("yes", None), "b.png": ("no", None)}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "labels.csv"


@pytest.mark.parametrize(("encoding", "text"), TABLES["the same"])
def test_a_table_says_the_same_however_it_is_written(table: Path, encoding: str, text: str) -> None:
    table.write_bytes(text.encode(encoding))
    assert read_labels(table, KNOWN) == (TWO, ())


@pytest.mark.parametrize(("text", "lines"), TABLES["blanks"])
def test_blanks_around_fields_are_no_part_of_them_and_noted(table: Path, text: str, lines: str) -> None:
    table.write_text(text, encoding="utf-8")
    assert read_labels(table, KNOWN) == (TWO, (f"labels.csv, line {lines}: blanks around fields are left out",))


@pytest.mark.parametrize(("text", "labels", "notes"), TABLES["kept"])
def test_labels_are_kept_as_written(table: Path, text: str, labels: dict[str, list[str]], notes: list[str]) -> None:
    table.write_text(text, encoding="utf-8")
    assert read_labels(table, KNOWN) == ({name: tuple(told) for name, told in labels.items()}, tuple(notes))


@pytest.mark.parametrize(("encoding", "text", "message"), TABLES["wrong"])
def test_what_is_wrong_with_a_table_is_named(table: Path, encoding: str, text: str, message: str) -> None:
    table.write_bytes(text.encode(encoding))
    with pytest.raises(DomainError) as error:
        read_labels(table, KNOWN)
    assert str(error.value).startswith(f"{table}: {message}")


@pytest.mark.parametrize(("encoding", "text"), TABLES["truth"])
@pytest.mark.parametrize("implied", [True, False])
def test_truth_is_the_same_however_it_is_written(table: Path, encoding: str, text: str, implied: bool) -> None:
    table.write_bytes(text.encode(encoding))
    expected = {("a.png", ("ob_0",)): True, ("a.png", ("ob_1",)): False}
    assert read_examples(table, finder(KNOWN, None), widths=(1,), implied=implied) == (expected, ())


def test_examples_may_be_true_without_saying_so_and_of_two_objects(table: Path) -> None:
    table.write_text("a.png, ob_0\nb.png,ob_2,\n")
    examples, notes = read_examples(table, finder(KNOWN, None), widths=(1,), implied=True)
    assert examples == {("a.png", ("ob_0",)): True, ("b.png", ("ob_2",)): True}
    assert notes == ("labels.csv, line 1: blanks around fields are left out",)
    table.write_text("a.png,ob_0,ob_1,1\n")
    examples, _ = read_examples(table, finder(KNOWN, None), widths=(1, 2), implied=False)
    assert examples == {("a.png", ("ob_0", "ob_1")): True}


@pytest.mark.parametrize(("text", "message"), TABLES["wrong examples"])
def test_what_is_wrong_with_examples_is_named(table: Path, text: str, message: str) -> None:
    table.write_text(text)
    with pytest.raises(DomainError) as error:
        read_examples(table, finder(KNOWN, None), widths=(1, 2), implied=False)
    assert str(error.value).startswith(f"{table}: {message}")
