"""What is done with pictures that were seen: rules are taught, words are made, something is supposed."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from predinet_prolog.domains.relations_game import generate
from tests.service.page.conftest import Visit
from tests.service.page.helpers import answered, arrived, ask, cells, press, take

pytestmark = pytest.mark.slow(20)


def cards(page: Page) -> Locator:
    return page.locator("#tray > li")


def current(page: Page, number: int) -> None:
    """Waits for that picture to be the one on the page."""
    expect(page.locator("#tray [aria-current]")).to_have_attribute("aria-label", f"Picture {number}")


def call(page: Page, *labels: str) -> None:
    """Labels the first pictures."""
    for number, label in enumerate(labels):
        press(page, f"Picture {number + 1}: {label}")


def learn(page: Page) -> dict[str, Any]:
    """Waits for the rules; gives what was sent."""
    with page.expect_request("**/learn") as asked:
        press(page, "Learn")
    expect(page.locator("#lesson-status")).to_contain_text("Right about", timeout=40_000)
    return dict(json.loads(asked.value.post_data or ""))


def marks(page: Page) -> list[str]:
    return [str(card.get_attribute("class")) for card in cards(page).all()]


def test_a_rule_is_taught_from_a_few_boards(visit: Visit, tmp_path: Path) -> None:
    """Whether the outer two of three things are alike is a board's label."""
    page, drawn = visit(), generate("between", 9, seed=3)
    for number, pixels in enumerate(drawn.render()):
        Image.fromarray(pixels).save(tmp_path / f"{number}.png")
    first, *others = (tmp_path / f"{number}.png" for number in range(9))
    labels = ["yes" if label else "no" for label in drawn.labels]
    (tmp_path / "text.png").write_text("no picture")
    page.locator("#file").set_input_files([first, tmp_path / "text.png", *others])
    expect(page.locator("#lesson-status .problem")).to_contain_text("text.png is not an image")
    expect(cards(page)).to_have_count(9)
    arrived(page, 3)
    expect(page.get_by_role("button", name="Learn", exact=True)).to_be_disabled()
    call(page, *labels[:8])
    expect(page.locator("#tray-state")).to_have_text("8 of 9 labelled")
    assert learn(page)["options"] == {"noisy": None}
    expect(page.locator("#lesson-status")).to_have_text("Right about all 8 pictures")
    expect(page.locator(".clauses code").first).to_contain_text("same")
    assert marks(page)[:8] == ["right"] * 8
    expect(cards(page).nth(8)).to_contain_text(f"the rule says {labels[8]}")
    press(page, "Use as my rules")
    answered(page, 1)
    assert cells(page) == [labels[0]]
    expect(page.locator("#rules-shown .p-variable").first).to_have_text("Label")
    page.get_by_role("link", name="Show picture 9").click()
    current(page, 9)
    ask(page, "label(L)")
    assert cells(page) == [labels[8]]


def name(page: Page, word: str) -> None:
    page.locator("#word").fill(word)
    press(page, "Name it")


def ticked(page: Page) -> list[str]:
    marked = [str(mark.get_attribute("data-object")) for mark in page.locator("#picture .ticked").all()]
    assert marked == [str(box.get_attribute("value")) for box in page.locator("#nameable input:checked").all()]
    return marked


def test_objects_are_pointed_at_and_a_word_finds_them_again(visit: Visit, tmp_path: Path) -> None:
    page = visit("Between", 3)
    query, rules, status = page.locator("#query"), page.locator("#rules"), page.locator("#naming-status")
    page.locator('#picture [data-object="ob_0"]').click()
    assert ticked(page) == [], "a click means nothing but the object while nothing is named"
    page.locator("#naming summary").focus()
    page.keyboard.press("Enter")
    name(page, "red")
    expect(status).to_have_text("Tick an object first.")
    for clicked, rest in (("ob_0", ["ob_0"]), ("ob_1", ["ob_0", "ob_1"]), ("ob_1", ["ob_0"])):
        page.locator(f'#picture [data-object="{clicked}"]').click()
        assert ticked(page) == rest
    name(page, "1")
    assert page.locator("#word").evaluate("(input) => input.validity.patternMismatch")
    page.locator("#by").select_option("look")
    name(page, "object")
    expect(status.locator(".problem")).to_contain_text("object/1 is defined by the program already")
    expect(rules).to_have_value("")
    name(page, " Old  Cup ")
    answered(page, 2)
    assert cells(page) == ["ob_0", "ob_2"]
    expect(status.locator(".problem")).to_have_count(0)
    expect(query).to_have_value("old_cup(X)")
    expect(rules).to_be_visible()
    assert rules.input_value().startswith("% word old_cup: by look, from ob_0 of the picture ")

    # A word takes its own place in the rules (tests/service/cli/test_naming.py); the others can be said not to be.
    rules.evaluate("(box) => { box.value = 'mine(X) :- object(X).'; }")
    page.locator("#by").select_option("shape")
    page.get_by_role("checkbox", name="ob_0").uncheck()
    page.get_by_role("checkbox", name="ob_1").check()
    name(page, "ruby")
    expect(query).to_have_value("shape(X, ruby)")
    assert rules.input_value().startswith("mine(X) :- object(X).\n\n% word ruby: by shape, from ob_1 of")
    page.locator("#by").select_option(index=0)
    page.get_by_label("those that are not ticked are not").check()
    with page.expect_request("**/words") as asked:
        name(page, "middle")
    sent = json.loads(asked.value.post_data or "")
    assert (sent["objects"], sent["others"], sent["by"]) == (["ob_1"], ["ob_0", "ob_2"], None)
    answered(page, 1)
    expect(page.locator("#ask")).to_be_in_viewport()
    page.get_by_role("checkbox", name="ob_0").check()
    name(page, "mixed")
    expect(status).to_have_text("ob_2: mixed as well. Nothing was found that tells them apart.")

    # Words stand in what is taught, and hold of the next picture.
    page.locator("#word").fill("ruby")
    page.get_by_label("those that are not ticked are not").uncheck()
    page.keyboard.press("Tab")
    page.locator("#word").press("Enter")
    expect(query).to_have_value("ruby(X)")
    press(page, "Picture 1: yes")
    take(page, "Once more below", 4)
    assert ticked(page) == []
    expect(page.locator("#rules-state")).to_contain_text("ruby/1")
    press(page, "Picture 2: no")
    assert learn(page)["rules"] == rules.input_value().rstrip()
    press(page, "Use as my rules")
    answered(page, 1)
    assert cells(page) == ["no"]
    take(page, "Between", 3)
    current(page, 1)  # a picture lies in the tray once
    expect(cards(page)).to_have_count(2)
    Image.new("RGB", (36, 36)).save(tmp_path / "black.png")
    page.locator("#file").set_input_files(tmp_path / "black.png")
    expect(page.locator("#notes")).to_contain_text("No objects")
    expect(page.locator("#naming")).to_be_hidden()
