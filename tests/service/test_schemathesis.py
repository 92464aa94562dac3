"""The service keeps what its OpenAPI document promises, whatever it is sent: schemathesis makes up the requests.

docs/service.md tells how to let it run for longer.
"""

import io
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from PIL import Image

from service.api import create_app
from service.settings import load_settings

pytestmark = pytest.mark.slow(13)

# Any text is a query and any bytes are an image as far as a schema can tell: many that fit it are refused.
UNFIT = "positive_data_acceptance"
EXAMPLES = 30
SEED = 20


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a service listens that runs in a thread."""
    app = create_app(load_settings(data=tmp_path / "data", time_limit=0.3, workers=1))
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="on", log_config=None, ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        threading.Event().wait(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def test_the_service_keeps_its_promises(address: str, root: Path, tmp_path: Path) -> None:
    command = [
        Path(sys.executable).with_name("schemathesis"),
        *("run", f"{address}/openapi.json", "--checks", "all", "--exclude-checks", UNFIT),
        *("--max-examples", str(EXAMPLES), "--seed", str(SEED), "--generation-database", "none", "--no-color"),
    ]
    with io.BytesIO() as file:
        Image.new("RGB", (36, 36)).save(file, "PNG")
        scene = httpx.post(f"{address}/scenes", files={"image": file.getvalue()}).json()["id"]
    environment = (
        os.environ
        | {"SCENE": scene}
        | {"PYTHONPATH": str(root), "SCHEMATHESIS_HOOKS": "tests.service.schemathesis_hooks"}
    )
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "13 selected / 13 total" in run.stdout
    # Not only refusals were tried.
    metrics = httpx.get(f"{address}/metrics").text
    for route in ("/query", "/export", "/scenes", "/scenes/{id}/query", "/scenes/{id}/picture", "/models"):
        assert re.search(rf'route="{re.escape(route)}",status="20[01]"', metrics), metrics
    assert 'method="DELETE",route="/scenes/{id}",status="204"' in metrics
    assert 'status="500"' not in metrics
