"""The real service in a thread, and a real Chromium that looks at its page.

The browser's own event loop runs in this thread while it is open, so it is closed after every file's tests: those of
other files run loops of their own.
"""

import os
import re
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from predinet_prolog.service.api import create_app
from predinet_prolog.service.settings import load_settings
from tests.service.page.helpers import take

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
OPTIONS = [
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-gpu",
    "--disable-sync", "--no-first-run",
]  # fmt: skip

TIMEOUT = 15_000
"""Milliseconds: a machine that is busy with other tests."""
expect.set_options(timeout=TIMEOUT)

Serve = Callable[..., AbstractContextManager[str]]
Visit = Callable[..., Page]


@contextmanager
def serving(data: Path, **settings: Any) -> Iterator[str]:
    """The address of a service that runs until the end."""
    app = create_app(load_settings(**{"model": "relations-game", "workers": 1, "data": data, **settings}))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, ws="none", log_config=None, timeout_graceful_shutdown=10))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            deadline = time.monotonic() + 60
            while not server.started:
                assert thread.is_alive(), "the service did not start"
                assert time.monotonic() < deadline, "the service takes too long to start"
                time.sleep(0.02)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("data")) as address:
        yield address


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    """Starts a service with settings of its own."""
    return lambda **settings: serving(tmp_path / "own", **settings)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on the PATH: scripts/setup-chromium installs it")
    options = [*OPTIONS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Opens the page in a fresh context, made with the given options; `at` is another address or what follows in it.
    Takes the `example`, if one is named, with so many `objects`.

    In the end nothing may have gone wrong unseen: no error in the console, no exception, no request to another host.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []
    asked: list[tuple[str, str]] = []

    def heard(kind: str, text: str) -> None:
        # Refusals of the service are what some tests are about; the browser notes each as an error.
        if kind in ("error", "warning") and not text.startswith("Failed to load resource"):
            faults.append(f"console: {text}")

    def open_page(example: str = "", objects: int = 0, *, at: str = "/", **options: Any) -> Page:
        base = re.match(r"https?://[^/]*", at)
        host = base.group() if base else address
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("console", lambda message: heard(message.type, message.text))
        page.on("pageerror", lambda error: faults.append(f"exception: {error}"))
        context.on("request", lambda request: asked.append((host, request.url)))
        page.goto(at if base else address + at)
        page.locator("#examples button").first.wait_for()
        if example:
            take(page, example, objects)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
    elsewhere = [url for host, url in asked if not url.startswith((f"{host}/", "blob:", "data:"))]
    assert elsewhere == [], "requests to other hosts"
