"""Whether everybody can read and reach the page: names, contrast, narrow screens, quiet motion, keys; and its files."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from predinet_prolog.service.api.pages import PAGE
from tests.cases import cases
from tests.playground.test_backend import module
from tests.service.page.conftest import Visit
from tests.service.page.helpers import answered, arrived, ask, press, tab_to, take
from tests.service.page.test_tools import call, cards, learn, marks

SCRIPTS = cases(__file__)

pytestmark = pytest.mark.slow(45)

PICTURES = {".png", ".jpg"}
AXE = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
LATER = ("vocabulary.json", "correct.js", "boxes.js", "teach.js", "teach.css", "words.js", "suppose.js")
"""Files that come with a scene: the vocabulary and the tools."""


@pytest.fixture(scope="module")
def axe(root: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What looks for violations of the accessibility rules: axe-core, by npm; nothing where that cannot be had."""
    playground, out = module(root / "scripts" / "playground"), tmp_path_factory.mktemp("axe") / "taken"
    try:
        archive = playground.fetched("axe-core-4.14.1.tgz", AXE, ["npm", "pack", "--silent", "axe-core@4.14.1"])
    except (OSError, SystemExit):
        return ""
    playground.take(archive, ["axe.min.js"], out)
    return (out / "axe.min.js").read_text(encoding="utf-8")


