"""Whether everybody can read and reach the page: names, contrast, narrow screens, quiet motion."""

import json
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from service.page import folder
from tests.service.page.conftest import Visit
from tests.service.page.test_teach import call, cards, learn, marks, replying

pytestmark = pytest.mark.slow(44)

NAMELESS = """() => [...document.querySelectorAll("button, a, input, textarea, summary, [role=button], [role=img]")]
    .filter((each) => each.checkVisibility())
    .filter((each) => !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length))
    .map((each) => each.outerHTML)"""

# Contrast of every piece of text with what lies behind it, by the formula of WCAG 2.
CONTRASTS = """() => {
    const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map((value) => value / 255)
        .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (each) => {
        for (; each; each = each.parentElement) {
            const colour = parse(getComputedStyle(each).backgroundColor);
            if (colour.length === 3 || colour[3] === 1) return colour;
        }
        return [255, 255, 255];
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const each = walker.currentNode.parentElement;
        const text = walker.currentNode.data.trim();
        if (!text || !each.checkVisibility() || each.closest("svg, .hidden, :disabled")) continue;
        const pair = [parse(getComputedStyle(each).color), behind(each)].map(luminance);
        found.push([(Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05), text.slice(0, 40)]);
    }
    return found;
}"""

SMALL = """() => [...document.querySelectorAll("body *")]
    .filter((each) => each.checkVisibility() && each.textContent.trim() && !each.closest("svg, .hidden"))
    .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 12)
    .map((each) => each.outerHTML)"""

MOVING = """() => [...document.querySelectorAll("*")]
    .filter((each) => parseFloat(getComputedStyle(each).transitionDuration) > 0).length"""

SCENES = ["answers", "problem", "start", "teach"]
LATER = ("vocabulary.json", "correct.js", "boxes.js", "teach.js", "teach.css", "words.js", "suppose.js")
"""Files that come with a scene: the vocabulary and the tools."""


def shown(page: Page, scene: str) -> None:
    """Brings the page to a state that has most of what it can show."""
    if scene == "start":
        return
    page.get_by_role("button", name="A row", exact=True).click()
    expect(page.locator("#listing details").first).to_be_visible()
    page.locator("#picture .object").first.click()
    if scene == "teach":
        page.get_by_role("button", name="Between", exact=True).click()
        expect(cards(page)).to_have_count(2)
        page.route("**/learn", replying(lambda label: "yes"))
        call(page, 0, "yes")
        call(page, 1, "no")
        learn(page)
        assert marks(page) == ["right", "wrong"]
        page.get_by_text("Also fits").click()
        call(page, 1, "yes")
    elif scene == "problem":
        page.locator("#query").fill("same(X")
        page.locator("#query").press("Enter")
        expect(page.locator(".problem")).to_be_visible()
    else:
        page.get_by_role("button", name="Is the pattern a-b-a?").click()
        page.get_by_role("button", name="Why answer 1?").click()
        expect(page.locator("#answers .step").first).to_be_visible()
        page.locator("#query").press_sequentially(", s")
        expect(page.locator("#completions")).to_be_visible()


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_and_everything_has_a_name(visit: Visit, scheme: str, scene: str) -> None:
    page = visit(color_scheme=scheme, reduced_motion="reduce")
    shown(page, scene)
    assert page.evaluate(NAMELESS) == []
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > (10 if scene == "start" else 60)
    assert [(ratio, text) for ratio, text in contrasts if ratio < 4.5] == []
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0] > 128")
    assert paper == (scheme == "light")
    assert page.evaluate(MOVING) == 0, "without a wish for motion there is none"


@pytest.mark.parametrize("scene", SCENES)
def test_a_phone_needs_no_sideways_scrolling(visit: Visit, scene: str) -> None:
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    shown(page, scene)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(SMALL) == []


def test_on_a_phone_answers_come_into_view(visit: Visit) -> None:
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert page.locator("#lead h2").inner_text() == "Ask an image questions in logic."
    page.get_by_role("button", name="Between", exact=True).click()
    expect(page.locator("#listing details").first).to_be_visible()

    def in_view(place: str) -> None:
        expect(page.locator(place).first).to_be_visible()
        box = page.locator(place).first.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844

    for question, answer in (
        ("same(X, Y)", "#answers tbody tr"),
        ("same(ob_0, ob_1)", "#answers .verdict"),
        ("same(X", "#answers .problem"),
    ):
        page.evaluate("scrollTo(0, 0)")
        page.locator("#query").fill(question)
        page.evaluate("scrollTo(0, 0)")  # to where a person has the picture and the question before the eyes
        page.locator("#query").press("Enter")
        expect(page.locator("#asking")).to_have_attribute("aria-busy", "false")
        in_view(answer)
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("button", name="Does one lie between two alike?").click()
    expect(page.locator("#answers tbody tr[data-lights]")).to_have_count(1)
    in_view("#answers tbody tr")


def test_what_changes_is_announced(visit: Visit) -> None:
    page = visit()
    for place, role in (("#status", "status"), ("#notes", "status"), ("#progress", "status"), ("#messages", "alert")):
        expect(page.locator(place)).to_have_attribute("role", role)
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.locator(":focus").evaluate("(each) => getComputedStyle(each).outlineStyle") == "solid"


def test_every_question_offered_is_understood_and_has_answers_in_its_picture(address: str) -> None:
    catalogue = json.loads((folder() / "examples.json").read_text())
    silent = []
    with httpx.Client(base_url=address) as client:
        for example in catalogue["examples"]:
            image = (folder() / "examples" / example["file"]).read_bytes()
            data = {"model": example["model"]} if "model" in example else None
            scene = client.post("/scenes", files={"image": image}, data=data).headers["location"]
            anywhere = [] if data else catalogue["anywhere"]  # asked of what the service's own model sees
            for question in [*example["queries"], *anywhere]:
                asked = {"query": question["query"], "rules": question.get("rules", "")}
                reply = client.post(f"{scene}/query", json=asked)
                assert reply.status_code == 200, reply.text
                if question in example["queries"] and not reply.json()["answers"]:
                    silent.append(f"{example['name']}: {question['words']}")
    # One question of each lesson may be answered with no: this one shows what "false." looks like.
    assert silent == ["Between: Same colour, other shape?"]


def test_the_page_is_small_and_whole(address: str) -> None:
    """All that is asked for lies in the folder, and nothing else lies there."""
    files = {path.relative_to(folder()).as_posix(): path for path in folder().rglob("*") if path.is_file()}
    pages = {name: path for name, path in files.items() if Path(name).suffix not in (".py", ".pyc")}
    own = {name: path for name, path in pages.items() if not name.startswith("docs.") and path.suffix != ".png"}
    first = [path for name, path in own.items() if name not in LATER]
    assert {Path(name).suffix for name in pages} == {".html", ".css", ".js", ".svg", ".json", ".png"}
    assert sum(path.stat().st_size for path in first) < 88_000
    assert sum(path.stat().st_size for path in own.values()) < 125_000
    catalogue = json.loads(files["examples.json"].read_text())
    assert {f"examples/{example['file']}" for example in catalogue["examples"]} == {
        name for name in pages if name.endswith(".png")
    }
    text = "".join(path.read_text() for name, path in pages.items() if name.endswith((".js", ".html")))
    forbidden = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", " style=", 'setTimeout("')
    assert [each for each in forbidden if each in text] == []
    with httpx.Client(base_url=address) as client:
        for name in pages:
            assert client.get(f"/static/{name}").status_code == 200
