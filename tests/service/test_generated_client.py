"""A client that openapi-python-client makes from our OpenAPI document: it posts an image and gets the bindings."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.page.conftest import serving

pytestmark = pytest.mark.slow(2)

# An environment of its own: nothing else needs the generator.
PYTHON = Path(sys.prefix) / "client-generator" / "bin" / "python"
# Written as a user of the generated package writes it: it imports nothing of this project.
PROGRAM = """\
import sys
from pathlib import Path

from board_client import Client
from board_client.api.images import query_image
from board_client.models import BodyQueryImage
from board_client.types import File

address, image = sys.argv[1:]
with Path(image).open("rb") as picture:
    body = BodyQueryImage(image=File(payload=picture, file_name="image.png"), query="same(X, Y)")
    reply = query_image.sync(client=Client(base_url=address), body=body)
for answer in reply.answers:
    print(answer.bindings.to_dict())
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("data")) as address:
        yield address


def call(*command: str | Path, folder: Path) -> str:
    """What a command of the generator's or of the client's user prints; it must end well, and warn of nothing."""
    if not PYTHON.exists():
        pytest.skip("no generator of clients: make test installs it")
    run = subprocess.run(
        [PYTHON, *command],
        cwd=folder,
        # The generator formats what it made with ruff, which it looks for on the PATH.
        env={**os.environ, "PATH": f"{PYTHON.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_a_generated_client_posts_an_image_and_prints_the_bindings(address: str, root: Path, tmp_path: Path) -> None:
    generator = ["-m", "openapi_python_client", "generate", "--url", f"{address}/openapi.json"]
    call(*generator, "--meta", "none", "--output-path", "board_client", folder=tmp_path)
    (tmp_path / "ask.py").write_text(PROGRAM)
    image = root / "examples" / "between" / "image.png"
    assert call("-W", "error", "ask.py", address, image, folder=tmp_path).splitlines() == [
        "{'X': 'ob_0', 'Y': 'ob_2'}",
        "{'X': 'ob_2', 'Y': 'ob_0'}",
    ]
