"""Draws page.png of docs/service.md: the real service's page in Chromium, a question asked and proved.

python docs/draw_page.py
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.serving import server

PICTURE = Path(__file__).with_name("page.png")


def main() -> None:
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        sys.exit("no chromium on the PATH: scripts/setup-chromium installs it")
    with tempfile.TemporaryDirectory() as folder, server(Path(folder), workers=1) as address:
        draw(f"{address}/", chromium)


def draw(address: str, chromium: str) -> None:
    options = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        page = browser.new_page(viewport={"width": 1400, "height": 900}, color_scheme="light")
        page.goto(address)
        page.get_by_role("button", name="A crowd", exact=True).click()
        page.locator("#listing details").first.wait_for()
        page.get_by_role("button", name="Same shape, other colour?").click()
        page.get_by_role("button", name="Why answer 2?").click()
        page.locator("#answers .step").first.wait_for()
        page.locator("#answers tbody tr[data-lights] td.act").nth(1).hover(position={"x": 2, "y": 2})
        page.wait_for_timeout(500)  # until what moves has come to rest
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
