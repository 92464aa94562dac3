"""Tables of labels, as people, spreadsheets and scripts write them."""

import codecs
from pathlib import Path

import pytest

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.label_tables import finder, read_examples, read_labels

KNOWN = ("a.png", "b.png", "cafe\u0301.png", "x/c.png", "y/c.png")
TWO = {"a.png": ("yes", None), "b.png": ("no", None)}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "labels.csv"


@pytest.mark.parametrize(
    "data",
    [
        b"file,label\na.png,yes\nb.png,no\n",
        b"file,label\r\na.png,yes\r\n\r\n,,\r\nb.png,no",
        b"file,label\ra.png,yes\rb.png,no\r",
        codecs.BOM_UTF8 + b'"FILE","Label"\n"a.png","yes"\n"b.png","no"\n',
        b"label;file\nyes;a.png\nno;b.png\n",
        b"file\tlabel\na.png\tyes\nb.png\tno\n",
        b"sep=;\nfile;label\na.png;yes\nb.png;no\n",
        b"SEP=,\r\nfile,label\r\na.png,yes\r\nb.png,no\r\n",
        "sep=\t\nfile\tlabel\na.png\tyes\nb.png\tno\n".encode("utf-16"),
        codecs.BOM_UTF16_BE + "file,label\na.png,yes\nb.png,no\n".encode("utf-16-be"),
        "file,label\na.png,yes\nb.png,no\n".encode("utf-32"),
        b",file,label,by whom\n0,a.png,yes,me\n1,b.png,no\n",
        b"file,label,\na.png,yes,\n./b.png,no,\n",
        b"file,label\nC:\\photos\\a.png,yes\n\\\\host\\b.png,no\n",
    ],
)
def test_a_table_says_the_same_however_it_is_written(table: Path, data: bytes) -> None:
    table.write_bytes(data)
    assert read_labels(table, KNOWN) == (TWO, ())


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("file , label\na.png, yes\nb.png ,no\n", "1, 2, 3"),
        ('file,label\na.png,yes\nb.png, "no"\n', "3"),
        ("file,label\na.png,yes\t\nb.png,\u00a0no\n", "2, 3"),
        ('file,label\n\na.png," yes"\n b.png,no \n', "3, 4"),
        ("file, label\n a.png, yes\n b.png, no\n , \n", "1, 2, 3"),
    ],
)
def test_blanks_around_fields_are_no_part_of_them_and_noted(table: Path, text: str, lines: str) -> None:
    table.write_text(text, encoding="utf-8")
    assert read_labels(table, KNOWN) == (TWO, (f"labels.csv, line {lines}: blanks around fields are left out",))


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('file,label\na.png,"Nice one, ""so"" to say\n2"\n', {"a.png": ('Nice one, "so" to say\n2', None)}),
        ("file;label\na.png;0,5\n", {"a.png": ("0,5", None)}),
        ('file,label\na.png,"it\'s; not"\n', {"a.png": ("it's; not", None)}),
        ("task,label,file\n1,not,caf\u00e9.png\n", {"cafe\u0301.png": ("not", "1")}),
        ("file,label\na.png,\nx\\c.png,1\n", {"a.png": (None, None), "x/c.png": ("1", None)}),
    ],
)
def test_labels_are_kept_as_they_are_written(table: Path, text: str, labels: dict[str, tuple[str, str]]) -> None:
    table.write_text(text, encoding="utf-8")
    assert read_labels(table, KNOWN) == (labels, ())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no column 'file': the first line must be file,label or file,label,task"),
        (b"a.png,yes\n", "no column 'file'"),
        (b"file,label,Label\na.png,1,2\n", "two columns 'label'"),
        (b"file,label\na.png,0,5\n", "line 2: 3 fields, and the first line names 2: a field with a delimiter"),
        (b"file,label\na.png,1\n\n./a.png,1\n", "line 4: a.png is listed twice"),
        (b"file,label\nc.png,1\n", "line 2: c.png may be x/c.png or y/c.png: name its folder"),
        (b"file,label\nz.png,1\n", "line 2: there is no picture z.png"),
        (b"file,label\n,1\n", "line 2: there is no picture without name"),
        ("file,label\na.png,schön\n".encode("latin-1"), "line 2 is not UTF-8 text (byte 20): save it as CSV in UTF-8"),
        ("file,label\n".encode("utf-16-le"), "it has NUL characters, as UTF-16 without byte order mark has"),
        (codecs.BOM_UTF16_LE + b"file", "no column 'file'"),
        (codecs.BOM_UTF16_LE + b"odd", "line 1 is not UTF-16 text"),
        (b'file,label\na.png,"yes\n', "line 2: unexpected end of data"),
    ],
)
def test_what_is_wrong_with_a_table_is_named(table: Path, data: bytes, message: str) -> None:
    table.write_bytes(data)
    with pytest.raises(DomainError) as error:
        read_labels(table, KNOWN)
    assert str(error.value).startswith(f"{table}: {message}")


@pytest.mark.parametrize(
    "data",
    [
        b"a.png,ob_0,true\na.png,ob_1,false\n",
        b"a.png,ob_0,TRUE\na.png,ob_1,FALSE\n",
        b"Image,Object,Odd\na.png,ob_0,1\na.png,ob_1,0\na.png,ob_1,False\n",
        "sep=;\nfile;object;x\na.png;ob_0;True\na.png;ob_1;False\n".encode("utf-16"),
        b"a.png\tob_0\ttrue\t\na.png\tob_1\tfalse\t\n",
    ],
)
@pytest.mark.parametrize("implied", [True, False])
def test_truth_is_the_same_however_it_is_written(table: Path, data: bytes, implied: bool) -> None:
    table.write_bytes(data)
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a.png,ob_0,WAHR\n", "line 1: it must be image,object[,object],true|false: 'WAHR' is neither true nor false"),
        ("a.png,ob_0,1\na.png,ob_0,0\n", "line 2: ob_0 of a.png is true in one line and false in another"),
        ("a.png,ob_0,1\na.png,ob_0,ob_1,1\n", "line 2: it must be image,object[,object],true|false"),
        ("a.png,,1\n", "line 1: it must be image,object[,object],true|false"),
        ("a.png\n", "line 1: it must be image,object[,object],true|false"),
        ("object,image,truth\nob_0,a.png,1\n", "line 1: the columns must be image,object[,object],true|false, in this"),
        ("image,object,truth\n", "no example is true: add a line image,object[,object],true"),
        ("a.png,ob_0,ob_1,ob_2,1\n", "line 1: it must be image,object[,object],true|false"),
    ],
)
def test_what_is_wrong_with_examples_is_named(table: Path, text: str, message: str) -> None:
    table.write_text(text)
    with pytest.raises(DomainError) as error:
        read_examples(table, finder(KNOWN, None), widths=(1, 2), implied=False)
    assert str(error.value).startswith(f"{table}: {message}")
