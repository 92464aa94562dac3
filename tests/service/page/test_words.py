"""Words by showing: objects are ticked, a word is typed, and it is asked for at once."""

import json
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.service.page.conftest import Visit, take
from tests.service.page.test_page import answered, cells, tab_to

pytestmark = pytest.mark.slow(40)


def unfold(page: Page) -> None:
    page.get_by_text("Name things").click()


def name(page: Page, word: str) -> None:
    page.locator("#word").fill(word)
    page.get_by_role("button", name="Name it").click()


def ticked(page: Page) -> list[str]:
    return [str(box.get_attribute("value")) for box in page.locator("#nameable input:checked").all()]


def test_an_object_is_clicked_named_and_found_again(visit: Visit) -> None:
    page = visit("Between", 3)
    page.locator('#picture [data-object="ob_0"]').click()
    assert ticked(page) == [], "a click means nothing but the object while nothing is named"
    unfold(page)
    for clicked, rest in (("ob_0", ["ob_0"]), ("ob_1", ["ob_0", "ob_1"]), ("ob_1", ["ob_0"])):
        page.locator(f'#picture [data-object="{clicked}"]').click()
        assert ticked(page) == rest
        marked = page.locator("#picture .ticked").all()
        assert [each.get_attribute("data-object") for each in marked] == rest
    page.locator("#by").select_option("look")
    name(page, " Old  Cup ")
    answered(page, 2)
    assert cells(page) == ["ob_0", "ob_2"]
    expect(page.locator("#query")).to_have_value("old_cup(X)")
    expect(page.locator("#rules")).to_be_visible()
    assert page.locator("#rules").input_value().startswith("% word old_cup: by look, from ob_0 of the picture ")
    take(page, "Once more below", 4)
    assert ticked(page) == []
    expect(page.locator("#rules-state")).to_contain_text("old_cup/1")


def test_a_word_takes_its_own_place_in_the_rules_and_no_other(visit: Visit) -> None:
    page = visit("Between", 3)
    page.locator("#rules").evaluate("(box) => { box.value = 'mine(X) :- object(X).'; }")
    unfold(page)
    page.locator("#by").select_option("shape")
    for word, number in (("ruby", 0), ("cup", 1), ("ruby", 1)):
        for box in page.locator("#nameable input").all():
            box.uncheck()
        page.get_by_role("checkbox", name=f"ob_{number}").check()
        with page.expect_response("**/words"):
            name(page, word)
        expect(page.locator("#query")).to_have_value(f"shape(X, {word})")
    answered(page, 1)
    assert cells(page) == ["ob_1"]
    rules = page.locator("#rules").input_value()
    assert rules.startswith("mine(X) :- object(X).\n\n% word ")
    assert [rules.count(f"% word {word}: by shape, from ob_1 of") for word in ("ruby", "cup")] == [1, 1]


def test_the_others_can_be_said_not_to_be(visit: Visit) -> None:
    page = visit("Between", 3)
    unfold(page)
    page.get_by_role("checkbox", name="ob_1").check()
    page.get_by_label("the others here are not").check()
    with page.expect_request("**/words") as asked:
        name(page, "middle")
    sent = json.loads(asked.value.post_data or "")
    assert (sent["objects"], sent["others"], sent["by"]) == (["ob_1"], ["ob_0", "ob_2"], None)
    answered(page, 1)
    assert cells(page) == ["ob_1"]
    expect(page.locator("#ask")).to_be_in_viewport()
    page.get_by_role("checkbox", name="ob_0").check()
    name(page, "mixed")
    expect(page.locator("#naming-status")).to_have_text("ob_2: mixed as well. Nothing was found that tells them apart.")


def test_what_can_be_no_word_is_told_and_changes_nothing(visit: Visit) -> None:
    page = visit("Between", 3)
    unfold(page)
    name(page, "red")
    expect(page.locator("#naming-status")).to_have_text("Tick an object first.")
    page.get_by_role("checkbox", name="ob_0").check()
    name(page, "1")
    assert page.locator("#word").evaluate("(input) => input.validity.patternMismatch")
    page.locator("#by").select_option("look")
    name(page, "object")
    expect(page.locator("#naming-status .problem")).to_contain_text("object/1 is defined by the program already")
    expect(page.locator("#rules")).to_have_value("")
    name(page, "cup")
    answered(page, 2)
    expect(page.locator("#naming-status .problem")).to_have_count(0)


def test_words_are_made_by_keyboard_and_stand_in_what_is_taught(visit: Visit) -> None:
    page = visit("Between", 3)
    page.locator("#naming summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert ticked(page) == ["ob_0"]
    tab_to(page, "#word")
    page.keyboard.type("ruby")
    page.keyboard.press("Enter")
    answered(page, 2)
    word = page.locator("#rules").input_value()
    page.get_by_role("button", name="Picture 1: yes").click()
    take(page, "Once more below", 4)
    page.get_by_role("button", name="Picture 2: no").click()
    with page.expect_request("**/learn") as asked:
        page.get_by_role("button", name="Learn", exact=True).click()
    assert json.loads(asked.value.post_data or "")["rules"] == word.rstrip()
    expect(page.locator("#lesson-status")).to_have_text("Right about all 2 pictures", timeout=40_000)
    page.get_by_role("button", name="Use as my rules").click()
    answered(page, 1)
    assert cells(page) == ["no"]
    assert page.locator("#rules").input_value().startswith(word.rstrip())


def test_a_picture_without_objects_has_none_to_name(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    Image.new("RGB", (36, 36)).save(tmp_path / "black.png")
    page.locator("#file").set_input_files(tmp_path / "black.png")
    expect(page.locator("#notes")).to_contain_text("No objects")
    expect(page.locator("#naming")).to_be_hidden()
