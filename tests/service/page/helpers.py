"""What a visitor does on the page, and what the page then shows."""

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.cases import cases

SCRIPTS = cases(__file__)


def arrived(page: Page, objects: int) -> None:
    """Waits until a scene with so many objects is there."""
    expect(page.locator("#picture .object")).to_have_count(objects)
    expect(page.locator("#listing details").first).to_be_visible()


def take(page: Page, name: str, objects: int) -> None:
    """Takes an example and waits until all of its scene is there, whose objects may be as many as those of the last."""
    page.evaluate("document.querySelector('#picture > svg')?.setAttribute('data-last', '')")
    press(page, name)
    expect(page.locator("#picture > svg:not([data-last])")).to_have_count(1)
    arrived(page, objects)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def ask(page: Page, query: str) -> None:
    page.locator("#query").fill(query)
    page.locator("#query").press("Enter")
    expect(page.locator("#asking")).to_have_attribute("aria-busy", "false")


def answered(page: Page, count: int) -> None:
    """Waits for so many rows of answers."""
    expect(page.locator("#answers tbody tr[data-lights]")).to_have_count(count)


def cells(page: Page) -> list[str]:
    return page.locator("#answers tbody tr[data-lights] td:not(.act)").all_text_contents()


def why(page: Page, number: int = 1) -> None:
    press(page, f"Why answer {number}?")


def lit(page: Page) -> dict[str, str]:
    """The objects that are lit, each with its variable's name."""
    return {
        str(symbol.get_attribute("data-object")): symbol.locator(".variable").text_content() or ""
        for symbol in page.locator("#picture .symbol.lit").all()
    }


def tab_to(page: Page, wanted: str, *, most: int = 20) -> None:
    """Presses the tabulator until an element of that selector has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.locator(f"{wanted}:focus").count():
            return
    pytest.fail(f"{wanted} is not reached")


def drop(page: Page, name: str, content: bytes, type: str = "image/png", kinds: str = "dragover drop") -> None:
    """Drops a file on the page, as far as a script can; or pastes it."""
    page.evaluate(SCRIPTS["drop"], [name, base64.b64encode(content).decode(), type, kinds])