def check(page: Page, widths: Sequence[int], least: int, axe: str) -> None:
    """That everything has a name, stands out in light and dark, fits the widths and moves nowhere."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(f"{axe}; {SCRIPTS['violations']}") == []
    assert page.evaluate(SCRIPTS["moving"]) == 0, "without a wish for motion there is none"
    assert page.evaluate(SCRIPTS["small"]) == [] or max(widths) > 600
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        contrasts = page.evaluate(SCRIPTS["contrasts"])
        assert len(contrasts) > least
        assert [(ratio, text) for ratio, text in contrasts if ratio < 4.5] == []
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0] > 128")
        assert paper == (scheme == "light")


def mistaken(route: Route) -> None:
    """Stands in for a search: its rule says yes of both pictures, and one that fits as well is told with it."""
    pictures = [{**example, "said": "yes"} for example in json.loads(route.request.post_data or "")["examples"]]
    clause = {"label": "yes", "clause": "case(yes) :- same(A, B).", "right": 1, "wrong": 1}
    rules = "label(Label) :- once(case(First)), Label = First.\ncase(yes) :- same(A, B).\ncase(no).\n"
    reply = {"rules": rules, "rivals": [rules.replace("same", "same_shape")], "clauses": [clause], "default": "no"}
    told = {"mode": "strict", "held_back": None, "unlabelled": [], "next": [], "again": [], "errors": 1}
    route.fulfill(json=reply | told | {"pictures": pictures})


@pytest.mark.parametrize("widths", [[390], [768, 1280]], ids=["phone", "desk"])
def test_text_stands_out_and_everything_has_a_name_and_a_place(visit: Visit, widths: list[int], axe: str) -> None:
    phone = {"has_touch": True, "is_mobile": True} if widths == [390] else {}
    page = visit(viewport={"width": widths[0], "height": 740}, reduced_motion="reduce", **phone)
    check(page, widths, 10, axe)
    take(page, "A row", 3)
    page.locator("#picture .object").first.click()
    page.get_by_role("button", name="Is the pattern a-b-a?").click()
    page.get_by_role("button", name="Why answer 1?").click()
    expect(page.locator("#answers .step").first).to_be_visible()
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        page.locator("#answers .after").scroll_into_view_if_needed()
        expect(page.locator("#picture > svg")).to_be_in_viewport(ratio=0.9)
    page.locator("#query").press_sequentially(", s")
    expect(page.locator("#completions")).to_be_visible()
    check(page, widths, 60, axe)
    ask(page, "same(X")
    expect(page.locator(".problem")).to_be_visible()
    check(page, widths, 60, axe)
    take(page, "Between", 3)
    expect(cards(page)).to_have_count(2)
    page.route("**/learn", mistaken)
    call(page, "yes", "no")
    learn(page)
    assert marks(page) == ["right", "wrong"]
    page.get_by_text("Also fits").click()
    press(page, "Picture 2: yes")
    check(page, widths, 60, axe)
    take(page, "Buttons How many are red? N = 3.", 9)
    press(page, "Correct")
    check(page, widths, 60, axe)
    if not axe:
        pytest.skip("all but axe-core's rules was checked: npm does not bring it")


def test_everything_goes_by_keyboard_and_what_changes_is_announced(visit: Visit) -> None:
    page = visit()
    for place, role in (("#status", "status"), ("#notes", "status"), ("#progress", "status"), ("#messages", "alert")):
        expect(page.locator(place)).to_have_attribute("role", role)
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the question")
    tab_to(page, "#examples button:has-text('Between')")
    assert page.locator(":focus").evaluate("(each) => getComputedStyle(each).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    arrived(page, 3)
    tab_to(page, "[data-object]")
    expect(page.locator("#inspector h2")).to_have_text("ob_0")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#inspector h2")).to_have_text("ob_1")
    page.keyboard.press("Enter")
    expect(page.locator("#picture .kept")).to_have_attribute("data-object", "ob_1")
    address = page.url
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    query, options = page.locator("#query"), page.locator("#completions li")
    expect(query).to_be_focused()
    assert page.url == address
    page.keyboard.type("above(X, ob_2)")
    page.keyboard.press("Enter")
    answered(page, 2)
    tab_to(page, "button.why")
    page.keyboard.press("Enter")
    expect(page.locator("#answers .step").first).to_be_visible()

    query.fill("")
    query.press_sequentially("object(A), sam")
    expect(options).to_have_text(
        [re.compile(rf"^{name}\(X, Y\)") for name in ("same", "same_shape", "same_colour", "same_row", "same_column")]
    )
    expect(options.first).to_contain_text("X and Y look the same")
    query.press("ArrowDown")
    query.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    assert query.get_attribute("aria-activedescendant") == options.nth(1).get_attribute("id")
    query.press("Enter")
    expect(query).to_have_value("object(A), same_shape(")
    expect(page.locator("#completions")).to_be_hidden()
    query.press_sequentially("A, ob_")
    query.press("ArrowUp")
    query.press("Tab")
    expect(query).to_have_value("object(A), same_shape(A, ob_2")
    query.press_sequentially("), agg")
    expect(options).to_have_text([re.compile("aggregate_all")])
    query.press("Escape")
    expect(page.locator("#completions")).to_be_hidden()
    query.press("Shift+Enter")
    expect(query).to_have_value("object(A), same_shape(A, ob_2), agg\n")


def test_every_question_offered_is_understood_and_has_answers_in_its_picture(address: str) -> None:
    catalogue = json.loads((PAGE / "examples.json").read_text())
    silent = []
    with httpx.Client(base_url=address, timeout=60) as client:
        for example in catalogue["examples"]:
            image = (PAGE / "examples" / example["file"]).read_bytes()
            data = {"model": example["model"]} if "model" in example else None
            scene = client.post("/scenes", files={"image": image}, data=data).headers["location"]
            anywhere = [] if data else catalogue["anywhere"]  # asked of what the service's own model sees
            for question in [*example["queries"], *anywhere]:
                asked = {"query": question["query"], "rules": question.get("rules", "")}
                reply = client.post(f"{scene}/query", json=asked)
                assert reply.status_code == 200, reply.text
                answers = reply.json()["answers"]
                if question in example["queries"] and not answers:
                    silent.append(f"{example['name']}: {question['words']}")
                if question == example["queries"][0] and "answer" in example:
                    bindings = ((name, value) for answer in answers for name, value in answer["bindings"].items())
                    assert example["answer"] == ", ".join(f"{name} = {value}" for name, value in bindings) + "."
    # One question of each lesson may be answered with no: this one shows what "false." looks like.
    assert silent == ["Between: Same colour, other shape?"]


def test_the_page_is_small_and_whole(address: str) -> None:
    """All that is asked for lies in the folder, and nothing else lies there."""
    files = {path.relative_to(PAGE).as_posix(): path for path in PAGE.rglob("*") if path.is_file()}
    pages = {name: path for name, path in files.items() if path.suffix != ".pyc"}
    own = {name: path for name, path in pages.items() if not name.startswith("docs.") and path.suffix not in PICTURES}
    first = [path for name, path in own.items() if name not in LATER]
    assert {Path(name).suffix for name in pages} == {".html", ".css", ".js", ".svg", ".json", *PICTURES}
    assert sum(path.stat().st_size for path in first) < 93_000
    assert sum(path.stat().st_size for path in own.values()) < 136_000  # 6,000 of them are the vocabulary
    catalogue = json.loads(files["examples.json"].read_text())
    assert {f"examples/{example['file']}" for example in catalogue["examples"]} == {
        name for name in pages if Path(name).suffix in PICTURES
    }
    text = "".join(path.read_text() for name, path in pages.items() if name.endswith((".js", ".html")))
    forbidden = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", " style=", 'setTimeout("')
    assert [each for each in forbidden if each in text] == []
    with httpx.Client(base_url=address, timeout=60) as client:
        for name in pages:
            assert client.get(f"/static/{name}").status_code == 200
