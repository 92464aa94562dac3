"""Zones as a file tells them, and what is refused with its cure."""

import json
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.zones import read_zones
from tests.cases import cases

CASES = cases(__file__)

DOCK = [[2, 2], [8, 2], [8, 6], [2, 6]]


def test_zones_have_names_and_outlines(tmp_path: Path) -> None:
    path = tmp_path / "zones.json"
    path.write_text(json.dumps({"loading bay": DOCK, "'Tor' \n2": [[0, 0], [10, 10], [10, 0], [0, 10]]}))
    zones = read_zones(path)
    assert list(zones.outlines) == ["loading bay", "'Tor' \n2"]
    bay, hourglass = (outline.mask((0, 0, 10, 10)) for outline in zones.outlines.values())
    assert np.argwhere(bay).min(axis=0).tolist() == [2, 2]
    assert bay.sum() == 24
    assert hourglass[5, 1]
    assert not hourglass[1, 5]  # beside the crossing


@pytest.mark.parametrize(("text", "fault"), CASES["faults"])
def test_what_is_no_zone_is_refused_in_a_line(text: str, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "zones.json"
    path.write_text(text)
    with pytest.raises(DomainError) as error:
        read_zones(path)
    assert str(error.value).startswith(f"{path}: ")
    assert fault in str(error.value)
    assert "\n" not in str(error.value)
