"""The service keeps what its OpenAPI document promises, whatever it is sent: schemathesis makes up the requests.

docs/service.md tells how to let it run for longer.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.service.helpers import environment
from tests.service.page.conftest import serving

pytestmark = pytest.mark.slow(35)

# Any text is a query and any bytes are an image as far as a schema can tell: many that fit it are refused.
UNFIT = "positive_data_acceptance"
EXAMPLES = 8
SEED = 20


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a service listens that runs in a thread."""
    with serving(tmp_path / "data", time_limit=3) as address:
        yield address


def test_the_service_keeps_its_promises(address: str, root: Path, tmp_path: Path) -> None:
    command = [
        Path(sys.executable).with_name("schemathesis"),
        *("run", f"{address}/openapi.json", "--checks", "all", "--exclude-checks", UNFIT),
        *("--max-examples", str(EXAMPLES), "--seed", str(SEED), "--generation-database", "none", "--no-color"),
    ]
    picture = (root / "examples" / "between" / "image.png").read_bytes()
    scene = httpx.post(f"{address}/scenes", files={"image": picture}, timeout=60).json()["id"]
    given = environment(root, SCENE=scene, SCHEMATHESIS_HOOKS="tests.service.schemathesis_hooks")
    run = subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True, timeout=200)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "17 selected / 17 total" in run.stdout, run.stdout
    # Not only refusals were tried.
    metrics = httpx.get(f"{address}/metrics", timeout=60).text
    for route in (
        "/query", "/suppose", "/export", "/scenes", "/scenes/{id}/query", "/scenes/{id}/suppose", "/models", "/learn",
        "/words",
    ):  # fmt: skip
        assert re.search(rf'route="{re.escape(route)}",status="20[01]"', metrics), metrics
    assert 'status="500"' not in metrics
