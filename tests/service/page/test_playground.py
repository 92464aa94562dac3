"""The playground: the page in a browser, and nothing behind it but files."""

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from predinet_prolog.service.api.scene_views import IMAGE_NAME
from predinet_prolog.service.pipeline import look
from tests.service.helpers import environment
from tests.service.page.conftest import CHROMIUM, TIMEOUT, Visit
from tests.service.page.helpers import arrived, ask, press

pytestmark = [pytest.mark.slow(60), pytest.mark.timeout(600)]

ROOT = Path(__file__).parents[3]
NINE = ROOT / "examples" / "nine-objects" / "image.png"
CLEVR = ROOT / "tests" / "domains" / "clevr" / "drawn" / "images" / "CLEVR_new_000000.png"
BUTTONS = ROOT / "examples" / "own_pictures" / "pictures" / "buttons.jpg"
PATIENCE = 250_000  # milliseconds that anything may take: all to load, on a machine on which others work


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a playground made anew."""
    if CHROMIUM is None or shutil.which("npm") is None:
        pytest.skip("no chromium or no npm on the PATH: the playground is made and tried with them")
    folder = tmp_path_factory.mktemp("playground") / "made"
    command = [sys.executable, ROOT / "scripts" / "playground", folder]
    made = subprocess.run(command, env=environment(ROOT), capture_output=True, text=True)
    if made.returncode == 3:
        pytest.skip(made.stderr)
    assert made.returncode == 0, made.stderr
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        expect.set_options(timeout=PATIENCE)
        yield f"http://127.0.0.1:{server.server_port}/"
        expect.set_options(timeout=TIMEOUT)
        server.shutdown()
        thread.join()


def seen(page: Page, picture: Path) -> str:
    """Opens the picture, and gives its program."""
    before = page.url
    page.locator("#file").set_input_files(picture)
    page.wait_for_url(lambda url: url != before, timeout=PATIENCE)
    return str(page.evaluate("fetch(`scenes/${location.hash.slice(7, 39)}/program`).then((found) => found.text())"))


def wanted(picture: Path) -> str:
    """The program as the command line has it."""
    view = look(picture)
    return replace(view, image=replace(view.image, name=IMAGE_NAME)).text


def test_pictures_are_seen_and_asked_about_without_a_server(playground: str, visit: Visit, tmp_path: Path) -> None:
    photograph = tmp_path / "buttons.jpg"
    Image.open(BUTTONS).reduce(3).save(photograph, quality=90)  # looked at in a third of the time
    page = visit(at=playground)
    expect(page.locator("#loading")).to_be_empty()
    expect(page.locator("#coming")).to_contain_text(" MB, 100%")
    press(page, "Between")
    arrived(page, 3)
    page.context.set_offline(True)  # whatever follows asks nobody
    for picture in (photograph, CLEVR, NINE):  # machines round: a pixel more of a thing changes what is seen of it
        here, there = (re.split(r"(-?\d+\.\d+)", text) for text in (seen(page, picture), wanted(picture)))
        assert here[::2] == there[::2]
        assert [*map(float, here[1::2])] == pytest.approx([*map(float, there[1::2])], 0, 0.01 * (picture == photograph))
    ask(page, "same(X, Y)")
    page.get_by_role("button", name="Why answer 1?").click(timeout=PATIENCE)
    expect(page.locator("#answers .because").first).to_be_visible()
    ask(page, "sam(X, Y)")
    expect(page.locator("#answers")).to_contain_text("did you mean same/2?")
    ask(page, "repeat, fail")
    expect(page.locator("#answers")).to_contain_text("Time ran out")
    ask(page, "X = 'é', object(ob_8)")
    expect(page.locator("#answers")).to_contain_text("é")
