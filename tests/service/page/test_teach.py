"""The tray: pictures are called yes or no, a rule is learned, and what it says of them is shown."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from domains.relations_game import generate
from tests.service.page.conftest import Visit, arrived, take
from tests.service.page.test_page import answered, cells, tab_to

pytestmark = pytest.mark.slow(60)

RULES = "label(Label) :- once(case(First)), Label = First.\ncase(yes) :- same(A, B).\ncase(no).\n"
RIVAL = RULES.replace("same", "same_shape")
EVIL = "<img src=x onerror=alert(1)>"

Boards = Callable[[int], tuple[list[Path], list[str]]]


@pytest.fixture
def boards(tmp_path: Path) -> Boards:
    """Draws so many boards; whether the outer two of the three are alike is their label."""

    def draw(count: int) -> tuple[list[Path], list[str]]:
        drawn = generate("between", count, seed=3)
        files = [tmp_path / f"{number}.png" for number in range(count)]
        for file, pixels in zip(files, drawn.render(), strict=True):
            Image.fromarray(pixels).save(file)
        return files, ["yes" if label else "no" for label in drawn.labels]

    return draw


def cards(page: Page) -> Locator:
    return page.locator("#tray > li")


def bring(page: Page, files: list[Path]) -> None:
    """Chooses files and waits until all are in the tray."""
    before = cards(page).count()
    page.locator("#file").set_input_files(files)
    expect(cards(page)).to_have_count(before + len(files))


def call(page: Page, number: int, label: str) -> None:
    page.get_by_role("button", name=f"Picture {number + 1}: {label}").click()


def learn(page: Page) -> None:
    page.get_by_role("button", name="Learn", exact=True).click()
    expect(page.locator("#lesson-status")).to_contain_text("Right about", timeout=40_000)


def marks(page: Page) -> list[str]:
    return [str(card.get_attribute("class")) for card in cards(page).all()]


def replying(said: Callable[[str], str] = lambda label: label, **more: Any) -> Callable[[Route], None]:
    """Stands in for the service: the rules say `said` of what has a label."""

    def fulfill(route: Route) -> None:
        lesson = json.loads(route.request.post_data or "")
        pictures = [{**each, "said": said(each["label"])} for each in lesson["examples"]]
        errors = sum(each["label"] != each["said"] for each in pictures)
        clause = {"label": "yes", "clause": "case(yes) :- same(A, B).", "right": 1, "wrong": errors}
        following = [{"scene": scene, "said": ["yes", "no"]} for scene in lesson["unlabelled"]]
        reply = {"rules": RULES, "clauses": [clause], "default": "no", "errors": errors, "pictures": pictures}
        reply["unlabelled"] = [{"scene": scene, "said": said("no")} for scene in lesson["unlabelled"]]
        reply |= {"mode": "strict", "held_back": None, "again": [], "rivals": [RIVAL], "next": following}
        route.fulfill(json={**reply, **more})

    return fulfill


def test_a_rule_is_taught_from_a_few_boards(visit: Visit, boards: Boards) -> None:
    page = visit()
    files, labels = boards(9)
    bring(page, files)
    arrived(page, 3)
    expect(page.get_by_role("button", name="Learn", exact=True)).to_be_disabled()
    for number, label in enumerate(labels[:8]):
        call(page, number, label)
    expect(page.locator("#tray-state")).to_have_text("8 of 9 labelled")
    learn(page)
    expect(page.locator("#lesson-status")).to_have_text("Right about all 8 pictures")
    expect(page.locator(".clauses code").first).to_contain_text("same")
    assert marks(page)[:8] == ["right"] * 8
    expect(cards(page).nth(8)).to_contain_text(f"the rule says {labels[8]}")
    page.get_by_role("button", name="Use as my rules").click()
    answered(page, 1)
    assert cells(page) == [labels[0]]
    expect(page.locator("#rules-state")).to_contain_text("label/1")
    page.get_by_role("link", name="Show picture 9").click()
    expect(page.locator("#tray [aria-current]")).to_have_attribute("aria-label", "Picture 9")
    page.locator("#query").fill("label(L)")
    page.locator("#query").press("Enter")
    answered(page, 1)
    assert cells(page) == [labels[8]]


def test_a_wrong_label_is_seen_and_put_right(visit: Visit, boards: Boards) -> None:
    page = visit()
    files, labels = boards(16)
    bring(page, files)
    wrong = labels.index("no")
    for number, label in enumerate(labels):
        call(page, number, "yes" if number == wrong else label)
    page.get_by_label("some of what I say may be wrong").check()
    with page.expect_request("**/learn") as asked:
        learn(page)
    assert json.loads(asked.value.post_data or "")["options"] == {"noisy": True}
    expect(page.locator("#lesson-status")).to_have_text("Right about 15 of 16 pictures")
    assert [number for number, mark in enumerate(marks(page)) if mark == "wrong"] == [wrong]
    expect(cards(page).nth(wrong)).to_contain_text("the rule says no")
    expect(page.locator("#learned")).to_contain_text(f"Look again at picture {wrong + 1}: only an exception explains")
    expect(page.locator("#learned")).to_contain_text("as if some of what you say may be wrong: you said so.")
    expect(page.locator(".changed")).to_be_hidden()
    call(page, wrong, "no")
    assert marks(page) == ["right"] * 16
    expect(page.locator(".changed")).to_be_visible()
    learn(page)
    expect(page.locator("#lesson-status")).to_have_text("Right about all 16 pictures")
    expect(page.locator(".changed")).to_be_hidden()


HELD = {"learned_from": 3, "n": 1, "right": 1, "tried": {"strict": 0, "noisy": 1}}


@pytest.mark.parametrize(
    ("mode", "held", "sentence"),
    [
        ("strict", None, "as if all that you say is right: there are too few pictures to hold some back."),
        ("strict", HELD, "as if all that you say is right: that did best on 1 picture held back."),
        ("noisy", HELD, "as if some of what you say may be wrong: that did best on 1 picture held back."),
    ],
)
def test_the_mode_that_was_chosen_and_where_to_look_again_are_told(
    visit: Visit, boards: Boards, mode: str, held: object, sentence: str
) -> None:
    page = visit()

    def fulfill(route: Route) -> None:
        scenes = [each["scene"] for each in json.loads(route.request.post_data or "")["examples"]]
        again = [{"scene": scenes[0], "label": "yes", "against": scenes[1:]}]
        again += [{"scene": scenes[1], "label": "no", "against": []}]
        replying(mode=mode, held_back=held, again=again)(route)

    page.route("**/learn", fulfill)
    bring(page, boards(3)[0])
    for number, label in enumerate(("yes", "no", "no")):
        call(page, number, label)
    learn(page)
    expect(page.locator("#learned")).to_contain_text(sentence)
    expect(page.locator("#learned")).to_contain_text("picture 1: a rule cannot tell it from picture 2, 3.")
    expect(page.locator("#learned")).to_contain_text("picture 2: only an exception explains what you say of it.")


def test_rivals_are_shown_and_the_picture_that_tells_them_apart(visit: Visit, boards: Boards) -> None:
    page = visit()
    bring(page, boards(4)[0])
    page.route("**/learn", replying())
    call(page, 0, "yes")
    call(page, 1, "no")
    learn(page)
    assert marks(page) == ["right", "right", "next", ""]
    expect(cards(page).nth(2)).to_contain_text("label this one next")
    page.get_by_role("button", name="picture 3", exact=True).click()
    expect(page.locator(":focus")).to_have_attribute("aria-label", "Picture 3: yes")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_have_attribute("aria-pressed", "true")
    assert marks(page) == ["right", "right", "wrong", ""], "what the rule says of it was no"

    page.locator("#rules").evaluate("(box) => { box.value = 'mine(X) :- object(X).'; }")
    page.get_by_role("button", name="Use as my rules").click()
    expect(page.locator("#rules")).to_have_value(f"mine(X) :- object(X).\n\n{RULES}")
    page.get_by_text("Also fits: 1 other rule").click()
    assert page.locator("#learned details p").all_text_contents() == ["yes if same_shape(A, B)", "no otherwise"]
    page.get_by_role("button", name="Use this one").click()
    expect(page.locator("#rules")).to_have_value(f"mine(X) :- object(X).\n\n{RIVAL}")


def test_classes_have_names_of_their_own(visit: Visit, boards: Boards) -> None:
    page = visit()
    bring(page, boards(2)[0])
    page.route("**/learn", replying())
    call(page, 0, "yes")
    page.get_by_label("names of my own for yes and no").check()
    expect(page.get_by_label("Picture 1 is")).to_have_value("yes")
    for number, name in enumerate((EVIL, "plain one")):
        page.get_by_label(f"Picture {number + 1} is").fill(name)
        page.get_by_label(f"Picture {number + 1} is").press("Tab")
    with page.expect_request("**/learn") as asked:
        learn(page)
    assert [each["label"] for each in json.loads(asked.value.post_data or "")["examples"]] == [EVIL, "plain one"]
    expect(cards(page).first).to_contain_text(f"the rule says {EVIL}")
    assert page.locator("img[src=x]").count() == 0
    page.get_by_label("names of my own for yes and no").uncheck()
    expect(page.locator("#tray-state")).to_have_text("0 of 2 labelled")


def test_everything_goes_by_keyboard(visit: Visit, boards: Boards) -> None:
    page = visit("Between", 3)
    bring(page, boards(1)[0])
    page.route("**/learn", replying())
    page.locator("#rules-box summary").focus()
    for number, label in enumerate(("yes", "no")):
        tab_to(page, f"#{label}-{number}", most=60)
        page.keyboard.press("Space")
        expect(page.locator(":focus")).to_have_attribute("aria-pressed", "true")
    tab_to(page, "#learn")
    page.keyboard.press("Enter")
    expect(page.locator("#lesson-status")).to_contain_text("Right about all 2 pictures")
    assert page.locator("#lesson").get_attribute("aria-live") == "polite"


def test_labels_outlast_a_reload_and_pictures_can_be_left_out(visit: Visit, boards: Boards, address: str) -> None:
    page = visit()
    bring(page, boards(4)[0])
    for number, label in enumerate(("yes", "no", "yes")):
        call(page, number, label)
    gone = str(page.get_by_role("link", name="Show picture 3").get_attribute("href")).removeprefix("#scene=")
    assert page.request.delete(f"{address}/scenes/{gone}").status == 204
    page.get_by_role("link", name="Show picture 2").click()
    expect(page.locator("#tray [aria-current]")).to_have_attribute("aria-label", "Picture 2")
    page.reload()
    expect(cards(page)).to_have_count(2)
    pressed = page.locator("#tray [aria-pressed=true]")
    assert [each.get_attribute("aria-label") for each in pressed.all()] == ["Picture 1: yes", "Picture 2: no"]
    expect(cards(page).first.locator("img")).to_have_js_property("naturalWidth", 36)
    page.get_by_role("button", name="Leave out picture 1").click()
    expect(page.locator("#tray-state")).to_have_text("1 of 1 labelled")
    call(page, 0, "no")
    assert page.evaluate("sessionStorage.length") == 0


def test_what_the_service_refuses_is_told(visit: Visit, boards: Boards) -> None:
    page = visit()
    bring(page, boards(2)[0])
    call(page, 0, "yes")
    call(page, 1, "no")
    refusal = {"title": "Time ran out", "detail": "no rules were found"}
    page.route("**/learn", lambda route: route.fulfill(status=504, json=refusal))
    page.get_by_role("button", name="Learn", exact=True).click()
    expect(page.locator("#lesson-status .problem")).to_have_text("Time ran out: no rules were found")
    page.route("**/learn", replying())
    learn(page)
    expect(page.locator("#lesson-status .problem")).to_have_count(0)


def test_a_file_that_is_no_picture_keeps_no_other_out(visit: Visit, boards: Boards, tmp_path: Path) -> None:
    page = visit()
    (tmp_path / "text.png").write_text("no picture")
    first, *others = boards(3)[0]
    page.locator("#file").set_input_files([first, tmp_path / "text.png", *others])
    expect(page.locator("#lesson-status .problem")).to_contain_text("text.png is not an image")
    expect(cards(page)).to_have_count(3)


def test_a_picture_lies_in_the_tray_once(visit: Visit, boards: Boards) -> None:
    page = visit("Between", 3)
    call(page, 0, "yes")
    bring(page, boards(1)[0])
    take(page, "Between", 3)
    expect(page.locator("#tray [aria-current]")).to_have_attribute("aria-label", "Picture 1")
    expect(page.locator("#tray-state")).to_have_text("1 of 2 labelled")


def test_the_picture_covers_nothing_below_it(visit: Visit) -> None:
    page = visit("Between", 3)
    for place in ("#teach", "#program"):
        page.locator(place).evaluate("(each) => scrollTo(0, scrollY + each.getBoundingClientRect().top - 100)")
        look, below = page.locator("#look").bounding_box(), page.locator(place).bounding_box()
        assert look is not None
        assert below is not None
        assert look["y"] + look["height"] <= below["y"] + 1
