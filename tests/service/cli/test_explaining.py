"""explain: its table piped and on a terminal, its JSON, its picture, and its errors."""

import json
import re
import sys
from pathlib import Path

import pytest

from predinet_prolog.bridge.explaining import Meaning
from predinet_prolog.neural import load_model
from predinet_prolog.service.cli import explaining
from predinet_prolog.service.pictures import relations as explanations
from tests.service.helpers import Run


def meaning(relation: int, *shares: float, spread: float, accuracy: tuple[float, float]) -> Meaning:
    colour, shape, interaction, position = shares
    named = dict(zip(("colour", "shape"), accuracy, strict=True))
    return Meaning(relation, {"colour": colour, "shape": shape}, interaction, position, spread, named)


COLOUR = meaning(0, 0.75, 0.0, 0.0, 0.25, spread=1.5, accuracy=(0.987, 0.5))
SHAPE = meaning(1, 0.0, 0.0625, 0.0, 0.9375, spread=0.5, accuracy=(0.501, 0.9))
MIXED = meaning(10, 0.125, 0.25, 0.125, 0.5, spread=12.0, accuracy=(0.6, 0.7))
DEAD = meaning(11, 0.0, 0.0, 0.0, 0.0, spread=0.0, accuracy=(0.5, 0.5))
MEANINGS = [COLOUR, SHAPE, MIXED, DEAD]
NAMES = ["colour", "shape"]

TABLE = """\
relation  tells    colour   shape  interaction  position  spread  same_colour  same_shape
r0        colour   100.0%    0.0%         0.0%     25.0%   1.500        0.987       0.500
r1        shape      0.0%  100.0%         0.0%     93.8%   0.500        0.501       0.900
r10       mixed     25.0%   50.0%        25.0%     50.0%  12.000        0.600       0.700
r11       nothing    0.0%    0.0%         0.0%      0.0%   0.000        0.500       0.500
"""


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model's relations are MEANINGS."""
    monkeypatch.setattr("predinet_prolog.bridge.explaining.explain", lambda model, report: MEANINGS)


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("columns", [30, 80])
def test_on_a_terminal_it_is_a_table_of_80_columns(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """The same numbers as piped, each whole, however narrow the terminal."""
    assert run("explain", "between") == (0, f"{TABLE}\n{explaining.legend(NAMES)}", "")
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    status, out, err = run("explain", "between")
    assert (status, err) == (0, "")
    assert "\x1b[" in out
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out)
    assert [line.split() for line in plain.splitlines()[3:7]] == [line.split() for line in TABLE.splitlines()[1:]]
    assert max(map(len, plain.splitlines())) <= 80


@pytest.mark.usefixtures("measured")
def test_json_has_every_number_and_the_picture_is_written_and_named(run: Run) -> None:
    assert run("explain", "between", "-o", "new/bars.png").out.endswith("\n\nnew/bars.png\n")
    assert Path("new/bars.png").read_bytes() == explanations.draw(MEANINGS, "between")
    status, out, err = run("explain", "between", "-o", "new/bars.png", "--json")
    assert (status, err) == (0, "")
    document = json.loads(out)
    assert document["model"] == {"name": "between", "sha256": load_model("between").sha256}
    assert document["picture"] == "new/bars.png"
    assert [relation["relation"] for relation in document["relations"]] == ["r0", "r1", "r10", "r11"]
    assert document["relations"][2] == {
        "relation": "r10",
        "tells": "mixed",
        "coordinate": {"colour": 0.25, "shape": 0.5, "interaction": 0.25},
        "value": {"colour": 0.125, "shape": 0.25, "interaction": 0.125, "position": 0.5},
        "spread": 12.0,
        "accuracy": {"same_colour": 0.6, "same_shape": 0.7},
    }
