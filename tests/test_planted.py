"""The list of planted faults fits the code: `scripts/plant` can plant each, and runs tests that are there."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PLANTED = tomllib.loads((ROOT / "scripts" / "planted.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PLANTED)
def test_a_fault_can_be_planted_and_its_tests_are_there(name: str) -> None:
    fault = PLANTED[name]
    assert (ROOT / fault["file"]).read_text(encoding="utf-8").count(fault["text"]) == 1
    assert fault["text"] != fault["faulty"]
    for test in fault["tests"]:
        file, function = test.split("::")
        assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8"), test
