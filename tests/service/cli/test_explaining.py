"""explain: its table and its JSON."""

import json

import pytest

from predinet_prolog.bridge.explaining import Meaning
from predinet_prolog.service.cli import explaining
from tests.service.helpers import Run


def meaning(relation: int, *shares: float, spread: float, accuracy: tuple[float, float]) -> Meaning:
    colour, shape, interaction, position = shares
    named = dict(zip(("colour", "shape"), accuracy, strict=True))
    return Meaning(relation, {"colour": colour, "shape": shape}, interaction, position, spread, named)


MEANINGS = [
    meaning(0, 0.75, 0.0, 0.0, 0.25, spread=1.5, accuracy=(0.987, 0.5)),
    meaning(1, 0.0, 0.0625, 0.0, 0.9375, spread=0.5, accuracy=(0.501, 0.9)),
    meaning(10, 0.125, 0.25, 0.125, 0.5, spread=12.0, accuracy=(0.6, 0.7)),
    meaning(11, 0.0, 0.0, 0.0, 0.0, spread=0.0, accuracy=(0.5, 0.5)),
]
TABLE = """\
relation  tells    colour   shape  interaction  position  spread  same_colour  same_shape
r0        colour   100.0%    0.0%         0.0%     25.0%   1.500        0.987       0.500
r1        shape      0.0%  100.0%         0.0%     93.8%   0.500        0.501       0.900
r10       mixed     25.0%   50.0%        25.0%     50.0%  12.000        0.600       0.700
r11       nothing    0.0%    0.0%         0.0%      0.0%   0.000        0.500       0.500
"""


def test_relations_are_a_table_with_its_legend_and_json(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explaining, "measure", lambda model, report: MEANINGS)
    assert run("explain", "between") == (0, f"{TABLE}\n{explaining.legend(['colour', 'shape'])}", "")
    document = json.loads(run("explain", "between", "--json").out)
    assert document["model"]["name"] == "between"
    assert [relation["relation"] for relation in document["relations"]] == ["r0", "r1", "r10", "r11"]
    assert document["relations"][2] == {
        "relation": "r10",
        "tells": "mixed",
        "coordinate": {"colour": 0.25, "shape": 0.5, "interaction": 0.25},
        "value": {"colour": 0.125, "shape": 0.25, "interaction": 0.125, "position": 0.5},
        "spread": 12.0,
        "accuracy": {"same_colour": 0.6, "same_shape": 0.7},
    }
