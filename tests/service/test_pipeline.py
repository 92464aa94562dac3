"""From an image to answers in Python."""

from pathlib import Path

import pytest

from predinet_prolog.service.pipeline import ask, look
from predinet_prolog.symbolic import Rules


@pytest.fixture
def board(root: Path) -> Path:
    return root / "examples" / "between" / "image.png"


def test_an_image_is_looked_at_by_name_path_and_bytes(board: Path) -> None:
    programs = {look(image).text.split("% looks")[1] for image in (board, str(board), board.read_bytes())}
    assert len(programs) == 1
    seen = look(str(board))
    assert (seen.image.name, seen.image.notes) == ("image.png", ("resized from 360x360 to 36x36",))
    assert seen.model.name == "relations-game"
    assert repr(seen) == "<3 objects of image.png, by relations-game>"
    html = seen._repr_html_() or ""
    assert html.count("<rect ") == 3
    assert '<rect x="24" y="24" width="12" height="12"' in html
    assert ">ob_2</text>" in html
    assert "<figcaption>&lt;3 objects of image.png" in html


def test_an_image_is_asked(board: Path) -> None:
    """Without rules: docs/python.md."""
    rules = [Rules("mine", "twin(X) :- same(X, ob_0).")]
    assert [answer.bindings for answer in ask(board, "twin(X)", rules=rules).answers] == [{"X": "ob_2"}]
